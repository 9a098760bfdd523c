"""Search/replace blocks in a room: written as they stream, refused with a reason, taken back."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.cast import Cast
from tests.live.test_turns_left import die
from tests.live.turning import NEW, OLD, Ask, Stage, make_turns, open_stage, ready, upstream
from tests.upstream import Upstream
from webapp.document.text import loads_utf16
from webapp.live import endpoints
from webapp.live import hub as hubs
from webapp.live.hub import Hub

__all__ = ["upstream"]


@pytest.fixture
async def stage(
    cast: Cast, transactional_db: None, tmp_path: Path, upstream: Upstream, rows: Ask
) -> AsyncIterator[Stage]:
    """A room whose model answers in blocks."""
    ready(tmp_path / "model.json")
    turns = make_turns(upstream, edit_format="blocks")
    hub = Hub("process-a", turns, model_status={"preview": tmp_path / "model.json"})
    hubs.use(hub)
    yield await open_stage(cast, hub, upstream, rows)
    await hub.shutdown()


def block(search: str, replacement: str, path: str = "app.py") -> str:
    """Return a message with one block."""
    name = f"{path}\n" if path else ""
    return f"{name}```python\n<<<<<<< SEARCH\n{search}=======\n{replacement}>>>>>>> REPLACE\n```\n"


A = block("    return 1\n", "    return 10\n")
B = block("    return 2\n", "    return 20\n")


async def run(stage: Stage, *messages: str) -> Any:
    """Run a turn that says this, and return its row."""
    stage.script(*({"say": message} for message in messages))
    turn = stage.prompt()
    await stage.over()
    assert stage.text == await stage.replayed()
    return await stage.row(turn)


async def test_blocks_become_one_hunk_each(stage: Stage) -> None:
    row = await run(stage, f"Both.\n\n{A}\nAnd:\n\n{B}Done.\n")
    assert stage.text == NEW
    assert row.state == "finished" and row.reason == ""
    shown = stage.last_turn(stage.ann)
    assert (shown["added"], shown["removed"], shown["format"]) == (2, 2, "blocks")
    assert loads_utf16(row.prose) == "Both.\n\n\nAnd:\n\nDone.\n"
    hunks = await stage.hunks(row.pk)
    assert [hunk.status for hunk in hunks] == ["applied", "applied"]
    assert [loads_utf16(hunk.old_text) for hunk in hunks] == ["    return 1\n", "    return 2\n"]


async def test_the_model_is_asked_for_blocks(stage: Stage) -> None:
    await run(stage, A)
    rules, asked = stage.upstream.records[-1].body["messages"]
    assert "<<<<<<< SEARCH" in rules["content"]
    assert OLD in asked["content"]


async def test_a_replacement_is_written_while_it_streams(stage: Stage) -> None:
    head, tail = A.split("0\n>")
    stage.script({"say": head + "0\n    # more"}, {"gate": "seen"}, {"say": "\n>" + tail})
    stage.prompt()
    await stage.until(lambda: "# more" in stage.text)
    assert "return 1\n" in stage.text, "the old line stands until it is passed"
    stage.upstream.release("seen")
    await stage.over()
    assert stage.text == OLD.replace("return 1\n", "return 10\n    # more\n")


async def test_a_block_without_a_name_means_the_file_before(stage: Stage) -> None:
    await run(stage, block("    return 1\n", "    return 10\n", ""), B.removeprefix("app.py\n"))
    assert stage.text == NEW


async def test_other_files_are_edited_and_made(stage: Stage) -> None:
    row = await run(
        stage,
        block("import app\n", "import app as it\n", "test_app.py"),
        block("", "x = 1\n", "lib/new.py"),
        block("x = 1\n", "x = 2\n", ""),
    )
    texts = {file.path: file.text for file in stage.room.files.values()}
    assert texts == {"app.py": OLD, "test_app.py": "import app as it\n", "lib/new.py": "x = 2\n"}
    assert row.reason == ""


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (block("    return 3\n", "x\n"), "not in app.py"),
        (block("  return 1 + 1\n", "x\n"), "the closest is line 2"),
        (block("\n", "x\n"), "several times in app.py (at lines 3, 4)"),
        (block("x\n", "y\n", "none.py"), "there is no such file"),
        (block("", "all = 1\n"), "as if it were new"),
        (block("", "x\n", "../x.py"), "A file was not created"),
        (block("    return 1\n", "    # ... rest of code ...\n"), "code that it left out"),
        ("app.py\n<<<<<<< SEARCH\n    return 1\n>>>>>>> REPLACE\n", "to its end"),
        ("app.py\n<<<<<<< SEARCH\n    return 1\n", "to its end"),
        ("app.py\n<<<<<<< SEARCH\n    return 1\n=======\n", "to its end"),
    ],
    ids=[
        "missing",
        "near",
        "ambiguous",
        "no file",
        "not empty",
        "path",
        "omission",
        "no divider",
        "cut in the search",
        "cut before the text",
    ],
)
async def test_what_is_refused_changes_nothing_and_says_why(
    stage: Stage, message: str, reason: str
) -> None:
    row = await run(stage, message)
    assert stage.text == OLD
    assert reason in row.reason and "without an edit" not in row.reason
    assert {file.path for file in stage.room.files.values()} == {"app.py", "test_app.py"}
    assert not [h for h in await stage.hunks(row.pk) if h.status == "applied"]


async def test_what_is_refused_does_not_keep_the_rest_from_being_written(stage: Stage) -> None:
    row = await run(stage, A, block("nowhere\n", "x\n"), B)
    assert stage.text == NEW and "not in app.py" in row.reason


async def test_a_block_that_another_interrupts_is_taken_back(stage: Stage) -> None:
    row = await run(stage, A.partition(">>>")[0], B.removeprefix("app.py\n```python\n"))
    assert stage.text == OLD.replace("return 2", "return 20")
    assert "to its end" in row.reason
    assert [hunk.status for hunk in await stage.hunks(row.pk)] == ["rolled_back", "applied"]


TWO = block(OLD, "def a():\n    return 10\n\n\ndef b():\n    return 20\n    # end\n")


@pytest.mark.parametrize("ending", [{"cut": True}, {"finish": "length"}])
async def test_an_unfinished_block_is_taken_back_as_a_whole(
    stage: Stage, ending: dict[str, Any]
) -> None:
    stage.script({"say": TWO.partition("# end")[0]}, {"gate": "seen"}, ending)
    turn = stage.prompt()
    await stage.until(lambda: "return 20" in stage.text)
    assert "return 10\n" in stage.text and "return 1\n" not in stage.text
    stage.upstream.release("seen")
    await stage.over()
    assert stage.text == OLD == await stage.replayed()
    assert [hunk.status for hunk in await stage.hunks(turn)] == ["rolled_back"]
    assert len(await stage.entries(turn, "settle")) == 1


async def test_a_stop_takes_it_back_and_a_later_word_writes_nothing(stage: Stage) -> None:
    open_block = block("def b():\n", "def c():\n").partition(">>>")[0]
    stage.script({"say": A + open_block}, {"gate": "never"}, {"say": "# end\n"})
    turn = stage.prompt()
    await stage.until(lambda: "def c()" in stage.text)
    stage.stop(turn)
    text = stage.text
    await stage.over()
    assert stage.text == text == OLD.replace("return 1\n", "return 10\n")
    assert len(await stage.entries(turn, "settle")) == 1


async def test_the_unfinished_block_is_kept_when_that_is_asked(stage: Stage) -> None:
    stage.script({"say": TWO.partition("# end")[0]}, {"gate": "never"})
    turn = stage.prompt()
    await stage.until(lambda: "return 20" in stage.text)
    stage.script({"say": "No edit."})
    text = stage.text
    stage.redirect(turn, "Go on", "partial")
    await stage.over()
    assert stage.text == text == await stage.replayed()
    (hunk,) = await stage.hunks(turn)
    assert hunk.status == "applied"
    assert len(await stage.entries(turn, "settle")) == 1


async def test_typing_in_the_open_hunk_makes_the_model_yield(stage: Stage) -> None:
    head, tail = TWO.split("    # end")
    stage.script({"say": head}, {"gate": "typed"}, {"say": "    # end" + tail + B})
    turn = stage.prompt()
    await stage.until(lambda: "return 20" in stage.text)
    stage.types("def b(", "x")
    stage.upstream.release("typed")
    await stage.over()
    assert "def b(x):" in stage.text and "# end" not in stage.text
    row = await stage.row(turn)
    assert "Somebody typed" in row.reason
    assert [hunk.status for hunk in await stage.hunks(turn)][0] == "yielded"
    assert stage.text == await stage.replayed()


async def test_what_is_located_follows_what_people_type(stage: Stage) -> None:
    head, tail = B.split("    return 20")
    stage.script({"say": head}, {"gate": "typed"}, {"say": "    return 20" + tail})
    stage.prompt()
    await stage.upstream.reached("typed")
    await stage.until(lambda: stage.turns.running)
    stage.edits(0, 0, "# first\n")
    stage.types("    return 1", " + 1")
    stage.upstream.release("typed")
    await stage.over()
    expected = "# first\n" + OLD.replace("return 1", "return 1 + 1")
    assert stage.text == expected.replace("return 2", "return 20")


async def test_what_a_person_changed_meanwhile_is_not_found(stage: Stage) -> None:
    stage.script({"gate": "typed"}, {"say": A})
    turn = stage.prompt()
    await stage.upstream.reached("typed")
    stage.types("    return 1", " + 1")
    stage.upstream.release("typed")
    await stage.over()
    assert stage.text == OLD.replace("return 1", "return 1 + 1")
    assert "not in app.py" in (await stage.row(turn)).reason


async def test_a_file_that_is_deleted_meanwhile_is_not_made_again(stage: Stage) -> None:
    other = next(f for f in stage.room.files.values() if f.path == "test_app.py")
    stage.script({"gate": "deleted"}, {"say": block("", "x = 1\n", "test_app.py") + A})
    turn = stage.prompt()
    await stage.upstream.reached("deleted")
    stage.bob.send("tree", id="d" * 20, op="delete", file=other.id)
    stage.upstream.release("deleted")
    await stage.over()
    assert [file.path for file in stage.room.files.values()] == ["app.py"]
    assert "was deleted" in (await stage.row(turn)).reason
    assert "return 10" in stage.text


async def test_a_turn_of_blocks_is_taken_back(stage: Stage) -> None:
    row = await run(stage, A + B)
    stage.bob.send("revert", id="r" * 20, turn=row.pk)
    await stage.durable()
    assert stage.text == OLD


@pytest.mark.parametrize("typed", ["", " + 5"])
async def test_a_process_that_dies_leaves_no_half_of_a_block(stage: Stage, typed: str) -> None:
    head = A + TWO.partition("# end")[0].replace("    return 1\n", "    return 10\n")
    head = head.replace(
        "return 10\n\n\ndef b():\n    return 20", "return 11\n\n\ndef b():\n    return 20"
    )
    stage.script({"say": head}, {"gate": "never"})
    turn = stage.prompt()
    await stage.until(lambda: "return 11" in stage.text and "return 20" in stage.text)
    if typed:
        stage.types("return 11", typed)
    text = stage.text
    after = await die(stage)
    assert after.text == await after.replayed()
    if typed:
        assert after.text == text
    else:
        assert after.text == OLD.replace("return 1\n", "return 10\n")
    statuses = [hunk.status for hunk in await after.hunks(turn)]
    assert statuses == ["applied", "yielded" if typed else "rolled_back"]
    assert len(await after.entries(turn, "settle")) == 1
    await after.hub.shutdown()


async def test_random_histories_of_people_and_a_stop(stage: Stage) -> None:
    """60 short turns: people type anywhere at any moment, then somebody stops, or nobody does."""
    message = f"First.\n\n{A}\n{TWO.replace('return 1', 'return 10')}Then.\n{B}"
    pieces = [{"text": message[at : at + 5]} for at in range(0, len(message), 5)]
    for seed in range(60):
        chance = random.Random(seed)
        here = await open_stage(stage.cast, stage.hub, stage.upstream, stage.ask)
        stage.upstream.reset()
        stage.script(*pieces)
        turn = here.prompt()
        typed = ""
        stop_after = chance.randint(0, 80)
        for moment in range(60):
            await here.tick()
            if chance.random() < 0.2:
                mark = chr(0x2460 + len(typed))
                here.edits(chance.randint(0, len(here.text)), 0, mark + chance.choice(["", "\n"]))
                typed += mark
            if moment == stop_after and here.turns.running:
                here.stop(turn)
        await here.over()
        assert sorted(char for char in here.text if "\u2460" <= char < "\u24a0") == sorted(typed)
        assert here.text == await here.replayed(), seed
        assert "open" not in {hunk.status for hunk in await here.hunks(turn)}, seed
        assert len(await here.entries(turn, "settle")) <= 1, seed
        if not typed and (await here.row(turn)).state == "stopped":
            assert here.text in (OLD, OLD.replace("return 1\n", "return 10\n"))
    await endpoints.close_provider()


async def test_many_missing_blocks_of_a_large_file_hold_nobody_up(stage: Stage) -> None:
    page = stage.bob
    long = "".join(f"    x{i % 5000} = compute({i}) + 1\n" for i in range(5_000))
    for _ in range(9):
        stage.edits(len(stage.text), 0, long, page=page)
    blocks = [block(f"    nothing {i}\n", "y\n") for i in range(300)]
    begun_s = time.thread_time()
    row = await run(stage, "\n".join(blocks))
    assert time.thread_time() - begun_s < 3
    assert row.state == "finished" and "are not in app.py" in str(row.reason)
