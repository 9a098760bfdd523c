"""Reads zip archives from strangers: the directory first, then one member at a time.

Everything an archive says of itself is a claim, and is compared with what it holds: sizes with the
bytes that come out, the directory with each member's own header, offsets with each other. What
contradicts itself is refused, since two readers would see two different projects in it. Memory is
bounded by the caller's limits, never by what the archive says.

After APPNOTE.TXT 6.3.10 of PKWARE; members are stored or deflated, as in every zip of source text.

Turned down: `zipfile`, which reads a directory of any size, takes a name up to its first NUL, and
unpacks bzip2 and LZMA without a bound.
"""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from webapp.document.bounds import MAX_RATIO
from webapp.document.tree import shown
from webapp.lib.sentences import Pattern, Sentence, gettext_noop

MAX_ENTRIES: Final = 10_000
"""Folders and leftovers of other systems included; files are counted by whoever takes them."""
MAX_DIRECTORY_BYTES: Final = 4 * 1024 * 1024
FREE_RATIO_BYTES: Final = 128 * 1024
"""A member that unpacks to no more than this may have any ratio: a small file of one letter."""
_CHUNK: Final = 64 * 1024

_END: Final = struct.Struct("<4s4H2LH")
_END64: Final = struct.Struct("<4sQ2H2L4Q")
_LOCATOR64: Final = struct.Struct("<4sLQL")
_ENTRY: Final = struct.Struct("<4s6H3L5H2L")
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
_HAS_DESCRIPTOR: Final = 0x8
_IS_UTF8: Final = 0x800
_STORED: Final = 0
_DEFLATED: Final = 8
_FULL16: Final = 0xFFFF
_FULL32: Final = 0xFFFFFFFF


class ArchiveError(ValueError):
    """An archive that cannot be taken; its text is a sentence that names the member, if one."""

    def __init__(self, problem: Sentence | Pattern, name: str = "") -> None:
        filled = problem if isinstance(problem, Sentence) else problem % {"path": shown(name)}
        self.sentence: Sentence = filled
        super().__init__(filled)


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive, as the directory has it. `name` is not checked as a path."""

    name: str
    raw_name: bytes
    flags: int
    method: int
    crc: int
    packed_bytes: int
    size_bytes: int
    offset: int
    mode: int

    @property
    def is_folder(self) -> bool:
        """Say whether it is a folder and no file."""
        return self.name.endswith("/") or stat.S_ISDIR(self.mode)

    @property
    def is_executable(self) -> bool:
        """Say whether its owner may run it."""
        return bool(self.mode & stat.S_IXUSR)


class Archive:
    """A zip in a seekable file. Raises ArchiveError."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size_bytes = file.seek(0, 2)
        count, directory_bytes, self._directory_at = self._end()
        if count > MAX_ENTRIES or directory_bytes > MAX_DIRECTORY_BYTES:
            raise ArchiveError(
                Sentence(
                    gettext_noop(
                        "The archive has too many entries; a project has at most 2,000 files."
                    )
                )
            )
        self.members = list(self._entries(count, self._at(self._directory_at, directory_bytes)))
        self._starts = self._check_places()

    def read(self, member: Member, most_bytes: int) -> bytes:
        """Return what the member holds; it must be what the directory says, and no more.

        `most_bytes` is what is left of the project's size.
        """
        name = member.name
        if member.size_bytes > most_bytes:
            raise ArchiveError(
                Pattern(gettext_noop("With %(path)s the archive unpacks to more than 20 MB.")), name
            )
        if member.size_bytes > max(FREE_RATIO_BYTES, MAX_RATIO * member.packed_bytes):
            raise ArchiveError(
                Pattern(
                    gettext_noop("%(path)s unpacks to more than a hundred times its packed size.")
                ),
                name,
            )
        packed = self._packed(member)
        pieces = _inflated(packed, name) if member.method == _DEFLATED else packed
        data = bytearray()
        for piece in pieces:
            data += piece
            if len(data) > member.size_bytes:
                raise ArchiveError(
                    Pattern(gettext_noop("%(path)s is larger than the archive says.")), name
                )
        if len(data) != member.size_bytes:
            raise ArchiveError(
                Pattern(gettext_noop("%(path)s is smaller than the archive says.")), name
            )
        if zlib.crc32(data) != member.crc:
            raise ArchiveError(
                Pattern(gettext_noop("%(path)s is damaged: its checksum is another.")), name
            )
        return bytes(data)

    def _packed(self, member: Member) -> Iterator[bytes]:
        self._file.seek(self._starts[member.offset])
        left = member.packed_bytes
        while left:
            piece = self._file.read(min(_CHUNK, left))
            if not piece:
                raise ArchiveError(_CUT)
            left -= len(piece)
            yield piece

    def _at(self, offset: int, size_bytes: int) -> bytes:
        self._file.seek(offset)
        data = self._file.read(size_bytes)
        if len(data) != size_bytes:
            raise ArchiveError(_CUT)
        return data

    # The directory.

    def _end(self) -> tuple[int, int, int]:
        """Return how many entries there are, and the directory's size and place."""
        if self._size_bytes < _END.size:
            raise ArchiveError(_NO_ZIP)
        tail_at = max(0, self._size_bytes - _END.size - _FULL16)
        tail = self._at(tail_at, self._size_bytes - tail_at)
        at = tail.rfind(b"PK\5\6")
        while at >= 0:
            if len(tail) - at >= _END.size:
                _, disk, start_disk, here, count, size, offset, comment = _END.unpack_from(tail, at)
                if at + _END.size + comment == len(tail):
                    break
            at = tail.rfind(b"PK\5\6", 0, at)
        else:
            raise ArchiveError(_CUT if self._at(0, 4) == b"PK\3\4" else _NO_ZIP)
        end_at = tail_at + at
        if _FULL16 in (disk, start_disk, here, count) or _FULL32 in (size, offset):
            disk, start_disk, here, count, size, offset, end_at = self._end64(end_at)
        if disk or start_disk or here != count:
            raise ArchiveError(
                Sentence(
                    gettext_noop("The archive is one part of several; only whole ones can be read.")
                )
            )
        if offset + size != end_at:
            raise ArchiveError(_CONTRADICTS)
        return count, size, offset

    def _end64(self, end_at: int) -> tuple[int, int, int, int, int, int, int]:
        if end_at < _LOCATOR64.size:
            raise ArchiveError(_CUT)
        signature, _, at, _ = _LOCATOR64.unpack(self._at(end_at - _LOCATOR64.size, _LOCATOR64.size))
        if signature != b"PK\6\7" or at + _END64.size > end_at:
            raise ArchiveError(_CUT)
        fields = _END64.unpack(self._at(at, _END64.size))
        signature, _, _, _, disk, start_disk, here, count, size, offset = fields
        if signature != b"PK\6\6":
            raise ArchiveError(_CUT)
        return disk, start_disk, here, count, size, offset, at

    def _entries(self, count: int, directory: bytes) -> Iterator[Member]:
        at = 0
        for _ in range(count):
            if len(directory) - at < _ENTRY.size:
                raise ArchiveError(_CUT)
            fields = _ENTRY.unpack_from(directory, at)
            if fields[0] != b"PK\1\2":
                raise ArchiveError(_CONTRADICTS)
            name_bytes, extra_bytes, comment_bytes = fields[10:13]
            at += _ENTRY.size
            raw = directory[at : at + name_bytes]
            extra = directory[at + name_bytes : at + name_bytes + extra_bytes]
            at += name_bytes + extra_bytes + comment_bytes
            if at > len(directory):
                raise ArchiveError(_CUT)
            yield _member(fields, raw, extra)
        if at != len(directory):
            raise ArchiveError(_CONTRADICTS)

    def _check_places(self) -> dict[int, int]:
        """Return where each member's data starts, by the place of its header.

        No two may share a byte: that is how a small archive unpacks to petabytes.
        """
        starts: dict[int, int] = {}
        free_from = 0
        for member in sorted(self.members, key=lambda member: member.offset):
            if member.offset < free_from:
                raise ArchiveError(
                    Pattern(gettext_noop("%(path)s overlaps with another file of the archive.")),
                    member.name,
                )
            if member.offset + _LOCAL.size > self._directory_at:
                raise ArchiveError(_CUT)
            start = starts[member.offset] = self._data_start(member)
            free_from = start + member.packed_bytes
            if free_from > self._directory_at:
                raise ArchiveError(_CUT)
        return starts

    def _data_start(self, member: Member) -> int:
        fields = _LOCAL.unpack(self._at(member.offset, _LOCAL.size))
        signature, _, flags, method, _, _, _, packed, size = fields[:9]
        name_bytes, extra_bytes = int(fields[9]), int(fields[10])
        at = member.offset + _LOCAL.size
        raw = self._at(at, name_bytes)
        told = not flags & _HAS_DESCRIPTOR and _FULL32 not in (packed, size)
        same = signature == b"PK\3\4" and method == member.method and raw == member.raw_name
        if not same or (told and (packed, size) != (member.packed_bytes, member.size_bytes)):
            raise ArchiveError(
                Pattern(gettext_noop("What the archive says of %(path)s contradicts itself.")),
                member.name,
            )
        return at + name_bytes + extra_bytes


_NO_ZIP: Final = Sentence(gettext_noop("This is no zip archive."))
_CUT: Final = Sentence(gettext_noop("The archive is damaged or was cut off."))
_CONTRADICTS: Final = Sentence(
    gettext_noop("The archive contradicts itself, or has other data around it.")
)


def _member(fields: tuple[int, ...], raw: bytes, extra: bytes) -> Member:
    flags, method, crc, packed, size = fields[3], fields[4], *fields[7:10]
    disk, attributes, offset = fields[13], fields[15], fields[16]
    extras = dict(_extras(extra))
    name = _name(raw, flags, extras.get(0x7075, b""))
    wide = extras.get(1, b"")
    values = []
    for value in (size, packed, offset):
        if value == _FULL32 and len(wide) >= 8:
            value, wide = int.from_bytes(wide[:8], "little"), wide[8:]
        values.append(value)
    size, packed, offset = values
    mode = attributes >> 16
    if flags & _ENCRYPTED:
        raise ArchiveError(Pattern(gettext_noop("%(path)s is encrypted.")), name)
    if stat.S_ISLNK(mode):
        raise ArchiveError(Pattern(gettext_noop("%(path)s is a link to another file.")), name)
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ArchiveError(Pattern(gettext_noop("%(path)s is a device and no file.")), name)
    if method not in (_STORED, _DEFLATED):
        raise ArchiveError(
            Pattern(gettext_noop("%(path)s is packed in a way that Flint does not know.")), name
        )
    if disk not in (0, _FULL16) or (method == _STORED and packed != size):
        raise ArchiveError(
            Pattern(gettext_noop("What the archive says of %(path)s contradicts itself.")), name
        )
    return Member(name, raw, flags, method, crc, packed, size, offset, mode)


def _extras(extra: bytes) -> Iterator[tuple[int, bytes]]:
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<2H", extra)
        yield kind, extra[4 : 4 + size]
        extra = extra[4 + size :]


def _name(raw: bytes, flags: int, unicode_path: bytes) -> str:
    """Return the member's name. Without the flag many tools write UTF-8 nevertheless."""
    if unicode_path[:1] == b"\1" and int.from_bytes(unicode_path[1:5], "little") == zlib.crc32(raw):
        raw, flags = unicode_path[5:], _IS_UTF8
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        if not flags & _IS_UTF8:
            return raw.decode("cp437")
    raise ArchiveError(
        Pattern(gettext_noop("The name %(path)s cannot be read.")), raw.decode("utf-8", "replace")
    )


def _inflated(packed: Iterator[bytes], name: str) -> Iterator[bytes]:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for piece in packed:
            if inflater.eof:
                raise ArchiveError(Pattern(gettext_noop("%(path)s is damaged.")), name)
            while piece:
                yield inflater.decompress(piece, _CHUNK)
                piece = inflater.unconsumed_tail
        while not inflater.eof:
            rest = inflater.decompress(inflater.unconsumed_tail, _CHUNK)
            if not rest:
                break
            yield rest
    except zlib.error:
        raise ArchiveError(Pattern(gettext_noop("%(path)s is damaged.")), name) from None
    if not inflater.eof or inflater.unused_data:
        raise ArchiveError(Pattern(gettext_noop("%(path)s is damaged.")), name)
