"""What can still become of an edit that is withheld: written later, by a yes, or never. Pure.

Whoever keeps one (`Held`) tells it of every change of every file from the moment on that it was
handed over, whoever makes the change, and of files that go. `take` says what is to be done for a
yes, as values (`Deed`); doing it, and as whom, is the keeper's. A keeper that wants it no more just
lets go of it.

What always holds: a frozen edit is written exactly as it was shown, or not at all: where somebody
changed the lines meanwhile, `take` answers with a sentence and nothing is written. A yielded one is
a person's own wish to have the model's lines in place of what stands there now.

Offsets are UTF-16; texts are utf16 text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from webapp.document.changes import ChangeSet
from webapp.document.tree import clash
from webapp.engine.formats.whole_writer import Flush, Mark
from webapp.engine.landing import sentences as say
from webapp.engine.landing.writer import Writer


class Doc(Protocol):
    """A file of the project, as it is now."""

    @property
    def id(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def is_text(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Write:
    """Change a file; the flush's marks are the hunk or hunks that it makes, all applied."""

    file: str
    flush: Flush


@dataclass(frozen=True, slots=True)
class Create:
    """Make a file with this text, which is not there yet."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Delete a file."""

    file: str


@dataclass(frozen=True, slots=True)
class Rename:
    """Give a file another path."""

    file: str
    to: str


Deed = Write | Create | Remove | Rename


class Held(Protocol):
    """A withheld edit that can still be made."""

    def follow(self, file: str, change: ChangeSet) -> None:
        """Hear of a change of a file, by its id."""
        ...

    def forget(self, file: str) -> None:
        """Hear that a file is gone, by its id."""
        ...

    def old(self, files: Collection[Doc]) -> str | None:
        """Return what stands now where it would go; None when it can go nowhere any more."""
        ...

    def take(self, files: Collection[Doc]) -> Deed | str:
        """Return what is to be done for a yes, or the sentence that says why it cannot be.

        To be called once, and the deed done before anything else is.
        """
        ...


def doc_of(files: Collection[Doc], id: str) -> Doc | None:
    """Return the file with this id."""
    return next((file for file in files if file.id == id), None)


class HeldEdit:
    """New lines in place of [start, end) of a file.

    `new` is what stands there afterwards. With `make`, which gives a writer for the range in a
    text, and `raw`, what the model wrote, only what differs is written, as long as nobody touched
    the range; else it is replaced as a whole. `careful` is a frozen edit: it goes nowhere any more
    once somebody changed something in there.
    """

    def __init__(
        self,
        file: str,
        path: str,
        span: tuple[int, int],
        new: str,
        make: Callable[[str, int, int], Writer] | None = None,
        raw: str = "",
        *,
        careful: bool,
    ) -> None:
        self.file = file
        self.path = path
        self.start, self.end = span
        self.new = new
        self._make = make
        self._raw = raw
        self._careful = careful
        self._is_gone = self._is_touched = False

    def follow(self, file: str, change: ChangeSet) -> None:
        """Move with the text; note when something in the range becomes other than was shown."""
        if file != self.file or self._is_gone:
            return
        for start, end, *_ in change.iter_changes(True):
            if start < self.end and end > self.start:
                self._is_touched = True
        if self.start == self.end:
            self.start = self.end = change.map_pos(self.start, -1)
            return
        end = change.map_pos(self.end, -1)
        self.start, self.end = min(change.map_pos(self.start, 1), end), end

    def forget(self, file: str) -> None:
        """Note that the file is gone."""
        self._is_gone = self._is_gone or file == self.file

    def old(self, files: Collection[Doc]) -> str | None:
        """Return the lines that it would replace."""
        doc = doc_of(files, self.file)
        if doc is None or self._is_gone or (self._careful and self._is_touched):
            return None
        return doc.text[self.start : self.end]

    def take(self, files: Collection[Doc]) -> Deed | str:
        """Return the write."""
        doc = doc_of(files, self.file)
        if doc is None or self._is_gone:
            return say.GONE_SINCE % {"path": self.path}
        if self._careful and self._is_touched:
            return say.CHANGED_SINCE % {"path": doc.path}
        return Write(self.file, self._flush(doc.text))

    def _flush(self, text: str) -> Flush:
        if self._make is not None and not self._is_touched:
            writer = self._make(text, self.start, self.end)
            writer.push(self._raw)
            writer.close()
            flush = writer.take(text)
            return flush or Flush(None, (), self.end)
        old = text[self.start : self.end]
        change = ChangeSet.of(len(text), [(self.start, self.end, self.new)], keep_cr=True)
        end = self.start + len(self.new)
        added, removed = lines_in(self.new), lines_in(old)
        mark = Mark(0, self.start, end, old, "applied", added, removed)
        return Flush(None if change.is_empty else change, (mark,), end)


class HeldCreate:
    """A file that is not there yet."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    def follow(self, file: str, change: ChangeSet) -> None:
        """No change of another file matters."""

    def forget(self, file: str) -> None:
        """No other file matters."""

    def old(self, files: Collection[Doc]) -> str | None:
        """Return nothing, as long as the path is free."""
        return None if clash(self.path, [file.path for file in files]) else ""

    def take(self, files: Collection[Doc]) -> Deed | str:
        """Return the creation, if the path is still free."""
        problem = clash(self.path, [file.path for file in files])
        return problem or Create(self.path, self.text)


class HeldFile:
    """A file that is to go, or to have another path. It needs no careful following: what people
    type in it meanwhile is theirs to see, and goes, or moves, with the file."""

    def __init__(self, file: str, path: str, to: str = "") -> None:
        self.file = file
        self.path = path
        self.to = to

    def follow(self, file: str, change: ChangeSet) -> None:
        """A file may be typed in until it goes."""

    def forget(self, file: str) -> None:
        """`take` sees it."""

    def old(self, files: Collection[Doc]) -> str | None:
        """Return the file's text."""
        doc = doc_of(files, self.file)
        return doc.text if doc is not None else None

    def take(self, files: Collection[Doc]) -> Deed | str:
        """Return the deletion or the move, if the file is there and the path free."""
        doc = doc_of(files, self.file)
        if doc is None:
            return say.GONE_SINCE % {"path": self.path}
        if not self.to:
            return Remove(self.file)
        others = [file.path for file in files if file.id != self.file]
        return clash(self.to, others) or Rename(self.file, self.to)


def lines_in(text: str) -> int:
    """Return how many lines a text has; one without its LF counts."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)
