"""Landing the `patch` format: its hunks are blocks in order, beside files that it adds, deletes and
moves.

A file that is added must not be there yet, in whatever spelling; folders come with their files.
Hunks of a file that is moved land where it stands, and the move follows at the message's end
(operations.py).
"""

from __future__ import annotations

from collections.abc import Callable

from webapp.engine import formats
from webapp.engine.formats.block_writer import BlockWriter
from webapp.engine.formats.patch import PatchParser
from webapp.engine.landing import sentences as say
from webapp.engine.landing.blocks import BlocksLanding
from webapp.engine.landing.desk import Desk
from webapp.engine.landing.finding import plain
from webapp.engine.landing.operations import Operations
from webapp.engine.landing.workspace import Focus


class PatchLanding(BlocksLanding):
    """Takes the parser's events to the desk."""

    def __init__(self, desk: Desk, focus: Focus | None) -> None:
        super().__init__(desk, focus, PatchParser)
        self._operations = Operations(desk, self._find)

    def take(self, event: formats.Event) -> str:
        """Act on an event; return what it adds to the prose."""
        match event:
            case formats.FileStart():
                self._add(plain(event.path or ""))
            case formats.FileEnd():
                self._added(event)
            case formats.Delete(path):
                self._operations.delete(path)
            case formats.Move(path, to):
                self._operations.move(path, to)
            case _:
                return super().take(event)
        return ""

    def _add(self, path: str) -> None:
        desk = self._desk
        desk.let_go()
        self._path = path
        if self._find.doc(path) is not None:
            problem = say.EXISTS % {"path": path}
            desk.refuse(path, say.NOT_CREATED % {"problem": problem}, op="create")
        elif path in self._find.deleted:
            desk.refuse(path, say.DELETED % {"path": path}, op="create")
        else:
            desk.create(path, BlockWriter)

    def _added(self, end: formats.FileEnd) -> None:
        if end.complete:
            self._desk.end(crlf=end.crlf)
        elif end.fault in (None, formats.BlockFault.CUT):
            self._desk.cut()
        else:
            self._desk.fail(self._fault(end.fault))
            self._desk.let_go()

    def finish(self, take: Callable[[formats.Event], None], *, cut: bool) -> None:
        """Take the end of the message, then do the file operations.

        What a cut message ends with is not complete, also where a patch needs no end of its own.
        """
        if not cut:
            super().finish(take, cut=cut)
        self._operations.run(cut=cut)
