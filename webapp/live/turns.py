"""A room's turns: what pages ask of them, what is shown of them, what a crash left of them.

One turn writes at a time. The running one is in `running.py`, its writing in `writing.py`; here are
the ways in (`prompt`, `stop`, `revert`), the frames, and `load`, which settles what a dead process
left behind: its open hunk is rolled back where nobody typed in it, and it shows as interrupted.

A settlement entry (kind `settle`) is written exactly once for each turn that was admitted and did
not end by itself, also when nothing was open (then it changes nothing): the log alone tells where
the model was cut off. A turn that ended by itself has one only if its last edit was not complete.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from webapp.document.changes import ChangeSet
from webapp.engine.ports import Endpoint, Model
from webapp.engine.prompt import TooLarge
from webapp.lib import clock
from webapp.live import asking, endpoints, leftovers, reverting, turn_rows, wire
from webapp.live import turn_sentences as say
from webapp.live.answers import error
from webapp.live.clients import Client
from webapp.live.files import OpenFile
from webapp.live.running import Running
from webapp.live.turn_frames import turn_frame
from webapp.live.turn_rows import Record
from webapp.notices.words import translated

if TYPE_CHECKING:
    from webapp.live.room import Room

MakeEndpoint = Callable[[str], Endpoint | None]
TIER: Final = endpoints.PREVIEW


class Turns:
    """The driver of one room's turns."""

    def __init__(
        self,
        room: Room,
        model: Callable[[], Model] = endpoints.provider,
        endpoint_for: MakeEndpoint = endpoints.endpoint_for,
    ) -> None:
        self._room = room
        self._model = model
        self._endpoint_for = endpoint_for
        self._records: dict[str, Record] = {}
        self._running: Running | None = None
        self._shown_revertable: dict[str, bool] = {}
        self.typists: dict[str, str] = {}
        """Who was first to type in each hunk, as far as this room saw it."""
        room.listeners.append(self._follow)
        room.tree_listeners.append(self._tree_changed)

    @property
    def running(self) -> bool:
        """Say whether a turn goes on."""
        return self._running is not None

    # What pages ask

    def prompt(self, client: Client, message: wire.Prompt) -> None:
        """Ask the model; answers `ok` once the turn is kept, else `error`."""
        room = self._room
        if message.id in self._records:
            room.send_to(client, {"t": "ok", "id": message.id})
            return
        if self._running is not None:
            room.send_to(client, error("busy", message.id, str(say.BUSY)))
            return
        endpoint = self._endpoint_for(TIER)
        status = room.models.status(TIER)
        if endpoint is None or status.state != "ready":
            problem = str(say.NOT_READY.get(status.state, say.NO_MODEL))
            if status.state in ("missing", "failed") and status.message:
                why = translated(status.message)
                problem = str(say.NO_ANSWER % {"problem": why})
            room.send_to(client, error("model", message.id, problem))
            return
        file = asking.focused(room, client, message)
        if file is None:
            room.send_to(client, error("refused", message.id, str(say.NO_FILE)))
            return
        self._begin(client, message, file, endpoint)

    def _begin(
        self, client: Client, message: wire.Prompt, file: OpenFile, endpoint: Endpoint
    ) -> None:
        room = self._room
        history = asking.past(self._records.values())
        asked = asking.ask(room, client, message, file, endpoint, history)
        if isinstance(asked, TooLarge):
            room.send_to(client, error("refused", message.id, asking.too_large(asked)))
            return
        record = Record(
            id=message.id,
            author=client.user,
            name=client.name,
            prompt=message.text,
            tier=TIER,
            model=endpoint.model,
            focus={
                "file": file.id,
                "path": file.path,
                "from_line": asked.region[0] if asked.region else None,
                "to_line": asked.region[1] if asked.region else None,
            },
        )
        self._records[record.id] = record
        self._running = Running(
            room,
            record,
            asked.focus,
            endpoint,
            asked.request,
            self._model(),
            self._announce,
            self._over,
        )
        self._running.created = partial(self._created, client, self._running)
        room.spawn(self._running.run(self._running.keep()))

    def _created(self, client: Client, running: Running, kept: bool) -> None:
        room, record = self._room, running.record
        if kept:
            room.send_to(client, {"t": "ok", "id": record.id})
            self._announce(record)
        else:
            self._records.pop(record.id, None)
            room.send_to(client, error("refused", record.id, str(say.NOT_KEPT)))

    def stop(self, client: Client, message: wire.Stop) -> None:
        """End a turn now; one that is over already is no mistake."""
        at_s = clock.monotonic()
        running = self._running
        if running is None or running.record.id != message.turn:
            self._room.send_to(client, {"t": "ok", "id": message.id, "result": "over"})
            return
        running.stop(client.name, at_s)
        self._room.send_to(client, {"t": "ok", "id": message.id, "result": "stopped"})

    def revert(self, client: Client, message: wire.Revert) -> None:
        """Take a whole turn back, if nobody has typed in it."""
        room = self._room
        record = self._records.get(message.turn)
        if record is None:
            room.send_to(client, error("gone", message.id, str(say.UNKNOWN_TURN)))
        elif not record.is_over:
            room.send_to(client, error("busy", message.id, str(say.NOT_OVER)))
        elif record.reverted_by:
            room.send_to(client, {"t": "ok", "id": message.id})
        else:
            self._revert(client, message, record)

    def _revert(self, client: Client, message: wire.Revert, record: Record) -> None:
        room = self._room
        hunks = reverting.standing(room, record.id)
        typist = next((self.typists.get(hunk.id, "") for hunk in hunks if hunk.touched), None)
        if typist is not None:
            text = say.TYPED % {"name": typist} if typist else say.CHANGED
            room.send_to(client, error("typed", message.id, str(text)))
            return
        if not hunks and not record.created_files & room.files.keys():
            room.send_to(client, error("refused", message.id, str(say.NOTHING_LEFT)))
            return
        record.reverted_by = client.name
        with room.together():
            reverting.revert(room, record, hunks, client.author, self._wrote)
            self._save(record)
        self._announce(record)
        room.send_to(client, {"t": "ok", "id": message.id})

    # What the room tells

    def for_welcome(self) -> list[dict[str, Any]]:
        """Return the turns that a new page is shown, oldest first."""
        return [self._frame(record) for record in self._records.values()]

    def _frame(self, record: Record) -> dict[str, Any]:
        endpoint = self._endpoint_for(record.tier)
        return turn_frame(self._room, record, endpoint.context_window if endpoint else 0)

    def _announce(self, record: Record) -> None:
        frame = self._frame(record)
        self._shown_revertable[record.id] = frame["revertable"]
        self._room.send_all({"t": "turn", "turn": frame})

    def _over(self) -> None:
        self._running = None
        for id, shown in list(self._shown_revertable.items()):
            record = self._records.get(id)
            if record and shown and not reverting.is_revertable(self._room, record):
                self._announce(record)  # the turn that is over wrote into what that one wrote
        while len(self._records) > turn_rows.RECENT:
            self._forget_turn(next(iter(self._records)))

    def _forget_turn(self, id: str) -> None:
        """Hold no more of an old turn: a room may be open for weeks, and hunks cost each edit."""
        del self._records[id]
        self._shown_revertable.pop(id, None)
        for file in self._room.files.values():
            file.forget_hunks(id)
        self.typists = {
            hunk: name for hunk, name in self.typists.items() if not hunk.startswith(f"{id}/")
        }

    def _follow(self, file_id: str, version: int, change: ChangeSet, author: str) -> None:
        """Hear of a person's entry."""
        if self._running is not None:
            self._running.follow(file_id, change)
        for hunk in self._room.files[file_id].hunks.values():
            if hunk.touched and hunk.id not in self.typists:
                self.typists[hunk.id] = self._room.by(author)["name"]
                if self._shown_revertable.get(hunk.turn) and (
                    record := self._records.get(hunk.turn)
                ):
                    self._announce(record)

    def _wrote(self, file_id: str, change: ChangeSet) -> None:
        """Hear of an entry that this room wrote for somebody."""
        if self._running is not None:
            self._running.follow(file_id, change)

    def _tree_changed(self, op: str, file: OpenFile) -> None:
        if op == "delete" and self._running is not None:
            self._running.writing.forget(file)

    # Beginning and end

    async def load(self) -> None:
        """Read the last turns, and settle those that a dead process left running."""
        room = self._room
        records = await room.read(partial(turn_rows.recent, room.id))
        self._records = {record.id: record for record in records}
        for record in records:
            if record.is_over:
                continue
            with room.together():
                leftovers.settle(room, record)
                record.state = "interrupted"
                record.reason = str(say.INTERRUPTED)
                saved = self._save(record)
            await saved

    def _save(self, record: Record) -> Any:
        values = turn_rows.columns(record)
        return self._room.record(partial(turn_rows.save, self._room.id, record.id, values))

    def reset(self, reason: str) -> None:
        """Abort upstream and forget everything; `load` follows if the room lives."""
        running, self._running = self._running, None
        if running is not None:
            running.drop()
        self._records.clear()
        self._shown_revertable.clear()
        self.typists.clear()

    async def close(self, reason: str) -> None:
        """End what runs, keeping what is complete."""
        if self._running is not None:
            self._running.interrupt(reason)
