"""Which file a path of a model's means. Pure.

The model knows the file in focus by the path that it was shown, and a file that its own message
moves by the new path too. What somebody deleted while the turn ran stays deleted: their word
counts, and a path that is spelled otherwise ("./d.md", "a//b") is the same path.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from webapp.document.text import from_utf16
from webapp.engine.landing.held import Doc
from webapp.engine.landing.workspace import Focus, Workspace


class Finder:
    """Finds the files that one message speaks of."""

    def __init__(self, workspace: Workspace, focus: Focus | None) -> None:
        self._workspace = workspace
        self._focus = focus
        self.deleted: set[str] = set()
        """Paths that somebody deleted while the turn ran."""
        self.moved: dict[str, str] = {}
        """The ids of files that the message moves, by the path that they are to have."""

    def known(self) -> Sequence[str]:
        """Return every path that means something."""
        paths = [file.path for file in self._workspace.files]
        shown = [self._focus.path] if self._focus is not None else []
        return [*paths, *shown, *self.deleted, *self.moved]

    def doc(self, path: str) -> Doc | None:
        """Return the file of a path."""
        files = self._workspace.files
        focus = self._focus
        if focus is not None and path == focus.path:
            shown = next((file for file in files if file.id == focus.file), None)
            if shown is not None:
                return shown
        found = next((file for file in files if file.path == path), None)
        if found is None and (id := self.moved.get(path)) is not None:
            found = next((file for file in files if file.id == id), None)
        return found

    def is_folder(self, path: str) -> bool:
        """Say whether files are in a folder of this path."""
        return any(file.path.startswith(f"{path}/") for file in self._workspace.files)

    def forget(self, path: str) -> None:
        """Hear that somebody deleted a file."""
        self.deleted.add(path)


def plain(path: str) -> str:
    """Return the path in its shortest spelling; one that leaves the project stays as it is."""
    path = unicodedata.normalize("NFC", from_utf16(path)).strip()
    if path.startswith("/"):
        return path
    names = [name for name in path.split("/") if name not in ("", ".")]
    return "/".join(names) or path
