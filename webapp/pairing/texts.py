"""What a file held at one of its versions, from the log: replayed from the snapshot before it.

The last two snapshots of a file are there so that it opens quickly. Of the older ones, the first of
every KEYFRAME_EVERY versions stays for good, so that no version is far behind one. A log that has
none there (it is older than that rule, or the process ended before it saved) gets them when
somebody first looks: `text_at` keeps what it passes.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Final

from django.db import Error

from webapp.document.changes import ChangeSet
from webapp.document.text import dumps_ascii, loads_utf16
from webapp.pairing.models import BlobPart, Entry, Snapshot

log = logging.getLogger(__name__)

KEYFRAME_EVERY: Final = 2_000
MOST_PASSED_UNITS: Final = 16 * 1024 * 1024
"""How much text `text_at` holds of what it passes."""


class LoadError(Exception):
    """The log of a session has a hole; its text says where."""


def text_at(file: str, version: int) -> str:
    """Return a file's text at one of its versions; raises LoadError when the log lacks it."""
    snapshot = (
        Snapshot.objects.filter(file_id=file, version__lte=version).order_by("-version").first()
    )
    if snapshot is not None:
        text, base = loads_utf16(snapshot.text), snapshot.version
    else:
        created = Entry.objects.filter(file_id=file, kind=Entry.Kind.CREATE).first()
        if created is None:
            raise LoadError(f"{file}: there is no text")
        text, base = loads_utf16(created.payload), created.version or 0
    payloads = (
        Entry.objects.filter(file_id=file, version__gt=base, version__lte=version)
        .exclude(kind=Entry.Kind.CREATE)
        .order_by("version")
        .values_list("version", "payload")
    )
    passed: list[tuple[int, str]] = []
    room = MOST_PASSED_UNITS
    for at, payload in payloads.iterator(chunk_size=KEYFRAME_EVERY):
        text = ChangeSet.from_json(loads_utf16(payload), keep_cr=True).apply(text)
        if at and at % KEYFRAME_EVERY == 0 and at - base >= KEYFRAME_EVERY and len(text) < room:
            passed.append((at, text))
            room -= len(text)
    _keep_keyframes(file, passed)
    return str(text)


def keep_snapshot(file: str, version: int, text: str) -> None:
    """Keep a file's whole text, in the transaction of the caller.

    Of those from before the last two, the first of every KEYFRAME_EVERY versions stays.
    """
    _insert_snapshot(file, version, text)
    held = list(
        Snapshot.objects.filter(file_id=file).order_by("version").values_list("version", flat=True)
    )
    stays = {at // KEYFRAME_EVERY: at for at in reversed(held)}
    gone = [at for at in held[:-2] if stays[at // KEYFRAME_EVERY] != at]
    Snapshot.objects.filter(file_id=file, version__in=gone).delete()


def _keep_keyframes(file: str, passed: list[tuple[int, str]]) -> None:
    """Keep what was passed on the way to a later version, in short writes."""
    try:
        for version, text in passed:
            _insert_snapshot(file, version, text)
    except Error:
        log.warning("Keyframes of %s were not kept; they are made again when needed.", file)


def _insert_snapshot(file: str, version: int, text: str) -> None:
    row = Snapshot(file_id=file, version=version, text=dumps_ascii(text))
    Snapshot.objects.bulk_create([row], ignore_conflicts=True)


def edits(file: str, after: int, upto: int | None = None) -> Iterator[Entry]:
    """Return a file's entries after a version, oldest first, but for its creation."""
    entries = Entry.objects.filter(file_id=file, version__gt=after)
    if upto is not None:
        entries = entries.filter(version__lte=upto)
    return entries.exclude(kind=Entry.Kind.CREATE).order_by("version").iterator()


def change_of(entry: Entry) -> ChangeSet:
    """Return the change that an edit's payload holds."""
    return ChangeSet.from_json(loads_utf16(entry.payload), keep_cr=True)


def bytes_of(file: str) -> bytes:
    """Return a binary file's bytes."""
    parts = BlobPart.objects.filter(blob_id=file).order_by("ordinal").values_list("data", flat=True)
    return b"".join(bytes(part) for part in parts)
