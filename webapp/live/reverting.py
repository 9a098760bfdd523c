"""Taking a whole turn back, while nobody has typed in what it changed. Never waits.

One revert entry a file, each with the rows of its hunks in the same transaction. A file that the
turn had created goes, when nothing but the turn's text was in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from webapp.document.changes import ChangeSet
from webapp.document.hunks import Hunk, HunkStatus, revert_changes
from webapp.live import turn_files, turn_rows
from webapp.live.files import OpenFile, hunk_frame
from webapp.live.turn_rows import Record

if TYPE_CHECKING:
    from webapp.live.room import Room

_STANDING: Final = (HunkStatus.APPLIED, HunkStatus.YIELDED)


def standing(room: Room, turn: str) -> list[Hunk]:
    """Return the turn's hunks that stand in the text, in order."""
    hunks = [
        hunk
        for file in room.files.values()
        for hunk in file.hunks.values()
        if hunk.turn == turn and hunk.status in _STANDING
    ]
    return sorted(hunks, key=lambda hunk: hunk.ordinal)


def is_revertable(room: Room, record: Record) -> bool:
    """Say whether the whole turn can be taken back now."""
    if not record.is_over or record.reverted_by:
        return False
    hunks = standing(room, record.id)
    created = record.created_files & room.files.keys()
    return bool(hunks or created) and not any(hunk.touched for hunk in hunks)


def revert(
    room: Room,
    record: Record,
    hunks: Sequence[Hunk],
    author: str,
    wrote: Callable[[str, ChangeSet], None],
) -> None:
    """Put the old text back in every file, as `author`; called inside `together`."""
    by_file: dict[str, list[Hunk]] = defaultdict(list)
    for hunk in hunks:
        by_file[hunk.file].append(hunk)
    for file_id, held in by_file.items():
        _revert_file(room, record, room.files[file_id], held, author, wrote)
    for id in record.created_files & room.files.keys():
        if not room.files[id].text:
            turn_files.delete(room, room.files[id], author, record.id)


def _revert_file(
    room: Room,
    record: Record,
    file: OpenFile,
    hunks: list[Hunk],
    author: str,
    wrote: Callable[[str, ChangeSet], None],
) -> None:
    change = revert_changes(hunks, len(file.text))
    back: list[Hunk] = []
    moved = 0
    for hunk in sorted(hunks, key=lambda hunk: (hunk.start, hunk.end, hunk.ordinal)):
        start = hunk.start + moved
        moved += len(hunk.old_text) - (hunk.end - hunk.start)
        end = start + len(hunk.old_text)
        back.append(replace(hunk, start=start, end=end, status=HunkStatus.REVERTED))
    room.write(
        file.id,
        change,
        author=author,
        kind="revert",
        turn=record.id,
        also=[partial(turn_rows.save_hunks, back, file.version + 1)],
    )
    for hunk in back:
        file.hunks[hunk.id] = hunk
        room.send_all({"t": "hunk", "hunk": hunk_frame(hunk, file.version)})
    wrote(file.id, change)
