"""Checkpoints by hand, and the project brought back to how it was: both only add to the log.

A restore is planned in a reader from what the room held at that moment, then written in short
batches, each of which everybody sees at once: first what goes and is renamed, then what changes,
then what comes back. What people type meanwhile is not lost: every group of changes that still
waits is mapped over each entry that the room sequences, as a push is. When the tree is another by
the time the plan is there, it is planned anew. A checkpoint stands before the first entry, so that
a restore is taken back by another one.

All entries of one restore bear the client `restore:<request>`; so a request that is sent twice acts
once, also after a restart.
"""

from __future__ import annotations

import logging
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from webapp.document.changes import ChangeSet
from webapp.document.hunks import Hunk, HunkStatus
from webapp.lib import clock
from webapp.live import filing, reading, reverting, wire
from webapp.live import restore_sentences as say
from webapp.live.answers import error
from webapp.live.clients import Client
from webapp.live.files import MAX_FILES, MAX_LENGTH, OpenFile
from webapp.live.filing import Doer
from webapp.live.prose import plain
from webapp.live.restore_plan import Edit, Plan, Return, held_in, plan, tree_of
from webapp.pairing import history, staging
from webapp.pairing.models import Checkpoint

if TYPE_CHECKING:
    from webapp.live.room import Room

log = logging.getLogger(__name__)

TRIES: Final = 5
BATCH_UNITS: Final = 256 * 1024
BATCH_STEPS: Final = 50
REMEMBERED: Final = 500
_MARKED: Final = (HunkStatus.APPLIED, HunkStatus.YIELDED)

Step = tuple[Callable[[], None], int]
"""Something to be written, and about how many units of text it writes."""


@dataclass(slots=True)
class Past:
    """What a room knows of its restores and checkpoints."""

    answered: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The answers to the last requests, so that one sent twice acts once."""
    restoring: str = ""
    """The request that is being carried out."""

    def remember(self, id: str, answer: dict[str, Any]) -> None:
        """Note an answer, and forget the oldest ones."""
        self.answered[id] = answer
        while len(self.answered) > REMEMBERED:
            del self.answered[next(iter(self.answered))]


def checkpoint(room: Room, client: Client, message: wire.Checkpoint) -> None:
    """Make a checkpoint of the project as it is."""
    if message.id not in room.past.answered:
        _checkpoint(room, client.name, plain(message.label).strip())
        room.past.remember(message.id, {"t": "ok", "id": message.id})
    room.send_to(client, room.past.answered[message.id])


def _checkpoint(room: Room, name: str, label: str = "") -> None:
    at = clock.now()
    row = Checkpoint(
        session_id=room.id,
        seq=room.seq,
        label=label,
        author_name=name,
        manifest=history.manifest_text(room.manifest()),
        created_at=at,
    )
    told = {"seq": room.seq, "label": label, "turn": None, "name": name, "at": at.isoformat()}
    with room.together() as building:
        building.add(partial(row.save, force_insert=True))
        room.send_all({"t": "checkpoint", "checkpoint": told})


def restore(room: Room, client: Client, message: wire.Restore) -> None:
    """Bring the project back to how it was; answered when all of it is durable."""
    past = room.past
    if message.id in past.answered:
        room.send_to(client, past.answered[message.id])
    elif past.restoring == message.id:
        return  # the first answer is for this one too
    elif past.restoring:
        room.send_to(client, error("busy", message.id, say.RESTORING))
    elif room.turns.running:
        room.send_to(client, error("busy", message.id, say.TURN_RUNS))
    else:
        past.restoring = message.id
        room.spawn(_Restore(room, client, message).run())


class _Restore:
    """One restore, from the request to the answer."""

    def __init__(self, room: Room, client: Client, message: wire.Restore) -> None:
        self._room, self._client, self._message = room, client, message
        request = history.RESTORE_CLIENT + message.id
        self._doer = Doer(client.author, request, room.by(client.author))
        self._pending: dict[str, deque[ChangeSet]] = defaultdict(deque)
        """What is still to be written into each file, as it fits the file's text now."""
        self._held = held_in(room.files)
        """What is to be brought back: what is typed from here on stays."""

    async def run(self) -> None:
        """Do it, and answer."""
        room, past = self._room, self._room.past
        try:
            answer = await self._answer()
        except Exception:
            log.exception("The session %s could not be restored.", room.id)
            answer = error("refused", self._message.id, say.FAILED)
        finally:
            past.restoring = ""
        if answer["t"] == "ok":
            past.remember(self._message.id, answer)
        room.send_to(self._client, answer)

    async def _answer(self) -> dict[str, Any]:
        room, message = self._room, self._message
        await room.record(_nothing)
        if message.seq > room.seq:
            return error("refused", message.id, say.NO_MOMENT)
        if await room.read(partial(history.restored_by, room.id, message.id)):
            return {"t": "ok", "id": message.id}
        for _ in range(TRIES):
            made = await room.read(partial(plan, room.id, message.seq, self._held))
            try:
                answer = await self._perform(made)
            finally:
                room.followers[:] = [each for each in room.followers if each != self._follow]
                if made.staged:
                    await reading.read(partial(staging.unstage, made.staged))
            if answer is not None:
                return answer
            self._held = held_in(room.files)
        return error("busy", message.id, say.BUSY)

    async def _perform(self, made: Plan) -> dict[str, Any] | None:
        """Write what is planned; None when the project is another by now. Returns the answer."""
        room, message = self._room, self._message
        if room.turns.running:
            return error("busy", message.id, say.TURN_RUNS)
        if tree_of(room.files.values()) != made.tree or not self._take(made):
            return None
        if made.is_empty:
            return {"t": "ok", "id": message.id, "message": say.ALREADY}
        if self._is_too_much(made):
            return error("limit", message.id, say.TOO_MUCH)
        room.followers.append(self._follow)
        steps = deque(self._steps(made))
        with room.together():
            _checkpoint(room, self._client.name)
            self._unmark(made)
            self._write(steps)
        await room.record(_nothing)
        while steps:
            if room.state != "open":
                return error("refused", message.id, say.HALF)
            with room.together():
                self._write(steps)
            await room.record(_nothing)
        return {"t": "ok", "id": message.id, "message": say.restored(made.files)}

    def _take(self, made: Plan) -> bool:
        """Map what is to be written over what was typed since; say whether that is known."""
        self._pending.clear()
        for edit in made.edits:
            newer = self._room.files[edit.file].since(edit.version)
            if newer is None:
                return False
            for group in edit.groups:
                change = ChangeSet.of(edit.length, group, keep_cr=True)
                for step in newer:
                    change = change.map(step.change)
                self._pending[edit.file].append(change)
        return True

    def _is_too_much(self, made: Plan) -> bool:
        files = self._room.files
        if len(files) - len(made.deletes) + len(made.returns) > MAX_FILES:
            return True
        return any(
            len(files[edit.file].text) + max(0, edit.growth) > MAX_LENGTH and edit.growth > 0
            for edit in made.edits
        )

    def _follow(self, file: OpenFile, change: ChangeSet) -> None:
        waiting = self._pending.get(file.id)
        if waiting:
            self._pending[file.id] = deque(each.map(change) for each in waiting)

    def _unmark(self, made: Plan) -> None:
        """Let the marks of turns go where the text becomes another; they can still be reverted."""
        by_turn: dict[str, list[Hunk]] = defaultdict(list)
        for edit in made.edits:
            for hunk in self._room.files[edit.file].hunks.values():
                if hunk.status in _MARKED:
                    by_turn[hunk.turn].append(hunk)
        for hunks in by_turn.values():
            reverting.decide(self._room, hunks, HunkStatus.KEPT, self._client.name)

    # What is written, step by step

    def _steps(self, made: Plan) -> Iterator[Step]:
        for file in made.deletes:
            yield partial(self._delete, file), 0
        for file, path in made.renames:
            yield partial(self._rename, file, path), 0
        for edit in made.edits:
            yield from self._edits(edit)
        for back in made.returns:
            yield partial(self._bring_back, back), len(back.pieces[0])
            for piece in back.pieces[1:]:
                yield partial(self._write_next, back.file), len(piece)

    def _edits(self, edit: Edit) -> Iterator[Step]:
        for group in edit.groups:
            yield partial(self._write_next, edit.file), sum(len(text) for _, _, text in group)

    def _write(self, steps: deque[Step]) -> None:
        """Write as many steps as one short transaction takes; inside `together`."""
        weight = count = 0
        while steps and count < BATCH_STEPS and (not count or weight + steps[0][1] <= BATCH_UNITS):
            act, units = steps.popleft()
            act()
            weight, count = weight + units, count + 1

    def _delete(self, id: str) -> None:
        file = self._room.files.get(id)
        if file is not None:
            filing.delete(self._room, file, self._doer)

    def _rename(self, id: str, path: str) -> None:
        file = self._room.files.get(id)
        if file is not None and self._is_free(path):
            filing.rename(self._room, file, path, self._doer)

    def _is_free(self, path: str) -> bool:
        """Say whether nobody has taken the path since the plan was made."""
        return all(file.path != path for file in self._room.files.values())

    def _bring_back(self, back: Return) -> None:
        kept = back.kept
        if not self._is_free(kept.path) or len(self._room.files) >= MAX_FILES:
            return
        file = OpenFile(
            back.file,
            kept.path,
            kept.ending,
            back.pieces[0],
            0,
            encoding=kept.encoding,
            has_bom=kept.has_bom,
            blob_bytes=back.size_bytes,
        )
        filing.create(self._room, file, self._doer, kept.is_executable)
        at = len(file.text)
        for piece in back.pieces[1:]:
            self._pending[file.id].append(ChangeSet.of(at, [(at, at, piece)], keep_cr=True))

    def _write_next(self, id: str) -> None:
        """Write the next group of a file, unless somebody deleted the file since."""
        room, file, waiting = self._room, self._room.files.get(id), self._pending.get(id)
        if file is None or not waiting:
            return
        change = waiting.popleft()
        if change.is_empty or change.new_length > max(MAX_LENGTH, change.length):
            return
        doer = self._doer
        room.sequence(file, change, doer.author, doer.by, doer.client, None, "restore")
        if room.turns.running:  # one that began meanwhile gives way, as to anybody who types
            for listener in room.listeners:
                listener(file.id, file.version, change, doer.author)


def _nothing() -> None:
    """Take a place in the log's order."""
