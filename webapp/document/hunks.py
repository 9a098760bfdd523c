"""A hunk: one place that a turn changed, followed through every later change of the file.

A hunk is the range that now stands where `old_text` stood when the turn began. The range belongs
to the turn alone: what somebody else inserts at either edge stays outside, so that reverting the
hunk never takes it away. Somebody else's change inside makes the hunk `touched`; from then on it
must not be reverted as a whole, since the range holds text that is not the turn's.

Offsets are UTF-16 code units in the file's current text. Hunks are values: each step returns a
new one, and the caller keeps the newest.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from webapp.document.changes import ChangeError, ChangeSet


class HunkStatus(StrEnum):
    """Where a hunk stands."""

    OPEN = "open"  # being written
    APPLIED = "applied"  # complete, and it stands
    KEPT = "kept"  # it stands, and a person said so or typed in it
    REVERTED = "reverted"  # a person took it back
    ROLLED_BACK = "rolled_back"  # incomplete when the turn ended, and taken back
    YIELDED = "yielded"  # a person typed in it while it was written, and the turn let go


STANDING: Final = (HunkStatus.APPLIED, HunkStatus.KEPT, HunkStatus.YIELDED)
"""What is in the text, and can be taken back."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place in `file` that `turn` changed; `ordinal` is its place in the turn's order."""

    id: str
    turn: str
    file: str
    ordinal: int
    start: int
    end: int
    old_text: str
    status: HunkStatus = HunkStatus.OPEN
    touched: bool = False
    by: str = ""
    """The name of whoever kept it (also by typing in it) or reverted it."""

    def follow(self, change: ChangeSet, own: bool) -> "Hunk":
        """Return the hunk as it stands after a change of its file.

        `own` says that the turn wrote the change into this very hunk: insertions at its edges then
        belong to it. An own change that deletes text beyond the edges needs `write` instead.
        """
        if own:
            start, end = change.map_pos(self.start, -1), change.map_pos(self.end, 1)
            return replace(self, start=start, end=end)
        start, end = self._outside(change)
        return replace(self, start=start, end=end, touched=self.touched or self.is_hit_by(change))

    def write(self, change: ChangeSet, text: str) -> "Hunk":
        """Return the hunk grown by the turn's own change of `text`.

        The range stretches to all that the change replaces, and `old_text` by what stood there
        before, whoever wrote it.
        """
        edges = [self.start, self.end]
        for from_old, to_old, *_ in change.iter_changes():
            edges += (from_old, to_old)
        first, last = min(edges), max(edges)
        old_text = text[first : self.start] + self.old_text + text[self.end : last]
        grown = replace(self, start=first, end=last, old_text=old_text)
        return grown.follow(change, own=True)

    def _outside(self, change: ChangeSet) -> tuple[int, int]:
        """Map the range so that what is inserted at its edges stays outside."""
        if self.start == self.end:
            # Text at the very place of a deletion: a deleted whole line stays in front of it,
            # a deleted last line (its line break first) behind it, as the text around it reads.
            last_line = self.old_text.startswith("\n") and not self.old_text.endswith("\n")
            pos = change.map_pos(self.start, 1 if last_line else -1)
            return pos, pos
        end = change.map_pos(self.end, -1)
        return min(change.map_pos(self.start, 1), end), end

    def is_hit_by(self, change: ChangeSet) -> bool:
        """Say whether somebody else's change, of the text as it is, reaches inside the range."""
        return any(
            from_old < self.end and to_old > self.start
            for from_old, to_old, *_ in change.iter_changes(individual=True)
        )


def revert_changes(hunks: Iterable[Hunk], text_length: int) -> ChangeSet:
    """Return the one change that reverts several hunks of one file.

    Raises ChangeError when one of them does not lie in the text, or two of them overlap.
    """
    ordered = sorted(hunks, key=lambda hunk: (hunk.start, hunk.end, hunk.ordinal))
    if len({hunk.file for hunk in ordered}) > 1:
        raise ChangeError("Hunks of several files cannot be reverted in one change.")
    changes = [(hunk.start, hunk.end, hunk.old_text) for hunk in ordered]
    return ChangeSet.of(text_length, changes, keep_cr=True)
