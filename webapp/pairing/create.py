"""Makes a session with its first files, in one short transaction.

Each file gets a row and a `create` entry at version 0 whose payload is its whole text; the log's
sequence counts from 1, in the order the files are given.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from webapp.document import text as units
from webapp.document.tree import check_path, clash
from webapp.pairing.models import Entry, File, Session
from webapp.teams.models import Team, User

_SYSTEM_CLIENT = "system"


def create_session(team: Team, user: User, title: str, files: Mapping[str, str]) -> Session:
    """Return a new session of `team` with these files; raises ValueError for an impossible tree."""
    session = Session(team=team, title=title, created_by=user)
    rows: list[File] = []
    entries: list[Entry] = []
    for seq, (path, text) in enumerate(files.items(), start=1):
        body, ending = units.normalise(text)
        row = File(session=session, path=_free_path(path, rows), ending=ending, created_seq=seq)
        rows.append(row)
        entries.append(
            Entry(
                session=session,
                seq=seq,
                file=row,
                version=0,
                author=f"user:{user.pk}",
                client=_SYSTEM_CLIENT,
                kind=Entry.Kind.CREATE,
                payload=units.dumps_ascii(units.to_utf16(body)),
            )
        )
    with transaction.atomic():
        session.save(force_insert=True)
        File.objects.bulk_create(rows)
        Entry.objects.bulk_create(entries)
    return session


def _free_path(path: str, taken: list[File]) -> str:
    checked = check_path(path)
    problem = clash(checked, [row.path for row in taken])
    if problem is not None:
        raise ValueError(problem)
    return checked
