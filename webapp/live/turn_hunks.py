"""The hunks of one running turn: their ordinals, their lines, their rows, their frames.

A hunk's row is kept in the transaction of the entry that opens or closes it, or has it replace
more. An entry that only makes the open one grow carries its ordinal, so that the log alone tells
how far it went.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from webapp.document.changes import ChangeSet
from webapp.document.hunks import Hunk, HunkStatus
from webapp.engine.formats.whole_writer import Mark
from webapp.live import turn_rows
from webapp.live.files import OpenFile, hunk_frame

if TYPE_CHECKING:
    from webapp.live.room import Room


class TurnHunks:
    """What a turn has written so far, place by place.

    Their numbers and lines are the record's: what is written of the turn after somebody's word
    (withheld_doing.py) counts on from there.
    """

    def __init__(self, room: Room, record: turn_rows.Record) -> None:
        self._room = room
        self._record = record
        self._ordinals: dict[tuple[int, int], int] = {}
        self._open: Hunk | None = None

    def write(
        self, file: OpenFile, change: ChangeSet | None, writer: int, marks: list[Mark]
    ) -> None:
        """Write what a writer gave, and keep the hunks that it tells of."""
        hunks = [self._of(file, writer, mark) for mark in marks]
        grown = len(hunks) == 1 and marks[0].status == "open" and self._only_grows(file, hunks[0])
        version = file.version + (change is not None)
        save = partial(turn_rows.save_hunks, hunks, version)
        if change is not None:
            also = () if grown or not hunks else (save,)
            self.write_entry(file, change, "edit", hunks[-1].ordinal if hunks else None, also)
        elif hunks:
            self._room.record(save)
        for hunk, mark in zip(hunks, marks, strict=True):
            self._record.lines[hunk.ordinal] = mark.added_lines, mark.removed_lines
            self._put(file, hunk, tell=not grown)
        self._open = next((hunk for hunk in hunks if hunk.status == HunkStatus.OPEN), None)

    def _only_grows(self, file: OpenFile, hunk: Hunk) -> bool:
        held = file.hunks.get(hunk.id)
        return held is not None and held.old_text == hunk.old_text

    def write_entry(
        self,
        file: OpenFile,
        change: ChangeSet,
        kind: str,
        ordinal: int | None = None,
        also: tuple[partial[None], ...] = (),
    ) -> None:
        """Write one entry as the turn."""
        turn = self._record.id
        self._room.write(
            file.id, change, author=f"turn:{turn}", kind=kind, turn=turn, hunk=ordinal, also=also
        )

    def close_open(self, file: OpenFile, status: HunkStatus, change: ChangeSet, kind: str) -> bool:
        """Write what ends the open hunk otherwise than by its completion; say if there was one."""
        held = self._take_open(file)
        if held is None:
            return False
        end = max(held.start, held.end - (change.length - change.new_length))
        hunk = replace(held, end=end, status=status, touched=False)
        self._record.lines.pop(hunk.ordinal, None)
        save = partial(turn_rows.save_hunks, [hunk], file.version + 1)
        self.write_entry(file, change, kind, hunk.ordinal, (save,))
        self._put(file, hunk)
        return True

    def keep_open(self, file: OpenFile) -> bool:
        """Settle the open hunk where it is, as one that is applied; say if there was one."""
        held = self._take_open(file)
        if held is None:
            return False
        hunk = replace(held, status=HunkStatus.APPLIED)
        save = partial(turn_rows.save_hunks, [hunk], file.version + 1)
        self.write_entry(file, ChangeSet.empty(len(file.text)), "settle", hunk.ordinal, (save,))
        self._put(file, hunk)
        return True

    def undone(self, file: OpenFile) -> ChangeSet | None:
        """Return the change that puts back what the open hunk replaced, or None without one."""
        held = self._open and file.hunks.get(self._open.id)
        if held is None:
            return None
        back = (held.start, held.end, held.old_text)
        return ChangeSet.of(len(file.text), [back], keep_cr=True)

    def yield_open(self, file: OpenFile) -> bool:
        """Let go of the open hunk, as somebody typed in it; say if there was one."""
        held = self._take_open(file)
        if held is None:
            return False
        hunk = replace(held, status=HunkStatus.YIELDED, touched=True)
        self._room.record(partial(turn_rows.save_hunks, [hunk], file.version))
        self._put(file, hunk)
        return True

    def forget_open(self) -> None:
        """The open hunk's file is gone."""
        self._open = None

    def _take_open(self, file: OpenFile) -> Hunk | None:
        held, self._open = self._open, None
        return held and file.hunks.get(held.id)

    def _of(self, file: OpenFile, writer: int, mark: Mark) -> Hunk:
        ordinal = self._ordinals.get((writer, mark.key)) or self._record.next_hunk()
        self._ordinals[writer, mark.key] = ordinal
        id = f"{self._record.id}/{ordinal}"
        held = file.hunks.get(id)
        return Hunk(
            id=id,
            turn=self._record.id,
            file=file.id,
            ordinal=ordinal,
            start=mark.start,
            end=mark.end,
            old_text=mark.old,
            status=HunkStatus(mark.status),
            touched=held.touched if held else False,
        )

    def _put(self, file: OpenFile, hunk: Hunk, *, tell: bool = True) -> None:
        file.hunks[hunk.id] = hunk
        self._record.added = sum(added for added, _ in self._record.lines.values())
        self._record.removed = sum(removed for _, removed in self._record.lines.values())
        if tell:
            self._room.send_all({"t": "hunk", "hunk": hunk_frame(hunk, file.version)})
