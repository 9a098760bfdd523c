"""What a dead process left running is settled once, by whoever opens the session next."""

from __future__ import annotations

from functools import partial

import pytest

from tests.live.turning import NEW, OLD, Stage, block, make_turns, stage, upstream
from webapp.live import codes, ownership
from webapp.live.hub import Hub
from webapp.pairing.models import Entry, Turn

__all__ = ["stage", "upstream"]

HALF = "app.py\n```\ndef a():\n    return 10\n\n\ndef b():\n    return 20\n"
KEPT = OLD.replace("return 1\n", "return 10\n")


async def die(stage: Stage) -> Stage:
    """Lose the process as kill -9 does, but for what is durable; open the session in another."""
    await stage.durable()
    stage.room.turns.reset()
    stage.room.shut(codes.RESTART)
    stage.hub.rooms.clear()
    await stage.hub.shutdown()
    await stage.ask(partial(ownership.expire_leases, stage.hub.owner))
    hub = Hub("process-b", make_turns(stage.upstream), model_status=stage.hub.models._paths)
    room = await hub.enter(stage.room.id)
    return Stage(room, stage.upstream, hub, stage.ask, stage.cast)


async def half_way(stage: Stage) -> str:
    stage.script({"say": HALF}, {"gate": "never"})
    turn = stage.prompt()
    await stage.until(lambda: "return 20" in stage.text)
    return turn


async def test_an_open_hunk_is_rolled_back_and_what_was_complete_stays(stage: Stage) -> None:
    turn = await half_way(stage)
    after = await die(stage)
    assert after.text == KEPT == await after.replayed()
    row = await after.row(turn)
    assert row.state == "interrupted" and "interrupted" in row.reason and row.ended_at
    (settle,) = await after.entries(turn, "settle")
    assert (settle.hunk, settle.author) == (2, f"turn:{turn}")
    assert [hunk.status for hunk in await after.hunks(turn)] == ["applied", "rolled_back"]
    await after.hub.shutdown()


async def test_opening_it_once_more_settles_nothing_twice(stage: Stage) -> None:
    turn = await half_way(stage)
    after = await die(await die(stage))
    assert len(await after.entries(turn, "settle")) == 1
    assert after.text == KEPT
    await after.hub.shutdown()


async def test_a_turn_that_had_written_nothing_is_settled_too(stage: Stage) -> None:
    stage.script({"gate": "never"})
    turn = stage.prompt()
    await stage.upstream.reached("never")
    after = await die(stage)
    (settle,) = await after.entries(turn, "settle")
    assert settle.payload == f"[{len(OLD)}]"
    assert (await after.row(turn)).state == "interrupted"
    await after.hub.shutdown()


async def test_what_somebody_typed_in_the_open_hunk_stays(stage: Stage) -> None:
    turn = await half_way(stage)
    stage.types("return 20", " + 1")
    after = await die(stage)
    assert "return 20 + 1\n" in after.text
    assert [hunk.status for hunk in await after.hunks(turn)] == ["applied", "yielded"]
    assert len(await after.entries(turn, "settle")) == 1
    await after.hub.shutdown()


@pytest.mark.parametrize("alive", [True, False], ids=["while it ran", "before it was loaded"])
async def test_what_made_the_model_yield_is_never_taken_back(stage: Stage, alive: bool) -> None:
    turn = await half_way(stage)
    if not alive:
        stage.turns._running.writing.drop()  # as if the process had died before it heard of it
    stage.types("return 20", " + 1")
    after = await die(await die(stage))
    assert [hunk.status for hunk in await after.hunks(turn)] == ["applied", "yielded"]
    (shown,) = after.frames(after.ann, "welcome")[-1]["turns"]
    assert shown["revertable"]
    after.ann.send("revert", id="r" * 20, turn=turn)
    answer = await after.answered(after.ann, "r" * 20)
    assert answer["result"]["reverted"] == [1]
    (mixed,) = answer["result"]["mixed"]
    assert (mixed["ordinal"], mixed["now"]) == (2, "    return 20 + 1\n")
    assert "return 20 + 1\n" in after.text == await after.replayed()
    await after.hub.shutdown()


async def test_typing_elsewhere_after_the_last_row_was_kept_is_followed(stage: Stage) -> None:
    turn = await half_way(stage)
    stage.edits(0, 0, "# top\n")
    after = await die(stage)
    assert after.text == "# top\n" + KEPT
    assert len(await after.entries(turn, "settle")) == 1
    await after.hub.shutdown()


async def test_a_death_between_settlement_and_row_settles_nothing_twice(stage: Stage) -> None:
    turn = await half_way(stage)
    stage.stop(turn)
    await stage.over()
    await stage.ask(lambda: Turn.objects.filter(pk=turn).update(state="stopping"))
    after = await die(stage)
    assert len(await after.entries(turn, "settle")) == 1
    assert (await after.row(turn)).state == "interrupted"
    await after.hub.shutdown()


async def test_the_next_prompt_runs_and_the_old_turn_can_be_taken_back(stage: Stage) -> None:
    turn = await half_way(stage)
    after = await die(stage)
    (shown,) = after.frames(after.ann, "welcome")[-1]["turns"]
    assert (shown["id"], shown["state"], shown["revertable"]) == (turn, "interrupted", True)
    after.ann.send("revert", id="r" * 20, turn=turn)
    await after.durable()
    assert after.text == OLD == await after.replayed()
    after.script({"say": block(NEW)})
    after.prompt()
    await after.over()
    assert after.text == NEW
    await after.hub.shutdown()


async def test_a_commit_that_fails_interrupts_the_turn(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    turn = await half_way(stage)
    await stage.durable()

    def spoil() -> None:
        # Somebody else's entry has the number that the next one will want.
        last = Entry.objects.filter(session=stage.room.id).latest("seq")
        last.pk, last.seq, last.version = None, last.seq + 1, last.version + 1
        last.payload, last.author, last.turn_id = f"[{len(stage.text)}]", "system", None
        last.save(force_insert=True)

    await stage.ask(spoil)
    stage.edits(0, 0, "# lost\n")
    await stage.until(lambda: stage.room.state == "reloading")
    await stage.until(lambda: stage.room.state == "open")
    await stage.durable()
    assert stage.text == KEPT == await stage.replayed()
    assert (await stage.row(turn)).state == "interrupted"
    assert len(await stage.entries(turn, "settle")) == 1
    assert not stage.turns.running
    assert "could not be saved" in caplog.text
