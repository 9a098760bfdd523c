"""Files come and go by entries of the log, whoever wants it: a page (tree.py) or a turn
(turn_files.py). What is allowed is looked at there; here it is done. Functions never wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Case, F, When

from webapp.document.text import dumps_ascii
from webapp.live import presence, wire
from webapp.live.clients import Client
from webapp.live.files import OpenFile
from webapp.pairing.models import Entry, File

if TYPE_CHECKING:
    from webapp.live.room import Room


_FIRST_PATH: Final = Case(When(first_path="", then=F("path")), default=F("first_path"))


@dataclass(frozen=True, slots=True)
class Doer:
    """Who does it: as the log has it (`author`, `client`, `turn`), and as frames do (`by`)."""

    author: str
    client: str
    by: dict[str, Any]
    turn: str | None = None
    page: Client | None = None
    """The page that asked, which is told with the `id` it asked with."""
    id: str = ""


def create(room: Room, file: OpenFile, doer: Doer, is_executable: bool = False) -> None:
    """Add a file, at its version 0 and with the text it has.

    The row and the bytes of a binary one are there already, see adding.py.
    """
    with room.together() as building:
        seq = _log(room, file, doer, Entry.Kind.CREATE, file.text, version=0)
        row = File(
            id=file.id,
            session_id=room.id,
            path=file.path,
            ending=file.ending,
            encoding=file.encoding,
            has_bom=file.has_bom,
            is_executable=is_executable,
            created_seq=seq,
        )
        if file.is_text:
            building.add(partial(row.save, force_insert=True))
        else:
            building.add(partial(_update, room.id, file.id, created_seq=seq, deleted_seq=None))
        room.files[file.id] = file
        _tell(room, "create", file, doer, file.listing())


def rename(room: Room, file: OpenFile, path: str, doer: Doer) -> None:
    """Give a file another path."""
    with room.together() as building:
        file.path = path
        _log(room, file, doer, Entry.Kind.RENAME, path)
        _note_taken(room, file, doer)
        building.add(partial(_update, room.id, file.id, path=path, first_path=_FIRST_PATH))
        _tell(room, "rename", file, doer)


def delete(room: Room, file: OpenFile, doer: Doer) -> None:
    """Take a file away; nobody follows it any more."""
    with room.together() as building:
        seq = _log(room, file, doer, Entry.Kind.DELETE, None)
        _note_taken(room, file, doer)
        building.add(partial(_update, room.id, file.id, deleted_seq=seq))
        del room.files[file.id]
        room.gone.add(file.id)
        presence.forget_file(room.clients.values(), file.id)
        _tell(room, "delete", file, doer)


def _note_taken(room: Room, file: OpenFile, doer: Doer) -> None:
    if doer.turn is not None and doer.author == f"turn:{doer.turn}":
        room.turns.took(doer.turn, file)


def _log(
    room: Room,
    file: OpenFile,
    doer: Doer,
    kind: str,
    payload: str | None,
    version: int | None = None,
) -> int:
    return room.log_row(
        file.id, doer.author, doer.client, kind, dumps_ascii(payload), version, turn=doer.turn
    )


def _update(session: str, file: str, **fields: object) -> None:
    File.objects.filter(session_id=session, pk=file).update(**fields)


def _tell(
    room: Room, op: str, file: OpenFile, doer: Doer, listing: Mapping[str, object] | None = None
) -> None:
    about = listing or {"file": file.id, "path": file.path}
    frame = {"t": "tree", "op": op, "by": doer.by, **about}
    others = [client for client in room.joined() if client is not doer.page]
    room.send_text(others, wire.encode(frame))
    if doer.page is not None:
        room.send_to(doer.page, {**frame, "id": doer.id})
    for listener in room.tree_listeners:
        listener(op, file)
