"""What a page may send, as messages: what `wire.decode` makes of its frames. Pure values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Kept = Literal["finished", "partial", "nothing"]


@dataclass(frozen=True, slots=True)
class Hello:
    """The page says who it is; answered with `welcome`."""

    proto: int
    client: str


@dataclass(frozen=True, slots=True)
class Open:
    """Follow a file, from the version the page holds, if it holds one."""

    file: str
    v: int | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """Stop following a file."""

    file: str


@dataclass(frozen=True, slots=True)
class Update:
    """One edit: the client's count, and the change as JSON, not yet checked."""

    n: int
    c: list[Any]


@dataclass(frozen=True, slots=True)
class Push:
    """Edits made one after another at version `v` of a file."""

    id: str
    file: str
    v: int
    updates: tuple[Update, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """Create, rename or delete a file."""

    id: str
    op: Literal["create", "rename", "delete"]
    file: str
    path: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Here:
    """Where this person is: a file, and anchor and head of the selection at version `v`."""

    file: str | None = None
    v: int | None = None
    sel: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """What a prompt is about: the model, a file with a selection at version `v`, further files."""

    tier: str = "preview"
    endpoint: str = ""
    file: str | None = None
    v: int | None = None
    sel: tuple[int, int] | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said(Asking):
    """A prompt of any kind: the words, and the id it goes by.

    With `repair` the model is asked once more for edits that could not be applied.
    """

    id: str
    text: str
    repair: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Said):
    """Ask the model; `id` becomes the turn's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect(Said):
    """End a turn and go on with this prompt."""

    turn: str
    keep: Kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline(Said):
    """What the model would see if this prompt were sent; with `turn`, as a redirect of that."""

    turn: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Warm(Asking):
    """A prompt about this is likely to come."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Change the list of waiting prompts."""

    id: str
    op: Literal["edit", "move", "remove", "now"]
    followup: str
    text: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Fetch:
    """Start or stop the download of a tier's embedded model."""

    id: str
    tier: str
    op: Literal["start", "stop"]


@dataclass(frozen=True, slots=True)
class Stop:
    """End a turn now."""

    id: str
    turn: str


@dataclass(frozen=True, slots=True)
class Decide:
    """A word on what a turn wrote: all of it, or these hunks, or those in a file."""

    id: str
    turn: str
    hunks: tuple[int, ...] | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Keep(Decide):
    """It stays as it is, and needs no more marks."""


@dataclass(frozen=True, slots=True)
class Revert(Decide):
    """Take it back; with `mixed` also where a person's text and the model's share a line."""

    mixed: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """Say yes or no to a withheld edit of a turn."""

    id: str
    turn: str
    withheld: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Make a checkpoint of the project as it is."""

    id: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Restore:
    """Bring the project back to how it was after the entry `seq`, as a new change."""

    id: str
    seq: int


@dataclass(frozen=True, slots=True)
class Ack:
    """All bytes of frames that the page has handled on this socket."""

    bytes: int


@dataclass(frozen=True, slots=True)
class Ping:
    """Answered with `pong` and the same `at`."""

    at: float


Message = (
    Hello
    | Open
    | Close
    | Push
    | Tree
    | Here
    | Prompt
    | Redirect
    | FollowUp
    | Outline
    | Warm
    | Fetch
    | Stop
    | Keep
    | Revert
    | Answer
    | Checkpoint
    | Restore
    | Ack
    | Ping
)
