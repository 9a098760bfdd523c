"""How everything but a socket touches a live session: `await ask(session_id, operation)`.

An operation is plain data with one method, so that it can be sent to the session's owner when that
is another process. Here the owner is this process, and asking is a call on its event loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

from webapp.document.text import restore
from webapp.live import hub
from webapp.live.room import Room

T_co = TypeVar("T_co", covariant=True)


class Operation(Protocol[T_co]):
    """Something to do in a session's room."""

    def perform(self, room: Room) -> T_co:
        """Do it, without waiting; the answer leaves when all it tells of is durable."""


async def ask(session_id: str, operation: Operation[T_co]) -> T_co:
    """Return what the operation returns in the room of the session, opened if need be.

    Raises OwnedElsewhere when another process holds the session, and NotOpen when what the answer
    tells of could not be saved.
    """
    room = await hub.current().enter(session_id)
    result = operation.perform(room)
    await room.record(_nothing)
    return result


def _nothing() -> None:
    """Take a place in the log's order."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Every text file's text by path, with the line endings it came with, all at one moment."""

    def perform(self, room: Room) -> dict[str, str]:
        """Return the texts, as utf16 text."""
        return {
            file.path: restore(file.text, file.ending)
            for file in sorted(room.files.values(), key=lambda file: file.path)
            if file.is_text
        }
