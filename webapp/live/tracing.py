"""From the log to who wrote what: a file's provenance since the first turn that wrote in it.

`trace` blocks, and reads what is durable; `Trace.advance` follows what came since, on the event
loop. Which hunk wrote a change is told by the hunks' rows: each says where its hunk stood right
after the entry that completed it, and an entry names only the last of the hunks that it wrote.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Min

from webapp.document.changes import ChangeSet
from webapp.document.hunks import HunkStatus
from webapp.document.piecelist import PERSON, Key
from webapp.document.provenance import Provenance, Span
from webapp.document.text import loads_utf16
from webapp.live.files import OpenFile
from webapp.live.revert_clients import reverted_ordinals
from webapp.pairing import models
from webapp.pairing.texts import change_of, edits, text_at

Kind = models.Entry.Kind


@dataclass(slots=True)
class Trace:
    """Who wrote what in a file, up to a version."""

    file: str
    version: int
    provenance: Provenance
    spans: dict[tuple[str, int], list[Span]] = field(default_factory=lambda: defaultdict(list))
    """Hunks by the turn and the version that completed them."""
    rolled_back: dict[tuple[str, int], set[Key]] = field(default_factory=lambda: defaultdict(set))
    """Hunks by the turn and the version that took them back."""
    reverted: dict[str, set[Key]] = field(default_factory=lambda: defaultdict(set))
    """Hunks that somebody took back, by turn."""

    def note(self, row: models.Hunk) -> None:
        """Take in what a hunk's row says."""
        key = (row.turn_id, row.ordinal)
        if row.status == HunkStatus.ROLLED_BACK:
            self.rolled_back[row.turn_id, row.version].add(key)
            return
        span = Span(key, row.start, row.end, loads_utf16(row.old_text))
        self.spans[row.turn_id, row.version].append(span)
        if row.status == HunkStatus.REVERTED:
            self.reverted[row.turn_id].add(key)

    def follow(
        self,
        version: int,
        change: ChangeSet,
        kind: str,
        writer: str | None,
        turn: str | None,
        hunk: int | None,
        client: str,
    ) -> None:
        """Follow the next entry; `writer` is the turn that wrote it, or None for a person."""
        provenance = self.provenance
        self.version = version
        if kind == Kind.RESTORE:
            provenance.restore(change)
        elif kind == Kind.REVERT and turn is not None:
            told = reverted_ordinals(client)
            keys = self.reverted[turn] if told is None else {(turn, each) for each in told}
            provenance.undo(change, keys)
        elif writer is None:
            provenance.edit(change, PERSON)
        else:
            undone = self.rolled_back.get((writer, version), set())
            if kind == Kind.SETTLE and hunk:
                undone = undone | {(writer, hunk)}
            if undone:
                provenance.undo(change, undone)
            else:
                spans = self.spans.get((writer, version), ())
                provenance.edit(change, (writer, hunk or 0), spans)

    def advance(self, file: OpenFile) -> bool:
        """Follow what the room has written since; say whether it still has all of it."""
        steps = file.since(self.version)
        if steps is None:
            return False
        for held in file.hunks.values():
            if held.status == HunkStatus.REVERTED:
                self.reverted[held.turn].add((held.turn, held.ordinal))
        for step in steps:
            told: dict[str, Any] = loads_utf16(f"{{{step.body}}}")
            writer = told["by"].get("turn")
            turn, hunk = told.get("turn"), told.get("hunk")
            kind = told["kind"]
            self.follow(step.version, step.change, kind, writer, turn, hunk, step.client)
        return True


def trace(file: str) -> Trace | None:
    """Return who wrote what in the file since any turn began there; None if none ever did.

    Raises LoadError when the log has a hole. Blocks.
    """
    entries = models.Entry.objects.filter(file=file, author__startswith="turn:")
    first = entries.aggregate(first=Min("version"))["first"]
    if first is None:
        return None
    base = max(0, first - 1)
    traced = Trace(file, base, Provenance(text_at(file, base)))
    for row in models.Hunk.objects.filter(file=file):
        traced.note(row)
    for entry in edits(file, base):
        _, _, writer = entry.author.rpartition("turn:")
        is_turn = entry.author.startswith("turn:")
        traced.follow(
            entry.version or 0,
            change_of(entry),
            entry.kind,
            writer if is_turn else None,
            entry.turn_id,
            entry.hunk,
            entry.client,
        )
    return traced
