"""What a line is to a patch: a marker, a hunk's header, or a wrapper around the patch. Pure."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

LONGEST_LINE: Final = 1000
"""No longer line is special."""

_MARKER = re.compile(r"([ \t]*)\*\*\* +(.*?)[ \t]*")
_WITH_PATH = re.compile(r"(Add File|Delete File|Update File|Move to):[ \t]*(.*)")
_OTHER = re.compile(r"[A-Z]\w* (?:File|Directory|Folder|Patch|of|to)\b.*")
_HEADER = re.compile(r"@@(?:[ \t](.*))?")
_NUMBERS = re.compile(r"-(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@(?:[ \t](.*))?")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([^`]*)")
_HEREDOC = re.compile(
    r"""[ \t]*(?:\$ )?(?:apply_?patch|cat|bash)\b.*<<-?[ \t]*(['"]?)(\w+)\1(?:\W.*)?"""
)
_COMMANDS: Final = ("apply_patch", "applypatch", "cat ", "bash ", "$ ")
_QUOTES: Final = "`\"'"


class Mark(Enum):
    """What a marker says."""

    BEGIN = "Begin Patch"
    END = "End Patch"
    END_OF_FILE = "End of File"
    ADD = "Add File"
    DELETE = "Delete File"
    UPDATE = "Update File"
    MOVE = "Move to"
    OTHER = "other"
    """What looks like a marker and is none that is known."""


OPERATIONS: Final = (Mark.ADD, Mark.DELETE, Mark.UPDATE)


@dataclass(frozen=True, slots=True)
class Marker:
    """A line that is a marker. `padded`: with white space before it."""

    mark: Mark
    path: str = ""
    padded: bool = False


@dataclass(frozen=True, slots=True)
class Header:
    """The `@@` line of a hunk."""

    anchor: str | None = None
    """The line that narrows the place."""
    numbered: bool = False
    """Whether it has line numbers, as in a unified diff, and those of a file with lines."""


def marker(line: str) -> Marker | None:
    """Return what the line marks, or None."""
    match = _MARKER.fullmatch(line) if "***" in line[:LONGEST_LINE] else None
    if match is None or len(line) > LONGEST_LINE:
        return None
    padding, text = match.groups()
    if text in _PLAIN:
        return Marker(_PLAIN[text], padded=bool(padding))
    if found := _WITH_PATH.fullmatch(text):
        path = _unquoted(found[2])
        mark = Mark(found[1]) if path else Mark.OTHER
        return Marker(mark, path, bool(padding))
    return Marker(Mark.OTHER, padded=bool(padding)) if _OTHER.fullmatch(text) else None


_PLAIN: Final = {mark.value: mark for mark in (Mark.BEGIN, Mark.END, Mark.END_OF_FILE)}


def _unquoted(path: str) -> str:
    is_quoted = len(path) > 2 and path[0] in _QUOTES and path[0] == path[-1]
    return path[1:-1].strip() if is_quoted else path


def header(line: str) -> Header | None:
    """Return what an `@@` line says, or None for another line."""
    match = _HEADER.fullmatch(line) if line.startswith("@@") else None
    if match is None:
        return None
    said = match[1] or ""
    numbers = _NUMBERS.fullmatch(said.strip())
    if numbers is not None:
        is_empty_file = (numbers[1], numbers[2]) == ("0", "0")
        return Header(_anchor(numbers[3] or ""), not is_empty_file)
    return Header(_anchor(said))


def _anchor(said: str) -> str | None:
    said = said.rstrip()
    said = said.removesuffix(" @@").rstrip() if said != "@@" else ""
    return None if said.strip() in ("", "...", "…") else said


def fence(line: str) -> tuple[str, bool] | None:
    """Return a fence's characters and whether it can close one; None for another line."""
    match = _FENCE.fullmatch(line) if len(line) <= LONGEST_LINE else None
    return (match[1], not match[2].strip()) if match else None


def heredoc(line: str) -> str | None:
    """Return the word that ends the here-document which a shell's line opens around a patch."""
    match = _HEREDOC.fullmatch(line) if len(line) <= LONGEST_LINE else None
    return match[2] if match else None


def may_be_special(held: str) -> bool:
    """Say whether a line outside a patch that begins so may be a marker or a wrapper."""
    if len(held) > LONGEST_LINE:
        return False
    text = held.lstrip(" \t")
    if not text or text[0] in "`~":
        return True
    if text[0] == "*":
        return "*** ".startswith(text) or text.startswith("*** ")
    return any(word.startswith(text) or text.startswith(word) for word in _COMMANDS)
