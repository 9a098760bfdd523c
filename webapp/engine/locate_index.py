"""The lines of one text, indexed so that many blocks can be located in it as it changes. Pure.

`catch_up` brings the index to the text as it is now: what is equal at both ends stays, and only
the lines between are read again, so a change costs what it changed. Lines are found by their key
(locate_lines.py), the loosest level; whoever asks compares what he gets.

Lines stand in chunks, so that a line's number and offset cost the number of chunks. A line that is
gone keeps its place in the key's list, marked, until somebody comes across it.

Turned down: a search for each level in a normalised copy of the text (a megabyte to normalise and
to map back for each block), and following each change from outside (one that is forgotten would
put an edit at the wrong place).
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, islice
from typing import Final

from webapp.engine.locate_lines import fold, key

_CHUNK: Final = 128
_STEP: Final = 1 << 16


class Line:
    """One line, without its LF."""

    __slots__ = ("chunk", "key", "text")

    def __init__(self, text: str, chunk: "Chunk") -> None:
        self.text: Final = text
        self.key: Final = key(text)
        self.chunk: Chunk | None = chunk
        """None when it is gone."""


class Chunk:
    """Neighbouring lines."""

    __slots__ = ("least", "lines", "number", "size")

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.size = 0
        """In characters, with an LF behind each line."""
        self.number = 0
        self.least: int | None = None
        """The smallest indentation of lines that are not blank, while it is known."""


class Index:
    """The lines of a text. The last one has no LF, and is empty when the text ends with one."""

    def __init__(self, text: str = "") -> None:
        self.text = ""
        self._chunks: list[Chunk] = []
        self._stands: dict[str, list[Line]] = {}
        self.count = 0
        """How many lines there are."""
        self._numbers: list[int] = []
        """The number of each chunk's first line, and behind the last; empty after a change."""
        self._offsets: list[int] = []
        """Where each chunk begins, likewise."""
        self._replace(0, 0, text)

    def catch_up(self, text: str) -> None:
        """Take the text as it is now."""
        if text is self.text or text == self.text:
            self.text = text
            return
        same, tail = _common(self.text, text)
        self._replace(same, len(self.text) - tail, text)

    def _replace(self, start: int, end: int, text: str) -> None:
        """Read the lines again that hold [start, end) of the text so far."""
        old_length = len(self.text) if self._chunks else -1
        self.text = text
        if old_length < 0:
            self._put(0, 0, text.split("\n"))
            return
        first, begin = self._chunk_of(start)
        last, finish = self._chunk_of(end)
        head, tail = self._chunks[first].lines, self._chunks[last].lines
        i = j = 0
        while begin + len(head[i].text) < start:
            begin += len(head[i].text) + 1
            i += 1
        while finish + len(tail[j].text) < end:
            finish += len(tail[j].text) + 1
            j += 1
        finish += len(tail[j].text) + len(text) - old_length
        for chunk in self._chunks[first : last + 1]:
            low = i if chunk is self._chunks[first] else 0
            high = j + 1 if chunk is self._chunks[last] else len(chunk.lines)
            for line in chunk.lines[low:high]:
                line.chunk = None
        fresh = text[begin:finish].split("\n")
        if first == last and len(head) - (j + 1 - i) + len(fresh) <= 2 * _CHUNK:
            self._splice(self._chunks[first], i, j + 1, fresh)
            return
        kept = [line.text for line in head[:i]] + fresh + [line.text for line in tail[j + 1 :]]
        for line in (*head[:i], *tail[j + 1 :]):
            line.chunk = None
        self._put(first, last + 1, kept)

    def _splice(self, chunk: Chunk, low: int, high: int, texts: list[str]) -> None:
        chunk.size -= sum(len(line.text) + 1 for line in chunk.lines[low:high])
        chunk.size += sum(len(text) + 1 for text in texts)
        self.count += len(texts) - (high - low)
        self._numbers, self._offsets = [], []
        chunk.lines[low:high] = self._lines(texts, chunk)
        chunk.least = None

    def _put(self, first: int, end: int, texts: list[str]) -> None:
        """Put chunks of these lines in the place of some."""
        fresh: list[Chunk] = []
        lines = iter(texts)
        while part := list(islice(lines, _CHUNK)):
            chunk = Chunk()
            chunk.lines = self._lines(part, chunk)
            chunk.size = sum(map(len, part)) + len(part)
            fresh.append(chunk)
        self.count += len(texts) - sum([len(chunk.lines) for chunk in self._chunks[first:end]])
        self._chunks[first:end] = fresh
        for number, chunk in enumerate(self._chunks):
            chunk.number = number
        self._numbers, self._offsets = [], []

    def _lines(self, texts: list[str], chunk: Chunk) -> list[Line]:
        lines = [Line(text, chunk) for text in texts]
        stands = self._stands
        for line in lines:
            stands.setdefault(line.key, []).append(line)
        return lines

    def _chunk_of(self, offset: int) -> tuple[int, int]:
        """Return the chunk that holds the character at an offset, or its LF, and its beginning."""
        self._sum_up()
        number = bisect_right(self._offsets, offset) - 1
        return number, self._offsets[number]

    def _sum_up(self) -> None:
        if not self._numbers:
            self._numbers = [0, *accumulate([len(chunk.lines) for chunk in self._chunks])]
            self._offsets = [0, *accumulate([chunk.size for chunk in self._chunks])]

    # What it says

    def frequency(self, of_key: str) -> int:
        """Return how many lines of this key there are, or were: never less than there are."""
        return len(self._stands.get(of_key, ()))

    def stands(self, of_key: str) -> list[Line]:
        """Return the lines of this key, in no order."""
        lines = [line for line in self._stands.get(of_key, ()) if line.chunk is not None]
        if lines:
            self._stands[of_key] = lines
        else:
            self._stands.pop(of_key, None)
        return list(lines)

    def number(self, line: Line) -> int:
        """Return the number of a line that stands, from 0."""
        chunk = line.chunk
        if chunk is None:
            raise ValueError("the line is gone")
        self._sum_up()
        return self._numbers[chunk.number] + chunk.lines.index(line)

    def offset(self, number: int) -> int:
        """Return where a line begins; behind the last one, the text's length."""
        if number >= self.count:
            return len(self.text)
        self._sum_up()
        at = bisect_right(self._numbers, number) - 1
        before = self._chunks[at].lines[: number - self._numbers[at]]
        return self._offsets[at] + sum([len(line.text) + 1 for line in before])

    def line_at(self, offset: int) -> int:
        """Return the number of the first line that begins at the offset, or behind it."""
        if offset > len(self.text):
            return self.count
        at, begin = self._chunk_of(offset)
        number = self._numbers[at]
        for line in self._chunks[at].lines:
            if begin >= offset:
                return number
            number, begin = number + 1, begin + len(line.text) + 1
        return number

    def lines(self, first: int, count: int) -> list[Line]:
        """Return the lines from one on, as many as there are."""
        return list(islice(self._from(first), count))

    def _from(self, first: int) -> Iterator[Line]:
        self._sum_up()
        at = bisect_right(self._numbers, first) - 1
        for chunk in self._chunks[at:]:
            yield from chunk.lines[max(0, first - self._numbers[chunk.number]) :]

    def block_end(self, number: int) -> int:
        """Return where the block ends that a line opens: the first line, not blank, that is
        indented no deeper than it. A line that opens none has its end right behind it."""
        depth = -1
        at = 0
        for chunk in self._chunks:
            size = len(chunk.lines)
            skips = depth < 0 and at + size <= number
            if not skips and not (depth >= 0 and _least(chunk) > depth):
                for line in chunk.lines:
                    if at == number:
                        depth = _indent(line)
                    elif depth >= 0 and line.key and _indent(line) <= depth:
                        return at
                    at += 1
            else:
                at += size
        return at


def _indent(line: Line) -> int:
    text = fold(line.text)
    return len(text) - len(text.lstrip())


def _least(chunk: Chunk) -> int:
    if chunk.least is None:
        chunk.least = min((_indent(line) for line in chunk.lines if line.key), default=1 << 30)
    return chunk.least


def _common(old: str, new: str) -> tuple[int, int]:
    """Return how long the beginning is that two texts share, and then how long the end."""
    most = min(len(old), len(new))
    same = 0
    while same < most and new.startswith(old[same : same + _STEP], same):
        same = min(same + _STEP, most)
    low, high = same, min(same + _STEP, most)
    while low < high:
        middle = (low + high + 1) // 2
        if new.startswith(old[low:middle], low):
            low = middle
        else:
            high = middle - 1
    same, most = low, most - low
    tail = 0
    while tail < most and _ends(old, new, tail, min(tail + _STEP, most)):
        tail = min(tail + _STEP, most)
    low, high = tail, min(tail + _STEP, most)
    while low < high:
        middle = (low + high + 1) // 2
        if _ends(old, new, low, middle):
            low = middle
        else:
            high = middle - 1
    return same, low


def _ends(old: str, new: str, near: int, far: int) -> bool:
    """Say whether the texts agree from `far` to `near` characters before their ends."""
    return new.endswith(old[len(old) - far : len(old) - near], 0, len(new) - near)
