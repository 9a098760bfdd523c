"""Turns in a real room with a real journal and a scripted model over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.live.turning import (
    NEW,
    OLD,
    Stage,
    block,
    choice,
    open_stage,
    ready,
    stage,
    upstream,
)
from webapp.engine.ports import Endpoint, Request, Stream
from webapp.live import room as rooms
from webapp.live import showing, turn_rows, turn_sentences, withheld_sentences
from webapp.live.withheld import MOST
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus

__all__ = ["stage", "upstream"]


async def test_a_prompt_becomes_edits(stage: Stage) -> None:
    stage.script({"say": "Sure.\n\n" + block(NEW) + "\nDone."})
    turn = stage.prompt("Ten times as much")
    await stage.over()
    assert stage.text == NEW == await stage.replayed()
    row = await stage.row(turn)
    assert (row.state, row.author_name, row.prompt) == ("finished", "Ann", "Ten times as much")
    assert (row.tokens_in, row.tokens_estimated, row.reason) == (1, False, "")
    assert row.tokens_out > row.tokens_applied > 0
    assert (row.lines_added, row.lines_removed, row.model) == (2, 2, "scripted")
    assert [(hunk.status, hunk.old_text) for hunk in await stage.hunks(turn)] == [
        ("applied", '"    return 1\\n"'),
        ("applied", '"    return 2\\n"'),
    ]
    assert await stage.entries(turn, "settle") == []
    assert {entry.author for entry in await stage.entries(turn)} == {f"turn:{turn}"}
    (checkpoint,) = await stage.checkpoints(turn)
    assert '"path":"app.py","version":0' in checkpoint.manifest


async def test_everybody_is_told(stage: Stage) -> None:
    stage.script({"say": "Sure.\n\n" + block(NEW)})
    turn = stage.prompt()
    await stage.over()
    states = [frame["turn"]["state"] for frame in stage.frames(stage.bob, "turn")]
    assert states == ["queued", "starting", "streaming", "finished"]
    last = stage.last_turn(stage.bob)
    assert last["id"] == turn and last["revertable"] and last["html"] == "<p>Sure.</p>\n"
    assert [hunk["status"] for hunk in last["hunks"]] == ["applied", "applied"]
    assert last["context"] == {"used": last["tokens_in"] + last["tokens_out"], "window": 8192}
    assert [f["id"] for f in stage.frames(stage.ann, "ok")] == [turn]
    assert stage.frames(stage.bob, "ok") == []
    entries = stage.frames(stage.bob, "entry")
    assert entries and all(entry["by"] == {"turn": turn, "name": "Flint"} for entry in entries)
    assert {entry["hunk"] for entry in entries} <= {1, 2}
    assert stage.frames(stage.bob, "prose")[-1]["html"] == "<p>Sure.</p>\n"
    progress = stage.frames(stage.bob, "progress")
    assert progress and progress[-1]["turn"] == turn


async def test_long_prose_is_shown_while_it_comes_and_whole_at_the_end(stage: Stage) -> None:
    words = "word " * showing.QUICK_CHARS
    stage.script({"say": words}, {"gate": "more"}, {"say": "at last\n\n" + block(NEW)})
    stage.prompt()
    await stage.until(
        lambda: any(
            frame["html"].count("word") == showing.QUICK_CHARS
            for frame in stage.frames(stage.bob, "prose")
        )
    )
    assert stage.turns.running
    stage.upstream.release("more")
    await stage.over()
    await stage.until(lambda: "at last" in stage.last_turn(stage.bob)["html"])
    assert stage.last_turn(stage.bob)["html"].count("word") == showing.QUICK_CHARS
    stage.bob.hello()
    await stage.durable()
    (shown,) = stage.frames(stage.bob, "welcome")[-1]["turns"]
    assert shown["html"] == stage.last_turn(stage.bob)["html"]


async def test_a_late_joiner_is_shown_the_turns(stage: Stage) -> None:
    stage.script({"say": block(NEW)})
    turn = stage.prompt()
    await stage.over()
    stage.bob.wire.inbox.clear()
    stage.bob.hello()
    await stage.durable()
    (welcome,) = stage.frames(stage.bob, "welcome")
    assert [shown["id"] for shown in welcome["turns"]] == [turn]


async def test_a_room_holds_the_last_turns_and_their_hunks_alone(stage: Stage) -> None:
    turns = []
    for number in range(turn_rows.RECENT + 2):
        stage.script({"say": block(NEW if number % 2 == 0 else OLD)})
        turns.append(stage.prompt())
        await stage.over()
    held = turns[2:]
    assert [shown["id"] for shown in stage.turns.for_welcome()] == held
    assert {hunk.turn for hunk in stage.room.files[stage.file].hunks.values()} == set(held)
    assert len(await stage.hunks(turns[0])) == 2


class NoModel:
    """A model that cannot even be opened."""

    def open(self, endpoint: Endpoint, request: Request) -> Stream:
        raise RuntimeError("no model")


async def test_a_mistake_of_ours_ends_the_turn_and_the_next_one_runs(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    model, stage.turns._model = stage.turns._model, NoModel
    turn = stage.prompt()
    await stage.over()
    row = await stage.row(turn)
    assert (row.state, row.reason) == ("failed", str(turn_sentences.BROKEN))
    assert len(await stage.entries(turn, "settle")) == 1
    assert "no model" in caplog.text
    stage.turns._model = model
    stage.script({"say": block(NEW)})
    stage.prompt()
    await stage.over()
    assert stage.text == NEW


async def test_a_prompt_sent_twice_is_one_turn(stage: Stage) -> None:
    stage.script({"say": block(NEW)})
    turn = stage.prompt()
    stage.ann.send("prompt", id=turn, text="Change it", file=stage.file)
    await stage.over()
    stage.ann.send("prompt", id=turn, text="Change it", file=stage.file)
    await stage.durable()
    assert [frame["id"] for frame in stage.frames(stage.ann, "ok")] == [turn] * 3
    assert len(stage.upstream.records) == 1


async def test_one_turn_at_a_time(stage: Stage) -> None:
    stage.script({"gate": "go"}, {"say": block(NEW)})
    first = stage.prompt()
    second = stage.prompt()
    await stage.upstream.reached("go")
    assert len(stage.upstream.records) == 1
    stage.script({"say": block(OLD)})
    stage.upstream.release("go")
    await stage.over()
    assert [(f["id"], f["result"]) for f in stage.frames(stage.ann, "ok")] == [
        (first, "started"),
        (second, "waits"),
    ]
    assert stage.text == OLD


@pytest.mark.parametrize(
    "state", ["missing", "downloading", "starting", "failed", "offered", "paused", "unfit"]
)
async def test_without_a_model_the_prompt_says_so(stage: Stage, state: Any) -> None:
    stage.hub.models._statuses["preview"] = ModelStatus(state)
    turn = stage.prompt()
    await stage.durable()
    (error,) = stage.frames(stage.ann, "error")
    assert (error["code"], error["id"]) == ("model", turn)
    assert "prompt is kept" in error["message"]
    assert stage.upstream.records == []


@pytest.mark.parametrize("state", ["missing", "failed"])
async def test_a_model_that_cannot_be_had_is_told_with_its_reason(stage: Stage, state: Any) -> None:
    stage.hub.models._statuses["preview"] = ModelStatus(
        state, message="No source of the weights answers."
    )
    stage.prompt()
    await stage.durable()
    (error,) = stage.frames(stage.ann, "error")
    assert error["message"] == (
        "No source of the weights answers. Nothing was asked; your prompt is kept."
    )


async def test_the_model_sees_the_file_and_the_prompt(stage: Stage) -> None:
    stage.script({"say": block(OLD)})
    stage.prompt("Give “é” back 😀")
    await stage.over()
    messages = stage.upstream.records[0].body["messages"]
    assert OLD in messages[-1]["content"]
    assert "Give “é” back 😀" in messages[-1]["content"]


async def test_an_answer_without_an_edit_says_so(stage: Stage) -> None:
    stage.script({"say": "I would rather not."})
    turn = stage.prompt()
    await stage.over()
    row = await stage.row(turn)
    assert row.state == "finished" and "without an edit" in row.reason
    assert not stage.last_turn(stage.bob)["revertable"]


async def test_astral_characters_keep_their_places(stage: Stage) -> None:
    text = "# 😀 é\n" + OLD
    stage.script({"say": block(text)})
    stage.prompt()
    await stage.over()
    assert stage.text == "# \ud83d\ude00 é\n" + OLD
    assert await stage.replayed() == stage.text


async def test_an_unfinished_answer_is_rolled_back_and_settled_once(stage: Stage) -> None:
    stage.script({"say": "app.py\n```\ndef a():\n    return 10\n"})
    turn = stage.prompt()
    await stage.over()
    assert stage.text == OLD == await stage.replayed()
    (settle,) = await stage.entries(turn, "settle")
    assert settle.hunk == 1
    row = await stage.row(turn)
    assert row.state == "finished" and "not complete" in row.reason
    assert [hunk.status for hunk in await stage.hunks(turn)] == ["rolled_back"]
    assert (row.lines_added, row.lines_removed) == (0, 0)


async def test_code_left_out_is_not_written(stage: Stage) -> None:
    lazy = "def a():\n    return 10\n\n# ... rest of the code stays the same ...\n"
    stage.script({"say": block(lazy)})
    turn = stage.prompt()
    await stage.over()
    assert stage.text == OLD
    assert "left code out" in (await stage.row(turn)).reason


async def test_a_new_file_is_created_and_filled(stage: Stage) -> None:
    stage.script({"say": block("x = 1\n", "lib/new.py")})
    turn = stage.prompt()
    await stage.over()
    (created,) = [file for file in stage.room.files.values() if file.path == "lib/new.py"]
    assert created.text == "x = 1\n"
    (tree,) = stage.frames(stage.bob, "tree")
    assert (tree["op"], tree["by"]["turn"], tree["path"]) == ("create", turn, "lib/new.py")
    stage.ann.send("revert", id="r" * 20, turn=turn)
    await stage.durable()
    assert created.id not in stage.room.files
    assert [frame["op"] for frame in stage.frames(stage.bob, "tree")] == ["create", "delete"]


async def test_a_path_outside_the_project_creates_nothing(stage: Stage) -> None:
    stage.script({"say": block("x = 1\n", "../../etc/x.py")})
    turn = stage.prompt()
    await stage.over()
    assert len(stage.room.files) == 2
    assert "not created" in (await stage.row(turn)).reason


async def test_two_files_in_one_answer(stage: Stage) -> None:
    stage.script({"say": block(NEW) + "\n" + block("import app as a\n", "test_app.py")})
    turn = stage.prompt()
    await stage.over()
    assert {file.path: file.text for file in stage.room.files.values()} == {
        "app.py": NEW,
        "test_app.py": "import app as a\n",
    }
    stage.ann.send("revert", id="r" * 20, turn=turn)
    await stage.durable()
    assert stage.text == OLD
    assert len(await stage.entries(turn, "revert")) == 2


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"status": 401, "body": "no"}, "key"),
        ({"status": 503}, "overloaded"),
        ({"error": {"message": "boom"}}, "error in mid-answer"),
        ({"cut": True}, "closed the connection"),
    ],
)
async def test_a_failing_upstream_is_a_sentence(
    stage: Stage, step: dict[str, Any], said: str
) -> None:
    stage.script(step)
    turn = stage.prompt()
    await stage.over()
    row = await stage.row(turn)
    assert row.state == "failed" and said in row.reason and "Nothing was changed." in row.reason
    assert stage.text == OLD
    assert len(await stage.entries(turn, "settle")) == 1


async def test_a_failure_in_mid_edit_keeps_what_was_complete(stage: Stage) -> None:
    half = "app.py\n```\ndef a():\n    return 10\n\n\ndef b():\n    return 2"
    stage.script({"say": half}, {"text": "0\n    more()"}, {"cut": True})
    turn = stage.prompt()
    await stage.over()
    assert stage.text == OLD.replace("return 1\n", "return 10\n")
    assert [hunk.status for hunk in await stage.hunks(turn)] == ["applied", "rolled_back"]
    assert "Edits that were complete were kept." in (await stage.row(turn)).reason


async def test_an_answer_cut_at_its_longest_says_so(stage: Stage) -> None:
    stage.script({"say": block(NEW)}, {"finish": "length"})
    turn = stage.prompt()
    await stage.over()
    row = await stage.row(turn)
    assert (row.state, row.reason.startswith("The answer was cut")) == ("finished", True)


# The end of the room


async def test_closing_the_room_interrupts_the_turn_and_keeps_what_is_complete(
    stage: Stage,
) -> None:
    half = "app.py\n```\ndef a():\n    return 10\n\n\ndef b():\n    return 20\n    more()\n"
    stage.script({"say": half}, {"gate": "never"})
    turn = stage.prompt()
    await stage.until(lambda: "more()" in stage.text)
    await stage.hub.shutdown()
    row = await stage.row(turn)
    assert row.state == "interrupted" and row.reason
    assert len(await stage.entries(turn, "settle")) == 1
    assert await stage.replayed() == OLD.replace("return 1\n", "return 10\n")
    (record,) = await stage.upstream.ended()
    assert record.outcome == "left"


def test_the_status_file_is_what_a_prompt_looks_at(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    ready(path)
    status = modelstatus.read(path)
    assert status is not None and status.state == "ready"


async def test_a_small_model_rewrites_the_lines_around_the_cursor(stage: Stage) -> None:
    long = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(40))
    here = await open_stage(stage.cast, stage.hub, stage.upstream, stage.ask, long)
    here.room.choices = (choice(stage.upstream, small=True),)
    at = long.index("return 20")
    here.script({"say": block("def f20():\n    return 99\n")})
    turn = here.prompt(v=0, sel=[at - 4, at + 9])
    await here.over()
    focus = here.last_turn(here.bob)["focus"]
    shown = here.upstream.records[-1].body["messages"][-1]["content"]
    assert (focus["from_line"], focus["to_line"]) == (82, 82) and "return 20" in shown
    assert "return 19" not in shown and "return 21" not in shown
    assert here.text == long.replace("    return 20\n", "def f20():\n    return 99\n")
    assert (await here.row(turn)).state == "finished"


async def test_a_prompt_that_does_not_fit_is_refused(stage: Stage) -> None:
    stage.room.choices = (choice(stage.upstream, context_window=100),)
    stage.prompt()
    await stage.durable()
    (error,) = stage.frames(stage.ann, "error")
    assert error["code"] == "refused" and "select the lines" in error["message"]
    assert not stage.turns.running


async def test_an_answer_that_outgrows_a_file_is_taken_back_and_the_turn_settled_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MAX_LENGTH", 2_000)
    stage.script({"say": "app.py\n```python\n" + "x = 1\n" * 1_000, "pace": 4_000}, {"end": False})
    turn = stage.prompt()
    await stage.over()
    assert stage.text == OLD == await stage.replayed()
    row = await stage.row(turn)
    assert row.state == "failed"
    assert row.reason == " ".join(
        [str(turn_sentences.TOO_BIG % {"path": "app.py"}), str(turn_sentences.UNFINISHED)]
    )
    assert len(await stage.entries(turn, "settle")) == 1
    assert [hunk.status for hunk in await stage.hunks(turn)] == ["rolled_back"]


async def test_what_goes_wrong_over_and_over_is_not_told_for_ever(stage: Stage) -> None:
    stage.script({"say": "".join(block("x\n", f"../{n}.py") for n in range(60))})
    turn = stage.prompt()
    await stage.over()
    reason = (await stage.row(turn)).reason
    assert reason.startswith(withheld_sentences.TOO_MANY)
    assert reason.count("was not created") == MOST
