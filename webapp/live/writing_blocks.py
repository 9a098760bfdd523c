"""Landing the `blocks` format: where each search/replace block goes, and why when it goes nowhere.

A block is located once, when all that it searches is there, in the file as it is then; the range
follows what people type until it is written. A block that has no one place writes nothing, and its
reason is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from webapp.document.changes import ChangeSet
from webapp.engine import formats
from webapp.engine.formats.block_writer import BlockWriter
from webapp.engine.formats.blocks import BlocksParser
from webapp.engine.formats.targets import path_of_block
from webapp.engine.locate import Ambiguous, Found, Missing, locate
from webapp.engine.locate_index import Index
from webapp.lib.sentences import listed
from webapp.live import turn_sentences as say
from webapp.live import writing_sentences as refuse
from webapp.live.files import OpenFile
from webapp.live.writing_pen import Focus, Pen

if TYPE_CHECKING:
    from webapp.live.room import Room

_MOST_NEAR: Final = 4
"""For how many missing blocks of an answer the closest lines are looked for: it takes time."""


class BlocksLanding:
    """Takes the parser's events to the pen."""

    def __init__(self, room: Room, focus: Focus, pen: Pen) -> None:
        self._room = room
        self._focus = focus
        self._pen = pen
        self.parser = BlocksParser()
        self._path = focus.path
        """The file of the block before, or the one in focus."""
        self._deleted: set[str] = set()
        """Paths that somebody deleted while the turn ran; their word counts."""
        self._is_refused = False
        """Whether it was told already why this block is not written."""
        self._missed = 0
        self._indexes: dict[str, Index] = {}
        """The lines of each file that blocks went to, for finding more of them."""
        self.edits = 0

    def take(self, event: formats.Event) -> str:
        """Act on an event; return what it adds to the prose."""
        match event:
            case formats.BlockStart():
                self._start(event)
            case formats.Search(text):
                self._search(text)
            case formats.Text(text):
                self._text(text)
            case formats.Omission(text):
                self._omission(text)
            case formats.BlockEnd():
                self._end(event)
        return ""

    def _start(self, start: formats.BlockStart) -> None:
        self._pen.let_go()
        self._is_refused = False
        self.edits += 1
        known = [file.path for file in self._room.files.values()]
        focus = self._room.files.get(self._focus.file)
        # The model knows the file in focus by the path that it was shown.
        shown = {self._focus.path: focus.path} if focus is not None else {}
        path = path_of_block(start, [*known, *shown, *self._deleted], self._path) or self._path
        self._path = shown.get(path, path)

    def _search(self, text: str) -> None:
        self._place(text)
        self._is_refused = self._pen.writer is None

    def _place(self, text: str) -> None:
        path = self._path
        file = next((file for file in self._room.files.values() if file.path == path), None)
        if path in self._deleted and file is None:
            self._pen.note(say.DELETED % {"path": path})
        elif file is None and text:
            self._pen.note(refuse.NO_FILE % {"path": path})
        elif file is None:
            self._create(path)
        elif not file.is_text:
            self._pen.note(refuse.BINARY % {"path": path})
        elif text:
            self._locate(file, text)
        elif file.text.strip():
            self._pen.note(refuse.NOT_EMPTY % {"path": path})
        else:
            self._begin(file, 0, len(file.text))

    def _create(self, path: str) -> None:
        file = self._pen.create(path)
        if file is not None:
            self._path = file.path
            self._begin(file, 0, 0)

    def _locate(self, file: OpenFile, text: str) -> None:
        index = self._indexes.setdefault(file.id, Index())
        match locate(file.text, text, near=self._missed < _MOST_NEAR, index=index):
            case Found() as found:
                self._pen.begin(file, BlockWriter.at(file.text, found, text))
            case Missing(None):
                self._missed += 1
                self._pen.note(refuse.MISSING % {"path": file.path})
            case Missing((first, last)) if first == last:
                self._pen.note(refuse.MISSING_NEAR_LINE % {"path": file.path, "line": first})
            case Missing((first, last)):
                self._missed += 1
                lines = {"first": first, "last": last}
                self._pen.note(refuse.MISSING_NEAR % {"path": file.path, **lines})
            case Ambiguous(lines):
                numbers = listed(map(str, lines))
                self._pen.note(refuse.AMBIGUOUS % {"path": file.path, "lines": numbers})

    def _begin(self, file: OpenFile, start: int, end: int) -> None:
        self._pen.begin(file, BlockWriter(file.text, start, end))

    def _text(self, text: str) -> None:
        writer, file = self._pen.writer, self._pen.file
        if writer is None or file is None:
            return
        writer.push(text)
        if isinstance(writer, BlockWriter) and writer.misfit is not None:
            self._pen.note(refuse.MISSING % {"path": file.path})
            self._pen.take_back()

    def _omission(self, line: str) -> None:
        writer, file = self._pen.writer, self._pen.file
        if writer is None or file is None or writer.knows(line):
            self._text(line)
            return
        self._pen.note(say.OMITTED % {"path": file.path, "line": line.strip()})
        self._pen.take_back()

    def _end(self, end: formats.BlockEnd) -> None:
        writer = self._pen.writer
        if end.complete:
            self._pen.end()
        elif end.fault is not formats.BlockFault.CUT:
            self._note_malformed()
            self._pen.take_back()
        elif writer is None or not writer.received_utf16:
            self._note_malformed()  # else settling takes it back, and says so

    def _note_malformed(self) -> None:
        if not self._is_refused:
            self._pen.note(refuse.MALFORMED % {"path": self._path})

    def follow(self, file_id: str, change: ChangeSet) -> None:
        """What is located is the pen's to follow."""

    def forget(self, file: OpenFile) -> None:
        """A file is gone, and stays so."""
        self._deleted.add(file.path)
