"""The pen: writes one edit at a time into one file, whatever format it came in.

Text goes into a writer, which holds it until it is taken as one change: the first at once, then at
most one a frame, and only one is on its way to the disk at a time. Before each write the fence is
asked; once it is down no text of the model enters. Where a person types in the open hunk, the model
yields in the same batch.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from webapp.document.changes import ChangeSet
from webapp.document.hunks import HunkStatus
from webapp.engine.formats.whole_writer import Flush
from webapp.lib import clock
from webapp.lib.sentences import said
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


@dataclass(frozen=True, slots=True)
class Focus:
    """What the model was shown: a file, its path then, and the lines' bounds in its text."""

    file: str
    path: str
    start: int
    end: int
    whole: bool


class Writer(Protocol):
    """What turns the text of one edit into changes of its file."""

    @property
    def received_utf16(self) -> int: ...
    @property
    def applied_utf16(self) -> int: ...
    @property
    def pending(self) -> bool: ...
    def push(self, text: str) -> None: ...
    def close(self) -> None: ...
    def knows(self, line: str) -> bool: ...
    def take(self, text: str) -> Flush | None: ...
    def rollback(self, text: str) -> ChangeSet | None: ...
    def follow(self, change: ChangeSet) -> bool: ...


class Pen:
    """Holds the edit that is being written: its file and writer, or neither."""

    def __init__(
        self,
        room: Room,
        record: turn_rows.Record,
        may_write: Callable[[], bool],
        told: Callable[[], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._room = room
        self._record = record
        self._may_write = may_write
        self._told = told
        self._failed = failed
        self.file: OpenFile | None = None
        self.writer: Writer | None = None
        self._writers: list[Writer] = []
        self._hunks = TurnHunks(room, record)
        self._flushed_s = float("-inf")
        self._timer: asyncio.TimerHandle | None = None
        self._in_flight = False
        self._refused = False
        """Whether the room did not take a write, so that the writer is ahead of the text."""
        self._down = False
        self.cursor: tuple[str, int, int] | None = None
        """File, version and offset of the model's cursor."""
        self.notes: list[str] = []

    @property
    def applied_utf16(self) -> int:
        """How much of the model's text stands in files."""
        return sum(writer.applied_utf16 for writer in self._writers)

    def note(self, sentence: str) -> None:
        """Keep a sentence for people; a few at most, and none twice."""
        if sentence in self.notes:
            return
        if len(self.notes) < MOST_NOTES:
            self.notes.append(sentence)
        else:
            self.notes[MOST_NOTES:] = [say.AND_MORE]

    # One edit

    def begin(self, file: OpenFile, writer: Writer) -> None:
        """Begin an edit of `file`."""
        self._writers.append(writer)
        self.file, self.writer = file, writer

    def create(self, path: str) -> OpenFile | None:
        """Make a file, if the fence is up and the path can be had; else say why not."""
        if not self._may_write():
            return None
        try:
            file = turn_files.create(self._room, path, self._record.id)
        except turn_files.CannotCreate as refused:
            self.note(say.NOT_CREATED % {"problem": said(refused)})
            return None
        self._record.created_files.add(file.id)
        return file

    def end(self) -> None:
        """End an edit that is complete: write all of it."""
        if self.writer is not None:
            self.writer.close()
            self.flush(now=True)
        self.let_go()

    def take_back(self) -> None:
        """End an edit that must not stay, in the middle of the message."""
        self.flush(now=True)
        if self._may_write() and self.writer is not None and self.file is not None:
            self._roll_back(self.file, self.writer, kind="edit")
        self.let_go()

    def let_go(self) -> None:
        """Write nothing more of this edit; what stands of it stays."""
        self.file = self.writer = None

    # Writes

    def schedule(self) -> None:
        """See to it that what waits is written, in a frame's time at the latest."""
        writer = self.writer
        if writer is None or not writer.pending or self._in_flight or self._timer is not None:
            return
        wait_s = self._flushed_s + FRAME_S - clock.monotonic()
        if wait_s <= 0:
            self.flush()
        else:
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._due)

    def _due(self) -> None:
        self._timer = None
        self._try(self.flush)

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

    def flush(self, *, now: bool = False) -> None:
        """Write what waits, unless the fence is down or (but for `now`) a write is on its way."""
        writer, file = self.writer, self.file
        if writer is None or file is None or not self._may_write() or (self._in_flight and not now):
            return
        if self._refused:
            return
        flush = writer.take(file.text)
        if flush is None:
            return
        self._flushed_s = clock.monotonic()
        # Yields were dealt with when they happened.
        marks = [mark for mark in flush.marks if mark.status != "yielded"]
        try:
            self._hunks.write(file, flush.change, len(self._writers), marks)
        except (Gone, TooBig):
            self._refused = True
            raise
        self._in_flight = self._in_flight or flush.change is not None
        self.cursor = file.id, file.version, flush.at
        if self._in_flight:
            self._room.after_commit(self._landed)
        self._told()

    def _roll_back(self, file: OpenFile, writer: Writer, kind: str) -> bool:
        """Take the open hunk back, and say whether there was one."""
        change = self._hunks.undone(file) if self._refused else writer.rollback(file.text)
        return change is not None and self._hunks.close_open(
            file, HunkStatus.ROLLED_BACK, change, kind
        )

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
        try:
            self.flush(now=True)
        except (Gone, TooBig) as error:
            log.info("The last text of turn %s was not written: %r", self._record.id, error)
        self.lay_down()
        writer, file = self.writer, self.file
        if writer is not None and file is not None and file.id in self._room.files:
            if keep and not self._refused and self._hunks.keep_open(file):
                self.note(say.KEPT_UNFINISHED)
                return True
            if self._roll_back(file, writer, kind="settle"):
                if tell:
                    self.note(say.UNFINISHED)
                return True
        place = self._place_to_settle()
        if must and place is not None:
            self._hunks.write_entry(place, ChangeSet.empty(len(place.text)), "settle")
        return must

    def _place_to_settle(self) -> OpenFile | None:
        files = self._room.files
        if self.file is not None and self.file.id in files:
            return self.file
        focus = (self._record.focus or {}).get("file", "")
        return files.get(focus) or next(iter(files.values()), None)

    # What other people do

    def follow(self, file_id: str, change: ChangeSet) -> None:
        """Map what is being written through somebody's change; yield where they typed."""
        writer, file = self.writer, self.file
        if writer is None or file is None or file.id != file_id:
            return
        if writer.follow(change) and self._hunks.yield_open(file):
            self.note(say.YIELDED % {"path": file.path})
            self._told()

    def forget(self, file: OpenFile) -> None:
        """A file is gone: what the model still says of it is dropped."""
        if self.file is file:
            self.note(say.DELETED % {"path": file.path})
            self.let_go()
            self._hunks.forget_open()
