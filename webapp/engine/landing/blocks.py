"""Landing search/replace blocks, whatever format they come in: where each goes, and why when it
goes nowhere.

A block is located once, when all that it searches is there, in the file as it is then; the range
follows what people type until it is written. A block that has no one place writes nothing, and its
reason is told with the lines that were meant, perhaps. Blocks that are ordered (`patch`) stand each
behind the one before in its file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from webapp.document.changes import ChangeSet
from webapp.engine import formats
from webapp.engine.formats.block_writer import BlockWriter
from webapp.engine.formats.targets import path_of_block
from webapp.engine.landing import sentences as say
from webapp.engine.landing.desk import Desk
from webapp.engine.landing.edit import Make, Place
from webapp.engine.landing.finding import Finder, plain
from webapp.engine.landing.held import Doc
from webapp.engine.landing.workspace import Focus
from webapp.engine.landing.writer import Writer
from webapp.engine.locate import Ambiguous, Found, Missing, locate
from webapp.engine.locate_index import Index
from webapp.engine.locate_lines import Level
from webapp.lib.sentences import listed

_MOST_NEAR: Final = 4
"""For how many missing blocks of an answer the closest lines are looked for: it takes time."""


class BlocksLanding:
    """Takes the parser's events to the desk."""

    def __init__(
        self, desk: Desk, focus: Focus | None, parser: Callable[[], formats.Parser]
    ) -> None:
        self._desk = desk
        self._find = Finder(desk.workspace, focus)
        self.parser = parser()
        self._path = focus.path if focus is not None else None
        """The file of the block before, or the one in focus."""
        self._start = formats.BlockStart(None)
        self._searched = False
        self._missed = 0
        self._cursors: dict[str, Place] = {}
        self._indexes: dict[str, Index] = {}

    def take(self, event: formats.Event) -> str:
        """Act on an event; return what it adds to the prose."""
        match event:
            case formats.BlockStart():
                self._begin_block(event)
            case formats.Search(text):
                self._searched = True
                self._place(text)
            case formats.Text(text):
                self._desk.text(text)
            case formats.Omission(text):
                self._desk.omission(text)
            case formats.BlockEnd():
                self._end(event)
        return ""

    def _begin_block(self, start: formats.BlockStart) -> None:
        self._desk.let_go()
        self._searched = False
        if start.path is not None:
            start = replace(start, path=plain(start.path))
        self._start = start
        path = path_of_block(start, self._find.known(), self._path)
        doc = self._find.doc(path) if path is not None else None
        self._path = doc.path if doc is not None else path

    # Where it goes

    def _place(self, text: str) -> None:
        path, desk = self._path, self._desk
        if path is None:
            desk.refuse("", say.NO_NAME)
            return
        doc, start = self._find.doc(path), self._start
        if doc is None and path in self._find.deleted:
            desk.refuse(path, say.DELETED % {"path": path})
        elif doc is None and (text or start.ordered or start.anchors):
            desk.refuse(path, say.NO_FILE % {"path": path})
        elif doc is None:
            self._create(path)
        elif not doc.is_text:
            desk.refuse(path, say.BINARY % {"path": path}, doc=doc)
        elif text or start.anchors or start.at_end or start.ordered:
            self._locate(doc, text)
        elif doc.text.strip():
            desk.refuse(path, say.NOT_EMPTY % {"path": path}, doc=doc)
        else:
            desk.begin(doc, _over, 0, len(doc.text))

    def _create(self, path: str) -> None:
        self._desk.create(path, _over)
        edit = self._desk.edit
        if edit is not None and edit.doc is not None:
            self._path = edit.doc.path

    def _locate(self, doc: Doc, text: str) -> None:
        start = self._start
        cursor = self._cursors.get(doc.id) if start.ordered and not start.restarts else None
        found = locate(
            doc.text,
            text,
            near=self._missed < _MOST_NEAR,
            after=cursor.start if cursor is not None else 0,
            anchors=start.anchors,
            at_end=start.at_end or (not text and not start.anchors),
            verbatim=start.verbatim,
            index=self._indexes.setdefault(doc.id, Index()),
        )
        match found:
            case Found():
                self._begin(doc, found, text)
            case Missing(closest, anchor):
                self._missed += 1
                self._miss(doc, closest, anchor)
            case Ambiguous(lines):
                numbers = listed(map(str, lines))
                reason = say.AMBIGUOUS % {"path": doc.path, "lines": numbers}
                last = lines[0] + max(0, text.rstrip("\n").count("\n"))
                self._desk.refuse(doc.path, reason, doc=doc, lines=(lines[0], last))

    def _miss(self, doc: Doc, closest: tuple[int, int] | None, anchor: str | None) -> None:
        if anchor is not None:
            reason = say.NO_ANCHOR % {"path": doc.path, "line": anchor.strip()}
        elif closest is None:
            reason = say.MISSING % {"path": doc.path}
        elif closest[0] == closest[1]:
            reason = say.MISSING_NEAR_LINE % {"path": doc.path, "line": closest[0]}
        else:
            lines = {"first": closest[0], "last": closest[1]}
            reason = say.MISSING_NEAR % {"path": doc.path, **lines}
        self._desk.refuse(doc.path, reason, doc=doc, lines=closest)

    def _begin(self, doc: Doc, found: Found, searched: str) -> None:
        start, end, make = _writer_of(doc.text, found, searched, verbatim=self._start.verbatim)
        self._desk.begin(doc, make, start, end)

    # How it ends

    def _end(self, end: formats.BlockEnd) -> None:
        edit = self._desk.edit
        if not self._searched:
            self._refuse_unreadable(end.fault)
            self._desk.let_go()
        elif end.complete:
            if edit is not None and edit.place is not None:
                self._note_cursor(edit.place)
            self._desk.end(crlf=end.crlf)
            if edit is not None and edit.place is not None:
                self._note_cursor(edit.place)
        elif end.fault is formats.BlockFault.CUT:
            self._desk.cut()
        else:
            self._desk.fail(self._fault(end.fault))
            self._desk.let_go()

    def _note_cursor(self, place: Place) -> None:
        cursor = self._cursors.get(place.file)
        if cursor is None:
            cursor = self._cursors[place.file] = self._desk.keep_track(Place(place.file, 0, 0))
        cursor.start = cursor.end = place.end

    def _refuse_unreadable(self, fault: formats.BlockFault | None) -> None:
        self._desk.refuse(self._path or "", self._fault(fault))

    def _fault(self, fault: formats.BlockFault | None) -> str:
        problem = say.FAULTS.get(fault) if fault is not None else None
        if problem is None:
            return say.MALFORMED % {"path": self._path} if self._path else say.NO_NAME
        if not self._path:
            return say.UNREADABLE_SOMEWHERE % {"problem": problem}
        return say.UNREADABLE % {"path": self._path, "problem": problem}

    def finish(self, take: Callable[[formats.Event], None], *, cut: bool) -> None:
        """Take the end of the message."""
        for event in self.parser.finish():
            take(event)

    def follow(self, file: str, change: ChangeSet) -> None:
        """What is located is the desk's to follow."""

    def forget(self, file: Doc) -> None:
        """Hear that somebody deleted a file."""
        self._find.forget(file.path)


def _over(text: str, start: int, end: int) -> Writer:
    return BlockWriter(text, start, end)


def _writer_of(text: str, found: Found, searched: str, *, verbatim: bool) -> tuple[int, int, Make]:
    """Return the lines that a block replaces, and what makes its writer for them."""
    verbatim = verbatim and found.level is Level.EXACT
    start = text.rfind("\n", 0, found.start) + 1 if verbatim else found.start
    end = (text.find("\n", found.end) + 1 or len(text)) if verbatim else found.end
    before, behind = found.start - start, end - found.end

    def make(text: str, start: int, end: int) -> Writer:
        place = replace(found, start=start + before, end=end - behind)
        return BlockWriter.at(text, place, searched, verbatim=verbatim)

    return start, end, make
