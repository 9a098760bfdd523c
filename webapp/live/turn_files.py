"""Files that a turn makes, takes away, or gives another path. Never waits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webapp.document.text import LineEnding
from webapp.document.tree import PathError, check_path, clash
from webapp.engine.landing.workspace import CannotCreate
from webapp.lib import ids
from webapp.live import filing, sentences
from webapp.live.files import MAX_FILES, SERVER, OpenFile
from webapp.live.filing import Doer
from webapp.pairing.models import File

if TYPE_CHECKING:
    from webapp.live.room import Room

__all__ = ["CannotCreate", "create", "delete", "end_lines", "rename"]


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
    """Delete a file, as `author`."""
    filing.delete(room, file, _doer(room, author, turn))


def rename(room: Room, file: OpenFile, path: str, turn: str) -> None:
    """Give a file another path, which is free, as the turn."""
    filing.rename(room, file, path, _doer(room, f"turn:{turn}", turn))


def end_lines(room: Room, file: OpenFile, ending: LineEnding) -> None:
    """Keep how the lines of a file end that had none."""
    file.ending = ending
    room.record(partial(_keep_ending, room.id, file.id, ending))


def _keep_ending(session: str, file: str, ending: LineEnding) -> None:
    File.objects.filter(session_id=session, pk=file).update(ending=ending)


def _doer(room: Room, author: str, turn: str) -> Doer:
    return Doer(author, SERVER, room.by(author), turn)
