"""What the rows and the log say of a turn that is to be kept or taken back. Everything blocks.

A room holds its last turns alone, and of a hunk that somebody typed in it knows no more than that.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from django.db.models import Max

from webapp.document.encodings import Binary
from webapp.document.hunks import STANDING, Hunk
from webapp.document.text import loads_utf16
from webapp.live import tracing, turn_rows, wire
from webapp.live.loading import hunk_of, place_hunks
from webapp.live.tracing import Trace
from webapp.live.turn_rows import Record
from webapp.pairing import models, staging
from webapp.pairing.texts import bytes_of, text_at
from webapp.pairing.uploads import NewFile

Kind = models.Entry.Kind


@dataclass(frozen=True, slots=True)
class Deleted:
    """A file that the turn deleted, as it was; `staged` is a binary one's row, ready to come in."""

    row: models.File
    path: str
    text: str = ""
    staged: str = ""
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Moved:
    """A file that the turn moved."""

    file: str
    path: str
    back: str


@dataclass(slots=True)
class Look:
    """A turn, its hunks in files that are still there, and who wrote what in those."""

    record: Record
    hunks: list[Hunk] = field(default_factory=list)
    """All in files that are still there."""
    versions: dict[str, int] = field(default_factory=dict)
    """At which version of its file each of them stands there, if they were placed."""
    traces: dict[str, Trace] = field(default_factory=dict)
    deleted: list[Deleted] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)

    @property
    def to_bring_back(self) -> set[str]:
        """Return the files of which something can be brought back."""
        return {gone.row.pk for gone in self.deleted} | {moved.file for moved in self.moved}

    @property
    def staged(self) -> list[str]:
        """Return the rows that were made for files which may come in."""
        return [file.staged for file in self.deleted if file.staged]


def is_meant(asked: wire.Decide, ordinal: int, file: str) -> bool:
    """Say whether a hunk is among those that a page asked about."""
    return (not asked.hunks or ordinal in asked.hunks) and asked.file in (None, file)


def look(session: str, asked: wire.Decide, *, deep: bool, places: bool) -> Look | None:
    """Return what is to be known of it, None for no such turn.

    `deep`: also who wrote what. `places`: the hunks where they stand, since the room does not
    follow them; else they stand where they were written.
    """
    record = turn_rows.one(session, asked.turn)
    if record is None:
        return None
    found = Look(record)
    live = models.File.objects.filter(session_id=session, deleted_seq__isnull=True)
    rows = list(
        models.Hunk.objects.filter(turn=asked.turn, file__in=live.values("pk")).order_by("ordinal")
    )
    for file in {row.file_id for row in rows}:
        own = [row for row in rows if row.file_id == file]
        if places:
            hunks, found.versions[file] = place_hunks(file, own)
            found.hunks += hunks
        else:
            found.hunks += [hunk_of(row) for row in own]
        meant = [row for row in own if is_meant(asked, row.ordinal, file)]
        if deep and any(row.status in STANDING for row in meant):
            trace = tracing.trace(file)
            if trace is not None:
                found.traces[file] = trace
    found.hunks.sort(key=lambda hunk: hunk.ordinal)
    if deep and record.taken_files and not (asked.hunks or asked.file):
        _look_at_files(session, record, found)
    return found


def _look_at_files(session: str, record: Record, found: Look) -> None:
    manifest = models.Checkpoint.objects.filter(turn=record.id).values_list("manifest", flat=True)
    paths = {
        held["file"]: held["path"] for text in manifest[:1] for held in loads_utf16(text) or ()
    }
    moved = dict(
        models.Entry.objects.filter(turn=record.id, kind=Kind.RENAME, author=f"turn:{record.id}")
        .order_by("seq")
        .values_list("file", "payload")
    )
    for row in models.File.objects.filter(session_id=session, pk__in=record.taken_files):
        path = paths.get(row.pk, row.path)
        if row.deleted_seq is None:
            if row.pk in moved:
                found.moved.append(Moved(row.pk, loads_utf16(moved[row.pk]), path))
        elif _was_deleted_by(record, row.pk):
            found.deleted.append(_deleted(session, row, path))


def _was_deleted_by(record: Record, file: str) -> bool:
    deleted = models.Entry.objects.filter(file=file, kind=Kind.DELETE).order_by("-seq").first()
    return deleted is not None and deleted.author == f"turn:{record.id}"


def _deleted(session: str, row: models.File, path: str) -> Deleted:
    if row.is_binary:
        data = bytes_of(row.pk)
        new = NewFile(path, Binary(data), row.is_executable)
        return Deleted(row, path, staged=staging.stage(session, new), size_bytes=len(data))
    newest = models.Entry.objects.filter(file=row).aggregate(version=Max("version"))["version"]
    return Deleted(row, path, text_at(row.pk, newest or 0))


def unstage(files: Collection[str]) -> None:
    """Take away the rows of files that did not come in."""
    staging.unstage(list(files))
