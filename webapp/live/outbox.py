"""A bounded, ordered queue of frames for one socket, with a credit window. Pure.

Daphne takes whatever it is given and buffers it without limit, so what is under way to a page is
counted here: at most `credit_bytes` that the page has not acknowledged, then frames wait in the
queue. A frame with a key makes an older one of the same key, still waiting, superfluous; the newer
stands at its own place in the order, since it may tell of what came between. What never overflows
is never lost and never out of order.

Turned down: dropping frames of a slow page, as a replica with a hole is worse than a reconnect.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

CREDIT_BYTES: Final = 1024 * 1024
QUEUE_BYTES: Final = 4 * 1024 * 1024
QUEUE_FRAMES: Final = 2_000


class Outbox:
    """Frames on their way to one page; texts are ASCII, so their length is their size in bytes."""

    __slots__ = (
        "_acked_bytes",
        "_by_key",
        "_credit_bytes",
        "_frames",
        "_max_bytes",
        "_max_frames",
        "_next",
        "_sent_bytes",
        "queued_bytes",
    )

    def __init__(
        self,
        credit_bytes: int = CREDIT_BYTES,
        max_bytes: int = QUEUE_BYTES,
        max_frames: int = QUEUE_FRAMES,
    ) -> None:
        self._credit_bytes = credit_bytes
        self._max_bytes = max_bytes
        self._max_frames = max_frames
        self._frames: OrderedDict[int, tuple[str, str | None]] = OrderedDict()
        self._by_key: dict[str, int] = {}
        self._next = 0
        self._sent_bytes = 0
        self._acked_bytes = 0
        self.queued_bytes = 0

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def unacknowledged_bytes(self) -> int:
        """Return what was taken and is not known to be handled."""
        return self._sent_bytes - self._acked_bytes

    def put(self, text: str, key: str | None = None) -> bool:
        """Queue a frame; False says that the queue was full already, and the socket must close.

        A single frame may be larger than the queue, so that any file can be opened.
        """
        if key is not None:
            older = self._by_key.pop(key, None)
            if older is not None:
                self.queued_bytes -= len(self._frames.pop(older)[0])
        if self.queued_bytes > self._max_bytes or len(self._frames) >= self._max_frames:
            return False
        if key is not None:
            self._by_key[key] = self._next
        self._frames[self._next] = (text, key)
        self._next += 1
        self.queued_bytes += len(text)
        return True

    def take(self) -> str | None:
        """Return the next frame to send, or None when there is none or the credit is used up."""
        if not self._frames or self.unacknowledged_bytes >= self._credit_bytes:
            return None
        _, (text, key) = self._frames.popitem(last=False)
        if key is not None:
            del self._by_key[key]
        self.queued_bytes -= len(text)
        self._sent_bytes += len(text)
        return text

    def acknowledge(self, total_bytes: int) -> bool:
        """Note that the page has handled so much since the start; False when that cannot be."""
        if total_bytes > self._sent_bytes:
            return False
        self._acked_bytes = max(self._acked_bytes, total_bytes)
        return True
