"""The command `applyedits` on real folders: bytes stay, links are not followed, statuses tell."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from webapp.live import folders
from webapp.live.management.commands import applyedits

EDIT = json.dumps({"path": "a.txt", "old": "two", "new": "zwei"})


class Run:
    """Runs the command in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self._monkeypatch = monkeypatch
        self.folder = folder

    def __call__(
        self, message: str | bytes, *options: str, edit_format: str = "json"
    ) -> tuple[dict[str, Any], int]:
        data = message if isinstance(message, bytes) else message.encode()
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        out, status = io.StringIO(), 0
        try:
            call_command(
                "applyedits", f"--format={edit_format}", *options, str(self.folder), stdout=out
            )
        except SystemExit as end:
            status = int(end.code or 0)
        assert out.getvalue().isascii() and out.getvalue().count("\n") <= 1
        return json.loads(out.getvalue()), status

    def unusable(self, message: str | bytes, *options: str) -> str:
        with pytest.raises(CommandError) as caught:
            self(message, *options)
        assert caught.value.returncode == 2
        return str(caught.value)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"one\ntwo\n")
    return Run(monkeypatch, folder)


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def test_what_it_says(run: Run) -> None:
    told, status = run(EDIT)
    assert status == 0
    assert told == {
        "files": {"a.txt": "one\nzwei\n"},
        "hunks": [{"path": "a.txt", "status": "applied", "reason": None}],
        "error": None,
    }
    assert snapshot(run.folder) == {"a.txt": b"one\ntwo\n"}, "nothing is written unasked"


def test_what_is_refused_and_what_is_frozen(run: Run) -> None:
    edits = [
        {"path": "a.txt", "old": "none", "new": "x"},
        {"path": "a.txt", "old": "one\ntwo\n", "new": ""},
        {"path": "a.txt", "old": "one", "new": "eins"},
    ]
    told, status = run(json.dumps(edits))
    assert status == 1
    assert [hunk["status"] for hunk in told["hunks"]] == ["refused", "frozen", "applied"]
    assert told["files"] == {"a.txt": "eins\ntwo\n"}
    assert told["error"] == told["hunks"][0]["reason"] != ""


def test_what_stops_in_the_middle_is_rolled_back(run: Run) -> None:
    message = "a.txt\n<<<<<<< SEARCH\ntwo\n=======\nzwei\nd"
    told, status = run(message, "--chunk=1", edit_format="blocks")
    assert (status, told["files"]) == (1, {})
    assert [hunk["status"] for hunk in told["hunks"]] == ["rolled_back"]


def test_a_message_without_an_edit(run: Run) -> None:
    told, status = run("Nothing to do.")
    assert status == 1 and told == {"files": {}, "hunks": [], "error": "The message holds no edit."}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbfone\r\ntwo\r\n", b"\xef\xbb\xbfone\r\nzwei\r\n"),
        (b"one\r\ntwo", b"one\r\nzwei"),
        (b"one\rtwo\r", b"one\rzwei\r"),
        (b"one\r\ntwo\nthree\r\n", b"one\r\nzwei\nthree\r\n"),
        ("caf\u00e9\ntwo\n".encode("cp1252"), "caf\u00e9\nzwei\n".encode("cp1252")),
        ("\ufeffone\ntwo\n".encode("utf-16-le"), "\ufeffone\nzwei\n".encode("utf-16-le")),
        ("\U0001f600 two\n".encode(), "\U0001f600 zwei\n".encode()),
    ],
    ids=["bom", "no final newline", "cr", "mixed", "cp1252", "utf-16", "astral"],
)
def test_bytes_that_nothing_changes_stay(run: Run, before: bytes, after: bytes) -> None:
    (run.folder / "a.txt").write_bytes(before)
    _, status = run(EDIT, "--write", "--chunk=1")
    assert status == 0
    assert snapshot(run.folder) == {"a.txt": after}


def test_a_file_that_is_no_text_is_left_alone_and_may_move(run: Run) -> None:
    (run.folder / "p.png").write_bytes(b"\x89PNG\0\xff")
    told, status = run(json.dumps({"path": "p.png", "old": "PNG", "new": "x"}), "--write")
    assert status == 1 and told["files"] == {}
    patch = "*** Begin Patch\n*** Update File: p.png\n*** Move to: img/p.png\n*** End Patch\n"
    told, status = run(patch, "--write", edit_format="patch")
    assert status == 0 and told["files"]["p.png"] is None
    assert snapshot(run.folder) == {"a.txt": b"one\ntwo\n", "img/p.png": b"\x89PNG\0\xff"}


def test_a_patch_is_written_with_its_files_and_modes(run: Run) -> None:
    (run.folder / "a.txt").chmod(0o755)
    (run.folder / "b").write_bytes(b"gone\n")
    message = (
        "*** Begin Patch\n*** Update File: a.txt\n*** Move to: x/y/c.txt\n@@\n-two\n+zwei\n"
        "*** Add File: new/n\n+neu\n*** Delete File: b\n*** End Patch\n"
    )
    told, status = run(message, "--write", edit_format="patch")
    assert status == 0
    assert told["files"] == {
        "a.txt": None,
        "b": None,
        "new/n": "neu\n",
        "x/y/c.txt": "one\nzwei\n",
    }
    assert snapshot(run.folder) == {"new/n": b"neu\n", "x/y/c.txt": b"one\nzwei\n"}
    assert stat.S_IMODE((run.folder / "x/y/c.txt").stat().st_mode) == 0o755


def test_links_are_neither_read_nor_written_through(run: Run, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "two.txt").write_text("two\n")
    (run.folder / "file").symlink_to(outside / "two.txt")
    (run.folder / "folder").symlink_to(outside)
    for path in ("file", "folder/two.txt"):
        told, status = run(json.dumps({"path": path, "old": "two", "new": "x"}), "--write")
        assert status == 1 and told["files"] == {}
    for path in ("file", "folder", "folder/new.txt", "file/new.txt"):
        message = f"*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch\n"
        told, status = run(message, "--write", edit_format="patch")
        assert status == 1 and told["files"] == {}, path
    assert snapshot(outside) == {"two.txt": b"two\n"}


def test_a_link_that_comes_while_it_works_is_not_followed(run: Run, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (run.folder / "d").mkdir()
    (run.folder / "d" / "f").write_text("two\n")
    files = dict(folders.files_in(run.folder))
    os.rename(run.folder / "d", run.folder / "e")
    (run.folder / "d").symlink_to(outside)
    (outside / "f").write_text("secret\n")
    with pytest.raises(OSError):  # noqa: PT011 - of whatever kind the system makes it
        files["d/f"]()


def test_what_no_project_holds_is_no_part_of_it(run: Run) -> None:
    (run.folder / ".git").mkdir()
    (run.folder / ".git" / "config").write_text("two\n")
    told, status = run(json.dumps({"path": ".git/config", "old": "two", "new": "x"}), "--write")
    assert status == 1 and told["files"] == {}
    assert (run.folder / ".git" / "config").read_text() == "two\n"


def test_a_pipe_is_not_waited_for(run: Run) -> None:
    os.mkfifo(run.folder / "pipe")
    told, status = run(json.dumps({"path": "pipe", "old": "two", "new": "x"}))
    assert status == 1 and "not a text file" in told["error"]


def test_a_file_that_would_grow_too_large_keeps_what_was_complete(run: Run) -> None:
    edits = [
        {"path": "a.txt", "old": "one", "new": "eins"},
        {"path": "a.txt", "old": "two", "new": "x" * (2 * 1024 * 1024)},
    ]
    told, status = run(json.dumps(edits))
    assert status == 1 and "over 2 MB" in told["error"]
    assert told["files"] == {"a.txt": "eins\ntwo\n"}


def test_what_cannot_be_tried(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "not UTF-8" in run.unusable(b"\xff")
    assert "1 or more" in run.unusable(EDIT, "--chunk=0")
    monkeypatch.setattr(applyedits, "MAX_MESSAGE_BYTES", 10)
    assert "longer than 10 bytes" in run.unusable(EDIT)
    monkeypatch.undo()
    run.folder = run.folder / "a.txt"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert "There is no folder" in run.unusable(EDIT)


def test_more_files_than_it_reads(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MAX_ENTRIES", 0)
    assert "more than 0 files" in run.unusable(EDIT)
