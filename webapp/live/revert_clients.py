"""Which hunks a revert entry was about, as the log has it: the entry's client says so. Pure.

An entry's `hunk` holds one ordinal, and a revert is often about several; no page made the entry, so
its client is free to tell them: "revert:1-3,7". What does not fit is left out (then whoever reads
the log finds out by what the change did, see document/provenance.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from webapp.live.files import SERVER

_PREFIX: Final = "revert:"
_LONGEST: Final = 40
"""How long the name of a client may be."""


def revert_client(ordinals: Iterable[int]) -> str:
    """Return the client of an entry that takes hunks with these ordinals back."""
    ranges: list[tuple[int, int]] = []
    for ordinal in sorted(set(ordinals)):
        if ranges and ranges[-1][1] == ordinal - 1:
            ranges[-1] = ranges[-1][0], ordinal
        else:
            ranges.append((ordinal, ordinal))
    parts = [f"{first}-{last}" if last > first else f"{first}" for first, last in ranges]
    client = _PREFIX + ",".join(parts)
    return client if len(client) <= _LONGEST else SERVER


def reverted_ordinals(client: str) -> set[int] | None:
    """Return what `revert_client` was given; None when the client does not tell."""
    if not client.startswith(_PREFIX):
        return None
    ordinals: set[int] = set()
    for part in client.removeprefix(_PREFIX).split(","):
        first, _, last = part.partition("-")
        ordinals.update(range(int(first), int(last or first) + 1))
    return ordinals
