"""Archives by hand, so that they may lie: every field can be set, whatever the bytes are."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Part:
    """One member. What is None is told as it is; `local_*` make the member's own header differ."""

    name: bytes | str = b"a.txt"
    data: bytes = b"hello\n"
    method: int = 8
    flags: int = 0
    mode: int = 0o100644
    crc: int | None = None
    size: int | None = None
    packed_size: int | None = None
    packed: bytes | None = None
    extra: bytes = b""
    comment: bytes = b""
    offset: int | None = None
    local_name: bytes | None = None
    local_size: int | None = None
    descriptor: bool = False
    zip64: bool = False
    at: int = field(default=0, init=False)

    def bytes_of(self) -> bytes:
        """Return the packed data."""
        if self.packed is not None:
            return self.packed
        if self.method != 8:
            return self.data
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        return packer.compress(self.data) + packer.flush()

    @property
    def raw_name(self) -> bytes:
        return self.name.encode() if isinstance(self.name, str) else self.name

    def told(self) -> dict[str, Any]:
        """Return what the directory says."""
        packed = self.bytes_of()
        return {
            "crc": zlib.crc32(self.data) if self.crc is None else self.crc,
            "size": len(self.data) if self.size is None else self.size,
            "packed": len(packed) if self.packed_size is None else self.packed_size,
        }


def archive(
    *parts: Part,
    comment: bytes = b"",
    before: bytes = b"",
    after: bytes = b"",
    count: int | None = None,
    zip64: bool = False,
    directory_size: int | None = None,
) -> bytes:
    """Return a zip of these members."""
    out = bytearray(before)
    for part in parts:
        part.at = len(out)
        told = part.told()
        flags = part.flags | (8 if part.descriptor else 0)
        name = part.raw_name if part.local_name is None else part.local_name
        size = told["size"] if part.local_size is None else part.local_size
        sizes = (0, 0, 0) if part.descriptor else (told["crc"], told["packed"], size)
        out += struct.pack(
            "<4s5H3L2H", b"PK\3\4", 20, flags, part.method, 0, 33, *sizes, len(name), 0
        )
        out += name + part.bytes_of()
        if part.descriptor:
            out += struct.pack("<4s3L", b"PK\7\x08", told["crc"], told["packed"], told["size"])
    start = len(out)
    for part in parts:
        out += _entry(part)
    size = len(out) - start if directory_size is None else directory_size
    total = len(parts) if count is None else count
    if zip64:
        end64 = len(out)
        out += struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, total, total, size, start)
        out += struct.pack("<4sLQL", b"PK\6\7", 0, end64, 1)
        total, size, start = 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF
    out += struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, total, total, size, start, len(comment))
    return bytes(out) + comment + after


def _entry(part: Part) -> bytes:
    told = part.told()
    flags = part.flags | (8 if part.descriptor else 0)
    offset = part.at if part.offset is None else part.offset
    extra = part.extra
    size, packed = told["size"], told["packed"]
    if part.zip64:
        extra += struct.pack("<2H3Q", 1, 24, size, packed, offset)
        size = packed = offset = 0xFFFFFFFF
    head = struct.pack(
        "<4s6H3L5H2L",
        *(b"PK\1\2", 0x031E, 20, flags, part.method, 0, 33, told["crc"], packed, size),
        *(len(part.raw_name), len(extra), len(part.comment), 0, 0, part.mode << 16, offset),
    )
    return head + part.raw_name + extra + part.comment
