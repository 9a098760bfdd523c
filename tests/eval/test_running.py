"""A whole run against a scripted model: each task is a line at once, with a verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checks.walled import needs_sandbox
from tests.eval.__main__ import main
from tests.eval.running import Line, judged_again, run
from tests.eval.tasks import Task, all_tasks
from tests.eval.test_asking import endpoint
from tests.upstream import Upstream
from webapp.engine.ports import EditFormat
from webapp.engine.providers.chat import ChatProvider

pytestmark = needs_sandbox
TASKS = {task.name: task for task in all_tasks()}
AVERAGE = TASKS["fix_average"]


def whole(task: Task) -> str:
    """Return the solution as a model tells it in the format whole."""
    return "".join(
        f"{path}\n```\n{text}```\n"
        for path, text in task.solved.items()
        if text != task.files.get(path)
    )


async def lines_for(
    task: Task, message: str, *, edit_format: EditFormat = "whole", finish: str = "stop"
) -> list[Line]:
    """Return the lines of a run over one task, for which the model says this."""
    async with Upstream() as upstream:
        upstream.script({"say": message}, {"finish": finish})
        provider = ChatProvider()
        asked = endpoint(upstream.port, small=False, edit_format=edit_format, context=32_768)
        lines = [line async for line in run(provider, asked, [task])]
        await provider.close()
    return lines


async def verdict_of(
    task: Task, message: str, *, edit_format: EditFormat = "whole", finish: str = "stop"
) -> str:
    (line,) = await lines_for(task, message, edit_format=edit_format, finish=finish)
    return str(line["verdict"])


@pytest.mark.parametrize("name", sorted(set(TASKS) - {"move_and_rename"}))
async def test_a_solution_in_the_format_whole_lands_and_is_right(name: str) -> None:
    (line,) = await lines_for(TASKS[name], whole(TASKS[name]))
    assert (line["verdict"], line["lost"], line["stray"]) == ("right", [], False), line["said"]


async def test_an_empty_answer_is_no_edit() -> None:
    (line,) = await lines_for(AVERAGE, " ")
    assert (line["verdict"], line["edits"]) == ("no edit", [])


async def test_an_answer_that_ends_inside_its_edit_is_cut_off() -> None:
    cut = whole(AVERAGE).partition("/ len")[0]
    assert await verdict_of(AVERAGE, cut, finish="length") == "cut off"


async def test_a_search_that_stands_nowhere_is_refused() -> None:
    message = f"{AVERAGE.path}\n<<<<<<< SEARCH\nnever there\n=======\nnew\n>>>>>>> REPLACE\n"
    (line,) = await lines_for(AVERAGE, message, edit_format="blocks")
    assert line["verdict"] == "refused"
    assert line["said"]


async def test_a_block_lands() -> None:
    message = (
        f"{AVERAGE.path}\n<<<<<<< SEARCH\n    return total(values) // len(values)\n=======\n"
        "    return total(values) / len(values)\n>>>>>>> REPLACE\n"
    )
    assert await verdict_of(AVERAGE, message, edit_format="blocks") == "right"


async def test_files_move_in_the_format_patch() -> None:
    task = TASKS["move_and_rename"]
    message = """*** Begin Patch
*** Update File: app.py
@@
-from helper_numbers import double
-from helper_text import shout
+from helpers.numbers import double
+from helpers.text import shout
 from settings import NAME
*** Update File: helper_text.py
*** Move to: helpers/text.py
@@
 def shout(text):
*** Update File: helper_numbers.py
*** Move to: helpers/numbers.py
@@
 def double(number):
*** Add File: helpers/__init__.py
+\"\"\"What the app leans on.\"\"\"
*** End Patch
"""
    (line,) = await lines_for(task, message, edit_format="patch")
    assert (line["verdict"], line["lost"]) == ("right", []), (line["said"], line["edits"])


async def test_lines_can_be_judged_again() -> None:
    lines = await lines_for(AVERAGE, whole(AVERAGE))
    forgotten = [{**line, "verdict": "wrong", "lost": ["x"]} for line in lines]
    assert list(judged_again(forgotten)) == lines


def test_the_command_prints_lines_and_keeps_a_stopped_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Upstream.in_thread() as upstream:
        upstream.script({"say": whole(AVERAGE)})
        address = f"http://127.0.0.1:{upstream.port}/v1"
        arguments = ["--endpoint", address, "--model", "m", "--tasks", "fix_average"]
        assert main([*arguments, "--repeat", "2", "--output", str(tmp_path / "lines")]) == 0
    told = [json.loads(line) for line in (tmp_path / "lines").read_text("utf-8").splitlines()]
    assert [(line["task"], line["time"], line["verdict"]) for line in told] == [
        ("fix_average", 1, "right"),
        ("fix_average", 2, "right"),
    ]
    assert "| 2 of 2 |" in capsys.readouterr().err


def test_an_endpoint_that_fails_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with Upstream.in_thread() as upstream:
        upstream.script({"status": 401, "body": {"error": {"message": "no such key"}}})
        address = f"http://127.0.0.1:{upstream.port}/v1"
        assert main(["--endpoint", address, "--tasks", "fix_a*"]) == 1
    told = capsys.readouterr()
    assert "no such key" in told.err
    assert json.loads(told.out.splitlines()[0])["verdict"] == "error"
