"""A flush of a whole file without the places that must wait for a word, as one change. Pure.

Those places were to be changed by the same change as the others, and must not be for a moment; so
they are put back in it. To the writer that is somebody's change, which it follows.

Offsets are UTF-16.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from webapp.document.changes import ChangeSet
from webapp.engine.formats.whole_writer import Flush, Mark


@dataclass(frozen=True, slots=True)
class Parts:
    """What is to be written, and what is not."""

    flush: Flush
    undo: ChangeSet
    """What puts the places back, in the text as the writer meant it."""
    put_back: tuple[tuple[int, str], ...]
    """Where each place begins once that is written, and what the model wanted there."""


def part(
    text: str,
    flush: Flush,
    marks: Sequence[Mark],
    frozen: Sequence[Mark],
    shown: Collection[int],
) -> Parts:
    """Return the flush of `text` without the `frozen` ones of its marks.

    Of a hunk that was `shown` before, by its key, the flush says that it is rolled back.
    """
    change = flush.change or ChangeSet.empty(len(text))
    after = change.apply(text)
    back = [(mark.start, mark.end, mark.old) for mark in frozen]
    undo = ChangeSet.of(len(after), back, keep_cr=True)
    keys = {mark.key for mark in frozen}
    written = []
    for mark in marks:
        if mark.key not in keys:
            start = undo.map_pos(mark.start, 1)
            written.append(replace(mark, start=start, end=start + mark.end - mark.start))
        elif mark.key in shown:
            start = undo.map_pos(mark.start, -1)
            end = start + len(mark.old)
            written.append(replace(mark, start=start, end=end, status="rolled_back"))
    total = change.compose(undo)
    same = total.apply(text) == text
    at = undo.map_pos(min(flush.at, len(after)), 1)
    put_back = tuple(
        (undo.map_pos(mark.start, -1), after[mark.start : mark.end]) for mark in frozen
    )
    return Parts(Flush(None if same else total, tuple(written), at), undo, put_back)
