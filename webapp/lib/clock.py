"""The one source of time, so that tests can hold it.

`now` is for people and rows, `monotonic` for durations and deadlines, `cpu` for what work costs.
Nothing else in Flint reads a clock.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta


class Clock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the time of day, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds since an arbitrary moment; never goes back."""
        return time.monotonic()

    def cpu(self) -> float:
        """Return the seconds that this thread has computed."""
        return time.thread_time()


class HeldClock(Clock):
    """A clock that moves only when told to."""

    def __init__(self, start: datetime | None = None) -> None:
        self._start = start or datetime(2026, 1, 1, tzinfo=UTC)
        self._elapsed_s = 0.0

    def now(self) -> datetime:
        """Return the start plus what was advanced."""
        return self._start + timedelta(seconds=self._elapsed_s)

    def monotonic(self) -> float:
        """Return the seconds that were advanced."""
        return self._elapsed_s

    def cpu(self) -> float:
        """Return the seconds that were advanced: all of them were work."""
        return self._elapsed_s

    def advance(self, seconds: float) -> None:
        """Move on by `seconds`, which may not be negative."""
        if seconds < 0:
            raise ValueError(f"time does not go back: {seconds} s")
        self._elapsed_s += seconds


_clock = Clock()


def now() -> datetime:
    """Return the time of day, in UTC."""
    return _clock.now()


def monotonic() -> float:
    """Return seconds since an arbitrary moment; never goes back."""
    return _clock.monotonic()


def cpu() -> float:
    """Return the seconds that this thread has computed, for what work costs."""
    return _clock.cpu()


@contextmanager
def held(clock: Clock) -> Iterator[Clock]:
    """Use `clock` in place of the machine's, for the length of a test."""
    global _clock
    before, _clock = _clock, clock
    try:
        yield clock
    finally:
        _clock = before
