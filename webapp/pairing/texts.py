"""What a file held at one of its versions, from the log: replayed from the newest snapshot."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.document.changes import ChangeSet
from webapp.document.text import loads_utf16
from webapp.pairing.models import BlobPart, Entry, Snapshot


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
    for entry in edits(file, base, version):
        text = change_of(entry).apply(text)
    return str(text)


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
