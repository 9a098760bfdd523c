"""A page's edits: rebased, sequenced, acknowledged. Functions take the room, and never wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webapp.document.changes import ChangeError
from webapp.live import wire
from webapp.live.answers import error, rejected
from webapp.live.clients import Client
from webapp.live.files import MAX_LENGTH, Numbered, OpenFile, Verdict, map_over

if TYPE_CHECKING:
    from webapp.live.room import Room


def push(room: Room, client: Client, message: wire.Push) -> None:
    """Sequence a push whole, or nothing of it."""
    file = room.files.get(message.file)
    if file is None:
        room.send_to(client, rejected(message.id, message.file, "gone"))
        return
    if message.file in client.opening:
        client.opening[message.file].append(message)
        return
    if message.file not in client.following:
        room.send_to(client, error("state", message.id))
        return
    if room.owners.get(client.client, client.user) != client.user:
        room.send_to(client, error("refused", message.id))
        return
    try:
        mine = file.rebase(client.client, message.v, message.updates)
    except ChangeError:
        room.send_to(client, rejected(message.id, message.file, "unfit"))
        return
    if mine is Verdict.BEHIND:
        # It follows the file, so the entries it lacks are on their way already.
        room.send_to(client, error("behind", message.id))
        return
    if isinstance(mine, list):
        if max(change.new_length - change.length for _, change in mine) > 0 and (
            max(change.new_length for _, change in mine) > MAX_LENGTH
        ):
            room.send_to(client, rejected(message.id, message.file, "limit"))
            return
        _sequence(room, client, file, mine)
    room.send_to(client, {"t": "pushed", "id": message.id, "file": file.id, "v": file.version})


def _sequence(room: Room, client: Client, file: OpenFile, mine: list[Numbered]) -> None:
    room.owners[client.client] = client.user
    author, by = client.author, client.person()
    with room.together():
        while mine:
            counter, change = mine.pop(0)
            room.sequence(file, change, author, by, client.client, counter)
            version = file.version
            for listener in room.listeners:
                listener(file.id, version, change, author)
            # A listener may write (the model yields); what is left comes after that.
            for step in file.since(version) or ():
                mine = map_over(mine, step.change)
