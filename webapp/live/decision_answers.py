"""What is answered to whoever takes hunks back: which are, and what of the others would stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from webapp.document.hunks import Hunk
from webapp.document.takeback import TakenBack
from webapp.live.files import OpenFile

SHOWN_UTF16: Final = 20_000
MOST_SHOWN_UTF16: Final = 100_000
"""How much text an answer shows at most, of a hunk and in all."""

Frame = dict[str, Any]


def done(id: str, reverted: Sequence[Hunk], mixed: Sequence[Frame] = ()) -> Frame:
    """Return the answer that says which hunks were taken back."""
    ordinals = sorted(hunk.ordinal for hunk in reverted)
    return {"t": "ok", "id": id, "result": {"reverted": ordinals, "mixed": list(mixed)}}


def shown(file: OpenFile, back: TakenBack) -> list[Frame]:
    """Return what is mixed in a file, as the answer shows it."""
    return [
        {
            "ordinal": mixed.key[1],
            "file": file.id,
            "path": file.path,
            "now": mixed.now,
            "then": mixed.then,
        }
        for mixed in back.mixed.values()
    ]


def within(mixed: list[Frame]) -> list[Frame]:
    """Order them, and cut what they show; each says which of its texts is cut."""
    left = MOST_SHOWN_UTF16
    for shown in sorted(mixed, key=lambda shown: shown["ordinal"]):
        for name in ("now", "then"):
            text = shown[name]
            shown[name] = text[: min(left, SHOWN_UTF16)]
            shown[f"{name}_cut"] = len(shown[name]) < len(text)
            left -= len(shown[name])
    return sorted(mixed, key=lambda shown: shown["ordinal"])
