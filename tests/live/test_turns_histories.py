"""Random histories of people who prompt, redirect, stop, type and arrange what waits.

What must hold, whatever happens: one turn writes at a time; each that others ended has one
settlement and writes nothing after it; every prompt that was sent is one turn, one that waits, or
was refused or removed; everybody and the database have the same list.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.live.people import Page
from tests.live.test_turns_left import die
from tests.live.test_turns_stop import PIECES
from tests.live.turning import Stage, open_stage, stage, upstream
from webapp.lib import ids
from webapp.live import endpoints
from webapp.pairing.models import FollowUp, Turn

__all__ = ["stage", "upstream"]

SEEDS = 24
MOMENTS = 70
WRITING = {"starting", "streaming", "stopping"}
ENDED_BY_OTHERS = {"stopped", "redirected", "interrupted"}


class History:
    """One session, what was done in it, and what must be true of it."""

    def __init__(self, stage: Stage, seed: int) -> None:
        self.stage, self.chance = stage, random.Random(seed)
        self.prompts: list[str] = []
        self.removed: set[str] = set()
        self.last: tuple[Page, str, dict[str, Any]] | None = None
        self.typed = ""

    def page(self) -> Page:
        return self.chance.choice([self.stage.ann, self.stage.bob])

    def send(self, t: str, **fields: Any) -> None:
        page = self.page()
        self.last = page, t, fields
        page.send(t, **fields)

    def new_prompt(self) -> dict[str, Any]:
        self.prompts.append(ids.new_id())
        number = str(len(self.prompts))
        return {"id": self.prompts[-1], "text": number, "file": self.stage.file}

    def act(self) -> None:
        """Do one thing that somebody might do."""
        turns = self.stage.turns
        running = turns.current.record.id if turns.current else ""
        waiting = [held["id"] for held in turns.waiting()["list"]]
        what = self.chance.random()
        if what < 0.12:
            self.send("prompt", **self.new_prompt())
        elif what < 0.24 and turns.records:
            turn = self.chance.choice([running or self.prompts[0], *list(turns.records)[-3:]])
            keep = self.chance.choice(["finished", "partial", "nothing"])
            self.send("redirect", **self.new_prompt(), turn=turn, keep=keep)
        elif what < 0.36 and waiting:
            self.arrange(waiting)
        elif what < 0.42 and self.last is not None:
            page, t, fields = self.last  # the network gave no answer
            page.send(t, **fields)
        elif what < 0.46 and running:
            self.send("stop", id=ids.new_id(), turn=running)
        elif what < 0.7 and len(self.typed) < 60:
            mark = chr(0x2460 + len(self.typed))
            at = self.chance.randint(0, len(self.stage.text))
            self.stage.edits(at, 0, mark + self.chance.choice(["", "\n"]))
            self.typed += mark

    def arrange(self, waiting: list[str]) -> None:
        op = self.chance.choice(["edit", "move", "remove", "now"])
        which = self.chance.choice(waiting)
        more: dict[str, Any] = {"text": "other words"} if op == "edit" else {}
        if op == "move" and self.chance.random() < 0.7:
            more = {"before": self.chance.choice(waiting)}
        if op == "remove":
            self.removed.add(which)
        self.send("followup", id=ids.new_id(), op=op, followup=which, **more)

    def one_writes(self) -> None:
        states = [record.state for record in self.stage.turns.records.values()]
        assert sum(state in WRITING for state in states) <= 1

    async def holds(self) -> None:
        """Fail unless all is as it must be, now that nothing runs."""
        stage = self.stage
        rows = await stage.ask(lambda: list(Turn.objects.filter(session=stage.room.id)))
        waiting = await stage.ask(
            lambda: list(
                FollowUp.objects.filter(session=stage.room.id)
                .order_by("position")
                .values_list("pk", flat=True)
            )
        )
        assert stage.waiting(stage.ann) == stage.waiting(stage.bob) == waiting
        assert stage.listed(stage.ann)["held"] == bool(waiting)
        refused = {f.get("id") for p in (stage.ann, stage.bob) for f in stage.frames(p, "error")}
        for id in self.prompts:
            ends = [id in {row.pk for row in rows}, id in waiting]
            assert sum(ends) == 1 or (sum(ends) == 0 and id in refused | self.removed), id
        for row in rows:
            entries = await stage.entries(row.pk)
            own = [entry for entry in entries if entry.author.startswith("turn:")]
            settles = [entry for entry in own if entry.kind == "settle"]
            assert row.state in ENDED_BY_OTHERS | {"finished"}
            if row.state == "finished":
                assert settles == []
            elif row.ttft_ms is not None:
                assert len(settles) == 1
            if settles:
                assert own[-1] == settles[0]
            assert "open" not in {hunk.status for hunk in await stage.hunks(row.pk)}
            if row.parent_id is not None:
                assert next(r for r in rows if r.pk == row.parent_id).ended_at is not None
        # A later turn may take away what was typed before it; nothing may come back twice.
        assert all(stage.text.count(mark) <= 1 for mark in self.typed)
        assert stage.text == await stage.replayed()


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_whatever_people_do(stage: Stage, seed: int) -> None:
    stage.script()
    stage.upstream.reset()
    stage.upstream.script(*[{"text": piece} for piece in PIECES])
    here = stage if seed == 0 else await open_stage(
        stage.cast, stage.hub, stage.upstream, stage.ask
    )  # fmt: skip
    history = History(here, seed)
    history.send("prompt", **history.new_prompt())
    dies = seed % 3 == 2
    for _ in range(history.chance.randint(5, MOMENTS) if dies else MOMENTS):
        await here.tick()
        history.act()
        history.one_writes()
    if dies:
        await here.durable()
        told = [list(here.frames(page)) for page in (here.ann, here.bob)]
        here = history.stage = await die(here)
        for page, frames in zip((here.ann, here.bob), told, strict=True):
            page.wire.inbox.extendleft(reversed(frames))
    await here.over()
    while not dies and here.turns.followups.first is not None:
        first = here.turns.followups.first
        here.followup("now", first.id)
        await here.over()
    await here.durable()
    await history.holds()
    if dies:
        await here.hub.shutdown()
    await endpoints.close_provider()
