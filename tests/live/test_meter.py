"""The byte meter of a socket."""

from __future__ import annotations

from webapp.lib import clock
from webapp.live.meter import Meter


def test_a_burst_passes_and_what_goes_on_faster_than_the_rate_does_not() -> None:
    with clock.held(time := clock.HeldClock()):
        meter = Meter(rate=100, burst_bytes=1_000, frame_bytes=0)
        assert all(meter.take(100) for _ in range(10))
        assert not meter.take(1)
        time.advance(1)
        assert meter.take(99)
        assert not meter.take(1)


def test_a_bucket_never_holds_more_than_the_burst() -> None:
    with clock.held(time := clock.HeldClock()):
        meter = Meter(rate=100, burst_bytes=1_000, frame_bytes=0)
        time.advance(3_600)
        assert meter.take(1_000)
        assert not meter.take(1)


def test_tiny_frames_are_counted_as_the_work_they_are() -> None:
    with clock.held(clock.HeldClock()):
        meter = Meter(rate=100, burst_bytes=1_000, frame_bytes=99)
        assert sum(meter.take(1) for _ in range(100)) == 10
