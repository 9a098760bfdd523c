"""A project on its way out: every file's bytes as they came in, as a zip or as a patch.

Read from the log alone: what was acknowledged is in it, in whatever process the session is open,
and since nothing in a log ever changes, what it held at one `seq` can be read in peace.

Turned down: asking the session's room, which may be another process's, and knows nothing more that
anybody was told of.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, cast

from django.db.models import Max

from webapp.document.bounds import MAX_RATIO
from webapp.document.encodings import Encoded, encode
from webapp.document.patches import Side, file_patch
from webapp.document.text import LineEnding
from webapp.document.zips import FREE_RATIO_BYTES
from webapp.pairing.models import Checkpoint, Entry, File, Session
from webapp.pairing.texts import bytes_of, text_at

TRIES: Final = 10
_TREE: Final = (Entry.Kind.CREATE, Entry.Kind.RENAME, Entry.Kind.DELETE)
_UNICODE: Final = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_REGULAR: Final = 0o100644
_RUNNABLE: Final = 0o100755
_FIRST_YEAR: Final = 1980


@dataclass(frozen=True, slots=True)
class Kept:
    """A file of a project at one moment."""

    id: str
    path: str
    version: int
    encoding: str = "utf-8"
    has_bom: bool = False
    ending: LineEnding = "lf"
    is_executable: bool = False
    is_binary: bool = False

    def encoded(self) -> Encoded:
        """Return its bytes, read from the log."""
        if self.is_binary:
            return Encoded(bytes_of(self.id), self.encoding)
        return encode(text_at(self.id, self.version), self.encoding, self.has_bom, self.ending)


def as_it_is(session: Session) -> list[Kept]:
    """Return the project's files as the log has them now, in the order of their paths."""
    entries = Entry.objects.filter(session=session)
    for _ in range(TRIES):
        seq = entries.aggregate(last=Max("seq"))["last"] or 0
        rows = list(File.objects.filter(session=session, deleted_seq=None))
        done = entries.filter(seq__lte=seq, version__isnull=False)
        versions = dict(done.values_list("file_id").annotate(Max("version")))
        if not entries.filter(seq__gt=seq, kind__in=_TREE).exists():
            break
    return _sorted(kept_as(row, row.path, versions[row.pk]) for row in rows if row.pk in versions)


def as_it_was(checkpoint: Checkpoint) -> list[Kept]:
    """Return the project's files at a checkpoint, in the order of their paths."""
    manifest = json.loads(checkpoint.manifest)
    rows = File.objects.filter(session_id=checkpoint.session_id).in_bulk(
        [held["file"] for held in manifest]
    )
    return _sorted(kept_as(rows[held["file"]], held["path"], held["version"]) for held in manifest)


def kept_as(row: File, path: str, version: int) -> Kept:
    """Return a file of a project as its row has it, but for its path and version then."""
    return Kept(
        id=row.pk,
        path=path,
        version=version,
        encoding=row.encoding,
        has_bom=row.has_bom,
        ending=cast(LineEnding, row.ending),
        is_executable=row.is_executable,
        is_binary=row.is_binary,
    )


def _sorted(files: Iterable[Kept]) -> list[Kept]:
    return sorted(files, key=lambda kept: kept.path)


def recoded(files: Sequence[Kept]) -> list[str]:
    """Return the paths of files that have got characters their encoding lacks.

    They leave as UTF-8, and whoever takes them should know.
    """
    doubtful = [kept for kept in files if not kept.is_binary and kept.encoding not in _UNICODE]
    return [kept.path for kept in doubtful if kept.encoded().is_recoded]


def zip_of(files: Sequence[Kept], folder: str, at: datetime) -> Iterator[bytes]:
    """Yield a zip of the files below one folder, a file at a time; the same files, the same bytes.

    Importing takes that folder off again, so that a project comes back as it was.
    """
    sink = _Sink()
    moment = max(at.astimezone(UTC), datetime(_FIRST_YEAR, 1, 1, tzinfo=UTC))
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for kept in files:
            info = zipfile.ZipInfo(f"{folder}/{kept.path}", moment.timetuple()[:6])
            info.create_system = 3
            info.external_attr = (_RUNNABLE if kept.is_executable else _REGULAR) << 16
            data = kept.encoded().data
            info.compress_type = zipfile.ZIP_STORED if _is_hollow(data) else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
            yield sink.taken()
    yield sink.taken()


def _is_hollow(data: bytes) -> bool:
    """Say whether it would shrink so far that importing took it for a bomb."""
    if len(data) <= FREE_RATIO_BYTES:
        return False
    return len(zlib.compress(data)) * MAX_RATIO < len(data) * 2


class _Sink(io.RawIOBase):
    """What a zip is written into when it goes straight out; cannot seek."""

    def __init__(self) -> None:
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(cast(bytes, data))
        self._held += piece
        return len(piece)

    def taken(self) -> bytes:
        """Return what was written since the last call."""
        data = bytes(self._held)
        self._held.clear()
        return data


def patch_of(before: Sequence[Kept], after: Sequence[Kept]) -> Iterator[bytes]:
    """Yield the patch that makes `after` of `before`, a file at a time, in the order of paths.

    A file keeps its id when it is renamed; one that was deleted and made anew is the same path.
    """
    old_ids = {kept.id: kept for kept in before}
    new_ids = {kept.id: kept for kept in after}
    gone = {kept.path: kept for kept in before if kept.id not in new_ids}
    pairs: list[tuple[Kept | None, Kept | None]] = []
    for kept in after:
        old = old_ids.get(kept.id) or gone.pop(kept.path, None)
        pairs.append((old, kept))
    pairs += [(kept, None) for kept in gone.values()]
    for old, new in sorted(pairs, key=_first_path):
        if old is None or new is None or not _is_same(old, new):
            yield file_patch(_side(old), _side(new))


def _first_path(pair: tuple[Kept | None, Kept | None]) -> str:
    old, new = pair
    kept = new or old
    return kept.path if kept else ""


def _is_same(old: Kept, new: Kept) -> bool:
    return (old.id, old.path, old.version) == (new.id, new.path, new.version)


def _side(kept: Kept | None) -> Side | None:
    return Side(kept.path, kept.encoded().data, kept.is_executable) if kept else None
