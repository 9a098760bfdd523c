"""Turns among people: who types wins, and a turn is taken back around what they typed.

What is kept and taken back hunk by hunk is in test_deciding.py.
"""

from __future__ import annotations

from tests.live.turning import NEW, OLD, Stage, block, stage, upstream

__all__ = ["stage", "upstream"]


# People


async def test_typing_in_the_open_hunk_makes_the_model_yield(stage: Stage) -> None:
    stage.script(
        {"say": "app.py\n```\ndef a():\n    return 10\n"},
        {"gate": "typed"},
        {"say": "    # more\n\n\ndef b():\n    return 20\n```\n"},
    )
    turn = stage.prompt()
    await stage.until(lambda: "return 10\n" in stage.text)
    stage.types("return 10", " + 5")
    stage.upstream.release("typed")
    await stage.over()
    assert "    return 10 + 5\n" in stage.text
    assert "more" not in stage.text and "return 20" in stage.text
    assert [hunk.status for hunk in await stage.hunks(turn)] == ["yielded", "applied"]
    row = await stage.row(turn)
    assert row.state == "finished" and "Somebody typed" in row.reason
    assert stage.last_turn(stage.bob)["revertable"]
    assert stage.text == await stage.replayed()


async def test_typing_below_is_merged(stage: Stage) -> None:
    stage.script({"gate": "prefill"}, {"say": block(NEW)})
    stage.prompt()
    await stage.upstream.reached("prefill")
    stage.types("def b(", "x")
    stage.upstream.release("prefill")
    await stage.over()
    assert stage.text == NEW.replace("def b(", "def b(x")


async def test_a_file_deleted_in_mid_turn_ends_the_writing_only(stage: Stage) -> None:
    stage.script({"say": "app.py\n```\nnew = 1\n"}, {"gate": "deleted"}, {"say": "x = 1\n```\n"})
    turn = stage.prompt()
    await stage.until(lambda: "new = 1" in stage.text)
    stage.bob.send("tree", id="d" * 20, op="delete", file=stage.file)
    stage.upstream.release("deleted")
    await stage.over()
    row = await stage.row(turn)
    assert row.state == "finished" and "was deleted" in row.reason


async def test_a_file_deleted_in_mid_turn_is_not_made_again_by_it(stage: Stage) -> None:
    before = stage.room.files.keys() | set()
    made = "made.py\n```\none = 1\n```\n"
    stage.script({"say": made}, {"gate": "deleted"}, {"say": made.replace("1", "2")})
    turn = stage.prompt()
    await stage.until(lambda: stage.room.files.keys() != before)
    [file] = stage.room.files.keys() - before
    await stage.until(lambda: stage.room.files[file].text == "one = 1\n")
    stage.bob.send("tree", id="d" * 20, op="delete", file=file)
    stage.upstream.release("deleted")
    await stage.over()
    row = await stage.row(turn)
    assert row.state == "finished" and "was deleted" in row.reason
    assert stage.room.files.keys() == before


# Revert


async def test_a_turn_is_taken_back(stage: Stage) -> None:
    stage.script({"say": block(NEW)})
    turn = stage.prompt()
    await stage.over()
    stage.types("def b(", "x")  # beside the hunks, not in them
    stage.bob.send("revert", id="r" * 20, turn=turn)
    await stage.durable()
    assert stage.text == OLD.replace("def b(", "def b(x") == await stage.replayed()
    assert (await stage.row(turn)).reverted_by == "Bob"
    assert [hunk.status for hunk in await stage.hunks(turn)] == ["reverted", "reverted"]
    (entry,) = await stage.entries(turn, "revert")
    assert entry.author.startswith("user:")
    last = stage.last_turn(stage.ann)
    assert last["reverted_by"] == "Bob" and not last["revertable"]
    stage.bob.send("revert", id="s" * 20, turn=turn)
    await stage.durable()
    assert [f["id"] for f in stage.frames(stage.bob, "ok")] == ["r" * 20, "s" * 20]
    assert len(await stage.entries(turn, "revert")) == 1


async def test_a_running_turn_is_not_taken_back(stage: Stage) -> None:
    stage.script({"gate": "go"}, {"say": block(NEW)})
    turn = stage.prompt()
    await stage.upstream.reached("go")
    stage.ann.send("revert", id="r" * 20, turn=turn)
    stage.upstream.release("go")
    await stage.over()
    assert [f["code"] for f in stage.frames(stage.ann, "error")] == ["busy"]
    assert stage.text == NEW


async def test_an_older_turn_taken_back_under_a_running_one(stage: Stage) -> None:
    stage.script({"say": block(OLD.replace("return 1\n", "return 11\n"))})
    first = stage.prompt()
    await stage.over()
    before = stage.text
    stage.script(
        {"say": "app.py\n```\n"}, {"gate": "back"}, {"say": before.replace("n 2", "n 22") + "```"}
    )
    stage.prompt()
    await stage.upstream.reached("back")
    stage.ann.send("revert", id="r" * 20, turn=first)
    stage.upstream.release("back")
    await stage.over()
    assert stage.text == OLD.replace("n 2", "n 22")
