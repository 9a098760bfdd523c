"""The tasks, as they stand in tasks/*.txt.

A file begins with `name: value` lines: `kind`, `prompt`, `file` (the one in focus), and, where they
are wanted, `mention` (files that the person named with @), `test` (the command, else
`python3 check.py`), `may: *` (any line may change), `moves` (`old -> new`). Then come sections:

    === file PATH     a file of the project
    === test PATH     a file that only the test has
    === edit PATH     of the solution: old text, a line `---`, new text
    === new PATH      of the solution: a new file

Lines of their own inside files mark places, and are taken out: `>>>may` and `<<<may` around the
lines that the task is about (none between them: something goes in here), `>>>select` and
`<<<select` around what the person selected, `>>>caret` before the line where the caret stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from webapp.document.text import to_utf16

FOLDER: Final = Path(__file__).parent / "tasks"
ALL_DONE: Final = "all checks were made"
_SAYS_SO: Final = {".py": f'print("{ALL_DONE}")\n', ".mjs": f'console.log("{ALL_DONE}");\n'}
_SECTION = re.compile(r"(?m)^=== (file|test|edit|new) (\S+)\n")
_MARK = re.compile(r">>>(may|select|caret)|<<<(may|select)")

Span = tuple[int, int]
"""Lines, counted from 0, the last one excluded; empty where something is to go in."""


class BadTask(ValueError):
    """A task file that cannot be read; the text names it."""


@dataclass(frozen=True)
class Task:
    """One task. Texts are ordinary str with LF."""

    name: str
    kind: str
    prompt: str
    path: str
    files: Mapping[str, str]
    solved: Mapping[str, str]
    """The files as a right answer leaves them."""
    tests: Mapping[str, str]
    command: tuple[str, ...]
    mentioned: tuple[str, ...] = ()
    may: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    anywhere: bool = False
    moves: Mapping[str, str] = field(default_factory=dict)
    selection_utf16: tuple[int, int] | None = None


@cache
def all_tasks() -> tuple[Task, ...]:
    """Return the tasks by name. Raises BadTask."""
    return tuple(read(path.stem, path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.txt")))


def read(name: str, text: str) -> Task:
    """Return the task that a file describes. Raises BadTask."""
    head, *rest = _SECTION.split(text)
    values = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    sections = list(zip(rest[::3], rest[1::3], rest[2::3], strict=True))
    files: dict[str, str] = {}
    may: dict[str, tuple[Span, ...]] = {}
    selection: tuple[int, int] | None = None
    for kind, path, body in sections:
        if kind == "file":
            files[path], marks = _marked(body.rstrip("\n") + "\n")
            if "may" in marks:
                may[path] = tuple(marks["may"])
            for first, end in marks.get("select", ()):
                selection = _offsets(files[path], first, end)
            for line, _ in marks.get("caret", ()):
                selection = _offsets(files[path], line, line)
    moves = dict(each.split(" -> ") for each in _listed(values.get("moves", "")))
    tests = {
        path: body.rstrip("\n") + "\n" + _SAYS_SO[Path(path).suffix]
        for kind, path, body in sections
        if kind == "test"
    }
    try:
        return Task(
            name=name,
            kind=values["kind"],
            prompt=values["prompt"],
            path=values["file"],
            files=files,
            solved=_solved(name, files, moves, sections),
            tests=tests,
            command=tuple(values.get("test", "python3 check.py").split()),
            mentioned=tuple(_listed(values.get("mention", ""))),
            may=may,
            anywhere=values.get("may") == "*",
            moves=moves,
            selection_utf16=selection,
        )
    except KeyError as error:
        raise BadTask(f"{name}: there is no {error}") from None


def _solved(
    name: str,
    files: Mapping[str, str],
    moves: Mapping[str, str],
    sections: list[tuple[str, str, str]],
) -> dict[str, str]:
    solved = {moves.get(path, path): text for path, text in files.items()}
    for kind, path, body in sections:
        if kind == "new":
            solved[path] = body.rstrip("\n") + "\n"
        if kind == "edit":
            old, divider, new = body.partition("\n---\n")
            old, new = old.rstrip("\n"), new.rstrip("\n")
            if not divider or solved.get(path, "").count(old) != 1:
                raise BadTask(f"{name}: the solution's old text is not there once: {old!r}")
            solved[path] = solved[path].replace(old, new)
    return solved


def _marked(text: str) -> tuple[str, dict[str, list[Span]]]:
    lines: list[str] = []
    opened: dict[str, int] = {}
    found: dict[str, list[Span]] = {}
    for line in text.splitlines(keepends=True):
        mark = _MARK.fullmatch(line.strip())
        if mark is None:
            lines.append(line)
        elif mark[1] == "caret":
            found.setdefault("caret", []).append((len(lines), len(lines)))
        elif mark[1]:
            opened[mark[1]] = len(lines)
        else:
            found.setdefault(mark[2], []).append((opened.pop(mark[2]), len(lines)))
    return "".join(lines), found


def _offsets(text: str, first: int, end: int) -> tuple[int, int]:
    lines = [len(to_utf16(line)) for line in text.splitlines(keepends=True)]
    return sum(lines[:first]), sum(lines[:end])


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]
