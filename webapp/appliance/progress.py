"""How far a download is, how fast, and how long it still takes. Pure but for the clock.

The rate is that of the last few seconds, so that it follows the line and a pause shows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from webapp.lib import clock

WINDOW_S = 5.0
EVERY_S = 0.25


@dataclass(frozen=True, slots=True)
class Progress:
    """One look at a download; sizes in bytes. `eta_s` is None while nothing arrives."""

    done_bytes: int
    total_bytes: int
    bytes_per_s: float
    eta_s: float | None

    @property
    def percent(self) -> int:
        """Whole percents, rounded down: 100 means that everything is here."""
        return self.done_bytes * 100 // self.total_bytes if self.total_bytes else 0


class Meter:
    """Turns byte counts into Progress: the first that arrives is passed on at once, the others at
    most four times a second."""

    def __init__(self, total_bytes: int, report: Callable[[Progress], None]) -> None:
        self._total_bytes = total_bytes
        self._report = report
        self._samples: deque[tuple[float, int]] = deque()
        self._next_at_s = 0.0

    def at(self, done_bytes: int) -> None:
        """Say how many bytes are here by now; fewer than before means that it began anew."""
        now_s = clock.monotonic()
        if len(self._samples) > 1 and now_s < self._next_at_s and done_bytes < self._total_bytes:
            return
        self._next_at_s = now_s + EVERY_S
        if self._samples and done_bytes < self._samples[-1][1]:
            self._samples.clear()
        self._samples.append((now_s, done_bytes))
        while len(self._samples) > 2 and self._samples[1][0] <= now_s - WINDOW_S:
            self._samples.popleft()
        first_s, first_bytes = self._samples[0]
        # Over less time than that it would be a guess, and the time left with it.
        took_s = now_s - first_s
        rate = (done_bytes - first_bytes) / took_s if took_s >= EVERY_S else 0.0
        left = max(0, self._total_bytes - done_bytes)
        self._report(
            Progress(
                done_bytes=min(done_bytes, self._total_bytes),
                total_bytes=self._total_bytes,
                bytes_per_s=rate,
                eta_s=left / rate if rate > 0 else None,
            )
        )


def sentence(progress: Progress) -> str:
    """Return it for the terminal: MB, rate and time left."""
    text = (
        f"{progress.percent:3d} %, {progress.done_bytes / 1e6:.0f} of "
        f"{progress.total_bytes / 1e6:.0f} MB"
    )
    if progress.bytes_per_s > 0:
        text += f", {progress.bytes_per_s / 1e6:.1f} MB/s"
    if progress.eta_s is not None:
        text += f", {_duration(progress.eta_s)} left"
    return text


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
