"""What the model is told, within its context budget. Pure: a brief in, a request out.

- brief.py        what a turn knows when it asks
- pieces.py       what is told of it, piece by piece, and what of that fits
- regions.py      which lines of a long file a small model gets
- definitions.py  the functions, classes, rules and headings of a text

Line numbers are 1-based and inclusive, as people see them; offsets are UTF-16 code units.
"""

from dataclasses import dataclass

from webapp.document.text import from_utf16
from webapp.engine.brief import (
    CHARS_PER_TOKEN,
    Brief,
    Excerpt,
    PastTurn,
    Redirection,
    TooLarge,
    estimate_tokens,
    lines_of,
)
from webapp.engine.pieces import Composed, Kind, compose
from webapp.engine.ports import Message, Request
from webapp.engine.regions import REGION_LINES, choose_region, selected_lines
from webapp.lib.sentences import Sentence, gettext_noop, listed

__all__ = [
    "CHARS_PER_TOKEN",
    "REGION_LINES",
    "Brief",
    "Excerpt",
    "Outline",
    "Part",
    "PastTurn",
    "Redirection",
    "TooLarge",
    "build",
    "choose_region",
    "estimate_tokens",
    "lines_of",
    "outline",
    "selected_lines",
    "warm_request",
]

_STABLE = ("paths", "history", "file", "region")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of what the model would see; no tokens when it is left out."""

    kind: Kind
    label: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Outline:
    """What the model would see, in its order, and how large that is; in tokens, estimated.

    `answer` is how long the answer may be; `note` says, as a sentence, what is left out.
    """

    parts: tuple[Part, ...]
    used: int
    answer: int
    window: int
    fits: bool
    note: str = ""


def build(brief: Brief) -> Request | TooLarge:
    """Return what to ask, or TooLarge when it does not fit.

    In the format `whole` the answer may grow to about twice the text that it rewrites.
    """
    composed = compose(brief)
    if not composed.fits:
        return TooLarge(composed.used + composed.least, composed.window)
    return Request(_messages(composed), max_tokens=composed.most)


def outline(brief: Brief) -> Outline:
    """Return the sizes of what `build` would make of the brief."""
    composed = compose(brief)
    parts = tuple(Part(piece.kind, piece.label, piece.tokens) for piece in composed.pieces)
    out = [part.label for part in parts if part.kind == "mention" and not part.tokens]
    note = ""
    if out:
        note = Sentence(
            gettext_noop("Too large for this model beside the rest, so left out: %(paths)s."),
            paths=listed(out),
        )
    return Outline(parts, composed.used, composed.most, composed.window, composed.fits, note)


def warm_request(brief: Brief) -> Request:
    """Return a request for one token that has a server read the beginning of the prompt: all that
    does not depend on what is asked."""
    return Request(_messages(compose(brief), _STABLE), max_tokens=1)


def _messages(composed: Composed, kinds: tuple[str, ...] = ()) -> tuple[Message, ...]:
    rules, *rest = (piece for piece in composed.pieces if not piece.is_left_out)
    told = "".join(piece.text for piece in rest if not kinds or piece.kind in kinds)
    return (Message("system", rules.text), Message("user", from_utf16(told)))
