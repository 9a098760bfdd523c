"""Rows in: a session as it stands in the database, and old entries of a file.

The log is replayed from each file's newest snapshot. Functions here block; call them in a reader.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast

from django.db.models import F, Max, OuterRef, Subquery
from django.db.models.functions import Coalesce

from webapp.document.hunks import Hunk, HunkStatus
from webapp.document.text import LineEnding, loads_utf16
from webapp.engine.guard import Rules
from webapp.lib.ids import is_id
from webapp.live import turn_rows
from webapp.live.endpoints import Choice, choices_for
from webapp.live.files import OpenFile, Step, entry_body
from webapp.live.presence import Colors, by
from webapp.pairing import models
from webapp.pairing.texts import LoadError, change_of, edits, text_at
from webapp.teams.models import User

MISSED_ENTRIES: Final = 10_000
MISSED_CHARS: Final = 2 * 1024 * 1024
"""How much of a file's log a page is sent to catch up; with more it opens the file anew."""

By = Callable[[str], dict[str, Any]]
"""From an author as the log names them to the `by` of frames."""


@dataclass(slots=True)
class Loaded:
    """A session at one moment."""

    id: str
    slug: str
    title: str
    team: str
    access_version: int
    seq: int
    team_id: str = ""
    choices: tuple[Choice, ...] = ()
    rules: Rules = field(default_factory=Rules)
    files: dict[str, OpenFile] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    names: dict[int, str] = field(default_factory=dict)
    owners: dict[str, int] = field(default_factory=dict)
    """Which user each page's client id belongs to."""


def load(session_id: str, colors: Colors) -> Loaded:
    """Return the session with the text of every file; raises LoadError, Session.DoesNotExist."""
    session = models.Session.objects.select_related("team").get(pk=session_id)
    entries = models.Entry.objects.filter(session_id=session_id)
    loaded = Loaded(
        id=session.pk,
        slug=session.slug,
        title=session.title,
        team=session.team.name,
        access_version=session.access_version,
        team_id=session.team_id,
        choices=choices_for(session.team_id),
        rules=rules_of(session),
        seq=entries.aggregate(last=Max("seq"))["last"] or 0,
    )
    authors = entries.filter(author__startswith="user:").values_list("client", "author").distinct()
    known: set[int] = set()
    for client, author in authors:
        user = int(author.partition(":")[2])
        known.add(user)
        if is_id(client):  # else the server wrote it for them
            loaded.owners[client] = user
    loaded.names = {user.pk: user.display_name for user in User.objects.filter(pk__in=known)}
    blobs = models.Blob.objects.filter(file__session_id=session_id)
    sizes = dict(blobs.values_list("file_id", "size_bytes"))
    for file in models.File.objects.filter(session_id=session_id):
        if file.deleted_seq is None:
            loaded.files[file.pk] = OpenFile(
                file.pk,
                file.path,
                cast(LineEnding, file.ending),
                "",
                -1,
                encoding=file.encoding,
                has_bom=file.has_bom,
                blob_bytes=sizes.get(file.pk),
            )
        else:
            loaded.gone.add(file.pk)
    _read_texts(loaded, partial(by, colors, loaded.names))
    _read_counters(loaded)
    _read_hunks(loaded)
    return loaded


def rules_of(session: models.Session) -> Rules:
    """Return what the session lets a turn do unasked, as its settings say."""
    globs = (line.strip() for line in session.protected.splitlines())
    return Rules(
        protected=tuple(glob for glob in globs if glob),
        most_lines=session.guard_lines,
        most_share=session.guard_percent / 100,
    )


def read_rules(session_id: str) -> Rules | None:
    """Return the same of a session by its id; None when there is none."""
    session = models.Session.objects.filter(pk=session_id).first()
    return rules_of(session) if session is not None else None


def _read_texts(loaded: Loaded, name: By) -> None:
    newest = models.Snapshot.objects.filter(file=OuterRef("file")).order_by("-version")
    snapshots = models.Snapshot.objects.filter(
        file_id__in=_live(loaded), version=Subquery(newest.values("version")[:1])
    )
    for snapshot in snapshots.iterator():
        file = loaded.files[snapshot.file_id]
        file.text, file.version = loads_utf16(snapshot.text), snapshot.version
    entries = (
        models.Entry.objects.filter(file_id__in=_live(loaded), version__isnull=False)
        .annotate(known=Coalesce(Subquery(newest.values("version")[:1]), -1))
        .filter(version__gt=F("known"))
        .order_by("seq")
    )
    for entry in entries.iterator():
        file = loaded.files[entry.file_id]
        if entry.kind == models.Entry.Kind.CREATE:
            file.text, file.version = loads_utf16(entry.payload), entry.version or 0
            continue
        if entry.version != file.version + 1:
            raise LoadError(f"{file.path}: entry {file.version + 1} is missing")
        file.append(step_of(entry, name))
    for file in loaded.files.values():
        if file.version < 0:
            raise LoadError(f"{file.path}: there is no text")


def _live(loaded: Loaded) -> Any:
    return models.File.objects.filter(session_id=loaded.id, deleted_seq__isnull=True).values("pk")


def _read_counters(loaded: Loaded) -> None:
    last = (
        models.Entry.objects.filter(file_id__in=_live(loaded), counter__isnull=False)
        .values_list("file_id", "client")
        .annotate(last=Max("counter"))
    )
    for file, client, counter in last:
        loaded.files[file].counters[client] = counter


def _read_hunks(loaded: Loaded) -> None:
    """Put the last turns' hunks where they stand now."""
    turns = models.Turn.objects.filter(session_id=loaded.id).order_by("-created_at")
    recent = list(turns.values_list("pk", flat=True)[: turn_rows.RECENT])
    rows = list(
        models.Hunk.objects.filter(turn_id__in=recent, file_id__in=_live(loaded)).order_by(
            "turn__created_at", "ordinal"
        )
    )
    for file_id in {row.file_id for row in rows}:
        own = [row for row in rows if row.file_id == file_id]
        for hunk in place_hunks(file_id, own)[0]:
            loaded.files[file_id].hunks[hunk.id] = hunk


def place_hunks(file: str, rows: list[models.Hunk]) -> tuple[list[Hunk], int]:
    """Follow hunks of one file from where their rows say to where they stand now; return them and
    the version that this is.

    A row is not saved again while its hunk grows, nor when somebody keeps or reverts it.
    """
    version = min(row.version for row in rows)
    text = text_at(file, version)
    hunks = {(row.turn_id, row.ordinal): (row.version, hunk_of(row)) for row in rows}
    for entry in edits(file, version):
        change = change_of(entry)
        for key, (since, hunk) in hunks.items():
            if (entry.version or 0) > since:
                if key == (entry.turn_id, entry.hunk):
                    hunks[key] = since, hunk.write(change, text)
                else:
                    hunks[key] = since, hunk.follow(change, own=False)
        text = change.apply(text)
        version = entry.version or version
    return [hunk for _, hunk in hunks.values()], version


def hunk_of(row: models.Hunk) -> Hunk:
    """Return the hunk as its row has it; what was typed in it later is found by following the log.

    What made a hunk yield came before its row was saved, so only the status tells of it.
    """
    status = HunkStatus(row.status)
    return Hunk(
        id=f"{row.turn_id}/{row.ordinal}",
        turn=row.turn_id,
        file=row.file_id,
        ordinal=row.ordinal,
        start=row.start,
        end=row.end,
        old_text=loads_utf16(row.old_text),
        status=status,
        touched=status is HunkStatus.YIELDED,
        by=row.decided_by,
    )


def step_of(entry: models.Entry, name: By) -> Step:
    """Return the entry as a room keeps it."""
    version = entry.version
    if version is None:
        raise LoadError(f"{entry}: no version")
    body = entry_body(
        version,
        entry.payload,
        entry.client,
        entry.counter,
        name(entry.author),
        entry.kind,
        entry.turn_id,
        entry.hunk,
    )
    return Step(version, change_of(entry), entry.client, entry.counter, body)


def missed(file: str, version: int, name: By) -> list[Step] | None:
    """Return a file's durable entries after `version`, or None when those are too many."""
    steps: list[Step] = []
    size = 0
    for entry in edits(file, version):
        step = step_of(entry, name)
        steps.append(step)
        size += len(step.body)
        if len(steps) > MISSED_ENTRIES or size > MISSED_CHARS:
            return None
    return steps
