"""Ends the children when the supervisor was killed and could not do it itself.

A process of its own, fed by a pipe: `+GROUP` and `-GROUP` for each process group that starts and
ends, `folder PATH` for what must not be left behind. When the pipe closes, whatever is still noted
is asked to end, and after a while made to. This covers grandchildren, and systems without a
parent-death signal. Imports nothing of Flint, so that it starts in a few milliseconds.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time

GRACE_S = 5.0


def _runs(leader: int) -> bool:
    """Say whether a group's first process runs; one that only waits to be reaped does not."""
    try:
        os.kill(leader, 0)
    except (ProcessLookupError, PermissionError):
        return False
    try:
        with open(f"/proc/{leader}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return True


def _send(groups: set[int], number: signal.Signals) -> None:
    for group in groups:
        try:
            os.killpg(group, number)
        except (ProcessLookupError, PermissionError):
            continue


def main() -> None:
    """Follow the pipe on standard input to its end, then end what is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    folders: set[str] = set()
    for line in sys.stdin:
        note = line.rstrip("\n")
        if note.startswith("+"):
            groups.add(int(note[1:]))
        elif note.startswith("-"):
            groups.discard(int(note[1:]))
        elif note.startswith("folder "):
            folders.add(note.removeprefix("folder "))
    _send(groups, signal.SIGTERM)
    until = time.monotonic() + GRACE_S
    while time.monotonic() < until and any(_runs(group) for group in groups):
        time.sleep(0.05)
    _send(groups, signal.SIGKILL)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
