"""How often pages hear of a turn, and how fast it runs."""

from __future__ import annotations

import asyncio

import pytest

from webapp.lib import clock
from webapp.lib.clock import HeldClock
from webapp.live.progress import Rate, Throttle


def test_the_rate_is_that_of_the_last_second() -> None:
    held = HeldClock()
    with clock.held(held):
        rate = Rate()
        assert rate.per_s() == 0.0
        for _ in range(30):
            rate.add(10)
            held.advance(0.1)
        assert rate.per_s() == pytest.approx(100, rel=0.15)
        held.advance(2)
        assert rate.per_s() == 0.0


def test_in_the_first_second_it_is_that_since_the_beginning() -> None:
    held = HeldClock()
    with clock.held(held):
        rate = Rate()
        rate.add(10)
        held.advance(0.1)
        rate.add(10)
        assert rate.per_s() == pytest.approx(200)


async def test_the_first_call_comes_at_once_and_the_last_is_not_lost() -> None:
    calls: list[float] = []
    done = asyncio.Event()

    def act() -> None:
        calls.append(clock.monotonic())
        if len(calls) == 2:
            done.set()

    throttle = Throttle(0.02, act)
    for _ in range(5):
        throttle.ask()
    assert len(calls) == 1
    await done.wait()
    assert calls[1] - calls[0] >= 0.019


async def test_after_the_end_nothing_is_called() -> None:
    calls: list[int] = []
    throttle = Throttle(0.0, lambda: calls.append(1))
    throttle.end()
    throttle.ask()
    assert calls == []
