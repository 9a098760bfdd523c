"""How lines of a file and lines a model wrote may differ and still be the same lines. Pure.

Four levels, each with all that the ones before it allow:

- exact: the same characters; a CR before an LF, which only a file of mixed line ends has, does not
  count;
- trailing: but for white space at the end of lines;
- look-alikes: but for the kind of dash, quote or space, as editors and models exchange them;
- indent: but for one and the same indentation before every line that is not blank.

Turned down: everything that measures how alike two texts are, and a first and a last line that
match around lines that do not. Both find the wrong place sooner or later, without a word.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_LOOKALIKES: Final = {
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"), "-"),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u00b4\uff07"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\uff02"), '"'),
    **dict.fromkeys(
        map(
            ord,
            "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
            "\u202f\u205f\u3000",
        ),
        " ",
    ),
}


class Level(enum.IntEnum):
    """How much two texts differ."""

    EXACT = 0
    TRAILING = 1
    LOOKALIKES = 2
    INDENT = 3


@dataclass(frozen=True, slots=True)
class Shift:
    """What each line that is not blank loses at its beginning, and what it gets instead.

    One of the two is empty; both, when the indentation is right.
    """

    take: str = ""
    add: str = ""

    def __bool__(self) -> bool:
        """Say whether there is anything to change."""
        return bool(self.take or self.add)

    def apply(self, line: str) -> str | None:
        """Return the line as the file has it; None when what is to be taken is not there.

        A blank line stays as it is.
        """
        if not line.strip():
            return line
        return self.add + line.removeprefix(self.take) if line.startswith(self.take) else None


NO_SHIFT: Final = Shift()


def fold(line: str) -> str:
    """Return the line with plain dashes, quotes and spaces, of the same length."""
    return line if line.isascii() else line.translate(_LOOKALIKES)


def key(line: str) -> str:
    """Return what is equal for all lines that are the same at the loosest level."""
    return fold(line).strip()


def compare(lines: Sequence[str], old: Sequence[str]) -> tuple[Level, Shift] | None:
    """Return how much the `old` lines differ from as many `lines` of a file; None: too much.

    Lines have no LF; those of the file may end in CR. Lines that are all blank match exactly, or
    not at all.
    """
    stand = [line.removesuffix("\r") for line in lines]
    if all(map(str.__eq__, stand, old)):
        return Level.EXACT, NO_SHIFT
    if not any(map(str.strip, old)):
        return None
    stand, want = [line.rstrip() for line in stand], [line.rstrip() for line in old]
    if stand == want:
        return Level.TRAILING, NO_SHIFT
    stand, want = [fold(line).rstrip() for line in stand], [fold(line).rstrip() for line in want]
    if stand == want:
        return Level.LOOKALIKES, NO_SHIFT
    shift = _shift(stand, want)
    return None if shift is None else (Level.INDENT, shift)


def _shift(stand: list[str], want: list[str]) -> Shift | None:
    """Return the one indentation by which all the lines differ, or None."""
    first = next((i for i, line in enumerate(want) if line), None)
    if first is None:
        return None
    more = len(stand[first]) - len(want[first])
    shift = Shift(add=stand[first][:more]) if more > 0 else Shift(take=want[first][:-more])
    if not more or (shift.add + shift.take).strip():
        return None
    return shift if all(map(lambda a, b: shift.apply(b) == a, stand, want)) else None
