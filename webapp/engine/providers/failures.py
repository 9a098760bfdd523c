"""What went wrong with an upstream, as `Failed` values whose sentences say what to do next.

Pure: statuses, bodies and exceptions in, values out. The server's own words (`replies.py`) are kept
in `detail` and are never translated. The HTML pages that gateways send instead of JSON are dropped.
"""

import contextlib
import json
import re
import ssl
from typing import Any, Final

import aiohttp

from webapp.engine.ports import Endpoint, Failed, FailureCode
from webapp.engine.providers.replies import retry_after, status_in, tidy, words_of
from webapp.lib.sentences import Sentence, gettext_noop

ABORTED: Final = Failed(FailureCode.ABORTED, Sentence(gettext_noop("The request was stopped.")))

_TOO_LARGE = re.compile(
    r"context.{0,20}(length|size|window)|too (long|large)|maximum context", re.IGNORECASE
)
_NO_MODEL = re.compile(r"\bmodel", re.IGNORECASE)
_NO_QUOTA = re.compile(r"insufficient_quota|quota|billing|credit|balance", re.IGNORECASE)


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
        sentence = Sentence(
            gettext_noop("%(problem)s It asks to wait %(seconds)s s."),
            problem=sentence,
            seconds=f"{wait_s:.0f}",
        )
    return _failed(endpoint, code, sentence, said, wait_s, can_retry)


def _status(endpoint: Endpoint, status: int, said: str) -> tuple[FailureCode, Sentence, bool]:
    label = endpoint.label
    if status in (401, 403):
        text = Sentence(
            gettext_noop(
                "%(label)s refused the key. Check the key of this endpoint and what it may use."
            ),
            label=label,
        )
        return FailureCode.UNAUTHORIZED, text, False
    if status == 404 and _NO_MODEL.search(said):
        text = Sentence(
            gettext_noop('%(label)s has no model named "%(model)s". Choose a model it offers.'),
            label=label,
            model=endpoint.model,
        )
        return FailureCode.UNKNOWN_MODEL, text, False
    if status in (404, 405):
        text = Sentence(
            gettext_noop(
                "%(label)s has no chat completions at %(address)s. "
                "Check the address of this endpoint; it usually ends in /v1."
            ),
            label=label,
            address=endpoint.base_url,
        )
        return FailureCode.NOT_FOUND, text, False
    if status == 402 or (status == 429 and _NO_QUOTA.search(said)):
        text = Sentence(
            gettext_noop(
                "The account at %(label)s has no credit left. Add credit there, or use another"
                " model."
            ),
            label=label,
        )
        return FailureCode.QUOTA, text, False
    if status == 429:
        text = Sentence(
            gettext_noop("%(label)s limits how fast requests may come. Try again in a moment."),
            label=label,
        )
        return FailureCode.RATE_LIMITED, text, True
    if status == 413 or (status in (400, 422) and _TOO_LARGE.search(said)):
        text = Sentence(
            gettext_noop(
                "The request is larger than %(label)s can read. "
                "Select a smaller part of the file, or use a model with a larger context."
            ),
            label=label,
        )
        return FailureCode.TOO_LARGE, text, False
    if 300 <= status < 400:
        text = Sentence(
            gettext_noop(
                "%(label)s answered with a redirect, which Flint does not follow. "
                "Set the address that it redirects to."
            ),
            label=label,
        )
        return FailureCode.REDIRECTED, text, False
    if status in (502, 503, 504, 529):
        text = Sentence(
            gettext_noop(
                "%(label)s is overloaded or starting (HTTP %(status)s). Try again in a moment."
            ),
            label=label,
            status=status,
        )
        return FailureCode.OVERLOADED, text, True
    if status >= 500 or status in (408, 409, 425):
        text = Sentence(
            gettext_noop(
                "%(label)s failed with HTTP %(status)s. Try again; if it stays, look at its logs."
            ),
            label=label,
            status=status,
        )
        return FailureCode.UPSTREAM_ERROR, text, True
    text = Sentence(
        gettext_noop(
            "%(label)s did not accept the request (HTTP %(status)s). Check the model and its"
            " settings."
        ),
        label=label,
        status=status,
    )
    return FailureCode.BAD_REQUEST, text, False


def from_stream(endpoint: Endpoint, error: Any) -> Failed:
    """Return the failure that an error inside a stream means."""
    said = words_of(error)
    status = status_in(error)
    if status >= 400:
        code, sentence, can_retry = _status(endpoint, status, said)
    elif _TOO_LARGE.search(said):
        code, sentence, can_retry = _status(endpoint, 413, said)
    else:
        code, can_retry = FailureCode.UPSTREAM_ERROR, True
        sentence = Sentence(
            gettext_noop("%(label)s reported an error in mid-answer. Try again."),
            label=endpoint.label,
        )
    return _failed(endpoint, code, sentence, said, None, can_retry)


def from_exception(endpoint: Endpoint, error: BaseException, *, answered: bool) -> Failed:
    """Return the failure that an exception of the HTTP client means.

    `answered` says whether the server had begun its answer.
    """
    label, address = endpoint.label, endpoint.base_url
    retry = False
    if isinstance(error, aiohttp.InvalidURL | aiohttp.NonHttpUrlClientError):
        code = FailureCode.BAD_ADDRESS
        text = Sentence(
            gettext_noop('"%(address)s" is no web address. Write it like https://host.example/v1.'),
            address=address,
        )
    elif isinstance(error, aiohttp.ClientConnectorDNSError):
        code, retry = FailureCode.DNS, True
        text = Sentence(
            gettext_noop(
                "The name in %(address)s was not found. Check the address and this machine's"
                " network."
            ),
            address=address,
        )
    elif isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        code = FailureCode.TLS
        text = Sentence(
            gettext_noop(
                "No secure connection to %(address)s could be made. "
                "Check its certificate, and whether the address should begin with http or https."
            ),
            address=address,
        )
    elif isinstance(error, aiohttp.ClientConnectorError):
        retry = True
        if isinstance(error.os_error, ConnectionRefusedError):
            code = FailureCode.REFUSED
            text = Sentence(
                gettext_noop(
                    "Nothing answers at %(address)s. Start the model server, or check the address."
                ),
                address=address,
            )
        elif isinstance(error.os_error, TimeoutError):
            return connect_timeout(endpoint)
        else:
            code = FailureCode.UNREACHABLE
            text = Sentence(
                gettext_noop(
                    "%(address)s cannot be reached. Check this machine's network and the address."
                ),
                address=address,
            )
    elif isinstance(error, aiohttp.ServerTimeoutError):
        return connect_timeout(endpoint)
    else:
        code, retry = FailureCode.CUT, True
        if answered:
            pattern = gettext_noop("%(label)s closed the connection in mid-answer. Try again.")
        else:
            pattern = gettext_noop("%(label)s closed the connection before it answered. Try again.")
        text = Sentence(pattern, label=label)
    return _failed(endpoint, code, text, str(error), None, retry)


def bad_key(endpoint: Endpoint) -> Failed:
    """Return the failure of a key that cannot be sent."""
    text = Sentence(
        gettext_noop(
            "The key of %(label)s holds characters that no key has. "
            "Copy it again, without spaces or line breaks."
        ),
        label=endpoint.label,
    )
    return Failed(FailureCode.UNAUTHORIZED, text)


def connect_timeout(endpoint: Endpoint) -> Failed:
    """Return the failure of a connection that was not made in time."""
    text = Sentence(
        gettext_noop("%(address)s did not answer in time. Check the address and the network."),
        address=endpoint.base_url,
    )
    return Failed(FailureCode.CONNECT_TIMEOUT, text, can_retry=True)


def first_token_timeout(endpoint: Endpoint, limit_s: float) -> Failed:
    """Return the failure of an answer that never began."""
    text = Sentence(
        gettext_noop(
            "%(label)s sent no token within %(seconds)s s. "
            "Try again, with a smaller file or selection if it stays so."
        ),
        label=endpoint.label,
        seconds=f"{limit_s:.0f}",
    )
    return Failed(FailureCode.FIRST_TOKEN_TIMEOUT, text, can_retry=True)


def idle_timeout(endpoint: Endpoint, limit_s: float) -> Failed:
    """Return the failure of an answer that stood still."""
    text = Sentence(
        gettext_noop("%(label)s sent nothing for %(seconds)s s in mid-answer. Try again."),
        label=endpoint.label,
        seconds=f"{limit_s:.0f}",
    )
    return Failed(FailureCode.IDLE_TIMEOUT, text, can_retry=True)


def cut(endpoint: Endpoint) -> Failed:
    """Return the failure of an answer that ended without saying so."""
    text = Sentence(
        gettext_noop("The answer of %(label)s broke off. Try again."), label=endpoint.label
    )
    return Failed(FailureCode.CUT, text, can_retry=True)


def not_a_stream(endpoint: Endpoint, content_type: str, body: bytes) -> Failed:
    """Return the failure of an answer that is no event stream."""
    with contextlib.suppress(ValueError, RecursionError):
        parsed = json.loads(body)
        if isinstance(parsed, dict) and "error" in parsed:
            return from_stream(endpoint, parsed)
    text = Sentence(
        gettext_noop(
            "%(label)s answered with %(type)s instead of a stream. "
            "Check the address of this endpoint, and that the server streams chat completions."
        ),
        label=endpoint.label,
        type=content_type or Sentence(gettext_noop("no content type")),
    )
    return _failed(endpoint, FailureCode.NOT_A_STREAM, text, "", None, False)


def bad_stream(endpoint: Endpoint, why: str) -> Failed:
    """Return the failure of a stream that does not follow the protocol."""
    text = Sentence(
        gettext_noop("%(label)s sent a stream that cannot be read. Check that it is compatible."),
        label=endpoint.label,
    )
    return _failed(endpoint, FailureCode.BAD_STREAM, text, why, None, False)


def _failed(
    endpoint: Endpoint,
    code: FailureCode,
    text: Sentence,
    detail: str,
    retry_after_s: float | None,
    can_retry: bool,
) -> Failed:
    return Failed(code, text, retry_after_s, can_retry, tidy(detail, endpoint))
