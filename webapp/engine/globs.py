"""Globs that name paths of a project, as in "secrets/", "*.lock" or "config/**/prod.yml". Pure.

- `*` stands for any characters within a name, also for none; `**` as a whole name for any number of
  folders, also for none. Every other character stands for itself, whatever its case.
- A glob that matches a folder matches everything in it.
- A glob without a slash (but for one at its end) matches a name in any folder, as ".gitignore" has
  it; one with a slash begins at the top of the project. A slash at its beginning says so too.

Time is at most the product of both lengths: no backtracking, and no regular expression that a
stranger's glob could blow up.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from webapp.document.text import from_utf16


def first_match(globs: Iterable[str], path: str) -> str | None:
    """Return the first of the globs that matches the path or a folder that it is in, else None."""
    names = _fold(path).split("/")
    return next((glob for glob in globs if _matches(glob, names)), None)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", from_utf16(text)).casefold()


def _matches(glob: str, names: list[str]) -> bool:
    folded = _fold(glob.strip())
    wanted = [name for name in folded.split("/") if name not in ("", ".")]
    if not wanted:
        return False
    if "/" not in folded.rstrip("/"):
        return any(_name_matches(wanted[0], name) for name in names)
    # reached[i]: the first i names of the path are matched by the parts of the glob so far.
    reached = [True] + [False] * len(names)
    for part in wanted:
        reached = _step(part, names, reached)
    return any(reached[1:])


def _step(part: str, names: list[str], reached: list[bool]) -> list[bool]:
    """Return where a path can be after one more part of the glob."""
    after = [False] * len(reached)
    if part == "**":
        so_far = False
        for index, was in enumerate(reached):
            so_far = so_far or was
            after[index] = so_far
        return after
    for index, name in enumerate(names):
        if reached[index] and _name_matches(part, name):
            after[index + 1] = True
    return after


def _name_matches(part: str, name: str) -> bool:
    """Say whether one name matches; `*` takes as little as it can, and more only behind itself."""
    pieces = part.split("*")
    if len(pieces) == 1:
        return part == name
    first, *middle, last = pieces
    if len(name) < len(first) + len(last) or not (name.startswith(first) and name.endswith(last)):
        return False
    at, end = len(first), len(name) - len(last)
    for piece in middle:
        found = name.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True
