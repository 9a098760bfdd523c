"""What somebody wants to ask: a prompt apart from the page that sent it.

Once it is a Question, a prompt needs no page: it may wait while its author leaves, and is asked
all the same. Its selection fits the head of its file, and is moved along with later changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from webapp.document.changes import ChangeSet
from webapp.engine.prompt import selected_lines
from webapp.lib import clock
from webapp.live import presence, wire
from webapp.live.clients import Client
from webapp.live.files import OpenFile

if TYPE_CHECKING:
    from webapp.live.room import Room


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt, as utf16 text; its id becomes the turn's."""

    id: str
    text: str
    author: int | None
    name: str
    file: str | None
    tier: str = "preview"
    endpoint: str = ""
    """The id of a choice, or "" for the tier's default."""
    sel: tuple[int, int] | None = None
    files: tuple[str, ...] = ()
    """Further files that the model is to see."""
    wants_repair: bool = True
    """Whether the model is asked once more for edits that could not be applied."""
    repairs: str | None = None
    """The turn whose refused edits this asks for again; then `shown` is what people see of it."""
    shown: str = ""
    created_at: datetime = field(default_factory=clock.now)

    def follow(self, file_id: str, change: ChangeSet) -> Question:
        """Return it with the selection where that stands after a change at the head."""
        if self.sel is None or self.file != file_id:
            return self
        return replace(self, sel=moved(self.sel, [change]))

    def focus(self, files: dict[str, OpenFile]) -> dict[str, Any] | None:
        """Return what it is about, as the wire has it; lines only with a selection."""
        file = files.get(self.file or "")
        if file is None:
            return None
        lines = selected_lines(file.text, self.sel) if self.sel else None
        from_line, to_line = lines or (None, None)
        return {"file": file.id, "path": file.path, "from_line": from_line, "to_line": to_line}


def moved(sel: tuple[int, int], changes: Iterable[ChangeSet]) -> tuple[int, int]:
    """Return where a selection stands after changes, oldest first."""
    anchor, head = sel
    for change in changes:
        anchor, head = change.map_pos(anchor), change.map_pos(head)
    return anchor, head


def question(room: Room, client: Client, asking: wire.Asking, id: str, text: str) -> Question:
    """Return what a page asks: about the file it names, else the one looked at, else the first.

    Its selection is the page's own, else where the person is. The file is None when the session
    has no text file.
    """
    file = _file(room, client, asking)
    return Question(
        id=id,
        text=text,
        author=client.user,
        name=client.name,
        file=file.id if file else None,
        tier=asking.tier,
        endpoint=asking.endpoint,
        sel=_selection(client, asking, file) if file else None,
        files=tuple(id for id in asking.files if id in room.files),
        wants_repair=not isinstance(asking, wire.Said) or asking.repair,
    )


def _file(room: Room, client: Client, asking: wire.Asking) -> OpenFile | None:
    texts = {id: file for id, file in room.files.items() if file.is_text}
    for named in (asking.file, client.where.file):
        if named is not None and named in texts:
            return texts[named]
    return min(texts.values(), key=lambda file: file.path, default=None)


def _selection(client: Client, asking: wire.Asking, file: OpenFile) -> tuple[int, int] | None:
    told = asking.file == file.id and asking.sel is not None
    place = presence.place(wire.Here(file.id, asking.v, asking.sel), file) if told else None
    if place is not None and place.sel is not None:
        return place.sel
    where = client.where
    return where.sel if where.file == file.id else None
