"""The definitions of a text in any common language: functions, classes, rules, headings. Pure.

A definition is found by how its first line is written (headers.py) and reaches as far as its lines
are indented, as people and formatters write code; braces are not counted, since strings and
comments hold them too. Turned down: a parser for each language (a grammar is megabytes, and the
text is broken half of the time that it is typed in).

Line indices are 0-based, and ends exclusive.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from webapp.engine.headers import Kind, header, heading_level, is_statement

_LONGEST_LINE: Final = 300
_LONGEST: Final = 1500
"""How many lines of a definition are looked at."""
_MOST_READ: Final = 20_000
"""How many lines all definitions together are followed through, and then _SHORT of each: they may
stand one in the other, and the text is anything at all."""
_SHORT: Final = 40
_MOST_ABOVE: Final = 20
_ABOVE: Final = ("@", "//", "/*", "*", "*/", "#[", "--", "<!--", ";;")
_CLOSERS: Final = ("}", ")", "]", "{", "end", "</", "*/")
_GOES_ON = re.compile(
    r"where\b|(?:public|private|protected|signals|slots)\b.*:\s*$|#(?:if|ifdef|ifndef|else|elif|endif)\b"
)


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition, with what stands right above it for it (comments, decorators)."""

    kind: Kind
    names: tuple[str, ...]
    first: int
    header: int
    """The line that names it."""
    end: int


def definitions(lines: Sequence[str], among: Iterable[int] | None = None) -> list[Definition]:
    """Return the definitions in the order of their first lines; `among` are the lines, in order,
    of which they are wanted."""
    fenced = _fenced(lines)
    found: list[Definition] = []
    code = False
    left = _MOST_READ
    for index in range(len(lines)) if among is None else among:
        line = lines[index]
        if len(line) > _LONGEST_LINE or index in fenced or not line.strip():
            continue
        named = header(lines, index)
        if named is not None:
            kind, names = named
            code = code or kind != "heading"
            first = index if kind == "heading" else _first(lines, index, kind)
            end = _end(lines, index, kind, fenced, _LONGEST if left > 0 else _SHORT)
            left -= end - index
            found.append(Definition(kind, names, first, index, end))
    # In code, a line that reads like a heading is a comment.
    return [each for each in found if each.kind != "heading"] if code else found


def _fenced(lines: Sequence[str]) -> set[int]:
    """Return the lines in fenced blocks, as a Markdown file has them."""
    found: set[int] = set()
    opened: int | None = None
    for index, line in enumerate(lines):
        if line.startswith(("```", "~~~")):
            if opened is None:
                opened = index
            else:
                found.update(range(opened, index + 1))
                opened = None
    return found


def indent_of(line: str) -> int:
    """Return how far the line is indented, a tab as four."""
    bare = line.lstrip(" \t")
    return len(line[: len(line) - len(bare)].expandtabs(4))


def _first(lines: Sequence[str], at: int, kind: Kind) -> int:
    """Return where what stands above the header for it begins."""
    indent = indent_of(lines[at])
    first = at
    while first > max(0, at - _MOST_ABOVE):
        above = lines[first - 1]
        text = above.strip()
        belongs = text.startswith(_ABOVE) or (text.startswith("#") and text[1:2] in (" ", "["))
        if kind == "value" and text.endswith(","):
            belongs = True  # a list of selectors, one a line
        if not belongs or abs(indent_of(above) - indent) > 1:
            break
        first -= 1
    return first


def _end(lines: Sequence[str], at: int, kind: Kind, fenced: set[int], longest: int) -> int:
    last = min(len(lines), at + longest)
    if kind == "heading":
        return _heading_end(lines, at, last, fenced)
    if is_statement(lines[at]):
        return _statement_end(lines, at, last)
    if lines[at].startswith("["):  # a section: to the next one
        return next((i for i in range(at + 1, last) if lines[i].startswith("[")), last)
    indent = indent_of(lines[at])
    end = at + 1
    quoted = _odd_quotes(lines[at])
    for index in range(at + 1, last):
        line = lines[index]
        text = line.strip()
        if quoted or not text or indent_of(line) > indent or _GOES_ON.match(text):
            end = index + 1 if text or quoted else end
        elif indent_of(line) == indent and text.startswith(_CLOSERS):
            end = index + 1
            if not text.startswith(("{", ")", "]")) and not text.endswith("{"):
                break
        elif kind == "value" and end == index and lines[index - 1].rstrip().endswith(","):
            end = index + 1  # a list of selectors
        else:
            break
        quoted ^= _odd_quotes(line)
    return end


def _odd_quotes(line: str) -> bool:
    return (line.count('"""') + line.count("'''")) % 2 == 1


def _heading_end(lines: Sequence[str], at: int, last: int, fenced: set[int]) -> int:
    level = heading_level(lines[at])
    for index in range(at + 1, last):
        if 0 < heading_level(lines[index]) <= level and index not in fenced:
            return index
    return last


def _statement_end(lines: Sequence[str], at: int, last: int) -> int:
    """Return where an SQL statement ends: behind its semicolon, outside a body in dollar quotes."""
    quoted = False
    for index in range(at, last):
        quoted ^= lines[index].count("$$") % 2 == 1
        if not quoted and lines[index].rstrip().endswith(";"):
            return index + 1
        if not quoted and index > at and is_statement(lines[index]):
            return index
    return last
