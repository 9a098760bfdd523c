"""Rows of sections, and the two walks over them that everything in changes.py rests on.

A section is a number of old characters and what becomes of them: None for untouched, else the
text in their place. Ports of addSection, SectionIter, mapSet and composeSets from
@codemirror/state (MIT licence), branch by branch: where a section ends decides how positions and
later changes map, so a shorter way to the same text would be another algebra. Callers check that
lengths fit; the walks rely on it.
"""

from typing import Final, NamedTuple

Section = tuple[int, str | None]

KEEP: Final = -1
_DONE: Final = -2


class Row(NamedTuple):
    """Sections in normal form, and the lengths of the text before and after."""

    sections: tuple[Section, ...]
    length: int
    new_length: int


class Builder:
    """Collects sections in normal form (CodeMirror's addSection and addInsert)."""

    __slots__ = ("_ins", "_len", "_parts", "_sections", "length", "new_length")

    def __init__(self) -> None:
        self._sections: list[Section] = []
        self._len = 0
        self._ins = _DONE
        self._parts: list[str] = []
        self.length = 0
        self.new_length = 0

    def add(self, length: int, ins: int, text: str = "", join: bool = False) -> bool:
        """Add `length` old characters replaced by `text` of length `ins`, or kept (ins == -1).

        With `join` it becomes part of the change before it. Returns whether it is a new section.
        """
        if length == 0 and ins <= 0:
            return False
        self.length += length
        self.new_length += length if ins == KEEP else ins
        if self._ins != _DONE:
            if ins <= 0 and ins == self._ins:
                self._len += length
                return False
            if join or (length == 0 and self._len == 0):
                self._len += length
                self._ins += ins
                self._parts.append(text)
                return False
            self._flush()
        self._len = length
        self._ins = ins
        self._parts = [text]
        return True

    def _flush(self) -> None:
        text = None if self._ins == KEEP else "".join(self._parts)
        self._sections.append((self._len, text))

    def finish(self) -> Row:
        """Return what was collected."""
        if self._ins != _DONE:
            self._flush()
        return Row(tuple(self._sections), self.length, self.new_length)


class _Cursor:
    """Walks over sections piece by piece (CodeMirror's SectionIter)."""

    __slots__ = ("_sections", "index", "ins", "len", "off", "text")

    def __init__(self, sections: tuple[Section, ...]) -> None:
        self._sections = sections
        self.index = 0
        self.next()

    def next(self) -> None:
        """Go to the next section; `index` counts the sections taken so far."""
        self.off = 0
        if self.index < len(self._sections):
            self.len, text = self._sections[self.index]
            self.index += 1
            if text is None:
                self.ins, self.text = KEEP, ""
            else:
                self.ins, self.text = len(text), text
        else:
            self.len, self.ins, self.text = 0, _DONE, ""

    def forward(self, length: int) -> None:
        """Move on by so many characters of the text before this change."""
        if length == self.len:
            self.next()
        else:
            self.len -= length
            self.off += length

    def forward_new(self, length: int) -> None:
        """Move on by so many characters of the text after this change."""
        if self.ins == KEEP:
            self.forward(length)
        elif length == self.ins:
            self.next()
        else:
            self.ins -= length
            self.off += length


def map_row(set_a: tuple[Section, ...], set_b: tuple[Section, ...], before: bool) -> Row:
    """Port of mapSet: both sets are walked in parallel; `placed` is the section of A that was
    already inserted while its deletions are still being worked off."""
    result = Builder()
    a, b = _Cursor(set_a), _Cursor(set_b)
    placed = 0
    while True:
        if a.ins == KEEP and b.ins == KEEP:
            length = min(a.len, b.len)
            result.add(length, KEEP)
            a.forward(length)
            b.forward(length)
        elif b.ins >= 0 and (
            a.ins < 0
            or placed == a.index
            or (a.off == 0 and (b.len < a.len or (b.len == a.len and not before)))
        ):
            # A change of B that comes before the next one of A (by start, then length, then
            # `before`): step over it, and over the changes of A that it covers.
            length = b.len
            result.add(b.ins, KEEP)
            while length:
                piece = min(a.len, length)
                if a.ins >= 0 and placed < a.index and a.len <= piece:
                    result.add(0, a.ins, a.text)
                    placed = a.index
                a.forward(piece)
                length -= piece
            b.next()
        elif a.ins >= 0:
            # A change of A, up to the start of the next change in B that is no deletion inside it.
            length, left = 0, a.len
            while left:
                if b.ins == KEEP:
                    piece = min(left, b.len)
                    length += piece
                    left -= piece
                    b.forward(piece)
                elif b.ins == 0 and b.len < left:
                    left -= b.len
                    b.next()
                else:
                    break
            if placed < a.index:
                result.add(length, a.ins, a.text)
            else:
                result.add(length, 0)
            placed = a.index
            a.forward(a.len - left)
        else:
            return result.finish()


def compose_row(set_a: tuple[Section, ...], set_b: tuple[Section, ...]) -> Row:
    """Port of composeSets: `open` says that the last section goes on growing."""
    result = Builder()
    a, b = _Cursor(set_a), _Cursor(set_b)
    open_ = False
    while True:
        if a.ins == _DONE and b.ins == _DONE:
            return result.finish()
        if a.ins == 0:
            result.add(a.len, 0, "", open_)
            a.next()
            continue
        if b.len == 0 and b.ins != _DONE:
            result.add(0, b.ins, b.text, open_)
            b.next()
            continue
        length = min(a.len if a.ins == KEEP else a.ins, b.len)
        deleted = length if a.ins == KEEP else (0 if a.off else a.len)
        if b.ins != KEEP:
            ins, text = (0, "") if b.off else (b.ins, b.text)
        elif a.ins == KEEP:
            ins, text = KEEP, ""
        else:
            ins, text = length, a.text[a.off : a.off + length]
        is_new = result.add(deleted, ins, text, open_)
        open_ = (a.ins > length or (b.ins >= 0 and b.len > length)) and (open_ or is_new)
        a.forward_new(length)
        b.forward(length)
