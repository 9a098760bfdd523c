"""The memory of a process and all that came of it, as Linux tells in /proc."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_PROC = Path("/proc")


def descendants(pid: int) -> list[int]:
    """Return the process and everything below it. Inside a pid namespace this is complete: what
    loses its parent becomes a child of the namespace's first process."""
    children: dict[int, list[int]] = {}
    for each, parent in _all_processes():
        children.setdefault(parent, []).append(each)
    found, left = [], [pid]
    while left:
        found.append(left.pop())
        left += children.get(found[-1], ())
    return found


def resident_bytes(pid: int) -> int:
    """Return the memory that the process and everything below it hold, shared pages each time."""
    pages = 0
    for each in descendants(pid):
        try:
            pages += int((_PROC / str(each) / "statm").read_text().split()[1])
        except (OSError, IndexError):
            continue  # it has ended
    return pages * os.sysconf("SC_PAGE_SIZE")


def _all_processes() -> Iterator[tuple[int, int]]:
    for entry in os.listdir(_PROC):
        if not entry.isdigit():
            continue
        try:
            fields = (_PROC / entry / "stat").read_text(errors="replace").rpartition(")")[2]
            yield int(entry), int(fields.split()[1])
        except (OSError, IndexError):
            continue  # it has ended
