"""What pages ask of the project's tree: files created, renamed and deleted.

Functions take the room, and never wait. What is sent twice acts once: the second time the answer
is `ok`, and nothing is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webapp.document.text import normalise
from webapp.document.tree import PathError, check_path, clash
from webapp.live import filing, wire
from webapp.live.answers import error
from webapp.live.clients import Client
from webapp.live.files import MAX_FILES, MAX_LENGTH, OpenFile
from webapp.live.filing import Doer

if TYPE_CHECKING:
    from webapp.live.room import Room


def change(room: Room, client: Client, message: wire.Tree) -> None:
    """Do what a page asked of the tree, or answer why not."""
    doer = Doer(client.author, client.client, client.person(), page=client, id=message.id)
    refusal = _change(room, doer, message)
    room.send_to(client, refusal or {"t": "ok", "id": message.id})


def _change(room: Room, doer: Doer, message: wire.Tree) -> dict[str, Any] | None:
    """Return the `error` frame, or None when it is done or was done before."""
    file = room.files.get(message.file)
    if message.op == "create":
        if file is not None or message.file in room.gone:
            return None
        return _create(room, doer, message)
    if file is None:
        done = message.op == "delete" and message.file in room.gone
        return None if done else error("gone", message.id)
    if message.op == "rename":
        return _rename(room, doer, message, file)
    filing.delete(room, file, doer)
    return None


def _create(room: Room, doer: Doer, message: wire.Tree) -> dict[str, Any] | None:
    path, refusal = _free_path(room, message)
    if refusal:
        return refusal
    text, ending = normalise(message.text or "")
    if len(room.files) >= MAX_FILES or len(text) > MAX_LENGTH:
        return error("limit", message.id)
    filing.create(room, OpenFile(message.file, path, ending, text, 0), doer)
    return None


def _rename(room: Room, doer: Doer, message: wire.Tree, file: OpenFile) -> dict[str, Any] | None:
    path, refusal = _free_path(room, message, file)
    if refusal is None and path != file.path:
        filing.rename(room, file, path, doer)
    return refusal


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
