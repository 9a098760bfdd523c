"""The replacement of one search/replace block, as it streams, into one hunk.

The lines are written as a whole file's are (whole_writer.py), in the range where the searched
lines stand: lines that stay are not touched, and an old line goes only when it is passed. Yet all
of a block is one edit, so its places are one hunk, from the first that changed to the last, with
the lines between them: open until the block is complete, taken back as one when it never is.

People: in the hunk they win. The model yields there, and the rest of the block is dropped; what
they change in lines that the model has not come to yet is merged, as everywhere.

Turned down: a hunk a place (half a block would stay when the stream ends inside it, also after a
crash, when the log alone says what was open).

Offsets are UTF-16.
"""

from dataclasses import dataclass
from typing import Final

from webapp.document.changes import ChangeSet
from webapp.engine.formats.spelling import Spelling
from webapp.engine.formats.whole_writer import Flush, Mark, RegionWriter
from webapp.engine.locate import Found
from webapp.engine.locate_lines import Level

_KEY: Final = 0


@dataclass(slots=True)
class _Part:
    """One place of the hunk, from its start; `old` stood there, `gap` before it stays."""

    key: int
    start: int
    end: int
    old: str
    gap: str
    added_lines: int
    removed_lines: int


class BlockWriter:
    """Writes one block's replacement over [start, end) of a text, the bounds of whole lines."""

    def __init__(self, text: str, start: int, end: int, spelling: Spelling | None = None) -> None:
        self._inner: Final = RegionWriter(text, start, end, spelling)
        self._parts: list[_Part] = []
        self._start = 0
        self._growing = False
        self._closed = False
        self._over = False
        self._taken_back = False
        self._behind = ""
        """What follows the replacement in its last line."""
        self._padding = 0
        """How much of what came in was in the file's lines already."""

    @classmethod
    def at(cls, text: str, found: Found, searched: str, *, verbatim: bool = False) -> "BlockWriter":
        """Return the writer for the place where the `searched` text was found in `text`.

        What was found `verbatim` may begin and end inside a line: the lines are replaced, with
        what else is in them around the new text.
        """
        if verbatim and found.level is Level.EXACT:
            start = text.rfind("\n", 0, found.start) + 1
            end = text.find("\n", found.end) + 1 or len(text)
            writer = cls(text, start, end)
            writer._pad(text[start : found.start], text[found.end : end])
            return writer
        if found.level is Level.EXACT:
            return cls(text, found.start, found.end)
        lines = searched.removesuffix("\n").split("\n")
        stand = lines[found.ahead : len(lines) - found.spare]
        spelling = Spelling(stand, found.shift, found.ahead, found.spare)
        return cls(text, found.start, found.end, spelling)

    def _pad(self, before: str, behind: str) -> None:
        self._behind = behind.replace("\r\n", "\n")
        self._padding = len(before)
        self._inner.push(before)

    @property
    def misfit(self) -> str | None:
        """The first line that lacks the indentation to be taken away, if there was one.

        With such a line the block must be taken back, and is refused.
        """
        return self._inner.misfit

    def push(self, text: str) -> None:
        """Take the next piece of the replacement (LF line ends)."""
        self._inner.push(text)

    def close(self) -> None:
        """Take the end of the block: old lines that are left go, but for those people touched."""
        if self._behind:
            self._padding += len(self._behind)
            self._inner.push(self._behind)
        self._inner.close()
        self._closed = True

    def knows(self, line: str) -> bool:
        """Say whether the searched lines have this one."""
        return self._inner.knows(line)

    @property
    def received_utf16(self) -> int:
        """How much text came in."""
        return self._inner.received_utf16 - self._padding

    @property
    def applied_utf16(self) -> int:
        """How much of it stands in the file."""
        applied = max(0, self._inner.applied_utf16 - self._padding)
        return 0 if self._taken_back else applied

    @property
    def pending(self) -> bool:
        """Say whether `take` has anything to give."""
        return not self._over and (self._inner.pending or (self._closed and bool(self._parts)))

    def take(self, text: str) -> Flush | None:
        """Return one change of `text`, the file as it is now, and the hunk as it is then."""
        if self._over:
            return None
        flush = self._inner.take(text)
        if flush is not None:
            self._note(flush, text)
        self._over = self._closed
        if not self._parts or (flush is None and not self._closed):
            return Flush(flush.change, (), flush.at) if flush else None
        mark = self._mark()
        return Flush(flush.change, (mark,), flush.at) if flush else Flush(None, (mark,), mark.end)

    def _note(self, flush: Flush, text: str) -> None:
        """Bring the parts up to date with what is about to be written."""
        after = text
        for mark in flush.marks:
            if self._parts and self._parts[-1].key == mark.key:
                gap = self._parts.pop().gap
            elif self._parts:
                if after is text and flush.change is not None:
                    after = flush.change.apply(text)
                gap = after[self._start + self._parts[-1].end : mark.start]
            else:
                self._start, gap = mark.start, ""
            start, end = mark.start - self._start, mark.end - self._start
            added, removed = mark.added_lines, mark.removed_lines
            self._parts.append(_Part(mark.key, start, end, mark.old, gap, added, removed))
            self._growing = mark.status == "open"

    def _mark(self) -> Mark:
        return Mark(
            _KEY,
            self._start,
            self._start + self._parts[-1].end,
            "".join(part.gap + part.old for part in self._parts),
            "applied" if self._closed else "open",
            sum(part.added_lines for part in self._parts),
            sum(part.removed_lines for part in self._parts),
        )

    def rollback(self, text: str) -> ChangeSet | None:
        """Return the change of `text` that takes the hunk back, or None without one.

        What was not taken yet is dropped. Nothing may be pushed or taken afterwards.
        """
        parts, self._parts = self._parts, []
        if self._over:
            return None
        self._over = self._taken_back = True
        if not parts:
            return None
        first = self._start
        edits = [(first + part.start, first + part.end, part.old) for part in parts]
        return ChangeSet.of(len(text), edits, keep_cr=True)

    def follow(self, change: ChangeSet) -> bool:
        """Map everything through somebody else's change; say whether the model yielded to it."""
        if self._over:
            return False
        hit = self._inner.follow(change)
        if not self._parts:
            return hit
        end = self._start + self._parts[-1].end
        for start, stop, _, _, inserted in change.iter_changes(True):
            inside = start < end and stop > self._start
            hit = hit or inside or (self._growing and bool(inserted) and start == end)
        if self._start == end:
            self._start = change.map_pos(self._start, -1)
        else:
            self._start = change.map_pos(self._start, 1)
        self._over = hit
        return hit
