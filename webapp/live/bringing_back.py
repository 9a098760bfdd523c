"""Files that a turn deleted or moved, back where they were, when the turn is taken back.

A deleted file comes back as a new one, under its path and with the text it had: its old row stays
deleted, so that the log reads as it happened. Never waits.

Turned down: letting the old file live again. Its log has a hole between two versions then, which
every reader of the log would have to know of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from webapp.document.text import LineEnding
from webapp.document.tree import clash
from webapp.lib import ids
from webapp.live import decision_sentences as say
from webapp.live import filing, sentences
from webapp.live.clients import Client
from webapp.live.files import MAX_FILES, SERVER, OpenFile
from webapp.live.filing import Doer
from webapp.live.looking_back import Deleted, Look
from webapp.live.turn_rows import Record

if TYPE_CHECKING:
    from webapp.live.room import Room


def files(room: Room, record: Record, found: Look, client: Client) -> list[str]:
    """Bring them back; return a sentence for each that could not be, which stays as it is."""
    doer = Doer(client.author, SERVER, client.person(), record.id)
    problems: list[str] = []
    for gone in found.deleted:
        if problem := _problem(room, gone.path):
            problems.append(say.NOT_BACK % {"path": gone.path, "problem": problem})
            continue
        filing.create(room, _file(gone), doer, gone.row.is_executable)
        record.taken_files.discard(gone.row.pk)
    for moved in found.moved:
        file = room.files.get(moved.file)
        if file is not None and file.path == moved.path != moved.back:
            if problem := _problem(room, moved.back, file):
                problems.append(say.NOT_BACK % {"path": moved.back, "problem": problem})
                continue
            filing.rename(room, file, moved.back, doer)
        record.taken_files.discard(moved.file)  # else somebody has moved it on, which counts
    return problems


def _problem(room: Room, path: str, moved: OpenFile | None = None) -> str:
    """Return why a file cannot stand at the path, or ''."""
    others = [file.path for file in room.files.values() if file is not moved]
    if len(others) >= MAX_FILES:
        return sentences.ERRORS["limit"]
    return clash(path, others) or ""


def _file(gone: Deleted) -> OpenFile:
    row = gone.row
    if gone.staged:
        return OpenFile(gone.staged, gone.path, "lf", "", 0, blob_bytes=gone.size_bytes)
    return OpenFile(
        ids.new_id(),
        gone.path,
        cast(LineEnding, row.ending),
        gone.text,
        0,
        encoding=row.encoding,
        has_bom=row.has_bom,
    )
