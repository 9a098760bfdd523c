"""The pen: a room as the landings write into it (engine/landing), at the pace of its screens.

What an edit writes waits in the desk until it is taken as one change: the first at once, then at
most one a frame, and only one is on its way to the disk at a time. Before each write the fence is
asked; once it is down no text of the model enters. Where a person types in the open hunk, the model
yields in the same batch.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from webapp.document.changes import ChangeSet
from webapp.document.hunks import HunkStatus
from webapp.document.text import LineEnding
from webapp.engine.formats.whole_writer import Flush
from webapp.engine.guard import Rules
from webapp.engine.landing.desk import Desk
from webapp.engine.landing.held import Doc
from webapp.engine.landing.sentences import YIELDED
from webapp.engine.landing.withheld import Withhold
from webapp.lib import clock
from webapp.live import turn_files, turn_rows
from webapp.live import turn_sentences as say
from webapp.live.files import OpenFile
from webapp.live.ports import Gone, TooBig
from webapp.live.turn_hunks import TurnHunks

if TYPE_CHECKING:
    from webapp.live.room import Room

log = logging.getLogger(__name__)

FRAME_S: Final = 0.016
MOST_NOTES: Final = 8
"""How many of a turn's mishaps are told one by one."""


class Pen:
    """Writes for one running turn. The files of its desk are the room's own."""

    def __init__(
        self,
        room: Room,
        record: turn_rows.Record,
        may_write: Callable[[], bool],
        told: Callable[[], None],
        failed: Callable[[Exception], None],
        rules: Rules,
        withhold: Withhold,
    ) -> None:
        self._room = room
        self._record = record
        self._may_write = may_write
        self._told = told
        self._failed = failed
        self.desk: Final = Desk(self, rules, withhold)
        self._hunks = TurnHunks(room, record)
        self._flushed_s = float("-inf")
        self._timer: asyncio.TimerHandle | None = None
        self._in_flight = False
        self._down = False
        self.cursor: tuple[str, int, int] | None = None
        """File, version and offset of the model's cursor."""
        self.notes: list[str] = []

    def note(self, sentence: str) -> None:
        """Keep a sentence for people; a few at most, and none twice."""
        if sentence in self.notes:
            return
        if len(self.notes) < MOST_NOTES:
            self.notes.append(sentence)
        else:
            self.notes[MOST_NOTES:] = [say.AND_MORE]

    # When it writes

    def schedule(self) -> None:
        """See to it that what waits is written, in a frame's time at the latest."""
        if not self.desk.pending or self._in_flight or self._timer is not None:
            return
        wait_s = self._flushed_s + FRAME_S - clock.monotonic()
        if wait_s <= 0:
            self.desk.flush()
        else:
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._due)

    def _due(self) -> None:
        self._timer = None
        if not self._in_flight:
            self._try(self.desk.flush)

    def _landed(self) -> None:
        self._in_flight = False
        if not self._down:
            self._try(self.schedule)

    def _try(self, act: Callable[[], None]) -> None:
        """Do what the event loop calls; what goes wrong is the driver's to hear."""
        try:
            act()
        except Exception as error:  # noqa: BLE001 - handed on
            self._failed(error)

    # The workspace

    @property
    def files(self) -> Collection[Doc]:
        """The files as they are now."""
        return self._room.files.values()

    def may_write(self) -> bool:
        """Say whether the fence is up."""
        return self._may_write()

    def create(self, path: str) -> Doc:
        """Make an empty file; raises CannotCreate."""
        file = turn_files.create(self._room, path, self._record.id)
        self._record.created_files.add(file.id)
        return file

    def discard(self, file: Doc) -> None:
        """Take away a file that the turn made."""
        turn = self._record.id
        self._record.created_files.discard(file.id)
        turn_files.delete(self._room, self._open(file), f"turn:{turn}", turn)

    def write(self, file: Doc, flush: Flush, writer: int) -> None:
        """Make a change, and keep the hunks that it tells of."""
        open_file = self._open(file)
        self._flushed_s = clock.monotonic()
        self._hunks.write(open_file, flush.change, writer, list(flush.marks))
        self._in_flight = self._in_flight or flush.change is not None
        self.cursor = file.id, open_file.version, flush.at
        if self._in_flight:
            self._room.after_commit(self._landed)
        self._told()

    def undone(self, file: Doc) -> ChangeSet | None:
        """Return the change that puts back what the open hunk replaced, or None without one."""
        return self._hunks.undone(self._open(file))

    def roll_back(self, file: Doc, change: ChangeSet, *, settles: bool) -> bool:
        """Close the open hunk by this change, which takes it back; say if there was one."""
        kind = "settle" if settles else "edit"
        return self._hunks.close_open(self._open(file), HunkStatus.ROLLED_BACK, change, kind)

    def keep(self, file: Doc) -> bool:
        """Close the open hunk as it stands; say if there was one."""
        return self._hunks.keep_open(self._open(file))

    def yielded(self, file: Doc) -> bool:
        """Let go of the open hunk, as somebody typed in it; say if there was one."""
        if not self._hunks.yield_open(self._open(file)):
            return False
        self.note(YIELDED % {"path": file.path})
        self._told()
        return True

    def remove(self, file: Doc) -> None:
        """Delete a file, as the message asked."""
        turn = self._record.id
        turn_files.delete(self._room, self._open(file), f"turn:{turn}", turn)

    def rename(self, file: Doc, path: str) -> None:
        """Give a file another path, as the message asked."""
        turn_files.rename(self._room, self._open(file), path, self._record.id)

    def end_lines(self, file: Doc, ending: LineEnding) -> None:
        """Keep how the lines of a file end that had none."""
        turn_files.end_lines(self._room, self._open(file), ending)

    def _open(self, file: Doc) -> OpenFile:
        """Return the room's file; raises Gone."""
        found = self._room.files.get(file.id)
        if found is None:
            raise Gone(file.id)
        return found

    # The end

    def lay_down(self) -> None:
        """Write nothing more by itself."""
        self._down = True
        if self._timer is not None:
            self._timer.cancel()

    def settle(self, *, must: bool, tell: bool, keep: bool) -> bool:
        """Close the open hunk by one settlement entry, and say whether there is one.

        Without an open hunk there is one when it `must`. `keep` leaves the hunk where it is.
        """
        file = self._file_in_hand()
        try:
            self.desk.flush()
        except (Gone, TooBig) as error:
            log.info("The last text of turn %s was not written: %r", self._record.id, error)
        self.lay_down()
        settled = self.desk.settle(keep=keep)
        if settled == "kept":
            self.note(say.KEPT_UNFINISHED)
        elif settled and tell:
            self.note(say.UNFINISHED)
        if settled:
            return True
        place = file or self._place_to_settle()
        if must and place is not None:
            self._hunks.write_entry(place, ChangeSet.empty(len(place.text)), "settle")
        return must

    def _file_in_hand(self) -> OpenFile | None:
        edit = self.desk.writing
        return self._room.files.get(edit.doc.id) if edit is not None and edit.doc else None

    def _place_to_settle(self) -> OpenFile | None:
        files = self._room.files
        focus = (self._record.focus or {}).get("file", "")
        return files.get(focus) or next(iter(files.values()), None)

    # What other people do

    def forget(self, file: OpenFile) -> None:
        """A file is gone."""
        edit = self.desk.writing
        if edit is not None and edit.doc is file:
            self._hunks.forget_open()
        self.desk.forget(file.id)
