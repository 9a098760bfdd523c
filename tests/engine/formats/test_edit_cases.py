"""Real messages in blocks, where a folder of public cases is given: what is written is right.

`FLINT_EDIT_CASES` names the folder. What is not exact is refused here, so a case may be refused
that a more lenient tool applies; none may be written otherwise than it should be.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from webapp.engine.formats import BlockEnd, BlockStart, Event, Omission, Search, Text
from webapp.engine.formats.block_writer import BlockWriter
from webapp.engine.formats.blocks import BlocksParser
from webapp.engine.formats.targets import path_of_block
from webapp.engine.locate import Found, locate

FOLDER = os.environ.get("FLINT_EDIT_CASES", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="FLINT_EDIT_CASES is not set")


def cases() -> list[dict[str, Any]]:
    lines = (Path(FOLDER) / "blocks.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


class Project:
    """Files, and what a message does to them."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = dict(files)
        self.refused: list[str] = []
        self._path: str | None = None
        self._writer: BlockWriter | None = None

    def take(self, event: Event) -> None:
        match event:
            case BlockStart():
                self._path = path_of_block(event, self.files, self._path)
                self._writer = None
            case Search(text):
                self._search(text)
            case Text(text) | Omission(text):
                if self._writer is not None:
                    self._writer.push(text)
                    self._write()
            case BlockEnd(fault):
                self._end(complete=fault is None)
            case _:
                pass

    def _search(self, text: str) -> None:
        stands = self.files.get(self._path or "")
        if self._path is None or (stands is None and text):
            self.refused.append("no file")
        elif not text and (stands or "").strip():
            self.refused.append("not empty")
        elif not text:
            self.files[self._path] = stands or ""
            self._writer = BlockWriter("", 0, 0)
        else:
            place = locate(stands or "", text)
            if isinstance(place, Found):
                self._writer = BlockWriter(stands or "", place.start, place.end)
            else:
                self.refused.append(type(place).__name__)

    def _write(self) -> None:
        if self._writer is not None and self._path is not None:
            text = self.files[self._path]
            flush = self._writer.take(text)
            if flush is not None and flush.change is not None:
                self.files[self._path] = flush.change.apply(text)

    def _end(self, *, complete: bool) -> None:
        if not complete:
            self.refused.append("incomplete")
        if self._writer is not None and self._path is not None:
            if complete:
                self._writer.close()
                self._write()
            elif (change := self._writer.rollback(self.files[self._path])) is not None:
                self.files[self._path] = change.apply(self.files[self._path])
        self._writer = None


def run(case: dict[str, Any], size: int) -> Project:
    """Apply a case's message, `size` characters at a time."""
    project, parser, message = Project(case["files"]), BlocksParser(), case["message"]
    for at in range(0, len(message), size):
        for event in parser.push(message[at : at + size]):
            project.take(event)
    for event in parser.finish():
        project.take(event)
    return project


def test_nothing_is_written_otherwise_than_it_should_be() -> None:
    right = 0
    for case in cases():
        project = run(case, 7)
        expected = case["files"] | {
            path: text for path, text in (case["expect_files"] or {}).items() if text is not None
        }
        if case["expect_error"]:
            assert project.refused, case["name"]
        elif project.files == expected:
            right += 1
        else:
            assert project.refused, case["name"]
    assert right >= 200


def test_the_size_of_the_pieces_changes_nothing() -> None:
    for case in cases()[::5]:
        whole = run(case, 10**9)
        for size in (1, 13):
            cut = run(case, size)
            assert (cut.files, cut.refused) == (whole.files, whole.refused), case["name"]
