"""What an upstream's error reply says, in whatever shape: its words and its status.

Its words are shortened, on one line and with the key taken out, because error texts echo keys and
prompts.
"""

import re
from typing import Any, Final

from webapp.engine.ports import Endpoint

_DETAIL_CHARS: Final = 300
_STATUSES: Final = {
    "authentication_error": 401,
    "invalid_api_key": 401,
    "wrong_api_key": 401,
    "insufficient_quota": 429,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "too_many_requests_error": 429,
    "model_not_found": 404,
    "context_length_exceeded": 413,
    "exceed_context_size_error": 413,
    "internal_server_error": 500,
    "server_error": 500,
    "over_capacity": 503,
    "overloaded_error": 503,
    "service_unavailable": 503,
}
"""What names in `code` or `type` stand for, where no number is given."""


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


def status_in(error: Any) -> int:
    """Return the HTTP status that an error inside a stream names or implies, or 0."""
    if not isinstance(error, dict):
        return _STATUSES.get(error, 0) if isinstance(error, str) else 0
    for key in ("code", "status", "status_code"):
        value = error.get(key)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) == 3:
            return int(value)
        if isinstance(value, int) and 400 <= value < 600:
            return value
    if inner := status_in(error.get("error")):
        return inner
    names = (error.get(key) for key in ("code", "type"))
    return next((_STATUSES[n] for n in names if isinstance(n, str) and n in _STATUSES), 0)
