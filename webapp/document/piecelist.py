"""The characters of a text, alive and dead, as a list of pieces that is quick to change.

A piece is characters of one origin and one fate. The dead stay at their place. Pieces stand in
blocks that know how much of them lives, so that an offset is found without walking over all.

A place is an offset of the living text: right behind the character before it, so the dead that lie
between two living characters come after the place. Offsets are UTF-16.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from webapp.document.changes import ChangeError

Key = tuple[str, int]
"""A turn and the ordinal of one of its hunks; or one of the two below."""
BASE: Final[Key] = ("", 0)
"""Was there before."""
PERSON: Final[Key] = ("", 1)
"""Typed or deleted by somebody; also what a restore wrote."""

_BLOCK: Final = 256


class Piece:
    """Characters of one origin and one fate: `source[first:last]`, by `by`, dead by `gone`.

    `lost`: the hunk that wrote them was taken back, so that nothing but a restore revives them.
    """

    __slots__ = ("by", "first", "gone", "last", "lost", "source")

    def __init__(self, source: str, first: int, last: int, by: Key, gone: Key | None) -> None:
        self.source = source
        self.first = first
        self.last = last
        self.by = by
        self.gone = gone
        self.lost = False

    @property
    def text(self) -> str:
        """Return the characters."""
        return self.source[self.first : self.last]

    @property
    def live(self) -> int:
        """Return how many of them stand in the text."""
        return self.last - self.first if self.gone is None else 0


class _Block:
    __slots__ = ("live", "pieces")

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        self.live = sum(piece.live for piece in pieces)


class PieceList:
    """All the characters of one text."""

    def __init__(self, text: str) -> None:
        """Begin with a living text that was there before."""
        self._blocks = [_Block([Piece(text, 0, len(text), BASE, None)] if text else [])]
        self.length = len(text)

    def __iter__(self) -> Iterator[Piece]:
        """Yield everything in order, the dead too; alter nothing meanwhile."""
        for block in self._blocks:
            yield from block.pieces

    def text(self) -> str:
        """Return what lives."""
        return "".join(piece.text for piece in self if piece.gone is None)

    def delete(self, start: int, end: int, who: Key) -> list[Piece]:
        """Let [start, end) die; return its pieces."""
        if start == end:
            return []
        self._split(end)
        left = end - start
        gone = []
        for b, _, piece in self._from(*self._split(start)):
            size = piece.live
            if size:
                self._blocks[b].live -= size
                piece.gone = who
                gone.append(piece)
                left -= size
                if not left:
                    break
        self.length -= end - start
        return gone

    def between(self, start: int, end: int) -> str:
        """Return [start, end) of what lives."""
        if start == end:
            return ""
        self._split(end)
        parts: list[str] = []
        for _, _, piece in self._from(*self._split(start)):
            if piece.gone is None:
                parts.append(piece.text)
                start += piece.live
                if start == end:
                    break
        return "".join(parts)

    def insert(self, at: int, behind: Piece | None, text: str, who: Key) -> None:
        """Put text behind a piece that begins at the place or is dead there; None: at the place."""
        if behind is None:
            b, i = self._split(at)
        else:
            b, i = self._find(at, behind)
            i += 1
        self._put(b, i, Piece(text, 0, len(text), who, None))
        self.length += len(text)

    def around(self, at: int, most: int | None = None) -> tuple[list[Piece], Piece | None]:
        """Return what is dead at a place, and the first living piece behind that.

        Of more than `most` dead pieces it returns so many and one, as if nothing came behind them.
        """
        dead: list[Piece] = []
        for _, _, piece in self._from(*self._split(at)):
            if piece.gone is None:
                return dead, piece
            dead.append(piece)
            if most is not None and len(dead) > most:
                break
        return dead, None

    def revive(self, at: int, piece: Piece) -> None:
        """Let a piece live again that was dead at the place when something else came alive."""
        b, _ = self._find(at, piece)
        piece.gone, piece.lost = None, False
        self._blocks[b].live += piece.live
        self.length += piece.live

    def cut_lines(self, at: int, piece: Piece) -> list[Piece]:
        """Cut a dead piece at its line ends."""
        parts = [piece]
        while (found := piece.source.find("\n", piece.first, piece.last - 1)) >= 0:
            b, i = self._find(at, piece)
            rest = Piece(piece.source, found + 1, piece.last, piece.by, piece.gone)
            rest.lost = piece.lost
            piece.last = found + 1
            self._put(b, i + 1, rest)
            parts.append(rest)
            piece = rest
        return parts

    # Within: a block and an index in it

    def _split(self, at: int) -> tuple[int, int]:
        """Return the place right behind the living character before the offset `at`."""
        b = 0
        blocks = self._blocks
        while at > blocks[b].live:
            at -= blocks[b].live
            b += 1
        if not at:
            return b, 0  # nothing alive comes before it in this block
        for i, piece in enumerate(blocks[b].pieces):
            live = piece.live
            if at < live:
                middle = piece.first + at
                rest = Piece(piece.source, middle, piece.last, piece.by, None)
                piece.last = middle
                blocks[b].live -= rest.live
                return self._put(b, i + 1, rest)
            at -= live
            if not at and live:
                return b, i + 1
        raise ChangeError("A change reaches beyond the end of the text.")

    def _put(self, b: int, i: int, piece: Piece) -> tuple[int, int]:
        """Put a piece there, and return where it is."""
        block = self._blocks[b]
        block.pieces.insert(i, piece)
        block.live += piece.live
        if len(block.pieces) > _BLOCK:
            half = len(block.pieces) // 2
            self._blocks.insert(b + 1, _Block(block.pieces[half:]))
            self._blocks[b] = _Block(block.pieces[:half])
            if i >= half:
                return b + 1, i - half
        return b, i

    def _from(self, b: int, i: int) -> Iterator[tuple[int, int, Piece]]:
        """Yield the pieces from a place on, each with its own."""
        while b < len(self._blocks):
            pieces = self._blocks[b].pieces
            while i < len(pieces):
                yield b, i, pieces[i]
                i += 1
            b, i = b + 1, 0

    def _find(self, at: int, wanted: Piece) -> tuple[int, int]:
        for b, i, piece in self._from(*self._split(at)):
            if piece is wanted:
                return b, i
        raise ValueError("The piece is not at that place.")
