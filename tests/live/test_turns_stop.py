"""Stop: at every point of a stream, by anybody who may, and among people who type."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from tests.live.turning import NEW, OLD, Stage, block, open_stage, stage, upstream
from webapp.live import endpoints
from webapp.pairing.access import Role

__all__ = ["stage", "upstream"]

MESSAGE = "Sure.\n\n" + block(NEW.replace("return 10\n", "return 10\n    # ten\n")) + "Done.\n"
AFTER = [OLD, OLD.replace("return 1\n", "return 10\n    # ten\n")]
AFTER.append(AFTER[1].replace("return 2\n", "return 20\n"))
PIECES = re.findall(r"\s*\w{1,5}|\s*[^\w\s]+|\s+", MESSAGE)


async def stopped_at(stage: Stage, count: int) -> str:
    """Run a turn up to its `count`-th piece and stop it there.

    The upstream then sees that its client left (even counts), or tries to go on (odd ones).
    """
    gate = f"gate {count}"
    pieces: list[dict[str, Any]] = [{"text": piece} for piece in PIECES]
    stage.script(*pieces[:count], {"gate": gate}, *pieces[count:])
    turn = stage.prompt()
    await stage.upstream.reached(gate)
    received = sum(len(piece) for piece in PIECES[:count])
    running = stage.turns._running
    await stage.until(lambda: running.turn.received_utf16 == received)
    before = [file.version for file in stage.room.files.values()]
    stage.stop(turn)
    # What counts is decided in this very call: at most the settlement has come.
    after = [file.version for file in stage.room.files.values()]
    assert sum(after) == sum(before) + 1
    if count % 2 == 0:
        (record,) = await stage.upstream.ended()
        assert record.outcome == "left"
    stage.upstream.release(gate)
    await stage.over()
    assert [file.version for file in stage.room.files.values()] == after
    return turn


async def test_at_every_point_of_a_stream(stage: Stage) -> None:
    first = stage
    for count in range(len(PIECES) + 1):
        here = await open_stage(first.cast, first.hub, first.upstream, first.ask)
        first.upstream.reset()
        turn = await stopped_at(here, count)
        row = await here.row(turn)
        assert (row.state, row.ended_by) == ("stopped", "Bob"), count
        assert len(await here.entries(turn, "settle")) == 1
        assert (await here.entries(turn))[-1].kind == "settle"
        assert here.text == await here.replayed()
        hunks = await here.hunks(turn)
        assert {hunk.status for hunk in hunks} <= {"applied", "rolled_back"}
        kept = sum(hunk.status == "applied" for hunk in hunks)
        assert here.text == AFTER[kept]


async def test_the_receipt(stage: Stage) -> None:
    turn = await stopped_at(stage, 14)
    row = await stage.row(turn)
    assert row.tokens_estimated and row.tokens_out >= row.tokens_applied >= 0
    assert row.stop_ms is not None and 0 <= row.stop_ms < 1000
    shown = stage.last_turn(stage.ann)
    assert shown["state"] == "stopped" and shown["ended_by"] == "Bob"
    assert shown["stop_ms"] == pytest.approx(row.stop_ms, abs=0.01)
    states = [frame["turn"]["state"] for frame in stage.frames(stage.ann, "turn")]
    assert states[-2:] == ["stopping", "stopped"]
    answers = stage.frames(stage.bob, "ok")
    assert [answer["result"] for answer in answers] == ["stopped"]


async def test_what_was_taken_back_does_not_count_as_applied(stage: Stage) -> None:
    text = "app.py\n```\ndef a():\n    return 10\n\n\ndef b():\n    return 3"
    stage.script({"text": text}, {"text": "000000\n"}, {"gate": "go"})
    turn = stage.prompt()
    await stage.until(lambda: "000000" in stage.text)
    stage.stop(turn)
    await stage.over()
    assert stage.text == OLD.replace("return 1\n", "return 10\n")
    row = await stage.row(turn)
    # The name, the fence and the last line did not stay.
    assert row.tokens_applied == round(row.tokens_out * 34 / (len(text) + 7))
    assert row.reason == "", "the receipt counts what was rolled back"
    assert [hunk.status for hunk in await stage.hunks(turn)] == ["applied", "rolled_back"]
    assert (row.lines_added, row.lines_removed) == (1, 1)


async def test_a_stop_for_a_turn_that_is_over_is_no_mistake(stage: Stage) -> None:
    stage.script({"say": block(NEW)})
    turn = stage.prompt()
    await stage.over()
    stage.stop(turn)
    stage.stop("z" * 20)
    await stage.durable()
    assert [frame["result"] for frame in stage.frames(stage.bob, "ok")] == ["over", "over"]
    assert stage.frames(stage.bob, "error") == []
    assert stage.text == NEW


async def test_two_stops_settle_once(stage: Stage) -> None:
    stage.script({"say": "app.py\n```\nnew\n"}, {"gate": "never"})
    turn = stage.prompt()
    await stage.until(lambda: "new" in stage.text)
    stage.stop(turn)
    stage.stop(turn, by=stage.ann)
    await stage.over()
    assert len(await stage.entries(turn, "settle")) == 1
    assert (await stage.row(turn)).ended_by == "Bob"
    assert stage.text == OLD


async def test_a_stop_before_the_model_was_asked(stage: Stage) -> None:
    turn = stage.prompt()
    stage.stop(turn)
    await stage.over()
    await stage.until(lambda: bool(stage.frames(stage.ann, "ok")))
    await stage.durable()
    assert (await stage.row(turn)).state == "stopped"
    assert await stage.entries(turn) == []
    assert stage.upstream.records == []


async def test_the_next_turn_runs_after_a_stop_in_prefill(stage: Stage) -> None:
    stage.script({"gate": "never"})
    turn = stage.prompt()
    await stage.upstream.reached("never")
    stage.stop(turn)
    await stage.over()
    stage.script({"say": block(NEW)})
    stage.prompt()
    await stage.over()
    assert stage.text == NEW
    assert stage.last_turn(stage.ann)["state"] == "finished"


async def test_who_may_only_watch_may_not_stop(stage: Stage) -> None:
    stage.script({"gate": "go"}, {"say": block(NEW)})
    turn = stage.prompt()
    await stage.upstream.reached("go")
    stage.bob.client.role = Role.EDIT
    stage.stop(turn)
    stage.upstream.release("go")
    await stage.over()
    assert [frame["code"] for frame in stage.frames(stage.bob, "error")] == ["role"]
    assert stage.text == NEW


async def test_random_histories_of_people_and_a_stop(stage: Stage) -> None:
    """200 short turns: people type anywhere at any moment, then somebody stops, or nobody does."""
    for seed in range(200):
        chance = random.Random(seed)
        here = await open_stage(stage.cast, stage.hub, stage.upstream, stage.ask)
        stage.upstream.reset()
        pieces = [{"text": piece} for piece in PIECES]
        stage.script(*pieces)
        turn = here.prompt()
        typed = ""
        stop_after = chance.randint(0, 60)
        stopped = False
        for moment in range(60):
            await here.tick()
            if chance.random() < 0.3:
                mark = chr(0x2460 + len(typed) % 60) if len(typed) < 60 else ""
                if mark:
                    at = chance.randint(0, len(here.text))
                    here.edits(at, 0, mark + chance.choice(["", "\n", "\n\n"]))
                    typed += mark
            if moment == stop_after and here.turns.running:
                here.stop(turn)
                stopped = True
        await here.over()
        text = here.text
        assert sorted(char for char in text if char >= "\u2460" and char < "\u24a0") == sorted(
            typed
        ), seed
        assert text == await here.replayed(), seed
        settles = await here.entries(turn, "settle")
        row = await here.row(turn)
        admitted = row.ttft_ms is not None or bool(settles)
        assert len(settles) == (1 if stopped and admitted else 0), seed
        assert row.state == ("stopped" if stopped else "finished"), seed
        assert "open" not in {hunk.status for hunk in await here.hunks(turn)}, seed
        if stopped and settles:
            last = (await here.entries(turn))[-1]
            assert last.kind == "settle", seed
    await endpoints.close_provider()
