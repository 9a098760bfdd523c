"""From a file's bytes to the text that the log keeps, and back to the very same bytes.

`recognise` takes bytes for text only when encoding the text again gives those bytes; everything
else is Binary and is kept as it is. Unicode with a byte order mark says itself what it is; bytes
that are valid UTF-8 are UTF-8; UTF-16 and UTF-32 without a mark are taken only when nothing else
explains their NULs. For the rest a library guesses among the encodings that files really have.

Turned down: taking any single-byte encoding for what nothing else fits (latin-1 decodes every
picture), and rewriting files as UTF-8 when they come in (a project must leave as it came).
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

from charset_normalizer import from_bytes

from webapp.document.text import LineEnding, from_utf16, normalise, restore

UTF_8: Final = "utf-8"
_MARKS: Final = (
    # UTF-32's mark begins with that of UTF-16.
    ("utf-32-le", codecs.BOM_UTF32_LE),
    ("utf-32-be", codecs.BOM_UTF32_BE),
    ("utf-8", codecs.BOM_UTF8),
    ("utf-16-le", codecs.BOM_UTF16_LE),
    ("utf-16-be", codecs.BOM_UTF16_BE),
)
_BOMS: Final = dict(_MARKS)
_WIDE: Final = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
_LEGACY: Final = (
    # The likelier first: where the text fits several equally well, this order decides.
    "cp1252",
    "gb18030",
    "big5",
    "cp932",
    "euc_jp",
    "cp949",
    "cp1251",
    "koi8_r",
    "cp1250",
    "cp1253",
    "cp1255",
    "cp1256",
)
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_WIDE_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffe\uffff]")
_LONE: Final = re.compile("[\ud800-\udfff]")
_SAMPLE_BYTES: Final = 64 * 1024
_MIN_WIDE_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Recognised:
    """A text as the log keeps it (ordinary str; see `text.normalise`), and how its file has it."""

    text: str
    encoding: str = UTF_8
    has_bom: bool = False
    ending: LineEnding = "lf"


@dataclass(frozen=True, slots=True)
class Binary:
    """Bytes that are no text."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Encoded:
    """A file's bytes, and the encoding that could hold its text."""

    data: bytes
    encoding: str
    is_recoded: bool = False


def of_text(text: str) -> Recognised:
    """Return an ordinary str as a UTF-8 file without a mark."""
    body, ending = normalise(text)
    return Recognised(body, ending=ending)


def recognise(data: bytes) -> Recognised | Binary:
    """Return the text in `data`, or Binary. `encode` gives the same bytes for it again."""
    for encoding, mark in _MARKS:
        if data.startswith(mark):
            return _as(data, encoding, mark) or Binary(data)
    found = _as(data, UTF_8)
    if found is not None:
        return found
    if b"\0" in data:
        return _wide(data) or Binary(data)
    if _CONTROLS.search(data):
        return Binary(data)
    return _legacy(data) or Binary(data)


def encode(text: str, encoding: str, has_bom: bool, ending: LineEnding) -> Encoded:
    """Return the bytes of a text of the log (ordinary or utf16).

    A text that has got characters which its encoding lacks comes out as UTF-8. Half a surrogate
    pair is no character in any encoding and comes out as U+FFFD.
    """
    whole = _LONE.sub("\ufffd", from_utf16(restore(text, ending)))
    mark = _BOMS.get(encoding, b"") if has_bom else b""
    try:
        return Encoded(mark + whole.encode(encoding), encoding)
    except (UnicodeEncodeError, LookupError):
        return Encoded(whole.encode(UTF_8), UTF_8, is_recoded=True)


def _as(data: bytes, encoding: str, mark: bytes = b"") -> Recognised | None:
    """Return `data` as this encoding reads it, when it can be written again as it is."""
    try:
        whole = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError:
        return None
    if "\0" in whole:
        return None
    text, ending = normalise(whole)
    if encode(text, encoding, bool(mark), ending) != Encoded(data, encoding):
        return None
    return Recognised(text, encoding, bool(mark), ending)


def _wide(data: bytes) -> Recognised | None:
    """Return UTF-16 or UTF-32 without a mark, if there is no doubt.

    In UTF-32 three of four values are no characters at all, so that what decodes is text. UTF-16
    takes nearly everything: most units must be ASCII, and none a control.
    """
    if len(data) < _MIN_WIDE_BYTES:
        return None
    for encoding in _WIDE:
        found = _as(data, encoding)
        if found is None or _WIDE_CONTROLS.search(found.text):
            continue
        ascii_count = sum(char < "\x80" for char in found.text[:10_000])
        if encoding.startswith("utf-32") or ascii_count * 2 > min(len(found.text), 10_000):
            return found
    return None


def _legacy(data: bytes) -> Recognised | None:
    matches = from_bytes(_sample(data), cp_isolation=list(_LEGACY), enable_fallback=False)
    fits: list[tuple[float, float, int]] = []
    for match in matches:
        # Encodings in which the sample reads the same stand as one match.
        for name in match.could_be_from_charset:
            if name in _LEGACY:
                fits.append((match.chaos, -match.coherence, _LEGACY.index(name)))
    for _, _, rank in sorted(fits):
        found = _as(data, _LEGACY[rank])
        if found is not None:
            return found
    return None


def _sample(data: bytes) -> bytes:
    """Return the lines that tell encodings apart, up to a size; no line is cut."""
    if len(data) <= _SAMPLE_BYTES:
        return data
    lines: list[bytes] = []
    size = 0
    for line in data.split(b"\n"):
        if size >= _SAMPLE_BYTES:
            break
        if not line.isascii():
            lines.append(line)
            size += len(line)
    return b"\n".join(lines)
