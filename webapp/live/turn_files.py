"""Files that a turn makes, and takes away again when nothing of them stays. Never waits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from webapp.document.text import dumps_ascii
from webapp.document.tree import PathError, check_path, clash
from webapp.lib import ids
from webapp.live import presence, sentences
from webapp.live.files import MAX_FILES, SERVER, OpenFile
from webapp.pairing.models import Entry, File

if TYPE_CHECKING:
    from webapp.live.room import Room


class CannotCreate(Exception):
    """The path cannot be used; the text is a sentence."""


def create(room: Room, path: str, turn: str) -> OpenFile:
    """Create an empty file as the turn; raises CannotCreate."""
    try:
        path = check_path(path)
    except PathError as refused:
        raise CannotCreate(str(refused)) from None
    problem = clash(path, [file.path for file in room.files.values()])
    if len(room.files) >= MAX_FILES:
        problem = str(sentences.ERRORS["limit"])
    if problem:
        raise CannotCreate(problem)
    file = OpenFile(ids.new_id(), path, "lf", "", 0)
    author = f"turn:{turn}"
    with room.together() as building:
        seq = room.log_row(
            file.id, author, SERVER, Entry.Kind.CREATE, dumps_ascii(""), version=0, turn=turn
        )
        row = File(id=file.id, session_id=room.id, path=path, ending="lf", created_seq=seq)
        building.add(partial(row.save, force_insert=True))
        room.files[file.id] = file
        _tell(room, file, "create", room.by(author), v=0)
    return file


def delete(room: Room, file: OpenFile, author: str, turn: str) -> None:
    """Delete a file that the turn had created, as `author`."""
    with room.together() as building:
        seq = room.log_row(file.id, author, SERVER, Entry.Kind.DELETE, "null", turn=turn)
        building.add(partial(_deleted, room.id, file.id, seq))
        del room.files[file.id]
        room.gone.add(file.id)
        presence.forget_file(room.clients.values(), file.id)
        _tell(room, file, "delete", room.by(author))


def _deleted(session: str, file: str, seq: int) -> None:
    File.objects.filter(session_id=session, pk=file).update(deleted_seq=seq)


def _tell(room: Room, file: OpenFile, op: str, by: dict[str, Any], **more: object) -> None:
    room.send_all({"t": "tree", "op": op, "file": file.id, "path": file.path, "by": by, **more})
    for listener in room.tree_listeners:
        listener(op, file.id)
