"""Makes a session with its first files.

Each file gets a row and a `create` entry whose payload is its text; the log's sequence counts from
1, in the order the files are given, and a checkpoint stands at its end. A text too long for one
short write goes on in `edit` entries; the bytes of a binary file are kept in parts.

No write lasts long (CHUNK_BYTES), since every edit of everybody waits for it. What takes several
writes is half-made in between: such a session is a deleted one whose `access_version` is 0, which
nobody can see or restore, and which `sweep` takes away when its maker died.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Model, QuerySet

from webapp.document import text as units
from webapp.document.changes import ChangeSet
from webapp.document.encodings import Binary, of_text
from webapp.document.tree import check_path, first_clash
from webapp.lib import clock
from webapp.pairing.models import Blob, BlobPart, Checkpoint, Entry, File, Session
from webapp.pairing.uploads import NewFile
from webapp.teams.models import Team, User

SYSTEM_CLIENT: Final = "system"
CHUNK_BYTES: Final = 512 * 1024
CHUNK_ROWS: Final = 60
MADE_WITHIN: Final = timedelta(hours=1)
HALF_MADE: Final = 0
"""The `access_version` of a session that is not complete."""
_ASCII_UNITS: Final = CHUNK_BYTES
_WIDE_UNITS: Final = CHUNK_BYTES // 6
"""What is not ASCII takes six bytes a unit in the log."""


def create_session(team: Team, user: User, title: str, files: Mapping[str, str]) -> Session:
    """Return a new session of `team` with these texts; raises ValueError for an impossible tree."""
    checked = [NewFile(check_path(path), of_text(text)) for path, text in files.items()]
    problem = first_clash(file.path for file in checked)
    if problem is not None:
        raise ValueError(problem)
    return import_session(team, user, title, checked)


def import_session(team: Team, user: User, title: str, files: Sequence[NewFile]) -> Session:
    """Return a new session of `team` with these files, whose paths do not clash."""
    return make(Session(team=team, title=title, created_by=user), f"user:{user.pk}", files)


def make(session: Session, author: str, files: Iterable[NewFile]) -> Session:
    """Keep a new session, which is not saved yet, with these files; they are read one by one.

    It is there for others when it is whole. Nothing of it stays when a file cannot be read.
    """
    begun = False
    try:
        for chunk, is_last in _chunks(_rows(session, author, files)):
            if not begun and not is_last:
                session.deleted_at, session.access_version = clock.now(), HALF_MADE
            with transaction.atomic():
                if not begun:
                    session.save(force_insert=True)
                _write(chunk)
                begun = True
        if session.access_version == HALF_MADE:
            session.deleted_at, session.access_version = None, HALF_MADE + 1
            session.save(update_fields=["deleted_at", "access_version"])
    except BaseException:
        if begun:
            discard(session)
        raise
    return session


def _rows(session: Session, author: str, files: Iterable[NewFile]) -> Iterator[tuple[Model, int]]:
    """Yield all rows of a new session but its own, each with about how many bytes it takes."""
    log = _Log(session, author)
    for new in files:
        yield from log.rows_of(new)
    yield log.checkpoint(), 0


def _chunks(rows: Iterator[tuple[Model, int]]) -> Iterator[tuple[list[Model], bool]]:
    """Yield rows as they are written together, and whether these are the last."""
    chunk: list[Model] = []
    held = 0
    for row, weight in rows:
        if chunk and (held + weight > CHUNK_BYTES or len(chunk) >= CHUNK_ROWS):
            yield chunk, False
            chunk, held = [], 0
        chunk.append(row)
        held += weight
    yield chunk, True


def discard(session: Session) -> None:
    """Take away all rows of a session that nobody has seen, in short writes."""
    while parts := _some(BlobPart.objects.filter(blob__file__session=session), 8):
        BlobPart.objects.filter(pk__in=parts).delete()
    while entries := _some(Entry.objects.filter(session=session), 50):
        Entry.objects.filter(pk__in=entries).delete()
    while files := _some(File.objects.filter(session=session), 50):
        File.objects.filter(pk__in=files).delete()
    Session.objects.filter(pk=session.pk).delete()


def _some(rows: QuerySet[Any], most: int) -> list[Any]:
    return list(rows.values_list("pk", flat=True)[:most])


def sweep() -> None:
    """Take away what a process that died left half-made."""
    before = clock.now() - MADE_WITHIN
    for session in Session.objects.filter(access_version=HALF_MADE, created_at__lt=before):
        discard(session)


def parts_of(blob: Blob, data: bytes) -> Iterator[tuple[BlobPart, int]]:
    """Return the rows that hold these bytes, each with its size."""
    for ordinal, at in enumerate(range(0, len(data), CHUNK_BYTES)):
        part = data[at : at + CHUNK_BYTES]
        yield BlobPart(blob=blob, ordinal=ordinal, data=part), len(part)


def row_of(session_id: str, new: NewFile) -> File:
    """Return the row of a new file, not saved."""
    row = File(session_id=session_id, path=new.path, is_executable=new.is_executable)
    if isinstance(new.content, Binary):
        row.is_binary = True
    else:
        row.ending = new.content.ending
        row.encoding = new.content.encoding
        row.has_bom = new.content.has_bom
    return row


@dataclass(slots=True)
class _Log:
    """Numbers the entries of a new session."""

    session: Session
    author: str
    seq: int = 0
    manifest: list[dict[str, object]] = field(default_factory=list)

    def rows_of(self, new: NewFile) -> Iterator[tuple[Model, int]]:
        """Return a file's rows, each with about how many bytes it takes."""
        row = row_of(self.session.pk, new)
        row.created_seq = self.seq + 1
        yield row, 0
        version = 0
        if isinstance(new.content, Binary):
            yield self._entry(row, 0, ""), 0
            blob = Blob(file=row, size_bytes=len(new.content.data))
            yield blob, 0
            yield from parts_of(blob, new.content.data)
        else:
            text = units.to_utf16(new.content.text)
            step = _ASCII_UNITS if text.isascii() else _WIDE_UNITS
            for version, at in enumerate(range(0, max(1, len(text)), step)):
                piece = text[at : at + step]
                payload = piece if at == 0 else ChangeSet.of(at, [(at, at, piece)]).to_json()
                entry = self._entry(row, version, payload)
                yield entry, len(entry.payload)
        self.manifest.append({"file": row.pk, "path": row.path, "version": version})

    def _entry(self, file: File, version: int, payload: object) -> Entry:
        self.seq += 1
        return Entry(
            session=self.session,
            seq=self.seq,
            file=file,
            version=version,
            author=self.author,
            client=SYSTEM_CLIENT,
            kind=Entry.Kind.EDIT if version else Entry.Kind.CREATE,
            payload=units.dumps_ascii(payload),
        )

    def checkpoint(self) -> Checkpoint:
        """Return the checkpoint at the session's start."""
        self.manifest.sort(key=lambda held: str(held["path"]))
        return Checkpoint(session=self.session, seq=self.seq, manifest=json.dumps(self.manifest))


_ORDER: Final[tuple[type[Model], ...]] = (File, Entry, Blob, BlobPart, Checkpoint)


def _write(rows: Sequence[Model]) -> None:
    for model in _ORDER:
        own = [row for row in rows if isinstance(row, model)]
        if own:
            model._default_manager.bulk_create(own)
