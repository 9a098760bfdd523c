"""What pages ask of the project's tree: files created, renamed and deleted.

Functions take the room, and never wait. What is sent twice acts once: the second time the answer
is `ok`, and nothing is written.

A page makes the id of a new file, so it may be another session's file's. Whether it is, only the
database knows; a keeper's thread looks, and what else pages want of the file waits for that.
Turned down: letting the write fail, as then the whole room would load itself anew.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import Error

from webapp.document.text import normalise
from webapp.document.tree import PathError, check_path, clash
from webapp.live import filing, reading, sentences, wire
from webapp.live.answers import error
from webapp.live.clients import Client
from webapp.live.files import MAX_FILES, MAX_LENGTH, OpenFile
from webapp.live.filing import Doer
from webapp.pairing.models import File

if TYPE_CHECKING:
    import asyncio

    from webapp.live.room import Room

log = logging.getLogger(__name__)


def change(room: Room, client: Client, message: wire.Tree) -> None:
    """Do what a page asked of the tree, or answer why not."""
    id = message.file
    if message.op != "create" or id in room.files or id in room.gone:
        _do(room, client, message)
    elif id in room.new_files:
        room.send_to(client, error("refused", message.id, sentences.TAKEN))
    else:
        room.new_files.add(id)
        room.creating[id] = []
        room.spawn(_create_unless_taken(room, client, message))


async def _create_unless_taken(room: Room, client: Client, message: wire.Tree) -> None:
    settled: asyncio.Future[None] | None = None
    try:
        problem = await reading.keep(partial(_problem, message.file))
        waiting = room.creating.pop(message.file)
        if problem:
            room.send_to(client, error("refused", message.id, problem))
        elif room.state == "open":
            with room.together():
                _do(room, client, message)
                settled = room.record(_nothing)
        for act in waiting:
            act()
    finally:
        room.creating.pop(message.file, None)
        if settled is None:
            room.new_files.discard(message.file)
        else:
            settled.add_done_callback(partial(_free, room.new_files, message.file))


def _problem(file: str) -> str:
    """Return why the id cannot be a new file's, or ''."""
    try:
        return sentences.TAKEN if File.objects.filter(pk=file).exists() else ""
    except Error:
        log.exception("The id of a new file could not be looked at.")
        return sentences.NOT_LOOKED_AT


def _free(new_files: set[str], file: str, settled: asyncio.Future[None]) -> None:
    """Let go of a new file's id, whatever became of its creation."""
    new_files.discard(file)
    if not settled.cancelled():
        settled.exception()  # the room hears of it too


def _nothing() -> None:
    """Take a place in the log's order."""


def _do(room: Room, client: Client, message: wire.Tree) -> None:
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
        return "", error("path", message.id, refused.sentence)
    others = [file.path for file in room.files.values() if file is not renamed]
    problem = clash(path, others)
    return path, error("exists", message.id, problem) if problem else None
