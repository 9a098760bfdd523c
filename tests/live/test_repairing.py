"""Automatic repair: one more turn for what could not be applied, by itself, and no third."""

from __future__ import annotations

from typing import Any

import pytest

from tests.live.shapes import check
from tests.live.test_turns_left import die
from tests.live.turning import Stage, upstream
from tests.live.withholding import (
    MISSING,
    OLD,
    TAKEN,
    A,
    B,
    block,
    blocks,
    patches,
    say,
    shown,
    states,
)
from webapp.lib.sentences import Sentence
from webapp.live import repair_words
from webapp.live.prose import plain
from webapp.pairing.models import Turn
from webapp.teams.models import Membership

__all__ = ["blocks", "patches", "upstream"]

NEAR = block("  return 1 + 1\n", "    return 10\n")


async def turns(stage: Stage) -> list[Turn]:
    await stage.durable()
    rows: list[Turn] = await stage.ask(
        lambda: list(Turn.objects.filter(session=stage.room.id).order_by("created_at"))
    )
    return rows


async def run(stage: Stage, *answers: str, **fields: Any) -> list[Turn]:
    """Run a turn that says the first, and whatever comes of it; return all turns."""
    for answer in answers:
        stage.script({"say": answer})
    stage.prompt(**fields)
    await stage.over()
    assert stage.text == await stage.replayed()
    return await turns(stage)


async def test_what_failed_is_asked_for_once_more(blocks: Stage) -> None:
    first, repair = await run(blocks, NEAR, A)
    assert blocks.text == TAKEN
    assert (repair.repairs_id, repair.parent_id, repair.state) == (first.pk, None, "finished")
    assert (repair.author_id, repair.author_name) == (first.author_id, first.author_name)
    assert repair.prompt == "Repair of an edit that could not be applied"
    assert await states(blocks, first.pk) == [("taken", "")]
    told = blocks.last_turn(blocks.bob)
    assert (told["id"], told["repairs"]) == (repair.pk, first.pk)
    for frame in blocks.frames(blocks.bob):
        check(frame)


async def test_the_model_is_told_exactly_what_failed(blocks: Stage) -> None:
    await run(blocks, B + NEAR + MISSING, A, text="A secret wish")
    asked = blocks.upstream.records[-1].body["messages"][-1]["content"]
    assert "secret wish" not in asked
    assert "return 20" in asked.split("Instruction:")[0], "the file as it stands now"
    task = asked.split("Instruction:")[1]
    assert "Edit 1, of app.py" in task and "Edit 2, of app.py" in task and "Edit 3" not in task
    assert "the closest is line 2" in task
    assert "The lines there now:\n```\n    return 1\n```" in task
    assert "What you wanted there:\n```\n    return 10\n```" in task
    assert "What you wanted there:\n```\n    return 30\n```" in task
    (_, repair) = await turns(blocks)
    assert repair.prompt == "Repair of 2 edits that could not be applied"


async def test_a_repair_that_fails_too_is_the_last(blocks: Stage) -> None:
    first, repair = await run(blocks, NEAR, MISSING, A)
    assert repair.repairs_id == first.pk and repair.edits_refused == 1
    assert blocks.text == OLD
    assert await states(blocks, first.pk) == [("open", "")]
    assert await states(blocks, repair.pk) == [("open", "")]


async def test_what_a_repair_made_of_several(blocks: Stage) -> None:
    first, _ = await run(blocks, NEAR + MISSING, A + MISSING)
    assert await states(blocks, first.pk) == [("taken", ""), ("open", "")]


async def test_a_repair_whose_edits_wait_for_a_word(patches: Stage) -> None:
    edit = "*** Update File: app.py\n@@\n-    return {}\n+    return 10\n"
    delete = "*** Delete File: test_app.py\n"
    answers = [f"*** Begin Patch\n{edit.format(n)}{delete}*** End Patch\n" for n in (3, 1)]
    first, repair = await run(patches, *answers)
    assert [row.op for row in await patches.withheld(first.pk)] == ["edit", "delete"]
    assert await states(patches, first.pk) == [("taken", ""), ("open", "")]
    assert await states(patches, repair.pk) == [("open", "")]
    await patches.answered(patches.bob, say(patches, repair.pk, yes=True))
    assert await states(patches, first.pk) == [("taken", ""), ("taken", "")]
    assert await states(patches, repair.pk) == [("taken", "Bob")]
    assert [file.path for file in patches.room.files.values()] == ["app.py"]


async def test_a_wrong_name_is_found_by_the_repair(blocks: Stage) -> None:
    wrong = block("    return 1\n", "    return 10\n", "src/other.py")
    first, _ = await run(blocks, wrong, A)
    assert blocks.text == TAKEN and await states(blocks, first.pk) == [("taken", "")]


async def test_nobody_wants_it(blocks: Stage) -> None:
    rows = await run(blocks, NEAR, repair=False)
    assert len(rows) == 1 and not rows[0].wants_repair
    assert await states(blocks, rows[0].pk) == [("open", "")]


async def test_an_answer_that_landed_is_not_repaired(blocks: Stage) -> None:
    assert len(await run(blocks, A)) == 1


async def test_it_goes_before_what_waits(blocks: Stage) -> None:
    blocks.script({"gate": "go"}, {"say": NEAR})
    blocks.script({"say": A})
    blocks.script({"say": B})
    first = blocks.prompt("First")
    await blocks.upstream.reached("go")
    waiting = blocks.prompt("Second")
    blocks.upstream.release("go")
    await blocks.over()
    rows = await turns(blocks)
    assert [row.pk for row in rows if row.repairs_id is None] == [first, waiting]
    asked = [record.body["messages"][-1]["content"] for record in blocks.upstream.records]
    assert "could not be applied" in asked[1] and "Second" in asked[2]


@pytest.mark.parametrize("wants", [True, False])
async def test_a_prompt_that_waited_is_repaired_as_it_said(blocks: Stage, wants: bool) -> None:
    blocks.script({"gate": "go"}, {"say": "Nothing.\n"})
    blocks.script({"say": NEAR})
    blocks.script({"say": A})
    blocks.prompt("First")
    await blocks.upstream.reached("go")
    second = blocks.prompt("Second", **({} if wants else {"repair": False}))
    await blocks.durable()
    (row,) = await blocks.followup_rows()
    assert row.wants_repair is wants
    blocks.upstream.release("go")
    await blocks.over()
    assert [row.repairs_id for row in await turns(blocks)][2:] == ([second] if wants else [])


@pytest.mark.parametrize("how", ["stop", "redirect", "fail"])
async def test_a_turn_that_did_not_end_by_itself_is_not_repaired(blocks: Stage, how: str) -> None:
    then = {"error": {"message": "out of memory"}} if how == "fail" else {"gate": "never"}
    blocks.script({"say": NEAR + "And\n"}, then)
    turn = blocks.prompt()
    await blocks.until(lambda: bool(shown(blocks, turn)) or not blocks.turns.running)
    if how == "stop":
        blocks.stop(turn)
    elif how == "redirect":
        blocks.script({"say": "So.\n"})
        blocks.redirect(turn)
    await blocks.over()
    assert not [row for row in await turns(blocks) if row.repairs_id]


@pytest.mark.parametrize("how", ["stop", "redirect"])
async def test_a_repair_can_be_stopped_and_redirected(blocks: Stage, how: str) -> None:
    blocks.script({"say": NEAR})
    blocks.script({"gate": "never"})
    first = blocks.prompt()
    await blocks.upstream.reached("never")
    repair = blocks.turns.current.record
    assert repair.repairs == first
    if how == "stop":
        blocks.stop(repair.id)
    else:
        blocks.script({"say": "So.\n"})
        blocks.redirect(repair.id)
    await blocks.over()
    if how == "redirect":
        asked = blocks.upstream.records[-1].body["messages"][-1]["content"]
        assert "Change it\nThen: Repair of an edit" in asked, "what was wanted at first is told"
    assert (await blocks.row(repair.id)).state == ("stopped" if how == "stop" else "redirected")
    assert await states(blocks, first) == [("open", "")]


async def test_whoever_lost_the_right_to_ask_asks_for_no_repair(blocks: Stage) -> None:
    blocks.script({"gate": "go"}, {"say": NEAR})
    blocks.script({"say": A})
    turn = blocks.prompt()
    await blocks.upstream.reached("go")
    blocks.room.clients.pop(blocks.ann.client.conn)
    await blocks.ask(lambda: Membership.objects.filter(user=blocks.cast.owner).delete())
    blocks.upstream.release("go")
    await blocks.over()
    assert len(await turns(blocks)) == 1
    assert "were not asked for again" in (await blocks.row(turn)).reason


async def test_whoever_left_has_the_repair_all_the_same(blocks: Stage) -> None:
    blocks.script({"gate": "go"}, {"say": NEAR})
    blocks.script({"say": A})
    blocks.prompt()
    await blocks.upstream.reached("go")
    blocks.room.clients.pop(blocks.ann.client.conn)
    blocks.upstream.release("go")
    await blocks.over()
    assert blocks.text == TAKEN and len(await turns(blocks)) == 2


async def test_what_cannot_be_asked_is_said_and_the_list_goes_on(blocks: Stage) -> None:
    blocks.script({"gate": "go"}, {"say": NEAR})
    turn = blocks.prompt()
    await blocks.upstream.reached("go")
    blocks.room.choices = ()
    blocks.upstream.release("go")
    await blocks.over()
    assert len(await turns(blocks)) == 1
    assert "were not asked for again" in (await blocks.row(turn)).reason


async def test_a_frozen_edit_alone_is_not_repaired(blocks: Stage) -> None:
    blocks.room.rules = blocks.room.rules.__class__(protected=("app.py",))
    assert len(await run(blocks, A)) == 1


async def test_after_a_restart_it_is_still_known_and_not_asked_again(blocks: Stage) -> None:
    first, repair = await run(blocks, NEAR, MISSING)
    after = await die(blocks)
    told = {turn["id"]: turn for turn in after.frames(after.ann, "welcome")[-1]["turns"]}
    assert told[repair.pk]["repairs"] == first.pk
    assert told[first.pk]["refused"] == 1 and told[first.pk]["withheld"][0]["state"] == "open"
    assert len(await turns(after)) == 2
    assert isinstance(after.turns.records[repair.pk].prompt, Sentence), "told in each language"
    await after.hub.shutdown()


@pytest.mark.parametrize("count", [1, 2, 17])
def test_what_is_shown_can_be_translated_after_it_was_kept(count: int) -> None:
    shown = repair_words.shown(count)
    again = repair_words.shown_again(plain(shown))
    assert (again, getattr(again, "msgid", "")) == (shown, shown.msgid)
