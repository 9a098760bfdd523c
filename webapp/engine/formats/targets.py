"""Which file a block of a model's message means.

A name counts when it is a whole line before the fence or part of the fence's info. Small models
often leave it out, so a block without a name means a known file that the sentence before it names
in backticks, else the file in focus; once that is written, it is an example and no edit. A block
of shell commands or output is an example too.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from webapp.engine.formats import BlockStart, FileStart

_TICKED = re.compile(r"`([^`\n]{1,300})`")
_LABEL = re.compile(r"(?:file ?name|file|path)\s*:\s*", re.IGNORECASE)
_HEADING = re.compile(r"#{1,6}\s+|(?:[-*+]|\d{1,2}[.)])\s+")
_WRAPS: Final = ("**`", "`"), ("**", "**"), ("__", "__"), ("`", "`"), ("*", "*"), ("[", "]")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9_+-]{0,11}$")
_ANCHORED = re.compile(r"(?:~|\.{0,2}|\.[\w-]+)/\S")
"""How a path begins that nothing else begins so, as "/etc/x", "../x", ".git/x"."""
_BARE_NAMES: Final = frozenset(
    [
        "makefile",
        "dockerfile",
        "procfile",
        "gemfile",
        "rakefile",
        "license",
        "readme",
        "justfile",
        "vagrantfile",
        ".gitignore",
        ".dockerignore",
        ".editorconfig",
        ".env",
    ]
)
_LANGUAGES: Final = frozenset({"dockerfile", "makefile"})
"""Languages that are called as a file is, but for its capital."""
_NOT_FILES: Final = frozenset({"node.js", "vue.js", "next.js", "asp.net", "vb.net"})
_KEYS = re.compile(r"""(?:title|file|filename|path|name)\s*=\s*["']?([^"'\s}]+)""", re.IGNORECASE)
_EXAMPLES: Final = frozenset(
    [
        "bash",
        "sh",
        "shell",
        "zsh",
        "fish",
        "console",
        "terminal",
        "powershell",
        "cmd",
        "log",
        "diff",
    ]
)
_OF_EXAMPLES: Final = (".sh", ".bash", ".zsh", ".fish", ".ps1", ".cmd", ".bat", ".txt", ".log")


@dataclass(frozen=True, slots=True)
class Existing:
    """A file of the project."""

    path: str


@dataclass(frozen=True, slots=True)
class New:
    """A path, as the model wrote it, that the project does not have."""

    path: str


@dataclass(frozen=True, slots=True)
class Example:
    """No edit: the block belongs to the prose."""


def resolve(
    start: FileStart, paths: Collection[str], focus: str | None, written: Collection[str]
) -> Existing | New | Example:
    """Return what the block means, given the project's paths and those already written."""
    if start.path is not None:
        return _named(start.path, paths, focus)
    told = [path for path in start.mentions if path in paths]
    if told and told[-1] not in written:
        return Existing(told[-1])
    if focus is None or focus in written:
        return Example()
    if start.language.lower() in _EXAMPLES and not focus.lower().endswith(_OF_EXAMPLES):
        return Example()
    return Existing(focus)


def path_of_block(start: BlockStart, paths: Collection[str], before: str | None) -> str | None:
    """Return the file of a search/replace block, of the project or new; None without a name.

    `before` is the file of the block before, or the one in focus.
    """
    if start.path is not None:
        return _named(start.path, paths, before).path
    told = [path for path in start.mentions if path in paths]
    return told[-1] if told else before


def _named(name: str, paths: Collection[str], focus: str | None) -> Existing | New:
    path = name
    while path.startswith("./"):
        path = path[2:]
    if path in paths:
        return Existing(path)
    if path.startswith("path/to/") and path[8:] in paths:
        return Existing(path[8:])
    if focus is not None and path.endswith("/" + focus):
        return Existing(focus)
    return New(path)


def is_markup(path: str) -> bool:
    """Say whether the file is one in which "#" and fences are ordinary text."""
    return path.lower().endswith((".md", ".markdown", ".mdx", ".rst", ".txt"))


def name_on_line(line: str) -> str | None:
    """Return the path when `line` says nothing but a path, else None."""
    text, spaces = _bare(line)
    return text if looks_like_path(text, spaces=spaces) else None


def _bare(line: str) -> tuple[str, bool]:
    """Return the line without its markup, and whether that marks it as a name with spaces."""
    text = line.strip()
    if not text or len(text) > 300:
        return "", False
    text = _HEADING.sub("", text, count=1)
    text, label = _LABEL.subn("", text, count=1) if _LABEL.match(text) else (text, 0)
    text = text.removesuffix(":").strip()
    ticked = False
    for _ in range(3):
        for left, right in _WRAPS:
            if len(text) > 2 and text.startswith(left) and text.endswith(right):
                ticked = ticked or left == "`"
                text = text[len(left) : -len(right)].strip()
        text = _LABEL.sub("", text, count=1) if _LABEL.match(text) else text
        text = text.removesuffix(":").strip()
    return text, ticked or bool(label)


def name_in_info(info: str) -> tuple[str, str | None]:
    """Return the language and the path in a fence's info, as "python app.py" or "js:a/b.js"."""
    if key := _KEYS.search(info):
        return info.split()[0].strip("{}").lower(), key[1]
    words = info.split()
    if not words:
        return "", None
    first, *rest = words
    if rest and looks_like_path(rest[0].strip("`\"'()")):
        return first.lower(), rest[0].strip("`\"'()")
    language, colon, path = first.partition(":")
    if colon and looks_like_path(path):
        return language.lower(), path
    if looks_like_path(first) and first not in _LANGUAGES:
        return "", first
    return first.lower(), None


def mentioned(line: str) -> tuple[str, ...]:
    """Return what a line of prose may name: what stands in backticks, and a word that is all of it.

    Whether that is a file, only who knows the project's paths can say: many have no extension.
    """
    word, _ = _bare(line)
    alone = (word,) if word and not re.search(r"[\s`]", word) else ()
    return tuple(dict.fromkeys((*_TICKED.findall(line), *alone)))


def may_be_name_or_fence(held: str) -> bool:
    """Say whether a line outside a block that begins so may be a fence or a name.

    A bare name has no space in it, so two plain words make the line prose.
    """
    text = held.strip()
    if not text or text[0] in "`~*#_[-+" or text[0].isdigit():
        return True
    return len(text.split()) == 1 or text.lower().startswith(("file", "path"))


def looks_like_path(text: str, *, spaces: bool = False) -> bool:
    """Say whether `text` can only be meant as a file's path."""
    if not text or len(text) > 300 or text[-1] in "/\\" or re.search(r"""[<>"'|?*`\n]""", text):
        return False
    if (" " in text or "\t" in text) and not spaces:
        return False
    if "://" in text or text.lower() in _NOT_FILES or text.endswith(")"):
        return False
    name = text.rpartition("/")[2]
    known = bool(_EXTENSION.search(name)) or name.lower() in _BARE_NAMES
    return known or bool(_ANCHORED.match(text))
