"""Files that a turn makes, and takes away again when nothing of them stays. Never waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webapp.document.tree import PathError, check_path, clash
from webapp.lib import ids
from webapp.live import filing, sentences
from webapp.live.files import MAX_FILES, SERVER, OpenFile
from webapp.live.filing import Doer

if TYPE_CHECKING:
    from webapp.live.room import Room


class CannotCreate(Exception):
    """The path cannot be used; the text is a sentence."""


def create(room: Room, path: str, turn: str) -> OpenFile:
    """Create an empty file as the turn; raises CannotCreate."""
    try:
        path = check_path(path)
    except PathError as refused:
        raise CannotCreate(refused.sentence) from None
    if len(room.files) >= MAX_FILES:
        raise CannotCreate(sentences.ERRORS["limit"])
    if problem := clash(path, [file.path for file in room.files.values()]):
        raise CannotCreate(problem)
    file = OpenFile(ids.new_id(), path, "lf", "", 0)
    filing.create(room, file, _doer(room, f"turn:{turn}", turn))
    return file


def delete(room: Room, file: OpenFile, author: str, turn: str) -> None:
    """Delete a file that the turn had created, as `author`."""
    filing.delete(room, file, _doer(room, author, turn))


def _doer(room: Room, author: str, turn: str) -> Doer:
    return Doer(author, SERVER, room.by(author), turn)
