"""Which lines of a long file a small model is to rewrite. Pure.

A small model that is given many lines gives back only those that the instruction is about, and the
rest would be lost: so it gets the lines that are selected, else one definition: the one in which
the person placed the caret, else the one that the prompt names, else what stands at the caret.

Line numbers are 1-based and inclusive, as people see them; offsets are UTF-16 code units.
"""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from webapp.engine.definitions import Definition, definitions

REGION_LINES: Final = 40

_READ_LINES: Final = 1500
_NEAR_LINES: Final = 300
_MOST_WORDS: Final = 40

_CLOSERS: Final = ("", "}", ")", "]")


def choose_region(
    text: str,
    selection: tuple[int, int],
    max_lines: int = REGION_LINES,
    prompt: str = "",
    placed: bool = True,
) -> tuple[int, int] | None:
    """Return the lines a small model is to rewrite; None for the whole file.

    `selection` holds two offsets in `text` in any order; a caret is a selection of nothing, and
    `placed` says whether a person put it there. A text of at most `max_lines` lines is rewritten
    whole. A real selection is widened to whole lines.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if len(lines) <= max_lines:
        return None
    selected = selected_lines(text, selection)
    if selected is not None:
        return selected
    caret = min(text.count("\n", 0, selection[0]), len(lines) - 1)
    words = _words(prompt)
    there = [word for word in words if word in text]
    found = definitions(lines, _worth_reading(lines, caret, there))
    here = _at(found, caret, max_lines)
    if here is not None and placed:
        return _span(lines, here.first, here.end, caret)
    if not (placed and any(each.first <= caret < each.end for each in found)):
        named = _told(found, prompt, words, caret)
        if named is not None:
            return _of(lines, found, named, caret, max_lines)
    return _span(lines, here.first, here.end, caret) if here else _around(lines, caret, max_lines)


def selected_lines(text: str, selection: tuple[int, int]) -> tuple[int, int] | None:
    """Return the lines that a selection touches, two offsets in any order; None for a caret."""
    start, end = sorted(selection)
    if start == end:
        return None
    last_line = max(1, text.count("\n") + (not text.endswith("\n")))
    first = text.count("\n", 0, start) + 1
    last = text.count("\n", 0, end) + 1
    if text[end - 1] == "\n":
        last -= 1  # the selection ends before the first character of the next line
    return min(first, last_line), min(last, last_line)


def _worth_reading(lines: list[str], caret: int, words: Sequence[str]) -> Sequence[int]:
    """Return the lines to look for definitions in: in a long text those around the caret, and so
    many that have a word of the prompt in them."""
    if len(lines) <= _READ_LINES:
        return range(len(lines))
    near = set(range(max(0, caret - _NEAR_LINES), min(len(lines), caret + _NEAR_LINES)))
    if words:
        named = re.compile("|".join(re.escape(word) for word in words[:_MOST_WORDS]))
        found = (index for index, line in enumerate(lines) if named.search(line, 0, 300))
        near.update(islice(found, _READ_LINES))
    return sorted(near)


# The definition at the caret


def _at(found: Sequence[Definition], caret: int, max_lines: int) -> Definition | None:
    """Return the outermost function around the caret, else the innermost of the rest, if it fits;
    a value inside another definition is too small a piece."""
    around = [each for each in found if each.first <= caret < each.end]
    fit = [each for each in around if each.end - each.first <= max_lines]
    functions = [each for each in fit if each.kind == "function"]
    others = [each for each in fit if each.kind != "value" or each is around[0]]
    return functions[0] if functions else (others[-1] if others else None)


# The definition that the prompt names

_TICKED = re.compile(r"`([^`\n]{1,200})`")
_DOTTED = r"[A-Za-z_$][\w$]{0,99}(?:(?:\.|::|#)[A-Za-z_$][\w$]{0,99})"
"""Bounded, as all these are: a prompt may hold anything, and is read while people type."""
_CALLED = re.compile(rf"(?<![\w$])({_DOTTED}{{0,9}}[?!]?)\(", re.ASCII)
_SELECTOR = re.compile(r"(?<![\w.#/])[.#][A-Za-z_][\w-]*", re.ASCII)
_QUALIFIED = re.compile(rf"(?<![\w$]){_DOTTED}{{1,9}}", re.ASCII)
_KIND = (
    r"(?:function|method|class|struct|type|interface|trait|enum|def|fn|func|constant|variable|table|"
    r"view|component|heading|section|selector|rule|element|macro|procedure|module)"
)
_LABELLED = re.compile(
    rf"\b{_KIND}\s+([A-Za-z_$][\w$-]*)|(?<![\w$-])([A-Za-z_$][\w$-]*)\s+{_KIND}\b", re.ASCII
)
_WORD = re.compile(r"[A-Za-z_$][\w$-]*[?!]?", re.ASCII)
_LIKE_A_NAME = re.compile(r"[a-z0-9][A-Z]|[_$\d]|^[A-Z][A-Z]|\w-\w")
_NO_NAMES: Final = frozenset(
    re.findall(
        r"\S+",
        "a an and are as at be but by can do for from has have how i if in into is it its let make"
        " me more my new no not of off on or our out should so some than that the then there these"
        " this to too up use we when where which why will with without you your all also any each"
        " function method class struct type interface file line lines code",
    )
)


def _told(
    found: Sequence[Definition], prompt: str, words: Sequence[str], caret: int
) -> Definition | None:
    """Return the definition that the prompt means, if it names one."""
    by_name: dict[str, list[Definition]] = {}
    for each in found:
        for name in each.names:
            by_name.setdefault(name, []).append(each)
    named = [each for word in words for each in by_name.get(word, ())]
    name = next((word for word in words if word in by_name), "")
    if not named:
        headings = _headings(found, prompt)
        return headings[0] if headings else None
    best = _nearest(named, name, caret)
    # A class and its method: the method.
    if best.kind != "group":
        return best
    inner = [each for each in named if best.header < each.header and each.end <= best.end]
    return inner[0] if inner else best


def _words(prompt: str) -> list[str]:
    """Return the words of the prompt that may be names, the surest first."""
    ticked = [word.strip() for word in _TICKED.findall(prompt)]
    called = [match[1] for match in _CALLED.finditer(prompt)]
    labelled = [first or second for first, second in _LABELLED.findall(prompt)]
    words = _WORD.findall(prompt)
    names = [word for word in words if _LIKE_A_NAME.search(word)]
    opening = set(re.findall(r"(?:^|[.!?:;,]\s+|\n[^\S\n]*)([A-Za-z]\w*)", prompt.strip()))
    plain = [word for word in words if word.lower() not in _NO_NAMES]
    rest = [word for word in plain if word not in opening] + [w for w in plain if w in opening]
    surest: list[str] = []
    for word in (*ticked, *called, *_QUALIFIED.findall(prompt), *_SELECTOR.findall(prompt)):
        bare = word.removesuffix("()").removesuffix("(")
        parts = re.split(r"\.(?=\w)|::|(?<=\w)#", bare)
        surest += [".".join(parts[-2:])] if len(parts) > 1 else []
        surest += [bare, parts[-1], parts[-1].rstrip("?!"), *_WORD.findall(bare)[:1]]
    unsure = [word for word in (*labelled, *names, *rest) if word.lower() not in _NO_NAMES]
    return list(dict.fromkeys((*surest, *unsure)))


def _headings(found: Sequence[Definition], prompt: str) -> list[Definition]:
    """Return the headings that stand in the prompt, the longest first."""
    said = _bare(prompt)
    matching = []
    for each in found:
        words = _bare(each.names[0])
        if each.kind == "heading" and words.strip() and words in said:
            matching.append(each)
    return sorted(matching, key=lambda each: -len(each.names[0]))


def _bare(text: str) -> str:
    words = re.findall(r"\w+", text.lower())
    return f" {' '.join(words)} "


def _nearest(named: Sequence[Definition], name: str, caret: int) -> Definition:
    """Of those called so, return one in a group that is named too, else the nearest."""
    same = [each for each in named if name == each.names[0]]
    same = same or [each for each in named if name in each.names]
    groups = [each for each in named if each.kind in ("group", "heading") and each not in same]
    inside = [
        each
        for each in same
        if any(group.header < each.header and each.end <= group.end for group in groups)
    ]
    return min(inside or same, key=lambda each: abs(each.header - caret))


def _of(
    lines: list[str], found: Sequence[Definition], named: Definition, caret: int, max_lines: int
) -> tuple[int, int]:
    """Return the definition's lines, or so many of its first ones."""
    if named.end - named.first <= max_lines:
        return _span(lines, named.first, named.end)
    if named.first <= caret < named.end:
        return _around(lines, caret, max_lines)
    most = named.first + max_lines
    cut = [
        each.first
        for each in found
        if named.header < each.first < most < each.end and each.first - named.first > max_lines // 4
    ]
    return _span(lines, named.first, min([most, *cut]))


def _span(lines: list[str], first: int, end: int, caret: int = -1) -> tuple[int, int]:
    while end - 1 > max(first, caret) and not lines[end - 1].strip():
        end -= 1
    return first + 1, end


# What stands at the caret


def _around(lines: list[str], caret: int, max_lines: int) -> tuple[int, int]:
    first, last = max(0, caret - _READ_LINES), min(len(lines), caret + _READ_LINES)
    first, last = _block_at(lines, first, last, caret, "")
    if last - first > max_lines:  # a long class or function: the piece of it
        inner = [line for line in lines[first + 1 : last] if line.strip()]
        indent = min((_indent(line) for line in inner if _indent(line)), key=len, default="")
        first, last = _block_at(lines, first, last, caret, indent)
    if last - first > max_lines:
        first = max(first, min(caret - max_lines // 2, last - max_lines))
        last = first + max_lines
    while last - 1 > caret and not lines[last - 1].strip():
        last -= 1
    while first < caret and not lines[first].strip():
        first += 1
    return first + 1, last


def _block_at(lines: list[str], first: int, last: int, caret: int, indent: str) -> tuple[int, int]:
    """Return the block around `caret`: from a line of this indent after a blank one to the next."""
    starts = [i for i in range(first + 1, last) if _begins_block(lines, i, indent)]
    return (
        max((i for i in starts if i <= caret), default=first),
        min((i for i in starts if i > caret), default=last),
    )


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _begins_block(lines: list[str], i: int, indent: str) -> bool:
    line = lines[i]
    return (
        _indent(line) == indent
        and line[len(indent) :][:1] not in _CLOSERS
        and not lines[i - 1].strip()
    )
