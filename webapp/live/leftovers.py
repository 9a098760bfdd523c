"""What a dead process left of a turn: settled by whoever loads the room next.

The open hunk stands where the log says, since each entry that made it grow names it. Where nobody
typed in it, it is rolled back; else it stays, as one that the model yielded.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from webapp.document.changes import ChangeSet
from webapp.document.hunks import Hunk, HunkStatus
from webapp.live import turn_rows
from webapp.live.files import OpenFile
from webapp.live.turn_rows import Record

if TYPE_CHECKING:
    from webapp.live.room import Room


def settle(room: Room, record: Record) -> None:
    """Roll back what was open; write one settlement entry, unless the log has it already."""
    for file in room.files.values():
        for hunk in list(file.hunks.values()):
            if hunk.turn == record.id and hunk.status == HunkStatus.OPEN:
                _settle_hunk(room, record, file, hunk)
    if not record.settled and record.state != "queued":
        focus = (record.focus or {}).get("file", "")
        place = room.files.get(focus) or next(iter(room.files.values()), None)
        if place is not None:
            _write(room, record, place, ChangeSet.empty(len(place.text)), None)


def _settle_hunk(room: Room, record: Record, file: OpenFile, hunk: Hunk) -> None:
    if hunk.touched:
        kept = replace(hunk, status=HunkStatus.YIELDED)
        room.record(partial(turn_rows.save_hunks, [kept], file.version))
        file.hunks[hunk.id] = kept
        return
    change = ChangeSet.of(len(file.text), [(hunk.start, hunk.end, hunk.old_text)], keep_cr=True)
    end = hunk.start + len(hunk.old_text)
    _write(room, record, file, change, replace(hunk, end=end, status=HunkStatus.ROLLED_BACK))


def _write(
    room: Room, record: Record, file: OpenFile, change: ChangeSet, hunk: Hunk | None
) -> None:
    also = [partial(turn_rows.save_hunks, [hunk], file.version + 1)] if hunk else []
    room.write(
        file.id,
        change,
        author=f"turn:{record.id}",
        kind="settle",
        turn=record.id,
        hunk=hunk.ordinal if hunk else None,
        also=also,
    )
    if hunk is not None:
        file.hunks[hunk.id] = hunk
    record.settled = True
