"""Keeping and taking back what a turn wrote: the steps. Never waits.

One revert entry a file, each with the rows of its hunks in the same transaction. A file that the
turn had created goes with the last of the text in it. The quick way, for hunks that nobody touched,
puts the old text in the place of the new; for others the caller brings the change (deciding.py).

A row keeps the place where its hunk stood when it was written, whatever is said of it later: that
tells who wrote what (tracing.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from webapp.document.changes import ChangeSet
from webapp.document.hunks import STANDING, Hunk, HunkStatus, revert_changes
from webapp.live import turn_files, turn_rows
from webapp.live.files import OpenFile, hunk_frame
from webapp.live.revert_clients import revert_client
from webapp.live.turn_rows import Record

if TYPE_CHECKING:
    from webapp.live.room import Room

Wrote = Callable[[str, ChangeSet], None]
"""Told of each entry that is written, with its file."""


def hunks_of(room: Room, turn: str) -> list[Hunk]:
    """Return the turn's hunks that the room knows, in order."""
    found = [
        hunk for file in room.files.values() for hunk in file.hunks.values() if hunk.turn == turn
    ]
    return sorted(found, key=lambda hunk: hunk.ordinal)


def standing(room: Room, turn: str) -> list[Hunk]:
    """Return the turn's hunks that stand in the text, in order."""
    return [hunk for hunk in hunks_of(room, turn) if hunk.status in STANDING]


def is_revertable(room: Room, record: Record) -> bool:
    """Say whether there is anything of the turn to take back now."""
    if not record.is_over or record.reverted_by:
        return False
    return bool(record.taken_files or standing(room, record.id))


def is_clear(room: Room, hunk: Hunk) -> bool:
    """Say whether the hunk is all its turn's, in lines of its own: it can be put back as it was.

    Of one that only deleted, the place is not known that well: what stood on one side of it may
    have gone and come back on the other. One that spans lines which it left alone must leave them
    alone again, since somebody may be typing in them at this moment.
    """
    text = room.files[hunk.file].text
    if hunk.touched or hunk.start == hunk.end or not _begins_line(text, hunk.start):
        return False
    new = text[hunk.start : hunk.end]
    ends = hunk.end == len(text) or (new[-1:] == "\n" and hunk.old_text[-1:] in ("", "\n"))
    return ends and set(new.split("\n")[:-1]).isdisjoint(hunk.old_text.split("\n")[:-1])


def _begins_line(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] == "\n"


def decide(room: Room, hunks: Iterable[Hunk], status: HunkStatus, by: str) -> list[Hunk]:
    """Say of hunks of one turn that somebody kept them or took them back; tell everybody.

    They are those of the room, or of an older turn, which it does not follow. Returns them as they
    are then.
    """
    said = [replace(hunk, status=status, by=by) for hunk in hunks]
    if not said:
        return []
    ordinals = [hunk.ordinal for hunk in said]
    room.record(partial(turn_rows.decide, said[0].turn, ordinals, status, by))
    for hunk in said:
        file = room.files[hunk.file]
        if hunk.id in file.hunks:
            file.hunks[hunk.id] = hunk
        room.send_all({"t": "hunk", "hunk": hunk_frame(hunk, file.version)})
    return said


def typed(room: Room, file: OpenFile, ids: Iterable[str], name: str) -> None:
    """Say of hunks that somebody typed in that they kept them so, or made the model yield."""
    for id in ids:
        hunk = file.hunks.get(id)
        if hunk is None:
            continue
        if hunk.status is HunkStatus.APPLIED:
            decide(room, [hunk], HunkStatus.KEPT, name)
        elif hunk.status is HunkStatus.YIELDED and not hunk.by:
            decide(room, [hunk], HunkStatus.YIELDED, name)


def revert(
    room: Room, record: Record, hunks: Sequence[Hunk], author: str, name: str, wrote: Wrote
) -> None:
    """Put the old text back where nobody touched the new, as `author`; called inside `together`."""
    by_file: dict[str, list[Hunk]] = defaultdict(list)
    for hunk in hunks:
        by_file[hunk.file].append(hunk)
    for file_id, held in by_file.items():
        file = room.files[file_id]
        change = revert_changes(held, len(file.text))
        write(room, record.id, file, change, held, author, wrote)
        decide(room, _back(held), HunkStatus.REVERTED, name)
    drop_emptied(room, record, by_file.keys(), author)


def _back(hunks: list[Hunk]) -> list[Hunk]:
    """Return the hunks where their old text stands again."""
    back: list[Hunk] = []
    moved = 0
    for hunk in sorted(hunks, key=lambda hunk: (hunk.start, hunk.end, hunk.ordinal)):
        start = hunk.start + moved
        moved += len(hunk.old_text) - (hunk.end - hunk.start)
        back.append(replace(hunk, start=start, end=start + len(hunk.old_text)))
    return back


def write(
    room: Room,
    turn: str,
    file: OpenFile,
    change: ChangeSet,
    hunks: Iterable[Hunk],
    author: str,
    wrote: Wrote,
) -> None:
    """Write the change that takes these hunks of the turn back, if it changes anything."""
    if change.is_empty:
        return
    client = revert_client(hunk.ordinal for hunk in hunks)
    with room.together():
        room.sequence(file, change, author, room.by(author), client, None, "revert", turn)
    wrote(file.id, change)


def drop_emptied(room: Room, record: Record, files: Collection[str], author: str) -> None:
    """Take those of the files away that the turn had created and that are empty now."""
    for id in record.created_files.intersection(files) & room.files.keys():
        if not room.files[id].text:
            turn_files.delete(room, room.files[id], author, record.id)


def close(room: Room, record: Record, name: str) -> None:
    """Say of a turn that is over, and of which nothing stands any more, who took it back."""
    if record.is_over and not (
        record.reverted_by or record.taken_files or standing(room, record.id)
    ):
        record.reverted_by = name
