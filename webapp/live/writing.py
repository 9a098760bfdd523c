"""From a model's text to entries of the log: parser, target, line diff, fence, room.

One Writing a turn. Text comes in as it streams; writes are coalesced to one change a frame, the
first at once, and only one is on its way to the disk at a time. What always holds:

- before each write the fence is asked; once it is down no text of the model enters;
- `settle` is called once: it closes what is open and writes at most one settlement entry;
- a person's change in the open hunk makes the model yield there in the same batch.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from webapp.document.changes import ChangeSet
from webapp.document.hunks import HunkStatus
from webapp.document.text import to_utf16
from webapp.engine import formats
from webapp.engine.formats.targets import Example, Existing, New, resolve
from webapp.engine.formats.whole import WholeParser
from webapp.engine.formats.whole_writer import RegionWriter
from webapp.engine.ports import EditFormat
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


@dataclass(frozen=True, slots=True)
class Focus:
    """What the model was shown: a file, its path then, and the lines' bounds in its text."""

    file: str
    path: str
    start: int
    end: int
    whole: bool


@dataclass(slots=True)
class _Block:
    """The block that is being parsed: its file and writer, or neither when it is no edit."""

    file: OpenFile | None = None
    writer: RegionWriter | None = None
    example: bool = False


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
        self._focus = focus
        self._may_write = may_write
        self._told = told
        self._failed = failed
        file = room.files[focus.file]
        # Made of the text that the model is shown, so that what people type from now on wins.
        self._shown: RegionWriter | None = RegionWriter(file.text, focus.start, focus.end)
        self._parser: formats.Parser = WholeParser(focus.path)
        self._block = _Block()
        self._writers: list[RegionWriter] = []
        self._written: list[str] = []
        self._hunks = TurnHunks(room, record)
        self._flushed_s = float("-inf")
        self._timer: asyncio.TimerHandle | None = None
        self._in_flight = False
        self._refused = False
        """Whether the room did not take a write, so that the writer is ahead of the text."""
        self._settled = False
        self.prose = ""
        self.notes: list[str] = []
        self.cursor: tuple[str, int, int] | None = None
        """File, version and offset of the model's cursor."""
        self._deleted: set[str] = set()
        """Paths that somebody deleted while the turn ran; their word counts."""
        self.edits = 0
        """How many blocks were edits, refused ones too."""

    @property
    def applied_utf16(self) -> int:
        """How much of the model's text stands in files."""
        return sum(writer.applied_utf16 for writer in self._writers)

    def feed(self, text: str) -> None:
        """Take the next piece of the answer."""
        self._events(self._parser.push(to_utf16(text)))
        self._schedule()

    def finish(self) -> None:
        """Take the end of the answer."""
        self._events(self._parser.finish())

    # Events

    def _events(self, events: list[formats.Event]) -> None:
        for event in events:
            match event:
                case formats.Prose(text):
                    self.prose += text
                case formats.FileStart():
                    self._start(event)
                case formats.Text(text):
                    self._text(text)
                case formats.Omission(text):
                    self._omission(text)
                case formats.FileEnd():
                    self._end(event)

    def _start(self, start: formats.FileStart) -> None:
        paths = {file.path: file for file in self._room.files.values()}
        known = [*paths, self._focus.path]
        target = resolve(start, known, self._focus.path, self._written)
        self._block = _Block()
        match target:
            case Example():
                self._block.example = True
                self.prose += start.opening
            case Existing(path) if path == self._focus.path:
                self._written.append(path)
                self._start_in_focus(start)
            case Existing(path):
                self._written.append(path)
                self._begin(paths[path], RegionWriter(paths[path].text))
            case New(path) if path in self._deleted:
                self.edits += 1
                self._note(str(say.DELETED % {"path": path}))
            case New(path):
                self._create(path)

    def _start_in_focus(self, start: formats.FileStart) -> None:
        file = self._room.files.get(self._focus.file)
        writer, self._shown = self._shown, None
        if file is None:
            self._note(str(say.DELETED % {"path": self._focus.path}))
        elif writer is not None:
            self._begin(file, writer)
        elif self._focus.whole:
            self._begin(file, RegionWriter(file.text))
        else:  # the same lines a second time: nothing says where they would go
            self._block.example = True
            self.prose += start.opening

    def _create(self, path: str) -> None:
        self.edits += 1
        if not self._may_write():
            return
        try:
            file = turn_files.create(self._room, path, self._record.id)
        except turn_files.CannotCreate as refused:
            self._note(str(say.NOT_CREATED % {"problem": refused}))
            return
        self._record.created_files.add(file.id)
        self._written.append(file.path)
        self.edits -= 1
        self._begin(file, RegionWriter(""))

    def _begin(self, file: OpenFile, writer: RegionWriter) -> None:
        self.edits += 1
        self._writers.append(writer)
        self._block = _Block(file, writer)

    def _text(self, text: str) -> None:
        if self._block.writer is not None:
            self._block.writer.push(text)
        elif self._block.example:
            self.prose += text

    def _omission(self, line: str) -> None:
        writer, file = self._block.writer, self._block.file
        if writer is None or file is None or writer.knows(line):
            self._text(line)
            return
        self._note(str(say.OMITTED % {"path": file.path, "line": line.strip()}))
        self.flush(now=True)
        if self._may_write():
            self._roll_back(file, writer, kind="edit")
        self._block = _Block()

    def _end(self, end: formats.FileEnd) -> None:
        writer, file = self._block.writer, self._block.file
        if self._block.example:
            self.prose += end.closing
        if writer is None or file is None or not end.complete:
            return
        if not writer.received_utf16 and file.text:
            self._note(str(say.EMPTIED % {"path": file.path}))
        else:
            writer.close()
            self.flush(now=True)
        self._block = _Block()

    def _note(self, sentence: str) -> None:
        if sentence in self.notes:
            return
        if len(self.notes) < MOST_NOTES:
            self.notes.append(sentence)
        else:
            self.notes[MOST_NOTES:] = [str(say.AND_MORE)]

    # Writes

    def _schedule(self) -> None:
        """See to it that what waits is written, in a frame's time at the latest."""
        writer = self._block.writer
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
        if not self._settled:
            self._try(self._schedule)

    def _try(self, act: Callable[[], None]) -> None:
        """Do what the event loop calls; what goes wrong is the driver's to hear."""
        try:
            act()
        except Exception as error:  # noqa: BLE001 - handed on
            self._failed(error)

    def flush(self, *, now: bool = False) -> None:
        """Write what waits, unless the fence is down or (but for `now`) a write is on its way."""
        writer, file = self._block.writer, self._block.file
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

    def _roll_back(self, file: OpenFile, writer: RegionWriter, kind: str) -> bool:
        """Take the open hunk back, and say whether there was one."""
        change = self._hunks.undone(file) if self._refused else writer.rollback(file.text)
        return change is not None and self._hunks.close_open(
            file, HunkStatus.ROLLED_BACK, change, kind
        )

    # The end

    def settle(self, *, must: bool, tell: bool, keep: bool = False) -> None:
        """Close everything. With the fence still up, first write what waits.

        `keep` leaves an unfinished hunk where it is, as one that is applied.

        Writes one settlement entry when an unfinished hunk is taken back, or when it `must`: then
        the log shows where a turn that did not end by itself ended, though nothing was open. With
        `tell` the turn's notes say that something was taken back.
        """
        if self._settled:
            return
        try:
            self.flush(now=True)
        except (Gone, TooBig) as error:
            log.info("The last text of turn %s was not written: %r", self._record.id, error)
        self._settled = True
        if self._timer is not None:
            self._timer.cancel()
        writer, file = self._block.writer, self._block.file
        rolled_back = (
            writer is not None
            and file is not None
            and file.id in self._room.files
            and self._roll_back(file, writer, kind="settle")
        )
        if rolled_back:
            if tell:
                self._note(str(say.UNFINISHED))
        elif must and (place := self._place_to_settle()) is not None:
            self._hunks.write_entry(place, ChangeSet.empty(len(place.text)), "settle")
        self._record.settled = rolled_back or must
        for id in tuple(self._record.created_files):
            created = self._room.files.get(id)
            if created is not None and not created.text:
                turn_files.delete(self._room, created, f"turn:{self._record.id}", self._record.id)

    def _place_to_settle(self) -> OpenFile | None:
        files = self._room.files
        if self._block.file is not None and self._block.file.id in files:
            return files[self._block.file.id]
        return files.get(self._focus.file) or next(iter(files.values()), None)

    def drop(self) -> None:
        """Let go of everything, without a write."""
        self._settled = True
        if self._timer is not None:
            self._timer.cancel()

    # What other people do

    def follow(self, file_id: str, change: ChangeSet) -> None:
        """Map what is being written through somebody's change; yield where they typed."""
        if self._settled:
            return
        if self._shown is not None and file_id == self._focus.file:
            self._shown.follow(change)
        writer, file = self._block.writer, self._block.file
        if writer is None or file is None or file.id != file_id:
            return
        if writer.follow(change) and self._hunks.yield_open(file):
            self._note(str(say.YIELDED % {"path": file.path}))
            self._told()

    def forget(self, file: OpenFile) -> None:
        """A file is gone, and stays so: what the model still says of it is dropped."""
        self._deleted.add(file.path)
        if file.id == self._focus.file:
            self._shown = None
        if self._block.file is file:
            self._note(str(say.DELETED % {"path": self._block.file.path}))
            self._block = _Block()
            self._hunks.forget_open()
