"""The byte meter of a socket."""

from __future__ import annotations

from webapp.lib import clock
from webapp.live.meter import BURST_BYTES, CPU_BYTES_PER_S, RATE_BYTES_PER_S, Meter


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


def test_work_counts_and_a_fifth_of_a_thread_may_go_on_for_ever() -> None:
    with clock.held(time := clock.HeldClock()):
        meter = Meter()
        for _ in range(1000):
            meter.charge(0.1)
            time.advance(0.5)
            assert meter.take(0)
        meter.charge(2 * BURST_BYTES / CPU_BYTES_PER_S)
        assert not meter.take(0)
        time.advance(BURST_BYTES / RATE_BYTES_PER_S + 1)
        assert meter.take(0)
