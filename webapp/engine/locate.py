"""Where old text stands: the one place, or why there is none. Pure.

Whole lines are compared, with all lines of the text as it is now: exactly, else at the next level
of locate_lines.py at which any place matches, else without the blank lines at its ends, which
models add or forget. What stands at two places is no place, since the wrong one would be changed
without a word. Whoever refuses an edit tells the line numbers, so that the next try can do better.

Where lines are named that narrow the place (`@@ context` of `patch`), the old text stands behind
them. Each is looked for in the block that the one before opens, by indentation, else behind that
line; so is the old text. A name that stands at several lines is no fault as long as the old text
is behind but one of them. Turned down: the first of several, as other tools take it.

Offsets are UTF-16; line numbers are 1-based and inclusive.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from webapp.engine.locate_closest import closest
from webapp.engine.locate_index import Index, Line
from webapp.engine.locate_lines import NO_SHIFT, Level, Shift, compare, key

_MOST_NUMBERS: Final = 20
_MOST_CANDIDATES: Final = 1000
_MOST_COMPARED: Final = 50_000
_MOST_BLOCKS: Final = 100


@dataclass(frozen=True, slots=True)
class Found:
    """The old text is [start, end), the bounds of whole lines; empty where text is to go in."""

    start: int
    end: int
    level: Level = Level.EXACT
    shift: Shift = NO_SHIFT
    """What the new lines need, for the file's indentation."""
    ahead: int = 0
    """How many blank lines at the beginning of the old text do not stand there."""
    spare: int = 0
    """How many at its end."""


@dataclass(frozen=True, slots=True)
class Missing:
    """It stands nowhere. `closest` are the lines that are most like it, if any are."""

    closest: tuple[int, int] | None = None
    anchor: str | None = None
    """The line that should narrow the place, when it is this one that stands nowhere."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """It stands at several places, which begin at these lines; at most 20 are told."""

    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Span:
    """The numbers of lines, from 0, at which something may begin."""

    first: int
    end: int

    def __contains__(self, number: int) -> bool:
        return self.first <= number < self.end


def locate(
    text: str,
    old: str,
    *,
    near: bool = True,
    after: int = 0,
    anchors: Sequence[str] = (),
    at_end: bool = False,
    verbatim: bool = False,
    index: Index | None = None,
) -> Found | Missing | Ambiguous:
    """Return where `old`, whole lines with LF, stands in `text`.

    Nothing that begins before the offset `after` counts; with `at_end`, only what the text ends
    with. An empty `old` means the place behind the last of the `anchors`, or the text's end with
    `at_end`; without either it raises ValueError. With `verbatim`, `old` may begin and end inside
    a line, where it stands exactly; else its lines are looked for, as always.

    Not `near`, the closest lines are not looked for: in a text of 2 MB that takes 100 ms. Who
    locates many blocks in a text, as it changes, keeps one `index` for it.
    """
    if not old and not anchors and not at_end:
        raise ValueError("nothing to look for")
    if old and verbatim and (pieces := _pieces(text, old, after)):
        if len(pieces) > 1:
            return Ambiguous(tuple(text.count("\n", 0, at) + 1 for at in pieces))
        return Found(pieces[0], pieces[0] + len(old))
    if old and not anchors and "\r" not in text:
        places = _places(text, old if old.endswith("\n") else old + "\n", after, at_end)
        if len(places) == 1:
            return Found(places[0], min(places[0] + len(old) + (old[-1] != "\n"), len(text)))
        if places:
            return Ambiguous(tuple(text.count("\n", 0, at) + 1 for at in places))
    if old and text.isascii() and max(map(key, old.split("\n")), key=len) not in text:
        return Missing(closest(text, old) if near else None)
    if index is None:
        index = Index(text)
    index.catch_up(text)
    return _Search(index, after, at_end, near).run(old, anchors)


def _pieces(text: str, old: str, after: int) -> list[int]:
    """Return where `old` stands, also inside lines."""
    places: list[int] = []
    at = text.find(old, after)
    while at >= 0 and len(places) < _MOST_NUMBERS:
        places.append(at)
        at = text.find(old, at + 1)
    return places


def _places(text: str, old: str, after: int, at_end: bool) -> list[int]:
    """Return where `old` begins at the beginning of a line; the text's end counts as an LF."""
    if at_end:
        stands = text if text.endswith("\n") else text + "\n"
        at = len(stands) - len(old)
        begins = at == 0 or (at > 0 and stands[at - 1] == "\n")
        return [at] if at >= after and begins and stands.endswith(old) else []
    places = [0] if not after and text.startswith(old) else []
    at = text.find("\n" + old, max(after - 1, 0))
    while at >= 0 and len(places) < _MOST_NUMBERS:
        places.append(at + 1)
        at = text.find("\n" + old, at + 1)
    if text and not text.endswith("\n") and text.endswith(bare := old[:-1]):
        at = len(text) - len(bare)
        if at >= after and (at == 0 or text[at - 1] == "\n") and len(places) < _MOST_NUMBERS:
            places.append(at)
    return places


class _Search:
    """One question to an index."""

    def __init__(self, index: Index, after: int, at_end: bool, near: bool) -> None:
        self._index = index
        self._cursor = index.line_at(after) if after else 0
        # The nothing behind the last LF is no line.
        self._count = index.count - (not index.text or index.text.endswith("\n"))
        self._at_end = at_end
        self._near = near

    def run(self, old: str, anchors: Sequence[str]) -> Found | Missing | Ambiguous:
        """Return the answer."""
        spans = [_Span(self._cursor, self._count)]
        rest: _Span | None = None
        for anchor in anchors:
            hits = self._named(anchor, spans)
            if not hits and rest is not None:
                hits = self._named(anchor, [rest])
            around = not hits and rest is None and self._around(anchor)
            if around is not False and around is not None:
                spans, rest = [_Span(self._cursor, around)], _Span(0, 0)
                continue
            if not hits:
                return Missing(self._closest(anchor), anchor)
            if not old and not self._at_end and anchor is anchors[-1]:
                return self._behind(hits)
            rest = _Span(hits[0] + 1, self._count)
            spans = self._blocks(hits)
        if not old:
            if anchors and not self._at_end:
                return Missing(None, anchors[-1])
            return Found(len(self._index.text), len(self._index.text))
        want = old.removesuffix("\n").split("\n")
        for ahead, spare in _blank_ends(want):
            found = self._find(want[ahead : len(want) - spare], spans, rest)
            if isinstance(found, Found) and (ahead or spare):
                level = max(found.level, Level.TRAILING)
                return Found(found.start, found.end, level, found.shift, ahead, spare)
            if found is not None:
                return found
        return Missing(self._closest(old))

    def _find(
        self, want: list[str], spans: list[_Span], rest: _Span | None
    ) -> Found | Ambiguous | None:
        matches, is_all = self._matches(want)
        if matches and not is_all:
            return Ambiguous(tuple(match[1] + 1 for match in matches[:_MOST_NUMBERS]))
        chosen = [match for match in matches if any(match[1] in span for span in spans)]
        if not chosen and rest is not None:
            chosen = [match for match in matches if match[1] in rest]
        if not chosen:
            return None
        least = min(match[0] for match in chosen)
        best = [match for match in chosen if match[0] == least]
        if len(best) > 1:
            return Ambiguous(tuple(match[1] + 1 for match in best[:_MOST_NUMBERS]))
        level, number, shift = best[0]
        start = self._index.offset(number)
        length = sum(len(line.text) + 1 for line in self._index.lines(number, len(want)))
        return Found(start, min(start + length, len(self._index.text)), level, shift)

    # The old text

    def _matches(self, want: list[str]) -> tuple[list[tuple[Level, int, Shift]], bool]:
        """Return the places of these lines behind the cursor, in order, each at its level.

        And whether that is all: to compare very many would hold everybody up.
        """
        keys = [key(line) for line in want]
        pivots = [i for i, of_key in enumerate(keys) if of_key] or [0]
        pivot = min(pivots, key=lambda i: self._index.frequency(keys[i]))
        found: list[tuple[Level, int, Shift]] = []
        left = _MOST_COMPARED
        for number, window in self._windows(keys, pivot):
            if number < self._cursor or number + len(want) > self._count:
                continue
            if self._at_end and number + len(want) < self._count:
                continue
            match = compare([line.text for line in window], want)
            if match is not None:
                found.append((match[0], number, match[1]))
            left -= len(want)
            if left < 0:
                return found, False
        return found, True

    def _windows(self, keys: list[str], pivot: int) -> Iterator[tuple[int, list[Line]]]:
        """Yield where lines of these keys stand, and the lines there, in order."""
        size = len(keys)
        if self._index.frequency(keys[pivot]) > _MOST_CANDIDATES:
            lines = self._index.lines(0, self._count)
            for number in _runs([line.key for line in lines], keys):
                yield number, lines[number : number + size]
            return
        numbers = (self._index.number(line) - pivot for line in self._index.stands(keys[pivot]))
        for number in sorted(numbers):
            window = self._index.lines(number, size) if number >= 0 else []
            if [line.key for line in window] == keys:
                yield number, window

    # The lines that narrow the place

    def _named(self, anchor: str, spans: list[_Span]) -> list[int]:
        """Return the numbers of the lines in `spans` that an anchor means, in order."""
        name = anchor.rstrip("\n")
        lines = [
            (number, line)
            for number, (line,) in self._windows([key(name)], 0)
            if any(number in span for span in spans)
        ]
        exact = [number for number, line in lines if line.text.removesuffix("\r") == name]
        return sorted(exact or [number for number, _ in lines])

    def _around(self, anchor: str) -> int | None:
        """Return where the block ends that an anchor before the cursor opens around it."""
        before = self._named(anchor, [_Span(0, self._cursor)])
        end = self._index.block_end(before[-1]) if before else 0
        return end if end > self._cursor else None

    def _blocks(self, hits: list[int]) -> list[_Span]:
        if len(hits) > _MOST_BLOCKS:
            return [_Span(hits[0] + 1, self._count)]
        return [_Span(hit + 1, self._index.block_end(hit)) for hit in hits]

    def _behind(self, hits: list[int]) -> Found | Ambiguous:
        if len(hits) > 1:
            return Ambiguous(tuple(number + 1 for number in hits[:_MOST_NUMBERS]))
        at = self._index.offset(hits[0] + 1)
        return Found(at, at)

    def _closest(self, old: str) -> tuple[int, int] | None:
        return closest(self._index.text, old) if self._near else None


def _runs(stand: list[str], want: list[str]) -> Iterator[int]:
    """Yield the places of `want` in `stand`, none of which has an LF, in linear time."""
    text, run = "\n" + "\n".join(stand) + "\n", "\n" + "\n".join(want) + "\n"
    number = done = 0
    at = text.find(run)
    while at >= 0:
        number += text.count("\n", done, at)
        done = at
        yield number
        at = text.find(run, at + 1)


def _blank_ends(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield how many lines to leave out at the beginning and the end: first none, then blanks."""
    yield 0, 0
    solid = [number for number, line in enumerate(lines) if line.strip()]
    if not solid:
        return
    ahead, spare = solid[0], len(lines) - 1 - solid[-1]
    yield from (pair for pair in {(0, spare): 0, (ahead, 0): 0, (ahead, spare): 0} if any(pair))
