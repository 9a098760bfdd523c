"""From a model's text to entries of the log: parser, landing, pen.

One Writing a turn. The format decides on the parser and the landing, which knows where an edit
goes (writing_whole.py, writing_blocks.py); the pen (writing_pen.py) alone writes. What holds:

- before each write the fence is asked; once it is down no text of the model enters;
- `settle` is called once: it closes what is open and writes at most one settlement entry;
- a person's change in the open hunk makes the model yield there in the same batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from webapp.document.changes import ChangeSet
from webapp.document.text import to_utf16
from webapp.engine import formats
from webapp.engine.ports import EditFormat
from webapp.live import turn_files, turn_rows
from webapp.live.files import OpenFile
from webapp.live.writing_blocks import BlocksLanding
from webapp.live.writing_pen import MOST_NOTES, Focus, Pen
from webapp.live.writing_whole import WholeLanding

if TYPE_CHECKING:
    from webapp.live.room import Room

__all__ = ["MOST_NOTES", "Focus", "Writing"]


class Landing(Protocol):
    """What a format's events do: which file, which lines, and when it is no edit."""

    edits: int
    """How many of its blocks were edits, refused ones too."""

    @property
    def parser(self) -> formats.Parser: ...
    def take(self, event: formats.Event) -> str: ...
    def follow(self, file_id: str, change: ChangeSet) -> None: ...
    def forget(self, file: OpenFile) -> None: ...


_LANDINGS: Final[dict[EditFormat, Callable[[Room, Focus, Pen], Landing]]] = {
    "whole": WholeLanding,
    "blocks": BlocksLanding,
}


class Writing:
    """The writing side of one running turn."""

    def __init__(
        self,
        room: Room,
        record: turn_rows.Record,
        focus: Focus,
        may_write: Callable[[], bool],
        told: Callable[[], None],
        failed: Callable[[Exception], None],
        edit_format: EditFormat = "whole",
    ) -> None:
        self._room = room
        self._record = record
        self._pen = Pen(room, record, may_write, told, failed)
        self._landing = _LANDINGS[edit_format](room, focus, self._pen)
        self._settled = False
        self.prose = ""

    @property
    def applied_utf16(self) -> int:
        """How much of the model's text stands in files."""
        return self._pen.applied_utf16

    @property
    def edits(self) -> int:
        """How many of the answer's blocks were edits, refused ones too."""
        return self._landing.edits

    @property
    def notes(self) -> list[str]:
        """What went wrong with edits, as sentences for people."""
        return self._pen.notes

    @property
    def cursor(self) -> tuple[str, int, int] | None:
        """File, version and offset of the model's cursor."""
        return self._pen.cursor

    def feed(self, text: str) -> None:
        """Take the next piece of the answer."""
        self._events(self._landing.parser.push(to_utf16(text)))
        self._pen.schedule()

    def finish(self) -> None:
        """Take the end of the answer."""
        self._events(self._landing.parser.finish())

    def _events(self, events: list[formats.Event]) -> None:
        for event in events:
            if isinstance(event, formats.Prose):
                self.prose += event.text
            else:
                self.prose += self._landing.take(event)

    def settle(self, *, must: bool, tell: bool, keep: bool = False) -> None:
        """Close everything. With the fence still up, first write what waits.

        Writes one settlement entry when an unfinished hunk is taken back, or when it `must`: then
        the log shows where a turn that did not end by itself ended, though nothing was open. With
        `tell` the turn's notes say that something was taken back. `keep` leaves an unfinished hunk
        where it is, as one that is applied.
        """
        if self._settled:
            return
        self._settled = True
        self._record.settled = self._pen.settle(must=must, tell=tell, keep=keep)
        for id in tuple(self._record.created_files):
            created = self._room.files.get(id)
            if created is not None and not created.text:
                turn_files.delete(self._room, created, f"turn:{self._record.id}", self._record.id)

    def drop(self) -> None:
        """Let go of everything, without a write."""
        self._settled = True
        self._pen.lay_down()

    # What other people do

    def follow(self, file_id: str, change: ChangeSet) -> None:
        """Map what is being written through somebody's change; yield where they typed."""
        if not self._settled:
            self._landing.follow(file_id, change)
            self._pen.follow(file_id, change)

    def forget(self, file: OpenFile) -> None:
        """A file is gone, and stays so: what the model still says of it is dropped."""
        self._landing.forget(file)
        self._pen.forget(file)
