"""Turns at rest: rows in and out. Functions here block; the journal's or a reader's thread calls
them, and they are given values, never objects that the event loop goes on changing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from webapp.document.hunks import Hunk, HunkStatus
from webapp.document.text import dumps_ascii, loads_utf16
from webapp.engine.turn import State
from webapp.lib import clock
from webapp.lib.sentences import from_json, to_json
from webapp.live import repair_words, withheld_rows
from webapp.live.prose import html_of, plain
from webapp.live.withheld_rows import Kept
from webapp.pairing import models

RECENT: Final = 50
"""How many turns a room holds and shows, and follows the hunks of."""


@dataclass(slots=True)
class Record:
    """One turn as it is kept and shown; the event loop's own copy of its row."""

    id: str
    author: int | None
    name: str
    prompt: str
    tier: str
    parent: str | None = None
    """The turn it was redirected from."""
    endpoint: str = ""
    label: str = ""
    model: str = ""
    edit_format: str = ""
    state: str = "queued"
    focus: dict[str, Any] | None = None
    created_at: datetime = field(default_factory=clock.now)
    ttft_ms: int | None = None
    stop_ms: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = True
    applied: int = 0
    added: int = 0
    removed: int = 0
    prose: str = ""
    html: str = ""
    reason: str = ""
    ended_by: str = ""
    reverted_by: str = ""
    settled: bool = False
    """Whether the log holds its settlement entry."""
    created_files: set[str] = field(default_factory=set)
    taken_files: set[str] = field(default_factory=set)
    """Files that it deleted or moved, and that nobody brought back since."""
    edits: int = 0
    refused: int = 0
    """How many edits its answer held, and how many of those could not be applied."""
    wants_repair: bool = True
    repairs: str | None = None
    """The turn whose refused edits it asks for again."""
    withheld: dict[int, Kept] = field(default_factory=dict)
    """Its edits that do not stand in the text, by ordinal."""
    dropped: int = 0
    """How many more there were than are kept."""
    hunks_made: int = 0
    lines: dict[int, tuple[int, int]] = field(default_factory=dict)
    """How many lines each hunk that stands added and removed, as far as this process wrote it."""

    @property
    def is_over(self) -> bool:
        """Say whether it can no longer write."""
        return State(self.state) not in _UNDER_WAY

    def next_hunk(self) -> int:
        """Return the ordinal of a new hunk."""
        self.hunks_made += 1
        return self.hunks_made


_UNDER_WAY: Final = (State.QUEUED, State.STARTING, State.STREAMING, State.STOPPING)


def columns(record: Record) -> dict[str, Any]:
    """Return the row's columns as they are now, to be saved later."""
    return {
        "model": record.model,
        "state": record.state,
        "focus": dumps_ascii(record.focus),
        "ttft_ms": record.ttft_ms,
        "stop_ms": record.stop_ms,
        "tokens_in": record.tokens_in,
        "tokens_out": record.tokens_out,
        "tokens_estimated": record.estimated,
        "tokens_applied": record.applied,
        "lines_added": record.added,
        "lines_removed": record.removed,
        "edits": record.edits,
        "edits_refused": record.refused,
        "prose": dumps_ascii(record.prose),
        "reason": reason_kept(record.reason),
        "ended_by": record.ended_by,
        "reverted_by": record.reverted_by,
        "ended_at": clock.now() if record.is_over else None,
    }


def create(
    session: str,
    record: Record,
    values: dict[str, Any],
    seq: int,
    manifest: Sequence[dict[str, Any]],
) -> str:
    """Insert the turn and the checkpoint that it begins with; return the session's team.

    Of the record, only what never changes is read here.
    """
    turn = models.Turn(
        id=record.id,
        session_id=session,
        parent_id=record.parent,
        author_id=record.author,
        author_name=record.name,
        prompt=plain(record.prompt),
        tier=record.tier,
        endpoint=record.endpoint,
        label=record.label,
        edit_format=record.edit_format,
        wants_repair=record.wants_repair,
        repairs_id=record.repairs,
        created_at=record.created_at,
        checkpoint_seq=seq,
        **values,
    )
    turn.save(force_insert=True)
    models.Checkpoint.objects.create(
        session_id=session, seq=seq, turn=turn, manifest=dumps_ascii(list(manifest))
    )
    return models.Session.objects.values_list("team_id", flat=True).get(pk=session)


def save(session: str, id: str, values: dict[str, Any]) -> None:
    """Keep what `columns` returned."""
    models.Turn.objects.filter(session_id=session, pk=id).update(**values)


def save_hunks(hunks: Sequence[Hunk], version: int) -> None:
    """Keep hunks as they stand at `version` of their file."""
    models.Hunk.objects.bulk_create(
        [
            models.Hunk(
                turn_id=hunk.turn,
                ordinal=hunk.ordinal,
                file_id=hunk.file,
                status=hunk.status,
                version=version,
                start=hunk.start,
                end=hunk.end,
                old_text=dumps_ascii(hunk.old_text),
            )
            for hunk in hunks
        ],
        update_conflicts=True,
        unique_fields=["turn", "ordinal"],
        update_fields=["status", "version", "start", "end", "old_text"],
    )


def decide(turn: str, ordinals: Sequence[int], status: HunkStatus, by: str) -> None:
    """Keep what somebody said of hunks; their place stays as it was when they were written."""
    rows = models.Hunk.objects.filter(turn_id=turn, ordinal__in=ordinals)
    rows.update(status=status, decided_by=by)


def recent(session: str) -> list[Record]:
    """Return the last turns, oldest first, and every turn that some process left running."""
    turns = models.Turn.objects.filter(session_id=session)
    rows = list(turns.order_by("-created_at")[:RECENT])
    known = {row.pk for row in rows}
    rows += turns.filter(state__in=[str(state) for state in _UNDER_WAY]).exclude(pk__in=known)
    return sorted(_records(session, rows), key=lambda record: record.created_at)


def one(session: str, turn: str) -> Record | None:
    """Return a turn of any age."""
    return next(iter(_records(session, models.Turn.objects.filter(session=session, pk=turn))), None)


def _records(session: str, rows: Iterable[models.Turn]) -> list[Record]:
    turns = list(rows)
    kinds = models.Entry.Kind
    entries = models.Entry.objects.filter(session_id=session, turn__in=turns)
    settled = set(entries.filter(kind=kinds.SETTLE).values_list("turn", flat=True))
    # What people did to take a turn back bears its name too.
    own = entries.filter(author__startswith="turn:")
    records = {row.pk: _record(row, row.pk in settled) for row in turns}
    for turn, kept in withheld_rows.of_turns(turns).items():
        records[turn].withheld = kept
    for turn, file in own.filter(kind=kinds.CREATE).values_list("turn", "file"):
        if turn is not None:
            records[turn].created_files.add(file)
    taken = own.filter(kind__in=(kinds.DELETE, kinds.RENAME))
    for turn, file in taken.values_list("turn", "file"):
        if turn is not None and file not in records[turn].created_files:
            records[turn].taken_files.add(file)
    return list(records.values())


def _record(row: models.Turn, settled: bool) -> Record:
    prose = loads_utf16(row.prose) if row.prose else ""
    return Record(
        id=row.pk,
        author=row.author_id,
        name=row.author_name,
        prompt=repair_words.shown_again(row.prompt) if row.repairs_id else row.prompt,
        tier=row.tier,
        parent=row.parent_id,
        endpoint=row.endpoint,
        label=row.label,
        edit_format=row.edit_format,
        model=row.model,
        state=row.state,
        focus=loads_utf16(row.focus),
        created_at=row.created_at,
        ttft_ms=row.ttft_ms,
        stop_ms=row.stop_ms,
        tokens_in=row.tokens_in,
        tokens_out=row.tokens_out,
        estimated=row.tokens_estimated,
        applied=row.tokens_applied,
        added=row.lines_added,
        removed=row.lines_removed,
        prose=prose,
        html=html_of(prose),
        reason=reason_of(row.reason),
        ended_by=row.ended_by,
        reverted_by=row.reverted_by,
        edits=row.edits,
        refused=row.edits_refused,
        wants_repair=row.wants_repair,
        repairs=row.repairs_id,
        settled=settled,
    )


def reason_kept(reason: str) -> str:
    """Return a reason as a row has it."""
    return dumps_ascii(to_json(reason)) if reason else ""


def reason_of(kept: str) -> str:
    """Return what `columns` made of a reason; older rows have the text alone."""
    try:
        return from_json(loads_utf16(kept))
    except ValueError:
        return kept
