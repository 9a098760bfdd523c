"""How long an upstream asks to wait: its headers in every style, else its words. Pure.

Known: `retry-after-ms` and `retry-after` (seconds or an HTTP date, RFC 9110 10.2.3);
`x-ratelimit-reset-requests: 1m2.5s` beside `x-ratelimit-remaining-requests` (OpenAI, Groq), the
same in plain seconds with a window's name behind (Cerebras), a moment in epoch seconds or
milliseconds (OpenRouter, others) or as RFC 3339; `ratelimit-reset` in seconds (IETF draft); and the
sentences "try again in 7.66s" and "retry in 32s".
"""

import email.utils
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from webapp.lib import clock

_LONGEST_WAIT_S: Final = 24 * 3600.0
_EPOCH_S: Final = 1e9
_EPOCH_MS: Final = 1e12
_UNITS_S: Final = {
    "d": 86400.0,
    "h": 3600.0,
    "m": 60.0,
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "ns": 1e-9,
}
_PART: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|us|µs|ns|d|h|m|s)")
_DURATION: Final = re.compile(f"(?:{_PART.pattern})+")
_SAID: Final = re.compile(
    r"(?:try again|retry|wait)\w*[^.\d]{0,20}?(\d[\d.]*\s*(?:ms|s|m|h|sec|min)[\w.]*)",
    re.IGNORECASE,
)


def wait_asked(headers: Mapping[str, str], said: str = "") -> float | None:
    """Return the seconds to wait that the answer asks for, at most a day, or None."""
    held = {name.lower(): value for name, value in headers.items()}
    if (ms := _number(held.get("retry-after-ms"))) is not None:
        return _bounded(ms / 1000)
    if (wait_s := retry_after(held.get("retry-after"))) is not None:
        return wait_s
    if (wait_s := _reset(held)) is not None:
        return wait_s
    if found := _SAID.search(said):
        return duration(re.sub(r"\s+", "", found[1]).rstrip(".").replace("sec", "s"))
    return None


def retry_after(value: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for: a number, or an HTTP date."""
    if not value:
        return None
    if (seconds := _number(value)) is not None:
        return _bounded(seconds)
    try:
        at = email.utils.parsedate_to_datetime(value)
        return _bounded((at - clock.now()).total_seconds())
    except (ValueError, TypeError):
        return None


def duration(value: str) -> float | None:
    """Return the seconds that `1m2.5s`, `6ms`, `33`, an epoch time or an RFC 3339 time means."""
    value = value.strip()
    if (number := _number(value)) is not None:
        if number >= _EPOCH_S:
            at_s = number / 1000 if number >= _EPOCH_MS else number
            return _bounded(at_s - clock.now().timestamp())
        return _bounded(number)
    if _DURATION.fullmatch(value):
        parts = _PART.findall(value)
        return _bounded(
            sum(float(count) * _UNITS_S[unit.replace("µ", "u")] for count, unit in parts)
        )
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return _bounded((at - clock.now()).total_seconds())


def _reset(held: Mapping[str, str]) -> float | None:
    """Return when the limit that is used up is reset; when none says it is, the first that is."""
    used_up: list[float] = []
    others: list[float] = []
    for name, value in held.items():
        if "ratelimit" not in name or "reset" not in name:
            continue
        if (wait_s := duration(value)) is not None:
            left = _number(held.get(name.replace("reset", "remaining")))
            (used_up if left is not None and left <= 0 else others).append(wait_s)
    if used_up:
        return max(used_up)
    return min(others, default=None)


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if number == number else None


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.0), _LONGEST_WAIT_S)
