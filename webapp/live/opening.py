"""Following a file: its whole text, or the entries a page missed. Functions take the room.

What a page missed and the room no longer has in memory is read from the log, so that a long time
offline does not cost what was typed meanwhile. Until that is read the page follows nothing of the
file; pushes to it wait.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from django.db import DatabaseError

from webapp.live import answers, codes, loading, pushing, wire
from webapp.live.clients import Client
from webapp.live.files import OpenFile, Step, entries_texts

if TYPE_CHECKING:
    from webapp.live.room import Room

log = logging.getLogger(__name__)


def open_file(room: Room, client: Client, message: wire.Open) -> None:
    """Send a file, or what is new in it since the version that the page holds."""
    file = room.files.get(message.file)
    if file is None:
        room.send_to(client, answers.error("gone"))
        return
    if not file.is_text:
        room.send_to(client, answers.error("binary"))
        return
    client.following.discard(file.id)
    if message.v is None or message.v > file.version:
        _send_whole(room, client, file)
        return
    steps = file.since(message.v)
    if steps is not None:
        _send_entries(room, client, file, message.v, steps)
    elif file.id not in client.opening:
        client.opening[file.id] = []
        # Once the log has all up to now; what comes meanwhile is still in memory.
        read = partial(_start_reading, room, client, file.id, message.v)
        room.after_commit(read)


def _start_reading(room: Room, client: Client, file_id: str, version: int) -> None:
    if file_id in client.opening:
        room.spawn(_read_missed(room, client, file_id, version))


async def _read_missed(room: Room, client: Client, file_id: str, version: int) -> None:
    waiting = client.opening[file_id]
    read = partial(loading.missed, file_id, version, room.by)
    try:
        missed = await room.read(read)
    except DatabaseError:
        log.exception("What a page missed of a file could not be read.")
        # The page comes back after a pause; asked on this socket it would ask again at once.
        client.close(codes.RESTART)
        return
    file = room.files.get(file_id)
    if client.closed or client.opening.get(file_id) is not waiting:
        return
    del client.opening[file_id]
    if file is None:
        room.send_to(client, answers.error("gone"))
    elif missed is None:
        _send_whole(room, client, file)
    else:
        rest = file.since(version + len(missed))
        if rest is None:
            _send_whole(room, client, file)
        else:
            _send_entries(room, client, file, version, [*missed, *rest])
    for message in waiting:
        pushing.push(room, client, message)


def _send_whole(room: Room, client: Client, file: OpenFile) -> None:
    here = [
        {"conn": other.conn, **other.where.frame()}
        for other in room.joined()
        if other is not client and other.where.file == file.id
    ]
    frame = {
        "t": "file",
        "file": file.id,
        "v": file.version,
        "text": file.text,
        "hunks": file.hunk_frames(),
        "here": here,
    }
    client.following.add(file.id)
    room.send_to(client, frame)


def _send_entries(
    room: Room, client: Client, file: OpenFile, version: int, steps: Sequence[Step]
) -> None:
    client.following.add(file.id)
    for text in entries_texts(file.id, version, [step.body for step in steps]):
        room.send_text((client,), text)
