"""What taking hunks back does to the text of now: one change, and where that needs a word first.

Taken back, a hunk's characters go and those it had deleted return to their places, each once. What
anybody else typed stays, in order. That is always possible; but not always what people want:

- where a line holds what somebody typed and what the hunk wrote, taking the hunk back leaves a line
  that nobody wrote. The same where what returns would join such a line;
- where nothing of the hunk stands any more and somebody's text is in its place (they wrote over it,
  or retyped what it had replaced, or a later turn did), what returns would stand beside that.

Such hunks are `mixed`: the caller shows what is there and what would be there, and asks.

Another turn's characters count like a person's. Line breaks do not count, as long as each line of
theirs reads the same afterwards. Offsets are UTF-16.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection
from dataclasses import dataclass, field

from webapp.document.changes import ChangeSet
from webapp.document.piecelist import BASE, Key, Piece
from webapp.document.provenance import Provenance


@dataclass(frozen=True, slots=True)
class Mixed:
    """A hunk that cannot be told apart: its lines as they are, and as they would be."""

    key: Key
    now: str
    then: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The change of the text of now, and what in it is mixed, by hunk."""

    change: ChangeSet
    mixed: dict[Key, Mixed]


def take_back(provenance: Provenance, keys: Collection[Key]) -> TakenBack:
    """Return what taking these hunks back does, mixed or not."""
    return _Walk(provenance, set(keys)).result()


def take_back_clear(provenance: Provenance, keys: Collection[Key]) -> tuple[TakenBack, set[Key]]:
    """Return what taking back those of them does that are not mixed, and which those are.

    The `mixed` of the result are the others.
    """
    clear = set(keys)
    mixed: dict[Key, Mixed] = {}
    while True:
        taken = take_back(provenance, clear)
        if not taken.mixed:
            return TakenBack(taken.change, mixed), clear
        mixed |= taken.mixed
        clear -= taken.mixed.keys()


@dataclass(slots=True)
class _Extent:
    """From where to where a hunk reaches, in the pieces, in the text of now and in that of then."""

    first: int
    last: int
    now: list[int]
    then: list[int]
    inserted: bool = False
    stands: bool = False
    returns: bool = False


@dataclass(slots=True)
class _Part:
    """A piece that goes or returns: where, in the text of now and in that of then."""

    key: Key
    start: int
    end: int


@dataclass(slots=True)
class _Walk:
    """One walk over the pieces."""

    provenance: Provenance
    keys: set[Key]
    edits: list[tuple[int, int, str]] = field(default_factory=list)
    now: list[str] = field(default_factory=list)
    then: list[str] = field(default_factory=list)
    extents: dict[Key, _Extent] = field(default_factory=dict)
    goes: list[_Part] = field(default_factory=list)
    returns: list[_Part] = field(default_factory=list)
    others: list[tuple[int, int, Piece]] = field(default_factory=list)
    """What anybody else wrote since, with its offset in either text."""
    foreign: list[tuple[int, int, int] | None] = field(default_factory=list)
    """For each piece that is one of those, and not blank: its offset in either text, and size."""
    alive: list[bool] = field(default_factory=list)

    def result(self) -> TakenBack:
        self._walk()
        change = ChangeSet.of(self.provenance.length, _joined(self.edits), keep_cr=True)
        blamed = self._unclear() | self._written_over() if self.extents else set()
        now, then = "".join(self.now), "".join(self.then)
        mixed = {}
        for key in blamed:
            extent = self.extents[key]
            mixed[key] = Mixed(key, _lines(now, extent.now), _lines(then, extent.then))
        return TakenBack(change, mixed)

    def _walk(self) -> None:
        at_now = at_then = 0
        for index, piece in enumerate(self.provenance.pieces()):
            text = piece.text
            size = len(text)
            stands = piece.gone is None
            mine = piece.by in self.keys
            goes = stands and mine
            returns = not stands and not mine and not piece.lost and piece.gone in self.keys
            if goes:
                self.edits.append((at_now, at_now + size, ""))
                self.goes.append(_Part(piece.by, at_now, at_now + size))
            if returns and piece.gone is not None:
                self.edits.append((at_now, at_now, text))
                self.returns.append(_Part(piece.gone, at_then, at_then + size))
            stays = stands and not mine
            other = stays and piece.by != BASE
            if other:
                self.others.append((at_now, at_then, piece))
            is_foreign = other and not text.isspace()
            self.foreign.append((at_now, at_then, size) if is_foreign else None)
            self.alive.append(stands)
            next_now = at_now + size * stands
            next_then = at_then + size * (stays or returns)
            for key in self.keys.intersection((piece.by, piece.gone or BASE)):
                extent = self.extents.setdefault(
                    key, _Extent(index, index, [at_now, at_now], [at_then, at_then])
                )
                extent.last = index
                extent.now[1], extent.then[1] = next_now, next_then
                extent.inserted |= piece.by == key
                extent.stands |= piece.by == key and stands
                extent.returns |= returns and piece.gone == key and not text.isspace()
            if stands:
                self.now.append(text)
            if stays or returns:
                self.then.append(text)
            at_now, at_then = next_now, next_then

    def _unclear(self) -> set[Key]:
        """Return the hunks without which a line that somebody wrote in would read otherwise."""
        now, then = "".join(self.now), "".join(self.then)
        went = [part.start for part in self.goes]
        came = [part.start for part in self.returns]
        blamed: set[Key] = set()
        seen = -1, -1
        for at_now, at_then, piece in self.others:
            for offset, size in _words(piece.text):
                one, two = at_now + offset, at_then + offset
                if one < seen[0] and two < seen[1]:
                    continue  # the same line as before
                start, end = _line(now, one)
                start_then, end_then = _line(then, two)
                seen = end, end_then
                if now[start:end] != then[start_then:end_then] or one + size > end:
                    blamed |= _touching(self.goes, went, start, end)
                    blamed |= _touching(self.returns, came, start_then, end_then)
        return blamed

    def _written_over(self) -> set[Key]:
        """Return the hunks in whose place somebody else's text stands."""
        return {
            key
            for key, extent in self.extents.items()
            if extent.inserted and extent.returns and not extent.stands and self._has_other(extent)
        }

    def _has_other(self, extent: _Extent) -> bool:
        first, last = extent.first, extent.last
        while first and not self.alive[first - 1]:
            first -= 1
        while last + 1 < len(self.alive) and not self.alive[last + 1]:
            last += 1
        found = [place for place in self.foreign[max(0, first - 1) : last + 2] if place]
        for at_now, at_then, size in found:
            _stretch(extent.now, at_now, at_now + size)
            _stretch(extent.then, at_then, at_then + size)
        return bool(found)


def _stretch(extent: list[int], start: int, end: int) -> None:
    extent[:] = min(extent[0], start), max(extent[1], end)


def _joined(edits: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Make one edit of those that touch."""
    joined: list[tuple[int, int, str]] = []
    parts: list[str] = []
    for start, end, text in edits:
        if joined and joined[-1][1] == start:
            joined[-1] = joined[-1][0], end, ""
            parts[-1] += text
        else:
            joined.append((start, end, ""))
            parts.append(text)
    return [(start, end, text) for (start, end, _), text in zip(joined, parts, strict=True)]


def _words(text: str) -> list[tuple[int, int]]:
    """Return where each line's part of a text is that is not empty: offset and size."""
    found = []
    at = 0
    for line in text.split("\n"):
        if line:
            found.append((at, len(line)))
        at += len(line) + 1
    return found


def _line(text: str, at: int) -> tuple[int, int]:
    """Return from where to where the line around an offset reaches, without its break."""
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end


def _lines(text: str, extent: list[int]) -> str:
    """Return the whole lines that an extent reaches into."""
    start, end = extent
    first = text.rfind("\n", 0, start) + 1
    if end > start and text[end - 1] == "\n":
        return text[first:end]
    last = text.find("\n", end)
    return text[first:] if last < 0 else text[first : last + 1]


def _touching(parts: list[_Part], starts: list[int], start: int, end: int) -> set[Key]:
    """Return the hunks of the parts that reach into a line or to its edges."""
    first = max(0, bisect_left(starts, start) - 1)
    return {
        part.key
        for part in parts[first : bisect_right(starts, end + 1)]
        if part.end >= start - 1 and part.start <= end + 1
    }
