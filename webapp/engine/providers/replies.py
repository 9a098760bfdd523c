"""What an upstream's error reply says, in whatever shape: its words, its status, its wait.

Its words are shortened, on one line and with the key taken out, because error texts echo keys and
prompts.
"""

import contextlib
import email.utils
import re
from typing import Any

from webapp.engine.ports import Endpoint
from webapp.lib import clock

_DETAIL_CHARS = 300
_LONGEST_WAIT_S = 24 * 3600.0


def words_of(body: Any) -> str:
    """Return the text of an error body in any of the shapes servers use, or ''.

    Known shapes: `{"error": {"message", "code", "type"}}`, `{"error": "text"}`, `{"message"}`,
    `{"detail": "text"}`, `{"detail": [{"msg"}]}`, and a list around any of them.
    """
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        return "; ".join(filter(None, (words_of(item) for item in body[:3])))
    if not isinstance(body, dict):
        return ""
    for key in ("error", "message", "detail", "msg"):
        if text := words_of(body.get(key)):
            marks = [str(body[k]) for k in ("code", "type") if isinstance(body.get(k), str)]
            return " ".join([text, *(f"({m})" for m in marks if m not in text)])
    return next((str(body[k]) for k in ("code", "type") if isinstance(body.get(k), str)), "")


def tidy(text: str, endpoint: Endpoint) -> str:
    """Return `text` fit to show: one line, at most 300 characters, the key taken out."""
    if endpoint.api_key:
        text = text.replace(endpoint.api_key, "[key]")
    text = re.sub(r"\b(sk|key|pk|gsk|xai)-[\w*.-]{6,}", "[key]", text)
    text = re.sub(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+", " ", text).strip()
    return text if len(text) <= _DETAIL_CHARS else text[: _DETAIL_CHARS - 1] + "…"


def retry_after(value: str | None) -> float | None:
    """Return the seconds a Retry-After header asks for: a number, or an HTTP date."""
    if not value:
        return None
    seconds: float | None = None
    with contextlib.suppress(ValueError):
        seconds = float(value)
    if seconds is None:
        with contextlib.suppress(ValueError, TypeError):
            at = email.utils.parsedate_to_datetime(value)
            seconds = (at - clock.now()).total_seconds()
    if seconds is None or seconds != seconds:
        return None
    return min(max(seconds, 0.0), _LONGEST_WAIT_S)


def status_in(error: Any) -> int:
    """Return the HTTP status that an error inside a stream names, or 0."""
    if not isinstance(error, dict):
        return 0
    for key in ("code", "status", "status_code"):
        value = error.get(key)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) == 3:
            return int(value)
        if isinstance(value, int) and 400 <= value < 600:
            return value
    return status_in(error.get("error"))
