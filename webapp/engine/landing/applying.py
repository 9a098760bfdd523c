"""A model's message applied to a project in memory, as a live turn would write it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from webapp.document.text import from_utf16, to_utf16
from webapp.engine import formats
from webapp.engine.guard import Rules
from webapp.engine.landing.desk import Desk
from webapp.engine.landing.held import Held
from webapp.engine.landing.landing import landing
from webapp.engine.landing.memory import MemoryFile, MemoryWorkspace, TooLong
from webapp.engine.landing.telling import Outcome
from webapp.engine.landing.withheld import Withheld
from webapp.engine.landing.workspace import Focus
from webapp.engine.ports import EditFormat
from webapp.lib.sentences import Sentence, gettext_noop, said

NO_EDIT: Final = Sentence(gettext_noop("The message holds no edit."))


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a message.

    `outcomes` has every hunk and file operation in order; `withheld` those that were not made;
    `error` is the first reason why something was not, None when all was applied.
    """

    outcomes: tuple[Outcome, ...]
    withheld: tuple[Withheld, ...]
    error: str | None
    prose: str


class _Applying:
    def __init__(self, project: MemoryWorkspace, edit_format: EditFormat, rules: Rules) -> None:
        self.withheld: list[Withheld] = []
        self.desk = Desk(project, rules, self._keep)
        self.landing = landing(edit_format, self.desk, _only_file(project))
        self.prose: list[str] = []

    def _keep(self, withheld: Withheld, held: Held | None) -> None:
        self.withheld.append(withheld)

    def take(self, event: formats.Event) -> None:
        if isinstance(event, formats.Prose):
            self.prose.append(event.text)
        else:
            self.prose.append(self.landing.take(event))

    def push(self, text: str) -> None:
        for event in self.landing.parser.push(to_utf16(text)):
            self.take(event)
        self.desk.flush()


def apply_message(
    project: MemoryWorkspace,
    message: str,
    edit_format: EditFormat,
    *,
    chunk: int | None = None,
    rules: Rules | None = None,
    is_cut: bool = False,
) -> Applied:
    """Write a message (an ordinary str) into the project, `chunk` characters at a time.

    `is_cut` says that the message stops where the model would have gone on. A project of a single
    file has that in focus: it is what an edit without a name means.
    """
    size = chunk or len(message) or 1
    pieces = [message[at : at + size] for at in range(0, len(message), size)]
    return apply_pieces(project, pieces, edit_format, rules=rules, is_cut=is_cut)


def apply_pieces(
    project: MemoryWorkspace,
    pieces: list[str],
    edit_format: EditFormat,
    *,
    rules: Rules | None = None,
    is_cut: bool = False,
) -> Applied:
    """Write a message that comes in these pieces."""
    applying = _Applying(project, edit_format, rules or Rules(asks_for_files=False))
    desk, error = applying.desk, None
    try:
        for piece in pieces:
            applying.push(piece)
        applying.landing.finish(applying.take, cut=is_cut)
        desk.flush()
    except TooLong as problem:
        error = said(problem)
    desk.settle()
    for file in list(project.all):
        if file.id in project.created - desk.meant and not file.text:
            project.discard(file)
    outcomes = tuple(desk.told.outcomes)
    if not outcomes and not desk.edits:
        error = error or NO_EDIT
    error = error or next((each.reason for each in outcomes if each.status != "applied"), None)
    return Applied(outcomes, tuple(applying.withheld), error, "".join(applying.prose))


def _only_file(project: MemoryWorkspace) -> Focus | None:
    """Return the only file as the one in focus."""
    files = list(project.all)
    if len(files) != 1 or not files[0].is_text:
        return None
    return Focus(files[0].id, files[0].path, 0, len(files[0].text), True)


def changed_files(project: MemoryWorkspace) -> dict[str, MemoryFile | None]:
    """Return what is other than at the beginning, by path; None for a path that is gone."""
    changed: dict[str, MemoryFile | None] = dict.fromkeys(project.removed)
    for file in project.all:
        if file.origin is not None and file.origin != file.path:
            changed.setdefault(file.origin, None)
    for file in project.all:
        if file.origin != file.path or file.is_changed:
            changed[file.path] = file
    return changed


def text_of(file: MemoryFile) -> str:
    """Return a file's text as decoding its bytes gives it: with its line ends and its mark.

    Bytes that are no text come as UTF-8 with a half of a surrogate pair for each byte that is none.
    """
    if not file.is_text:
        return file.data.decode("utf-8", "surrogateescape")
    form, data = file.form, file.data
    try:
        return from_utf16(data.decode(form.encoding))
    except (UnicodeDecodeError, LookupError):
        return data.decode("utf-8", "surrogateescape")
