"""A project in memory, written by one message: what `applyedits` and tests run the landings over.

The fence is always up, and nobody else types. Files are read when somebody asks for their text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Final

from webapp.document import bounds
from webapp.document.changes import ChangeSet
from webapp.document.encodings import UTF_8, Binary, encode, recognise
from webapp.document.text import LineEnding, to_utf16
from webapp.document.tree import PathError, check_path, clash
from webapp.engine.formats.whole_writer import Flush, Mark
from webapp.engine.landing.held import Doc
from webapp.engine.landing.workspace import CannotCreate
from webapp.lib.sentences import Pattern, gettext_noop, said

TOO_LONG: Final = Pattern(
    gettext_noop("%(path)s would grow over 2 MB. Edits that were complete were kept.")
)


class TooLong(Exception):
    """A file would be larger than a file may be; the text is a sentence."""


@dataclass(slots=True)
class _Form:
    """How a file has its text."""

    encoding: str = UTF_8
    has_bom: bool = False
    ending: LineEnding = "lf"


class MemoryFile:
    """One file. `load` returns its bytes; a file without it is new."""

    def __init__(self, id: str, path: str, load: Callable[[], bytes] | None = None) -> None:
        self.id: Final = id
        self.path = path
        self.origin: Final = path if load is not None else None
        """The path that it had at the beginning; None for a new file."""
        self.form = _Form()
        self._load = load
        self._text = ""
        self._original: str | None = None
        self._is_read = load is None
        self._is_binary = False

    @property
    def text(self) -> str:
        """The text, as the log would have it (utf16 text, LF); "" for what is no text."""
        self._read()
        return self._text

    @property
    def is_text(self) -> bool:
        """Say whether it can be edited."""
        self._read()
        return not self._is_binary

    @property
    def is_changed(self) -> bool:
        """Say whether its text is another than at the beginning, or it is new."""
        return self._load is None or (self._is_read and self._text != self._original)

    @property
    def data(self) -> bytes:
        """The bytes, as they are now."""
        if self._load is not None and not self.is_changed:
            return self._load()
        form = self.form
        return encode(self._text, form.encoding, form.has_bom, form.ending).data

    def set_text(self, text: str) -> None:
        """Take another text."""
        self._read()
        self._text = text

    def _read(self) -> None:
        if self._is_read or self._load is None:
            return
        self._is_read, self._original = True, ""
        found = recognise(self._load())
        if isinstance(found, Binary) or len(found.text) > bounds.MAX_TEXT_UNITS:
            self._is_binary = True
            return
        self._text = self._original = to_utf16(found.text)
        self.form = _Form(found.encoding, found.has_bom, found.ending)


class MemoryWorkspace:
    """Such a project. `files` are given by path and what returns their bytes."""

    def __init__(self, files: Iterable[tuple[str, Callable[[], bytes]]]) -> None:
        self._files = {
            str(number): MemoryFile(str(number), path, load)
            for number, (path, load) in enumerate(files)
        }
        self.removed: list[str] = []
        """The paths, at the beginning, of files that were deleted."""
        self._open: tuple[str, Mark] | None = None
        self.created: set[str] = set()

    @property
    def files(self) -> Collection[Doc]:
        """The files as they are now."""
        return self._files.values()

    @property
    def all(self) -> Collection[MemoryFile]:
        """The same, as what they are."""
        return self._files.values()

    def may_write(self) -> bool:
        """Say yes."""
        return True

    def create(self, path: str) -> Doc:
        """Make an empty file; raises CannotCreate."""
        try:
            path = check_path(path)
        except PathError as error:
            raise CannotCreate(said(error)) from None
        if problem := clash(path, [file.path for file in self.files]):
            raise CannotCreate(problem)
        file = MemoryFile(f"new-{len(self.created)}", path)
        self._files[file.id] = file
        self.created.add(file.id)
        return file

    def end_lines(self, file: Doc, ending: LineEnding) -> None:
        """Note how its lines end."""
        self._files[file.id].form.ending = ending

    def discard(self, file: Doc) -> None:
        """Take away a file that was made."""
        self._files.pop(file.id, None)

    def write(self, file: Doc, flush: Flush, writer: int) -> None:
        """Change the text; raises TooLong."""
        if flush.change is not None:
            if flush.change.new_length > max(bounds.MAX_TEXT_UNITS, flush.change.length):
                raise TooLong(TOO_LONG % {"path": file.path})
            self._apply(file, flush.change)
        opened = [mark for mark in flush.marks if mark.status == "open"]
        self._open = (file.id, opened[-1]) if opened else None

    def _apply(self, file: Doc, change: ChangeSet) -> None:
        held = self._files[file.id]
        held.set_text(change.apply(held.text))

    def undone(self, file: Doc) -> ChangeSet | None:
        """Return the change that puts back what the open hunk replaced."""
        if self._open is None or self._open[0] != file.id:
            return None
        mark = self._open[1]
        return ChangeSet.of(len(file.text), [(mark.start, mark.end, mark.old)], keep_cr=True)

    def roll_back(self, file: Doc, change: ChangeSet, *, settles: bool) -> bool:
        """Take the open hunk back."""
        was_open, self._open = self._open is not None, None
        if was_open:
            self._apply(file, change)
        return was_open

    def keep(self, file: Doc) -> bool:
        """Keep nothing that is not complete."""
        return False

    def yielded(self, file: Doc) -> bool:
        """Nobody types here."""
        return False

    def remove(self, file: Doc) -> None:
        """Delete a file."""
        held = self._files.pop(file.id)
        if held.origin is not None:
            self.removed.append(held.origin)

    def rename(self, file: Doc, path: str) -> None:
        """Give a file another path."""
        self._files[file.id].path = path
