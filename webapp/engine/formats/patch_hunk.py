"""One hunk of a patch, line by line, and the block that it becomes. Pure.

A context line and a `-` line are searched, in their order; a context line and a `+` line replace
them. A blank line without its space is blank context. Where a hunk would have nothing else to
search, such a line cannot be that: around the `+` lines it is nothing, and between them there is no
telling whether it was meant to be added, so the hunk is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from webapp.engine.formats import (
    BlockEnd,
    BlockFault,
    BlockStart,
    Event,
    Omission,
    Search,
    Text,
)
from webapp.engine.formats.omissions import is_omission
from webapp.engine.formats.patch_lines import Header

_BARE: Final = ""
"""The sign of a blank line that has none."""


@dataclass(slots=True)
class Hunk:
    """A hunk as far as it was read."""

    opened: bool = False
    """Whether an `@@` line opened it."""
    at_end: bool = False
    _anchors: list[str] = field(default_factory=list)
    _numbered: bool = False
    _lines: list[tuple[str, str]] = field(default_factory=list)
    """Each with its sign."""
    _last_solid: int = 0
    """Behind the last line that is not a bare blank."""
    _crlfs: int = 0

    @property
    def has_lines(self) -> bool:
        """Say whether it has any but bare blank lines."""
        return self._last_solid > 0

    @property
    def is_named(self) -> bool:
        """Say whether a line narrows its place."""
        return bool(self._anchors)

    @property
    def is_file_header(self) -> bool:
        """Say whether it is what a unified diff says of its files."""
        signs = [(sign, text[:3]) for sign, text in self._lines]
        return not self.opened and signs == [("-", "-- "), ("+", "++ ")]

    def narrow(self, header: Header) -> None:
        """Take one more `@@` line, before any line of the hunk."""
        self.opened = True
        self._lines.clear()
        self._numbered = self._numbered or header.numbered
        if header.anchor is not None:
            self._anchors.append(header.anchor)

    def add(self, line: str, *, crlf: bool = False) -> bool:
        """Take a line; return False when it is none of a hunk."""
        self._crlfs += crlf
        sign = line[:1]
        if sign in ("+", "-", " "):
            self._lines.append((sign, line[1:]))
            self._last_solid = len(self._lines)
            return True
        if not line.strip():
            self._lines.append((_BARE, ""))
            return True
        return line.startswith("\\ No newline")

    def drop_from(self, number: int) -> None:
        """Forget the lines from this one on, counted from 0."""
        del self._lines[number:]
        solid = (i for i in range(len(self._lines), 0, -1) if self._lines[i - 1][0] != _BARE)
        self._last_solid = next(solid, 0)

    def __len__(self) -> int:
        return len(self._lines)

    def events(self, path: str, *, restarts: bool, markup: bool) -> Iterator[Event]:
        """Return the block, a whole one or one with a fault."""
        lines = self._lines
        adds_only = all(sign in ("+", _BARE) for sign, _ in lines)
        if adds_only:
            lines = _without_bare_ends(lines)
        start = BlockStart(
            path,
            anchors=tuple(self._anchors),
            ordered=True,
            at_end=self.at_end,
            restarts=restarts,
        )
        yield start
        if fault := self._fault(lines, adds_only=adds_only):
            yield BlockEnd(fault)
            return
        yield Search("".join(text + "\n" for sign, text in lines if sign != "+"))
        yield from _replacement(lines, markup)
        yield BlockEnd(crlf=self._crlfs > 0 and self._crlfs * 2 >= len(lines))

    def _fault(self, lines: list[tuple[str, str]], *, adds_only: bool) -> BlockFault | None:
        if not lines:
            return BlockFault.EMPTY
        if adds_only and any(sign == _BARE for sign, _ in lines):
            return BlockFault.BAD_LINE
        if adds_only and self._numbered and not self._anchors and not self.at_end:
            return BlockFault.NO_PLACE
        return None


def _without_bare_ends(lines: list[tuple[str, str]]) -> list[tuple[str, str]]:
    solid = [number for number, (sign, _) in enumerate(lines) if sign != _BARE]
    return lines[solid[0] : solid[-1] + 1] if solid else []


def _replacement(lines: list[tuple[str, str]], markup: bool) -> Iterator[Event]:
    parts: list[str] = []
    for sign, text in lines:
        if sign == "-":
            continue
        if sign == "+" and is_omission(text, markup=markup):
            if parts:
                yield Text("".join(parts))
                parts.clear()
            yield Omission(text + "\n")
        else:
            parts.append(text + "\n")
    if parts:
        yield Text("".join(parts))
