"""What is called what: a verdict for each way in which an answer can go wrong."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.checks.walled import needs_sandbox
from tests.eval.judging import Applied, Verdict, changed, changes, judge, lost_files
from tests.eval.tasks import Task, all_tasks

TASKS = {task.name: task for task in all_tasks()}
AVERAGE, MOVES = TASKS["fix_average"], TASKS["move_and_rename"]
DONE = [("applied", "")]


def edited(task: Task, old: str, new: str) -> Mapping[str, str]:
    """Return the task's files with one text replaced in the file in focus."""
    text = task.files[task.path]
    assert old in text
    return {**task.files, task.path: text.replace(old, new)}


@needs_sandbox
@pytest.mark.parametrize(
    ("applied", "was_cut", "verdict"),
    [
        (Applied(AVERAGE.solved, DONE), False, Verdict.RIGHT),
        (Applied(AVERAGE.files), False, Verdict.NO_EDIT),
        (Applied(AVERAGE.files, DONE), False, Verdict.NO_EDIT),
        (Applied(AVERAGE.files, [("refused", "r")]), False, Verdict.REFUSED),
        (Applied(AVERAGE.files, [("applied", ""), ("frozen", "f")]), False, Verdict.REFUSED),
        (Applied(AVERAGE.files, [("rolled_back", "b")]), True, Verdict.CUT),
        (Applied(AVERAGE.files, [("rolled_back", "b")]), False, Verdict.FAILED),
        (Applied(AVERAGE.files), True, Verdict.CUT),
        (Applied(AVERAGE.files, DONE, error="e"), False, Verdict.FAILED),
        (
            Applied(edited(AVERAGE, "best = values[0]", "best = 0"), DONE),
            False,
            Verdict.WRONG_PLACE,
        ),
        (Applied(edited(AVERAGE, "// len(values)", "% len(values)"), DONE), False, Verdict.WRONG),
    ],
)
def test_each_way_has_its_verdict(applied: Applied, was_cut: bool, verdict: Verdict) -> None:
    assert judge(AVERAGE, applied, was_cut=was_cut).verdict is verdict


@needs_sandbox
def test_a_right_answer_that_strays_is_right_and_says_so() -> None:
    text = AVERAGE.solved[AVERAGE.path].replace("best = values[0]", "best = values[0]  # first")
    judged = judge(AVERAGE, Applied({AVERAGE.path: text}, DONE))
    assert (judged.verdict, judged.stray) == (Verdict.RIGHT, True)
    assert not judge(AVERAGE, Applied(AVERAGE.solved, DONE)).stray


@needs_sandbox
def test_lost_files_are_told_whatever_the_verdict() -> None:
    gone = {path: text for path, text in MOVES.solved.items() if path != "settings.py"}
    judged = judge(MOVES, Applied(gone, DONE))
    assert (judged.verdict, judged.lost) == (Verdict.WRONG, ("settings.py",))


@needs_sandbox
def test_a_path_that_no_project_may_hold_is_wrong_and_not_an_error() -> None:
    files = {**AVERAGE.solved, "../outside.py": "x = 1\n"}
    assert judge(AVERAGE, Applied(files, DONE)).verdict is not Verdict.RIGHT


def test_a_move_that_arrived_loses_nothing_and_one_that_did_not_does() -> None:
    assert lost_files(MOVES, MOVES.solved) == ()
    kept = {**MOVES.files, **MOVES.solved}
    assert lost_files(MOVES, kept) == ()
    gone = {path: text for path, text in MOVES.files.items() if path != "helper_text.py"}
    assert lost_files(MOVES, gone) == ("helper_text.py",)
    emptied = {**MOVES.solved, "helpers/text.py": "\n"}
    assert lost_files(MOVES, emptied) == ("helper_text.py",)


def test_where_lines_changed() -> None:
    assert changes("a\nb\nc\n", "a\nB\nc\n") == [(1, 2)]
    assert changes("a\nb\n", "a\nnew\nb\n") == [(1, 1)]
    assert changes("a\nb\n", "a\n\n\nb\n") == []
    assert changes("a\nb\n", "a\nb\n\nnew\n") == [(2, 2)]


def test_what_is_added_behind_the_blank_lines_of_the_place_is_there() -> None:
    task = TASKS["long_guard_named"]
    ((first, end),) = task.may[task.path]
    lines = task.files[task.path].splitlines(keepends=True)
    behind = [*lines[: end + 2], "def more() -> None: ...\n\n\n", *lines[end + 2 :]]
    assert changed(task, {task.path: "".join(behind)}) == (True, False)
    further = [*lines[: end + 4], "    x = 1\n", *lines[end + 4 :]]
    assert changed(task, {task.path: "".join(further)}) == (False, True)


def test_a_new_file_that_nobody_asked_for_is_elsewhere() -> None:
    assert changed(AVERAGE, {**AVERAGE.files, "new.py": "x = 1\n"}) == (False, True)
    assert changed(MOVES, MOVES.solved) == (True, False)
