"""A catalogue for a language that Flint does not speak, for as long as a test."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_HEADER = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"


def speak_german(settings: Any, folder: Path, texts: Mapping[str, str]) -> None:
    """Let Django find these texts, and nothing else of ours, for the language `de`."""
    at = folder / "de" / "LC_MESSAGES"
    at.mkdir(parents=True)
    (at / "django.mo").write_bytes(_compiled({"": _HEADER, **texts}))
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    settings.LOCALE_PATHS = [folder]


def _compiled(texts: Mapping[str, str]) -> bytes:
    """Return the texts as gettext's binary format has them.

    https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html
    """
    pairs = sorted((msgid.encode(), text.encode()) for msgid, text in texts.items())
    columns = [[msgid for msgid, _ in pairs], [text for _, text in pairs]]
    table_at = 28
    words_at = table_at + 16 * len(pairs)
    tables, words = b"", b""
    for column in columns:
        for each in column:
            tables += struct.pack("<II", len(each), words_at + len(words))
            words += each + b"\0"
    head = (0x950412DE, 0, len(pairs), table_at, table_at + 8 * len(pairs), 0, words_at)
    return struct.pack("<7I", *head) + tables + words
