"""The desk: where one edit after another is written, refused, frozen or yielded. Pure.

A landing (whole.py, blocks.py, patch.py) says where an edit goes; the desk does the rest, the same
for every format and for every workspace. What holds:

- before each write the fence is asked, then the guard; what the guard does not allow is never in
  the text, not for a moment: a hunk that turns out to be such is taken back in the change that
  would have made it so;
- an edit that is refused, frozen or yielded is collected to its end and told once (`withhold`);
  the rest of the message goes on;
- where a person types in what is being written, the desk lets go in the same moment.

An edit frozen for what it takes out is judged once more at its end, when all that it writes is
known; one that is fine by then is written at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from webapp.document.changes import ChangeSet
from webapp.document.text import line_start
from webapp.document.tree import PathError, check_path
from webapp.engine.formats.whole_writer import Flush, Mark, RegionWriter
from webapp.engine.guard import Guard, Rules
from webapp.engine.landing import sentences as say
from webapp.engine.landing.edit import Edit, Make, Place, State
from webapp.engine.landing.held import Doc, HeldEdit
from webapp.engine.landing.parting import part
from webapp.engine.landing.telling import Telling
from webapp.engine.landing.withheld import Kind, Operation, Withhold
from webapp.engine.landing.workspace import CannotCreate, Workspace
from webapp.engine.landing.writer import Writer
from webapp.lib.sentences import said


class Desk:
    """Writes the edits of one message into a workspace."""

    def __init__(self, place: Workspace, rules: Rules, withhold: Withhold) -> None:
        self.workspace: Final = place
        self.guard: Final = Guard(rules)
        self.told: Final = Telling(withhold)
        self.edit: Edit | None = None
        self.edits = 0
        """How many edits the message has, refused ones too."""
        self.broken = False
        """Whether the workspace did not take a write, so that the writer is ahead of the text."""
        self.meant: set[str] = set()
        """Files made by an edit that is complete, also when they are empty."""
        self._writers: list[Writer] = []
        self._places: list[Place] = []

    @property
    def applied_utf16(self) -> int:
        """How much of the model's text stands in files."""
        return sum(writer.applied_utf16 for writer in self._writers)

    @property
    def writing(self) -> Edit | None:
        """Return the edit that is being written."""
        return self.edit if self.edit is not None and self.edit.state is State.WRITING else None

    @property
    def pending(self) -> bool:
        """Say whether `flush` has anything to write."""
        edit = self.writing
        return edit is not None and edit.writer is not None and edit.writer.pending

    def keep_track(self, place: Place) -> Place:
        """Move a place with the text from now on."""
        self._places.append(place)
        return place

    # How an edit begins

    def begin(self, doc: Doc, make: Make, start: int, end: int, *, per_place: bool = False) -> None:
        """Begin an edit of a file, which replaces [start, end)."""
        place = Place(doc.id, start, end)
        edit = Edit("edit", doc.path, State.WRITING, doc, make, place, per_place)
        self._begin(edit, doc)
        if reason := self.guard.touch(doc.path):
            edit.state, edit.reason = State.FROZEN, reason
        else:
            self._give_writer(edit)

    def create(self, path: str, make: Make, *, per_place: bool = False) -> None:
        """Begin a file that is not there yet."""
        try:
            path = check_path(path)
        except PathError as error:
            self.refuse(path, say.NOT_CREATED % {"problem": error.sentence}, op="create")
            return
        edit = Edit("create", path, State.WRITING, make=make, per_place=per_place)
        if reason := self.guard.touch(path):
            edit.state, edit.reason = State.FROZEN, reason
            self._begin(edit, None)
            return
        if not self.workspace.may_write():
            self.let_go()
            return
        try:
            doc = self.workspace.create(path)
        except CannotCreate as error:
            self.refuse(path, say.NOT_CREATED % {"problem": said(error)}, op="create")
            return
        edit.doc, edit.place = doc, Place(doc.id, 0, 0)
        self._begin(edit, doc)
        self._give_writer(edit)

    def refuse(
        self,
        path: str,
        reason: str,
        *,
        op: Operation = "edit",
        doc: Doc | None = None,
        lines: tuple[int, int] | None = None,
    ) -> None:
        """Begin an edit that cannot be applied; `lines` are those that were meant, perhaps."""
        old = ""
        if doc is not None and lines is not None:
            first = line_start(doc.text, lines[0])
            old = doc.text[first : line_start(doc.text, lines[1] + 1)]
        self._begin(Edit(op, path, State.REFUSED, doc, reason=reason, lines=lines, old=old), None)

    def _begin(self, edit: Edit, doc: Doc | None) -> None:
        self.let_go()
        self.edit = edit
        self.edits += 1
        if doc is not None:
            self.guard.begin(doc.id, doc.text)
            if edit.place is not None:
                edit.base = doc.text, edit.place.start, edit.place.end

    def _give_writer(self, edit: Edit) -> Writer | None:
        """Have it written, or collected by a writer that follows what people do."""
        if edit.make is None or edit.doc is None or edit.place is None:
            return None
        writer = edit.writer = edit.make(edit.doc.text, edit.place.start, edit.place.end)
        self._writers.append(writer)
        edit.number = len(self._writers)
        return writer

    # How it goes on

    def text(self, text: str) -> None:
        """Take more of the edit's text."""
        edit = self.edit
        if edit is None:
            return
        edit.said.append(text)
        if edit.writer is not None:
            edit.writer.push(text)
            self._after_push(edit)

    def omission(self, line: str) -> None:
        """Take a line that seems to stand for code which the model left out."""
        edit = self.writing
        if edit is None or edit.writer is None or edit.writer.knows(line):
            self.text(line)
        elif edit.per_place:
            edit.said.append(line)
            self.fail(say.OMITTED % {"path": edit.path, "line": line.strip()})
        else:
            edit.said.append(line)
            self._freeze(edit, self.guard.omit(edit.path, line), final=True)

    def freeze(self, reason: str) -> None:
        """Wait for a person's word on all of the edit, whatever the rest of it says."""
        if (edit := self.writing) is not None:
            self._freeze(edit, reason, final=True)

    def fail(self, reason: str) -> None:
        """Take back what is open of the edit, as it cannot be applied; the rest is collected."""
        edit = self.edit
        if edit is None or edit.state is State.REFUSED:
            return
        if edit.state is State.WRITING:
            self.flush()
            self._take_back(edit)
            self._discard_created(edit)
        edit.state, edit.reason, edit.writer = State.REFUSED, reason, None

    def _after_push(self, edit: Edit) -> None:
        if misfit(edit.writer):
            self.fail(say.MISFIT % {"path": edit.path})
        elif edit.per_place and isinstance(edit.writer, RegionWriter):
            for lost in edit.writer.lost():
                self.told.lost(edit, lost)

    def end(self, *, crlf: bool = False) -> None:
        """End an edit that is complete: write all of it, or tell what it was to be.

        With `crlf`, the lines of a file that had none end so from now on.
        """
        edit = self.edit
        if edit is None:
            return
        if edit.state is State.WRITING and edit.writer is not None:
            edit.writer.close()
            self._after_push(edit)
            self.flush()
        if edit.state is State.WRITING:
            if crlf and edit.doc is not None and not edit.base[0]:
                self.workspace.end_lines(edit.doc, "crlf")
            self._landed(edit)
        elif edit.state is State.FROZEN:
            self._conclude(edit)
        else:
            self.told.edit(edit)
        self.edit = None

    def _landed(self, edit: Edit) -> None:
        if edit.op == "create" and edit.doc is not None:
            self.meant.add(edit.doc.id)
        if self.workspace.may_write():
            self.told.applied(edit)

    def let_go(self) -> None:
        """Write nothing more of this edit; what stands of it stays."""
        edit, self.edit = self.edit, None
        if edit is not None and edit.state is State.REFUSED:
            self.told.edit(edit)

    def cut(self) -> None:
        """End an edit that the message did not write to its end."""
        edit = self.edit
        if edit is None:
            return
        started = edit.writer is not None and edit.writer.received_utf16
        if edit.state is State.WRITING and (started or edit.shown):
            return  # settling takes it back
        self.fail(say.MALFORMED % {"path": edit.path})
        self.let_go()

    # Writes

    def flush(self) -> None:
        """Write what waits, as far as the fence and the guard let it."""
        edit = self.writing
        if edit is None or edit.doc is None or edit.writer is None or self.broken:
            return
        if not self.workspace.may_write():
            return
        flush = edit.writer.take(edit.doc.text)
        if flush is not None:
            self._judge(edit, edit.doc, flush)

    def _judge(self, edit: Edit, doc: Doc, flush: Flush) -> None:
        """Write a flush, but for what must not happen unasked."""
        # Yields were dealt with when they happened.
        marks = [mark for mark in flush.marks if mark.status != "yielded"]
        frozen = self.guard.write(doc.id, doc.path, edit.number, marks)
        if not frozen:
            reason = self.guard.empties(doc.id, doc.path, doc.text, flush.change, marks)
            if reason is not None:
                frozen = [(mark, reason) for mark in marks if mark.old]
        if not frozen:
            self._write(edit, doc, Flush(flush.change, tuple(marks), flush.at))
        elif edit.per_place:
            self._write_without(edit, doc, flush, marks, frozen)
        else:
            self._freeze(edit, frozen[0][1], final=False)

    def _write(self, edit: Edit, doc: Doc, flush: Flush) -> None:
        try:
            self.workspace.write(doc, flush, edit.number)
        except Exception:
            self.broken = True
            raise
        if flush.change is not None:
            self._moved(edit, doc.id, flush.change, own=True)
        edit.note(list(flush.marks))
        self.guard.count(doc.id, edit.number, flush.marks)

    def _write_without(
        self,
        edit: Edit,
        doc: Doc,
        flush: Flush,
        marks: list[Mark],
        frozen: Sequence[tuple[Mark, str]],
    ) -> None:
        """Write the places of a flush that are fine, and put the others back in the same change."""
        parts = part(doc.text, flush, marks, [mark for mark, _ in frozen], edit.shown)
        if edit.writer is not None:
            edit.writer.follow(parts.undo)
        self._write(edit, doc, parts.flush)
        for (mark, reason), (start, new) in zip(frozen, parts.put_back, strict=True):
            span = start, start + len(mark.old)
            held = HeldEdit(doc.id, doc.path, span, new, careful=True)
            self.told.place(edit, Kind.FROZEN, reason, held, mark.old)

    # Edits that are not written

    def _freeze(self, edit: Edit, reason: str, *, final: bool) -> None:
        """Take back what stands of an edit, and only collect it from now on."""
        edit.state, edit.reason, edit.is_final = State.FROZEN, reason, final
        self._take_back(edit, from_text=True)
        edit.writer = None
        if edit.op == "create":
            self._discard_created(edit)
            edit.is_final = True
            return
        text, start, end = edit.base
        if edit.doc is None or edit.place is None:
            return
        stands = edit.doc.text[edit.place.start : edit.place.end]
        if final or stands != text[start:end]:
            edit.is_final = True
        else:
            writer = self._give_writer(edit)
            if writer is not None:
                writer.push(edit.new)

    def _take_back(self, edit: Edit, *, from_text: bool = False) -> None:
        """Take back the open hunk; `from_text` where the writer is ahead of what was written."""
        doc = edit.doc
        if doc is None or edit.writer is None or not self.workspace.may_write():
            return
        ahead = from_text or self.broken
        change = edit.put_back() if ahead else edit.writer.rollback(doc.text)
        if change is not None and self.workspace.roll_back(doc, change, settles=False):
            self._moved(edit, doc.id, change, own=True)
        edit.shown.clear()

    def _discard_created(self, edit: Edit) -> None:
        """Take away a file that was made for an edit, when nothing stands in it."""
        doc = edit.doc
        if edit.op == "create" and doc is not None and not doc.text and self.workspace.may_write():
            edit.doc = None
            self.workspace.discard(doc)

    def _conclude(self, edit: Edit) -> None:
        """End a frozen edit: now that all of it is there, it may be fine."""
        doc = edit.doc
        if doc is not None and not edit.is_final and edit.writer is not None:
            edit.writer.close()
            flush = edit.writer.take(doc.text) if not misfit(edit.writer) else None
            if flush is not None and self.workspace.may_write():
                frozen = self.guard.write(doc.id, doc.path, edit.number, flush.marks)
                if not frozen and not self.guard.empties(
                    doc.id, doc.path, doc.text, flush.change, flush.marks
                ):
                    edit.state = State.WRITING
                    self._write(edit, doc, flush)
                    self._landed(edit)
                    return
        self.told.edit(edit)

    # The end

    def settle(self, *, keep: bool = False) -> Literal["kept", "rolled_back", ""]:
        """Close everything, fence or not; say what became of a hunk that was open."""
        edit, self.edit = self.edit, None
        if edit is None:
            return ""
        if edit.state is State.REFUSED:
            self.told.edit(edit)
        doc, writer = edit.doc, edit.writer
        if edit.state is not State.WRITING or doc is None or writer is None:
            return ""
        if keep and not self.broken and self.workspace.keep(doc):
            return "kept"
        change = self.workspace.undone(doc) if self.broken else writer.rollback(doc.text)
        if change is None or not self.workspace.roll_back(doc, change, settles=True):
            return ""
        self.told.rolled_back(edit)
        return "rolled_back"

    # What other people do

    def follow(self, file: str, change: ChangeSet) -> None:
        """Map everything through somebody's change; yield where they typed."""
        edit = self.edit if self.edit and self.edit.doc and self.edit.doc.id == file else None
        self._moved(edit, file, change, own=False)
        if edit is None or edit.doc is None:
            return
        if edit.writer is None or not edit.writer.follow(change):
            return
        if edit.state is State.WRITING and self.workspace.yielded(edit.doc):
            edit.shown.clear()
            if not edit.per_place:
                edit.state, edit.writer = State.YIELDED, None
                edit.reason = say.YIELDED % {"path": edit.path}

    def _moved(self, edit: Edit | None, file: str, change: ChangeSet, *, own: bool) -> None:
        for place in self._places:
            if place.file == file:
                place.move(change, own=False)
        if edit is not None:
            edit.move(change, own=own)

    def forget(self, file: str) -> None:
        """Hear that a file is gone: what the model still says of it is only collected."""
        edit = self.edit
        if edit is None or edit.doc is None or edit.doc.id != file:
            return
        if edit.state is not State.REFUSED:
            edit.reason = say.DELETED % {"path": edit.path}
        edit.state, edit.writer, edit.doc = State.REFUSED, None, None
        edit.lines, edit.old = None, ""


def misfit(writer: Writer | None) -> bool:
    """Say whether a line of the model's cannot be brought to the file's indentation."""
    return writer is not None and writer.misfit is not None
