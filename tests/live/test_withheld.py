"""Withheld edits: kept, shown, answered once; what a yes and a no do."""

from __future__ import annotations

import json

import pytest

from tests.live.people import Page
from tests.live.shapes import check
from tests.live.turning import Stage, upstream
from tests.live.withholding import (
    BOTH,
    DELETE,
    MISSING,
    MOVE,
    NEW_FILE,
    OLD,
    TAKEN,
    A,
    B,
    block,
    blocks,
    frozen,
    patches,
    protect,
    say,
    shown,
    states,
)
from webapp.engine.guard import Rules
from webapp.live import withheld, withheld_rows
from webapp.pairing.access import Role
from webapp.pairing.models import Turn

__all__ = ["blocks", "patches", "upstream"]


async def test_a_frozen_edit_waits_and_is_shown_to_all(blocks: Stage) -> None:
    turn = await frozen(blocks)
    assert blocks.text == OLD and blocks.turns.waits and not blocks.turns.running
    held = shown(blocks, turn)[1]
    assert (held["kind"], held["state"], held["op"], held["path"]) == (
        "frozen", "open", "edit", "app.py",
    )  # fmt: skip
    assert (held["old"], held["new"]) == ("    return 1\n", "    return 10\n")
    assert (held["first"], held["last"], held["by"]) == (2, 2, "")
    assert held["until"] and "protects" in held["reason"]
    assert await states(blocks, turn) == [("open", "")]
    (row,) = await blocks.withheld(turn)
    assert row.until is not None and row.until.isoformat()[:19] == held["until"][:19]
    assert blocks.last_turn(blocks.ann)["edits"] == 1
    for frame in blocks.frames(blocks.bob):
        check(frame)


async def test_a_yes_writes_it_as_the_turns_edit(blocks: Stage) -> None:
    turn = await frozen(blocks)
    id = say(blocks, turn, yes=True)
    assert (await blocks.answered(blocks.bob, id))["t"] == "ok"
    assert blocks.text == TAKEN == await blocks.replayed()
    assert await states(blocks, turn) == [("taken", "Bob")]
    (entry,) = await blocks.entries(turn)
    assert (entry.author, entry.kind, entry.hunk) == (f"turn:{turn}", "edit", 1)
    assert [hunk.status for hunk in await blocks.hunks(turn)] == ["applied"]
    told = blocks.last_turn(blocks.ann)
    assert (told["added"], told["removed"], told["revertable"]) == (1, 1, True)
    row = await blocks.row(turn)
    assert (row.lines_added, row.lines_removed, row.edits, row.edits_refused) == (1, 1, 1, 0)
    assert not blocks.turns.waits


async def test_what_a_yes_wrote_can_be_kept_and_taken_back(blocks: Stage) -> None:
    turn = await frozen(blocks)
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    blocks.bob.send("keep", id="k" * 20, turn=turn, hunks=[1])
    assert (await blocks.answered(blocks.bob, "k" * 20))["t"] == "ok"
    blocks.bob.send("revert", id="r" * 20, turn=turn)
    assert (await blocks.answered(blocks.bob, "r" * 20))["result"]["reverted"] == [1]
    assert blocks.text == OLD == await blocks.replayed()


async def test_a_yes_to_what_was_taken_back_as_a_whole_can_be_taken_back_too(
    blocks: Stage,
) -> None:
    await protect(blocks, "lib/")
    turn = await frozen(blocks, A + NEW_FILE, guard=False)
    blocks.bob.send("revert", id="r" * 20, turn=turn)
    await blocks.answered(blocks.bob, "r" * 20)
    assert blocks.last_turn(blocks.ann)["reverted_by"] == "Bob"
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    told = blocks.last_turn(blocks.ann)
    assert (told["reverted_by"], told["revertable"]) == ("", True)
    blocks.bob.send("revert", id="s" * 20, turn=turn)
    await blocks.answered(blocks.bob, "s" * 20)
    assert "lib/new.py" not in {file.path for file in blocks.room.files.values()}


async def test_a_no_writes_nothing(blocks: Stage) -> None:
    turn = await frozen(blocks)
    assert (await blocks.answered(blocks.bob, say(blocks, turn, yes=False)))["t"] == "ok"
    assert await states(blocks, turn) == [("declined", "Bob")]
    assert blocks.text == OLD and not await blocks.entries(turn)


async def test_a_file_is_made_when_somebody_says_yes(blocks: Stage) -> None:
    turn = await frozen(blocks, NEW_FILE)
    assert shown(blocks, turn)[1]["op"] == "create"
    assert "lib/new.py" not in {file.path for file in blocks.room.files.values()}
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    (made,) = [file for file in blocks.room.files.values() if file.path == "lib/new.py"]
    assert made.text == "x = 1\n"
    assert [hunk.status for hunk in await blocks.hunks(turn)] == ["applied"]
    blocks.bob.send("revert", id="r" * 20, turn=turn)
    await blocks.answered(blocks.bob, "r" * 20)
    assert made.id not in blocks.room.files


async def test_a_file_is_deleted_when_somebody_says_yes_and_can_be_had_back(
    patches: Stage,
) -> None:
    turn = await frozen(patches, DELETE, guard=False)
    assert shown(patches, turn)[1]["op"] == "delete"
    assert len(patches.room.files) == 2
    await patches.answered(patches.bob, say(patches, turn, yes=True))
    assert len(patches.room.files) == 1
    (entry,) = await patches.entries(turn)
    assert (entry.kind, entry.author) == ("delete", f"turn:{turn}")
    assert patches.last_turn(patches.ann)["revertable"]
    patches.bob.send("revert", id="r" * 20, turn=turn)
    await patches.answered(patches.bob, "r" * 20)
    assert len(patches.room.files) == 2


async def test_a_file_is_moved_when_somebody_says_yes(patches: Stage) -> None:
    turn = await frozen(patches, MOVE, guard=False)
    held = shown(patches, turn)[1]
    assert (held["op"], held["path"], held["to"]) == ("move", "test_app.py", "tests/test_app.py")
    await patches.answered(patches.bob, say(patches, turn, yes=True))
    assert {file.path for file in patches.room.files.values()} == {"app.py", "tests/test_app.py"}
    assert [entry.kind for entry in await patches.entries(turn)] == ["rename"]


async def test_the_place_of_a_move_that_was_taken_meanwhile(patches: Stage) -> None:
    turn = await frozen(patches, MOVE, guard=False)
    new = "n" * 20
    patches.bob.send("tree", id="t" * 20, op="create", file=new, path="tests/test_app.py", text="")
    await patches.until(lambda: new in patches.room.files)
    answer = await patches.answered(patches.bob, say(patches, turn, yes=True))
    assert (answer["t"], answer["code"]) == ("error", "refused")
    assert "test_app.py" in {file.path for file in patches.room.files.values()}
    assert await states(patches, turn) == [("expired", "")]


async def test_one_sent_twice_acts_once(blocks: Stage) -> None:
    turn = await frozen(blocks)
    id = say(blocks, turn, yes=True)
    say(blocks, turn, yes=True, id=id)
    await blocks.until(lambda: len(blocks.frames(blocks.bob, "ok")) == 2)
    first, second = blocks.frames(blocks.bob, "ok")
    assert first == second and blocks.text == TAKEN
    assert len(await blocks.entries(turn)) == 1


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (True, True, "Bob said yes before you"),
        (True, False, "Bob said yes before you"),
        (False, True, "Bob said no before you"),
        (False, False, "Bob said no before you"),
    ],
)
async def test_whoever_comes_second_is_told_who_was_first(
    blocks: Stage, first: bool, second: bool, told: str
) -> None:
    turn = await frozen(blocks)
    say(blocks, turn, first)
    answer = await blocks.answered(blocks.ann, say(blocks, turn, second, by=blocks.ann))
    assert answer["code"] == "gone" and told in answer["message"]
    assert blocks.text == (TAKEN if first else OLD) == await blocks.replayed()
    assert await states(blocks, turn) == [("taken" if first else "declined", "Bob")]


async def test_a_yes_twice_by_the_same_person_is_told_so(blocks: Stage) -> None:
    turn = await frozen(blocks)
    say(blocks, turn, yes=True)
    answer = await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert answer["code"] == "gone" and answer["message"].startswith("You said yes")
    assert len(await blocks.entries(turn)) == 1


async def test_a_refused_one_can_only_be_dismissed(blocks: Stage) -> None:
    blocks.script({"say": MISSING})
    turn = blocks.prompt(repair=False)
    await blocks.over()
    held = shown(blocks, turn)[1]
    assert (held["kind"], held["state"], held["until"]) == ("refused", "open", None)
    assert held["new"] == "    return 30\n"
    assert not blocks.turns.waits
    answer = await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert (answer["code"], await states(blocks, turn)) == ("refused", [("open", "")])
    await blocks.answered(blocks.bob, say(blocks, turn, yes=False))
    assert await states(blocks, turn) == [("declined", "Bob")]
    row = await blocks.row(turn)
    assert (row.edits, row.edits_refused) == (1, 1)
    assert (blocks.last_turn(blocks.ann)["edits"], blocks.last_turn(blocks.ann)["refused"]) == (
        1,
        1,
    )


async def test_the_rest_of_the_turn_goes_on(blocks: Stage) -> None:
    await protect(blocks, "lib/")
    turn = await frozen(blocks, A + NEW_FILE + B, guard=False)
    assert blocks.text == BOTH
    assert len(await blocks.hunks(turn)) == 2
    await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert [hunk.ordinal for hunk in await blocks.hunks(turn)] == [1, 2, 3]
    assert blocks.last_turn(blocks.ann)["added"] == 3


async def test_a_yes_while_the_turn_still_writes(blocks: Stage) -> None:
    await protect(blocks, "lib/")
    head, tail = B.split("20\n>")
    turn = await frozen(
        blocks,
        NEW_FILE + head + "2\n    # more",
        {"gate": "go"},
        {"say": "\n>" + tail},
        guard=False,
    )
    await blocks.until(lambda: "# more" in blocks.text)
    answer = await blocks.answered(blocks.bob, say(blocks, turn, yes=True))
    assert answer["t"] == "ok" and "lib/new.py" in {f.path for f in blocks.room.files.values()}
    blocks.upstream.release("go")
    await blocks.over()
    assert blocks.text == OLD.replace("return 2\n", "return 2\n    # more\n")
    assert blocks.text == await blocks.replayed()
    statuses = [(hunk.ordinal, hunk.status) for hunk in await blocks.hunks(turn)]
    assert statuses == [(1, "applied"), (2, "applied")]


async def test_rules_that_change_in_mid_turn_hold_from_then_on(blocks: Stage) -> None:
    blocks.script({"say": A}, {"gate": "changed"}, {"say": B})
    turn = blocks.prompt()
    await blocks.until(lambda: blocks.text == TAKEN)
    blocks.room.keep_to(Rules(protected=("app.py",)))
    blocks.upstream.release("changed")
    await blocks.over()
    assert blocks.text == TAKEN
    assert [held["kind"] for held in shown(blocks, turn).values()] == ["frozen"]
    (frame,) = blocks.frames(blocks.bob, "rules")
    assert frame["protected"] == ["app.py"] and "settings" in frame["message"]


async def test_only_who_may_prompt_answers(blocks: Stage) -> None:
    turn = await frozen(blocks)
    for role in (Role.VIEW, Role.COMMENT, Role.EDIT):
        guest = Page(blocks.room, blocks.cast.stranger.pk, "Gil", role)
        guest.hello()
        answer = await blocks.answered(guest, say(blocks, turn, yes=True, by=guest))
        assert answer["code"] == "role"
        assert shown(blocks, turn, guest)[1]["state"] == "open", "they see it all the same"
    assert await states(blocks, turn) == [("open", "")]


async def test_one_that_is_not_there(blocks: Stage) -> None:
    turn = await frozen(blocks)
    for wrong in (say(blocks, turn, yes=True, which=9), say(blocks, "z" * 20, yes=True)):
        assert (await blocks.answered(blocks.bob, wrong))["code"] == "gone"
    assert blocks.text == OLD


async def test_a_turn_holds_so_many_and_counts_the_rest(blocks: Stage) -> None:
    many = "".join(block(f"    nothing {i}\n", "y\n") for i in range(withheld.MOST + 5))
    blocks.script({"say": many})
    turn = blocks.prompt(repair=False)
    await blocks.over()
    assert len(await blocks.withheld(turn)) == withheld.MOST
    row = await blocks.row(turn)
    assert row.edits_refused == withheld.MOST + 5
    assert "More edits were withheld" in row.reason


async def test_what_is_shown_of_them_is_bounded(blocks: Stage) -> None:
    long = "".join(block(f"    nothing {i}\n", "y" * 19_000 + "\n") for i in range(6))
    blocks.script({"say": long})
    turn = blocks.prompt(repair=False)
    await blocks.over()
    kept = await blocks.withheld(turn)
    assert len(kept) == 6
    texts = [len(json.loads(row.new_text)) + len(json.loads(row.old_text)) for row in kept]
    # Of one that is cut, the row has the unit that follows.
    assert texts == [19_001, 19_001, 19_001, 2_997 + 1, 1, 1]


async def test_what_is_cut_says_so_also_when_it_was_read_back(blocks: Stage) -> None:
    exact = "y" * (withheld_rows.SHOWN_UTF16 - 1) + "\n"
    replacements = [exact, f"y{exact}", exact, exact, "y\n"]
    blocks.script({"say": "".join(block("    nothing\n", text) for text in replacements)})
    turn = blocks.prompt(repair=False)
    await blocks.over()
    held = shown(blocks, turn)
    cuts = [held[n]["new_cut"] for n in sorted(held)]
    assert cuts == [False, True, False, True, True]
    assert not any(held[n]["old_cut"] for n in held)
    assert [len(held[n]["new"]) for n in sorted(held)] == [20_000, 20_000, 20_000, 0, 0]
    await blocks.durable()
    read = await blocks.ask(lambda: withheld_rows.of_turns(Turn.objects.filter(pk=turn)))
    assert {n: kept.frame() for n, kept in read[turn].items()} == held


async def test_a_page_that_comes_later_sees_them(blocks: Stage) -> None:
    turn = await frozen(blocks)
    late = Page(blocks.room, blocks.cast.member.pk, "Cid")
    late.hello()
    await blocks.durable()
    assert shown(blocks, turn, late) == shown(blocks, turn)
