"""Landing the `whole` format: which file each fenced block rewrites, and when it is no edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webapp.document.changes import ChangeSet
from webapp.engine import formats
from webapp.engine.formats.targets import Example, Existing, New, resolve
from webapp.engine.formats.whole import WholeParser
from webapp.engine.formats.whole_writer import RegionWriter
from webapp.live import turn_sentences as say
from webapp.live import writing_sentences as refuse
from webapp.live.files import OpenFile
from webapp.live.writing_pen import Focus, Pen

if TYPE_CHECKING:
    from webapp.live.room import Room


class WholeLanding:
    """Takes the parser's events to the pen."""

    def __init__(self, room: Room, focus: Focus, pen: Pen) -> None:
        self._room = room
        self._focus = focus
        self._pen = pen
        self.parser = WholeParser(focus.path)
        # Made of the text that the model is shown, so that what people type from now on wins.
        self._shown: RegionWriter | None = RegionWriter(
            room.files[focus.file].text, focus.start, focus.end
        )
        self._example = False
        self._written: list[str] = []
        self._deleted: set[str] = set()
        """Paths that somebody deleted while the turn ran; their word counts."""
        self.edits = 0

    def take(self, event: formats.Event) -> str:
        """Act on an event; return what it adds to the prose."""
        match event:
            case formats.FileStart():
                return self._start(event)
            case formats.Text(text):
                return self._text(text)
            case formats.Omission(text):
                return self._omission(text)
            case formats.FileEnd():
                return self._end(event)
        return ""

    def _start(self, start: formats.FileStart) -> str:
        paths = {file.path: file for file in self._room.files.values()}
        known = [*paths, self._focus.path]
        target = resolve(start, known, self._focus.path, self._written)
        self._pen.let_go()
        self._example = False
        match target:
            case Example():
                return self._show(start)
            case Existing(path) if path == self._focus.path:
                self._written.append(path)
                return self._start_in_focus(start)
            case Existing(path) if not paths[path].is_text:
                self.edits += 1
                self._pen.note(refuse.BINARY % {"path": path})
            case Existing(path):
                self._written.append(path)
                self._begin(paths[path], RegionWriter(paths[path].text))
            case New(path) if path in self._deleted:
                self.edits += 1
                self._pen.note(say.DELETED % {"path": path})
            case New(path):
                self._create(path)
        return ""

    def _start_in_focus(self, start: formats.FileStart) -> str:
        file = self._room.files.get(self._focus.file)
        writer, self._shown = self._shown, None
        if file is None:
            self._pen.note(say.DELETED % {"path": self._focus.path})
        elif writer is not None:
            self._begin(file, writer)
        elif self._focus.whole:
            self._begin(file, RegionWriter(file.text))
        else:  # the same lines a second time: nothing says where they would go
            return self._show(start)
        return ""

    def _show(self, start: formats.FileStart) -> str:
        self._example = True
        return start.opening

    def _create(self, path: str) -> None:
        file = self._pen.create(path)
        if file is None:
            self.edits += 1
            return
        self._written.append(file.path)
        self._begin(file, RegionWriter(""))

    def _begin(self, file: OpenFile, writer: RegionWriter) -> None:
        self.edits += 1
        self._pen.begin(file, writer)

    def _text(self, text: str) -> str:
        if self._pen.writer is not None:
            self._pen.writer.push(text)
            return ""
        return text if self._example else ""

    def _omission(self, line: str) -> str:
        writer, file = self._pen.writer, self._pen.file
        if writer is None or file is None or writer.knows(line):
            return self._text(line)
        self._pen.note(say.OMITTED % {"path": file.path, "line": line.strip()})
        self._pen.take_back()
        return ""

    def _end(self, end: formats.FileEnd) -> str:
        writer, file = self._pen.writer, self._pen.file
        if writer is not None and file is not None and end.complete:
            if not writer.received_utf16 and file.text:
                self._pen.note(say.EMPTIED % {"path": file.path})
                self._pen.let_go()
            else:
                self._pen.end()
        return end.closing if self._example else ""

    def follow(self, file_id: str, change: ChangeSet) -> None:
        """Map what the model was shown through somebody's change."""
        if self._shown is not None and file_id == self._focus.file:
            self._shown.follow(change)

    def forget(self, file: OpenFile) -> None:
        """A file is gone, and stays so."""
        self._deleted.add(file.path)
        if file.id == self._focus.file:
            self._shown = None
