"""The project's tree: files are created, renamed and deleted by entries of the same log.

Functions take the room, and never wait. What is sent twice acts once: the second time the answer
is `ok`, and nothing is written.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from webapp.document.text import dumps_ascii, normalise
from webapp.document.tree import PathError, check_path, clash
from webapp.live import presence, wire
from webapp.live.answers import error
from webapp.live.clients import Client
from webapp.live.files import MAX_FILES, MAX_LENGTH, OpenFile
from webapp.pairing.models import Entry, File

if TYPE_CHECKING:
    from webapp.live.room import Room


def change(room: Room, client: Client, message: wire.Tree) -> None:
    """Do what a page asked of the tree, or answer why not."""
    refusal = _change(room, client, message)
    room.send_to(client, refusal or {"t": "ok", "id": message.id})


def _change(room: Room, client: Client, message: wire.Tree) -> dict[str, Any] | None:
    """Return the `error` frame, or None when it is done or was done before."""
    file = room.files.get(message.file)
    if message.op == "create":
        if file is not None or message.file in room.gone:
            return None
        return _create(room, client, message)
    if file is None:
        done = message.op == "delete" and message.file in room.gone
        return None if done else error("gone", message.id)
    if message.op == "rename":
        return _rename(room, client, message, file)
    _delete(room, client, message, file)
    return None


def _create(room: Room, client: Client, message: wire.Tree) -> dict[str, Any] | None:
    path, refusal = _free_path(room, message)
    if refusal:
        return refusal
    text, ending = normalise(message.text or "")
    if len(room.files) >= MAX_FILES or len(text) > MAX_LENGTH:
        return error("limit", message.id)
    file = OpenFile(message.file, path, ending, text, 0)
    with room.together() as building:
        seq = _log(room, client, file, Entry.Kind.CREATE, dumps_ascii(text), version=0)
        row = File(id=file.id, session_id=room.id, path=path, ending=ending, created_seq=seq)
        building.add(partial(row.save, force_insert=True))
        room.files[file.id] = file
        _tell(room, client, message, file, version=0)
    return None


def _rename(
    room: Room, client: Client, message: wire.Tree, file: OpenFile
) -> dict[str, Any] | None:
    path, refusal = _free_path(room, message, file)
    if refusal or path == file.path:
        return refusal
    with room.together() as building:
        file.path = path
        _log(room, client, file, Entry.Kind.RENAME, dumps_ascii(path))
        building.add(partial(_update, room.id, file.id, path=path))
        _tell(room, client, message, file)
    return None


def _delete(room: Room, client: Client, message: wire.Tree, file: OpenFile) -> None:
    with room.together() as building:
        seq = _log(room, client, file, Entry.Kind.DELETE, "null")
        building.add(partial(_update, room.id, file.id, deleted_seq=seq))
        del room.files[file.id]
        room.gone.add(file.id)
        presence.forget_file(room.clients.values(), file.id)
        _tell(room, client, message, file)


def _update(session: str, file: str, **fields: object) -> None:
    File.objects.filter(session_id=session, pk=file).update(**fields)


def _log(
    room: Room, client: Client, file: OpenFile, kind: str, payload: str, version: int | None = None
) -> int:
    return room.log_row(file.id, client.author, client.client, kind, payload, version)


def _free_path(
    room: Room, message: wire.Tree, renamed: OpenFile | None = None
) -> tuple[str, dict[str, Any] | None]:
    try:
        path = check_path(message.path or "")
    except PathError as refused:
        return "", error("path", message.id, str(refused))
    others = [file.path for file in room.files.values() if file is not renamed]
    problem = clash(path, others)
    return path, error("exists", message.id, problem) if problem else None


def _tell(
    room: Room, client: Client, message: wire.Tree, file: OpenFile, version: int | None = None
) -> None:
    """Tell everybody; whoever asked sees their own id in it."""
    frame: dict[str, Any] = {
        "t": "tree",
        "op": message.op,
        "file": file.id,
        "path": file.path,
        "by": client.person(),
    }
    if version is not None:
        frame["v"] = version
    others = [other for other in room.joined() if other is not client]
    room.send_text(others, wire.encode(frame))
    room.send_to(client, {**frame, "id": message.id})
    for listener in room.tree_listeners:
        listener(message.op, file.id)
