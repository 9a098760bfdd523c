"""Which edits must not happen without a person's word. Pure.

The guard is asked before each write of a turn, while the stream runs, and answers with the sentence
that says why an edit is frozen, or with None. What it knows of a file is counted over all hunks of
the turn in it, so that many small ones add up; lines that the turn wrote there count against those
that it took out. A hunk that was frozen or taken back does not count.

Turned down: asking once the answer is there (the damage would have been on everybody's screen), and
a share of the text as it is at that moment (each hunk could take half of what the last one left).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from webapp.document.changes import ChangeSet
from webapp.engine.formats.whole_writer import Mark
from webapp.engine.globs import first_match
from webapp.engine.landing import sentences as say
from webapp.lib.sentences import Sentence

_BLANK_UNITS: Final = 10_000
"""A text so long is looked through for anything but white space; of a longer one it is assumed,
unless it has lost half."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a session lets a turn do unasked.

    A turn asks before it takes more than `most_lines` lines and more than `most_share` of a file
    out without writing as much, before it touches a path that one of the `protected` globs
    (globs.py) matches, and, with `asks_for_files`, before it deletes or moves a file.
    """

    protected: tuple[str, ...] = ()
    most_lines: int = 60
    most_share: float = 0.5
    asks_for_files: bool = True


@dataclass(slots=True)
class _Tally:
    """What a turn did to one file. `lines` it had before the turn's first edit of it."""

    lines: int
    has_text: bool
    net_removed: int = 0
    counted: dict[tuple[int, int], int] = field(default_factory=dict)
    """The lines that each hunk, by writer and key, took out more than it wrote."""


class Guard:
    """Watches one turn."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        """May become others in the middle of a turn, and hold for what is written from then on."""
        self._tallies: dict[str, _Tally] = {}

    def touch(self, path: str, to: str = "") -> Sentence | None:
        """Say why a path must not be touched; with `to`, why nothing may be moved there."""
        for each in (path, to):
            glob = first_match(self.rules.protected, each) if each else None
            if glob is not None:
                return say.WOULD_TOUCH % {"path": each, "glob": glob}
        return None

    def remove(self, path: str) -> Sentence | None:
        """Say why a file must not be deleted."""
        if reason := self.touch(path):
            return reason
        return say.WOULD_DELETE % {"path": path} if self.rules.asks_for_files else None

    def move(self, path: str, to: str) -> Sentence | None:
        """Say why a file must not be moved."""
        if reason := self.touch(path, to):
            return reason
        asks = self.rules.asks_for_files
        return say.WOULD_MOVE % {"path": path, "to": to} if asks else None

    def omit(self, path: str, line: str) -> Sentence:
        """Say why a placeholder for existing code must not be written."""
        return say.WOULD_OMIT % {"path": path, "line": line.strip()}

    def begin(self, file: str, text: str) -> None:
        """Note a file, by its id, as it is before the turn's first edit of it."""
        if file not in self._tallies:
            lines = text.count("\n") + (not text.endswith("\n"))
            self._tallies[file] = _Tally(lines, bool(text.strip()))

    def write(
        self, file: str, path: str, writer: int, marks: Sequence[Mark]
    ) -> list[tuple[Mark, Sentence]]:
        """Return the hunks that would take too much out, and why, given those that stand.

        `begin` has been told of the file. `writer` tells the hunks of one edit from another's.
        """
        tally = self._tallies[file]
        net = tally.net_removed
        frozen: list[tuple[Mark, Sentence]] = []
        for mark in marks:
            taken = mark.removed_lines - mark.added_lines
            taken -= tally.counted.get((writer, mark.key), 0)
            if taken > 0 and self._is_too_much(tally, net + taken):
                counts = {"count": net + taken, "lines": tally.lines}
                frozen.append((mark, say.WOULD_REMOVE % {"path": path, **counts}))
            else:
                net += taken
        return frozen

    def _is_too_much(self, tally: _Tally, net: int) -> bool:
        return net > self.rules.most_lines and net > self.rules.most_share * tally.lines

    def empties(
        self, file: str, path: str, text: str, change: ChangeSet | None, marks: Sequence[Mark]
    ) -> Sentence | None:
        """Say why a change of `text` must not be made, if nothing would be left in the file."""
        if change is None or not self._tallies[file].has_text or not any(m.old for m in marks):
            return None
        if change.new_length > max(_BLANK_UNITS, change.length // 2):
            return None
        return None if change.apply(text).strip() else say.WOULD_EMPTY % {"path": path}

    def count(self, file: str, writer: int, marks: Sequence[Mark]) -> None:
        """Note hunks that are complete, and stand."""
        tally = self._tallies[file]
        for mark in marks:
            if mark.status == "applied":
                taken = mark.removed_lines - mark.added_lines
                tally.net_removed += taken - tally.counted.get((writer, mark.key), 0)
                tally.counted[(writer, mark.key)] = taken
