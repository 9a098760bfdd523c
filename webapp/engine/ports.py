"""What the engine asks of the outside: the Model port, and the records that cross it.

A model is opened with an endpoint and a request and answers with a stream. The stream hands over
events in batches: all events of one read from the socket, so that the driver does its work once a
read and not once a token. What holds for every implementation:

- a stream ends with exactly one terminal event, `Finished` or `Failed`, the last of its last
  batch, whatever happened: a cut connection, a timeout, an HTTP error, an abort;
- `Usage` comes at most once, directly before the terminal event;
- no batch is empty, and no exception but cancellation leaves `batches()`;
- `abort()` is synchronous: when it returns, the transport is being torn down without a closing
  handshake and no text will follow;
- a `Delta` is a piece of text, not a token: a server may put many tokens into one, or cut one.

Turned down: one event a call (costs an await a token), and exceptions for failures (an upstream
that fails is expected, so it is a value with a code that callers can match and translate).
"""

import enum
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

import msgspec

EditFormat = Literal["whole", "blocks", "patch", "json"]


@dataclass(frozen=True, slots=True)
class Reach:
    """Which addresses people may type: https to public ones, and what the operator added.

    `hosts` are names and networks ("10.0.0.0/8", "models.internal") that the operator lists; there
    http is allowed too. `loopback` allows http on loopback: Flint itself is bound to loopback.
    """

    hosts: tuple[str, ...] = ()
    loopback: bool = False


LEAST_WINDOW: Final = 2_048
"""Tokens; below this neither the instructions nor a small function with its answer fit."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model behind one address. Sizes are in tokens."""

    base_url: str
    api_key: str = field(repr=False)
    model: str
    label: str
    context_window: int
    max_output: int
    small: bool = False
    """A small model rewrites a region of a long file, not the whole file."""
    edit_format: EditFormat = "whole"
    reach: Reach | None = None
    """Where it may be looked for when a person typed the address; None trusts the operator's."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked. `max_tokens` bounds its answer; the rest is left to the server."""

    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float = 0.0
    stop: tuple[str, ...] = ()


# The events are msgspec structs because one is made for every token: 0.1 µs each, against
# 0.6 µs for a frozen dataclass.


class Delta(msgspec.Struct, frozen=True, gc=False):
    """The answer goes on with `text`, which is not empty."""

    text: str


class Reasoning(msgspec.Struct, frozen=True, gc=False):
    """The model thinks aloud; not part of the answer."""

    text: str


class Usage(msgspec.Struct, frozen=True, gc=False):
    """Tokens as the server counted them. `cached_tokens` are those of the input it had ready."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


class Finished(msgspec.Struct, frozen=True, gc=False):
    """The model came to its end. `length`: the answer was cut at `max_tokens`."""

    reason: Literal["stop", "length", "content_filter", "other"]


class FailureCode(enum.StrEnum):
    """Why a stream failed, for callers that match or translate."""

    ABORTED = "aborted"
    BAD_ADDRESS = "bad_address"
    NOT_ALLOWED = "not_allowed"
    DNS = "dns"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    TLS = "tls"
    CONNECT_TIMEOUT = "connect_timeout"
    FIRST_TOKEN_TIMEOUT = "first_token_timeout"  # noqa: S105 - not a password
    IDLE_TIMEOUT = "idle_timeout"
    UNAUTHORIZED = "unauthorized"
    UNKNOWN_MODEL = "unknown_model"
    NOT_FOUND = "not_found"
    REDIRECTED = "redirected"
    RATE_LIMITED = "rate_limited"
    QUOTA = "quota"
    TOO_LARGE = "too_large"
    BAD_REQUEST = "bad_request"
    OVERLOADED = "overloaded"
    UPSTREAM_ERROR = "upstream_error"
    NOT_A_STREAM = "not_a_stream"
    BAD_STREAM = "bad_stream"
    CUT = "cut"


class Failed(msgspec.Struct, frozen=True, gc=False):
    """The stream is over and did not succeed.

    `message` is a sentence for people: what happened and what to do next; a `lib.sentences`
    Sentence where the engine made it. `detail` holds the server's own words, shortened and without
    the key. `retry_after_s` is what the server asked for; `can_retry` says whether the same request
    may succeed later.
    """

    code: FailureCode
    message: str
    retry_after_s: float | None = None
    can_retry: bool = False
    detail: str = ""


Event = Delta | Reasoning | Usage | Finished | Failed


class Stream(Protocol):
    """One answer on its way."""

    def batches(self) -> AsyncIterator[list[Event]]:
        """Yield the events of each socket read. To be called once; leaving it early aborts."""
        ...

    def abort(self) -> None:
        """End it now. The batches then end with `Failed(ABORTED)`; safe to call at any time."""
        ...

    @property
    def closed_at(self) -> float | None:
        """The `clock.monotonic()` at which the request's hold on its transport ended."""
        ...

    async def wait_closed(self) -> float:
        """Wait until the transport is closed, or back in the pool; return `closed_at`."""
        ...


class Model(Protocol):
    """Whatever answers requests with streams."""

    def open(self, endpoint: Endpoint, request: Request) -> Stream:
        """Return a stream at once; nothing is sent before its batches are asked for."""
        ...
