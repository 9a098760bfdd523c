"""A message applied to files by parser, locate and writers alone: what the tables here run.

What the landing does besides (people, the guard, hunks) is not here; an edit is made, or refused
with one word.
"""

from __future__ import annotations

from typing import Final

from webapp.document.text import from_utf16, to_utf16
from webapp.engine.formats import (
    BlockEnd,
    BlockStart,
    Event,
    FileEnd,
    FileStart,
    Omission,
    Parser,
    Search,
    Text,
)
from webapp.engine.formats.block_writer import BlockWriter
from webapp.engine.formats.blocks import BlocksParser
from webapp.engine.formats.json_edits import JsonParser
from webapp.engine.formats.patch import PatchParser
from webapp.engine.formats.targets import Example, New, path_of_block, resolve
from webapp.engine.formats.whole import WholeParser
from webapp.engine.formats.whole_writer import RegionWriter
from webapp.engine.locate import Ambiguous, Found, Missing, locate
from webapp.engine.locate_index import Index

REFUSED: Final = {Missing: "missing", Ambiguous: "ambiguous"}


class Project:
    """Files, and what a message does to them. The first file is the one in focus.

    Not `eager`, what is written waits for `flush` or the end of the edit.
    """

    def __init__(self, files: dict[str, str], *, eager: bool = True) -> None:
        self._texts = {path: to_utf16(text) for path, text in files.items()}
        self.refused: list[str] = []
        self.edits = 0
        self.prose = ""
        self._focus = next(iter(files), None)
        self._path = self._focus if len(files) == 1 else None
        self._written: set[str] = set()
        self._writer: BlockWriter | RegionWriter | None = None
        self._indexes: dict[str, Index] = {}
        self._eager = eager
        self._made: str | None = None
        self._block = BlockStart(None)
        self._cursors: dict[str, int] = {}
        """Behind the last ordered block of each file, from the text's end."""
        self._behind = 0

    @property
    def files(self) -> dict[str, str]:
        """The texts as they are now."""
        return {path: from_utf16(text) for path, text in self._texts.items()}

    def run(self, parser: Parser, message: str, *cuts: int) -> Project:
        """Apply a message, cut there."""
        for start, end in zip((0, *cuts), (*cuts, len(message)), strict=True):
            self.take(parser.push(to_utf16(message[start:end])))
        self.take(parser.finish())
        return self

    def take(self, events: list[Event]) -> None:
        """Act on events."""
        for event in events:
            self._take(event)

    def _take(self, event: Event) -> None:
        match event:
            case BlockStart():
                self.edits += 1
                self._path = path_of_block(event, self._texts, self._path)
                self._writer = None
                self._block = event
                if event.restarts:
                    self._cursors.pop(self._path or "", None)
            case Search(text):
                self._search(text)
            case FileStart():
                self._whole(event)
            case Text(text):
                self._push(text)
            case Omission(text):
                self._omission(text)
            case BlockEnd(fault=fault):
                self._end(complete=fault is None)
            case FileEnd(complete=complete):
                self._end(complete=complete)
            case _:
                pass

    def _search(self, text: str) -> None:
        path = self._path or ""
        stands = self._texts.get(path)
        if stands is None and (text or not path):
            self.refused.append("no file")
        elif not text and (stands or "").strip() and not self._block.ordered:
            self.refused.append("not empty")
        elif not text and not self._block.ordered:
            self._made = path if stands is None else None
            self._texts[path] = stands or ""
            self._writer = BlockWriter(stands or "", 0, len(stands or ""))
        else:
            self._locate(path, stands or "", text)

    def _locate(self, path: str, stands: str, text: str) -> None:
        block = self._block
        place = locate(
            stands,
            text,
            after=len(stands) - self._cursors.get(path, len(stands)) if block.ordered else 0,
            anchors=block.anchors,
            at_end=block.at_end or not (text or block.anchors),
            verbatim=block.verbatim,
            index=self._indexes.setdefault(path, Index()),
        )
        if isinstance(place, Found):
            self._writer = BlockWriter.at(stands, place, text, verbatim=block.verbatim)
            self._behind = len(stands) - place.end
        else:
            self.refused.append(REFUSED[type(place)])

    def _whole(self, start: FileStart) -> None:
        self._writer = None
        if start.creates and start.path in self._texts:
            self.refused.append("stands")
            return
        target = resolve(start, self._texts, self._focus, self._written)
        if isinstance(target, Example):
            return
        self.edits += 1
        self._path = target.path
        self._made = target.path if isinstance(target, New) else None
        self._texts.setdefault(target.path, "")
        self._writer = RegionWriter(self._texts[target.path])

    def _push(self, text: str) -> None:
        if self._writer is None:
            return
        self._writer.push(text)
        if self._writer.misfit is not None:
            self._refuse("misfit")
        if self._eager:
            self.flush()

    def _omission(self, line: str) -> None:
        if self._writer is None or self._writer.knows(line):
            self._push(line)
        else:
            self._refuse("omission")

    def flush(self) -> None:
        """Write what waits."""
        if self._writer is not None and self._path is not None:
            text = self._texts[self._path]
            flush = self._writer.take(text)
            if flush is not None and flush.change is not None:
                self._texts[self._path] = flush.change.apply(text)

    def _refuse(self, why: str) -> None:
        self.refused.append(why)
        if self._writer is not None and self._path is not None:
            text = self._texts[self._path]
            change = self._writer.rollback(text)
            if change is not None:
                self._texts[self._path] = change.apply(text)
            if self._made is not None:
                del self._texts[self._made]
        self._writer = self._made = None

    def _end(self, *, complete: bool) -> None:
        if not complete:
            self._refuse("incomplete")
        elif self._writer is not None and self._path is not None:
            self._writer.close()
            if self._writer.misfit is not None:
                self._refuse("misfit")
                return
            self.flush()
            self._written.add(self._path)
            self._cursors[self._path] = self._behind
        self._writer = self._made = None


def parser_of(form: str, files: dict[str, str]) -> Parser:
    """Return the parser of a format by its name."""
    if form == "whole":
        return WholeParser(next(iter(files), None))
    parsers: dict[str, type[Parser]] = {
        "blocks": BlocksParser,
        "patch": PatchParser,
        "json": JsonParser,
    }
    return parsers[form]()


def apply(form: str, files: dict[str, str], message: str, *cuts: int) -> Project:
    """Return the files after a message."""
    return Project(files).run(parser_of(form, files), message, *cuts)
