"""The `blocks` format: search/replace blocks, as aider made them known.

    app.py
    ```python
    <<<<<<< SEARCH
    lines as they stand
    =======
    lines that replace them
    >>>>>>> REPLACE
    ```

Markers are whole lines of 5 to 9 characters. The divider is as long as its opener, so that "====="
under a heading is content; a whole block with markers of another length inside is content too. The
file's name stands above the fence, or between fence and opener, or in the fence's info, or nowhere.
Fences may be missing; those around a block belong to it, all else outside the blocks is prose. A
backslash before what looks like a marker, also like one of a merge conflict, makes it content, and
is taken away.

What always holds: nothing of a search is told before all of it is there; a replacement is handed on
as it comes, except for a line that could be a marker or an omission. Turned down: a second divider
as the end of a replacement (it would cut a text that has such a line).
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal

from webapp.engine.formats import BlockEnd, BlockFault, BlockStart, Omission, Search
from webapp.engine.formats.lines import LineParser
from webapp.engine.formats.omissions import is_omission, may_begin
from webapp.engine.formats.targets import (
    is_markup,
    may_be_name_or_fence,
    mentioned,
    name_in_info,
    name_on_line,
)

_OPENER = re.compile(r"(<{5,9}) ?SEARCH>?[ \t]*")
_DIVIDER = re.compile(r"(={5,9})[ \t]*")
_CLOSER = re.compile(r"(>{5,9}) ?REPLACE[ \t]*")
_ESCAPED = re.compile(r"\\(?:(?:<{5,9}|>{5,9})(?: .*)?|={5,9}[ \t]*)")
_FENCE = re.compile(r" {0,3}(?:(`{3,}|~{3,})|<(/?)(source|code|pre|codeblock|sourcecode)>)(.*)")
_LONGEST_LINE: Final = 300
_LONGEST_RUN: Final = 6
_LONGEST_MENTION: Final = 1000


@dataclass(frozen=True, slots=True)
class _Above:
    """A line that may belong to a block below it: a fence, a file's name, or a blank line."""

    line: str
    fence: str = ""
    """Its characters, or the tag that some models use for one."""
    closes: bool = False
    """Whether it can end a fence."""
    path: str | None = None


@dataclass(slots=True)
class BlocksParser(LineParser):
    """Parses one message."""

    _phase: Literal["prose", "search", "replace"] = field(default="prose", init=False)
    _length: int = field(default=0, init=False)
    """How long the opener is."""
    _nested: Counter[int] = field(default_factory=Counter, init=False)
    """Openers of other lengths that stand in the block, and are not closed."""
    _searched: list[str] = field(default_factory=list, init=False)
    _markup: bool = field(default=False, init=False)
    _first: bool = field(default=False, init=False)
    """Whether the replacement's first line is still to come."""
    _doubled: str = field(default="", init=False)
    """A first line that reads like the divider: the divider said twice, if the end follows."""
    _run: list[_Above] = field(default_factory=list, init=False)
    _fence: str = field(default="", init=False)
    """The open fence that belongs to the blocks in it."""
    _prose_fence: str = field(default="", init=False)
    """The open fence that belongs to the prose."""
    _behind: bool = field(default=False, init=False)
    """Whether a block has just ended."""
    _said: str = field(default="", init=False)
    _mention_line: str = field(default="", init=False)

    def _may_be_special(self, held: str) -> bool:
        if self._phase != "prose" and held.startswith("\\"):
            return len(held) <= _LONGEST_LINE and _may_be_escaped(held[1:])
        if self._phase == "search":
            return (
                _may_be(held, "=", "")
                or _may_be(held, ">", "REPLACE")
                or _may_be(held, "<", "SEARCH")
            )
        if self._phase == "replace":
            return (
                _may_be(held, ">", "REPLACE")
                or _may_be(held, "<", "SEARCH")
                or (self._first and _may_be(held, "=", ""))
                or may_begin(held, markup=self._markup)
            )
        if len(held) > _LONGEST_LINE:
            return False
        return may_be_name_or_fence(held) or _may_be(held, "<", "SEARCH") or _may_be_tag(held)

    def _piece(self, text: str) -> None:
        if self._phase == "replace":
            self._undouble()
            self._text(text)
        elif self._phase == "search":
            self._searched.append(text)
        else:
            if self._run:
                self._flush_run()
            self._behind = False
            self._say(text)

    def _line(self, line: str) -> None:
        if len(line) > _LONGEST_LINE:
            self._piece(line + "\n")
        elif self._phase == "prose":
            self._prose_line(line)
        else:
            self._block_line(line)

    def _last_line(self, held: str) -> None:
        if len(held) > _LONGEST_LINE:
            self._piece(held)
            held = ""
        if self._phase == "prose":
            if opener := _OPENER.fullmatch(held):
                self._open(len(opener[1]))
            elif not self._swallows(_above(held), self._behind):
                self._flush_run()
                if held:
                    self._say(held)
        elif held:
            self._block_line(held, end="")
        if self._phase != "prose":
            self._close(BlockFault.CUT)

    # Outside a block

    def _say(self, text: str) -> None:
        self._said = (self._said + text)[-_LONGEST_MENTION:]
        if text.endswith("\n"):
            if self._said.strip():
                self._mention_line = self._said
            self._said = ""
        self._prose(text)

    def _prose_line(self, line: str) -> None:
        if opener := _OPENER.fullmatch(line):
            self._open(len(opener[1]))
            return
        above = _above(line)
        behind, self._behind = self._behind, False
        if self._swallows(above, behind):
            return
        if above is None or not (above.fence or above.path or self._run):
            self._flush_run()
            self._say(line + "\n")
        elif above.fence and self._prose_fence and above.closes:
            self._flush_run()
            self._say_above(above)
        else:
            self._run.append(above)
            if len(self._run) > _LONGEST_RUN:
                self._say_above(self._run.pop(0))

    def _swallows(self, above: _Above | None, behind: bool) -> bool:
        """Take the fence that closes the one around a block; say whether this line is it."""
        if above is None or not above.fence or not above.closes:
            return False
        if not (behind or (self._fence and above.fence.startswith(self._fence))):
            return False
        self._flush_run()
        self._fence = ""
        return True

    def _flush_run(self) -> None:
        run, self._run = self._run, []
        for above in run:
            self._say_above(above)

    def _say_above(self, above: _Above) -> None:
        if above.fence and self._prose_fence and above.closes:
            self._prose_fence = ""
        elif above.fence and not self._prose_fence:
            self._prose_fence = above.fence
        self._say(above.line + "\n")

    def _open(self, length: int) -> None:
        """Begin a block, with what of the lines above belongs to it."""
        run, self._run = self._run, []
        named = max((i for i, above in enumerate(run) if above.path), default=None)
        fences = [i for i, above in enumerate(run) if above.fence]
        first = named if named is not None else max(fences, default=len(run))
        if named is not None and named - 1 in fences:
            first -= 1
        for above in run[:first]:
            self._say_above(above)
        for above in run[first:]:
            if above.fence:
                self._fence = "" if self._fence and above.closes else above.fence
        path = run[named].path if named is not None else None
        self._out.append(BlockStart(path, mentioned(self._mention_line)))
        self._phase, self._length = "search", length
        self._markup = is_markup(path or "")
        self._nested.clear()
        self._searched.clear()
        self._mention_line = self._said = ""

    # Inside a block

    def _block_line(self, line: str, end: str = "\n") -> None:
        closer = _CLOSER.fullmatch(line)
        if closer and not self._nested[len(closer[1])]:
            self._close(BlockFault.NO_DIVIDER if self._phase == "search" else None)
            return
        opener = _OPENER.fullmatch(line)
        if opener and len(opener[1]) == self._length:
            self._close(BlockFault.NO_DIVIDER if self._phase == "search" else BlockFault.NO_END)
            self._open(self._length)
            return
        if opener:
            self._nested[len(opener[1])] += 1
        elif closer:
            self._nested[len(closer[1])] -= 1
        if _ESCAPED.fullmatch(line):
            line = line[1:]
            is_divider = False
        else:
            divider = _DIVIDER.fullmatch(line)
            is_divider = divider is not None and len(divider[1]) == self._length
        if self._phase == "replace":
            self._replacement(line + end, is_divider)
        elif is_divider:
            self._out.append(Search("".join(self._searched)))
            self._phase, self._first = "replace", True
            self._nested.clear()
        else:
            self._searched.append(line + end)

    def _undouble(self) -> None:
        """Something follows, so the first line was one."""
        self._first = False
        if self._doubled:
            self._text(self._doubled)
            self._doubled = ""

    def _replacement(self, line: str, is_divider: bool) -> None:
        if self._first and is_divider:
            self._first, self._doubled = False, line
            return
        self._undouble()
        if is_omission(line.removesuffix("\n"), markup=self._markup):
            self._out.append(Omission(line))
        else:
            self._text(line)

    def _close(self, fault: BlockFault | None) -> None:
        self._out.append(BlockEnd(fault))
        self._phase = "prose"
        self._behind = True
        self._searched.clear()
        self._doubled = ""


def _above(line: str) -> _Above | None:
    """Return what the line may be to a block below it; None when it is prose."""
    if not line.strip():
        return _Above(line)
    fence = _FENCE.fullmatch(line)
    if fence is None:
        path = name_on_line(line)
        return _Above(line, path=path) if path else None
    marks, slash, tag, rest = fence.groups()
    info = rest.strip()
    if tag:
        path = name_in_info(info)[1] if not slash else None
        return _Above(line, f"<{tag}>", bool(slash), path)
    if marks[0] == "`" and "`" in info:
        return None
    return _Above(line, marks, not info, name_in_info(info)[1])


_TAGS: Final = tuple(
    f"<{slash}{tag}>"
    for tag in ("source", "code", "pre", "codeblock", "sourcecode")
    for slash in ("", "/")
)


def _may_be_tag(held: str) -> bool:
    return any(tag.startswith(held) or held.startswith(tag) for tag in _TAGS)


def _may_be_escaped(rest: str) -> bool:
    mark = rest[:1]
    if not mark:
        return True
    length = len(rest) - len(behind := rest.lstrip(mark))
    if mark not in "<>=" or length > 9 or (behind and length < 5):
        return False
    return not behind.strip(" \t") if mark == "=" else behind[:1] in {"", " "}


def _may_be(held: str, mark: str, word: str) -> bool:
    """Say whether a line that begins so may be the marker of this character and word."""
    rest = held.lstrip(mark)
    length = len(held) - len(rest)
    if not length:
        return not held
    if not rest:
        return length <= 9
    if not 5 <= length <= 9 or len(held) > _LONGEST_LINE:
        return False
    rest = rest.rstrip(" \t")
    said = rest.removeprefix(" ")
    return not said or word.startswith(said) or (mark == "<" and said == word + ">")
