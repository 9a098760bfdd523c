"""One push-parser an edit format, and what the formats share. Pure: text in, events out.

A parser takes a model's message in pieces of any size: `push(text) -> events`, `finish() ->
events`. What holds for every parser:

- the events, after joining neighbours of one kind, do not depend on how the message was cut;
- what could still become a marker is held back, and nothing else is;
- line ends in the message may be LF, CRLF or CR; events have LF;
- between a `FileStart` and its `FileEnd` come only `Text` and `Omission`;
- `finish` ends an open file with `FileEnd(complete=False)`; an edit that is not complete must not
  stay.

- whole.py         the message holds each changed file (or region) whole, in a fenced block
- whole_writer.py  such a block, as it streams, into changes of the file: a line diff
- old_lines.py    the lines of the file as the model knew it, followed through people's changes
- omissions.py     lines that stand for code which the model left out
- targets.py       which file a block means

Turned down: a parser that is given the files, since where an edit goes depends on what people do
to the text meanwhile, and only the room knows that.
"""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Prose:
    """What the model says outside its edits, as Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class FileStart:
    """The text of a file follows.

    `path` as the model wrote it, or None when it named none; `language` is the first word of the
    fence's info; `mentions` are what the line before may name (in backticks, or alone), weaker
    than a name.
    """

    path: str | None
    language: str = ""
    mentions: tuple[str, ...] = ()
    opening: str = ""
    """The name and fence as they stood, for showing the block as prose if it is no edit."""


@dataclass(frozen=True, slots=True)
class Text:
    """The file's text goes on; cut anywhere."""

    text: str


@dataclass(frozen=True, slots=True)
class Omission:
    """A line (with its LF) that seems to stand for code left out, as "# rest of the code"."""

    text: str


@dataclass(frozen=True, slots=True)
class FileEnd:
    """The file's text is over; not `complete` when the message ended inside it."""

    complete: bool
    closing: str = ""
    """The closing fence as it stood."""


Event = Prose | FileStart | Text | Omission | FileEnd


class Parser(Protocol):
    """What every format's parser does."""

    def push(self, text: str) -> list[Event]:
        """Return the events that the next piece of the message completes."""
        ...

    def finish(self) -> list[Event]:
        """Return the last events. Nothing may be pushed afterwards."""
        ...
