"""How much one socket may send and ask: a token bucket of bytes. Pure but for the clock.

Work that a frame makes counts as bytes too, so that small frames that ask for much (a prompt's
outline of a large file) cannot hold the event loop for everybody else.

Daphne reads from a socket as fast as it comes and queues it for the consumer without limit.
"""

from __future__ import annotations

from typing import Final

from webapp.lib import clock

RATE_BYTES_PER_S: Final = 512 * 1024
BURST_BYTES: Final = 4 * 1024 * 1024
FRAME_BYTES: Final = 512
"""What a frame costs besides its own bytes: a flood of tiny ones is work too."""

CPU_BYTES_PER_S: Final = 2 * 1024 * 1024
"""What a second of this thread's work counts as: a quarter of it is what one socket may use."""


class Meter:
    """A bucket that starts full."""

    __slots__ = ("_at_s", "_burst_bytes", "_frame_bytes", "_left_bytes", "_rate")

    def __init__(
        self,
        rate: float = RATE_BYTES_PER_S,
        burst_bytes: float = BURST_BYTES,
        frame_bytes: float = FRAME_BYTES,
    ) -> None:
        self._rate = rate
        self._burst_bytes = burst_bytes
        self._frame_bytes = frame_bytes
        self._left_bytes = burst_bytes
        self._at_s = clock.monotonic()

    def charge(self, cpu_s: float) -> None:
        """Count the work that a frame made; the next `take` says whether that was too much."""
        self._left_bytes -= cpu_s * CPU_BYTES_PER_S

    def take(self, size_bytes: int) -> bool:
        """Count a frame in; False says that the socket sends more than it may."""
        now_s = clock.monotonic()
        earned = (now_s - self._at_s) * self._rate
        self._left_bytes = min(self._burst_bytes, self._left_bytes + earned)
        self._left_bytes -= size_bytes + self._frame_bytes
        self._at_s = now_s
        return self._left_bytes >= 0
