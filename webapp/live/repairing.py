"""Automatic repair: the model is asked once more for the edits that could not be applied.

Right after a turn that ended by itself, and before whatever waits, one turn begins by itself. It is
told exactly what failed: where, why, the lines that may have been meant as they stand now, and what
the model had wanted there; beside that it sees the files, and nothing of what was asked before. It
is a turn like any other (its permit, Stop, its hunks), its author is the first one's, and it
`repairs` that turn; its own failures start no further one. What it made is marked on the first
turn's edits.

People see a sentence in place of that prompt. It is kept in English, like all that is kept, and
told to each in their language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from webapp.document.hunks import STANDING
from webapp.document.text import from_utf16, to_utf16
from webapp.engine.landing.withheld import Kind
from webapp.lib import ids
from webapp.lib.sentences import Pattern, gettext_noop, joined
from webapp.live import repair_words, reverting, turn_rows
from webapp.live.files import OpenFile
from webapp.live.questions import Question
from webapp.live.turn_rows import Record
from webapp.live.withheld_rows import Kept

if TYPE_CHECKING:
    from webapp.live.room import Room
    from webapp.live.turns import Turns

MOST_CHARS: Final = 12_000
"""How much of the failures the model is told; those beyond are left out."""

NOT_REPAIRED: Final = Pattern(
    gettext_noop("The edits that could not be applied were not asked for again. %(problem)s")
)


class Repairing:
    """The repairs of one room."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._asked: dict[str, tuple[int, ...]] = {}
        """The ordinals that a repair asked for again, by the repair's id."""
        self.question: Question | None = None
        """The repair that is asked next."""

    def reset(self) -> None:
        """Ask for none."""
        self.question = None

    def over(self, record: Record) -> None:
        """Hear that a turn is over: mark what a repair made, or have a repair asked next."""
        if record.repairs is not None:
            self.has_more(record)
        elif record.wants_repair and record.state == "finished":
            failures = failures_of(record)
            if failures:
                self.question = self._question(record, failures)

    def give_up(self, why: str) -> None:
        """The repair cannot be asked, as a sentence says: the turn's card says so too."""
        question, self.question = self.question, None
        record = self._turns.records.get((question and question.repairs) or "")
        if question is None or record is None:
            return
        self._asked.pop(question.id, None)
        record.reason = joined([record.reason, NOT_REPAIRED % {"problem": why}])
        reason = turn_rows.reason_kept(record.reason)
        save = partial(turn_rows.save, self._turns.room.id, record.id, {"reason": reason})
        self._turns.room.record(save)
        self._turns.announce(record)

    def _question(self, record: Record, failures: Sequence[Kept]) -> Question:
        room, id = self._turns.room, ids.new_id()
        told = [_told(room, number, kept) for number, kept in enumerate(failures, 1)]
        said = _as_many_as_fit(told)
        records = self._turns.records
        self._asked = {held: asked for held, asked in self._asked.items() if held in records}
        self._asked[id] = tuple(kept.ordinal for kept in failures[: len(said)])
        focus, sel = _place(room, record, failures[: len(said)])
        others = {kept.file: None for kept in failures if kept.file in room.files}
        return Question(
            id=id,
            text=to_utf16(_HEAD + "\n\n".join(said)),
            author=record.author,
            name=record.name,
            file=focus,
            tier=record.tier,
            endpoint=record.endpoint,
            sel=sel,
            files=tuple(file for file in others if file is not None and file != focus),
            wants_repair=False,
            repairs=record.id,
            shown=repair_words.shown(len(said)),
        )

    def has_more(self, repair: Record) -> None:
        """Mark those of the first turn's refused edits that the repair made, at its end or when
        somebody has said yes to one that waited for a word."""
        asked = self._asked.get(repair.id, ())
        first = self._turns.records.get(repair.repairs or "")
        if first is None or not asked:
            return
        made = {
            ordinal
            for ordinal in asked
            if ordinal in first.withheld and self._has_made(repair, first.withheld[ordinal])
        }
        self._turns.withheld.repaired(first, made)

    def _has_made(self, repair: Record, kept: Kept) -> bool:
        """Say whether the repair wrote where this one was to go.

        Where it failed in the same file again, only what stands there now tells. An edit of a file
        that is not there was made when nothing of the repair failed: it found another name for it.
        """
        if kept.op in ("delete", "move"):
            return kept.file in repair.taken_files
        room = self._turns.room
        written = {h.file for h in reverting.hunks_of(room, repair.id) if h.status in STANDING}
        failed = [other.path for other in repair.withheld.values() if other.state != "taken"]
        file = _file(room, kept)
        if file is None:
            return bool(written) and not failed
        if file.id not in written:
            return False
        wanted = kept.new.strip()
        return file.path not in failed or bool(wanted and wanted in file.text)


def failures_of(record: Record) -> list[Kept]:
    """Return the refused edits that nobody has dismissed, in order."""
    kept = record.withheld.values()
    return [each for each in kept if each.kind is Kind.REFUSED and each.state == "open"]


# What the model is told

_HEAD: Final = (
    "Some edits of your last answer could not be applied; all others were. The files are shown as"
    " they stand now. Write only these edits again, so that they can be applied:\n\n"
)


def _told(room: Room, number: int, kept: Kept) -> str:
    file = _file(room, kept)
    parts = [f"Edit {number}{f', of {kept.path}' if kept.path else ''}. Why: {kept.reason}"]
    stands = _stands(file, kept)
    if stands is not None and file is not None:
        start, end = stands
        now = "The lines there now begin so" if kept.rest[0] else "The lines there now"
        parts.append(f"{now}:\n{_fenced(file.text[start:end])}")
    if kept.new:
        began = " began so, and is left out from there on" if kept.rest[1] else ""
        parts.append(f"What you wanted there{began}:\n{_fenced(kept.new)}")
    return from_utf16("\n".join(parts))


def _fenced(text: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{fence}"


def _as_many_as_fit(told: Sequence[str]) -> list[str]:
    said: list[str] = []
    left = MOST_CHARS
    for text in told:
        left -= len(text)
        if said and left < 0:
            break
        said.append(text if left >= 0 else text[:MOST_CHARS])
    return said


def _file(room: Room, kept: Kept) -> OpenFile | None:
    """Return the file that it is about, also when that has come since."""
    file = room.files.get(kept.file or "")
    if file is None and kept.path:
        file = next((each for each in room.files.values() if each.path == kept.path), None)
    return file if file is not None and file.is_text else None


def _stands(file: OpenFile | None, kept: Kept) -> tuple[int, int] | None:
    """Return where its candidate lines stand now, if they are still as they were."""
    if file is None or not kept.old.strip() or file.text.count(kept.old) != 1:
        return None
    start = file.text.index(kept.old)
    return start, start + len(kept.old)


def _place(
    room: Room, record: Record, failures: Sequence[Kept]
) -> tuple[str | None, tuple[int, int] | None]:
    """Return the file to show, and the lines in it: those of the first failure that has any."""
    found = [(file, _stands(file, kept)) for kept in failures if (file := _file(room, kept))]
    for file, place in found:
        if place is not None:
            return file.id, place
    if found:
        return found[0][0].id, None
    focus = (record.focus or {}).get("file")
    return focus, None
