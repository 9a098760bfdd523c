"""What an upstream said went wrong, as `Failed` values whose sentences say what to do next.

Pure: statuses, bodies and chunks in, values out; `connecting.py` is the same for what went wrong
with the connection, `causes.py` tells the kinds apart. The server's own words (`replies.py`) are
kept in `detail` and are never translated; HTML pages that gateways send instead are dropped.
"""

import contextlib
import json
from collections.abc import Mapping
from typing import Any, Final

from webapp.engine.ports import Endpoint, Failed, FailureCode
from webapp.engine.providers.causes import asks_for_too_much, cause
from webapp.engine.providers.replies import status_in, tidy, words_of
from webapp.engine.providers.waits import wait_asked
from webapp.lib.sentences import Sentence, gettext_noop

ABORTED: Final = Failed(FailureCode.ABORTED, Sentence(gettext_noop("The request was stopped.")))

_LATER: Final = frozenset(
    {FailureCode.RATE_LIMITED, FailureCode.OVERLOADED, FailureCode.UPSTREAM_ERROR}
)
"""What the same request may get over, sent again."""


def from_status(endpoint: Endpoint, status: int, body: bytes, headers: Mapping[str, str]) -> Failed:
    """Return the failure that an HTTP answer other than 200 means."""
    said = ""
    with contextlib.suppress(ValueError, RecursionError):
        said = words_of(json.loads(body))
    if not said and body.lstrip()[:1] != b"<":
        said = body[:2000].decode("utf-8", "replace")
    if status == 400 and b"HTTPS" in body and b"HTTP request" in body:
        # What Go and nginx answer to plain HTTP on a port for TLS.
        return failed(endpoint, FailureCode.TLS, _https_only(endpoint), said, None, False)
    code = cause(status, said)
    sentence = _sentence(endpoint, code, status, said)
    if code == FailureCode.REDIRECTED:
        said = said or next((v for k, v in headers.items() if k.lower() == "location"), "")
    wait_s = wait_asked(headers, said) if code in _LATER else None
    if wait_s is not None:
        sentence = Sentence(
            gettext_noop("%(problem)s It asks to wait %(seconds)s s."),
            problem=sentence,
            seconds=f"{wait_s:.0f}" if wait_s >= 1 else "1",
        )
    return failed(endpoint, code, sentence, said, wait_s, code in _LATER)


def from_stream(endpoint: Endpoint, error: Any) -> Failed:
    """Return the failure that an error inside a stream, or inside a 200, means."""
    said = words_of(error)
    status = status_in(error)
    code = cause(status, said)
    if code == FailureCode.UPSTREAM_ERROR and status == 0:
        sentence = Sentence(
            gettext_noop("%(label)s reported an error in mid-answer. Try again."),
            label=endpoint.label,
        )
    else:
        sentence = _sentence(endpoint, code, status, said)
    wait_s = wait_asked({}, said) if code in _LATER else None
    return failed(endpoint, code, sentence, said, wait_s, code in _LATER)


def _https_only(endpoint: Endpoint) -> Sentence:
    return Sentence(
        gettext_noop("%(address)s answers over https only. Write https:// in its address."),
        address=endpoint.base_url,
    )


def _sentence(endpoint: Endpoint, code: FailureCode, status: int, said: str) -> Sentence:
    """Return what to tell a person of a failure that the server reported itself."""
    label = endpoint.label
    match code:
        case FailureCode.UNAUTHORIZED:
            return Sentence(
                gettext_noop(
                    "%(label)s refused the key. Check the key of this endpoint and what it may use."
                ),
                label=label,
            )
        case FailureCode.UNKNOWN_MODEL:
            return Sentence(
                gettext_noop('%(label)s has no model named "%(model)s". Choose a model it offers.'),
                label=label,
                model=endpoint.model,
            )
        case FailureCode.NOT_FOUND:
            return Sentence(
                gettext_noop(
                    "%(label)s has no chat completions at %(address)s. "
                    "Check the address of this endpoint; it usually ends in /v1."
                ),
                label=label,
                address=endpoint.base_url,
            )
        case FailureCode.QUOTA:
            return Sentence(
                gettext_noop(
                    "The account at %(label)s has no credit left. Add credit there, or use another"
                    " model."
                ),
                label=label,
            )
        case FailureCode.RATE_LIMITED:
            return Sentence(
                gettext_noop("%(label)s limits how fast requests may come. Try again in a moment."),
                label=label,
            )
        case FailureCode.TOO_LARGE:
            return Sentence(
                gettext_noop(
                    "The request is larger than %(label)s can read. "
                    "Select a smaller part of the file, or use a model with a larger context."
                ),
                label=label,
            )
        case FailureCode.REDIRECTED:
            return Sentence(
                gettext_noop(
                    "%(label)s answered with a redirect, which Flint does not follow. "
                    "Set the address that it redirects to."
                ),
                label=label,
            )
        case FailureCode.OVERLOADED:
            if not status:
                return Sentence(
                    gettext_noop("%(label)s is overloaded. Try again in a moment."), label=label
                )
            return Sentence(
                gettext_noop(
                    "%(label)s is overloaded or starting (HTTP %(status)s). Try again in a moment."
                ),
                label=label,
                status=status,
            )
        case FailureCode.UPSTREAM_ERROR:
            return Sentence(
                gettext_noop(
                    "%(label)s failed with HTTP %(status)s. Try again; if it stays, look at its"
                    " logs."
                ),
                label=label,
                status=status,
            )
    if asks_for_too_much(said):
        return Sentence(
            gettext_noop(
                "%(label)s does not write answers of %(tokens)s tokens. Set a lower limit for the"
                " longest answer of this endpoint."
            ),
            label=label,
            tokens=endpoint.max_output,
        )
    return Sentence(
        gettext_noop(
            "%(label)s did not accept the request (HTTP %(status)s). Check the model and its"
            " settings."
        ),
        label=label,
        status=status,
    )


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


def not_a_stream(endpoint: Endpoint, content_type: str, body: bytes) -> Failed:
    """Return the failure of an answer that is no event stream."""
    with contextlib.suppress(ValueError, RecursionError):
        parsed = json.loads(body)
        if isinstance(parsed, dict) and "choices" not in parsed and words_of(parsed):
            return from_stream(endpoint, parsed)
    text = Sentence(
        gettext_noop(
            "%(label)s answered with %(type)s instead of a stream. "
            "Check the address of this endpoint, and that the server streams chat completions."
        ),
        label=endpoint.label,
        type=content_type or Sentence(gettext_noop("no content type")),
    )
    return failed(endpoint, FailureCode.NOT_A_STREAM, text, "", None, False)


def bad_stream(endpoint: Endpoint, why: str) -> Failed:
    """Return the failure of a stream that does not follow the protocol."""
    text = Sentence(
        gettext_noop("%(label)s sent a stream that cannot be read. Check that it is compatible."),
        label=endpoint.label,
    )
    return failed(endpoint, FailureCode.BAD_STREAM, text, why, None, False)


def failed(
    endpoint: Endpoint,
    code: FailureCode,
    text: Sentence,
    detail: str,
    retry_after_s: float | None,
    can_retry: bool,
) -> Failed:
    """Return a failure whose detail is fit to show and does not hold the key."""
    return Failed(code, text, retry_after_s, can_retry, tidy(detail, endpoint))
