"""How long servers ask to wait."""

from datetime import UTC, datetime

import pytest

from webapp.engine.providers import waits
from webapp.lib import clock

NOW = datetime(2026, 1, 1, tzinfo=UTC)

HEADERS: dict[str, tuple[dict[str, str], float | None]] = {
    "seconds": ({"Retry-After": "7"}, 7.0),
    "milliseconds win": ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
    "a date": ({"Retry-After": "Thu, 01 Jan 2026 00:01:00 GMT"}, 60.0),
    "not a date": ({"Retry-After": "soon"}, None),
    "openai, requests used up": (
        {
            "x-ratelimit-remaining-requests": "0",
            "x-ratelimit-reset-requests": "1m2.5s",
            "x-ratelimit-remaining-tokens": "900",
            "x-ratelimit-reset-tokens": "6ms",
        },
        62.5,
    ),
    "openai, both used up": (
        {
            "x-ratelimit-remaining-requests": "0",
            "x-ratelimit-reset-requests": "2s",
            "x-ratelimit-remaining-tokens": "0",
            "x-ratelimit-reset-tokens": "1h0m1s",
        },
        3601.0,
    ),
    "neither is said to be used up": (
        {"x-ratelimit-reset-requests": "8.64s", "x-ratelimit-reset-tokens": "200ms"},
        0.2,
    ),
    "cerebras": (
        {
            "x-ratelimit-remaining-requests-day": "1439",
            "x-ratelimit-reset-requests-day": "33011.38",
            "x-ratelimit-remaining-tokens-minute": "0",
            "x-ratelimit-reset-tokens-minute": "11.38",
        },
        11.38,
    ),
    "epoch seconds": ({"X-RateLimit-Reset": str(NOW.timestamp() + 5)}, 5.0),
    "epoch milliseconds": ({"X-RateLimit-Reset": str(int(NOW.timestamp() * 1000) + 1500)}, 1.5),
    "past": ({"X-RateLimit-Reset": str(NOW.timestamp() - 5)}, 0.0),
    "rfc 3339": ({"anthropic-ratelimit-tokens-reset": "2026-01-01T00:00:09Z"}, 9.0),
    "ietf": ({"RateLimit-Reset": "50"}, 50.0),
    "days": ({"x-ratelimit-reset-requests": "2d"}, 86400.0),
    "nonsense": ({"x-ratelimit-reset-requests": "later"}, None),
    "none": ({}, None),
}


@pytest.mark.parametrize("name", HEADERS)
def test_headers(name: str) -> None:
    headers, seconds = HEADERS[name]
    with clock.held(clock.HeldClock(NOW)):
        assert waits.wait_asked(headers) == seconds


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("Please try again in 7.66s. Visit the limits page", 7.66),
        ("Please try again in 1m2.5s.", 62.5),
        ("Please try again in 6ms.", 0.006),
        ("Please retry in 32.1s.", 32.1),
        ("Limit 6000, Used 5800, Requested 900", None),
        ("try again later", None),
    ],
)
def test_words(said: str, seconds: float | None) -> None:
    assert waits.wait_asked({}, said) == seconds
    assert waits.wait_asked({"retry-after": "3"}, said) == 3.0
