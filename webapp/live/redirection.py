"""What a turn knows of those it was redirected from, and taking those back. Never waits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from webapp.document.changes import ChangeSet
from webapp.document.hunks import Hunk
from webapp.document.text import from_utf16
from webapp.engine.prompt import Excerpt, Redirection
from webapp.lib.sentences import joined
from webapp.live import reverting
from webapp.live import turn_sentences as say
from webapp.live.files import OpenFile
from webapp.live.turn_rows import Record

if TYPE_CHECKING:
    from webapp.live.room import Room

LONGEST_CHAIN: Final = 4
OLDER_PROMPT_CHARS: Final = 1_000


def chain(records: Mapping[str, Record], parent: Record | None) -> list[Record]:
    """Return a turn and those that it was redirected from or repairs, oldest first, as far as they
    are known."""
    held: list[Record] = []
    while parent is not None and len(held) < LONGEST_CHAIN:
        held.append(parent)
        parent = records.get(parent.parent or parent.repairs or "")
    return held[::-1]


def told(room: Room, chain: Sequence[Record]) -> Redirection | None:
    """Return what the next turn is told: all their prompts, and the last one's edits, as they
    stand now."""
    if not chain:
        return None
    older = [_short(from_utf16(record.prompt.strip())) for record in chain[:-1]]
    prompts = [*older, from_utf16(chain[-1].prompt.strip())]
    return Redirection("\nThen: ".join(prompts), _kept(room, chain[-1]))


def _short(prompt: str) -> str:
    return prompt if len(prompt) <= OLDER_PROMPT_CHARS else prompt[: OLDER_PROMPT_CHARS - 1] + "…"


def _kept(room: Room, record: Record) -> list[Excerpt]:
    by_file: dict[str, list[Hunk]] = defaultdict(list)
    for hunk in reverting.standing(room, record.id):
        if hunk.end > hunk.start:
            by_file[hunk.file].append(hunk)
    excerpts: list[Excerpt] = []
    for id, hunks in by_file.items():
        excerpts += _excerpts(room.files[id], hunks)
    return excerpts


def _excerpts(file: OpenFile, hunks: list[Hunk]) -> list[Excerpt]:
    """Return the lines of these hunks, neighbours as one."""
    spans: list[tuple[int, int]] = []
    for hunk in sorted(hunks, key=lambda hunk: hunk.start):
        first = file.text.count("\n", 0, hunk.start) + 1
        last = file.text.count("\n", 0, hunk.end)
        last = max(first, last + (file.text[hunk.end - 1] != "\n"))
        if spans and first <= spans[-1][1] + 1:
            spans[-1] = spans[-1][0], max(spans[-1][1], last)
        else:
            spans.append((first, last))
    lines = file.text.split("\n")
    return [
        Excerpt(file.path, from_utf16("\n".join(lines[first - 1 : last]) + "\n"), first, last)
        for first, last in spans
    ]


def take_back(
    room: Room,
    record: Record,
    name: str,
    author: str,
    wrote: Callable[[str, ChangeSet], None],
) -> None:
    """Take a turn that is over back as far as nobody typed in it; the record says what stays."""
    hunks = reverting.standing(room, record.id)
    untouched = [hunk for hunk in hunks if not hunk.touched]
    touched = [hunk for hunk in hunks if hunk.touched]
    if untouched:
        reverting.revert(room, record, untouched, author, name, wrote)
        reverting.close(room, record, name)
    if touched:
        who = next((hunk.by for hunk in touched if hunk.by), "")
        text = say.TYPED_STAYS % {"name": who} if who else say.CHANGED_STAYS
        record.reason = joined([record.reason, text])
