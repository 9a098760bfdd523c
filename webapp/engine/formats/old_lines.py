"""The old lines of a region, followed through other people's changes.

Each line has a range of the current text, less `_shift`, so that what is written before all of them
costs one addition. Lines are known by their old text throughout; one that somebody changed is
`touched`. Between two lines may stand lines that somebody wrote.

A model may spell the lines otherwise than they stand (another kind of quote, no trailing blanks,
another indentation): then they are known by its spelling, and one that it repeats somewhere else
is written as it stands.

Offsets are UTF-16.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Final

_CANDIDATES: Final = 64
"""How many old lines a growing line is compared with; with more, it simply waits for its end."""


class OldLines:
    """The whole lines in [start, end) of a text; `spelled`, if given, is how the model has them."""

    def __init__(self, text: str, start: int, end: int, spelled: Sequence[str] = ()) -> None:
        first, lines = start, text[start:end].split("\n")
        bare = start == end == len(text) and text[-1:] not in {"", "\n"}
        self.open_end: Final = bool(lines[-1]) or bare
        """Whether the last line, or the text that ends where there are none, has no LF."""
        if not lines[-1]:
            lines.pop()
        stand = [line.removesuffix("\r") for line in lines]
        self._old: Final = list(spelled[: len(lines)]) if spelled else stand
        self._spelling: Final = {
            name: line for line, name in zip(stand, self._old, strict=True) if line != name
        }
        self._spelled: Final = sorted(self._spelling)
        self._begin: list[int] = []
        self._finish: list[int] = []
        for line in lines:
            self._begin.append(start)
            start += len(line) + 1
            self._finish.append(start)
        if self.open_end and lines:
            self._finish[-1] -= 1
        self._touched: Final = bytearray(len(lines))
        # A last line without an end would end as the one before it does.
        crs = [text.endswith("\r\n", 0, first), *(line.endswith("\r") for line in lines)]
        if self.open_end and lines:
            crs[-1] = crs[-2]
        self._crs: Final = [*crs[1:], crs[-1]]
        counts = Counter(self._old)
        self._unique: Final = {
            line: index
            for index, line in enumerate(self._old)
            if counts[line] == 1 and line.strip()
        }
        self._sorted: Final = sorted(self._unique)
        self._shift = 0
        self._first = 0
        self.count: Final = len(lines)

    def __contains__(self, line: str) -> bool:
        """Say whether one of the lines is (or was) this one, without its LF."""
        return line in self._unique or line in self._old

    def begin(self, index: int) -> int:
        """Return where a line begins."""
        return self._begin[index] + self._shift

    def finish(self, index: int) -> int:
        """Return where the line after this one begins, if nobody wrote between."""
        return self._finish[index] + self._shift

    def touched(self, index: int) -> bool:
        """Say whether somebody changed the line."""
        return bool(self._touched[index])

    def line_end(self, index: int) -> str:
        """Return what ends a line, as it was; behind the last one, what ended that."""
        return "\r\n" if self._crs[index] else "\n"

    def as_it_stands(self, line: str) -> str | None:
        """Return the old line that the model spells so, if it stands otherwise."""
        return self._spelling.get(line)

    def match(self, line: str, following: int) -> int | None:
        """Return the line that a new line passes: `following`, or a later unique one."""
        if following < self.count and self._old[following] == line:
            return following
        found = self._unique.get(line, -1)
        return found if found >= following else None

    def may_match(self, partial: str, following: int) -> bool:
        """Say whether a line that begins so could pass one of these, or be spelled otherwise."""
        if following < self.count and self._old[following].startswith(partial):
            return True
        if self._spelled:
            at = bisect_left(self._spelled, partial)
            if at < len(self._spelled) and self._spelled[at].startswith(partial):
                return True
        first = bisect_left(self._sorted, partial)
        for place in range(first, min(first + _CANDIDATES, len(self._sorted))):
            line = self._sorted[place]
            if not line.startswith(partial):
                return False
            if self._unique[line] > following:
                return True
        return first + _CANDIDATES < len(self._sorted)

    def untouched(self, first: int, end: int) -> list[list[int]]:
        """Return the ranges of the untouched lines of [first, end), neighbours joined."""
        groups: list[list[int]] = []
        for index in range(first, end):
            if self._touched[index]:
                continue
            begin, finish = self.begin(index), self.finish(index)
            if groups and groups[-1][1] == begin:
                groups[-1][1] = finish
            elif begin < finish:
                groups.append([begin, finish])
        return groups

    def move(self, delta: int, first: int) -> None:
        """Note a change of our own before line `first`; those before it are no longer followed."""
        self._shift += delta
        self._first = first

    def follow(self, start: int, end: int, inserted: str) -> None:
        """Note that somebody replaced [start, end)."""
        begin, finish, touched = self._begin, self._finish, self._touched
        index, count = self._first, self.count
        moved = len(inserted) - (end - start)
        if index >= count:
            return
        if end - self._shift < begin[index]:
            self._shift += moved
            return
        start, end = start - self._shift, end - self._shift
        if self.open_end and start == finish[-1] and not inserted.startswith("\n"):
            touched[-1] = 1  # somebody went on with the last line
            finish[-1] += moved
            return
        index = bisect_right(finish, start, index)
        whole_lines = False
        while index < count and begin[index] < end:
            whole_lines = whole_lines or begin[index] == start
            touched[index] = 1
            if begin[index] > start:
                begin[index] = start + len(inserted)
            inside = finish[index] < end
            finish[index] = start + len(inserted) if inside else finish[index] + moved
            index += 1
        if index < count and begin[index] == end:
            # Typed at the beginning of a line, or joined to it; a line of its own stays apart.
            joins = not inserted.endswith("\n") if inserted or start == end else not whole_lines
            if joins:
                touched[index] = 1
                begin[index] = begin[index] if start == end else start
                finish[index] += moved
                index += 1
        if moved:
            for later in range(index, count):
                begin[later] += moved
                finish[later] += moved
