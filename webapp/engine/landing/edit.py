"""One edit of a model's message, from where it begins to its end. Pure.

It keeps all that the model wrote for it and where that goes, also when nothing of it is written
any more, so that in the end people can be shown what it was to be.

Offsets are UTF-16; texts are utf16 text.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field

from webapp.document.changes import ChangeSet
from webapp.document.difference import difference
from webapp.engine.formats.whole_writer import Mark
from webapp.engine.landing.held import Doc
from webapp.engine.landing.withheld import Operation
from webapp.engine.landing.writer import Writer

Make = Callable[[str, int, int], Writer]
"""Gives the writer of an edit for a text, and a range of it that holds what it is to replace."""


class State(enum.Enum):
    """What is done with the text of an edit."""

    WRITING = "it goes into the file"
    REFUSED = "it could not be applied; the rest of it is collected"
    FROZEN = "the guard wants a person's word; the rest of it is collected"
    YIELDED = "somebody typed there; the rest of it is collected"


@dataclass(slots=True)
class Place:
    """A range of a file, which everything that happens to the file moves."""

    file: str
    start: int
    end: int

    def move(self, change: ChangeSet, *, own: bool) -> None:
        """Follow a change of the file; what an own one inserts at the edges is in the range."""
        if own:
            self.start, self.end = change.map_pos(self.start, -1), change.map_pos(self.end, 1)
        elif self.start == self.end:
            self.start = self.end = change.map_pos(self.start, -1)
        else:
            end = change.map_pos(self.end, -1)
            self.start, self.end = min(change.map_pos(self.start, 1), end), end


@dataclass(slots=True)
class Edit:
    """An edit of `doc`, or of none when it was refused before there was one."""

    op: Operation
    path: str
    state: State
    doc: Doc | None = None
    make: Make | None = None
    place: Place | None = None
    """The range that it replaces, as the text is now."""
    per_place: bool = False
    """Whether each place that it changes is a hunk of its own, as in `whole`."""
    writer: Writer | None = None
    number: int = 0
    """Which of the turn's writers writes it, from 1."""
    reason: str = ""
    lines: tuple[int, int] | None = None
    """Of a refused edit: the candidate lines."""
    old: str = ""
    """Of a refused edit: what stands there."""
    is_final: bool = True
    """Of a frozen edit: whether the rest of its text can change nothing about that."""
    said: list[str] = field(default_factory=list)
    base: tuple[str, int, int] = ("", 0, 0)
    """The text and the range when it began."""
    shown: dict[int, Place] = field(default_factory=dict)
    """The hunks of it that stand and are open, by key, and what they replaced."""
    replaced: dict[int, str] = field(default_factory=dict)
    applied: int = 0
    """How many of its hunks are complete."""
    is_told: bool = False
    """Whether a part of it is withheld."""

    @property
    def new(self) -> str:
        """Return what the model wrote."""
        return "".join(self.said)

    def move(self, change: ChangeSet, *, own: bool) -> None:
        """Follow a change of its file."""
        if self.place is not None:
            self.place.move(change, own=own)
        for place in self.shown.values():
            place.move(change, own=False)

    def note(self, marks: list[Mark]) -> None:
        """Note hunks as they stand, once the change that wrote them was made."""
        for mark in marks:
            if mark.status == "open" and self.doc is not None:
                self.shown[mark.key] = Place(self.doc.id, mark.start, mark.end)
                self.replaced[mark.key] = mark.old
            else:
                self.shown.pop(mark.key, None)
            self.applied += mark.status == "applied"

    def put_back(self) -> ChangeSet | None:
        """Return the change that puts back what its open hunk replaced, or None without one."""
        if self.doc is None or not self.shown:
            return None
        edits = []
        for key, place in self.shown.items():
            stands = self.doc.text[place.start : place.end]
            for start, end, text in difference(stands, self.replaced[key]):
                edits.append((place.start + start, place.start + end, text))
        return ChangeSet.of(len(self.doc.text), edits, keep_cr=True)

    def result(self) -> str:
        """Return what would stand in its range, had nothing but the model touched it."""
        text, start, end = self.base
        if self.make is None:
            return self.new
        writer = self.make(text, start, end)
        writer.push(self.new)
        writer.close()
        flush = writer.take(text)
        if flush is None or flush.change is None:
            return text[start:end]
        after = flush.change.apply(text)
        return after[start : end + len(after) - len(text)]
