"""What a turn knows when it asks, and how large texts are for a model. Pure records.

Line numbers are 1-based and inclusive, as people see them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from webapp.engine.ports import Endpoint

CHARS_PER_TOKEN: Final = 3.5


@dataclass(frozen=True, slots=True)
class PastTurn:
    """An earlier turn, as far as the model should know it."""

    prompt: str
    outcome: str
    """What became of it, as a sentence."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of a file as they stand now; `from_line` None for all of it."""

    path: str
    text: str
    from_line: int | None = None
    to_line: int | None = None

    @property
    def label(self) -> str:
        """The path, with the lines if it is not all of the file."""
        return label_of(self.path, self.from_line, self.to_line)


@dataclass(frozen=True, slots=True)
class Redirection:
    """The turn that this one was redirected from: its prompt, and what was kept of its edits."""

    prompt: str
    kept: Sequence[Excerpt] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    """All that a turn knows when it asks. `text` has LF line ends."""

    prompt: str
    path: str
    text: str
    endpoint: Endpoint
    region: tuple[int, int] | None = None
    selected: tuple[int, int] | None = None
    """The lines that the person selected, when they are fewer than what is rewritten."""
    other_paths: Sequence[str] = ()
    history: Sequence[PastTurn] = ()
    mentioned: Sequence[Excerpt] = ()
    """Files that the person named with @, whole."""
    redirection: Redirection | None = None


@dataclass(frozen=True, slots=True)
class TooLarge:
    """The brief does not fit: it needs `needed` tokens of `window`, both with the answer."""

    needed: int
    window: int


def estimate_tokens(text: str) -> int:
    """Return about how many tokens `text` is; rather more than fewer."""
    return -int(-len(text) // CHARS_PER_TOKEN)


def lines_of(text: str, region: tuple[int, int] | None) -> str:
    """Return the lines of `text` that are in `region`, or all of it."""
    if region is None:
        return text
    from_line, to_line = region
    return "\n".join(text.split("\n", to_line)[from_line - 1 : to_line]) + "\n"


def label_of(path: str, from_line: int | None, to_line: int | None) -> str:
    """Return how lines of a file are called: "app.py:3-7", or the path alone."""
    return path if from_line is None else f"{path}:{from_line}-{to_line}"
