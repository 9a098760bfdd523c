"""Projects in memory, and messages applied to them: what the tests of landings share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webapp.document.text import from_utf16
from webapp.engine.guard import Rules
from webapp.engine.landing.applying import Applied, apply_pieces, changed_files, text_of
from webapp.engine.landing.memory import MemoryWorkspace
from webapp.engine.landing.withheld import Withheld
from webapp.engine.ports import EditFormat

UNASKED = Rules(asks_for_files=False)


@dataclass
class Result:
    """What became of a message: every file afterwards, and what was said."""

    files: dict[str, str]
    applied: Applied

    @property
    def statuses(self) -> list[tuple[str, str]]:
        return [(each.path, each.status) for each in self.applied.outcomes]

    @property
    def withheld(self) -> tuple[Withheld, ...]:
        return self.applied.withheld

    @property
    def reasons(self) -> str:
        return " ".join(str(each.reason) for each in self.applied.outcomes)


def project(files: Mapping[str, str]) -> MemoryWorkspace:
    """Return a project of these files, as they would be on disk."""
    return MemoryWorkspace((path, from_utf16(text).encode) for path, text in files.items())


def apply(
    edit_format: EditFormat,
    files: Mapping[str, str],
    *pieces: str,
    rules: Rules = UNASKED,
    is_cut: bool = False,
) -> Result:
    """Apply a message that comes in these pieces."""
    workspace = project(files)
    applied = apply_pieces(workspace, list(pieces), edit_format, rules=rules, is_cut=is_cut)
    return Result(after(files, workspace), applied)


def after(files: Mapping[str, str], workspace: MemoryWorkspace) -> dict[str, str]:
    """Return every file as it is now."""
    now = dict(files)
    for path, file in changed_files(workspace).items():
        if file is None:
            now.pop(path, None)
        else:
            now[path] = text_of(file)
    return now


def cut(message: str, size: int) -> Sequence[str]:
    """Return the message in pieces of so many characters."""
    return [message[at : at + size] for at in range(0, len(message), size)]
