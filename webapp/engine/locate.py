"""Where old text stands: the one place, or why there is none. Pure.

Whole lines are compared, exactly, with all lines of the text as it is now; what stands at two
places is no place, since the wrong one would be changed without a word. Whoever refuses an edit
tells the line numbers, so that the next try can do better.

Offsets are UTF-16; line numbers are 1-based and inclusive. A CR before an LF, which only a file of
mixed line ends has, does not count.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

_MOST_NUMBERS: Final = 20
_MOST_VOTERS: Final = 50
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Found:
    """The old text is [start, end), the bounds of whole lines."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Missing:
    """It stands nowhere. `closest` are the lines that are most like it, if any are."""

    closest: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """It stands at several places, which begin at these lines; at most 20 are told."""

    lines: tuple[int, ...]


def locate(text: str, old: str, *, near: bool = True) -> Found | Missing | Ambiguous:
    """Return where `old`, whole lines with LF, stands in `text`. It must not be empty.

    Not `near`, the closest lines are not looked for: in a text of 2 MB that takes 100 ms.
    """
    if not old:
        raise ValueError("nothing to look for")
    plain = text.replace("\r\n", "\n") if "\r" in text else text
    places = _places(plain, old if old.endswith("\n") else old + "\n")
    if not places and not near:
        return Missing()
    if not places:
        return Missing(_closest(plain.split("\n"), old.split("\n")))
    if len(places) > 1:
        return Ambiguous(tuple(plain.count("\n", 0, at) + 1 for at in places))
    start = places[0]
    end = min(start + len(old) + (not old.endswith("\n")), len(plain))
    if len(plain) == len(text):
        return Found(start, end)
    first = plain.count("\n", 0, start)
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[:first])
    count = old.count("\n") + (not old.endswith("\n"))
    end = start + sum(len(line) + 1 for line in lines[first : first + count])
    return Found(start, min(end, len(text)))


def _places(text: str, old: str) -> list[int]:
    """Return where `old` begins at the beginning of a line; the text's end counts as an LF."""
    if not text.endswith("\n"):
        text += "\n"
    places = [0] if text.startswith(old) else []
    at = text.find("\n" + old)
    while at >= 0 and len(places) < _MOST_NUMBERS:
        places.append(at + 1)
        at = text.find("\n" + old, at + 1)
    return places


def _closest(lines: list[str], old: list[str]) -> tuple[int, int] | None:
    """Return the lines most like the old ones: by equal lines but for indents, else by words."""
    wanted = [(index, line.strip()) for index, line in enumerate(old) if line.strip()]
    if not wanted:
        return None
    stands: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        stands.setdefault(line.strip(), []).append(number)
    votes = Counter(
        number - index
        for index, line in wanted
        if len(places := stands.get(line, ())) <= _MOST_VOTERS
        for number in places
    )
    if votes:
        best = max(votes, key=lambda first: (votes[first], -first))
        span = len(old) - (not old[-1])
        return max(1, best + 1), min(len(lines) - (not lines[-1]), best + span)
    words = set(_WORD.findall(max((line for _, line in wanted), key=len)))
    shared = [len(words.intersection(_WORD.findall(line))) for line in lines]
    best = max(range(len(lines)), key=shared.__getitem__)
    return (best + 1, best + 1) if shared[best] * 2 > len(words) else None
