"""Bytes of binary files on their way into a session that people are in.

Only the session's room adds a file, by an entry of the log; megabytes do not pass through there. So
the row and the parts are written first, in short writes, and the row counts as deleted until the
room says otherwise. The row's `created_seq` is minus the time meanwhile, for `sweep`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from webapp.document.encodings import Binary
from webapp.lib import clock
from webapp.pairing.create import MADE_WITHIN, parts_of, row_of
from webapp.pairing.models import Blob, BlobPart, File
from webapp.pairing.uploads import NewFile

NEVER: Final = 0
"""The `deleted_seq` of a row that no entry has made yet; the log counts from 1."""


def stage(session_id: str, new: NewFile) -> str:
    """Write a binary file's row and bytes, and return the row's id; nobody sees it yet."""
    if not isinstance(new.content, Binary):
        raise TypeError("A text goes through the log.")
    row = row_of(session_id, new)
    row.deleted_seq, row.created_seq = NEVER, -_seconds(clock.now())
    blob = Blob(file=row, size_bytes=len(new.content.data))
    with transaction.atomic():
        row.save(force_insert=True)
        blob.save(force_insert=True)
    for part, _ in parts_of(blob, new.content.data):
        part.save(force_insert=True)
    return row.pk


def unstage(files: list[str]) -> None:
    """Take away what was staged and did not come in."""
    rows = File.objects.filter(pk__in=files, deleted_seq=NEVER)
    for part in BlobPart.objects.filter(blob__file__in=rows).values_list("pk", flat=True):
        BlobPart.objects.filter(pk=part).delete()
    rows.delete()


def sweep() -> None:
    """Take away what a process that died left staged."""
    before = -_seconds(clock.now() - MADE_WITHIN)
    left = File.objects.filter(deleted_seq=NEVER, created_seq__gt=before, created_seq__lt=0)
    unstage(list(left.values_list("pk", flat=True)))


def _seconds(at: datetime) -> int:
    return int(at.timestamp())
