"""Getting a model on this machine ready for a prompt that is likely to come.

Reading a prompt's beginning is most of what a local model takes, and its server keeps what it has
read. So that beginning is sent with an answer of one token asked for, and the answer thrown away.

This takes no permit and leaves no turn: it is nobody's prompt, it costs nobody anything (only what
the installation serves from this machine is warmed), it happens at most once in EVERY_S a room, and
any prompt ends it at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from webapp.engine.ports import Model, Request, Stream
from webapp.lib import clock
from webapp.live.endpoints import Choice

if TYPE_CHECKING:
    from webapp.live.room import Room

EVERY_S: Final = 3.0


class Warmer:
    """What one room has warmed last."""

    def __init__(self, room: Room, model: Callable[[], Model]) -> None:
        self._room = room
        self._model = model
        self._last: tuple[str, Request] | None = None
        self._asked_s = float("-inf")
        self._stream: Stream | None = None

    def ask(self, choice: Choice, request: Request) -> None:
        """Have the model read this, unless it did already, or something else just now."""
        now_s = clock.monotonic()
        if (choice.id, request) == self._last or now_s - self._asked_s < EVERY_S:
            return
        self.abort()
        self._last, self._asked_s = (choice.id, request), now_s
        self._stream = self._model().open(choice.endpoint, request)
        self._room.spawn(self._read(self._stream))

    def abort(self) -> None:
        """Let the model be free, now; what it will have read next is not known."""
        stream, self._stream = self._stream, None
        self._last = None
        if stream is not None:
            stream.abort()

    async def _read(self, stream: Stream) -> None:
        try:
            async for _ in stream.batches():
                pass
        finally:
            stream.abort()
            if self._stream is stream:
                self._stream = None
