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
LARGE_BYTES: Final = 256 * 1024
"""From here on a frame is a whole file that the page asked for, or the like."""
LARGE_QUEUE_BYTES: Final = 32 * 1024 * 1024


class Outbox:
    """Frames on their way to one page; texts are ASCII, so their length is their size in bytes."""

    __slots__ = (
        "_acked_bytes",
        "_by_key",
        "_credit_bytes",
        "_frames",
        "_large_bytes",
        "_max_bytes",
        "_max_frames",
        "_max_large_bytes",
        "_next",
        "_sent_bytes",
        "queued_bytes",
    )

    def __init__(
        self,
        credit_bytes: int = CREDIT_BYTES,
        max_bytes: int = QUEUE_BYTES,
        max_frames: int = QUEUE_FRAMES,
        max_large_bytes: int = LARGE_QUEUE_BYTES,
    ) -> None:
        self._credit_bytes = credit_bytes
        self._max_bytes = max_bytes
        self._max_frames = max_frames
        self._max_large_bytes = max_large_bytes
        self._frames: OrderedDict[int, tuple[str, str | None]] = OrderedDict()
        self._by_key: dict[str, int] = {}
        self._next = 0
        self._sent_bytes = 0
        self._acked_bytes = 0
        self._large_bytes = 0
        self.queued_bytes = 0
        """What waits, but for large frames."""

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def unacknowledged_bytes(self) -> int:
        """Return what was taken and is not known to be handled."""
        return self._sent_bytes - self._acked_bytes

    def put(self, text: str, key: str | None = None) -> bool:
        """Queue a frame; False says that the queue was full already, and the socket must close.

        Large frames have an allowance of their own, so that a page that comes back with several
        large files open is not taken for one that does not read.
        """
        if key is not None:
            older = self._by_key.pop(key, None)
            if older is not None:
                self._count(self._frames.pop(older)[0], -1)
        if (
            self.queued_bytes > self._max_bytes
            or self._large_bytes > self._max_large_bytes
            or len(self._frames) >= self._max_frames
        ):
            return False
        if key is not None:
            self._by_key[key] = self._next
        self._frames[self._next] = (text, key)
        self._next += 1
        self._count(text, 1)
        return True

    def take(self) -> str | None:
        """Return the next frame to send, or None when there is none or the credit is used up."""
        if not self._frames or self.unacknowledged_bytes >= self._credit_bytes:
            return None
        _, (text, key) = self._frames.popitem(last=False)
        if key is not None:
            del self._by_key[key]
        self._count(text, -1)
        self._sent_bytes += len(text)
        return text

    def _count(self, text: str, sign: int) -> None:
        if len(text) < LARGE_BYTES:
            self.queued_bytes += sign * len(text)
        else:
            self._large_bytes += sign * len(text)

    def acknowledge(self, total_bytes: int) -> bool:
        """Note that the page has handled so much since the start; False when that cannot be."""
        if total_bytes > self._sent_bytes:
            return False
        self._acked_bytes = max(self._acked_bytes, total_bytes)
        return True
