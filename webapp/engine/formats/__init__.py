"""One push-parser an edit format, and what the formats share. Pure: text in, events out.

A parser takes a model's message in pieces of any size: `push(text) -> events`, `finish() ->
events`. What holds for every parser:

- the events, after joining neighbours of one kind, do not depend on how the message was cut;
- what could still become a marker is held back, and nothing else is;
- line ends in the message may be LF, CRLF or CR; events have LF;
- between a `FileStart` and its `FileEnd` come only `Text` and `Omission`;
- between a `BlockStart` and its `BlockEnd` comes first, once, all that is searched (`Search`), then
  what replaces it, as `Text` and `Omission`; a block that never got so far has no `Search`;
- an anchored block with an empty `Search` inserts behind its last anchor, an ordered one without
  anchors at the end of the file;
- what is meant as an edit and cannot be read is a block too, with a fault and without `Search`, so
  that whoever counts edits knows that one failed;
- `finish` ends what is open with a `FileEnd` or `BlockEnd` that is not complete; an edit that is
  not complete must not stay. Of a message that somebody stopped, `finish` is not asked: a patch
  without envelope takes the message's end for its own.

- lines.py         a message cut anywhere, as lines: what the parsers share
- whole.py         the message holds each changed file (or region) whole, in a fenced block
- whole_writer.py  such a block, as it streams, into changes of the file: a line diff
- blocks.py        the message holds search/replace blocks
- block_writer.py  the replacement of one block, as it streams, into one hunk
- spelling.py      how a block's new lines are spelled to fit where its old ones were found
- patch.py         the message holds a patch as apply_patch takes it: hunks and file operations
- patch_lines.py   what a line of such a patch is
- patch_feed.py    its lines, which know how they ended
- patch_update.py  what it does to one file that is there
- patch_hunk.py    one hunk, line by line, and the block that it becomes
- patch_added.py   the text of a file that it adds
- patch_wrappers.py  a fence or a here-document around it
- json_edits.py    the message holds JSON with old and new strings
- json_tokens.py   JSON cut anywhere, as tokens
- json_strings.py  a JSON string cut anywhere: never half an escape, never half a pair
- json_shape.py    which objects are edits, and the blocks that they become
- json_fields.py   what the fields of an edit are called
- old_lines.py     the lines of the file as the model knew it, followed through people's changes
- omissions.py     lines that stand for code which the model left out
- targets.py       which file a block means

Turned down: a parser that is given the files, since where an edit goes depends on what people do
to the text meanwhile, and only the room knows that.
"""

import enum
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
    creates: bool = False
    """Whether the file must not be there yet, as `patch` says of one that it adds."""


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
    fault: "BlockFault | None" = None
    """Why it is not complete, where the format can say more than that the message ended."""
    crlf: bool = False
    """Whether its lines ended with CRLF in the message, so that a new file's should."""


@dataclass(frozen=True, slots=True)
class BlockStart:
    """A search/replace block begins.

    `path` as the model wrote it near the block. Without one, a known file in `mentions` is meant,
    else the file of the block before, else the one in focus.
    """

    path: str | None
    mentions: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    """Lines that narrow the place, each behind the one before; the block stands behind the last."""
    ordered: bool = False
    """Whether it stands behind the block before it in the same file, as in `patch`."""
    at_end: bool = False
    """Whether the file ends where the block ends."""
    restarts: bool = False
    """Whether an ordered block is the first of an order, so that all of the file is behind it."""
    verbatim: bool = False
    """Whether it replaces a piece of text as it stands, not lines: `Search` and `Text` may begin
    and end inside a line, as in `json`."""


@dataclass(frozen=True, slots=True)
class Search:
    """All that the block replaces; empty for a new file.

    Lines, each with its LF, but for a `verbatim` block.
    """

    text: str


class BlockFault(enum.StrEnum):
    """Why a block is not complete."""

    CUT = "cut"  # the message ended inside it
    NO_DIVIDER = "no_divider"  # it ended, or another began, before its divider
    NO_END = "no_end"  # another began inside its replacement, or what is around it ended
    EMPTY = "empty"  # it says no line
    BAD_LINE = "bad_line"  # a line in it begins with nothing that its format knows
    NO_PLACE = "no_place"  # line numbers alone say where it goes
    UNKNOWN = "unknown"  # an operation that its format does not have, or not there
    BAD_JSON = "bad_json"  # it is not JSON from some place on
    SHAPE = "shape"  # a field is missing, said twice, or no text
    EVERYWHERE = "everywhere"  # it asks for more than one place to be changed


@dataclass(frozen=True, slots=True)
class BlockEnd:
    """The block is over; with a fault it is not complete."""

    fault: BlockFault | None = None
    crlf: bool = False
    """Whether its lines ended with CRLF in the message, so that those of an empty file should."""

    @property
    def complete(self) -> bool:
        """Say whether its edit counts."""
        return self.fault is None


@dataclass(frozen=True, slots=True)
class Delete:
    """A file is to go; told when the operation is complete."""

    path: str


@dataclass(frozen=True, slots=True)
class Move:
    """A file is to have another path, behind its edits; told when the operation is complete."""

    path: str
    to: str


Event = (
    Prose | FileStart | Text | Omission | FileEnd | BlockStart | Search | BlockEnd | Delete | Move
)


class Parser(Protocol):
    """What every format's parser does."""

    def push(self, text: str) -> list[Event]:
        """Return the events that the next piece of the message completes."""
        ...

    def finish(self) -> list[Event]:
        """Return the last events. Nothing may be pushed afterwards."""
        ...
