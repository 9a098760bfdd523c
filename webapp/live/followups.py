"""A room's follow-ups: prompts that wait, in one order that everybody sees.

The list in memory is the room's; every change of it goes through the journal and then to all. What
always holds: a prompt is in the list or a turn, and its row is removed in the transaction that
makes the turn's, so that a crash loses none and asks none twice. While nothing runs, a list that
is not empty is held: nothing is asked after a stop or a failure until somebody says so.

Turned down: a row written anew whenever a selection moves. The row keeps the place as it was asked,
and the log tells where that is when the list is loaded.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from webapp.document.changes import ChangeSet
from webapp.live import followup_rows
from webapp.live.files import OpenFile
from webapp.live.ports import NotOpen
from webapp.live.questions import Question

if TYPE_CHECKING:
    from webapp.live.room import Room

log = logging.getLogger(__name__)

MOST: Final = 20


class FollowUps:
    """The list of one room."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._list: list[Question] = []
        self._ahead: set[str] = set()
        """Ids of those that were put at the head, and go before what comes there later."""
        self.held = False
        self.message = ""
        """Why the list is held, when that is not that the last turn was ended."""
        room.followers.append(self._follow)
        room.tree_listeners.append(self._tree_changed)

    def __len__(self) -> int:
        return len(self._list)

    @property
    def first(self) -> Question | None:
        """Return the one that is asked next."""
        return self._list[0] if self._list else None

    @property
    def is_full(self) -> bool:
        """Say whether no more may wait."""
        return len(self._list) >= MOST

    def find(self, id: str) -> Question | None:
        """Return the one with this id, if it still waits."""
        return next((question for question in self._list if question.id == id), None)

    def frame(self) -> dict[str, Any]:
        """Return the list as the wire has it."""
        listed = [
            {
                "id": question.id,
                "author": question.author,
                "name": question.name,
                "prompt": question.text,
                "tier": question.tier,
                "endpoint": question.endpoint,
                "focus": question.focus(self._room.files),
                "created_at": question.created_at.isoformat().replace("+00:00", "Z"),
            }
            for question in self._list
        ]
        frame: dict[str, Any] = {"held": self.held, "list": listed}
        return {**frame, "message": self.message} if self.message else frame

    # What changes it

    def add(self, question: Question, *, ahead: bool, kept: Callable[[bool], None]) -> None:
        """Let a prompt wait; `kept` is told whether its row could be written.

        `ahead`: at the head of the list, behind others that were put there.
        """
        place = len(self._list)
        if ahead:
            place = next(
                (i for i, held in enumerate(self._list) if held.id not in self._ahead), place
            )
            self._ahead.add(question.id)
        self._list.insert(place, question)
        file = self._room.files.get(question.file or "")
        row = followup_rows.row(self._room.id, question, file.version if file else None)
        future = self._room.record(partial(followup_rows.insert, row, self._ids()))
        future.add_done_callback(lambda done: self._added(question.id, _worked(done), kept))
        self._tell()

    def _added(self, id: str, worked: bool, kept: Callable[[bool], None]) -> None:
        if not worked and self.find(id) is not None:
            self._drop(id)
            self._tell()
        kept(worked)

    def edit(self, id: str, text: str) -> None:
        """Give one another wording."""
        self._list = [replace(held, text=text) if held.id == id else held for held in self._list]
        self._record(partial(followup_rows.edit, self._room.id, id, text))
        self._changed()

    def move(self, id: str, before: str | None) -> None:
        """Put one before another, or at the end."""
        question = self.find(id)
        if question is None or id == before:
            return
        self._list.remove(question)
        ids = self._ids()
        self._list.insert(len(ids) if before is None else ids.index(before), question)
        self._arranged()

    def remove(self, id: str) -> None:
        """Let one wait no longer."""
        self._drop(id)
        if not self._list:
            self._set_held(False)
        self._arranged()

    def take(self, id: str) -> Callable[[], None] | None:
        """Let the list go on, as a turn begins: with this one, if it waits here.

        Returns what has to be called in the transaction that makes the turn, if anything.
        """
        if self.find(id) is None and not self.held and not self.message:
            return None
        self._drop(id)
        self.held, self.message = False, ""
        self._tell()
        return partial(followup_rows.started, self._room.id, id)

    def put_back(self, question: Question) -> None:
        """Have one at the head again whose turn could not be kept; its row is still there."""
        self._list.insert(0, question)

    def hold(self, message: str = "") -> None:
        """Ask none of them until somebody says so."""
        if self._list:
            self.message = message
            self._set_held(True)
            self._tell()

    def load(self, listed: list[Question], held: bool) -> None:
        """Take what the rows say."""
        self._list, self.held = listed, held and bool(listed)

    def reset(self) -> None:
        """Forget everything, without a write."""
        self._list, self.held, self.message = [], False, ""
        self._ahead.clear()

    # Within

    def _changed(self) -> None:
        self.message = ""
        self._tell()

    def _arranged(self) -> None:
        self._record(partial(followup_rows.arrange, self._room.id, self._ids()))
        self._changed()

    def _set_held(self, held: bool) -> None:
        if held != self.held:
            self.held = held
            self._record(partial(followup_rows.hold, self._room.id, held))

    def _ids(self) -> list[str]:
        return [question.id for question in self._list]

    def _drop(self, id: str) -> None:
        self._list = [question for question in self._list if question.id != id]
        self._ahead.discard(id)

    def _record(self, fn: Callable[[], None]) -> None:
        self._room.record(fn).add_done_callback(_worked)

    def _tell(self) -> None:
        self._room.send_all({"t": "followups", "followups": self.frame()})

    def _follow(self, file: OpenFile, change: ChangeSet) -> None:
        if self._list:
            self._list = [question.follow(file.id, change) for question in self._list]

    def _tree_changed(self, op: str, file: OpenFile) -> None:
        if any(question.file == file.id for question in self._list):
            self._tell()


def _worked(future: Any) -> bool:
    error = None if future.cancelled() else future.exception()
    if error is not None and not isinstance(error, NotOpen):
        log.warning("The list of follow-ups was not saved: %r", error)
    return not future.cancelled() and error is None
