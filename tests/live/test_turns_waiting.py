"""Follow-ups: prompts that wait, what people do with them, who is next, and what holds the list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.live.people import Page
from tests.live.shapes import check
from tests.live.test_turns_left import die
from tests.live.turning import NEW, OLD, Stage, block, choice, stage, upstream
from webapp.lib import ids
from webapp.live import loading
from webapp.notices.modelstatus import ModelStatus
from webapp.pairing.access import Role
from webapp.pairing.models import FollowUp, Session
from webapp.teams.models import Membership

__all__ = ["stage", "upstream"]


async def runs(stage: Stage, *waiting: str) -> tuple[str, list[str]]:
    """Have a turn wait at the gate "go", and these prompts behind it."""
    stage.script({"gate": "go"}, {"say": block(NEW)})
    turn = stage.prompt("First")
    await stage.upstream.reached("go")
    behind = [stage.prompt(text) for text in waiting]
    await stage.durable()
    return turn, behind


async def finishes(stage: Stage, count: int = 0) -> None:
    """Let the gate go, and as many more turns run through."""
    for _ in range(count):
        stage.script({"say": block(OLD)})
    stage.upstream.release("go")
    await stage.over()


async def order(stage: Stage, *turns: str) -> list[str]:
    """Return the states of turns, failing unless they began in this order."""
    rows = [await stage.row(turn) for turn in turns]
    asked = [record.body["messages"][-1]["content"] for record in stage.upstream.records]
    places = [
        next(i for i, content in enumerate(asked) if f"Instruction: {row.prompt}\n" in content)
        for row in rows
    ]
    assert places == sorted(places)
    return [row.state for row in rows]


async def held(stage: Stage) -> bool:
    """Return whether the list is held, which all pages and the database agree about."""
    await stage.durable()
    shown = stage.listed(stage.ann)
    assert shown == stage.listed(stage.bob)
    row = await stage.ask(lambda: Session.objects.get(pk=stage.room.id))
    assert row.holds_follow_ups == shown["held"]
    assert [row.pk for row in await stage.followup_rows()] == [f["id"] for f in shown["list"]]
    return bool(shown["held"])


# Who is next


async def test_they_are_asked_one_after_another(stage: Stage) -> None:
    turn, (second, third) = await runs(stage, "Second", "Third")
    assert [stage.answer(stage.ann, id)["result"] for id in (second, third)] == ["waits"] * 2
    shown = stage.listed(stage.bob)
    assert not shown["held"] and [f["prompt"] for f in shown["list"]] == ["Second", "Third"]
    assert shown["list"][0]["focus"]["path"] == "app.py"
    await finishes(stage, 2)
    assert await order(stage, turn, second, third) == ["finished"] * 3
    assert not await held(stage) and stage.waiting() == []
    assert (await stage.row(second)).author_name == "Ann"
    for frame in stage.frames(stage.bob):
        check(frame)


@pytest.mark.parametrize("way", ["stopped", "failed"])
async def test_after_a_stop_or_a_failure_they_wait_for_somebody(stage: Stage, way: str) -> None:
    steps: list[dict[str, Any]] = [{"cut": True}] if way == "failed" else [{"say": block(NEW)}]
    stage.script({"gate": "go"}, *steps)
    turn = stage.prompt("First")
    await stage.upstream.reached("go")
    second = stage.prompt("Second")
    if way == "stopped":
        stage.stop(turn)
    stage.upstream.release("go")
    await stage.over()
    assert (await stage.row(turn)).state == way
    assert await held(stage) and stage.waiting() == [second]
    stage.script({"say": block(OLD)})
    now = stage.followup("now", second)
    await stage.over()
    assert stage.answer(stage.bob, now)["result"] == "started"
    assert not await held(stage)
    row = await stage.row(second)
    assert (row.state, row.parent_id, row.author_name) == ("finished", None, "Ann")


async def test_a_prompt_goes_before_a_held_list_which_then_goes_on(stage: Stage) -> None:
    turn, (second, third) = await runs(stage, "Second", "Third")
    stage.stop(turn)
    await stage.over()
    assert await held(stage)
    for _ in range(3):
        stage.script({"say": block(OLD)})
    new = stage.prompt("At once")
    assert stage.turns.current.record.id == new
    await stage.over()
    assert stage.answer(stage.ann, new)["result"] == "started"
    assert await order(stage, new, second, third) == ["finished"] * 3
    assert not await held(stage)


async def test_one_sent_now_redirects_the_running_turn_and_keeps_what_is_complete(
    stage: Stage,
) -> None:
    stage.script({"say": block(NEW)[:-4]}, {"gate": "never"})
    turn = stage.prompt("First")
    await stage.until(lambda: "return 20" in stage.text)
    second, third = stage.prompt("Second"), stage.prompt("Third")
    for _ in range(2):
        stage.script({"say": block(OLD)})
    now = stage.followup("now", third)
    again = stage.followup("now", third)
    assert [held["id"] for held in stage.turns.waiting()["list"]] == [second]
    assert [held["id"] for held in stage.turns.waiting()["list"]] == [second]
    await stage.over()
    assert [stage.answer(stage.bob, id)["result"] for id in (now, again)] == ["redirected"] * 2
    old, child = await stage.row(turn), await stage.row(third)
    assert (old.state, old.ended_by, child.parent_id) == ("redirected", "Bob", turn)
    assert await order(stage, third, second) == ["finished"] * 2


# What people do with them


async def test_edited_moved_and_removed_by_anybody(stage: Stage) -> None:
    turn, (a, b, c) = await runs(stage, "A", "B", "C")
    stage.followup("edit", a, text="A, but better 😀")
    stage.followup("move", c, before=a)
    stage.followup("move", a)
    removed = stage.followup("remove", b)
    await stage.durable()
    assert stage.waiting() == stage.waiting(stage.ann) == [c, a]
    assert not await held(stage)
    assert [row.prompt for row in await stage.followup_rows()] == ["C", "A, but better 😀"]
    stage.followup("remove", b, id=removed)
    gone = stage.followup("remove", b)
    lost = stage.followup("move", c, before=b)
    await stage.durable()
    answers = [f for f in stage.frames(stage.bob, "ok", "error") if f["id"] == removed]
    assert [f["t"] for f in answers] == ["ok", "ok"], "sent twice, it acts once"
    assert [stage.answer(stage.bob, id)["code"] for id in (gone, lost)] == ["gone"] * 2
    await finishes(stage, 2)
    assert await order(stage, turn, c, a) == ["finished"] * 3


async def test_the_last_one_removed_leaves_nothing_held(stage: Stage) -> None:
    turn, (second,) = await runs(stage, "Second")
    stage.stop(turn)
    await stage.over()
    assert await held(stage)
    stage.followup("remove", second)
    assert not await held(stage)
    stage.script({"say": block(NEW)})
    new = stage.prompt()
    await stage.over()
    assert stage.answer(stage.ann, new)["result"] == "started"


async def test_twenty_wait_and_no_more(stage: Stage) -> None:
    turn, behind = await runs(stage, *map(str, range(20)))
    more = stage.prompt("One too many")
    late = stage.redirect("z" * 20, "And one more")
    await stage.durable()
    assert stage.answer(stage.ann, more)["code"] == stage.answer(stage.bob, late)["code"] == "full"
    assert stage.waiting() == behind
    stage.stop(turn)
    await stage.over()
    assert await held(stage)


async def test_a_prompt_that_waits_sent_twice_waits_once(stage: Stage) -> None:
    _, (second,) = await runs(stage, "Second")
    stage.ann.send("prompt", id=second, text="Second", file=stage.file)
    await stage.durable()
    answers = [f["result"] for f in stage.frames(stage.ann, "ok") if f["id"] == second]
    assert answers == ["waits"] * 2 and stage.waiting() == [second]
    stage.followup("remove", second)
    stage.ann.send("prompt", id=second, text="Second", file=stage.file)
    await stage.durable()
    assert stage.waiting() == [], "what somebody removed does not come again"
    await finishes(stage)


async def test_who_may_only_edit_the_text_may_not_touch_the_list(stage: Stage) -> None:
    _, (second,) = await runs(stage, "Second")
    stage.bob.client.role = Role.EDIT
    refused = [stage.followup("remove", second), stage.followup("now", second)]
    await stage.durable()
    assert [stage.answer(stage.bob, id)["code"] for id in refused] == ["role"] * 2
    assert stage.waiting() == [second]
    stage.followup("remove", second, by=stage.ann)
    await finishes(stage)


async def test_an_id_that_another_session_has_is_refused(stage: Stage) -> None:
    _, _ = await runs(stage)
    id = ids.new_id()
    other = stage.cast.session.pk
    await stage.ask(
        lambda: FollowUp.objects.create(
            id=id, session_id=other, prompt="theirs", author_name="Eve", position=0
        )
    )
    stage.ann.send("prompt", id=id, text="mine", file=stage.file)
    await stage.durable()
    assert stage.answer(stage.ann, id)["code"] == "refused"
    assert stage.waiting() == []
    assert (await stage.ask(lambda: FollowUp.objects.get(pk=id))).prompt == "theirs"
    await finishes(stage)


# What is asked when its turn comes


async def test_the_selection_follows_what_others_and_the_model_write(stage: Stage) -> None:
    at = OLD.index("return 2")
    stage.script({"gate": "go"}, {"say": block("import x\n" + OLD)})
    stage.prompt("First")
    await stage.upstream.reached("go")
    second = stage.prompt("Second", v=0, sel=[at, at + len("return 2")])
    stage.edits(0, 0, "# top\n")
    assert stage.turns.waiting()["list"][0]["focus"]["from_line"] == 7
    stage.script({"say": block(OLD)})
    stage.upstream.release("go")
    await stage.over()
    assert (await stage.row(second)).state == "finished"
    assert "```\n    return 2\n```" in stage.upstream.records[-1].body["messages"][-1]["content"]


async def test_one_that_cannot_be_asked_is_held_and_everybody_sees_why(stage: Stage) -> None:
    _, (second, third) = await runs(stage, "Second", "Third")
    stage.hub.models._statuses["preview"] = ModelStatus("failed", message="Out of memory.")
    await finishes(stage)
    assert await held(stage) and stage.waiting() == [second, third]
    assert stage.listed(stage.ann)["message"].startswith("Out of memory.")
    now = stage.followup("now", second)
    await stage.durable()
    assert stage.answer(stage.bob, now)["code"] == "model"
    stage.followup("edit", second, text="Other words")
    await stage.durable()
    assert "message" not in stage.listed(stage.ann) and await held(stage)


async def test_one_about_a_file_that_was_deleted_is_held(stage: Stage) -> None:
    _, (second,) = await runs(stage, "Second")
    stage.bob.send("tree", id="d" * 20, op="delete", file=stage.file)
    await finishes(stage)
    assert await held(stage) and stage.waiting() == [second]
    assert "was deleted" in stage.listed(stage.ann)["message"]
    assert stage.listed(stage.ann)["list"][0]["focus"] is None


@pytest.mark.parametrize("here", [True, False], ids=["here", "away"])
async def test_one_whose_author_may_no_longer_prompt_is_held(stage: Stage, here: bool) -> None:
    _, (second,) = await runs(stage, "Second")
    if here:
        stage.ann.client.role = Role.EDIT
    else:
        leaves(stage, stage.ann)
        await stage.ask(lambda: Membership.objects.filter(user=stage.cast.owner).delete())
    await finishes(stage)
    await stage.until(lambda: stage.turns.followups.held)
    await stage.durable()
    assert stage.waiting() == [second]
    assert "Ann may no longer" in stage.listed(stage.bob)["message"]
    stage.script({"say": block(OLD)})
    stage.followup("now", second)
    await stage.over()
    assert (await stage.row(second)).state == "finished"


@pytest.mark.parametrize("here", [True, False], ids=["here", "away"])
async def test_one_that_a_mistake_of_ours_stops_does_not_stop_the_others(
    stage: Stage, here: bool
) -> None:
    _, (second,) = await runs(stage, "Second")
    waiting = stage.turns.followups._list
    # A mistake of ours: no page can make it so.
    waiting[:] = [replace(waiting[0], text=None)]
    if not here:
        leaves(stage, stage.ann)
    await finishes(stage)
    await stage.until(lambda: stage.turns.followups.held)
    await stage.durable()
    assert stage.waiting(stage.bob) == [second]
    assert "made a mistake with the next prompt" in stage.listed(stage.bob)["message"]
    stage.script({"say": block(OLD)})
    third = ids.new_id()
    stage.bob.send("prompt", id=third, text="Third", file=stage.file)
    await stage.over()
    assert (await stage.row(third)).state == "finished"


async def test_one_whose_author_is_away_is_asked_all_the_same(stage: Stage) -> None:
    _, (second,) = await runs(stage, "Second")
    leaves(stage, stage.ann)
    await finishes(stage, 1)
    assert (await stage.row(second)).state == "finished"


def leaves(stage: Stage, page: Page) -> None:
    """Close a page."""
    page.client.closed = True
    stage.room.clients.pop(page.client.conn)


# Restarts


async def test_they_survive_a_restart_and_wait_for_somebody(stage: Stage) -> None:
    at = OLD.index("return 2")
    turn, _ = await runs(stage)
    second = stage.prompt("Zweitens 😀", v=0, sel=[at, at + 8], tier="preview")
    third = stage.prompt("Third")
    stage.followup("move", third, before=second)
    stage.edits(0, 0, "# top\n")
    after = await die(stage)
    await after.durable()
    assert (await after.row(turn)).state == "interrupted"
    assert after.waiting() == after.waiting(after.ann) == [third, second]
    assert await held(after)
    shown = after.listed(after.ann)["list"][1]
    assert (shown["prompt"], shown["focus"]["from_line"]) == ("Zweitens 😀", 7)
    for _ in range(2):
        after.script({"say": block(OLD)})
    after.followup("now", third)
    await after.over()
    assert [(await after.row(id)).state for id in (third, second)] == ["finished"] * 2
    assert "```\n    return 2\n```" in after.upstream.records[-1].body["messages"][-1]["content"]
    await after.hub.shutdown()


async def test_a_selection_that_the_log_is_too_long_for_is_dropped(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await runs(stage)
    stage.prompt("Second", v=0, sel=[3, 9])
    for _ in range(3):
        stage.edits(0, 0, "# top\n")
    monkeypatch.setattr(loading, "MISSED_ENTRIES", 2)
    after = await die(stage)
    await after.durable()
    (shown,) = after.listed(after.ann)["list"]
    assert shown["focus"] == {
        "file": stage.file,
        "path": "app.py",
        "from_line": None,
        "to_line": None,
    }
    await after.hub.shutdown()


async def test_a_prompt_sent_again_after_a_restart_is_known(stage: Stage) -> None:
    turn, (second,) = await runs(stage, "Second")
    after = await die(stage)
    await after.durable()
    after.ann.send("prompt", id=second, text="Second", file=stage.file)
    after.ann.send("prompt", id=turn, text="First", file=stage.file)
    await after.durable()
    assert after.answer(after.ann, second)["result"] == "waits"
    assert after.answer(after.ann, turn)["result"] == "started"
    assert after.waiting() == [second]
    await after.hub.shutdown()


async def test_a_server_that_goes_down_in_good_order_keeps_them(stage: Stage) -> None:
    turn, (second,) = await runs(stage, "Second")
    await stage.hub.shutdown()
    rows = await stage.followup_rows()
    assert [row.pk for row in rows] == [second]
    assert (await stage.row(turn)).state == "interrupted"
    session = await stage.ask(lambda: Session.objects.get(pk=stage.room.id))
    assert session.holds_follow_ups


# Which model


async def test_the_choice_of_a_prompt_is_kept_with_its_turn(stage: Stage) -> None:
    own = choice(stage.upstream, "e" * 20, tier="preview", model="ours", label="Our vLLM")
    stage.room.choices += (own,)
    _, _ = await runs(stage)
    stage.script({"say": block(OLD)})
    second = stage.prompt("Second", endpoint="e" * 20)
    await finishes(stage)
    row = await stage.row(second)
    assert (row.endpoint, row.label, row.model, row.edit_format) == (
        "e" * 20,
        "Our vLLM",
        "ours",
        "whole",
    )
    shown = [f["turn"] for f in stage.frames(stage.bob, "turn") if f["turn"]["id"] == second][-1]
    assert (shown["endpoint"], shown["label"], shown["format"]) == ("e" * 20, "Our vLLM", "whole")


async def test_a_teams_own_model_answers_whatever_the_installed_one_does(stage: Stage) -> None:
    stage.hub.models._statuses["preview"] = ModelStatus("downloading")
    own = choice(stage.upstream, "e" * 20, tier="preview", model="ours")
    stage.room.choices += (own,)
    stage.script({"say": block(NEW)})
    turn = stage.prompt(endpoint="e" * 20)
    await stage.over()
    assert (await stage.row(turn)).state == "finished"


@pytest.mark.parametrize(
    ("state", "message", "says"),
    [
        ("offered", "", "not on this machine yet"),
        ("paused", "", "was stopped"),
        ("downloading", "", "being downloaded"),
        ("unfit", "This machine has 2 GB; the model needs 4 GB.", "needs 4 GB. Nothing was asked"),
        ("missing", "", "No model is set up for this tier"),
    ],
)
async def test_the_deeper_model_says_what_it_lacks(
    stage: Stage, state: Any, message: str, says: str
) -> None:
    stage.room.choices += (choice(stage.upstream, "standard"),)
    stage.hub.models._statuses["standard"] = ModelStatus(state, message=message, tier="standard")
    turn = stage.prompt(tier="standard")
    await stage.durable()
    error = stage.answer(stage.ann, turn)
    assert error["code"] == "model" and says in error["message"]
