"""How often pages hear of a running turn, and how fast it runs."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from webapp.lib import clock


class Throttle:
    """Calls a function at most once every `interval_s`: the first time at once, never too few."""

    def __init__(self, interval_s: float, act: Callable[[], None]) -> None:
        self.interval_s = interval_s
        self._act = act
        self._last_s = float("-inf")
        self._timer: asyncio.TimerHandle | None = None

    def ask(self) -> None:
        """Have it called soon."""
        if self._timer is not None:
            return
        wait_s = self._last_s + self.interval_s - clock.monotonic()
        if wait_s <= 0:
            self._call()
        else:
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._call)

    def end(self) -> None:
        """Let nothing be called any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._act = _nothing

    def _call(self) -> None:
        self._timer = None
        self._last_s = clock.monotonic()
        self._act()


def _nothing() -> None:
    return None


class Rate:
    """What came in over the last second, a second."""

    def __init__(self, window_s: float = 1.0) -> None:
        self._window_s = window_s
        self._seen: deque[tuple[float, float]] = deque()
        self._sum = 0.0
        self._began_s: float | None = None

    def add(self, amount: float) -> None:
        """Note that so much came now."""
        now_s = clock.monotonic()
        if self._began_s is None:
            self._began_s = now_s
        self._seen.append((now_s, amount))
        self._sum += amount
        self._forget(now_s)

    def per_s(self) -> float:
        """Return the rate; in the first second, over the time since the first arrival."""
        now_s = clock.monotonic()
        self._forget(now_s)
        if self._began_s is None:
            return 0.0
        span_s = min(self._window_s, now_s - self._began_s)
        return self._sum / span_s if span_s >= 0.05 else 0.0

    def _forget(self, now_s: float) -> None:
        while self._seen and self._seen[0][0] < now_s - self._window_s:
            self._sum -= self._seen.popleft()[1]
