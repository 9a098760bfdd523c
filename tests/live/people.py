"""Pages and turns for tests of the room: other implementations of its ports, no mocks."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from django.db import OperationalError

from tests.document.collab import CollabClient, Update
from webapp.document.changes import ChangeSet
from webapp.document.text import to_utf16
from webapp.engine.guard import Rules
from webapp.lib import ids
from webapp.live import door, wire
from webapp.live.clients import Client
from webapp.live.files import OpenFile
from webapp.live.room import Room
from webapp.pairing.access import Role


class QuietTurns:
    """Turns of a room in which nobody asks the model; notes what it was told."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.running = self.waits = False
        self.told: list[Any] = []
        self.failures = 0
        """How often `load` is still to fail, as it does when its settlement cannot be saved."""

    async def load(self) -> None:
        self.told.append("load")
        if self.failures:
            self.failures -= 1
            raise OperationalError("disk I/O error")

    def for_welcome(self) -> list[dict[str, Any]]:
        return []

    def waiting(self) -> dict[str, Any]:
        return {"held": False, "list": []}

    def prompt(self, client: Client, message: wire.Prompt) -> None:
        self.told.append(message)

    def redirect(self, client: Client, message: wire.Redirect) -> None:
        self.told.append(message)

    def followup(self, client: Client, message: wire.FollowUp) -> None:
        self.told.append(message)

    def outline(self, client: Client, message: wire.Outline) -> None:
        self.told.append(message)

    def warm(self, client: Client, message: wire.Warm) -> None:
        self.told.append(message)

    def stop(self, client: Client, message: wire.Stop) -> None:
        self.told.append(message)

    def keep(self, client: Client, message: wire.Keep) -> None:
        self.told.append(message)

    def answer(self, client: Client, message: wire.Answer) -> None:
        self.told.append(message)

    def keep_to(self, rules: Rules) -> None:
        self.told.append(rules)

    def took(self, turn: str, file: OpenFile) -> None:
        self.told.append(turn)

    def revert(self, client: Client, message: wire.Revert) -> None:
        self.told.append(message)

    def reset(self) -> None:
        self.told.append("reset")

    async def close(self, reason: str) -> None:
        self.told.append(f"close {reason}")


class Wire:
    """A socket that keeps what it was given."""

    def __init__(self) -> None:
        self.inbox: deque[dict[str, Any]] = deque()
        self.code: int | None = None

    def send(self, text: str, key: str | None = None) -> None:
        assert self.code is None
        self.inbox.append(json.loads(text))

    def close(self, code: int) -> None:
        self.code = code


class Page:
    """A browser's page: sends frames as text through the real decoder, handles what comes."""

    def __init__(
        self, room: Room, user: int, name: str = "Ann", role: Role = Role.PROMPT, client: str = ""
    ) -> None:
        self.room = room
        self.user, self.name, self.role = user, name, role
        self.id = client or ids.new_id()
        self.wire = Wire()
        self.client = door.enter(room, self.wire, user, name, role)

    def send(self, t: str, **fields: Any) -> None:
        """Send a frame."""
        self.room.receive(self.client, wire.decode(json.dumps({"t": t, **fields})))

    def hello(self) -> None:
        """Say hello."""
        self.send("hello", proto=1, client=self.id)

    def push(self, file: str, v: int, *changes: Any, first: int = 1, id: str = "p" * 20) -> None:
        """Push changes, counted from `first`."""
        updates = [{"n": first + i, "c": change} for i, change in enumerate(changes)]
        self.send("push", id=id, file=file, v=v, updates=updates)

    def take(self, *kinds: str) -> list[dict[str, Any]]:
        """Return what has arrived (of these kinds), and forget all of it."""
        frames = list(self.wire.inbox)
        self.wire.inbox.clear()
        return [frame for frame in frames if not kinds or frame["t"] in kinds]


class Typist(Page):
    """A page that edits one file as the browser does, over connections that come and go."""

    def __init__(self, room: Room, user: int, file: str, text: str) -> None:
        super().__init__(room, user)
        self.file = file
        self.collab = CollabClient(self.id, text)
        self.numbers: list[int] = []
        self.made: list[int] = []
        self.in_flight = ""
        self.sent: dict[str, Any] | None = None
        self.online = True
        self.hello()
        self.send("open", file=file, v=0)

    def edit(self, change: ChangeSet) -> None:
        """Type."""
        before = len(self.collab.unconfirmed)
        self.collab.edit(change)
        if len(self.collab.unconfirmed) > before:
            self.made.append(len(self.made) + 1)
            self.numbers.append(self.made[-1])

    def push_some(self, most: int) -> None:
        """Send up to so many unconfirmed edits, unless some are on their way."""
        if not self.online or self.in_flight or not self.numbers:
            return
        self.in_flight = ids.new_id()
        changes = [update.changes.to_json() for update in self.collab.sendable()[:most]]
        updates = [{"n": n, "c": c} for n, c in zip(self.numbers, changes, strict=False)]
        self.sent = {
            "id": self.in_flight,
            "file": self.file,
            "v": self.collab.version,
            "updates": updates,
        }
        self.send("push", **self.sent)

    def push_again(self) -> None:
        """Send the last push once more, as a network may."""
        if self.online and self.sent:
            self.send("push", **self.sent)

    def disconnect(self) -> None:
        """Lose the connection, and everything under way to the page."""
        if self.online:
            self.online = False
            self.client.closed = True
            door.leave(self.room, self.client)
            self.wire.inbox.clear()
            self.in_flight = ""
            self.sent = None

    def reconnect(self) -> None:
        """Come back under the same client id, with what the page holds."""
        if not self.online:
            self.online = True
            self.wire = Wire()
            self.client = door.enter(self.room, self.wire, self.user, self.name, self.role)
            self._greet()

    def handle(self, most: int) -> None:
        """Handle up to so many frames."""
        while most and self.wire.inbox:
            most -= 1
            self._handle(self.wire.inbox.popleft())

    def _greet(self) -> None:
        self.in_flight = ""
        self.sent = None
        self.hello()
        self.send("open", file=self.file, v=self.collab.version)

    def _handle(self, frame: dict[str, Any]) -> None:
        match frame["t"]:
            case "entry":
                self._receive(frame)
            case "entries":
                for offset, entry in enumerate(frame["list"]):
                    assert entry["v"] == frame["v"] + 1 + offset
                    self._receive(entry)
            case "pushed":
                if frame["id"] == self.in_flight:
                    self.in_flight = ""
            case "error":
                # Behind, or pushed before a resync was seen: it goes out again.
                assert frame["code"] in ("behind", "state"), frame
                if frame["id"] == self.in_flight:
                    self.in_flight = ""
            case "resync":
                self._greet()
            case "file" | "rejected":
                raise AssertionError(frame)

    def _receive(self, entry: dict[str, Any]) -> None:
        if entry["v"] <= self.collab.version:
            return
        assert entry["v"] == self.collab.version + 1
        if entry["client"] == self.id:
            assert entry["n"] == self.numbers.pop(0)
        change = ChangeSet.from_json(_split(entry["c"]), keep_cr=True)
        self.collab.receive(Update(entry["client"], change))


def _split(change: list[Any]) -> list[Any]:
    return [
        [part[0], *map(to_utf16, part[1:])] if isinstance(part, list) else part for part in change
    ]
