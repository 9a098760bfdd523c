"""The algebra of changes: a port of ChangeSet from @codemirror/state (MIT licence).

A change set turns a text of one exact length into another. It is a row of sections, each a number
of old characters and what becomes of them: None for untouched, else the text in their place, so
an insertion is (0, "text"), a deletion (n, ""), a replacement (n, "text"). Offsets and lengths
are UTF-16 code units (see text.py).

What always holds:
- every operation gives the very sections that CodeMirror gives, in the same normal form: no empty
  section, and no two neighbours that are both untouched, both deletions or both insertions. Where
  one change ends and the next begins decides how positions and later changes map, so replicas
  stay equal only if this holds too; tests run both implementations on the same random cases.
- sets are values: no operation alters its operands.
- cost follows the number of sections and the inserted text, never the length of the text, except
  in `apply`.

Where CodeMirror trusts (JSON of any shape) or never returns (mapping over a set of another
length), this module raises ChangeError.

Turned down: a rope for the text, as a joined str is quicker at the sizes a file may have; and a
mapping over many changes composed into one, as that is not the mapping over each in turn.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from webapp.document.sections import KEEP, Builder, Section, compose_row, map_row
from webapp.document.text import to_utf16

MAX_LENGTH: Final = 2**31 - 1
_KINDS: Final[dict[type, str]] = {
    bool: "true or false",
    dict: "an object",
    float: "a fraction",
    int: "a number",
    list: "a list",
    str: "a string",
    type(None): "nothing",
}


class ChangeError(ValueError):
    """A change that is malformed or does not fit; its text is a sentence that says why."""


class ChangeSet:
    """One change of a text of `length` into one of `new_length`; immutable."""

    __slots__ = ("_sections", "length", "new_length")

    def __init__(self, sections: tuple[Section, ...], length: int, new_length: int) -> None:
        """Take sections already in normal form; use `of`, `empty` or `from_json` instead."""
        self._sections: Final = sections
        self.length: Final = length
        self.new_length: Final = new_length

    @classmethod
    def empty(cls, length: int) -> "ChangeSet":
        """Return the change that changes nothing in a text of `length`."""
        return cls(((length, None),) if length else (), length, length)

    @classmethod
    def of(
        cls, length: int, changes: Iterable[tuple[int, int, str]], *, keep_cr: bool = False
    ) -> "ChangeSet":
        """Return the set of these (from, to, inserted) changes, all in offsets of the old text.

        They come in any order, which matters only for what stands first at one place; each step
        back in the text costs a composition. Line ends in the inserted text become LF, unless
        the file keeps its CRs. Raises ChangeError when a range lies outside the text or two of
        them overlap.
        """
        ranges = [(start, end, to_utf16(_lf(text, keep_cr))) for start, end, text in changes]
        _check_ranges(ranges, length)
        total: ChangeSet | None = None
        builder, pos = Builder(), 0
        for start, end, text in ranges:
            if start == end and not text:
                continue
            if start < pos:
                builder.add(length - pos, KEEP)
                run = cls(*builder.finish())
                total = run if total is None else total.compose(run.map(total))
                builder, pos = Builder(), 0
            builder.add(start - pos, KEEP)
            builder.add(end - start, len(text), text)
            pos = end
        builder.add(length - pos, KEEP)
        run = cls(*builder.finish())
        return run if total is None else total.compose(run.map(total))

    @classmethod
    def from_json(
        cls, value: object, length: int | None = None, *, keep_cr: bool = False
    ) -> "ChangeSet":
        """Return the set that `value` describes: `[retain | [delete, ...inserted lines]]`.

        With `length`, the set must fit a text of that length. A line may hold a CR only with
        `keep_cr`, for files whose line endings are mixed. Sections that CodeMirror would have
        joined or left out are joined and left out. Raises ChangeError for anything else.
        """
        if not isinstance(value, list):
            raise ChangeError(f"A change is a list of sections, not {_kind(value)}.")
        builder = Builder()
        for part in value:
            if not isinstance(part, list):
                builder.add(_count(part), KEEP)
                continue
            if not part:
                raise ChangeError("A section of a change is an empty list.")
            text = to_utf16(_lines(part, keep_cr))
            builder.add(_count(part[0]), len(text), text)
        if length is not None and builder.length != length:
            raise ChangeError(
                f"The change is for a text of length {builder.length}, but the text has {length}."
            )
        return cls(*builder.finish())

    def to_json(self) -> list[int | list[int | str]]:
        """Return what `from_json` reads, as CodeMirror's ChangeSet.toJSON does."""
        return [_section_json(length, text) for length, text in self._sections]

    @property
    def is_empty(self) -> bool:
        """Say whether the set changes nothing."""
        return not self._sections or (len(self._sections) == 1 and self._sections[0][1] is None)

    @property
    def section_count(self) -> int:
        """Return what the cost of mapping and composing grows with."""
        return len(self._sections)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChangeSet):
            return NotImplemented
        return self._sections == other._sections

    def __repr__(self) -> str:
        return f"ChangeSet({self.to_json()!r})"

    def apply(self, text: str) -> str:
        """Return the changed text. Raises ChangeError when `text` has another length."""
        self._expect(len(text))
        pieces = []
        pos = 0
        for length, inserted in self._sections:
            pieces.append(text[pos : pos + length] if inserted is None else inserted)
            pos += length
        return "".join(pieces)

    def invert(self, text: str) -> "ChangeSet":
        """Return the change back, given the text as it was before this one."""
        self._expect(len(text))
        sections: list[Section] = []
        pos = 0
        for length, inserted in self._sections:
            if inserted is None:
                sections.append((length, None))
            else:
                sections.append((len(inserted), text[pos : pos + length]))
            pos += length
        return ChangeSet(tuple(sections), self.new_length, self.length)

    def compose(self, other: "ChangeSet") -> "ChangeSet":
        """Return this change followed by `other`, which starts where this one ends."""
        if self.new_length != other.length:
            raise ChangeError(
                f"A change that leaves {self.new_length} characters"
                f" is followed by one for {other.length}."
            )
        if self.is_empty:
            return other
        return self if other.is_empty else ChangeSet(*compose_row(self._sections, other._sections))

    def map(self, other: "ChangeSet", before: bool = False) -> "ChangeSet":
        """Return this change as it applies after `other`; both start at the same text.

        Insertions at one place: the other's stands first, or with `before` this one's.
        `a.compose(b.map(a))` and `b.compose(a.map(b, before=True))` give the same text.
        """
        if self.length != other.length:
            raise ChangeError(
                f"A change of a text of length {self.length} cannot be mapped"
                f" over one of length {other.length}."
            )
        if other.is_empty:
            return self
        return ChangeSet(*map_row(self._sections, other._sections, before))

    def map_pos(self, pos: int, assoc: int = -1) -> int:
        """Return where the offset stands after this change.

        Text inserted at the offset comes behind it when `assoc` is negative, else before it.
        Raises ChangeError when the offset is outside the text.
        """
        if not 0 <= pos <= self.length:
            raise ChangeError(f"The offset {pos} is outside a text of length {self.length}.")
        old = new = 0
        for length, inserted in self._sections:
            end = old + length
            if inserted is None:
                if end > pos:
                    return new + pos - old
                new += length
            else:
                if end > pos or (end == pos and assoc < 0 and not length):
                    return new if pos == old or assoc < 0 else new + len(inserted)
                new += len(inserted)
            old = end
        return new

    def iter_changes(self, individual: bool = False) -> Iterator[tuple[int, int, int, int, str]]:
        """Yield (from, to) in the old text, (from, to) in the new one, and the inserted text.

        Neighbours come as one change, unless `individual`.
        """
        old = new = 0
        start: tuple[int, int] | None = None
        parts: list[str] = []
        for length, inserted in self._sections:
            if start and (inserted is None or individual):
                yield start[0], old, start[1], new, "".join(parts)
                start = None
            if inserted is not None:
                if start is None:
                    start, parts = (old, new), []
                parts.append(inserted)
            old += length
            new += length if inserted is None else len(inserted)
        if start:
            yield start[0], old, start[1], new, "".join(parts)

    def _expect(self, length: int) -> None:
        if length != self.length:
            raise ChangeError(
                f"The change is for a text of length {self.length}, but the text has {length}."
            )


def _lf(text: str, keep_cr: bool) -> str:
    return text if keep_cr or "\r" not in text else text.replace("\r\n", "\n").replace("\r", "\n")


def _check_ranges(ranges: list[tuple[int, int, str]], length: int) -> None:
    last_end = 0
    for start, end in sorted((start, end) for start, end, _ in ranges):
        if not 0 <= start <= end <= length:
            raise ChangeError(
                f"The range {start} to {end} does not lie in a text of length {length}."
            )
        if start < last_end:
            raise ChangeError(f"The range {start} to {end} overlaps one that ends at {last_end}.")
        last_end = end


def _section_json(length: int, text: str | None) -> int | list[int | str]:
    if text is None:
        return length
    return [length, *text.split("\n")] if text else [length]


def _count(value: object) -> int:
    if type(value) is not int:
        raise ChangeError(f"A change counts characters in whole numbers, not {_kind(value)}.")
    if value < 0:
        raise ChangeError("A change counts characters below zero.")
    if value > MAX_LENGTH:
        raise ChangeError(f"A change counts more characters than a text may have ({MAX_LENGTH}).")
    return value


def _lines(part: list[object], keep_cr: bool) -> str:
    lines = []
    for line in part[1:]:
        if not isinstance(line, str):
            raise ChangeError(f"An inserted line is a string, not {_kind(line)}.")
        if "\n" in line or ("\r" in line and not keep_cr):
            raise ChangeError("An inserted line holds a line break.")
        lines.append(line)
    return "\n".join(lines)


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "something else")
