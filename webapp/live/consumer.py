"""One socket, in and out, and who it is. No logic: frames become messages and go to the room.

The loop is our own. Channels' waits for the one shared database thread before every frame, so that
somebody's slow query would hold up everybody's keystrokes, and makes a task for each.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from functools import partial
from typing import Final

from autobahn.exception import Disconnected
from channels.consumer import AsyncConsumer

from webapp.lib import clock
from webapp.live import answers, codes, door, hub, reading, wire
from webapp.live.clients import Client
from webapp.live.languages import language_of
from webapp.live.meter import Meter
from webapp.live.origins import Receive, Scope, Send
from webapp.live.outbox import Outbox
from webapp.live.ownership import OwnedElsewhere
from webapp.live.room import Room
from webapp.pairing import access
from webapp.teams.models import User

log = logging.getLogger(__name__)

FAIR_FRAMES: Final = 32
"""After how many frames of one socket the others have their turn."""


class SessionConsumer(AsyncConsumer):
    """A page's socket into a session."""

    def __init__(self) -> None:
        self.outbox = Outbox()
        self.meter = Meter()
        self.room: Room | None = None
        self.client: Client | None = None
        self._code: int | None = None
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the socket until it is gone."""
        self.scope = scope
        self.base_send = send
        try:
            for count in itertools.count(1):
                if count % FAIR_FRAMES == 0:
                    await asyncio.sleep(0)  # frames that wait already are received without a pause
                message = await receive()
                kind = message["type"]
                if kind == "websocket.receive":
                    self._receive(message.get("text"), message.get("bytes"))
                elif kind == "websocket.connect":
                    await self._connect()
                elif kind == "websocket.disconnect":
                    break
        except asyncio.CancelledError:
            # Daphne ends. The hub closes the socket, once what was sent here is durable.
            if self.client is None:
                self._leave()
            raise
        except BaseException:
            self._leave()
            raise
        self._leave()

    async def _connect(self) -> None:
        """Let the person in, or accept and close: only then the page sees the code."""
        await self.base_send({"type": "websocket.accept"})
        self._writer = asyncio.create_task(self._write())
        user = self.scope["user"]
        if not isinstance(user, User):
            self.close(codes.NOT_SIGNED_IN)
            return
        try:
            slug = self.scope["url_route"]["kwargs"]["slug"]
            session, role = await reading.read(partial(access.session_for, user, slug))
            self.room = await hub.current().enter(session.pk)
        except access.NotFound:
            self.close(codes.NOT_FOUND)
        except OwnedElsewhere:
            self.close(codes.MOVED)
        except Exception:
            log.exception("A session could not be opened.")
            self.close(codes.RESTART)
        else:
            self.client = door.enter(
                self.room, self, user.pk, user.display_name, role, language_of(self.scope)
            )

    def _receive(self, text: str | None, binary: bytes | None) -> None:
        client, room = self.client, self.room
        if client is None or room is None or client.closed:
            return
        size_bytes = len(binary or b"") if text is None else wire.size_bytes(text)
        if not self.meter.take(size_bytes):
            client.send(answers.error("flood"))
            door.dismiss(room, client, codes.FLOOD)
            return
        if text is None:
            client.send(answers.error("json"))
            return
        try:
            message = wire.decode(text)
        except wire.WireError as refused:
            client.send(answers.error(refused.code, refused.id))
            return
        if isinstance(message, wire.Ack):
            if self.outbox.acknowledge(message.bytes):
                self._wake.set()
            else:
                client.send(answers.error("shape"))
            return
        begun_s = clock.cpu()
        room.receive(client, message)
        self.meter.charge(clock.cpu() - begun_s)

    def send(self, text: str, key: str | None = None) -> None:
        """Queue a frame; a page that is too slow for what happens here is closed."""
        if self.outbox.put(text, key):
            self._wake.set()
        elif self.client is not None and self.room is not None:
            door.dismiss(self.room, self.client, codes.TOO_SLOW)

    def close(self, code: int) -> None:
        """Close the socket; what is queued is dropped."""
        if self._code is None:
            self._code = code
            self._wake.set()

    async def _write(self) -> None:
        """Send what the credit allows, until the socket closes."""
        while self._code is None:
            text = self.outbox.take()
            if text is None:
                self._wake.clear()
                await self._wake.wait()
                continue
            try:
                await self.base_send({"type": "websocket.send", "text": text})
            except Disconnected:
                return  # the socket closed; that is on its way to the loop above
            except Exception:
                # A page that hears nothing more must not look connected.
                log.exception("A frame of %d bytes could not be sent.", len(text))
                self.close(codes.RESTART)
        await self.base_send({"type": "websocket.close", "code": self._code})

    def _leave(self) -> None:
        if self._writer is not None:
            self._writer.cancel()
        if self.client is not None and self.room is not None:
            self.client.closed = True
            door.leave(self.room, self.client)
