"""A file's new text, as it streams, into changes of that file: a line diff that people can type
into meanwhile.

The writer walks once through the old lines of its region. `_next` is the first old line that is
not passed yet; new text goes in just before it.

- A complete new line that equals the next old line passes it: the text stays untouched.
- One that equals a later old line which is unique in the region and not blank passes all before
  that, and only now are those deleted.
- Any other line is inserted, also while it still grows; it is held back while it could yet become
  one of the lines above.
- `close`, at the closing fence, deletes what is left. Nothing is deleted because a stream ended.

People: `follow` maps everything through somebody else's change. Where they changed an old line,
that line is never deleted, though the model still passes it by its old text (a merge of three).
Where they changed what the open hunk has inserted, the model yields: nothing more is written or
deleted there until an old line is passed.

A hunk is one place: what was inserted before an old line, plus the old lines deleted right behind
it. While it is open it holds insertions alone, so `rollback` has only those to remove.

Nothing touches the text between two `take`s: what the model sent waits as text and line numbers,
and `take` turns it into one change of the text as it is then. Hence other people's changes need
no mapping over pending ones. Turned down: a diff of the text so far at each flush (quadratic, and
it would delete lines before the model has got to them).

Offsets are UTF-16.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

from webapp.document.changes import ChangeSet
from webapp.engine.formats.old_lines import OldLines
from webapp.engine.formats.spelling import Spelling

Status = Literal["open", "applied", "yielded", "rolled_back"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A hunk as it is after a flush: [start, end) stands where `old` stood."""

    key: int
    start: int
    end: int
    old: str
    status: Status
    added_lines: int = 0
    removed_lines: int = 0


@dataclass(frozen=True, slots=True)
class Flush:
    """One change for everything since the last one (None when no text changes), and the hunks
    that it alters. `at` is where the model's cursor stands afterwards."""

    change: ChangeSet | None
    marks: tuple[Mark, ...]
    at: int


@dataclass(slots=True)
class _Place:
    """Where text goes in before one old line. `start` to `end` is what stands there already."""

    key: int
    start: int
    end: int
    at_end: bool
    """Behind a last line that has no LF: lines are led by an LF instead of followed by one."""
    line_end: str
    shown: bool = False
    growing: bool = False
    """The LF at `end - 1` belongs to a line that still grows."""
    owed: bool = False
    """With `at_end`: a line is complete, and its LF comes with the next one."""
    said: list[str] = field(default_factory=list)
    """All that the model wrote here."""
    raw: list[str] = field(default_factory=list)
    raw_length: int = 0
    added_lines: int = 0
    taken: int = 0
    """How much of the model's text stands here."""
    gone: tuple[int, int] | None = None
    """The old lines deleted with it; set when an old line is passed or the block closes."""
    trim: bool = False
    """The deleted lines end a text without a final LF, so the new text has none either."""
    led: bool = False
    """The LF before it ends an old line that nobody touched."""
    yielded: bool = False


@dataclass(frozen=True, slots=True)
class Lost:
    """What the model yielded: what stands in [start, end), and what it wanted there instead."""

    start: int
    end: int
    new: str


@dataclass(slots=True)
class _Edit:
    start: int
    end: int
    text: str


class RegionWriter:
    """Writes one block over [start, end) of a text; the bounds are those of whole lines."""

    def __init__(
        self, text: str, start: int = 0, end: int | None = None, spelling: Spelling | None = None
    ) -> None:
        end = len(text) if end is None else end
        self._spelling: Final = spelling or Spelling()
        self._lines: Final = OldLines(text, start, end, self._spelling.searched)
        self._next = 0
        self._anchor = start
        self._anchor_lf = False  # the LF before the anchor ends an old line nobody touched
        self._places: list[_Place] = []
        self._place: _Place | None = None
        self._blocked = False
        self._yielded: _Place | None = None
        """The place at which the model is blocked."""
        self._lost: list[Lost] = []
        self._held = ""
        self._released = False
        self._keys = 0
        self.received_utf16 = 0
        """How much text came in."""
        self._passed_utf16 = 0
        self._written_utf16 = 0
        self._pending_passed_utf16 = 0

    @property
    def misfit(self) -> str | None:
        """The first line that lacks the indentation to be taken away, if there was one."""
        return self._spelling.misfit

    # What the model says

    def push(self, text: str) -> None:
        """Take the next piece of the block's text (LF line ends)."""
        self.received_utf16 += len(text)
        start = 0
        end = text.find("\n")
        while end >= 0:
            self._end_line(text[start:end])
            start = end + 1
            end = text.find("\n", start)
        if start < len(text):
            self._grow(text[start:])

    def close(self) -> None:
        """Take the closing fence: old lines that are left go, but for those people touched."""
        if self._released or self._held:
            self._end_line("")
        self._spelling.drop()
        self._write_blanks()
        lines, place = self._lines, self._place
        if self._next < lines.count:
            self._leave(lines.count, trim=lines.open_end)
            self._next = lines.count
            self._anchor = lines.finish(lines.count - 1)
        else:
            self._leave(lines.count)
            self._anchor = place.end if place else self._anchor

    def knows(self, line: str) -> bool:
        """Say whether the old text of the region has this line."""
        return line.removesuffix("\n") in self._lines

    @property
    def applied_utf16(self) -> int:
        """How much of the text that came in stands in the file: written, or passed."""
        return self._passed_utf16 + self._written_utf16

    @property
    def pending(self) -> bool:
        """Say whether `take` has anything to give."""
        return any(place.raw or place.gone or place.yielded for place in self._places)

    def _grow(self, piece: str) -> None:
        if not self._released:
            self._held += piece
            if self._lines.may_match(self._held, self._next) or self._spelling.waits(self._held):
                return
            piece, self._held, self._released = self._spelling.of(self._held), "", True
            self._write_blanks()
        self._write(piece)

    def _end_line(self, piece: str) -> None:
        if self._released:
            self._released = False
            self._write(piece + "\n")
            return
        line, self._held = self._held + piece, ""
        found = self._lines.match(line, self._next)
        if found is None and self._spelling.holds(line):
            return
        self._write_blanks()
        if found is None:
            stands = self._lines.as_it_stands(line)
            self._write((self._spelling.of(line) if stands is None else stands) + "\n")
            return
        self._leave(found)
        self._next = found + 1
        self._anchor = self._lines.finish(found)
        bare = self._lines.open_end and self._next == self._lines.count
        self._anchor_lf = not self._lines.touched(found) and not bare
        self._pending_passed_utf16 += len(line) + 1

    def _write_blanks(self) -> None:
        for line in self._spelling.release():
            self._write(line + "\n")

    def _write(self, text: str) -> None:
        if self._blocked:
            if self._yielded is not None:
                self._yielded.said.append(text)
            return
        place = self._place
        if place is None:
            place = self._place = self._new_place()
        place.said.append(text)
        place.raw.append(text.replace("\n", place.line_end) if place.line_end != "\n" else text)
        place.raw_length += len(text)

    def _new_place(self) -> _Place:
        line_end = self._lines.line_end(self._next)
        if self._next < self._lines.count:
            at = self._lines.begin(self._next)
            place = _Place(self._keys, at, at, False, line_end)
            place.led = self._anchor_lf and at == self._anchor
        else:
            place = _Place(self._keys, self._anchor, self._anchor, self._lines.open_end, line_end)
        self._keys += 1
        self._places.append(place)
        return place

    def _leave(self, found: int, trim: bool = False) -> None:
        """Close the place before the next old line; lines from there to `found` go with it."""
        place = self._place
        if not self._blocked and (place is not None or found > self._next):
            if place is None:
                place = self._new_place()
            place.gone = (self._next, found)
            place.trim = trim
        if self._yielded is not None:
            self._lose(self._yielded, self._next, found)
        self._place = self._yielded = None
        self._blocked = False

    def _lose(self, place: _Place, first: int, found: int) -> None:
        """Note what a yielded place was to be; the old lines [first, found) were to go."""
        end = max(place.end, self._lines.finish(found - 1)) if found > first else place.end
        self._lost.append(Lost(place.start, end, "".join(place.said)))

    def lost(self) -> list[Lost]:
        """Return what was yielded and is complete since the last call, as it stands now."""
        lost, self._lost = self._lost, []
        return lost

    # What goes into the text

    def take(self, text: str) -> Flush | None:
        """Return one change of `text`, the file as it is now, for all that came since the last
        take; None when that is nothing. The change must be applied before anything else is."""
        if not self.pending:
            self._passed()
            return None
        edits: list[_Edit] = []
        marks: list[Mark] = []
        active = self._place
        before = delta = 0
        for place in self._places:
            before = delta
            delta = self._settle(place, text, edits, marks, delta)
        self._anchor += before if active else delta
        # Behind the last character of the model's line, not behind the LF that it still owes.
        at = active.end - active.growing if active else self._anchor
        self._lines.move(delta, self._next)
        self._places = [active] if active else []
        self._passed()
        change = ChangeSet.of(
            len(text), [(edit.start, edit.end, edit.text) for edit in edits], keep_cr=True
        )
        return Flush(None if change.is_empty else change, tuple(marks), at)

    def _passed(self) -> None:
        self._passed_utf16 += self._pending_passed_utf16
        self._pending_passed_utf16 = 0

    def _settle(
        self, place: _Place, text: str, edits: list[_Edit], marks: list[Mark], delta: int
    ) -> int:
        """Add the place's edits and marks; return by how much the text behind it moves."""
        if place.yielded:
            if place.shown:
                marks.append(self._mark(place, delta, "", "yielded"))
            place.start += delta
            place.end += delta
            return delta
        was_shown, old_end = place.shown, place.end
        grown = self._grown(place, text)
        groups = self._lines.untouched(*place.gone) if place.gone else []
        spare = 0
        if groups and groups[0][0] == old_end:
            spare = self._reuse(place, text, grown, groups[0])
        if grown.text:
            edits.append(grown)
        place.start += delta
        delta += len(grown.text)
        place.end = old_end + delta - spare
        adjacent = groups.pop(0) if groups and groups[0][0] <= old_end else None
        old = text[adjacent[0] : adjacent[1]] if adjacent else ""
        if adjacent and not (was_shown or place.shown):
            place.start = place.end = adjacent[0] + delta
        if place.shown or old:
            status: Status = "open" if place.gone is None else "applied"
            marks.append(self._mark(place, 0, old, status))
        if adjacent and (old or spare):
            first = min(adjacent[0], old_end - spare)
            edits.append(_Edit(first, adjacent[1], ""))
            delta -= adjacent[1] - first
        for start, end in groups:
            edits.append(_Edit(start, end, ""))
            at, old = start + delta, text[start:end]
            marks.append(Mark(self._keys, at, at, old, "applied", 0, _count_lines(old)))
            self._keys += 1
            delta -= end - start
        return delta

    def _grown(self, place: _Place, text: str) -> _Edit:
        """Return the insertion that brings the place up to date, and note its state."""
        raw = "".join(place.raw)
        if not raw:
            return _Edit(place.end, place.end, "")
        place.raw.clear()
        self._written_utf16 += place.raw_length
        place.taken += place.raw_length
        place.raw_length = 0
        place.added_lines += raw.count("\n")
        ended = raw.endswith("\n")
        lead = not place.shown and place.start > 0 and text[place.start - 1] != "\n"
        at = place.end
        if place.at_end:
            lead = lead or place.owed
            new = (place.line_end if lead else "") + raw[: len(raw) - ended * len(place.line_end)]
            place.owed = ended
        elif place.growing:
            at -= 1
            new = raw[: len(raw) - ended]
        else:
            new = ("\n" if lead else "") + raw + ("" if ended else "\n")
        place.growing = not ended and not place.at_end
        place.shown = place.shown or bool(new)
        return _Edit(at, at, new)

    def _reuse(self, place: _Place, text: str, grown: _Edit, group: list[int]) -> int:
        """Keep the old lines at the end of `group` that the model has written again just before.

        Shortens the group and the insertion, and returns how much of what stands already goes
        instead. Where the old text had no final LF, the new one gets none either.
        """
        stands = text[place.start : place.end]
        at = grown.start - place.start
        full = stands[:at] + grown.text + stands[at:]
        bare = place.trim and group[1] == self._lines.finish(-1)
        if not full:
            if bare and place.led:
                group[0] -= 2 if text.endswith("\r\n", 0, group[0]) else 1
            return 0
        new = full.removesuffix("\n").split("\n")
        old = text[group[0] : group[1]].removesuffix("\n").split("\n")
        same = 0
        while same < min(len(new), len(old)) and new[-1 - same] == old[-1 - same]:
            same += 1
        if not same and not bare:
            return 0
        drop = sum(len(line) + 1 for line in new[len(new) - same :])
        drop = drop or 1 + full.endswith("\r\n")
        if same:
            group[1] -= sum(len(line) + 1 for line in old[len(old) - same :]) - bare
        place.added_lines -= same
        spare = min(drop, len(stands) - at)
        cut = min(drop - spare, len(grown.text))
        grown.text = grown.text[: len(grown.text) - cut]
        return spare + (drop - spare - cut)

    def _mark(self, place: _Place, delta: int, old: str, status: Status) -> Mark:
        start, end = place.start + delta, place.end + delta
        return Mark(place.key, start, end, old, status, place.added_lines, _count_lines(old))

    def rollback(self, text: str) -> ChangeSet | None:
        """Return the change of `text` that removes what the open hunk inserted, or None.

        What was not taken yet is dropped. Nothing may be pushed or taken afterwards.
        """
        open_place = next((p for p in self._places if p.shown and not p.yielded), None)
        self._places.clear()
        self._place = None
        self._blocked = True
        if open_place is None:
            return None
        self._written_utf16 -= open_place.taken
        return ChangeSet.of(len(text), [(open_place.start, open_place.end, "")])

    # What other people do

    def follow(self, change: ChangeSet) -> bool:
        """Map everything through somebody else's change; say whether the model yielded to it."""
        edits = [(start, end, inserted) for start, end, _, _, inserted in change.iter_changes(True)]
        yielded = False
        done: list[_Place] = []
        places = list(self._places)
        if self._yielded is not None and not any(p is self._yielded for p in places):
            places.append(self._yielded)
        for place in places:
            if place.shown and not place.yielded and _hits(place, edits):
                place.yielded = yielded = True
                place.raw.clear()
                place.raw_length = 0
                if place is self._place:
                    self._place = None
                    self._blocked = True
                    self._yielded = place
                else:
                    done.append(place)
            if place.shown:
                place.start = change.map_pos(place.start, 1)
                place.end = max(place.start, change.map_pos(place.end, -1))
            else:
                place.led = place.led and not any(s < place.start <= e for s, e, _ in edits)
                place.start = place.end = change.map_pos(place.start, -1)
        if any(start < self._anchor <= end for start, end, _ in edits):
            self._anchor_lf = False
        self._anchor = change.map_pos(self._anchor, -1)
        for start, end, inserted in reversed(edits):
            self._lines.follow(start, end, inserted)
        for place in done:
            self._lose(place, *(place.gone or (0, 0)))
        return yielded


def _hits(place: _Place, edits: list[tuple[int, int, str]]) -> bool:
    """Say whether somebody changed what the place inserted, or wrote where it grows."""
    for start, end, inserted in edits:
        if start < end and start < place.end and end > place.start:
            return True
        if inserted and (
            place.start < end <= place.end
            or (start == place.end)
            or (end == place.start and not inserted.endswith("\n"))
        ):
            return True
    return False


def _count_lines(text: str) -> int:
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)
