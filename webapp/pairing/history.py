"""A session's past, from the log alone: which files stood at any moment, and what they held.

A moment is a `seq`: the project right after that entry. Whatever is said of one never changes,
since the log only grows. Everything here blocks; call it in a reader.

Which files there were is told by the checkpoint before the moment and the entries since; without a
checkpoint, by all entries up to it. What was found out is remembered, as a scrub asks for one
moment after another. A file's line ends, encoding and rights are not in the log: they are as its
row has them now.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from django.db.models import Max

from webapp.document.text import dumps_ascii, loads_utf16
from webapp.pairing.export import Kept, kept_as
from webapp.pairing.models import Checkpoint, Entry, File

Kind = Entry.Kind
TREE: Final = (Kind.CREATE, Kind.RENAME, Kind.DELETE)
PAGE_ENTRIES: Final = 500
PAGE_CHARS: Final = 256 * 1024
MOST_KNOWN: Final = 64


@dataclass(frozen=True, slots=True)
class Stood:
    """A file at a moment."""

    path: str
    version: int


class _Known:
    """The files at the last moments that somebody asked for; nothing in it ever changes."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._held: OrderedDict[tuple[str, int], Mapping[str, Stood]] = OrderedDict()

    def before(self, session_id: str, seq: int) -> tuple[int, Mapping[str, Stood]]:
        """Return the newest known moment up to `seq`, and its files; 0 and none without one."""
        with self._lock:
            moments = [at for session, at in self._held if session == session_id and at <= seq]
            newest = max(moments, default=0)
            return newest, self._held.get((session_id, newest), {})

    def keep(self, session_id: str, seq: int, stood: Mapping[str, Stood]) -> None:
        """Remember the files of a moment, and forget the oldest ones."""
        with self._lock:
            self._held[session_id, seq] = stood
            self._held.move_to_end((session_id, seq))
            while len(self._held) > MOST_KNOWN:
                self._held.popitem(last=False)


_known: Final = _Known()


def last_seq(session_id: str) -> int:
    """Return the newest durable moment."""
    last = Entry.objects.filter(session_id=session_id).order_by("-seq")
    return last.values_list("seq", flat=True).first() or 0


def tree_at(session_id: str, seq: int) -> dict[str, Stood]:
    """Return the files that stood after the entry `seq`, which must be durable, by their ids."""
    since, stood = _known.before(session_id, seq)
    checkpoint = Checkpoint.objects.filter(session_id=session_id, seq__gt=since, seq__lte=seq)
    newest = checkpoint.order_by("-seq").values_list("seq", "manifest").first()
    if newest is not None:
        since = newest[0]
        stood = {
            held["file"]: Stood(held["path"], held["version"]) for held in loads_utf16(newest[1])
        }
    if since < seq:
        stood = _followed(session_id, stood, since, seq)
    _known.keep(session_id, seq, stood)
    return dict(stood)


def _followed(
    session_id: str, before: Mapping[str, Stood], since: int, seq: int
) -> dict[str, Stood]:
    """Return the files after `seq`, from those after `since`."""
    stood = {file: (held.path, held.version) for file, held in before.items()}
    entries = Entry.objects.filter(session_id=session_id, seq__gt=since, seq__lte=seq)
    changes = list(
        entries.filter(kind__in=TREE).order_by("seq").values_list("file_id", "kind", "payload")
    )
    made = [file for file, kind, _ in changes if kind == Kind.CREATE]
    first = first_paths(made)
    for file, kind, payload in changes:
        if kind == Kind.CREATE:
            stood[file] = first[file], 0
        elif kind == Kind.RENAME:
            stood[file] = loads_utf16(payload), stood[file][1]
        else:
            stood.pop(file, None)
    versions = entries.filter(version__isnull=False).values_list("file_id")
    for file, version in versions.annotate(last=Max("version")):
        if file in stood:
            stood[file] = stood[file][0], version
    return {file: Stood(path, version) for file, (path, version) in stood.items()}


def manifest_text(manifest: Sequence[Mapping[str, object]]) -> str:
    """Return a checkpoint's manifest as its row has it."""
    return dumps_ascii(list(manifest))


def first_paths(files: Iterable[str]) -> dict[str, str]:
    """Return the path that each of these files was created with.

    Its row says so when it was renamed since; see filing.rename.
    """
    rows = File.objects.filter(pk__in=list(files)).values_list("pk", "first_path", "path")
    return {file: first or path for file, first, path in rows}


def project_at(session_id: str, seq: int) -> list[Kept]:
    """Return the files that stood after the entry `seq`, in the order of their paths."""
    stood = tree_at(session_id, seq)
    rows = File.objects.filter(session_id=session_id).in_bulk(list(stood))
    files = [kept_as(rows[file], held.path, held.version) for file, held in stood.items()]
    return sorted(files, key=lambda kept: kept.path)


def version_at(session_id: str, file: str, seq: int) -> int | None:
    """Return the version of a file that stood at the moment, else None."""
    stood = tree_at(session_id, seq).get(file)
    return stood.version if stood else None


@dataclass(frozen=True, slots=True)
class Page:
    """Some entries, oldest first, and up to which moment that is all of them."""

    entries: list[Entry]
    upto: int


def entries_between(session_id: str, after: int, upto: int, file: str | None = None) -> Page:
    """Return the first of the entries behind `after`, as many as one answer takes."""
    entries = Entry.objects.filter(session_id=session_id, seq__gt=after, seq__lte=upto)
    if file is not None:
        entries = entries.filter(file_id=file)
    found: list[Entry] = []
    size = 0
    for entry in entries.order_by("seq")[: PAGE_ENTRIES + 1].iterator():
        if len(found) == PAGE_ENTRIES or (found and size + len(entry.payload) > PAGE_CHARS):
            return Page(found, found[-1].seq)
        found.append(entry)
        size += len(entry.payload)
    return Page(found, upto)


def is_restore(client: str) -> bool:
    """Say whether entries of this client are part of a restore."""
    return client.startswith(RESTORE_CLIENT)


RESTORE_CLIENT: Final = "restore:"
"""With the id of the request behind it, the `client` of all entries of one restore."""


def restored_by(session_id: str, request: str) -> bool:
    """Say whether a restore was made for this request."""
    entries = Entry.objects.filter(session_id=session_id, client=RESTORE_CLIENT + request)
    return entries.exists()
