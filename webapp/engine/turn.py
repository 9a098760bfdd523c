"""A turn as a pure state machine: `apply(turn, operation) -> (turn, actions)`.

    queued ──► starting ──► streaming ──► finished
       │           │            │  └────► failed (also from queued and starting)
       │           └────────────┤
       │                        ▼
       └──────────────────► stopping ──► stopped | redirected

and from everywhere that is not over: interrupted (the process died, or the room closed).
A stopped turn is over when its upstream is closed too, so that the receipt is whole. A redirected
one is over as soon as it is settled, since the next turn waits for it; the close that comes later
completes its receipt. Redirecting a turn that somebody is stopping changes how it ends.

The end of the answer and its settlement are one step for the driver; between them the turn is
`ending`, still writes what the parser held, and takes nothing else.

What always holds:
- after a Stop was accepted no Feed follows, whatever still arrives;
- a turn that was admitted gets exactly one Settle, however it ends; one that was not, gets none;
- an operation that comes too late (a stop for a turn that is over, text after a stop) returns the
  same turn and `Ignored`: it is expected, and no exception;
- a state that is over never changes; of a redirected turn the time to the close may still come.

The driver performs the actions in order and feeds back what came of them. Times are seconds of
`clock.monotonic()`, carried in by the operations, so that the machine reads no clock.

Turned down: a coroutine that is cancelled on stop, since between the cancel and its arrival the
text of the model would still enter.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final


class State(StrEnum):
    """How far a turn is."""

    QUEUED = "queued"
    STARTING = "starting"
    STREAMING = "streaming"
    STOPPING = "stopping"
    FINISHED = "finished"
    STOPPED = "stopped"
    REDIRECTED = "redirected"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


OVER: Final = frozenset(
    {State.FINISHED, State.STOPPED, State.REDIRECTED, State.FAILED, State.INTERRUPTED}
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. Tokens are estimated from characters until the upstream reports them."""

    state: State = State.QUEUED
    opened_s: float | None = None
    first_text_s: float | None = None
    stopped_s: float | None = None
    ended_by: str = ""
    redirect: bool = False
    keep_partial: bool = False
    """Whether its settlement leaves an edit that is not complete where it is."""
    closed: bool = False
    settled: bool = False
    stop_ms: float | None = None
    """From the stop to the transport's end."""
    received_utf16: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    reason: str = ""
    ending: State | None = None
    """What it becomes once its last text is written and it is settled."""

    @property
    def is_over(self) -> bool:
        """Say whether nothing can change any more."""
        return self.state in OVER

    @property
    def may_write(self) -> bool:
        """The fence: say whether text of the model may enter the session."""
        return self.state in (State.STARTING, State.STREAMING)

    @property
    def ttft_ms(self) -> int | None:
        """Return the time from asking to the first text, in milliseconds."""
        if self.opened_s is None or self.first_text_s is None:
            return None
        return max(0, round((self.first_text_s - self.opened_s) * 1000))


# Operations


@dataclass(frozen=True, slots=True)
class Admitted:
    """A permit was given."""


@dataclass(frozen=True, slots=True)
class Refused:
    """No permit, or nothing to ask; `reason` is a sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Opened:
    """The request is on its way."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Text:
    """The answer goes on."""

    text: str
    at_s: float


@dataclass(frozen=True, slots=True)
class Usage:
    """What the upstream counted."""

    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The model came to its end; `reason` is a sentence when that was not of its own will."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """The upstream failed, or something on this side; `reason` is a sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Somebody ends it; `redirect` when a new turn follows, which may want the partial edit."""

    by: str
    at_s: float
    redirect: bool = False
    keep_partial: bool = False


@dataclass(frozen=True, slots=True)
class UpstreamClosed:
    """The transport is gone."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Settled:
    """The settlement is in the session's text."""


@dataclass(frozen=True, slots=True)
class Interrupt:
    """The process that ran it is gone, or going; `reason` is a sentence."""

    reason: str


Operation = (
    Admitted
    | Refused
    | Opened
    | Text
    | Usage
    | Ended
    | Failed
    | Stop
    | UpstreamClosed
    | Settled
    | Interrupt
)


# Actions


@dataclass(frozen=True, slots=True)
class OpenUpstream:
    """Ask the model."""


@dataclass(frozen=True, slots=True)
class AbortUpstream:
    """End the transport now, without waiting for anything."""


@dataclass(frozen=True, slots=True)
class Feed:
    """Give the text to the parser, and what comes of it to the session."""

    text: str


@dataclass(frozen=True, slots=True)
class FinishParse:
    """The answer is complete: write what the parser still holds."""


@dataclass(frozen=True, slots=True)
class Settle:
    """Close the turn's writing: roll back a hunk that is not complete."""


@dataclass(frozen=True, slots=True)
class Save:
    """Keep the turn's row."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Tell everybody."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """The operation came too late; nothing changed."""

    operation: str
    state: State


Action = OpenUpstream | AbortUpstream | Feed | FinishParse | Settle | Save | Announce | Ignored
Result = tuple[Turn, tuple[Action, ...]]

_SHOW: Final = (Save(), Announce())


def apply(turn: Turn, operation: Operation) -> Result:
    """Return the turn after `operation`, and what is to be done, in order."""
    if turn.is_over:
        return _over(turn, operation)
    if turn.ending is not None:
        return _ending(turn, turn.ending, operation)
    match operation:
        case Stop() if turn.state is not State.STOPPING:
            return _stop(turn, operation)
        case Interrupt(reason):
            return _interrupt(turn, reason)
        case Usage(tokens_in, tokens_out) if turn.state is not State.QUEUED:
            return replace(turn, tokens_in=tokens_in, tokens_out=tokens_out), ()
    if turn.state is State.QUEUED:
        return _queued(turn, operation)
    if turn.state is State.STOPPING:
        return _stopping(turn, operation)
    return _running(turn, operation)


def _queued(turn: Turn, operation: Operation) -> Result:
    match operation:
        case Admitted():
            return replace(turn, state=State.STARTING), (*_SHOW, OpenUpstream())
        case Refused(reason) | Failed(reason):
            return replace(turn, state=State.FAILED, reason=reason), _SHOW
    return _ignored(turn, operation)


def _running(turn: Turn, operation: Operation) -> Result:
    match operation:
        case Opened(at_s) if turn.opened_s is None:
            return replace(turn, opened_s=at_s), ()
        case Text(text, at_s):
            received = turn.received_utf16 + len(text)
            if turn.state is State.STREAMING:
                return replace(turn, received_utf16=received), (Feed(text),)
            started = replace(
                turn, state=State.STREAMING, first_text_s=at_s, received_utf16=received
            )
            return started, (Feed(text), *_SHOW)
        case Ended(reason):
            return replace(turn, ending=State.FINISHED, reason=reason), (FinishParse(), Settle())
        case Failed(reason) | Refused(reason):
            return replace(turn, ending=State.FAILED, reason=reason), (Settle(),)
    return _ignored(turn, operation)


def _ending(turn: Turn, ending: State, operation: Operation) -> Result:
    if isinstance(operation, Settled):
        return replace(turn, state=ending, settled=True), _SHOW
    return _ignored(turn, operation)


def _stop(turn: Turn, stop: Stop) -> Result:
    asked = replace(
        turn,
        ended_by=stop.by,
        stopped_s=stop.at_s,
        redirect=stop.redirect,
        keep_partial=stop.keep_partial,
    )
    if turn.state is State.QUEUED:
        return replace(asked, state=_stopped(asked), closed=True, stop_ms=0.0), _SHOW
    return replace(asked, state=State.STOPPING), (AbortUpstream(), Settle(), *_SHOW)


def _stopping(turn: Turn, operation: Operation) -> Result:
    match operation:
        case Stop(redirect=True) if not turn.redirect:
            turn = replace(turn, redirect=True)
        case UpstreamClosed(at_s) if not turn.closed:
            turn = _closed(turn, at_s)
        case Settled() if not turn.settled:
            turn = replace(turn, settled=True)
        case _:
            return _ignored(turn, operation)
    if turn.settled and (turn.closed or turn.redirect):
        return replace(turn, state=_stopped(turn)), _SHOW
    return turn, ()


def _over(turn: Turn, operation: Operation) -> Result:
    match operation:
        case UpstreamClosed(at_s) if turn.state is State.REDIRECTED and not turn.closed:
            return _closed(turn, at_s), _SHOW
    return _ignored(turn, operation)


def _closed(turn: Turn, at_s: float) -> Turn:
    began = turn.stopped_s if turn.stopped_s is not None else at_s
    return replace(turn, closed=True, stop_ms=max(0.0, (at_s - began) * 1000))


def _interrupt(turn: Turn, reason: str) -> Result:
    gone = replace(turn, state=State.INTERRUPTED, reason=reason)
    if turn.state is State.QUEUED:
        return gone, _SHOW
    if turn.state is State.STOPPING:
        return gone, _SHOW  # it is settled: the stop did that
    return replace(gone, settled=True), (AbortUpstream(), Settle(), *_SHOW)


def _stopped(turn: Turn) -> State:
    return State.REDIRECTED if turn.redirect else State.STOPPED


def _ignored(turn: Turn, operation: Operation) -> Result:
    return turn, (Ignored(type(operation).__name__, turn.state),)
