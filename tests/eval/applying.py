"""From an answer to edited files, through the parser, the landing and the guard of live turns.

Where an answer in the format `whole` is one complete block for the file in focus, what stands there
afterwards is also compared with the block itself: an edit that says it was applied and was not
would otherwise look like a mistake of the model's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from tests.eval.judging import Applied
from webapp.document.changes import ChangeSet
from webapp.document.text import from_utf16, line_start, to_utf16
from webapp.engine import formats
from webapp.engine.formats.whole_writer import Flush
from webapp.engine.guard import Rules
from webapp.engine.landing.desk import Desk
from webapp.engine.landing.held import Doc, Held
from webapp.engine.landing.landing import landing
from webapp.engine.landing.withheld import Withheld
from webapp.engine.landing.workspace import Focus
from webapp.engine.prompt import Brief

_PIECE_CHARS: Final = 4
"""About a token: an answer streams."""
_BLOCK = re.compile(r"(?:[^\n`]*\n)?```[^\n`]*\n(.*?)^```[^\S\n]*\n?", re.DOTALL | re.MULTILINE)


class _File:
    def __init__(self, path: str, text: str) -> None:
        self.id = path
        self.path = path
        self.text = text
        self.is_text = True


class _Project:
    """The task's files in memory, where nobody types meanwhile."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = {path: _File(path, to_utf16(text)) for path, text in files.items()}
        self._open: set[tuple[str, int, int]] = set()

    @property
    def files(self) -> Collection[Doc]:
        return self._files.values()

    def may_write(self) -> bool:
        return True

    def create(self, path: str, ending: str) -> Doc:
        made = self._files[path] = _File(path, "")
        return made

    def discard(self, file: Doc) -> None:
        del self._files[file.id]

    remove = discard

    def rename(self, file: Doc, path: str) -> None:
        self._files[file.id].path = path

    def write(self, file: Doc, flush: Flush, writer: int) -> None:
        if flush.change is not None:
            self._files[file.id].text = flush.change.apply(file.text)
        for mark in flush.marks:
            key = file.id, writer, mark.key
            (self._open.add if mark.status == "open" else self._open.discard)(key)

    def undone(self, file: Doc) -> ChangeSet | None:
        return None

    def roll_back(self, file: Doc, change: ChangeSet, *, settles: bool) -> bool:
        if not self.keep(file):
            return False
        self._files[file.id].text = change.apply(file.text)
        return True

    def keep(self, file: Doc) -> bool:
        held = {key for key in self._open if key[0] == file.id}
        self._open -= held
        return bool(held)

    def yielded(self, file: Doc) -> bool:
        return False


def apply(brief: Brief, files: Mapping[str, str], message: str, *, was_cut: bool) -> Applied:
    """Apply an answer to the files. Deletes and moves are done unasked, as whoever asked for them
    in the prompt would say yes."""
    project = _Project(files)

    def withhold(withheld: Withheld, held: Held | None) -> None:
        """Its outcome says all that is wanted here."""

    desk = Desk(project, Rules(asks_for_files=False), withhold)
    way = landing(brief.endpoint.edit_format, desk, _focus(brief))

    def take(event: formats.Event) -> None:
        if not isinstance(event, formats.Prose):
            way.take(event)

    for at in range(0, len(message), _PIECE_CHARS):
        for event in way.parser.push(to_utf16(message[at : at + _PIECE_CHARS])):
            take(event)
        desk.flush()
    way.finish(take, cut=was_cut)
    desk.flush()
    desk.settle()
    after = {file.path: from_utf16(file.text) for file in project.files}
    outcomes = [(each.status, str(each.reason)) for each in desk.told.outcomes]
    error = ""
    if outcomes and all(status == "applied" for status, _ in outcomes):
        error = _differs(brief, after.get(brief.path, ""), message)
    return Applied(after, outcomes, error)


def _focus(brief: Brief) -> Focus:
    text = to_utf16(brief.text)
    if brief.region is None:
        return Focus(brief.path, brief.path, 0, len(text), whole=True)
    first, last = brief.region
    start, end = line_start(text, first), line_start(text, last + 1)
    return Focus(brief.path, brief.path, start, end, whole=False)


def _differs(brief: Brief, after: str, message: str) -> str:
    """Say in what way the file is not what a `whole` answer says, or nothing."""
    found = _BLOCK.fullmatch(message if message.endswith("\n") else message + "\n")
    if brief.endpoint.edit_format != "whole" or found is None or "```" in found[1]:
        return ""
    lines = brief.text.splitlines(keepends=True)
    first, last = brief.region or (1, len(lines))
    wanted = "".join([*lines[: first - 1], found[1], *lines[last:]])
    if wanted.rstrip("\n") == after.rstrip("\n"):
        return ""
    return f"{brief.path} is not what the answer says."
