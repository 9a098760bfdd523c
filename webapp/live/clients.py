"""A page in a room: who it is, what it follows, where its person is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from webapp.lib import ids
from webapp.live import wire
from webapp.notices.words import spoken
from webapp.pairing.access import Role


class Socket(Protocol):
    """What a room needs of a socket; neither call waits."""

    def send(self, text: str, key: str | None = None) -> None:
        """Queue a frame behind the others; a newer one of the same key replaces an older."""

    def close(self, code: int) -> None:
        """Close, now; what was queued is dropped."""


@dataclass(slots=True)
class Where:
    """A person's place: `sel` fits the file at its head, as the room maps it along."""

    file: str | None = None
    v: int | None = None
    sel: tuple[int, int] | None = None

    def frame(self) -> dict[str, Any]:
        """Return the fields of the wire."""
        return {"file": self.file, "v": self.v, "sel": list(self.sel) if self.sel else None}


@dataclass(slots=True, eq=False)
class Client:
    """One socket of one person. `client` is the page's own id, once it has said hello."""

    socket: Socket
    user: int
    name: str
    color: int
    role: Role
    language: str = "en"
    """What its person reads; frames with sentences are made in it."""
    conn: str = field(default_factory=ids.new_id)
    client: str = ""
    joined: bool = False
    closed: bool = False
    following: set[str] = field(default_factory=set)
    opening: dict[str, list[wire.Push]] = field(default_factory=dict)
    """Files whose missed entries are being read from the log, and pushes that wait for that."""
    where: Where = field(default_factory=Where)

    @property
    def author(self) -> str:
        """Return how the log names this person."""
        return f"user:{self.user}"

    def person(self) -> dict[str, Any]:
        """Return how frames name this person."""
        return {"conn": self.conn, "user": self.user, "name": self.name, "color": self.color}

    def presence(self) -> dict[str, Any]:
        """Return the person and where they are."""
        return {**self.person(), "role": self.role.label, **self.where.frame()}

    def send(self, frame: Mapping[str, Any]) -> None:
        """Send a frame to this page alone, not waiting for anything."""
        self.send_text(wire.encode(spoken(frame, self.language)))

    def send_text(self, text: str, key: str | None = None) -> None:
        """Send a frame that is encoded already."""
        if not self.closed:
            self.socket.send(text, key)

    def close(self, code: int) -> None:
        """Close the socket; nothing is sent to it any more."""
        if not self.closed:
            self.closed = True
            self.socket.close(code)
