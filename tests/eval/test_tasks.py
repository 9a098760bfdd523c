"""Every task keeps its promises: its solution passes its test, and doing nothing does not."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.checks.walled import needs_sandbox
from tests.eval.judging import changed, lost_files, passes
from tests.eval.tasks import BadTask, Task, all_tasks, read

each_task = pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.name)


def test_there_are_forty_and_one_that_moves_files() -> None:
    kinds = Counter(task.kind for task in all_tasks())
    assert kinds.pop("move and rename") == 1
    assert sum(kinds.values()) == 40
    assert kinds.keys() == {
        *("bug fix", "add function", "rename", "guard clause", "docstring", "type hints"),
        *("several files", "long file", "web"),
    }


def test_a_long_file_is_long() -> None:
    for task in all_tasks():
        if task.kind == "long file":
            assert task.files[task.path].count("\n") >= 400, task.name


@each_task
def test_its_solution_changes_only_what_it_may(task: Task) -> None:
    assert changed(task, task.solved) == (True, False)
    assert lost_files(task, task.solved) == ()


@needs_sandbox
@each_task
def test_its_solution_passes(task: Task) -> None:
    passed, said = passes(task, task.solved)
    assert passed, said


@needs_sandbox
@each_task
def test_its_starting_files_fail(task: Task) -> None:
    assert not passes(task, task.files)[0]


@needs_sandbox
@each_task
def test_files_that_were_emptied_fail(task: Task) -> None:
    emptied = dict.fromkeys(task.files, "")
    assert not passes(task, emptied)[0]
    assert set(lost_files(task, emptied)) == set(task.files)


@needs_sandbox
def test_code_that_ends_the_test_early_fails() -> None:
    task = next(task for task in all_tasks() if task.name == "fix_average")
    early = task.solved[task.path] + "\nraise SystemExit(0)\n"
    assert not passes(task, {task.path: early})[0]


SMALL = """kind: bug fix
prompt: do it
file: a.py

=== file a.py
one
>>>may
>>>select
two
<<<select
<<<may
\U0001f600
>>>caret
three

=== test check.py
import a
=== edit a.py
two
---
2
=== new b.py
new
"""


def test_places_are_read_and_taken_out() -> None:
    task = read("small", SMALL.replace(">>>caret\n", ""))
    assert task.files == {"a.py": "one\ntwo\n\U0001f600\nthree\n"}
    assert task.solved == {"a.py": "one\n2\n\U0001f600\nthree\n", "b.py": "new\n"}
    assert task.may == {"a.py": ((1, 2),)}
    assert task.selection_utf16 == (4, 8)
    assert task.command == ("python3", "check.py")


def test_a_caret_counts_in_utf16() -> None:
    text = SMALL.replace(">>>select\n", "").replace("<<<select\n", "")
    assert read("small", text).selection_utf16 == (11, 11)


@pytest.mark.parametrize(
    "text",
    [SMALL.replace("prompt: do it\n", ""), SMALL.replace("two\n---", "four\n---")],
)
def test_a_task_that_lacks_something_is_named(text: str) -> None:
    with pytest.raises(BadTask, match="small"):
        read("small", text)
