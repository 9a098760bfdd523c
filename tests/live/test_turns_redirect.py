"""Redirect: at any moment, whatever is kept, by several at once, sent twice, and when it fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.live.shapes import check
from tests.live.turning import NEW, OLD, Stage, block, choice, stage, upstream
from webapp.engine.ports import (
    Delta,
    Endpoint,
    Event,
    Failed,
    FailureCode,
    Finished,
    Request,
    Stream,
)
from webapp.lib import clock, ids
from webapp.pairing.access import Role

__all__ = ["stage", "upstream"]

HALF = "app.py\n```\ndef a():\n    return 10\n\n\ndef b():\n    return 20\n"
KEPT = OLD.replace("return 1\n", "return 10\n")
PARTIAL = KEPT.replace("    return 2\n", "    return 20\n    return 2\n")
"""The format `whole` takes an old line away only once it is passed."""


async def half_way(stage: Stage) -> str:
    """Run a turn up to one complete hunk and an open one."""
    stage.script({"say": HALF}, {"gate": "never"})
    turn = stage.prompt("Ten times as much")
    await stage.until(lambda: "return 20" in stage.text)
    return turn


def asked(stage: Stage) -> str:
    """Return what the model was asked last."""
    content: str = stage.upstream.records[-1].body["messages"][-1]["content"]
    return content


@pytest.mark.parametrize(
    ("keep", "text"), [("finished", KEPT), ("partial", PARTIAL), ("nothing", OLD)]
)
async def test_what_is_kept(stage: Stage, keep: str, text: str) -> None:
    turn = await half_way(stage)
    stage.script({"gate": "see"}, {"say": block(text.replace("def b", "def c"))})
    new = stage.redirect(turn, "No, call it c", keep)
    assert stage.text == text
    await stage.upstream.reached("see")
    await stage.durable()
    row = await stage.row(turn)
    assert (row.state, row.ended_by) == ("redirected", "Bob")
    assert row.reverted_by == ("Bob" if keep == "nothing" else "")
    (settle,) = await stage.entries(turn, "settle")
    assert settle.author == f"turn:{turn}"
    assert stage.answer(stage.bob, new)["result"] == "redirected"
    stage.upstream.release("see")
    await stage.over()
    child = await stage.row(new)
    assert (child.state, child.parent_id, child.prompt) == ("finished", turn, "No, call it c")
    assert stage.text == text.replace("def b", "def c") == await stage.replayed()
    for frame in stage.frames(stage.ann):
        check(frame)


async def test_the_next_turn_is_told_the_old_prompt_and_what_stands(stage: Stage) -> None:
    turn = await half_way(stage)
    stage.script({"gate": "see"}, {"say": block(KEPT)})
    stage.redirect(turn, "No, with words", "finished")
    redirection = _redirection(stage, stage.turns.current.record.parent)
    assert redirection.prompt == "Ten times as much"
    assert [(e.path, e.text, e.from_line, e.to_line) for e in redirection.kept] == [
        ("app.py", "    return 10\n", 2, 2)
    ]
    await stage.upstream.reached("see")
    stage.script({"say": block(KEPT)})
    third = stage.redirect(stage.turns.current.record.id, "And faster", "nothing")
    chain = _redirection(stage, stage.turns.current.record.parent)
    assert chain.prompt == "Ten times as much\nThen: No, with words"
    assert (await _over_row(stage, third)).state == "finished"


async def _over_row(stage: Stage, turn: str) -> Any:
    stage.upstream.release("see")
    await stage.over()
    return await stage.row(turn)


def _redirection(stage: Stage, parent: str) -> Any:
    from webapp.live import redirection

    records = stage.turns.records
    return redirection.told(stage.room, redirection.chain(records, records[parent]))


async def test_no_text_of_the_old_turn_enters_after_it(stage: Stage) -> None:
    stage.script({"say": HALF}, {"gate": "late"}, {"say": "    # late\n```\n"})
    turn = stage.prompt()
    await stage.until(lambda: "return 20" in stage.text)
    stage.script({"gate": "see"}, {"say": block(KEPT)})
    stage.redirect(turn)
    settled = len(await _durable_entries(stage, turn))
    stage.upstream.release("late")
    await stage.upstream.reached("see")
    stage.upstream.release("see")
    await stage.over()
    assert "late" not in stage.text
    assert len(await stage.entries(turn)) == settled


async def _durable_entries(stage: Stage, turn: str) -> list[Any]:
    await stage.durable()
    return await stage.entries(turn)


async def test_what_somebody_typed_in_stays_when_the_rest_is_taken_back(stage: Stage) -> None:
    turn = await half_way(stage)
    stage.types("return 10", " + 5")
    stage.script({"say": "Nothing more."})
    stage.redirect(turn, keep="nothing")
    await stage.over()
    assert stage.text == OLD.replace("return 1\n", "return 10 + 5\n") == await stage.replayed()
    row = await stage.row(turn)
    assert "Bob has typed in part" in row.reason
    assert row.reverted_by == "", "a part of it still stands"
    hunks = await stage.hunks(turn)
    assert [(hunk.status, hunk.decided_by) for hunk in hunks] == [
        ("kept", "Bob"),
        ("rolled_back", ""),
    ]


async def test_several_at_once_the_first_wins_and_the_others_are_asked_next(stage: Stage) -> None:
    turn = await half_way(stage)
    waits = stage.prompt("Later")
    stage.script({"gate": "one"}, {"say": block(KEPT)})
    first = stage.redirect(turn, "One")
    second = stage.redirect(turn, "Two", "nothing", by=stage.ann)
    third = stage.redirect(turn, "Three")
    await stage.upstream.reached("one")
    await stage.until(lambda: len(stage.frames(stage.bob, "ok")) == 2)
    await stage.durable()
    assert stage.answer(stage.bob, first)["result"] == "redirected"
    told = stage.answer(stage.ann, second)
    assert told["result"] == "waits" and "Bob redirected that turn before you" in told["message"]
    assert stage.answer(stage.bob, third)["result"] == "waits"
    assert stage.waiting(stage.ann) == stage.waiting(stage.bob) == [second, third, waits]
    assert [row.pk for row in await stage.followup_rows()] == [second, third, waits]
    assert stage.text == KEPT, "the second one's wish to take it back is not acted on"
    for _ in range(3):
        stage.script({"say": block(KEPT)})
    stage.upstream.release("one")
    await stage.over()
    states = [(await stage.row(id)).state for id in (first, second, third, waits)]
    assert states == ["finished"] * 4
    assert await stage.followup_rows() == []


async def test_sent_twice_it_acts_once(stage: Stage) -> None:
    turn = await half_way(stage)
    stage.script({"gate": "see"}, {"say": block(KEPT)})
    new = stage.redirect(turn)
    stage.redirect(turn, id=new)
    await stage.durable()
    stage.redirect(turn, id=new)
    await stage.upstream.reached("see")
    await stage.durable()
    answers = [f["result"] for f in stage.frames(stage.bob, "ok") if f["id"] == new]
    assert answers == ["redirected"] * 3
    assert stage.waiting() == []
    assert (await _over_row(stage, new)).state == "finished"
    assert len(stage.upstream.records) == 2


async def test_of_a_turn_whose_row_is_not_kept_yet(stage: Stage) -> None:
    stage.script({"say": block(NEW)})
    turn = stage.prompt()
    new = stage.redirect(turn)
    await stage.over()
    old = await stage.row(turn)
    assert (old.state, old.stop_ms) == ("redirected", 0.0)
    assert await stage.entries(turn) == []
    assert (await stage.row(new)).parent_id == turn
    assert stage.text == NEW
    assert len(stage.upstream.records) == 1


async def test_of_a_turn_that_has_just_ended_it_starts_and_knows_that_turn(stage: Stage) -> None:
    stage.script({"say": block(NEW)})
    turn = stage.prompt()
    await stage.over()
    stage.script({"say": block(OLD)})
    new = stage.redirect(turn, keep="nothing")
    assert stage.text == OLD
    await stage.over()
    assert stage.answer(stage.bob, new)["result"] == "started"
    assert (await stage.row(new)).parent_id == turn
    row = await stage.row(turn)
    assert (row.state, row.reverted_by) == ("finished", "Bob")


async def test_of_a_turn_nobody_knows_it_is_a_prompt(stage: Stage) -> None:
    stage.script({"say": block(NEW)})
    new = stage.redirect("z" * 20)
    await stage.over()
    assert stage.answer(stage.bob, new)["result"] == "started"
    assert (await stage.row(new)).parent_id is None


async def test_a_turn_that_ended_while_another_runs_it_waits(stage: Stage) -> None:
    stage.script({"say": block(NEW)})
    turn = stage.prompt()
    await stage.over()
    stage.script({"gate": "see"}, {"say": block(OLD)})
    stage.prompt()
    await stage.upstream.reached("see")
    new = stage.redirect(turn)
    await stage.durable()
    told = stage.answer(stage.bob, new)
    assert told["result"] == "waits" and "another one runs" in told["message"]
    stage.script({"say": block(NEW)})
    assert (await _over_row(stage, new)).state == "finished"


async def test_to_a_model_of_another_tier(stage: Stage) -> None:
    stage.room.choices += (choice(stage.upstream, "e" * 20, tier="standard", model="deeper"),)
    turn = await half_way(stage)
    stage.script({"say": block(KEPT)})
    new = stage.redirect(turn, tier="standard")
    await stage.over()
    row = await stage.row(new)
    assert (row.tier, row.endpoint, row.model) == ("standard", "e" * 20, "deeper")
    assert stage.upstream.records[-1].body["model"] == "deeper"


@pytest.mark.parametrize(
    ("fields", "code"),
    [({"tier": "standard"}, "model"), ({"endpoint": "e" * 20}, "model"), ({}, "refused")],
)
async def test_what_cannot_be_asked_ends_nothing(
    stage: Stage, fields: dict[str, str], code: str
) -> None:
    turn = await half_way(stage)
    if not fields:
        stage.room.choices = (choice(stage.upstream, context_window=100),)
    before = stage.text
    new = stage.redirect(turn, **fields)
    await stage.durable()
    error = stage.answer(stage.bob, new)
    assert error["code"] == code
    assert stage.turns.current.record.id == turn and stage.text == before
    assert stage.waiting() == []
    stage.stop(turn)
    await stage.over()
    assert (await stage.row(turn)).state == "stopped"


async def test_who_may_not_prompt_may_not_redirect(stage: Stage) -> None:
    turn = await half_way(stage)
    stage.bob.client.role = Role.EDIT
    new = stage.redirect(turn)
    await stage.durable()
    assert stage.answer(stage.bob, new)["code"] == "role"
    assert stage.turns.current.record.id == turn
    stage.stop(turn, by=stage.ann)
    await stage.over()


class SlowToClose:
    """A model whose first answer's transport closes only when it is let."""

    def __init__(self) -> None:
        self.closes = asyncio.Event()
        self.opened: list[Request] = []

    def open(self, endpoint: Endpoint, request: Request) -> Stream:
        self.opened.append(request)
        return _Slow(self.closes, block(NEW), ends=len(self.opened) > 1)


class _Slow:
    def __init__(self, closes: asyncio.Event, text: str, ends: bool) -> None:
        self._closes, self._text, self._ends = closes, text, ends
        self._aborted = asyncio.Event()
        self.closed_at: float | None = None

    async def batches(self) -> AsyncIterator[list[Event]]:
        if self._ends:
            yield [Delta(self._text), Finished("stop")]
            return
        yield [Delta(HALF)]
        await self._aborted.wait()
        yield [Failed(FailureCode.ABORTED, "Aborted.")]

    def abort(self) -> None:
        self._aborted.set()

    async def wait_closed(self) -> float:
        await self._closes.wait()
        self.closed_at = clock.monotonic()
        return self.closed_at


async def test_the_next_turn_does_not_wait_for_a_slow_close(stage: Stage) -> None:
    model = SlowToClose()
    stage.turns._model = lambda: model
    turn = stage.prompt()
    await stage.until(lambda: "return 20" in stage.text)
    new = stage.redirect(turn)
    await stage.over()
    assert (await stage.row(new)).state == "finished" and stage.text == NEW
    row = await stage.row(turn)
    assert (row.state, row.stop_ms) == ("redirected", None)
    model.closes.set()
    await stage.until(lambda: stage.turns.records[turn].stop_ms is not None)
    await stage.durable()
    row = await stage.row(turn)
    assert row.state == "redirected" and row.stop_ms is not None
    shown = [f["turn"] for f in stage.frames(stage.ann, "turn") if f["turn"]["id"] == turn]
    assert shown[-2]["stop_ms"] is None and shown[-1]["stop_ms"] is not None


async def test_of_a_turn_that_is_being_stopped_it_goes_on_at_once(stage: Stage) -> None:
    model = SlowToClose()
    stage.turns._model = lambda: model
    turn = stage.prompt()
    await stage.until(lambda: "return 20" in stage.text)
    stage.stop(turn, by=stage.ann)
    assert stage.turns.current.record.state == "stopping"
    new = stage.redirect(turn)
    await stage.over()
    old, child = await stage.row(turn), await stage.row(new)
    assert (old.state, old.ended_by, child.parent_id) == ("redirected", "Ann", turn)
    assert len(await stage.entries(turn, "settle")) == 1
    assert stage.answer(stage.bob, new)["result"] == "redirected"
    model.closes.set()


async def test_a_prompt_sent_while_a_turn_is_being_stopped_goes_on_after_it(stage: Stage) -> None:
    model = SlowToClose()
    stage.turns._model = lambda: model
    turn = stage.prompt()
    await stage.until(lambda: "return 20" in stage.text)
    later = stage.prompt("Later")
    stage.stop(turn)
    now = stage.prompt("Now")
    await stage.durable()
    assert stage.waiting() == [now, later]
    model.closes.set()
    await stage.over()
    assert [(await stage.row(id)).state for id in (turn, now, later)] == [
        "stopped",
        "finished",
        "finished",
    ]
    begun = sorted([await stage.row(now), await stage.row(later)], key=lambda row: row.created_at)
    assert [row.pk for row in begun] == [now, later]


async def test_a_turn_whose_id_is_taken_is_told_and_the_list_is_held(stage: Stage) -> None:
    """Somebody else's id: the old turn is ended, and what waits stays."""
    taken = ids.new_id()
    await stage.ask(lambda: _foreign_turn(stage, taken))
    turn = await half_way(stage)
    waits = stage.prompt("Later")
    stage.redirect(turn, id=taken)
    await stage.over()
    assert stage.answer(stage.bob, taken)["code"] == "refused"
    assert stage.listed(stage.ann)["held"] and stage.waiting() == [waits]


def _foreign_turn(stage: Stage, id: str) -> None:
    from webapp.pairing.create import create_session
    from webapp.pairing.models import Turn

    other = create_session(stage.cast.team, stage.cast.owner, "Other", {"a.py": ""})
    Turn.objects.create(id=id, session=other, prompt="", author_name="Eve", state="finished")
