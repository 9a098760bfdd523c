"""Who is in a room, in which colour, and where. Pure.

A person's place comes with the version of the file that their page held; it is mapped to the head
at once, and along with every later entry, so that a late joiner gets places that fit the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from webapp.document.changes import ChangeSet
from webapp.live import sentences, wire
from webapp.live.clients import Client, Where
from webapp.live.files import OpenFile

COLORS: Final = 6
NAME: Final = "Flint"
"""How the model is called where a person's name would stand."""


class Colors:
    """Gives each user a colour of 1 to 6: the same for as long as the room is open."""

    def __init__(self) -> None:
        self._given: dict[int, int] = {}

    def of(self, user: int) -> int:
        """Return the user's colour; two users share one only when all are in use."""
        color = self._given.get(user)
        if color is None:
            color = user % COLORS + 1
            used = set(self._given.values())
            if len(used) < COLORS:
                while color in used:
                    color = color % COLORS + 1
            self._given[user] = color
        return color


def by(colors: Colors, names: Mapping[int, str], author: str) -> dict[str, Any]:
    """Return how frames name an author of the log, who may no longer be here."""
    kind, _, id = author.partition(":")
    if kind != "user":
        return {"turn": id, "name": NAME}
    user = int(id)
    name = names.get(user) or sentences.SOMEBODY
    return {"conn": "", "user": user, "name": name, "color": colors.of(user)}


def place(message: wire.Here, file: OpenFile | None) -> Where:
    """Return where somebody is, as it fits the head; what does not fit becomes no selection."""
    if file is None:
        return Where()
    where = Where(file.id, file.version)
    length = None if message.v is None else file.length_at(message.v)
    if message.sel is None or message.v is None or length is None:
        return where
    anchor, head = (min(end, length) for end in message.sel)
    for step in file.since(message.v) or ():
        anchor, head = step.change.map_pos(anchor), step.change.map_pos(head)
    where.sel = (anchor, head)
    return where


def follow(clients: Iterable[Client], file: OpenFile, change: ChangeSet) -> None:
    """Move everybody's place in a file along with its newest entry."""
    for client in clients:
        where = client.where
        if where.file == file.id:
            where.v = file.version
            if where.sel:
                where.sel = (change.map_pos(where.sel[0]), change.map_pos(where.sel[1]))


def forget_file(clients: Iterable[Client], file_id: str) -> None:
    """Nobody follows a file that is gone, or is in it."""
    for client in clients:
        client.following.discard(file_id)
        client.opening.pop(file_id, None)
        if client.where.file == file_id:
            client.where = Where()
