"""A project that people type in while a message is written, and all that ever stood in it."""

from __future__ import annotations

from collections.abc import Mapping

from tests.engine.landing.projects import UNASKED
from webapp.document.changes import ChangeSet
from webapp.document.text import from_utf16, to_utf16
from webapp.engine.guard import Rules
from webapp.engine.landing.desk import Desk
from webapp.engine.landing.held import Doc, Held, Write
from webapp.engine.landing.landing import landing
from webapp.engine.landing.memory import MemoryFile, MemoryWorkspace
from webapp.engine.landing.withheld import Withheld
from webapp.engine.landing.workspace import Focus
from webapp.engine.ports import EditFormat


class Shared(MemoryWorkspace):
    """A project that remembers each text that stood in it, and hears when the model yields."""

    def __init__(self, files: Mapping[str, str]) -> None:
        super().__init__((path, from_utf16(text).encode) for path, text in files.items())
        self.seen: list[tuple[str, str]] = []
        self.held: list[Held | None] = []
        """What is withheld, and follows the text."""

    def _apply(self, file: Doc, change: ChangeSet) -> None:
        super()._apply(file, change)
        self.seen.append((file.path, file.text))
        for held in self.held:
            if held is not None:
                held.follow(file.id, change)

    def type(self, file: Doc, change: ChangeSet) -> None:
        """Take what a person, or somebody's yes, changes."""
        self._apply(file, change)

    def yielded(self, file: Doc) -> bool:
        was_open, self._open = self._open is not None, None
        return was_open


class Session:
    """One message on its way into a shared project; what is withheld of it follows the text."""

    def __init__(
        self,
        edit_format: EditFormat,
        files: Mapping[str, str],
        rules: Rules = UNASKED,
        *,
        focus: str = "",
    ) -> None:
        self.project = Shared(files)
        self.withheld: list[Withheld] = []
        self.held = self.project.held
        self.desk = Desk(self.project, rules, self._keep)
        shown = self.file(focus) if focus else None
        self.landing = landing(
            edit_format,
            self.desk,
            Focus(shown.id, focus, 0, len(shown.text), True) if shown else None,
        )

    def _keep(self, withheld: Withheld, held: Held | None) -> None:
        self.withheld.append(withheld)
        self.held.append(held)

    def file(self, path: str) -> MemoryFile:
        return next(file for file in self.project.all if file.path == path)

    def text(self, path: str) -> str:
        return self.file(path).text

    def says(self, text: str) -> None:
        """The model says this, and all that waits is written."""
        for event in self.landing.parser.push(to_utf16(text)):
            self.landing.take(event)
        self.desk.flush()

    def ends(self) -> None:
        self.landing.finish(self.landing.take, cut=False)
        self.desk.settle()

    def types(self, path: str, where: str, inserted: str, *, deleted: int = 0) -> None:
        """Somebody types behind the one place where `where` stands."""
        file = self.file(path)
        assert file.text.count(where) == 1, file.text
        at = file.text.index(where) + len(where)
        self.edits(path, at, deleted, inserted)

    def edits(self, path: str, at: int, deleted: int, inserted: str) -> None:
        file = self.file(path)
        change = ChangeSet.of(len(file.text), [(at, at + deleted, to_utf16(inserted))])
        self.changes(file, change)

    def changes(self, file: MemoryFile, change: ChangeSet) -> None:
        self.project.type(file, change)
        self.landing.follow(file.id, change)
        self.desk.follow(file.id, change)

    def yes(self, number: int = 0) -> str:
        """Somebody takes the withheld edit; return what stands then, or why it cannot be."""
        held = self.held[number]
        assert held is not None
        deed = held.take(self.project.files)
        if isinstance(deed, str):
            return deed
        assert isinstance(deed, Write)
        file = next(file for file in self.project.all if file.id == deed.file)
        if deed.flush.change is not None:
            self.held[number] = None
            self.changes(file, deed.flush.change)
        return file.text
