"""Files that a turn makes, takes away, or gives another path. Never waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webapp.document.changes import ChangeSet
from webapp.document.text import LineEnding
from webapp.document.tree import PathError, check_path, clash
from webapp.engine.landing.held import Create, Remove, Rename
from webapp.engine.landing.workspace import CannotCreate
from webapp.lib import ids
from webapp.live import filing, sentences
from webapp.live.files import MAX_FILES, SERVER, OpenFile
from webapp.live.filing import Doer
from webapp.live.ports import Gone

if TYPE_CHECKING:
    from webapp.live.room import Room

__all__ = ["CannotCreate", "create", "delete", "do", "rename"]


def create(
    room: Room, path: str, turn: str, ending: LineEnding = "lf", author: str = ""
) -> OpenFile:
    """Create an empty file as the turn, or as `author`; raises CannotCreate."""
    try:
        path = check_path(path)
    except PathError as refused:
        raise CannotCreate(refused.sentence) from None
    if len(room.files) >= MAX_FILES:
        raise CannotCreate(sentences.ERRORS["limit"])
    if problem := clash(path, [file.path for file in room.files.values()]):
        raise CannotCreate(problem)
    file = OpenFile(ids.new_id(), path, ending, "", 0)
    filing.create(room, file, _doer(room, author or f"turn:{turn}", turn))
    return file


def delete(room: Room, file: OpenFile, author: str, turn: str) -> None:
    """Delete a file, as `author`."""
    filing.delete(room, file, _doer(room, author, turn))


def rename(room: Room, file: OpenFile, path: str, turn: str, author: str = "") -> None:
    """Give a file another path, which is free, as the turn or as `author`."""
    filing.rename(room, file, path, _doer(room, author or f"turn:{turn}", turn))


def do(room: Room, deed: Create | Remove | Rename, author: str, turn: str) -> OpenFile | None:
    """Do what a withheld edit asks of the tree; return a file that was made for it.

    Raises CannotCreate, Gone, and what `Room.write` raises.
    """
    if isinstance(deed, Create):
        with room.together():
            made = create(room, deed.path, turn, author=author)
            if deed.text:
                change = ChangeSet.of(0, [(0, 0, deed.text)])
                room.write(made.id, change, author=author, turn=turn)
        return made
    file = room.files.get(deed.file)
    if file is None:
        raise Gone(deed.file)
    if isinstance(deed, Remove):
        delete(room, file, author, turn)
    else:
        rename(room, file, deed.to, turn, author)
    return None


def _doer(room: Room, author: str, turn: str) -> Doer:
    return Doer(author, SERVER, room.by(author), turn)
