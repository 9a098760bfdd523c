"""What an answer came to: the test in the sandbox decides, and where lines changed tells the rest.

Files that the answer lost are counted apart, whatever the verdict: a file that is gone, or empty,
and was neither before, unless the task moves it and it arrived.
"""

from __future__ import annotations

import difflib
import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.eval.tasks import ALL_DONE, Span, Task
from webapp.checks.sandbox import Limits, Sandbox

_LIMITS = Limits(wall_s=20, cpu_s=15)


class Verdict(enum.StrEnum):
    """What became of one task; the first that is true."""

    ERROR = "error"  # the endpoint failed
    RIGHT = "right"  # the test passes
    NO_EDIT = "no edit"  # the answer held none, or one that changes nothing
    REFUSED = "refused"  # the guard or the locator said no to at least one edit
    CUT = "cut off"  # the answer ended inside an edit, at its limit
    FAILED = "failed to apply"  # an edit was neither applied nor refused for a reason of ours
    WRONG_PLACE = "wrong place"  # lines changed elsewhere only, and not where the task is
    WRONG = "wrong"  # it was applied where it belongs, and the test fails


@dataclass(frozen=True)
class Applied:
    """What the landing made of an answer. Texts are ordinary str with LF.

    `statuses` has one for each edit of the answer: applied, refused, frozen or rolled_back, each
    with its reason. `error` is set where the answer could not be read as edits at all.
    """

    files: Mapping[str, str]
    statuses: Sequence[tuple[str, str]] = ()
    error: str = ""


@dataclass(frozen=True)
class Judged:
    """A verdict, with what it rests on. `stray` is whether lines changed outside the task's."""

    verdict: Verdict
    lost: tuple[str, ...] = ()
    stray: bool = False
    said: str = ""


def judge(task: Task, applied: Applied, *, was_cut: bool = False) -> Judged:
    """Run the task's test on the files and return the verdict. Raises NoSandbox."""
    lost = lost_files(task, applied.files)
    inside, outside = changed(task, applied.files)
    passed, said = passes(task, applied.files)

    def judged(verdict: Verdict, words: str = "") -> Judged:
        return Judged(verdict, lost, outside, words)

    if passed:
        return judged(Verdict.RIGHT)
    refused = [reason for status, reason in applied.statuses if status in ("refused", "frozen")]
    undone = [reason for status, reason in applied.statuses if status == "rolled_back"]
    if refused:
        return judged(Verdict.REFUSED, refused[0])
    if undone:
        return judged(Verdict.CUT if was_cut else Verdict.FAILED, undone[0])
    if applied.error and applied.statuses:
        return judged(Verdict.FAILED, applied.error)
    if not (inside or outside):
        return judged(Verdict.CUT if was_cut else Verdict.NO_EDIT, applied.error)
    if outside and not inside:
        return judged(Verdict.WRONG_PLACE, said)
    return judged(Verdict.WRONG, said)


def passes(task: Task, files: Mapping[str, str]) -> tuple[bool, str]:
    """Say whether the test passes on the files, and what it said. Raises NoSandbox.

    It must come to its last line: code under test that ends the process early fails.
    """
    together = {**files, **task.tests}
    encoded = {path: text.encode("utf-8", "replace") for path, text in together.items()}
    try:
        result = Sandbox().run(encoded, task.command, _LIMITS)
    except ValueError as error:  # a path that the model made up
        return False, str(error)
    lines = result.text.splitlines()
    if result.timed_out:
        return False, "It did not end in time."
    return result.passed and ALL_DONE in lines[-1:], lines[-1] if lines else ""


def lost_files(task: Task, files: Mapping[str, str]) -> tuple[str, ...]:
    """Return the paths whose text the answer took away."""
    lost = []
    for path, text in task.files.items():
        there = files.get(task.moves.get(path, path)) or files.get(path)
        if text.strip() and not (there or "").strip():
            lost.append(path)
    return tuple(lost)


def changed(task: Task, files: Mapping[str, str]) -> tuple[bool, bool]:
    """Say whether lines changed where the task allows it, and elsewhere."""
    inside = outside = False
    for path in {*task.files, *files}:
        spans = [_with_blanks(task.files[path], span) for span in task.may.get(path, ())]
        new = path not in task.files
        wanted = new and path in task.solved
        for first, end in changes(task.files.get(path, ""), files.get(path, "")):
            if task.anywhere or wanted or any(a <= first and end <= b for a, b in spans):
                inside = True
            elif any(first < b and a < end for a, b in spans):
                inside = outside = True
            else:
                outside = True
    return inside, outside


def _with_blanks(text: str, span: Span) -> Span:
    """Widen lines by the blank ones around them: what is added there may stand behind those."""
    lines = text.splitlines()
    first, end = span
    while first > 0 and not lines[first - 1].strip():
        first -= 1
    while end < len(lines) and not lines[end].strip():
        end += 1
    return first, end


def changes(before: str, after: str) -> list[Span]:
    """Return the lines of `before` that differ, or between which something went in. Blank lines do
    not count: where a function ends in them is nobody's place."""
    old, new = before.splitlines(), after.splitlines()
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    found = []
    for kind, first, end, new_first, new_end in matcher.get_opcodes():
        if kind == "equal" or not any(
            line.strip() for line in (*old[first:end], *new[new_first:new_end])
        ):
            continue
        while first < end and not old[first].strip():
            first += 1
        while first < end and not old[end - 1].strip():
            end -= 1
        found.append((first, end))
    return found
