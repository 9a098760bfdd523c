"""The `whole` format: each changed file, or the region that was shown, whole in a fenced block.

    app.py
    ```python
    ...
    ```

The file's name stands on the line before the fence (plain, in backticks, bold, as a heading, after
"File:"), or in the fence's info, or nowhere, when the file in focus is meant.

Fences follow CommonMark (https://spec.commonmark.org/0.31.2/#fenced-code-blocks): backticks or
tildes, at least three, closed by a line of at least as many. But an inner fence with an info string
(in Markdown any, elsewhere the name of a language) opens a nested block, since models forget to
make the outer fence longer; where they forgot to close the outer one, it stays open, and what is
not complete is not written. A bare fence around name and fence, which models open without need, is
a wrapper and no block: its first line is a name and its second opens a block in a language.

What always holds: text in a block is handed on as it comes, except for a line that could be a
closing fence or an omission; so after joining neighbours the events do not depend on the cuts.
"""

import re
from dataclasses import dataclass
from typing import Final

from webapp.engine.formats import FileEnd, FileStart, Omission
from webapp.engine.formats.lines import LineParser
from webapp.engine.formats.omissions import is_omission, may_begin
from webapp.engine.formats.targets import (
    is_markup,
    may_be_name_or_fence,
    mentioned,
    name_in_info,
    name_on_line,
)

_OPENING = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*(.*?)[ \t]*$")
_LANGUAGES: Final = frozenset(
    [
        "bash",
        "c",
        "c++",
        "cpp",
        "csharp",
        "css",
        "diff",
        "go",
        "html",
        "java",
        "javascript",
        "js",
        "json",
        "jsx",
        "kotlin",
        "markdown",
        "md",
        "php",
        "py",
        "python",
        "rb",
        "ruby",
        "rust",
        "sh",
        "shell",
        "sql",
        "swift",
        "text",
        "toml",
        "ts",
        "tsx",
        "txt",
        "typescript",
        "xml",
        "yaml",
        "yml",
    ]
)
_LONGEST_NAME: Final = 300
_LONGEST_MENTION: Final = 1000


@dataclass(slots=True)
class _Fence:
    mark: str
    lengths: list[int]
    """The outer fence's length and, in Markdown, those of the blocks nested in it."""
    markup: bool


@dataclass(slots=True)
class WholeParser(LineParser):
    """Parses one message. `focus` is the path of the file in focus, to know its kind."""

    focus: str | None = None
    _fence: _Fence | None = None
    _name: str | None = None
    _before: str = ""
    """The lines held because a fence may follow: the name, then blank ones."""
    _said: str = ""
    _mention_line: str = ""
    _wrapper: tuple[str, ...] = ()
    """A bare fence, and perhaps the name after it, while it is not known what they open."""
    _wrapped: bool = False
    """Whether a bare fence that comes next is the wrapper's end."""

    def _last_line(self, held: str) -> None:
        self._unwrap()
        fence, self._fence = self._fence, None
        if fence is None:
            self._flush_before()
            if held:
                self._say(held)
            return
        if held and self._closes(fence, held):
            self._out.append(FileEnd(True, held))
            return
        if held and is_omission(held, markup=fence.markup):
            self._out.append(Omission(held))
        elif held:
            self._text(held)
        self._out.append(FileEnd(False))

    def _piece(self, text: str) -> None:
        self._unwrap()
        if self._fence is not None:
            self._text(text)
            return
        if self._before:
            self._flush_before()
        self._say(text)

    def _line(self, line: str) -> None:
        if self._wrapper and self._goes_on_wrapping(line):
            return
        self._unwrap()
        if self._fence is None and len(line) > _LONGEST_NAME:
            self._piece(line + "\n")
        elif self._fence is None:
            self._prose_line(line)
        else:
            self._block_line(self._fence, line)

    def _may_be_special(self, held: str) -> bool:
        fence = self._fence
        if fence is None and self._wrapper:
            if len(held) <= _LONGEST_NAME and may_be_name_or_fence(held):
                return True
            fence = self._bare_fence()
        if fence is None:
            return len(held) <= _LONGEST_NAME and may_be_name_or_fence(held)
        text = held.lstrip(" ")
        if len(held) - len(text) <= 3:
            rest = text.lstrip(fence.mark)
            if not text or (rest != text and (fence.markup or not rest.strip(" \t"))):
                return True
            if rest != text and len(text) - len(rest) >= 3 and _may_be_language(rest):
                return True
        return may_begin(held, markup=fence.markup)

    # Outside a block

    def _say(self, text: str) -> None:
        self._said = (self._said + text)[-_LONGEST_MENTION:]
        if text.endswith("\n"):
            if self._said.strip():
                self._mention_line = self._said
            self._said = ""
        self._prose(text)

    def _flush_before(self) -> None:
        if self._before and self._fence is None:
            for part in self._before.splitlines(keepends=True):
                self._say(part)
        self._before, self._name = "", None

    def _prose_line(self, line: str) -> None:
        opening = _OPENING.match(line)
        if line.strip() and not (opening and not opening[2]):
            self._wrapped = False
        if opening and self._wrapped:
            self._wrapped = False
            self._flush_before()
            self._say(line + "\n")
        elif opening and not (opening[2] or self._name or is_markup(self.focus or "")):
            self._wrapper = (line,)
        elif opening and not (opening[1][0] == "`" and "`" in opening[2]):
            self._open(line, opening[1], opening[2])
        elif not line.strip() and self._name is not None:
            self._before += line + "\n"
        else:
            self._flush_before()
            self._name = name_on_line(line)
            if self._name is None:
                self._say(line + "\n")
            else:
                self._before = line + "\n"

    def _open(self, line: str, marks: str, info: str) -> None:
        language, path = name_in_info(info)
        path = path or self._name
        markup = is_markup(path or self.focus or "") or language in {"markdown", "md"}
        self._fence = _Fence(marks[0], [len(marks)], markup)
        opening = f"{self._before}{line}\n"
        self._out.append(FileStart(path, language, mentioned(self._mention_line), opening))
        self._before, self._name, self._mention_line, self._said = "", None, "", ""

    # A bare fence, which may be a wrapper

    def _bare_fence(self) -> _Fence:
        marks = self._wrapper[0].strip()
        return _Fence(marks[0], [len(marks)], markup=False)

    def _goes_on_wrapping(self, line: str) -> bool:
        """Take the line when it shows, with those held, that the bare fence is a wrapper."""
        name = name_on_line(self._wrapper[-1] if len(self._wrapper) > 1 else line)
        if name is None:
            return False
        if len(self._wrapper) == 1:
            self._wrapper = (*self._wrapper, line)
            return True
        opening = _OPENING.match(line)
        if opening is None or not _names_language(opening[2]):
            return False
        self._name, self._wrapped = name, True
        self._before += "".join(f"{each}\n" for each in self._wrapper)
        self._wrapper = ()
        self._open(line, opening[1], opening[2])
        return True

    def _unwrap(self) -> None:
        """What is held is no wrapper: its bare fence opens a block."""
        if not self._wrapper:
            return
        (first, *more), self._wrapper = self._wrapper, ()
        self._open(first, first.strip(), "")
        for line in more:
            self._line(line)

    # Inside a block

    def _closes(self, fence: _Fence, line: str) -> bool:
        text = line.strip(" \t")
        return (
            len(fence.lengths) == 1
            and len(text) >= fence.lengths[0]
            and not text.strip(fence.mark)
            and len(line) - len(line.lstrip(" ")) <= 3
            and line[:1] != "\t"
        )

    def _block_line(self, fence: _Fence, line: str) -> None:
        if self._closes(fence, line):
            self._fence = None
            self._out.append(FileEnd(True, line + "\n"))
            return
        if is_omission(line, markup=fence.markup):
            self._out.append(Omission(line + "\n"))
            return
        if (inner := _OPENING.match(line)) and inner[1][0] == fence.mark:
            length, info = len(inner[1]), inner[2]
            nests = fence.markup or _names_language(info)
            if nests and info and "`" not in info and length >= fence.lengths[0]:
                fence.lengths.append(length)
            elif not info and len(fence.lengths) > 1 and length >= fence.lengths[-1]:
                fence.lengths.pop()
        self._text(line + "\n")


def _names_language(info: str) -> bool:
    words = info.lower().split(maxsplit=1)
    return bool(words) and words[0] in _LANGUAGES


def _may_be_language(info: str) -> bool:
    """Say whether an info string that begins so may name a language."""
    word = info.lower().strip()
    if info[-1:].isspace() or len(word.split(maxsplit=1)) > 1:
        return not word or _names_language(info)
    return any(name.startswith(word) for name in _LANGUAGES)
