"""The rooms that are open in this process: who opens them, keeps them ours, and closes them.

A room is loaded when somebody first enters, and closed when nobody was there and nothing ran for
IDLE_S. One task looks after all of them: every WATCH_S it asks whose access may have changed, every
second it renews all leases, each in one statement, in a thread that nothing else uses.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from webapp.lib import clock
from webapp.live import answers, codes, door, endpoints, loading, ownership, reading, sentences
from webapp.live.journal import Journal, Line
from webapp.live.ownership import OwnedElsewhere
from webapp.live.ports import Turns
from webapp.live.presence import Colors
from webapp.live.room import Room
from webapp.live.watching import Look, ModelWatch, look, roles_in

log = logging.getLogger(__name__)

IDLE_S: Final = 30.0
WATCH_S: Final = 0.4
FLUSH_S: Final = 0.05
"""For the close frames to leave before the server does."""
MakeTurns = Callable[[Room], Turns]


def _default_turns(room: Room) -> Turns:
    from webapp.live.turns import Turns as Driver

    return Driver(room)


class Hub:
    """One process's rooms, on one event loop."""

    def __init__(
        self,
        owner: str = "",
        make_turns: MakeTurns = _default_turns,
        idle_s: float = IDLE_S,
        model_status: Mapping[str, Path] | None = None,
    ) -> None:
        self.owner = owner or settings.FLINT_PROCESS
        self.loop = asyncio.get_running_loop()
        self.journal = Journal(self.loop)
        self.rooms: dict[str, Room] = {}
        self.models = ModelWatch(
            model_status or {tier: named["status_file"] for tier, named in settings.MODELS.items()}
        )
        self._make_turns = make_turns
        self._idle_s = idle_s
        self._empty_since_s: dict[str, float] = {}
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._closing: dict[str, asyncio.Task[None]] = {}
        self._tending: asyncio.Task[None] | None = None
        self._down = False

    async def enter(self, session_id: str) -> Room:
        """Return the session's room, opened if need be; raises OwnedElsewhere when it stays so.

        The caller adds its client before it awaits anything else.
        """
        while True:
            if self._down:
                raise OwnedElsewhere("nobody: this process ends", clock.now())
            closing = self._closing.get(session_id)
            if closing is not None:
                await asyncio.wait([closing])
                continue
            opening = self._opening.get(session_id)
            room = self.rooms.get(session_id)
            if room is not None and opening is None:
                return room
            if opening is None:
                opening = asyncio.create_task(self._open(session_id))
                self._opening[session_id] = opening
                opening.add_done_callback(lambda task: self._opening.pop(session_id, None))
            # A visitor who gives up must not take the room from the others who wait for it.
            room = await asyncio.shield(opening)
            if self.rooms.get(session_id) is room:
                return room

    async def _open(self, session_id: str) -> Room:
        epoch = await self._acquire(session_id)
        room: Room | None = None
        try:
            colors = Colors()
            loaded = await reading.read(partial(loading.load, session_id, colors))
            room = Room(
                loaded,
                self.journal,
                Line(session_id, self.owner, epoch),
                self._make_turns,
                colors=colors,
                lost=self._forget,
                models=self.models,
            )
            self.rooms[session_id] = room
            self._tend()
            await room.start()
        except BaseException:
            self.rooms.pop(session_id, None)
            if room is not None:
                room.shut(codes.RESTART)
            await reading.keep(partial(ownership.release, self.owner, {session_id: epoch}))
            raise
        return room

    async def _acquire(self, session_id: str) -> int:
        """Take the lease; wait for one that may be running out, but once only."""
        take = partial(ownership.acquire, session_id, self.owner)
        try:
            return await reading.keep(take)
        except OwnedElsewhere as held:
            rest_s = (held.frees_at - clock.now()).total_seconds()
            watched = held.renewed_at if rest_s >= ownership.LEASE_S else None
        await asyncio.sleep(min(max(0.0, rest_s), ownership.LEASE_S) + 0.05)
        return await reading.keep(partial(take, watched))

    def _forget(self, room: Room) -> None:
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]
        self._empty_since_s.pop(room.id, None)

    # Looking after the rooms.

    def _tend(self) -> None:
        if self._tending is None:
            self._tending = asyncio.create_task(self._tend_forever())
            _hook_reactor(self)

    async def _tend_forever(self) -> None:
        renewed_s = clock.monotonic()
        while True:
            await asyncio.sleep(WATCH_S)
            renew = clock.monotonic() - renewed_s >= ownership.RENEW_S - WATCH_S / 2
            if renew:
                renewed_s = clock.monotonic()
            rooms = dict(self.rooms)
            try:
                seen = await reading.keep(
                    partial(look, self.owner, {id: room.epoch for id, room in rooms.items()}, renew)
                )
                await self._apply(rooms, seen)
                self._close_idle()
                self._tell_model()
            except Exception:
                # Whatever it is: without this task every lease would run out.
                log.exception("Looking after the rooms failed; they go on, and it is tried again.")

    async def _apply(self, rooms: dict[str, Room], seen: Look) -> None:
        for id, room in rooms.items():
            if room.state == "closed":
                continue
            version = seen.access_versions.get(id)
            if id in seen.lost:
                room.lose()
            elif version is None:
                door.apply_roles(room, {})
            elif version != room.access_version:
                users = {client.user for client in room.clients.values()}
                roles = await reading.keep(partial(roles_in, id, users))
                choices = await reading.keep(partial(endpoints.choices_for, room.team_id))
                rules = await reading.keep(partial(loading.read_rules, id))
                room.access_version = version
                door.apply_roles(room, roles)
                room.choose_from(choices)
                room.keep_to(rules or room.rules)

    def _close_idle(self) -> None:
        now_s = clock.monotonic()
        for id, room in list(self.rooms.items()):
            is_busy = room.turns.running or room.turns.waits
            if room.clients or is_busy or room.state != "open":
                self._empty_since_s.pop(id, None)
            elif now_s - self._empty_since_s.setdefault(id, now_s) >= self._idle_s:
                self._start_closing(room)

    def _start_closing(self, room: Room, reason: str = "") -> asyncio.Task[None]:
        task = self._closing.get(room.id)
        if task is None:
            task = asyncio.create_task(self._close(room, reason))
            self._closing[room.id] = task
            task.add_done_callback(lambda done: self._closing.pop(room.id, None))
        return task

    async def _close(self, room: Room, reason: str) -> None:
        try:
            await room.close(reason)
        except Exception:
            log.exception("The session %s did not close well; the log has all of it.", room.id)
            room.shut(codes.RESTART)
        self._forget(room)
        await reading.keep(partial(ownership.release, self.owner, {room.id: room.epoch}))

    def _tell_model(self) -> None:
        for status in self.models.changed():
            frame = {"t": "model", "model": answers.model(status)}
            for room in self.rooms.values():
                room.send_all(frame, key=f"model:{status.tier}")

    async def shutdown(self) -> None:
        """Close every room, with what its turns have; give the leases back."""
        self._down = True
        for opening in list(self._opening.values()):
            opening.cancel()
        if self._tending is not None:
            self._tending.cancel()
        reason = sentences.RESTARTED
        closing = [self._start_closing(room, reason) for room in list(self.rooms.values())]
        await asyncio.gather(*closing, *self._closing.values(), return_exceptions=True)
        await endpoints.close_provider()
        await self.journal.close()
        await asyncio.sleep(FLUSH_S)
        reading.keep.close()
        reading.read.close()


_hub: Hub | None = None


def current() -> Hub:
    """Return this event loop's hub, made on first use."""
    global _hub
    if _hub is None or _hub.loop is not asyncio.get_running_loop():
        _hub = Hub()
    return _hub


def figures() -> dict[str, int]:
    """Return how many rooms, people and running turns this process has; from any thread."""
    rooms = list(_hub.rooms.values()) if _hub is not None else []
    return {
        "rooms": len(rooms),
        "people": sum(len(room.clients) for room in rooms),
        "turns": sum(room.turns.running for room in rooms),
    }


def use(hub: Hub) -> None:
    """Make `hub` the current one of its loop."""
    global _hub
    _hub = hub


def _hook_reactor(hub: Hub) -> None:
    """Shut down before Daphne's reactor stops: Daphne tells an application nothing of its end."""
    reactor: Any = sys.modules.get("twisted.internet.reactor")
    if reactor is None or not reactor.running:
        return
    from twisted.internet.defer import Deferred

    def stop() -> Any:
        return Deferred.fromFuture(asyncio.ensure_future(hub.shutdown()))

    reactor.addSystemEventTrigger("before", "shutdown", stop)
