"""What the landings need of a project, in a room (live/writing_pen.py) or in memory. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from webapp.document.changes import ChangeSet
from webapp.document.text import LineEnding
from webapp.engine.formats.whole_writer import Flush
from webapp.engine.landing.held import Doc


class CannotCreate(Exception):
    """The path cannot be used; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Focus:
    """What the model was shown: a file, its path then, and the lines' bounds in its text."""

    file: str
    path: str
    start: int
    end: int
    whole: bool


class Workspace(Protocol):
    """A project's files, written by one turn. The text of a `Doc` is always the newest."""

    @property
    def files(self) -> Collection[Doc]:
        """The files as they are now."""
        ...

    def may_write(self) -> bool:
        """Say whether the fence is up."""
        ...

    def create(self, path: str) -> Doc:
        """Make an empty file; raises CannotCreate."""
        ...

    def end_lines(self, file: Doc, ending: LineEnding) -> None:
        """Hear how the lines of a file should end that had none."""
        ...

    def discard(self, file: Doc) -> None:
        """Take away a file that the turn made."""
        ...

    def write(self, file: Doc, flush: Flush, writer: int) -> None:
        """Make a change and note its hunks, which `writer` tells from another edit's.

        What it raises ends the turn; the text is then as it was.
        """
        ...

    def undone(self, file: Doc) -> ChangeSet | None:
        """Return the change that puts back what the open hunk replaced, or None without one."""
        ...

    def roll_back(self, file: Doc, change: ChangeSet, *, settles: bool) -> bool:
        """Close the open hunk by this change, which takes it back; say if there was one."""
        ...

    def keep(self, file: Doc) -> bool:
        """Close the open hunk as it stands; say if there was one."""
        ...

    def yielded(self, file: Doc) -> bool:
        """Hear that somebody typed in the open hunk; say if there was one."""
        ...

    def remove(self, file: Doc) -> None:
        """Delete a file, as the message asked."""
        ...

    def rename(self, file: Doc, path: str) -> None:
        """Give a file another path, as the message asked."""
        ...
