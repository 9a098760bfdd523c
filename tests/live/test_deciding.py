"""Keep and revert, hunk by hunk, at any later time, around what people did meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from tests.live.people import Page
from tests.live.shapes import check
from tests.live.test_turns_left import die
from tests.live.turning import NEW, OLD, OTHER, Stage, block, choice, stage, upstream
from webapp.document.changes import ChangeSet
from webapp.document.encodings import Binary
from webapp.lib import ids
from webapp.live import deciding, filing, turn_rows
from webapp.live.adding import Adder, add
from webapp.live.decision_answers import SHOWN_UTF16, within
from webapp.live.files import SERVER
from webapp.live.filing import Doer
from webapp.pairing.models import Entry, File, Turn
from webapp.pairing.texts import bytes_of
from webapp.pairing.uploads import NewFile

__all__ = ["stage", "upstream"]

BOTH = block(NEW) + "\n" + block("import app as a\n", "test_app.py")
FIRST_BACK = NEW.replace("return 10\n", "return 1\n")
LAST_BACK = NEW.replace("return 20\n", "return 2\n")


async def changed(stage: Stage, answer: str = block(NEW)) -> str:
    """Run a turn that changes both functions, as two hunks."""
    stage.script({"say": answer})
    turn = stage.prompt()
    await stage.over()
    return turn


class Asked:
    """Requests of a page, and their answers."""

    def __init__(self, stage: Stage, page: Page) -> None:
        self.stage, self.page = stage, page

    def send(self, t: str, turn: str, **fields: Any) -> str:
        id = ids.new_id()
        self.page.send(t, id=id, turn=turn, **fields)
        return id

    async def __call__(self, t: str, turn: str, **fields: Any) -> dict[str, Any]:
        answer = await self.stage.answered(self.page, self.send(t, turn, **fields))
        check(answer)
        return answer


@pytest.fixture
def bob(stage: Stage) -> Asked:
    return Asked(stage, stage.bob)


@pytest.fixture
def ann(stage: Stage) -> Asked:
    return Asked(stage, stage.ann)


async def statuses(stage: Stage, turn: str) -> list[tuple[str, str]]:
    return [(hunk.status, hunk.decided_by) for hunk in await stage.hunks(turn)]


def done(*ordinals: int) -> dict[str, Any]:
    return {"reverted": list(ordinals), "mixed": []}


# One after another


async def test_one_hunk_is_taken_back_and_then_the_other(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage)
    answer = await bob("revert", turn, hunks=[1])
    assert answer["result"] == done(1)
    assert stage.text == FIRST_BACK == await stage.replayed()
    assert await statuses(stage, turn) == [("reverted", "Bob"), ("applied", "")]
    assert (await stage.row(turn)).reverted_by == ""
    last = stage.last_turn(stage.ann)
    assert last["revertable"] and [hunk["by"] for hunk in last["hunks"]] == ["Bob", ""]
    assert (await bob("revert", turn))["result"] == done(2)
    assert stage.text == OLD
    assert (await stage.row(turn)).reverted_by == "Bob"
    assert not stage.last_turn(stage.ann)["revertable"]


async def test_the_hunks_of_a_file(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage, BOTH)
    assert (await bob("revert", turn, file=stage.file))["result"] == done(1, 2)
    texts = {file.path: file.text for file in stage.room.files.values()}
    assert texts == {"app.py": OLD, "test_app.py": "import app as a\n"}


async def test_keep_takes_the_marks_away_and_revert_is_still_possible(
    stage: Stage, bob: Asked, ann: Asked
) -> None:
    turn = await changed(stage)
    assert (await bob("keep", turn, hunks=[2]))["t"] == "ok"
    (told,) = [f["hunk"] for f in stage.frames(stage.ann, "hunk") if f["hunk"]["by"]]
    assert (told["ordinal"], told["status"], told["by"]) == (2, "kept", "Bob")
    assert stage.text == NEW and stage.last_turn(stage.ann)["revertable"]
    await ann("keep", turn)
    assert await statuses(stage, turn) == [("kept", "Ann"), ("kept", "Bob")]
    assert (await ann("revert", turn))["result"] == done(1, 2)
    assert stage.text == OLD
    assert await statuses(stage, turn) == [("reverted", "Ann")] * 2


async def test_rounds_of_revert_keep_and_revert_of_the_rest(
    stage: Stage, bob: Asked, ann: Asked
) -> None:
    turn = await changed(stage)
    stage.types("    return 20\n", "    # mine\n")
    await bob("revert", turn, hunks=[1])
    await ann("keep", turn)
    assert await statuses(stage, turn) == [("reverted", "Bob"), ("kept", "Ann")]
    assert (await bob("revert", turn))["result"] == done(2)
    assert stage.text == OLD + "    # mine\n" == await stage.replayed()


async def test_sent_twice_it_acts_once_and_is_answered_alike(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage)
    stage.types("def b", "x")
    fields: dict[str, Any] = {"id": "r" * 20, "turn": turn, "hunks": [1], "mixed": True}
    for _ in range(2):
        stage.bob.send("revert", **fields)
    await stage.durable()
    stage.bob.send("revert", **fields)
    await stage.durable()
    answers = [f["result"] for f in stage.frames(stage.bob, "ok") if f["id"] == "r" * 20]
    assert answers == [done(1)] * 3
    assert len(await stage.entries(turn, "revert")) == 1
    assert (await bob("revert", turn, hunks=[1]))["result"] == done()
    assert stage.text == FIRST_BACK.replace("def b", "def bx")


async def test_sent_again_while_it_is_worked_on_it_acts_once(stage: Stage) -> None:
    turn = await changed(stage)
    stage.types("    return 10\n", "    # mine\n")
    stage.edits(stage.text.index("def a"), 5, "def z")
    stage.types("return 10", " + 1")
    for _ in range(3):
        stage.bob.send("revert", id="r" * 20, turn=turn, mixed=True)
    answer = await stage.answered(stage.bob, "r" * 20)
    assert answer["result"] == done(1, 2)
    assert len(await stage.entries(turn, "revert")) == 1


async def test_two_at_once_the_first_wins_and_the_other_is_told(
    stage: Stage, bob: Asked, ann: Asked
) -> None:
    turn = await changed(stage)
    stage.edits(stage.text.index("10\n"), 3, "10\n")  # has typed in it, and so needs the log
    one, two = bob.send("revert", turn, mixed=True), ann.send("revert", turn, mixed=True)
    three = ann.send("keep", turn)
    assert (await stage.answered(stage.bob, one))["result"] == done(1, 2)
    late = await stage.answered(stage.ann, two)
    assert late["result"] == done() and "Bob took that back before you" in late["message"]
    await stage.answered(stage.ann, three)
    assert await statuses(stage, turn) == [("reverted", "Bob")] * 2
    refused = await ann("keep", turn)
    assert refused["code"] == "refused" and "Bob took that back" in refused["message"]


# What people fear


async def test_lines_typed_in_a_hunk_keep_it_and_stay_when_it_goes(
    stage: Stage, bob: Asked
) -> None:
    new = OLD.replace("    return 1\n", "    x = 5\n    return 10\n")
    turn = await changed(stage, block(new))
    stage.types("x = 5\n", "    mine = 6\n")
    await stage.durable()
    (told,) = [f["hunk"] for f in stage.frames(stage.ann, "hunk") if f["hunk"]["by"]]
    assert (told["status"], told["by"]) == ("kept", "Bob")
    assert await statuses(stage, turn) == [("kept", "Bob")]
    assert (await bob("revert", turn))["result"] == done(1)
    assert stage.text == OLD.replace("return 1\n", "return 1\n    mine = 6\n")
    assert stage.text == await stage.replayed()


async def test_typing_beside_a_hunk_is_no_word_on_it(stage: Stage) -> None:
    turn = await changed(stage)
    stage.types("    return 10\n", "    # below\n")
    stage.types("def a():\n", "    # above\n")
    await stage.durable()
    assert await statuses(stage, turn) == [("applied", ""), ("applied", "")]


async def test_lines_at_its_edges_stay(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage)
    stage.types("def a():\n", "    # above\n")
    stage.types("    return 10", "\n    # below")
    assert (await bob("revert", turn, hunks=[1]))["result"] == done(1)
    one = OLD.replace("    return 1\n", "    # above\n    return 1\n    # below\n")
    assert stage.text == one.replace("return 2\n", "return 20\n")


async def test_a_line_of_both_is_shown_and_left_until_somebody_says_so(
    stage: Stage, bob: Asked
) -> None:
    turn = await changed(stage)
    stage.types("return 10", " + 5")
    before = stage.text
    answer = await bob("revert", turn)
    (mixed,) = answer["result"]["mixed"]
    assert answer["result"]["reverted"] == [2]
    assert (mixed["ordinal"], mixed["path"]) == (1, "app.py")
    assert mixed["now"] == "    return 10 + 5\n" and " + 5" in mixed["then"]
    assert "    return 1\n" in mixed["then"] and "message" not in answer
    assert (mixed["now_cut"], mixed["then_cut"]) == (False, False)
    assert stage.text == before.replace("return 20", "return 2")
    assert (await stage.row(turn)).reverted_by == ""
    assert (await bob("revert", turn, mixed=True))["result"] == done(1)
    assert " + 5" in stage.text and "return 1\n" in stage.text and "10" not in stage.text
    assert stage.text == await stage.replayed()
    assert (await stage.row(turn)).reverted_by == "Bob"


async def test_typing_behind_the_models_last_line_is_mixed(stage: Stage, bob: Asked) -> None:
    """At the end of a file without a last line break, what is typed there goes on the line."""
    turn = await changed(stage, block(OLD + "x = 3\n"))
    stage.edits(len(stage.text) - 1, 1, "")
    stage.edits(len(stage.text), 0, "33")
    answer = await bob("revert", turn)
    assert answer["result"]["reverted"] == [] and answer["result"]["mixed"][0]["now"] == "x = 333"


async def test_a_hunk_that_somebody_deleted_gives_the_old_lines_back(
    stage: Stage, bob: Asked
) -> None:
    turn = await changed(stage)
    at = stage.text.index("    return 10\n")
    stage.edits(at, len("    return 10\n"), "")
    assert (await bob("revert", turn))["result"] == done(1, 2)
    assert stage.text == OLD


async def test_the_old_text_typed_again_is_not_doubled(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage)
    stage.edits(stage.text.index("    return 10\n"), len("    return 10\n"), "    return 1\n")
    answer = await bob("revert", turn, hunks=[1])
    assert answer["result"]["reverted"] == [] and stage.text == FIRST_BACK
    assert answer["result"]["mixed"][0]["then"].count("return 1\n") == 2


async def test_a_teammates_work_is_not_taken_along(stage: Stage, bob: Asked) -> None:
    """The same lines were changed by a later turn: the earlier one waits for that, or a word."""
    first = await changed(stage, block(OLD.replace("return 1\n", "return 11\n")))
    later = await changed(stage, block(OLD.replace("return 1\n", "return 111\n")))
    answer = await bob("revert", first)
    assert answer["result"]["reverted"] == []
    assert answer["result"]["mixed"][0]["now"] == "    return 111\n"
    assert stage.last_turn(stage.ann)["revertable"]
    assert (await bob("revert", later))["result"] == done(1)
    assert (await bob("revert", first))["result"] == done(1)
    assert stage.text == OLD == await stage.replayed()


async def test_a_later_turn_that_was_rolled_back_there_is_no_hindrance(
    stage: Stage, bob: Asked
) -> None:
    first = await changed(stage, block(OLD.replace("return 1\n", "x = 1\n    return 11\n")))
    stage.script({"say": "app.py\n```\ndef a():\n    x = 1\n    y = 2\n"}, {"gate": "never"})
    second = stage.prompt()
    await stage.until(lambda: "y = 2" in stage.text)
    stage.stop(second)
    await stage.over()
    assert [hunk.status for hunk in await stage.hunks(second)] == ["rolled_back"]
    shown = {frame["turn"]["id"]: frame["turn"] for frame in stage.frames(stage.bob, "turn")}
    assert shown[first]["revertable"]
    assert (await bob("revert", first))["result"] == done(1)
    assert stage.text == OLD


async def test_what_a_restore_brought_back_does_not_come_twice(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage)
    at = NEW.index("    return 10\n")
    change = ChangeSet.of(len(NEW), [(at, at + 14, "    return 1\n")])
    author = stage.bob.client.author
    stage.room.write(stage.file, change, author=author, kind="restore")
    assert (await bob("revert", turn))["result"] == done(1, 2)
    assert stage.text == OLD


# Whenever


@pytest.mark.parametrize("typed", ["", "    # mine\n"])
async def test_after_a_restart(stage: Stage, typed: str) -> None:
    turn = await changed(stage)
    if typed:
        stage.types("    return 10\n", typed)
        stage.edits(stage.text.index("return 10"), 9, "return 10")
    await Asked(stage, stage.bob)("keep", turn, hunks=[2])
    after = await die(stage)
    bob = Asked(after, after.bob)
    (shown,) = after.frames(after.ann, "welcome")[-1]["turns"]
    assert [h["status"] for h in shown["hunks"]] == ["kept" if typed else "applied", "kept"]
    assert shown["hunks"][1]["by"] == "Bob" and shown["revertable"]
    answer = await bob("revert", turn, mixed=True)
    assert answer["result"] == done(1, 2)
    if typed:
        assert "# mine" in after.text and "return 1\n" in after.text
    else:
        assert after.text == OLD
    assert after.text == await after.replayed()
    again = await die(after)
    (shown,) = again.frames(again.ann, "welcome")[-1]["turns"]
    assert [h["status"] for h in shown["hunks"]] == ["reverted"] * 2
    assert not shown["revertable"] and shown["reverted_by"] == "Bob"
    await again.hub.shutdown()


async def test_hunks_taken_back_one_by_one_over_restarts(stage: Stage) -> None:
    text = "".join(f"line {n}\n" for n in range(12))
    new = text.replace("line 2\n", "two\n").replace("line 5\n", "").replace("line 9\n", "nine\n")
    stage.edits(0, len(OLD), text)
    turn = await changed(stage, block(new))
    assert stage.text == new and len(await stage.hunks(turn)) == 3
    stage.edits(new.index("two"), 3, "two")  # needs the log from now on
    here = await die(stage)
    for ordinal in (3, 1):
        bob = Asked(here, here.bob)
        assert (await bob("revert", turn, hunks=[ordinal], mixed=True))["result"] == done(ordinal)
        here = await die(here)
    assert "line 5\n" not in here.text and "line 9\n" in here.text and "line 2\n" in here.text
    bob = Asked(here, here.bob)
    assert (await bob("revert", turn))["result"] == done(2)
    assert here.text.replace("two", "") == text.replace("two", "")
    assert here.text == await here.replayed()
    await here.hub.shutdown()


async def test_of_a_stopped_turn_what_was_complete(stage: Stage, bob: Asked) -> None:
    half = "app.py\n```\ndef a():\n    return 10\n\n\ndef b():\n    return 20\n"
    stage.script({"say": half}, {"gate": "never"})
    turn = stage.prompt()
    await stage.until(lambda: "return 20" in stage.text)
    stage.stop(turn)
    await stage.over()
    stage.types("def a():\n    return 10\n", "    # mine\n")
    assert (await bob("revert", turn, hunks=[2]))["code"] == "refused"
    assert (await bob("revert", turn))["result"] == done(1)
    assert stage.text == OLD.replace("return 1\n", "return 1\n    # mine\n")


async def test_a_complete_hunk_of_a_running_turn(stage: Stage, bob: Asked) -> None:
    half = "app.py\n```\ndef a():\n    return 10\n\n\ndef b():\n    return 20\n"
    stage.script({"say": half}, {"gate": "go"}, {"say": "```\n"})
    turn = stage.prompt()
    await stage.until(lambda: "return 20" in stage.text)
    assert (await bob("revert", turn))["code"] == "busy"
    assert (await bob("revert", turn, hunks=[2]))["code"] == "busy"
    assert (await bob("keep", turn, hunks=[2]))["code"] == "refused"
    assert (await bob("revert", turn, hunks=[1]))["result"] == done(1)
    assert not stage.last_turn(stage.ann)["reverted_by"]
    stage.upstream.release("go")
    await stage.over()
    assert stage.text == FIRST_BACK == await stage.replayed()
    assert (await bob("revert", turn))["result"] == done(2)
    assert stage.text == OLD


async def test_under_a_running_turn_of_another_prompt(stage: Stage, bob: Asked) -> None:
    first = await changed(stage, block(OLD.replace("    return 1\n", "    return 10\n    x()\n")))
    stage.types("return 10\n", "    # mine\n")
    before = stage.text
    stage.script(
        {"say": "app.py\n```\n"},
        {"gate": "back"},
        {"say": before.replace("n 2", "n 22") + "```"},
    )
    second = stage.prompt()
    await stage.upstream.reached("back")
    assert (await bob("revert", first))["result"] == done(1)
    stage.upstream.release("back")
    await stage.over()
    assert stage.text == OLD.replace("n 1\n", "n 1\n    # mine\n").replace("n 2", "n 22")
    assert (await stage.row(second)).state == "finished"
    assert stage.text == await stage.replayed()


async def test_of_a_turn_that_the_room_has_forgotten(
    stage: Stage, bob: Asked, ann: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_rows, "RECENT", 1)
    first = await changed(stage)
    await changed(stage, block(NEW.replace("def b", "def c")))
    assert first not in stage.turns.records
    assert (await ann("keep", first, hunks=[1]))["t"] == "ok"
    assert await statuses(stage, first) == [("kept", "Ann"), ("applied", "")]
    answer = await bob("revert", first, hunks=[1])
    assert answer["result"] == done(1)
    assert stage.text == FIRST_BACK.replace("def b", "def c")
    told = stage.frames(stage.ann, "hunk")[-1]["hunk"]
    assert (told["turn"], told["status"], told["by"]) == (first, "reverted", "Bob")
    shown = stage.last_turn(stage.bob)
    assert shown["id"] == first and shown["revertable"] and not shown["reverted_by"]
    assert [hunk["status"] for hunk in shown["hunks"]] == ["reverted", "applied"]
    two = shown["hunks"][1]
    assert stage.text[two["start"] : two["end"]] == "    return 20\n"
    assert stage.last_turn(stage.ann)["id"] != first, "nobody else is known to show it"
    assert stage.text[told["start"] : told["end"]] == "    return 1\n"
    await bob("revert", first)
    assert stage.text == OLD.replace("def b", "def c") == await stage.replayed()
    assert (await stage.row(first)).reverted_by == "Bob"
    shown = stage.last_turn(stage.bob)
    assert (shown["reverted_by"], shown["revertable"]) == ("Bob", False)
    assert "Bob" in (await ann("revert", first))["message"]


async def test_of_a_turn_that_nobody_knows(stage: Stage, bob: Asked) -> None:
    await changed(stage)
    for kind in ("keep", "revert"):
        assert (await bob(kind, "z" * 20))["code"] == "gone"
    assert stage.text == NEW


async def test_of_another_sessions_turn(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage)

    def move() -> None:
        Turn.objects.filter(pk=turn).update(session=stage.cast.session)

    await stage.ask(move)
    stage.turns.records.clear()
    assert (await bob("revert", turn))["code"] == "gone"
    assert stage.text == NEW


async def test_typing_goes_on_while_the_log_is_read(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage, block(NEW.replace("    return 10\n", "    x = 5\n    return 10\n")))
    stage.types("    x = 5\n", "    # one\n")
    id = bob.send("revert", turn)
    for number in range(30):
        stage.edits(0, 0, f"# {number}\n")
        await stage.tick()
    answer = await stage.answered(stage.bob, id)
    assert answer["result"] == done(1, 2)
    lines = stage.text.splitlines()
    assert [line for line in lines if line.startswith("# ")] == [
        f"# {n}" for n in range(29, -1, -1)
    ]
    assert "    # one" in lines and "    return 1" in lines and "    return 2" in lines
    assert stage.text == await stage.replayed()


# Files


async def test_a_created_file_goes_with_the_last_of_it(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage, block("x = 1\n", "new.py"))
    (created,) = [file for file in stage.room.files.values() if file.path == "new.py"]
    stage.edits(0, 0, "# elsewhere\n")
    assert (await bob("revert", turn, hunks=[1]))["result"] == done(1)
    assert created.id not in stage.room.files
    assert (await stage.row(turn)).reverted_by == "Bob"


async def test_a_created_file_stays_with_what_somebody_typed(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage, block("x = 1\ny = 2\n", "new.py"))
    (created,) = [file for file in stage.room.files.values() if file.path == "new.py"]
    stage.bob.send("open", file=created.id)
    change = ChangeSet.of(12, [(6, 6, "mine\n")])
    stage.bob.push(created.id, created.version, change.to_json(), first=900)
    assert (await bob("revert", turn))["result"] == done(1)
    assert stage.room.files[created.id].text == "mine\n"
    assert (await stage.row(turn)).reverted_by == "Bob"


def as_turn(stage: Stage, turn: str) -> Doer:
    return Doer(f"turn:{turn}", SERVER, stage.room.by(f"turn:{turn}"), turn)


def other(stage: Stage) -> Any:
    return next(file for file in stage.room.files.values() if file.id != stage.file)


def paths(stage: Stage) -> dict[str, str]:
    return {file.path: file.text for file in stage.room.files.values()}


async def test_a_file_that_the_turn_deleted_comes_back(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage)
    filing.delete(stage.room, other(stage), as_turn(stage, turn))
    assert (await bob("revert", turn))["result"] == done(1, 2)
    assert paths(stage) == {"app.py": OLD, "test_app.py": OTHER}
    assert (await stage.row(turn)).reverted_by == "Bob"
    assert stage.frames(stage.ann, "tree")[-1]["by"]["name"] == "Bob"
    await bob("revert", turn)
    assert len(stage.room.files) == 2


async def test_single_hunks_leave_a_deleted_file_deleted(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage)
    filing.delete(stage.room, other(stage), as_turn(stage, turn))
    await bob("revert", turn, hunks=[1, 2])
    assert paths(stage) == {"app.py": OLD}
    assert (await stage.row(turn)).reverted_by == "" and stage.last_turn(stage.bob)["revertable"]
    after = await die(stage)
    (shown,) = after.frames(after.ann, "welcome")[-1]["turns"]
    assert shown["revertable"]
    await Asked(after, after.bob)("revert", turn)
    assert paths(after) == {"app.py": OLD, "test_app.py": OTHER}
    await after.hub.shutdown()


async def test_a_file_that_the_turn_moved_goes_back(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage)
    filing.rename(stage.room, other(stage), "tests/all.py", as_turn(stage, turn))
    await bob("revert", turn)
    assert paths(stage) == {"app.py": OLD, "test_app.py": OTHER}
    assert (await stage.row(turn)).reverted_by == "Bob"


async def test_a_file_that_somebody_moved_on_stays_there(stage: Stage, bob: Asked) -> None:
    turn = await changed(stage)
    filing.rename(stage.room, other(stage), "tests/all.py", as_turn(stage, turn))
    stage.ann.send("tree", id="m" * 20, op="rename", file=other(stage).id, path="mine.py")
    await bob("revert", turn)
    assert paths(stage) == {"app.py": OLD, "mine.py": OTHER}
    assert (await stage.row(turn)).reverted_by == "Bob"


async def test_a_path_that_was_taken_meanwhile_is_told_and_tried_again(
    stage: Stage, bob: Asked
) -> None:
    turn = await changed(stage)
    filing.delete(stage.room, other(stage), as_turn(stage, turn))
    stage.ann.send("tree", id="c" * 20, op="create", file="n" * 20, path="test_app.py", text="n\n")
    await stage.until(lambda: "n" * 20 in stage.room.files)
    answer = await bob("revert", turn)
    assert answer["result"] == done(1, 2)
    assert "test_app.py was not brought back" in answer["message"]
    assert paths(stage) == {"app.py": OLD, "test_app.py": "n\n"}
    assert (await stage.row(turn)).reverted_by == ""
    stage.ann.send("tree", id="d" * 20, op="rename", file="n" * 20, path="mine.py")
    await bob("revert", turn)
    assert paths(stage) == {"app.py": OLD, "test_app.py": OTHER, "mine.py": "n\n"}
    assert (await stage.row(turn)).reverted_by == "Bob"


async def test_a_binary_file_that_the_turn_deleted_comes_back(stage: Stage, bob: Asked) -> None:
    data = bytes(range(256)) * 10
    await add(
        stage.room.id, Adder(stage.bob.user, "Bob"), [NewFile("logo.png", Binary(data))], "ask"
    )
    turn = await changed(stage)
    logo = next(file for file in stage.room.files.values() if file.path == "logo.png")
    filing.delete(stage.room, logo, as_turn(stage, turn))
    assert "logo.png" not in paths(stage)
    await bob("revert", turn)
    back = next(file for file in stage.room.files.values() if file.path == "logo.png")
    assert await stage.ask(lambda: bytes_of(back.id)) == data and not back.is_text
    assert await stage.ask(lambda: File.objects.get(pk=back.id).deleted_seq) is None


async def test_a_hunk_in_a_file_that_is_gone_is_nothing_to_take_back(
    stage: Stage, bob: Asked
) -> None:
    turn = await changed(stage)
    stage.ann.send("tree", id="d" * 20, op="delete", file=stage.file)
    await stage.durable()
    assert not stage.last_turn(stage.bob)["revertable"]
    assert (await bob("revert", turn))["code"] == "refused"


async def test_nothing_is_written_where_a_file_would_grow_too_large(
    stage: Stage, bob: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = await changed(stage, block("x\n"))
    stage.types("x", "y")
    monkeypatch.setattr(deciding, "MAX_LENGTH", 4)
    answer = await bob("revert", turn, mixed=True)
    assert answer["code"] == "limit" and "app.py" in answer["message"]
    assert stage.text == "xy\n"


async def test_a_log_that_cannot_be_read_is_said(
    stage: Stage, bob: Asked, caplog: pytest.LogCaptureFixture
) -> None:
    turn = await changed(stage)
    stage.types("return 10", "0")
    await stage.durable()

    def spoil() -> None:
        Entry.objects.filter(file=stage.file, turn=turn).update(payload="[1]")

    await stage.ask(spoil)
    answer = await bob("revert", turn)
    assert answer["code"] == "refused" and "Nothing was taken back" in answer["message"]
    assert "return 100" in stage.text and "failed" in caplog.text


async def test_lines_between_the_places_of_a_block_are_left_alone(stage: Stage, bob: Asked) -> None:
    """What is on its way from a page that types there lands where it was typed."""
    stage.room.choices = (choice(stage.upstream, edit_format="blocks"),)
    search = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
    replace = search.replace("return 1\n", "return 10\n").replace("return 2\n", "return 20\n")
    message = f"app.py\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"
    turn = await changed(stage, message)
    assert stage.text == replace and len(await stage.hunks(turn)) == 1
    version = stage.room.files[stage.file].version
    at = replace.index("def b(") + len("def b(")
    assert (await bob("revert", turn))["result"] == done(1)
    typed = ChangeSet.of(len(replace), [(at, at, "mine")])
    stage.ann.push(stage.file, version, typed.to_json(), first=700)
    assert stage.text == OLD.replace("def b(", "def b(mine")


def test_what_is_mixed_says_where_it_is_cut() -> None:
    exact, longer = "x" * SHOWN_UTF16, "y" * (SHOWN_UTF16 + 1)
    shown = within(
        [{"ordinal": n, "now": exact, "then": longer} for n in range(1, 1 + 100_000 // 40_000)]
        + [{"ordinal": 8, "now": longer, "then": "z"}, {"ordinal": 9, "now": "z", "then": ""}]
    )
    cuts = [(it["now_cut"], it["then_cut"], len(it["now"] + it["then"])) for it in shown]
    assert cuts == [
        (False, True, 40_000),
        (False, True, 40_000),
        (True, True, 20_000),
        (True, False, 0),
    ]
