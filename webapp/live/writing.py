"""From a model's text to entries of the log: parser, landing, desk, pen.

One Writing a turn. The format decides on the parser and the landing, which knows where an edit
goes (engine/landing); its desk writes into the room through the pen (writing_pen.py). What holds:

- before each write the fence is asked; once it is down no text of the model enters;
- `settle` is called once: it closes what is open and writes at most one settlement entry;
- a person's change in the open hunk makes the model yield there in the same batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from webapp.document.changes import ChangeSet
from webapp.document.text import to_utf16
from webapp.engine import formats
from webapp.engine.guard import Rules
from webapp.engine.landing.held import Held
from webapp.engine.landing.landing import landing
from webapp.engine.landing.withheld import Withheld, Withhold
from webapp.engine.landing.workspace import Focus
from webapp.engine.ports import EditFormat
from webapp.live import turn_files, turn_rows
from webapp.live.files import OpenFile
from webapp.live.writing_pen import MOST_NOTES, Pen

if TYPE_CHECKING:
    from webapp.live.room import Room

__all__ = ["MOST_NOTES", "Focus", "Writing"]


class Writing:
    """The writing side of one running turn.

    `withhold` is told of each edit that is not written; without it, the turn's notes say why.
    """

    def __init__(
        self,
        room: Room,
        record: turn_rows.Record,
        focus: Focus,
        may_write: Callable[[], bool],
        told: Callable[[], None],
        failed: Callable[[Exception], None],
        edit_format: EditFormat = "whole",
        *,
        rules: Rules | None = None,
        withhold: Withhold | None = None,
    ) -> None:
        self._room = room
        self._record = record
        withhold = withhold or self._note
        self._pen = Pen(room, record, may_write, told, failed, rules or Rules(), withhold)
        self._desk = self._pen.desk
        self._landing = landing(edit_format, self._desk, focus)
        self._settled = False
        self.prose = ""

    def _note(self, withheld: Withheld, held: Held | None) -> None:
        self._pen.note(withheld.reason)

    @property
    def applied_utf16(self) -> int:
        """How much of the model's text stands in files."""
        return self._desk.applied_utf16

    @property
    def edits(self) -> int:
        """How many edits the answer has, refused ones too."""
        return self._desk.edits

    @property
    def refused(self) -> int:
        """How many of them could not be applied."""
        return self._desk.told.refused

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

    def finish(self, *, cut: bool = False) -> None:
        """Take the end of the answer; `cut` when the model was not done."""
        self._landing.finish(self._take, cut=cut)

    def _events(self, events: list[formats.Event]) -> None:
        for event in events:
            self._take(event)

    def _take(self, event: formats.Event) -> None:
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
        for id in self._record.created_files - self._desk.meant:
            created = self._room.files.get(id)
            if created is not None and not created.text:
                turn_files.delete(self._room, created, f"turn:{self._record.id}", self._record.id)

    def drop(self) -> None:
        """Let go of everything, without a write."""
        self._settled = True
        self._pen.lay_down()

    # What other people do

    def keep_to(self, rules: Rules) -> None:
        """Ask before anything that these rules say, from now on."""
        self._desk.guard.rules = rules

    def follow(self, file_id: str, change: ChangeSet) -> None:
        """Map what is being written through somebody's change; yield where they typed."""
        if not self._settled:
            self._landing.follow(file_id, change)
            self._desk.follow(file_id, change)

    def forget(self, file: OpenFile) -> None:
        """A file is gone, and stays so: what the model still says of it is dropped."""
        self._landing.forget(file)
        self._pen.forget(file)
