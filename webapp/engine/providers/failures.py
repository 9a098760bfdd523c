"""What went wrong with an upstream, as `Failed` values whose sentences say what to do next.

Pure: statuses, bodies and exceptions in, values out. The server's own words are kept in `detail`,
shortened, on one line and with the key taken out, because error texts echo keys and prompts.
The HTML pages that gateways send instead of JSON are dropped.
"""

import contextlib
import email.utils
import json
import re
import ssl
from typing import Any, Final

import aiohttp

from webapp.engine.ports import Endpoint, Failed, FailureCode
from webapp.lib import clock

ABORTED: Final = Failed(FailureCode.ABORTED, "The request was stopped.")

_DETAIL_CHARS = 300
_LONGEST_WAIT_S = 24 * 3600.0
_TOO_LARGE = re.compile(
    r"context.{0,20}(length|size|window)|too (long|large)|maximum context", re.IGNORECASE
)
_NO_MODEL = re.compile(r"\bmodel", re.IGNORECASE)
_NO_QUOTA = re.compile(r"insufficient_quota|quota|billing|credit|balance", re.IGNORECASE)


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


def from_status(endpoint: Endpoint, status: int, body: bytes, wait: str | None) -> Failed:
    """Return the failure that an HTTP answer other than 200 means."""
    said = ""
    with contextlib.suppress(ValueError, RecursionError):
        said = words_of(json.loads(body))
    if not said and body.lstrip()[:1] != b"<":
        said = body[:2000].decode("utf-8", "replace")
    wait_s = retry_after(wait)
    code, sentence, can_retry = _status(endpoint, status, said)
    if wait_s is not None and can_retry:
        sentence += f" It asks to wait {wait_s:.0f} s."
    return _failed(endpoint, code, sentence, said, wait_s, can_retry)


def _status(endpoint: Endpoint, status: int, said: str) -> tuple[FailureCode, str, bool]:
    label = endpoint.label
    if status in (401, 403):
        text = f"{label} refused the key. Check the key of this endpoint and what it may use."
        return FailureCode.UNAUTHORIZED, text, False
    if status == 404 and _NO_MODEL.search(said):
        text = f'{label} has no model named "{endpoint.model}". Choose a model it offers.'
        return FailureCode.UNKNOWN_MODEL, text, False
    if status in (404, 405):
        text = (
            f"{label} has no chat completions at {endpoint.base_url}. "
            "Check the address of this endpoint; it usually ends in /v1."
        )
        return FailureCode.NOT_FOUND, text, False
    if status == 402 or (status == 429 and _NO_QUOTA.search(said)):
        text = f"The account at {label} has no credit left. Add credit there, or use another model."
        return FailureCode.QUOTA, text, False
    if status == 429:
        text = f"{label} limits how fast requests may come. Try again in a moment."
        return FailureCode.RATE_LIMITED, text, True
    if status == 413 or (status in (400, 422) and _TOO_LARGE.search(said)):
        text = (
            f"The request is larger than {label} can read. "
            "Select a smaller part of the file, or use a model with a larger context."
        )
        return FailureCode.TOO_LARGE, text, False
    if 300 <= status < 400:
        text = (
            f"{label} answered with a redirect, which Flint does not follow. "
            "Set the address that it redirects to."
        )
        return FailureCode.REDIRECTED, text, False
    if status in (502, 503, 504, 529):
        text = f"{label} is overloaded or starting (HTTP {status}). Try again in a moment."
        return FailureCode.OVERLOADED, text, True
    if status >= 500 or status in (408, 409, 425):
        text = f"{label} failed with HTTP {status}. Try again; if it stays, look at its logs."
        return FailureCode.UPSTREAM_ERROR, text, True
    text = f"{label} did not accept the request (HTTP {status}). Check the model and its settings."
    return FailureCode.BAD_REQUEST, text, False


def from_stream(endpoint: Endpoint, error: Any) -> Failed:
    """Return the failure that an error inside a stream means."""
    said = words_of(error)
    status = _number(error)
    if status >= 400:
        code, sentence, can_retry = _status(endpoint, status, said)
    elif _TOO_LARGE.search(said):
        code, sentence, can_retry = _status(endpoint, 413, said)
    else:
        code, can_retry = FailureCode.UPSTREAM_ERROR, True
        sentence = f"{endpoint.label} reported an error in mid-answer. Try again."
    return _failed(endpoint, code, sentence, said, None, can_retry)


def _number(error: Any) -> int:
    if not isinstance(error, dict):
        return 0
    for key in ("code", "status", "status_code"):
        value = error.get(key)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) == 3:
            return int(value)
        if isinstance(value, int) and 400 <= value < 600:
            return value
    return _number(error.get("error"))


def from_exception(endpoint: Endpoint, error: BaseException, *, answered: bool) -> Failed:
    """Return the failure that an exception of the HTTP client means.

    `answered` says whether the server had begun its answer.
    """
    label, address = endpoint.label, endpoint.base_url
    retry = False
    if isinstance(error, aiohttp.InvalidURL | aiohttp.NonHttpUrlClientError):
        code = FailureCode.BAD_ADDRESS
        text = f'"{address}" is no web address. Write it like https://host.example/v1.'
    elif isinstance(error, aiohttp.ClientConnectorDNSError):
        code, retry = FailureCode.DNS, True
        text = f"The name in {address} was not found. Check the address and this machine's network."
    elif isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        code = FailureCode.TLS
        text = (
            f"No secure connection to {address} could be made. "
            "Check its certificate, and whether the address should begin with http or https."
        )
    elif isinstance(error, aiohttp.ClientConnectorError):
        retry = True
        if isinstance(error.os_error, ConnectionRefusedError):
            code = FailureCode.REFUSED
            text = f"Nothing answers at {address}. Start the model server, or check the address."
        elif isinstance(error.os_error, TimeoutError):
            return connect_timeout(endpoint)
        else:
            code = FailureCode.UNREACHABLE
            text = f"{address} cannot be reached. Check this machine's network and the address."
    elif isinstance(error, aiohttp.ServerTimeoutError):
        return connect_timeout(endpoint)
    else:
        code, retry = FailureCode.CUT, True
        said = "in mid-answer" if answered else "before it answered"
        text = f"{label} closed the connection {said}. Try again."
    return _failed(endpoint, code, text, str(error), None, retry)


def bad_key(endpoint: Endpoint) -> Failed:
    """Return the failure of a key that cannot be sent."""
    text = (
        f"The key of {endpoint.label} holds characters that no key has. "
        "Copy it again, without spaces or line breaks."
    )
    return Failed(FailureCode.UNAUTHORIZED, text)


def connect_timeout(endpoint: Endpoint) -> Failed:
    """Return the failure of a connection that was not made in time."""
    text = f"{endpoint.base_url} did not answer in time. Check the address and the network."
    return Failed(FailureCode.CONNECT_TIMEOUT, text, can_retry=True)


def first_token_timeout(endpoint: Endpoint, limit_s: float) -> Failed:
    """Return the failure of an answer that never began."""
    text = (
        f"{endpoint.label} sent no token within {limit_s:.0f} s. "
        "Try again, with a smaller file or selection if it stays so."
    )
    return Failed(FailureCode.FIRST_TOKEN_TIMEOUT, text, can_retry=True)


def idle_timeout(endpoint: Endpoint, limit_s: float) -> Failed:
    """Return the failure of an answer that stood still."""
    text = f"{endpoint.label} sent nothing for {limit_s:.0f} s in mid-answer. Try again."
    return Failed(FailureCode.IDLE_TIMEOUT, text, can_retry=True)


def cut(endpoint: Endpoint) -> Failed:
    """Return the failure of an answer that ended without saying so."""
    text = f"The answer of {endpoint.label} broke off. Try again."
    return Failed(FailureCode.CUT, text, can_retry=True)


def not_a_stream(endpoint: Endpoint, content_type: str, body: bytes) -> Failed:
    """Return the failure of an answer that is no event stream."""
    with contextlib.suppress(ValueError, RecursionError):
        parsed = json.loads(body)
        if isinstance(parsed, dict) and "error" in parsed:
            return from_stream(endpoint, parsed)
    text = (
        f"{endpoint.label} answered with {content_type or 'no content type'} instead of a stream. "
        "Check the address of this endpoint, and that the server streams chat completions."
    )
    return _failed(endpoint, FailureCode.NOT_A_STREAM, text, "", None, False)


def bad_stream(endpoint: Endpoint, why: str) -> Failed:
    """Return the failure of a stream that does not follow the protocol."""
    text = f"{endpoint.label} sent a stream that cannot be read. Check that it is compatible."
    return _failed(endpoint, FailureCode.BAD_STREAM, text, why, None, False)


def _failed(
    endpoint: Endpoint,
    code: FailureCode,
    text: str,
    detail: str,
    retry_after_s: float | None,
    can_retry: bool,
) -> Failed:
    return Failed(code, text, retry_after_s, can_retry, tidy(detail, endpoint))
