"""What a yes does: the deed of a withheld edit, performed. Never waits.

A frozen edit is written as its turn's, with hunks of its own, so that it can be kept and taken back
like the rest. The model's version of a place that it yielded is a person's wish: it is written as
theirs, and everybody hears of it as if they had typed it. Called inside `together`, with all that
must be durable with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webapp.document.changes import ChangeSet
from webapp.engine.formats.whole_writer import Flush, Mark
from webapp.engine.landing.held import Create, Deed, Remove, Rename, Write, lines_in
from webapp.live import turn_files
from webapp.live.clients import Client
from webapp.live.files import MAX_LENGTH, OpenFile
from webapp.live.turn_hunks import TurnHunks
from webapp.live.turn_rows import Record

if TYPE_CHECKING:
    from webapp.live.turns import Turns


def is_too_big(deed: Deed) -> bool:
    """Say whether a file would grow over what a file may be."""
    match deed:
        case Write(_, Flush(ChangeSet() as change)):
            return change.new_length > max(MAX_LENGTH, change.length)
        case Create(_, text):
            return len(text) > MAX_LENGTH
    return False


def as_turn(turns: Turns, record: Record, deed: Deed) -> None:
    """Do it as the turn. Raises CannotCreate, and has done nothing then."""
    room, author = turns.room, f"turn:{record.id}"
    match deed:
        case Write(file, flush):
            _write(turns, record, room.files[file], flush)
        case Create(path, text):
            made = turn_files.create(room, path, record.id)
            record.created_files.add(made.id)
            change = ChangeSet.of(0, [(0, 0, text)], keep_cr=True)
            mark = Mark(0, 0, len(text), "", "applied", lines_in(text), 0)
            if text:
                _write(turns, record, made, Flush(change, (mark,), len(text)))
        case Remove(file):
            turn_files.delete(room, room.files[file], author, record.id)
        case Rename(file, to):
            turn_files.rename(room, room.files[file], to, record.id)


def _write(turns: Turns, record: Record, file: OpenFile, flush: Flush) -> None:
    TurnHunks(turns.room, record).write(file, flush.change, 0, list(flush.marks))
    if flush.change is not None:
        turns.wrote(file.id, flush.change)


def as_person(turns: Turns, client: Client, deed: Deed) -> None:
    """Do it as somebody who wants the model's lines in place of what stands there."""
    room = turns.room
    if not isinstance(deed, Write) or deed.flush.change is None:
        return
    change = deed.flush.change
    room.write(deed.file, change, author=client.author)
    for listener in room.listeners:
        listener(deed.file, room.files[deed.file].version, change, client.author)
