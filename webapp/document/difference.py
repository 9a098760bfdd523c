"""The difference between two texts as a few replaced ranges, in time that follows their size. Pure.

Whole lines first: what both begin and end with alike stays, then the lines that stand once in each
(patience), then a table of the longest common lines where the rest is short. What is left is one
replaced block. Within a block the characters that both ends share stay too.

Turned down: difflib, whose time grows with the square and, for lines that repeat, the cube.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

Replaced = tuple[int, int, str]
"""A range of the old text (UTF-16 offsets when the texts are utf16 texts), and what stands there
in the new one."""

MOST_CELLS: Final = 2_000_000
"""Of tables, in all; about half a second."""
BLOCK_CELLS: Final = 60_000
MOST_DEPTH: Final = 32

_Span = tuple[int, int, int, int]


def difference(old: str, new: str) -> list[Replaced]:
    """Return what makes `new` of `old`: ranges in rising order that do not touch each other."""
    if old == new:
        return []
    before, after = _lines(old), _lines(new)
    starts = _starts(before)
    changes: list[Replaced] = []
    for old_from, old_to, new_from, new_to in _gaps(before, after):
        piece = "".join(after[new_from:new_to])
        start, end = starts[old_from], starts[old_to]
        changes.append(_trimmed(old, start, end, piece))
    return changes


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    lines = [f"{part}\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _starts(lines: Sequence[str]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts


def _trimmed(old: str, start: int, end: int, piece: str) -> Replaced:
    """Leave alone what the range and its replacement begin and end with alike."""
    most = min(end - start, len(piece))
    head = 0
    while head < most and old[start + head] == piece[head]:
        head += 1
    tail = 0
    while tail < most - head and old[end - 1 - tail] == piece[len(piece) - 1 - tail]:
        tail += 1
    return start + head, end - tail, piece[head : len(piece) - tail]


def _gaps(a: Sequence[str], b: Sequence[str]) -> Iterator[_Span]:
    """Yield the ranges of lines that differ, in rising order."""
    cells = MOST_CELLS
    waiting: list[tuple[_Span, int]] = [((0, len(a), 0, len(b)), 0)]
    while waiting:
        span, depth = waiting.pop()
        a_from, a_to, b_from, b_to = span = _without_ends(a, b, span)
        if a_from == a_to and b_from == b_to:
            continue
        size = (a_to - a_from) * (b_to - b_from)
        if size == 0 or depth > MOST_DEPTH:
            yield span
            continue
        pairs = _unique_pairs(a, b, span)
        if not pairs and size <= min(BLOCK_CELLS, cells):
            cells -= size
            pairs = _longest_pairs(a, b, span)
            depth = MOST_DEPTH
        if not pairs:
            yield span
            continue
        between: list[tuple[_Span, int]] = []
        for i, j in [*pairs, (a_to, b_to)]:
            between.append(((a_from, i, b_from, j), depth + 1))
            a_from, b_from = i + 1, j + 1
        waiting += reversed(between)


def _without_ends(a: Sequence[str], b: Sequence[str], span: _Span) -> _Span:
    a_from, a_to, b_from, b_to = span
    while a_from < a_to and b_from < b_to and a[a_from] == b[b_from]:
        a_from, b_from = a_from + 1, b_from + 1
    while a_from < a_to and b_from < b_to and a[a_to - 1] == b[b_to - 1]:
        a_to, b_to = a_to - 1, b_to - 1
    return a_from, a_to, b_from, b_to


def _unique_pairs(a: Sequence[str], b: Sequence[str], span: _Span) -> list[tuple[int, int]]:
    """Return places of lines that each side has once, as many as stand in one order on both."""
    a_from, a_to, b_from, b_to = span
    ours, theirs = _once(a, a_from, a_to), _once(b, b_from, b_to)
    pairs = [(i, theirs[line]) for line, i in ours.items() if line in theirs]
    tops: list[int] = []
    ends: list[int] = []
    back: list[int] = []
    for at, (_, j) in enumerate(pairs):
        height = bisect_left(tops, j)
        back.append(ends[height - 1] if height else -1)
        if height == len(tops):
            tops.append(j)
            ends.append(at)
        else:
            tops[height], ends[height] = j, at
    chosen: list[tuple[int, int]] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = back[at]
    return chosen[::-1]


def _once(lines: Sequence[str], start: int, end: int) -> dict[str, int]:
    """Return the lines that stand once in the range, in order."""
    seen: dict[str, int] = {}
    for at in range(start, end):
        line = lines[at]
        seen[line] = -1 if line in seen else at
    return {line: at for line, at in seen.items() if at >= 0}


def _longest_pairs(a: Sequence[str], b: Sequence[str], span: _Span) -> list[tuple[int, int]]:
    """Return the places of a longest row of lines that both sides have."""
    a_from, a_to, b_from, b_to = span
    width = b_to - b_from
    rows = [[0] * (width + 1)]
    for i in range(a_to - 1, a_from - 1, -1):
        below, line = rows[-1], a[i]
        row = [0] * (width + 1)
        for j in range(width - 1, -1, -1):
            if b[b_from + j] == line:
                row[j] = below[j + 1] + 1
            else:
                row[j] = max(below[j], row[j + 1])
        rows.append(row)
    rows.reverse()
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < a_to - a_from and j < width:
        if a[a_from + i] == b[b_from + j] and rows[i][j] == rows[i + 1][j + 1] + 1:
            pairs.append((a_from + i, b_from + j))
            i, j = i + 1, j + 1
        elif rows[i + 1][j] >= rows[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
