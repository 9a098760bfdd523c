"""A stage whose model answers in blocks, and what its withheld edits are: for their tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.cast import Cast
from tests.live.people import Page
from tests.live.turning import Ask, Stage, make_turns, open_stage, ready
from tests.upstream import Upstream
from webapp.lib import ids
from webapp.live import hub as hubs
from webapp.live.hub import Hub
from webapp.pairing.models import Session

OLD = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
TAKEN = OLD.replace("return 1\n", "return 10\n")
BOTH = TAKEN.replace("return 2\n", "return 20\n")


def block(search: str, replacement: str, path: str = "app.py") -> str:
    """Return a message with one block."""
    return f"{path}\n```\n<<<<<<< SEARCH\n{search}=======\n{replacement}>>>>>>> REPLACE\n```\n"


A = block("    return 1\n", "    return 10\n")
B = block("    return 2\n", "    return 20\n")
MISSING = block("    return 3\n", "    return 30\n")
NEW_FILE = block("", "x = 1\n", "lib/new.py")
DELETE = "*** Begin Patch\n*** Delete File: test_app.py\n*** End Patch\n"
MOVE = (
    "*** Begin Patch\n*** Update File: test_app.py\n*** Move to: tests/test_app.py\n*** End Patch\n"
)


@pytest.fixture
async def blocks(
    cast: Cast, transactional_db: None, tmp_path: Path, upstream: Upstream, rows: Ask
) -> AsyncIterator[Stage]:
    """A room whose model answers in blocks."""
    stage = await open_in(cast, tmp_path, upstream, rows, "blocks")
    yield stage
    await stage.hub.shutdown()


@pytest.fixture
async def patches(
    cast: Cast, transactional_db: None, tmp_path: Path, upstream: Upstream, rows: Ask
) -> AsyncIterator[Stage]:
    """A room whose model answers in patches."""
    stage = await open_in(cast, tmp_path, upstream, rows, "patch")
    yield stage
    await stage.hub.shutdown()


async def open_in(
    cast: Cast, tmp_path: Path, upstream: Upstream, rows: Ask, edit_format: str
) -> Stage:
    """Return a room whose model answers in this format."""
    ready(tmp_path / "model.json")
    turns = make_turns(upstream, edit_format=edit_format)
    hub = Hub("process-a", turns, model_status={"preview": tmp_path / "model.json"})
    hubs.use(hub)
    return await open_stage(cast, hub, upstream, rows)


async def protect(stage: Stage, *globs: str) -> None:
    """Have the session protect these paths, and the room know it."""
    protected = "\n".join(globs)
    await stage.ask(lambda: Session.objects.filter(pk=stage.room.id).update(protected=protected))
    stage.room.rules = stage.room.rules.__class__(protected=globs)


async def frozen(stage: Stage, message: str = A, *then: dict[str, Any], guard: bool = True) -> str:
    """Run a turn whose edit waits for a word; return the turn."""
    if guard:
        await protect(stage, "app.py", "lib/")
    stage.script({"say": message}, *then)
    turn = stage.prompt()
    await stage.until(lambda: bool(shown(stage, turn)))
    if not then:
        await stage.over()
    return turn


def shown(stage: Stage, turn: str, page: Page | None = None) -> dict[int, dict[str, Any]]:
    """Return the turn's withheld edits as a page has them by now, by ordinal."""
    found: dict[int, dict[str, Any]] = {}
    for frame in stage.frames(page or stage.bob, "welcome", "turn", "withheld"):
        turns = frame["turns"] if frame["t"] == "welcome" else [frame.get("turn")]
        for held in turns:
            if held and held["id"] == turn:
                found = {each["ordinal"]: each for each in held["withheld"]}
        if frame["t"] == "withheld" and frame["withheld"]["turn"] == turn:
            found[frame["withheld"]["ordinal"]] = frame["withheld"]
    return found


def say(
    stage: Stage, turn: str, yes: bool, *, by: Page | None = None, which: int = 1, id: str = ""
) -> str:
    """Bob says something of a withheld edit; returns the id he said it with."""
    id = id or ids.new_id()
    (by or stage.bob).send("answer", id=id, turn=turn, withheld=which, yes=yes)
    return id


async def states(stage: Stage, turn: str) -> list[tuple[str, str]]:
    """Return state and answerer of each, which all pages and the rows agree about."""
    await stage.durable()
    rows = [(row.state, row.answered_by) for row in await stage.withheld(turn)]
    for page in (stage.ann, stage.bob):
        told = shown(stage, turn, page)
        assert [(told[n]["state"], told[n]["by"]) for n in sorted(told)] == rows
    return rows
