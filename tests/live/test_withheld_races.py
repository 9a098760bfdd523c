"""Withheld edits and what happens meanwhile: typing, files that go, stops, time, restarts."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from tests.live.people import Page
from tests.live.test_turns_left import die
from tests.live.turning import Stage, upstream
from tests.live.withholding import (
    BOTH,
    DELETE,
    NEW_FILE,
    OLD,
    TAKEN,
    A,
    B,
    blocks,
    frozen,
    patches,
    protect,
    say,
    shown,
    states,
)
from webapp.lib import clock
from webapp.lib.clock import HeldClock
from webapp.live import withheld
from webapp.pairing.models import Turn, Withheld

__all__ = ["blocks", "patches", "upstream"]

GO = ({"gate": "go"}, {"say": "Done.\n"})


async def test_typing_elsewhere_moves_it(blocks: Stage) -> None:
    turn = await frozen(blocks)
    blocks.edits(0, 0, "# top\n")
    blocks.types("return 2", "2")
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert blocks.text == "# top\n" + TAKEN.replace("return 2", "return 22")
    assert await states(blocks, turn) == [("taken", "Bob")]


@pytest.mark.parametrize(
    ("at", "deleted", "inserted"),
    [
        (OLD.index("1"), 0, "1"),
        (OLD.index("    return 1") + 1, 0, " "),
        (OLD.index("1"), 1, ""),
        (OLD.index("    return 1"), len("    return 1\n"), ""),
        (OLD.index("    return 1") - 2, 6, "x"),
        (0, len(OLD), "gone\n"),
    ],
    ids=["inside", "after its first", "its last", "all of it", "over its start", "over all"],
)
async def test_typing_in_its_lines_ends_it_with_the_reason(
    blocks: Stage, at: int, deleted: int, inserted: str
) -> None:
    turn = await frozen(blocks)
    blocks.edits(at, deleted, inserted, page=blocks.ann)
    text = blocks.text
    answer = await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert answer["code"] == "gone" and "changed these lines" in answer["message"]
    assert blocks.text == text
    assert await states(blocks, turn) == [("expired", "")]
    held = shown(blocks, turn)[1]
    assert "changed these lines" in held["reason"] and held["until"] is None
    assert not blocks.turns.waits


@pytest.mark.parametrize("at", [0, len("    return 1\n")], ids=["before", "behind"])
async def test_whole_lines_at_its_edges_leave_it_as_it_is(blocks: Stage, at: int) -> None:
    turn = await frozen(blocks)
    blocks.edits(OLD.index("    return 1") + at, 0, "    # mine\n")
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert blocks.text.count("    # mine\n") == 1 and "    return 10\n" in blocks.text
    assert await states(blocks, turn) == [("taken", "Bob")]


async def test_the_answer_comes_before_the_typing(blocks: Stage) -> None:
    turn = await frozen(blocks)
    say(blocks, turn, yes=True)
    blocks.types("return 10", "0")
    await blocks.durable()
    assert blocks.text == TAKEN.replace("10", "100") == await blocks.replayed()
    assert [hunk.status for hunk in await blocks.hunks(turn)] == ["kept"]


@pytest.mark.parametrize("message", [A, DELETE], ids=["edit", "delete"])
async def test_its_file_is_deleted_meanwhile(blocks: Stage, patches: Stage, message: str) -> None:
    stage = blocks if message is A else patches
    turn = await frozen(stage, message, guard=message is A)
    path = shown(stage, turn)[1]["path"]
    file = next(file for file in stage.room.files.values() if file.path == path)
    stage.ann.send("tree", id="t" * 20, op="delete", file=file.id)
    answer = await stage.answered(stage.bob, say(stage, turn, yes=True))
    assert answer["code"] == "gone" and "deleted since" in answer["message"]
    assert await states(stage, turn) == [("expired", "")]


async def test_its_file_is_renamed_meanwhile(blocks: Stage) -> None:
    turn = await frozen(blocks)
    blocks.ann.send("tree", id="t" * 20, op="rename", file=blocks.file, path="main.py")
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert blocks.text == TAKEN and await states(blocks, turn) == [("taken", "Bob")]


async def test_the_file_that_it_would_make_is_made_by_somebody(blocks: Stage) -> None:
    turn = await frozen(blocks, NEW_FILE)
    new = "n" * 20
    blocks.ann.send("tree", id="t" * 20, op="create", file=new, path="lib/new.py", text="mine\n")
    await blocks.until(lambda: new in blocks.room.files)
    assert await states(blocks, turn) == [("expired", "")]
    assert blocks.room.files[new].text == "mine\n"


async def test_a_stop_declines_what_waits(blocks: Stage) -> None:
    turn = await frozen(blocks, A, *GO)
    blocks.stop(turn)
    answer = await blocks.answered(blocks.ann, say(blocks, turn, yes=True, by=blocks.ann))
    assert answer["code"] == "gone" and "Bob said no" in answer["message"]
    await blocks.over()
    assert blocks.text == OLD and await states(blocks, turn) == [("declined", "Bob")]


async def test_a_yes_before_the_stop_stays(blocks: Stage) -> None:
    turn = await frozen(blocks, A, *GO)
    say(blocks, turn, yes=True, by=blocks.ann)
    blocks.stop(turn)
    await blocks.over()
    assert blocks.text == TAKEN == await blocks.replayed()
    assert await states(blocks, turn) == [("taken", "Ann")]


@pytest.mark.parametrize("keep", ["finished", "partial", "nothing"])
async def test_a_redirect_declines_what_waits(blocks: Stage, keep: str) -> None:
    turn = await frozen(blocks, A, *GO)
    blocks.script({"say": "No.\n"})
    blocks.redirect(turn, keep=keep)
    assert shown(blocks, turn)[1]["state"] == "declined" or not blocks.turns.waits
    await blocks.over()
    assert blocks.text == OLD and await states(blocks, turn) == [("declined", "Bob")]


async def test_a_stop_of_a_turn_that_is_over_declines_nothing(blocks: Stage) -> None:
    turn = await frozen(blocks)
    blocks.stop(turn)
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert blocks.text == TAKEN


async def test_a_turn_that_failed_leaves_what_it_asks(blocks: Stage) -> None:
    turn = await frozen(blocks, A, {"error": {"message": "out of memory"}})
    await blocks.over()
    assert (await blocks.row(turn)).state == "failed"
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert blocks.text == TAKEN


async def test_a_second_turn_runs_meanwhile_and_goes_on(blocks: Stage) -> None:
    first = await frozen(blocks)
    blocks.room.rules = blocks.room.rules.__class__()
    head, tail = B.split("20\n>")
    blocks.script({"say": head + "20\n    # more"}, {"gate": "go"}, {"say": "\n>" + tail})
    second = blocks.prompt()
    await blocks.until(lambda: "# more" in blocks.text)
    await blocks.answered(blocks.bob, say(blocks, first, yes=True))
    blocks.upstream.release("go")
    await blocks.over()
    assert blocks.text == BOTH.replace("return 20\n", "return 20\n    # more\n")
    assert blocks.text == await blocks.replayed()
    assert {entry.author for entry in await blocks.entries(first)} == {f"turn:{first}"}
    assert [hunk.status for hunk in await blocks.hunks(second)] == ["applied"]


async def test_a_second_turn_that_writes_there_ends_it(blocks: Stage) -> None:
    first = await frozen(blocks)
    blocks.room.rules = blocks.room.rules.__class__()
    blocks.script({"say": A})
    blocks.prompt()
    await blocks.over()
    assert blocks.text == TAKEN and await states(blocks, first) == [("expired", "")]


async def test_nobodys_answer_is_no(blocks: Stage) -> None:
    with clock.held(HeldClock()) as held:
        assert isinstance(held, HeldClock)
        turn = await frozen(blocks)
        held.advance(withheld.WAIT_S - 0.001)
        blocks.turns.withheld.look()
        assert blocks.turns.waits
        held.advance(0.001)
        blocks.turns.withheld.look()
        assert await states(blocks, turn) == [("expired", "")]
        assert shown(blocks, turn)[1]["until"] is not None
        answer = await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
        assert answer["code"] == "gone" and "two minutes" in answer["message"]
    assert blocks.text == OLD


async def test_a_yes_that_comes_when_the_time_is_up(blocks: Stage) -> None:
    with clock.held(HeldClock()) as held:
        assert isinstance(held, HeldClock)
        turn = await frozen(blocks)
        held.advance(withheld.WAIT_S)
        answer = await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert answer["code"] == "gone" and blocks.text == OLD
    assert await states(blocks, turn) == [("expired", "")]


async def test_the_loop_ends_it_by_itself(blocks: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(withheld, "WAIT_S", 0.0)
    turn = await frozen(blocks)
    await blocks.until(lambda: not blocks.turns.waits)
    assert await states(blocks, turn) == [("expired", "")]


async def test_the_room_stays_open_while_one_waits(blocks: Stage) -> None:
    turn = await frozen(blocks)
    blocks.hub._idle_s = 0.0
    for page in (blocks.ann, blocks.bob):
        blocks.room.clients.pop(page.client.conn)
    blocks.hub._close_idle()
    assert not blocks.hub._closing and blocks.room.state == "open"
    late = Page(blocks.room, blocks.cast.member.pk, "Bob")
    late.hello()
    await blocks.answered(late, say(blocks, turn, yes=False, by=late))
    blocks.room.clients.pop(late.client.conn)
    blocks.hub._close_idle()
    assert blocks.hub._closing


async def test_a_room_that_closes_ends_it(blocks: Stage) -> None:
    turn = await frozen(blocks)
    await blocks.room.close("")
    (row,) = await blocks.withheld(turn)
    assert (row.state, row.answered_by) == ("expired", "")


@pytest.mark.parametrize("times", [1, 2])
async def test_a_crash_ends_it(blocks: Stage, times: int) -> None:
    turn = await frozen(blocks)
    after = blocks
    for _ in range(times):
        after = await die(after)
    (row,) = await after.withheld(turn)
    assert row.state == "expired" and row.until is not None and row.until <= clock.now()
    assert shown(after, turn)[1]["state"] == "expired" and not after.turns.waits
    answer = await after.answered(after.bob, say(after, turn, yes=True))
    assert answer["code"] == "gone" and after.text == OLD
    await after.hub.shutdown()


async def test_a_crash_right_after_a_yes_loses_none_of_it(blocks: Stage) -> None:
    turn = await frozen(blocks)
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    after = await die(blocks)
    assert after.text == TAKEN == await after.replayed()
    assert shown(after, turn)[1]["state"] == "taken"
    after.bob.send("revert", id="r" * 20, turn=turn)
    await after.answered(after.bob, "r" * 20)
    assert after.text == OLD
    await after.hub.shutdown()


async def test_a_yes_that_could_not_be_saved_was_none(blocks: Stage) -> None:
    turn = await frozen(blocks)
    # Without its turn's row neither its entry nor its hunk can be kept.
    await blocks.ask(lambda: Turn.objects.filter(pk=turn).delete())
    id = say(blocks, turn, yes=True)
    await blocks.until(lambda: bool(blocks.frames(blocks.bob, "resync")))
    assert blocks.text == OLD == await blocks.replayed()
    assert not [f for f in blocks.frames(blocks.bob, "ok", "error") if f.get("id") == id]
    blocks.bob.hello()
    answer = await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert answer["code"] == "gone" and not blocks.turns.waits


async def test_rows_that_no_process_holds_are_ended_when_a_session_opens(blocks: Stage) -> None:
    turn = await frozen(blocks)
    await blocks.answered(blocks.bob, say(blocks, turn, yes=False))
    soon = clock.now() + timedelta(seconds=60)
    await blocks.ask(lambda: Withheld.objects.filter(turn=turn).update(state="open", until=soon))
    after = await die(blocks)
    (row,) = await after.withheld(turn)
    assert row.state == "expired"
    await after.hub.shutdown()


async def test_many_answers_at_once_are_one(blocks: Stage) -> None:
    turn = await frozen(blocks)
    asked = [
        (page, say(blocks, turn, yes, by=page))
        for yes in (True, False)
        for page in (blocks.ann, blocks.bob)
    ]
    answers = await asyncio.gather(*(blocks.answered(page, id) for page, id in asked))
    assert [answer["t"] for answer in answers] == ["ok", "error", "error", "error"]
    assert blocks.text == TAKEN and len(await blocks.entries(turn)) == 1


async def test_one_taken_ends_another_in_the_same_lines_only(blocks: Stage) -> None:
    await protect(blocks, "app.py")
    turn = await frozen(blocks, A + A + B, guard=False)
    await blocks.until(lambda: len(shown(blocks, turn)) == 3)
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True, which=2))
    assert await states(blocks, turn) == [("expired", ""), ("taken", "Bob"), ("open", "")]
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True, which=3))
    assert blocks.text == BOTH == await blocks.replayed()
