"""Files from outside, as a project takes them in: whole, or refused with a sentence.

Whatever way they come (typed, picked, a folder, a zip), they pass here and become NewFiles. What is
refused names its file; then nothing is made. Functions neither write nor wait.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from webapp.document.bounds import MAX_FILES, MAX_TEXT_UNITS, MAX_TOTAL_BYTES
from webapp.document.encodings import Binary, Recognised, of_text, recognise
from webapp.document.text import to_utf16
from webapp.document.tree import PathError, check_path, first_clash, shown
from webapp.document.zips import Archive, ArchiveError
from webapp.lib.sentences import Sentence, gettext_noop

_VERSIONED: Final = frozenset({".hg", ".svn", ".bzr", ".jj", "_darcs", "_fossil_", ".fslckout"})
_LEFTOVERS: Final = frozenset({".ds_store", "thumbs.db", "desktop.ini"})


class Refused(ValueError):
    """What came cannot be taken; nothing of it was. `sentence` says why, and of which file."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that is about to come into a project; `path` is one that `check_path` returned."""

    path: str
    content: Recognised | Binary
    is_executable: bool = False

    @property
    def weight(self) -> int:
        """Return about how many bytes it takes to keep."""
        content = self.content
        return len(content.data) if isinstance(content, Binary) else len(content.text)


@dataclass(frozen=True, slots=True)
class Bundle:
    """All that came in at once. `folder` is the one top folder that was taken off, or ''."""

    files: tuple[NewFile, ...]
    folder: str = ""
    skipped: int = 0
    """How many were left out: what other systems leave lying about."""


@dataclass(frozen=True, slots=True)
class Raw:
    """A file as it came: a path that nobody has looked at, and its bytes."""

    path: str
    data: bytes
    is_executable: bool = False


def from_text(path: str, text: str) -> Bundle:
    """Return one file with this text; raises Refused."""
    return _bundle([Raw(path, b"")], contents=[of_text(text)])


def from_files(raws: Sequence[Raw]) -> Bundle:
    """Return files as they were picked, from a folder or one by one; raises Refused."""
    return _stripped(_picked(raws))


def into_project(raws: Sequence[Raw]) -> tuple[NewFile, ...]:
    """Return files that come into a project, a folder as a folder; raises Refused."""
    return _picked(raws).files


def _picked(raws: Sequence[Raw]) -> Bundle:
    kept = [raw for raw in raws if not _is_leftover(raw.path)]
    _check_count(len(kept))
    total = sum(len(raw.data) for raw in kept)
    if total > MAX_TOTAL_BYTES:
        largest = max(kept, key=lambda raw: len(raw.data))
        raise Refused(
            Sentence(
                gettext_noop(
                    "The files have more than 20 MB together; the largest is %(path)s."
                    " Leave out what the project does not need."
                ),
                path=shown(largest.path),
            )
        )
    return _bundle(kept, skipped=len(raws) - len(kept))


def from_zip(file: BinaryIO) -> Bundle:
    """Return what a zip holds; raises Refused."""
    try:
        archive = Archive(file)
        members = []
        skipped = 0
        for member in archive.members:
            if _is_leftover(member.name):
                skipped += not member.is_folder
            elif member.is_folder:
                _path(member.name.removesuffix("/"))
            else:
                members.append(member)
        _check_count(len(members))
        # Before anything is unpacked: most of what is refused is refused for its name.
        _check_tree(_path(member.name) for member in members)
        left = MAX_TOTAL_BYTES
        raws = []
        for member in members:
            data = archive.read(member, left)
            left -= len(data)
            raws.append(Raw(member.name, data, member.is_executable))
    except ArchiveError as refused:
        raise Refused(refused.sentence) from None
    return _stripped(_bundle(raws, skipped=skipped))


def guessed_name(text: str) -> str:
    """Return a name for pasted text, from what it looks like."""
    for name, pattern in _LOOKS:
        if re.search(pattern, text[:20_000], re.MULTILINE):
            return name
    return "notes.txt"


_LOOKS: Final = (
    ("index.html", r"(?i)\A\s*(?:<!doctype html|<html)"),
    ("picture.svg", r"\A\s*(?:<\?xml[^>]*>\s*)?<svg\b"),
    ("data.xml", r"\A\s*<\?xml\b"),
    ("main.php", r"\A\s*<\?php\b"),
    ("script.sh", r"\A#!.*\b(?:ba|z|da)?sh\b"),
    ("script.js", r"\A#!.*\bnode\b"),
    ("main.py", r"\A#!.*\bpython"),
    ("data.json", r"\A\s*[\[{]\s*(?:[\"\[{\]}]|-?\d)[\s\S]*[\]}]\s*\Z"),
    ("main.go", r"^package \w+\s*$[\s\S]*^(?:func|import) "),
    ("main.rs", r"^\s*(?:pub )?fn \w+.*\{|^use \w+::|^impl\b.*\{"),
    ("Main.java", r"^\s*public (?:final |abstract )?(?:class|interface|enum|record) \w+"),
    ("main.cpp", r"^#include <(?:iostream|vector|string|map|memory)>|\bstd::\w+"),
    ("main.c", r"^#include [<\"]"),
    ("query.sql", r"(?i)\A\s*(?:--.*\s+)*(?:select|insert into|create table|update|with) "),
    (
        "main.ts",
        r"^\s*(?:export )?(?:interface|type) \w+.*[={]|:\s*(?:string|number|boolean)\b.*[=;)]",
    ),
    ("main.js", r"^\s*(?:import .* from ['\"]|export |const \w+ = |let \w+|function\s*\w*\()"),
    ("main.py", r"^\s*(?:def \w+\(.*\).*:|class \w+.*:|from [\w.]+ import |import [\w.]+$)"),
    ("style.css", r"^\s*[.#@:\w][\w\s.,#:>()-]*\{\s*(?:$|[\w-]+\s*:)"),
    ("config.toml", r"^\[[\w.\"-]+\]\s*$[\s\S]*^\w[\w-]*\s*="),
    ("README.md", r"^#{1,6} \S|^```|^[-*] \S.*\n[-*] \S|\[[^\]]+\]\([^)]+\)"),
    ("config.yaml", r"\A---\s*$|\A[\w-]+:\s*(?:\n[ -]|\S.*\n[\w-]+:)"),
)


def _bundle(
    raws: Sequence[Raw], contents: Sequence[Recognised | Binary] | None = None, skipped: int = 0
) -> Bundle:
    paths = [_path(raw.path) for raw in raws]
    _check_tree(paths)
    found = contents or [recognise(raw.data) for raw in raws]
    files = []
    for path, raw, content in zip(paths, raws, found, strict=True):
        if isinstance(content, Recognised) and len(to_utf16(content.text)) > MAX_TEXT_UNITS:
            raise Refused(
                Sentence(
                    gettext_noop("%(path)s is a text of more than 2 MB, which is the most."),
                    path=shown(path),
                )
            )
        files.append(NewFile(path, content, raw.is_executable))
    return Bundle(tuple(files), skipped=skipped)


def _stripped(bundle: Bundle) -> Bundle:
    """Take the one folder off that everything is in: it is the project's own name."""
    tops = {file.path.partition("/")[0] for file in bundle.files}
    if len(tops) != 1 or any("/" not in file.path for file in bundle.files):
        return bundle
    files = tuple(replace(file, path=file.path.partition("/")[2]) for file in bundle.files)
    return replace(bundle, files=files, folder=tops.pop())


def _path(path: str) -> str:
    try:
        checked = check_path(path)
    except PathError as refused:
        raise Refused(refused.sentence) from None
    for segment in checked.split("/"):
        if segment.casefold() in _VERSIONED:
            raise Refused(
                Sentence(
                    gettext_noop(
                        "%(path)s belongs to a version control system, which is not part of a"
                        " project. Leave that folder out."
                    ),
                    path=shown(checked),
                )
            )
    return checked


def _check_tree(paths: Iterable[str]) -> None:
    problem = first_clash(paths)
    if problem is not None:
        raise Refused(problem)


def _check_count(count: int) -> None:
    if count == 0:
        raise Refused(Sentence(gettext_noop("There is no file in it.")))
    if count > MAX_FILES:
        raise Refused(
            Sentence(
                gettext_noop("There are %(count)s files; a project has at most 2,000."), count=count
            )
        )


def _is_leftover(path: str) -> bool:
    """Say whether some system left it there for itself."""
    top, _, _ = path.partition("/")
    name = path.rstrip("/").rpartition("/")[2]
    return top == "__MACOSX" or name.casefold() in _LEFTOVERS
