"""What a patch does to one file that is there: its hunks in order, and where it goes. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from webapp.engine.formats import BlockEnd, BlockFault, BlockStart, Event, Move
from webapp.engine.formats.patch_hunk import Hunk
from webapp.engine.formats.patch_lines import Header
from webapp.engine.formats.targets import is_markup


@dataclass(slots=True)
class Update:
    """One `*** Update File`, as far as it was read."""

    path: str
    to: str = ""
    hunk: Hunk | None = None
    """The hunk that is open."""
    is_skipping: bool = False
    """Whether its last hunk is a fault, with all that may still belong to it."""
    _told: int = 0
    """How many hunks were told."""

    def narrow(self, header: Header) -> Iterator[Event]:
        """Take an `@@` line; return what it ends."""
        self.is_skipping = False
        if self.hunk is not None and self.hunk.is_file_header:
            self.hunk = None
        if self.hunk is not None and self.hunk.has_lines:
            yield from self.close_hunk()
        if self.hunk is None:
            self.hunk = Hunk()
        self.hunk.narrow(header)

    def add(self, line: str, *, crlf: bool) -> Iterator[Event]:
        """Take a hunk's line, in a hunk of its own behind the file's end; return what it ends."""
        if self.hunk is not None and self.hunk.at_end:
            yield from self.close_hunk()
        if self.hunk is None:
            self.hunk = Hunk()
        if not self.hunk.add(line, crlf=crlf):
            self.hunk = None
            self.is_skipping = True
            yield from self._fail(BlockFault.BAD_LINE)

    def close_hunk(self) -> Iterator[Event]:
        """End the hunk that is open, if one is."""
        hunk, self.hunk = self.hunk, None
        if hunk is not None and (hunk.has_lines or hunk.is_named):
            restarts, self._told = not self._told, self._told + 1
            yield from hunk.events(self.path, restarts=restarts, markup=is_markup(self.path))

    def end(self, fault: BlockFault | None) -> Iterator[Event]:
        """End the update; with a fault, what is open is not complete."""
        if fault is not None:
            if not self.is_skipping:
                yield from self._fail(fault)
            return
        yield from self.close_hunk()
        if self.to:
            yield Move(self.path, self.to)
        elif not self._told:
            yield from self._fail(BlockFault.EMPTY)

    def _fail(self, fault: BlockFault) -> Iterator[Event]:
        yield BlockStart(self.path, ordered=True, restarts=not self._told)
        yield BlockEnd(fault)
        self._told += 1
