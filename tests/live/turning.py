"""A session with one file, a scripted model, and people: the stage of the turns' tests."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cast import Cast
from tests.live.people import Page
from tests.upstream import Step, Upstream
from webapp.document.changes import ChangeSet
from webapp.document.text import loads_utf16, to_utf16
from webapp.engine.ports import Endpoint
from webapp.lib import ids
from webapp.live import endpoints, turn_rows
from webapp.live import hub as hubs
from webapp.live.endpoints import Choice
from webapp.live.hub import Hub
from webapp.live.room import Room
from webapp.live.turns import Turns
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus
from webapp.pairing.create import create_session
from webapp.pairing.models import Checkpoint, Entry, FollowUp, Hunk, Turn, Withheld

Ask = Callable[[Callable[[], Any]], Awaitable[Any]]

OLD = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
NEW = "def a():\n    return 10\n\n\ndef b():\n    return 20\n"
OTHER = "import app\n"


def block(text: str, path: str = "app.py") -> str:
    """Return a message that holds one file."""
    return f"{path}\n```python\n{text}```\n"


class Stage:
    """An open room; its pages; what the database says."""

    def __init__(self, room: Room, upstream: Upstream, hub: Hub, ask: Any, cast: Cast) -> None:
        self.room, self.upstream, self.hub = room, upstream, hub
        self.ask, self.cast = ask, cast
        self.turns: Any = room.turns
        self.file = next(file.id for file in room.files.values() if file.path == "app.py")
        self.ann = Page(room, cast.owner.pk, "Ann")
        self.bob = Page(room, cast.member.pk, "Bob")
        self._counts = itertools.count(1)
        for page in (self.ann, self.bob):
            page.hello()
            page.send("open", file=self.file)

    @property
    def text(self) -> str:
        return self.room.files[self.file].text

    def script(self, *steps: Step) -> None:
        self.upstream.script(*steps, once=True)

    def prompt(self, text: str = "Change it", **fields: Any) -> str:
        id = ids.new_id()
        self.ann.send("prompt", id=id, text=text, **({"file": self.file} | fields))
        return id

    def stop(self, turn: str, by: Page | None = None) -> None:
        (by or self.bob).send("stop", id=ids.new_id(), turn=turn)

    def redirect(
        self,
        turn: str,
        text: str = "No, so",
        keep: str = "finished",
        by: Page | None = None,
        **fields: Any,
    ) -> str:
        """Bob ends a turn and asks for something else; returns the new turn's id."""
        id = fields.pop("id", "") or ids.new_id()
        asked = {"id": id, "text": text, "turn": turn, "keep": keep, "file": self.file}
        (by or self.bob).send("redirect", **(asked | fields))
        return id

    def followup(self, op: str, which: str, by: Page | None = None, **fields: Any) -> str:
        """Bob does something with a prompt that waits; returns the id he asked with."""
        asked: str = fields.pop("id", "") or ids.new_id()
        (by or self.bob).send("followup", id=asked, op=op, followup=which, **fields)
        return asked

    def listed(self, page: Page) -> dict[str, Any]:
        """Return the follow-ups as a page has them by now."""
        held: dict[str, Any] = {}
        for frame in self.frames(page, "welcome", "followups"):
            held = frame["followups"]
        return held

    def waiting(self, page: Page | None = None) -> list[str]:
        """Return the ids of those that wait, as a page has them."""
        return [held["id"] for held in self.listed(page or self.bob)["list"]]

    def answer(self, page: Page, id: str) -> dict[str, Any]:
        """Return the one answer to a request."""
        (frame,) = [f for f in self.frames(page, "ok", "error") if f.get("id") == id]
        return frame

    async def answered(self, page: Page, id: str) -> dict[str, Any]:
        """Return the answer to a request once it is there."""
        await self.until(lambda: any(f.get("id") == id for f in self.frames(page, "ok", "error")))
        await self.durable()
        return self.answer(page, id)

    async def followup_rows(self) -> list[FollowUp]:
        rows: list[FollowUp] = await self.ask(
            lambda: list(FollowUp.objects.filter(session=self.room.id).order_by("position"))
        )
        return rows

    def types(self, where: str, inserted: str, *, page: Page | None = None) -> None:
        """Bob types behind the one place where `where` stands."""
        assert self.text.count(where) == 1, self.text
        self.edits(self.text.index(where) + len(where), 0, inserted, page=page)

    def edits(self, at: int, deleted: int, inserted: str, *, page: Page | None = None) -> None:
        file = self.room.files[self.file]
        change = ChangeSet.of(len(file.text), [(at, at + deleted, to_utf16(inserted))])
        (page or self.bob).push(self.file, file.version, change.to_json(), first=next(self._counts))

    async def over(self) -> None:
        """Wait until no turn runs and everything is durable."""
        while self.turns.running:
            await self.tick()
        await self.durable()

    async def tick(self) -> None:
        """Let everything else run once."""
        await asyncio.sleep(0)

    async def until(self, true: Callable[[], bool]) -> None:
        while not true():
            await self.tick()

    async def durable(self) -> None:
        done = asyncio.Event()
        self.room.after_commit(done.set)
        await done.wait()

    def frames(self, page: Page, *kinds: str) -> list[dict[str, Any]]:
        return [frame for frame in page.wire.inbox if not kinds or frame["t"] in kinds]

    def last_turn(self, page: Page) -> dict[str, Any]:
        turn: dict[str, Any] = self.frames(page, "turn")[-1]["turn"]
        return turn

    async def row(self, turn: str) -> Turn:
        """Return the turn's row, with its reason and those of its withheld edits in words."""
        row: Turn = await self.ask(lambda: Turn.objects.get(pk=turn))
        reasons = [row.reason, *(held.reason for held in await self.withheld(turn))]
        row.reason = " ".join(str(turn_rows.reason_of(each)) for each in reasons if each)
        return row

    async def withheld(self, turn: str) -> list[Withheld]:
        rows: list[Withheld] = await self.ask(
            lambda: list(Withheld.objects.filter(turn=turn).order_by("ordinal"))
        )
        return rows

    async def entries(self, turn: str, kind: str = "") -> list[Entry]:
        def find() -> list[Entry]:
            found = Entry.objects.filter(turn=turn).order_by("seq")
            return list(found.filter(kind=kind) if kind else found)

        entries: list[Entry] = await self.ask(find)
        return entries

    async def hunks(self, turn: str) -> list[Hunk]:
        rows: list[Hunk] = await self.ask(
            lambda: list(Hunk.objects.filter(turn=turn).order_by("ordinal"))
        )
        return rows

    async def checkpoints(self, turn: str) -> list[Checkpoint]:
        rows: list[Checkpoint] = await self.ask(lambda: list(Checkpoint.objects.filter(turn=turn)))
        return rows

    async def replayed(self) -> str:
        """Return the file's text as the log alone gives it."""

        def replay() -> str:
            text = ""
            for entry in Entry.objects.filter(file=self.file, version__isnull=False).order_by(
                "version"
            ):
                payload = loads_utf16(entry.payload)
                if entry.kind == Entry.Kind.CREATE:
                    text = payload
                else:
                    text = ChangeSet.from_json(payload, len(text), keep_cr=True).apply(text)
            return text

        text: str = await self.ask(replay)
        return text


def endpoint(upstream: Upstream, **fields: Any) -> Endpoint:
    """Return the scripted model as an endpoint."""
    values = {
        "base_url": f"{upstream.url}/v1",
        "api_key": "",
        "model": "scripted",
        "label": "The scripted model",
        "context_window": 8192,
        "max_output": 4096,
    }
    return Endpoint(**(values | fields))


def ready(path: Path) -> None:
    """Say that the model is ready, as the appliance does."""
    modelstatus.write(path, ModelStatus("ready", "scripted"))


async def open_stage(
    cast: Cast, hub: Hub, upstream: Upstream, ask: Callable[..., Awaitable[Any]], text: str = OLD
) -> Stage:
    """Return a stage on a new session."""

    def make() -> str:
        files = {"app.py": text, "test_app.py": OTHER}
        return create_session(cast.team, cast.owner, "Turns", files).pk

    room = await hub.enter(await ask(make))
    return Stage(room, upstream, hub, ask, cast)


def choice(upstream: Upstream, id: str = "preview", **fields: Any) -> Choice:
    """Return the scripted model as a choice: its tier's own, or with an id of 20 a team's."""
    tier = fields.pop("tier", id)
    asked = endpoint(upstream, **fields)
    return Choice(id, tier, asked.label, asked, is_default=id == tier)


def make_turns(upstream: Upstream, **fields: Any) -> Callable[[Room], Turns]:
    """Return what gives a room real turns that ask the scripted model."""

    def make(room: Room) -> Turns:
        room.choices = (choice(upstream, **fields),)
        return Turns(room)

    return make


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    async with Upstream() as upstream:
        yield upstream
        await endpoints.close_provider()


@pytest.fixture
async def stage(
    cast: Cast, transactional_db: None, tmp_path: Path, upstream: Upstream, rows: Ask
) -> AsyncIterator[Stage]:
    ready(tmp_path / "model.json")
    hub = Hub("process-a", make_turns(upstream), model_status={"preview": tmp_path / "model.json"})
    hubs.use(hub)
    yield await open_stage(cast, hub, upstream, rows)
    await hub.shutdown()
