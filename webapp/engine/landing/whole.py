"""Landing the `whole` format: which file each fenced block rewrites, and when it is no edit.

Each place that differs is a hunk of its own. A line that stands for code which was left out ends
the edit: what follows it would delete what it stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from webapp.document.changes import ChangeSet
from webapp.engine import formats
from webapp.engine.formats.targets import Example, Existing, New, resolve
from webapp.engine.formats.whole import WholeParser
from webapp.engine.formats.whole_writer import RegionWriter
from webapp.engine.landing import sentences as say
from webapp.engine.landing.desk import Desk
from webapp.engine.landing.finding import Finder, plain
from webapp.engine.landing.held import Doc
from webapp.engine.landing.workspace import Focus
from webapp.engine.landing.writer import Writer


class WholeLanding:
    """Takes the parser's events to the desk."""

    def __init__(self, desk: Desk, focus: Focus | None) -> None:
        self._desk = desk
        self._focus = focus
        self._find = Finder(desk.workspace, focus)
        self.parser: formats.Parser = WholeParser(focus.path if focus is not None else None)
        # Made of the text that the model is shown, so that what people type from now on wins.
        self._shown: RegionWriter | None = None
        doc = self._find.doc(focus.path) if focus is not None else None
        if focus is not None and doc is not None:
            self._shown = RegionWriter(doc.text, focus.start, focus.end)
        self._bounds = (focus.start, focus.end) if focus is not None else (0, 0)
        self._example = False
        self._written: list[str] = []

    def take(self, event: formats.Event) -> str:
        """Act on an event; return what it adds to the prose."""
        match event:
            case formats.FileStart():
                return self._start(event)
            case formats.Text(text):
                return self._text(text)
            case formats.Omission(text):
                if self._example:
                    return text
                self._desk.omission(text)
            case formats.FileEnd():
                return self._end(event)
        return ""

    def _start(self, start: formats.FileStart) -> str:
        focus = self._focus.path if self._focus is not None else None
        if start.path is not None:
            start = replace(start, path=plain(start.path))
        target = resolve(start, self._find.known(), focus, self._written)
        self._desk.let_go()
        self._example = False
        match target:
            case Example():
                return self._show(start)
            case Existing(path) if path == focus:
                self._written.append(path)
                return self._start_in_focus(start)
            case Existing(path) | New(path):
                self._start_elsewhere(path)
        return ""

    def _start_elsewhere(self, path: str) -> None:
        doc = self._find.doc(path)
        if doc is None and path in self._find.deleted:
            self._desk.refuse(path, say.DELETED % {"path": path})
        elif doc is None:
            self._written.append(path)
            self._desk.create(path, _over, per_place=True)
        elif not doc.is_text:
            self._desk.refuse(path, say.BINARY % {"path": path}, doc=doc)
        else:
            self._written.append(path)
            self._desk.begin(doc, _over, 0, len(doc.text), per_place=True)

    def _start_in_focus(self, start: formats.FileStart) -> str:
        focus = self._focus
        if focus is None:
            return self._show(start)
        doc = next((doc for doc in self._desk.workspace.files if doc.id == focus.file), None)
        writer, self._shown = self._shown, None
        if doc is None:
            self._desk.refuse(focus.path, say.DELETED % {"path": focus.path})
        elif writer is not None:
            self._begin_shown(doc, writer)
        elif focus.whole:
            self._desk.begin(doc, _over, 0, len(doc.text), per_place=True)
        else:  # the same lines a second time: nothing says where they would go
            return self._show(start)
        return ""

    def _begin_shown(self, doc: Doc, shown: RegionWriter) -> None:
        """Begin with the writer that knows the lines as the model was shown them."""
        first: list[Writer] = [shown]

        def make(text: str, start: int, end: int) -> Writer:
            return first.pop() if first else _over(text, start, end)

        self._desk.begin(doc, make, *self._bounds, per_place=True)

    def _show(self, start: formats.FileStart) -> str:
        self._example = True
        return start.opening

    def _text(self, text: str) -> str:
        if self._example:
            return text
        self._desk.text(text)
        return ""

    def _end(self, end: formats.FileEnd) -> str:
        if self._example:
            return end.closing
        edit = self._desk.writing
        if not end.complete:
            self._desk.cut()
            return ""
        if edit is not None and edit.op == "edit" and not edit.said and edit.base[0]:
            self._desk.freeze(say.EMPTIED % {"path": edit.path})
        self._desk.end()
        return ""

    def finish(self, take: Callable[[formats.Event], None], *, cut: bool) -> None:
        """Take the end of the message."""
        for event in self.parser.finish():
            take(event)

    def follow(self, file: str, change: ChangeSet) -> None:
        """Map what the model was shown through somebody's change."""
        if self._shown is not None and self._focus is not None and file == self._focus.file:
            self._shown.follow(change)
            start, end = self._bounds
            end = change.map_pos(end, -1 if start < end else 1)
            self._bounds = min(change.map_pos(start, 1), end), end

    def forget(self, file: Doc) -> None:
        """Hear that somebody deleted a file."""
        self._find.forget(file.path)
        if self._focus is not None and file.id == self._focus.file:
            self._shown = None


def _over(text: str, start: int, end: int) -> RegionWriter:
    return RegionWriter(text, start, end)
