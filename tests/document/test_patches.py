"""Patches, judged by git itself: applied to the old tree they give the new one."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from webapp.document.patches import MOST_PAIRS, Side, file_patch

GIT = shutil.which("git")
needs_git = pytest.mark.skipif(GIT is None, reason="git is not installed")
Files = dict[str, Side]


def _files(**texts: bytes | str) -> Files:
    return {
        path: Side(path, text.encode() if isinstance(text, str) else text)
        for path, text in texts.items()
    }


def _write(root: Path, files: Files) -> None:
    for path, side in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(side.data)
        target.chmod(0o755 if side.is_executable else 0o644)


def _read(root: Path) -> Files:
    found = {}
    for path in root.rglob("*"):
        if path.is_file():
            name = str(path.relative_to(root))
            found[name] = Side(name, path.read_bytes(), bool(path.stat().st_mode & 0o100))
    return found


def _apply(root: Path, patch: bytes) -> None:
    done = subprocess.run(
        ["git", "apply", "-"],
        cwd=root,
        input=patch,
        capture_output=True,
        check=False,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(root.parent), "GIT_DIR": "/nowhere"},
    )
    assert done.returncode == 0, done.stderr.decode() + patch.decode(errors="replace")


def _between(old: Files, new: Files, renames: dict[str, str] | None = None) -> bytes:
    renames = renames or {}
    left = dict(old)
    parts = [file_patch(left.pop(before), new[after]) for before, after in renames.items()]
    for path, side in new.items():
        if path not in renames.values():
            parts.append(file_patch(left.pop(path, None), side))
    parts += [file_patch(side, None) for side in left.values()]
    return b"".join(parts)


CASES: dict[str, tuple[Files, Files]] = {
    "a line changed": (_files(a="1\n2\n3\n"), _files(a="1\nzwei\n3\n")),
    "no newline before": (_files(a="1\n2"), _files(a="1\n2\n")),
    "no newline afterwards": (_files(a="1\n2\n"), _files(a="1\n2")),
    "no newline on either side": (_files(a="1\n2"), _files(a="1\n3")),
    "CRLF": (_files(a="1\r\n2\r\n"), _files(a="1\r\nzwei\r\n")),
    "a lone CR": (_files(a="1\r2\r"), _files(a="1\r3\r")),
    "a new file": (_files(), {"d/b.txt": Side("d/b.txt", b"new\n")}),
    "a new empty file": (_files(a="1\n"), _files(a="1\n", b="")),
    "a deleted file": (_files(a="1\n", b="2\n"), _files(a="1\n")),
    "a deleted empty file": (_files(a="1\n", b=""), _files(a="1\n")),
    "emptied": (_files(a="1\n"), _files(a="")),
    "filled": (_files(a=""), _files(a="1")),
    "runnable": (_files(a="1\n"), {"a": Side("a", b"1\n", True)}),
    "runnable and changed": (_files(a="1\n"), {"a": Side("a", b"2\n", True)}),
    "a new runnable file": (_files(), {"run": Side("run", b"#!/bin/sh\n", True)}),
    "not UTF-8": (_files(a="é\n".encode("cp1252")), _files(a="éà\n".encode("cp1252"))),
    "UTF-16": (
        _files(a="\ufeffa\n".encode("utf-16-le")),
        _files(a="\ufeffb\n".encode("utf-16-le")),
    ),
    "binary": (_files(a=bytes(range(256))), _files(a=bytes(range(256)) * 3 + b"\0")),
    "a new binary file": (_files(), _files(a=b"\0\1\2" * 100)),
    "a deleted binary file": (_files(a=b"\0\1\2" * 100, b="x"), _files(b="x")),
    "a name with a blank": (
        {"a b.txt": Side("a b.txt", b"1\n")},
        {"a b.txt": Side("a b.txt", b"2\n")},
    ),
    "a name of another script": (
        {"表/é.txt": Side("表/é.txt", b"1\n")},
        {"表/é.txt": Side("表/é.txt", b"2\n")},
    ),
    "a new file with an odd name": ({}, {"it's ünï.txt": Side("it's ünï.txt", b"1\n")}),
    "lines that look like a patch": (
        _files(a="--- a\n+++ b\n@@ -1 +1 @@\n"),
        _files(a="--- b\n+++ b\n@@ -1 +1 @@\n\\ No newline\n"),
    ),
    "two hunks": (
        _files(a="".join(f"{n}\n" for n in range(40))),
        _files(a="".join(f"{n if n not in (3, 33) else 'x'}\n" for n in range(40))),
    ),
    "one line of a megabyte": (_files(a="x" * 1_000_000), _files(a="y" + "x" * 1_000_000)),
}


@needs_git
@pytest.mark.parametrize("name", CASES)
def test_git_makes_the_new_tree_of_the_old_one(name: str, tmp_path: Path) -> None:
    old, new = CASES[name]
    _write(tmp_path, old)
    _apply(tmp_path, _between(old, new))
    assert _read(tmp_path) == new


@needs_git
@pytest.mark.parametrize(
    ("renames", "edited"),
    [({"a": "d/b"}, False), ({"a": "b"}, True), ({"a": "b", "b": "a"}, True)],
    ids=["renamed", "renamed and edited", "swapped"],
)
def test_renames(renames: dict[str, str], edited: bool, tmp_path: Path) -> None:
    old = _files(a="".join(f"a {n}\n" for n in range(9)), b="b\n")
    old = {path: side for path, side in old.items() if path in renames}
    new = {
        after: Side(after, old[before].data + (b"more\n" if edited else b""))
        for before, after in renames.items()
    }
    _write(tmp_path, old)
    patch = _between(old, new, renames)
    assert b"rename from a\n" in patch
    _apply(tmp_path, patch)
    assert _read(tmp_path) == new


@needs_git
def test_random_edits(tmp_path: Path) -> None:
    chance = random.Random(3)
    for case in range(60):
        root = tmp_path / str(case)
        root.mkdir()
        lines = [f"{chance.randrange(8)}\n" for _ in range(chance.randrange(60))]
        edited = list(lines)
        for _ in range(chance.randrange(1, 6)):
            at = chance.randint(0, len(edited))
            edited[at : at + chance.randrange(4)] = ["n\n"] * chance.randrange(3)
        old, new = "".join(lines), "".join(edited).removesuffix("\n" * chance.randrange(2))
        _write(root, _files(a=old))
        _apply(root, _between(_files(a=old), _files(a=new)))
        assert _read(root) == _files(a=new)


@needs_git
def test_a_text_of_one_line_over_and_over_takes_no_time(tmp_path: Path) -> None:
    count = int(MOST_PAIRS**0.5) * 3
    old = _files(a="first\n" + "x\n" * count + "last\n")
    new = _files(a="first!\n" + "x\ny\n" * count + "last!\n")
    _write(tmp_path, old)
    _apply(tmp_path, _between(old, new))
    assert _read(tmp_path) == new


def test_nothing_is_no_patch() -> None:
    side = Side("a", b"1\n")
    assert file_patch(side, side) == file_patch(None, None) == b""


def test_it_reads_as_people_know_it() -> None:
    patch = file_patch(Side("a.py", b"one\ntwo\nthree\n"), Side("a.py", b"one\n2\nthree"))
    assert patch.decode().splitlines()[2:] == [
        "--- a/a.py",
        "+++ b/a.py",
        "@@ -1,3 +1,3 @@",
        " one",
        "-two",
        "-three",
        "+2",
        "+three",
        "\\ No newline at end of file",
    ]
