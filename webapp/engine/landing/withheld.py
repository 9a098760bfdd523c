"""An edit that is not written into the text, and all that somebody needs to know of it. Pure."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

from webapp.engine.landing.held import Held

Operation = Literal["edit", "create", "delete", "move"]


class Kind(StrEnum):
    """Why an edit is withheld."""

    REFUSED = "refused"  # it could not be applied
    FROZEN = "frozen"  # the guard waits for a person's word
    YIELDED = "yielded"  # a person typed there while it was written, and their text stays


@dataclass(frozen=True, slots=True)
class Withheld:
    """One such edit. Lines are 1-based and inclusive, as they stood then; texts are utf16 text.

    `old` is what stands there (for a refused edit the candidate lines, for a frozen or yielded one
    the lines that it would replace), `new` what the model wanted. `reason` is a sentence
    (lib/sentences.py).
    """

    ordinal: int
    """Its place in the order of the turn's withheld edits, from 1."""
    kind: Kind
    op: Operation
    path: str
    reason: str
    file: str | None = None
    to: str = ""
    first_line: int | None = None
    last_line: int | None = None
    old: str = ""
    new: str = ""


class Withhold(Protocol):
    """Whoever is told of withheld edits, once for each, when all of it is known."""

    def __call__(self, withheld: Withheld, held: Held | None) -> None:
        """Take one; `held` is what can still be made of it, None for one that was refused."""
        ...
