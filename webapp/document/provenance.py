"""Who wrote each character of a file, and who took it away: what reverting a hunk rests on.

A text at some version is one run of characters; every later change is followed through it. What is
deleted stays at its place as a tombstone, with its text and with whoever deleted it. So it can be
told at any later time what a hunk put in and what it took out, whatever people did around it and
inside it (takeback.py makes a change of that).

What always holds:

- the living characters, in order, are the text at that version;
- characters that stood side by side at any time keep their order for ever;
- followed from the same version on, the same changes give the same list, whoever follows them: what
  a change brings back lies where it comes (hence one beginning for all, see live/tracing.py);
- a character is dead once: by a person or by one hunk; and it is lost when the hunk that wrote it
  was taken back, so that nothing brings it back but a restore. What a revert or a roll-back brought
  back lives again, as what it was before.

A line break is like any other. Where somebody writes a new line behind a line of the model (the
break is typed first, then the words), the same text results when the model's break is taken for the
first one and the typed one for the last: so the person's line is a line of its own.

Turned down: a rope of single characters (two megabytes of them for one typed letter), and
replaying the change backwards through the log (a change cannot be mapped back over what it
collided with).

Offsets are UTF-16. Cost: a change takes time that grows with the square root of the pieces.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from webapp.document.changes import ChangeError, ChangeSet
from webapp.document.piecelist import BASE, PERSON, Key, Piece, PieceList

_MOST_TOMBSTONES: Final = 1_000
"""How many at one place are looked at for where new text goes in among them."""
_MOST_LINES: Final = 2_000
"""How many lines of a restore are compared with what is dead at the place."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where a hunk stood right after the change that wrote it: [start, end) of the new text, in the
    place of `old`."""

    key: Key
    start: int
    end: int
    old: str = ""


class Provenance:
    """The characters of one file, alive and dead, from a version on."""

    def __init__(self, text: str) -> None:
        """Begin with the text as it was; its characters are nobody's."""
        self._list = PieceList(text)

    @property
    def length(self) -> int:
        """Return the length of the text as it is now."""
        return self._list.length

    def pieces(self) -> Iterator[Piece]:
        """Yield everything in order, dead characters too."""
        return iter(self._list)

    def text(self) -> str:
        """Return the text as it is now."""
        return self._list.text()

    # What happens to it

    def edit(self, change: ChangeSet, who: Key, spans: Sequence[Span] = ()) -> None:
        """Follow a change by a person (`PERSON`) or a hunk.

        `spans` are the hunks that the change wrote, when there are more: what lies within one of
        them is that one's, the rest is `who`'s. Raises ChangeError when it does not fit the text.
        """
        self._expect(change)
        spans = sorted(spans, key=lambda span: (span.start, span.end))
        starts, ends = [span.start for span in spans], [span.end for span in spans]
        for start, end, new_start, new_end, text in reversed(list(change.iter_changes(True))):
            near = spans[bisect_left(ends, new_start) : bisect_right(starts, new_end)]
            deleted = self._list.between(start, end) if near else ""
            gone: list[Piece] = []
            for key, size in reversed(_takers(near, deleted, who) or [(who, end - start)]):
                gone = self._list.delete(end - size, end, key) + gone
                end -= size
            for key, part in reversed(_parts(near, new_start, text, who)):
                self._insert(start, part, key, gone[-1] if gone else None)

    def undo(self, change: ChangeSet, keys: Collection[Key]) -> None:
        """Follow a change that took hunks back: by a revert, or by the turn itself.

        `keys` may hold hunks that were taken back at another time: of those that this was about,
        no character lives afterwards. What they had written is gone for good, what they had deleted
        and the change brings is back. Anything else that the change does is a person's.
        """
        lost = self._bring_back(change, set(keys))
        for piece in self.pieces():
            if piece.gone is not None and piece.by in lost:
                piece.lost = True

    def restore(self, change: ChangeSet) -> None:
        """Follow a change that brought an older state back, whoever had deleted what."""
        self._bring_back(change, None)

    # Within

    def _expect(self, change: ChangeSet) -> None:
        if change.length != self.length:
            raise ChangeError(
                f"The change is for a text of length {change.length},"
                f" but the one followed has {self.length}."
            )

    def _bring_back(self, change: ChangeSet, keys: set[Key] | None) -> set[Key]:
        """Follow a change that brings the dead back; return the hunks that it can be about."""
        self._expect(change)
        edits = list(change.iter_changes())
        shift = 0
        mine: set[int] = set()
        for start, end, *_ in edits:
            mine |= {id(piece) for piece in self._list.delete(start - shift, end - shift, PERSON)}
            shift += end - start
        if keys is not None and len(keys) > 1:
            keys -= {piece.by for piece in self.pieces() if piece.gone is None}
        for start, end, _, _, text in reversed(edits):
            shift -= end - start
            if text:
                self._revive(start - shift, text, keys, mine)
        return keys or set()

    def _revive(self, at: int, text: str, keys: set[Key] | None, mine: set[int]) -> None:
        """Let those of the dead at a place live again that the text reads like; the rest of it is
        a person's."""
        dead = [
            piece
            for piece in self._list.around(at)[0]
            if keys is None or (piece.by not in keys and (piece.gone in keys or id(piece) in mine))
        ]
        likely = [piece for piece in dead if not piece.lost]
        back = _spelled(text, likely) or _spelled(text, dead)
        for piece in back:
            self._list.revive(at, piece)
        if not back:
            for behind, new in self._revive_lines(at, text, likely):
                self._list.insert(at, behind, new, PERSON)

    def _revive_lines(
        self, at: int, text: str, dead: list[Piece]
    ) -> list[tuple[Piece | None, str]]:
        """Do the same line by line, for a text that is no row of whole pieces."""
        lines = [part for piece in dead for part in self._list.cut_lines(at, piece)]
        new = [line for line in re.split("(?<=\n)", text) if line]
        if not lines or len(lines) + len(new) > _MOST_LINES:
            return [(dead[-1] if dead else None, text)]
        matcher = SequenceMatcher(None, [piece.text for piece in lines], new, autojunk=False)
        rest: list[tuple[Piece | None, str]] = []
        behind: Piece | None = None
        done = 0
        for match in matcher.get_matching_blocks():
            if done < match.b:
                rest.append((behind, "".join(new[done : match.b])))
            for piece in lines[match.a : match.a + match.size]:
                self._list.revive(at, piece)
                behind = piece
            done = match.b + match.size
        return rest[::-1]

    def _insert(self, at: int, text: str, who: Key, replaced: Piece | None) -> None:
        """Put text at a place: behind what it replaced, or where it fits among the dead there."""
        dead, right = self._list.around(at, _MOST_TOMBSTONES)
        if who == PERSON and text[0] == "\n" and right is not None and _breaks(right):
            # Behind the model's line break; see above.
            at, text, replaced = at + 1, text[1:] + "\n", None
            dead, right = self._list.around(at, _MOST_TOMBSTONES)
        self._list.insert(at, replaced or _behind(dead, right), text, who)


def _spelled(text: str, pieces: list[Piece]) -> list[Piece]:
    """Return those of the pieces that make the text, in order; none when they do not."""
    row: list[Piece] = []
    done = 0
    for piece in pieces:
        if text.startswith(piece.text, done):
            row.append(piece)
            done += piece.last - piece.first
            if done == len(text):
                return row
    return []


def _breaks(piece: Piece) -> bool:
    """Say whether it is a line's end that a hunk wrote."""
    return piece.source[piece.first] == "\n" and piece.by not in (BASE, PERSON)


def _behind(dead: list[Piece], right: Piece | None) -> Piece | None:
    """Return the tombstone that new text goes behind; None: before all of them.

    Text at the upper edge of what a hunk wrote stays above what the hunk replaced, and so does
    text that continues a line whose next lines were deleted; else it stands below.
    """
    if len(dead) > _MOST_TOMBSTONES:
        return None  # the text typed there goes on right before them
    if right is not None and any(piece.gone == right.by for piece in dead):
        return None
    if not dead:
        return None
    first, last = dead[0], dead[-1]
    if first.source[first.first] == "\n" and last.source[last.last - 1] != "\n":
        return None
    return last


def _takers(near: Sequence[Span], deleted: str, who: Key) -> list[tuple[Key, int]]:
    """Return how much of what was deleted at a place each hunk there took, in order."""
    taken: list[tuple[Key, int]] = []
    while deleted:
        span = next((span for span in near if deleted in span.old), None)
        if span is None:
            span = next((span for span in near if span.old and deleted.startswith(span.old)), None)
        size = min(len(deleted), len(span.old)) if span else len(deleted)
        taken.append((span.key if span else who, size))
        deleted = deleted[size:]
    return taken


def _parts(near: Sequence[Span], at: int, text: str, who: Key) -> list[tuple[Key, str]]:
    """Cut what was inserted at an offset of the new text by the hunks that it stands in."""
    parts: list[tuple[Key, str]] = []
    done = 0
    for span in near:
        start, end = max(done, span.start - at), min(len(text), span.end - at)
        if end > start:
            parts += [(who, text[done:start]), (span.key, text[start:end])]
            done = end
    parts.append((who, text[done:]))
    return [(key, part) for key, part in parts if part]
