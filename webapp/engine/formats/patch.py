"""The `patch` format: what apply_patch takes, also called V4A.

    *** Begin Patch
    *** Update File: app.py
    *** Move to: main.py
    @@ class App:
    @@     def run(self):
     context
    -old
    +new
    *** End of File
    *** Add File: new.py
    +its lines
    *** Delete File: gone.py
    *** End Patch

Several `@@` lines narrow the place in turn. Taken as well: markers with white space around them, a
here-document or a fence around the patch, a first hunk without `@@`, line numbers behind `@@`, and
no envelope at all: then the end of the fence or of the message ends it. With `*** Begin Patch` only
`*** End Patch` does, and what is open without that is not complete.

What always holds: hunks and operations are told when the marker behind them is there; the text of
a new file streams. Inside a hunk a line that begins with a space is context, whatever it says; so
` *** End Patch` ends it only where nothing of a patch follows. A line that is none of its hunk's
makes all of that hunk a fault, never a shorter one.

Turned down: telling a hunk's `+` lines as they come, since a context line may still follow them and
the place is known only when all of them are there.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from webapp.engine.formats import (
    BlockEnd,
    BlockFault,
    BlockStart,
    Delete,
    Event,
    FileEnd,
    FileStart,
)
from webapp.engine.formats.omissions import may_begin
from webapp.engine.formats.patch_added import AddedFile
from webapp.engine.formats.patch_feed import PatchFeed
from webapp.engine.formats.patch_lines import (
    OPERATIONS,
    Mark,
    Marker,
    header,
    marker,
)
from webapp.engine.formats.patch_update import Update
from webapp.engine.formats.patch_wrappers import Wrappers
from webapp.engine.formats.targets import is_markup

_SIGNS: Final = ("+", "-", " ")


@dataclass(slots=True)
class PatchParser(PatchFeed):
    """Parses one message."""

    _phase: Literal["prose", "between", "update", "add", "skip"] = field(
        default="prose", init=False
    )
    """Outside a patch; in one, between operations; in one of them; behind a fault."""
    _wrappers: Wrappers = field(default_factory=Wrappers, init=False)
    _enveloped: bool = field(default=False, init=False)
    _is_fresh: bool = field(default=False, init=False)
    """Whether nothing stood in the patch yet."""
    _end: str = field(default="\n", init=False)
    """How the line ends that is read."""
    _update: Update = field(default_factory=lambda: Update(""), init=False)
    _perhaps_over: int | None = field(default=None, init=False)
    """The number of the hunk's line that ends the patch if nothing of a patch follows."""
    _added: AddedFile = field(default_factory=lambda: AddedFile(markup=False), init=False)
    _streams: bool = field(default=False, init=False)
    """Whether a line of the new file is being told."""
    _deleted: str = field(default="", init=False)
    """The file to delete, when the next marker is there."""

    # Its lines

    def _may_be_special(self, held: str) -> bool:
        if self._phase == "prose":
            return self._wrappers.may_take(held)
        if self._phase == "add" and held[0] == "+":
            return may_begin(held[1:], markup=self._added.markup)
        return False

    def _piece(self, text: str) -> None:
        if self._phase == "prose":
            self._say(self._wrappers.flush() + text)
        elif self._streams or (self._phase == "add" and not self._pieces and text[0] == "+"):
            self._tell(self._added.piece(text if self._streams else text[1:]))
            self._streams = not text.endswith("\n")
            if not self._streams:
                self._added.count(crlf=self._crlf)
        else:
            self._collect(text)

    def _line(self, line: str) -> None:
        if self._phase == "prose":
            self._prose_line(line)
        elif self._phase == "add":
            self._added_line(line)
        elif self._phase == "between":
            self._line_between(line)
        elif self._phase == "skip":
            self._skipped_line(line)
        elif self._update.is_skipping:
            self._skipped_hunk_line(line)
        else:
            self._hunk_line(line)

    def _last_line(self, held: str) -> None:
        line = self._collected() + held
        self._end = ""
        if line and (self._phase == "prose" or not self._enveloped or self._counts_cut(line)):
            self._line(line)
        if self._phase != "prose" and not self._ends_perhaps():
            self._end_patch(BlockFault.CUT if self._enveloped else None)
        self._say(self._wrappers.flush())

    def _counts_cut(self, line: str) -> bool:
        """Say whether a line of an enveloped patch counts, though the message ends with it."""
        found = marker(line)
        return (
            (found is not None and found.mark is Mark.END)
            or (self._phase == "add" and line[0] == "+")
            or (self._perhaps_over is not None and line[0] not in _SIGNS)
            or self._wrappers.ends(line)
        )

    def _tell(self, events: Iterable[Event]) -> None:
        self._out.extend(events)

    # Outside a patch

    def _say(self, text: str) -> None:
        if text:
            self._prose(text)

    def _prose_line(self, line: str) -> None:
        found = marker(line)
        if found is not None and found.mark is Mark.BEGIN:
            self._begin(enveloped=True)
        elif found is not None and found.mark in OPERATIONS and not found.padded:
            self._begin(enveloped=False)
            self._operation(found)
        else:
            self._say(self._wrappers.take(line, self._end))

    def _begin(self, *, enveloped: bool) -> None:
        self._wrappers.begin()
        self._phase, self._enveloped, self._is_fresh = "between", enveloped, True

    def _end_patch(self, fault: BlockFault | None) -> None:
        if fault is not None and self._is_fresh:
            self._fail(fault)
        self._end_operation(fault)
        self._phase = "prose"

    def _end_around(self, line: str) -> None:
        """Take the line that closes what is around the patch."""
        self._end_patch(BlockFault.NO_END if self._enveloped else None)
        self._prose_line(line)

    # Operations

    def _marker(self, found: Marker) -> None:
        """Take a marker in a patch."""
        mark = found.mark
        if mark is Mark.END:
            self._end_patch(None)
        elif mark is Mark.BEGIN:
            if not self._is_fresh:
                self._end_patch(BlockFault.NO_END if self._enveloped else None)
                self._begin(enveloped=True)
        elif mark is Mark.END_OF_FILE:
            if self._phase == "update" and self._update.hunk is not None:
                self._update.hunk.at_end = self._update.hunk.has_lines
        elif mark is Mark.MOVE and self._phase == "update" and not self._update.to:
            self._tell(self._update.close_hunk())
            self._update.to = found.path
        elif mark in OPERATIONS:
            self._end_operation(None)
            self._operation(found)
        else:
            self._fail_here()

    def _operation(self, found: Marker) -> None:
        self._is_fresh = False
        if found.mark is Mark.ADD:
            self._added = AddedFile(is_markup(found.path))
            self._out.append(FileStart(found.path, creates=True))
            self._phase = "add"
        elif found.mark is Mark.DELETE:
            self._deleted = found.path
        else:
            self._update = Update(found.path)
            self._phase = "update"

    def _end_operation(self, fault: BlockFault | None) -> None:
        """End the operation that is open, if one is; with a fault it is not complete."""
        if self._phase == "add":
            self._end_added(fault)
        elif self._phase == "update":
            self._tell(self._update.end(fault))
        elif self._deleted:
            self._out.append(Delete(self._deleted)) if fault is None else self._fail(fault)
        self._phase, self._deleted = "between", ""

    def _fail(self, fault: BlockFault) -> None:
        """Tell of what is no hunk and yet should have done something."""
        self._out += [BlockStart(self._deleted or None), BlockEnd(fault)]

    def _fail_here(self) -> None:
        """Tell of an operation that there is not, and pass over what belongs to it."""
        self._end_operation(None)
        self._is_fresh = False
        self._fail(BlockFault.UNKNOWN)
        self._phase = "skip"

    def _line_between(self, line: str) -> None:
        found = marker(line)
        if found is not None:
            self._marker(found)
        elif self._wrappers.ends(line):
            self._end_around(line)
        elif line.strip():
            self._fail_here()

    def _skipped_line(self, line: str) -> None:
        if found := marker(line):
            self._marker(found)
        elif self._wrappers.ends(line):
            self._end_around(line)

    # A new file

    def _added_line(self, line: str) -> None:
        if line[:1] == "+":
            self._added.count(crlf=self._crlf)
            self._tell(self._added.line(line[1:], self._end))
        elif not line.strip():
            self._added.blank()
        elif found := marker(line):
            self._marker(found)
        elif self._wrappers.ends(line):
            self._end_around(line)
        else:
            self._end_added(BlockFault.BAD_LINE)
            self._phase = "skip"

    def _end_added(self, fault: BlockFault | None) -> None:
        self._tell(self._added.finish())
        self._out.append(FileEnd(fault is None, fault=fault, crlf=self._added.crlf))

    # Hunks

    def _hunk_line(self, line: str) -> None:
        hunk = self._update.hunk
        if line[:1] == " " and "*** " in line and (found := marker(line)):
            if hunk is None or (found.mark is Mark.END and not hunk.has_lines):
                self._marker(found)
                return
            if found.mark is Mark.END:
                self._perhaps_over = len(hunk)
                hunk.add(line)
                return
        if line[:1] in _SIGNS and line:
            self._perhaps_over = None
            self._tell(self._update.add(line, crlf=self._crlf))
        elif not line.strip():
            if hunk is not None and not hunk.at_end:
                hunk.add(line)
        else:
            self._line_of_none(line)

    def _line_of_none(self, line: str) -> None:
        """Take a line that is not blank and begins with no sign of a hunk's line."""
        narrowed, found = header(line), marker(line)
        if narrowed is not None:
            self._perhaps_over = None
            self._tell(self._update.narrow(narrowed))
        elif found is not None and found.mark is not Mark.BEGIN:
            self._perhaps_over = None
            self._marker(found)
        elif self._ends_perhaps():
            self._prose_line(line)
        elif found is not None:
            self._marker(found)
        elif self._wrappers.ends(line):
            self._end_around(line)
        else:
            self._tell(self._update.add(line, crlf=self._crlf))

    def _skipped_hunk_line(self, line: str) -> None:
        found = marker(line)
        if found is not None and (not found.padded or found.mark is Mark.END):
            self._marker(found)
        elif narrowed := header(line):
            self._tell(self._update.narrow(narrowed))
        elif line[:1] not in _SIGNS and self._wrappers.ends(line):
            self._end_around(line)

    def _ends_perhaps(self) -> bool:
        """End the patch at a padded end marker, if one stands there; say whether it did."""
        number, self._perhaps_over = self._perhaps_over, None
        if number is None or self._update.hunk is None:
            return False
        self._update.hunk.drop_from(number)
        self._end_patch(None)
        return True
