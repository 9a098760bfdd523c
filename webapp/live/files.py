"""One file of an open session: its text, its recent log, and how a push is rebased. Pure.

What always holds: `text` is the log applied up to `version`; `steps` are the last entries without a
gap, the newest one leading to `version`; hunks stand where the text stands.

A push is rebased over one newer entry at a time, and each entry is mapped over the push on its way,
as @codemirror/collab does in a page that receives one update a call. Rebasing over a composition
of several entries is not the same, and replicas diverge.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import Any, Final

from webapp.document import bounds
from webapp.document.changes import ChangeError, ChangeSet
from webapp.document.hunks import Hunk
from webapp.document.text import LineEnding, dumps_ascii
from webapp.live.wire import Update

MAX_LENGTH: Final = bounds.MAX_TEXT_UNITS
MAX_FILES: Final = bounds.MAX_FILES
MAX_BEHIND: Final = 500
FREE_BEHIND: Final = 2
"""A page so close behind is always rebased here, or large changes of others would starve it."""
MAX_MAPPED_SECTIONS: Final = 100_000
"""About 0.1 s, in which nobody else is heard."""
KEEP_STEPS: Final = 1_000
KEEP_CHARS: Final = 2 * 1024 * 1024
PART_BYTES: Final = 128 * 1024
PART_ENTRIES: Final = 500
SHOWN_OLD_CHARS: Final = 20_000
"""How much of what a hunk replaced a frame holds: every page is sent that of the last turns."""
SERVER: Final = "flint"
"""The client id of entries that no page made."""

Numbered = tuple[int, ChangeSet]


class Verdict(Enum):
    """Why a push needs no rebasing here."""

    KNOWN = "all of it is in the log"
    BEHIND = "its version is too far back; the page must rebase it itself"


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of the file's log, and its frame's fields as JSON text without braces."""

    version: int
    change: ChangeSet
    client: str
    counter: int | None
    body: str


@dataclass(slots=True)
class OpenFile:
    """A live file. `counters` holds each client's last update in this file's log."""

    id: str
    path: str
    ending: LineEnding
    text: str
    version: int
    encoding: str = "utf-8"
    has_bom: bool = False
    blob_bytes: int | None = None
    """The size of a binary file, which is kept and listed and has no text here."""
    counters: dict[str, int] = field(default_factory=dict)
    hunks: dict[str, Hunk] = field(default_factory=dict)
    steps: deque[Step] = field(default_factory=deque)
    typed_in: list[str] = field(default_factory=list)
    """The hunks that the newest entry reached into, when no turn wrote it."""
    unsaved_steps: int = 0
    """Entries since the last snapshot."""
    _kept_chars: int = 0

    @property
    def is_text(self) -> bool:
        """Say whether it can be opened and edited; else it is only listed."""
        return self.blob_bytes is None

    @property
    def base(self) -> int:
        """Return the version before the first step."""
        return self.steps[0].version - 1 if self.steps else self.version

    def since(self, version: int) -> list[Step] | None:
        """Return the entries after `version`, or None when they are no longer all here."""
        if not self.base <= version <= self.version:
            return None
        return list(islice(self.steps, version - self.base, None))

    def length_at(self, version: int) -> int | None:
        """Return the text's length at a version, or None when that is no longer known."""
        if version == self.version:
            return len(self.text)
        steps = self.since(version)
        return steps[0].change.length if steps else None

    def rebase(
        self, client: str, version: int, updates: Sequence[Update]
    ) -> list[Numbered] | Verdict:
        """Return what of a push is new, as it applies to the text at the head, oldest first.

        Raises ChangeError when the push does not fit: malformed, made for another text, at a
        version that does not exist yet, or other than what the log has under its counters.
        """
        last = self.counters.get(client, 0)
        if updates[-1].n <= last:
            return Verdict.KNOWN
        if version > self.version:
            raise ChangeError(f"There is no version {version} yet; the file is at {self.version}.")
        newer = self.since(version)
        if newer is None or len(newer) > MAX_BEHIND:
            return Verdict.BEHIND
        mine: list[Numbered] = []
        length = newer[0].change.length if newer else len(self.text)
        for update in updates:
            change = ChangeSet.from_json(update.c, length, keep_cr=self.ending == "mixed")
            mine.append((update.n, change))
            length = change.new_length
        if len(newer) > FREE_BEHIND and _sections_to_map(mine, newer) > MAX_MAPPED_SECTIONS:
            return Verdict.BEHIND
        for step in newer:
            if step.client == client and mine and step.counter == mine[0][0]:
                if step.change != mine[0][1]:
                    raise ChangeError(f"The log has another change as number {step.counter}.")
                del mine[0]
            else:
                mine = map_over(mine, step.change)
        if not mine or mine[0][0] <= last:
            raise ChangeError(f"The log has more of this page than it says: number {last}.")
        return mine

    def append(self, step: Step, turn: str | None = None, hunk: int | None = None) -> None:
        """Apply the next entry. `turn` and `hunk` name the hunk that the change writes."""
        before = self.text
        self.text = step.change.apply(before)
        self.version = step.version
        self.typed_in = []
        for id, held in self.hunks.items():
            if held.turn == turn and held.ordinal == hunk:
                self.hunks[id] = held.write(step.change, before)
                continue
            followed = self.hunks[id] = held.follow(step.change, own=False)
            if turn is None and followed.touched and held.is_hit_by(step.change):
                self.typed_in.append(id)
        if step.counter is not None:
            self.counters[step.client] = step.counter
        self.unsaved_steps += 1
        self.keep(step)

    def keep(self, step: Step) -> None:
        """Remember an entry, and forget the oldest ones beyond what is kept."""
        self.steps.append(step)
        self._kept_chars += len(step.body)
        while len(self.steps) > KEEP_STEPS or self._kept_chars > KEEP_CHARS:
            self._kept_chars -= len(self.steps.popleft().body)

    def listing(self) -> dict[str, Any]:
        """Return the file as `welcome` lists it."""
        return {
            "file": self.id,
            "path": self.path,
            "v": self.version,
            "ending": self.ending,
            "size": len(self.text) if self.blob_bytes is None else self.blob_bytes,
            "encoding": self.encoding,
            "bom": self.has_bom,
            "binary": self.blob_bytes is not None,
        }

    def forget_hunks(self, turn: str) -> None:
        """Follow the hunks of this turn no longer; their rows stay."""
        for id in [id for id, hunk in self.hunks.items() if hunk.turn == turn]:
            del self.hunks[id]

    def hunk_frames(self) -> list[dict[str, Any]]:
        """Return the hunks where they stand now."""
        ordered = sorted(self.hunks.values(), key=lambda hunk: (hunk.turn, hunk.ordinal))
        return [hunk_frame(hunk, self.version) for hunk in ordered]


def map_over(mine: list[Numbered], change: ChangeSet) -> list[Numbered]:
    """Return the updates as they apply after `change`, which starts at the same text."""
    mapped = []
    for number, own in mine:
        mapped.append((number, own.map(change)))
        change = change.map(own, before=True)
    return mapped


def _sections_to_map(mine: list[Numbered], newer: list[Step]) -> int:
    own = sum(change.section_count for _, change in mine)
    others = sum(step.change.section_count for step in newer)
    return own * len(newer) + others * len(mine)


def hunk_frame(hunk: Hunk, version: int) -> dict[str, Any]:
    """Return a hunk as the wire shows it."""
    return {
        "turn": hunk.turn,
        "ordinal": hunk.ordinal,
        "file": hunk.file,
        "v": version,
        "start": hunk.start,
        "end": hunk.end,
        "old": hunk.old_text[:SHOWN_OLD_CHARS],
        "status": str(hunk.status),
        "by": hunk.by,
    }


def entry_body(
    version: int,
    payload: str,
    client: str,
    counter: int | None,
    by: dict[str, Any],
    kind: str,
    turn: str | None = None,
    hunk: int | None = None,
) -> str:
    """Return an entry's fields as JSON text without braces, so that it is encoded once for all."""
    rest: dict[str, Any] = {"client": client, "by": by, "kind": kind}
    if counter is not None:
        rest["n"] = counter
    if turn is not None:
        rest["turn"] = turn
    if hunk is not None:
        rest["hunk"] = hunk
    return f'"v":{version},"c":{payload},{dumps_ascii(rest)[1:-1]}'


def entry_text(file: str, body: str) -> str:
    """Return the text of an `entry` frame."""
    return f'{{"t":"entry","file":"{file}",{body}}}'


def entries_texts(file: str, version: int, bodies: Sequence[str]) -> list[str]:
    """Return the texts of the `entries` frames with what follows `version`, in parts."""
    texts: list[str] = []
    part: list[str] = []
    size = 0
    for body in bodies:
        if part and (size + len(body) > PART_BYTES or len(part) >= PART_ENTRIES):
            texts.append(_entries_text(file, version, part))
            version += len(part)
            part, size = [], 0
        part.append(body)
        size += len(body)
    if part or not texts:
        texts.append(_entries_text(file, version, part))
    return texts


def _entries_text(file: str, version: int, bodies: Sequence[str]) -> str:
    listed = ",".join(f"{{{body}}}" for body in bodies)
    return f'{{"t":"entries","file":"{file}","v":{version},"list":[{listed}]}}'
