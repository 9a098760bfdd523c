"""What people say of what a turn wrote: keep it, or take it back, at any later time.

Where nobody touched a hunk of the last turns it is put back at once. Anything else (somebody typed
in it, it belongs to an older turn, the turn deleted a file) needs the log: a reader's thread finds
out who wrote which character, the event loop follows what came meanwhile, and one entry a file is
written. Meanwhile people type, and other turns write; only another such request waits.

What always holds: whoever comes second finds it decided, and is told so; a request that is sent
twice acts once; nothing is done where texts are mixed, unless that is asked for; what is answered
is durable.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from webapp.document.hunks import STANDING, Hunk, HunkStatus
from webapp.document.takeback import TakenBack, take_back, take_back_clear
from webapp.lib.sentences import joined
from webapp.live import bringing_back, looking_back, reverting, turn_rows, wire
from webapp.live import decision_answers as answer
from webapp.live import decision_sentences as say
from webapp.live.answers import error
from webapp.live.clients import Client
from webapp.live.files import MAX_LENGTH, hunk_frame
from webapp.live.looking_back import Look, is_meant
from webapp.live.ports import NotOpen
from webapp.live.turn_rows import Record

if TYPE_CHECKING:
    from webapp.live.turns import Turns

log = logging.getLogger(__name__)

REMEMBERED: Final = 500
TRIES: Final = 5

Frame = dict[str, Any]


class Deciding:
    """The requests of one room."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._room = turns.room
        self._one_by_one = asyncio.Lock()
        self._answers: dict[str, Frame] = {}
        self._asking: dict[str, Client] = {}
        """Who waits for the answer to each request that is being worked on."""

    def reset(self) -> None:
        """Forget everything, without an answer."""
        self._one_by_one = asyncio.Lock()
        self._answers.clear()
        self._asking.clear()

    def keep(self, client: Client, message: wire.Keep) -> None:
        """Let hunks stay as they are; those that were kept before stay kept."""
        if self._is_known(client, message.id):
            return
        if message.turn in self._turns.records:
            hunks = self._meant(message)
            self._answer(client, message.id, self._keep(client, message, hunks))
        else:
            self._begin(client, message, deep=False)

    def revert(self, client: Client, message: wire.Revert) -> None:
        """Take hunks back, at once if that is simple."""
        if self._is_known(client, message.id):
            return
        record = self._turns.records.get(message.turn)
        if record is None:
            self._begin(client, message, deep=True)
            return
        hunks = self._meant(message)
        standing = [hunk for hunk in hunks if hunk.status in STANDING]
        files = _is_whole(message) and bool(record.taken_files)
        if refusal := self._refusal(client, message, record, hunks, files):
            self._answer(client, message.id, refusal)
        elif (
            not files
            and not self._one_by_one.locked()
            and all(reverting.is_clear(self._room, hunk) for hunk in standing)
        ):
            with self._room.together():
                author, wrote = client.author, self._turns.wrote
                reverting.revert(self._room, record, standing, author, client.name, wrote)
                self._close(record, client)
            self._answer(client, message.id, answer.done(message.id, standing))
        else:
            self._begin(client, message, deep=True)

    # What is meant

    def _meant(self, message: wire.Decide) -> list[Hunk]:
        hunks = reverting.hunks_of(self._room, message.turn)
        return [hunk for hunk in hunks if is_meant(message, hunk.ordinal, hunk.file)]

    def _refusal(
        self,
        client: Client,
        message: wire.Decide,
        record: Record,
        hunks: Sequence[Hunk],
        files: bool,
    ) -> Frame | None:
        """Return the answer when there is nothing to take back (now)."""
        if not record.is_over and not message.hunks:
            return error("busy", message.id, say.NOT_OVER)
        if files or any(hunk.status in STANDING for hunk in hunks):
            return None
        if any(hunk.status is HunkStatus.OPEN for hunk in hunks):
            return error("busy", message.id, say.BEING_WRITTEN)
        whole = record.reverted_by if _is_whole(message) else ""
        by = whole or next((h.by for h in hunks if h.status is HunkStatus.REVERTED and h.by), "")
        if by:
            done = answer.done(message.id, ())
            return done if by == client.name else {**done, "message": say.TAKEN_BACK % {"name": by}}
        return error("refused", message.id, say.NOTHING_LEFT)

    # Keep

    def _keep(self, client: Client, message: wire.Keep, hunks: Sequence[Hunk]) -> Frame:
        marked = [h for h in hunks if h.status in (HunkStatus.APPLIED, HunkStatus.YIELDED)]
        if marked:
            with self._room.together():
                reverting.decide(self._room, marked, HunkStatus.KEPT, client.name)
        elif not any(hunk.status is HunkStatus.KEPT for hunk in hunks):
            by = next((h.by for h in hunks if h.status is HunkStatus.REVERTED and h.by), "")
            text = say.TAKEN_BACK % {"name": by} if by else say.NOTHING_TO_KEEP
            return error("refused", message.id, text)
        return {"t": "ok", "id": message.id}

    # With the log

    def _begin(self, client: Client, message: wire.Decide, *, deep: bool) -> None:
        self._asking[message.id] = client
        self._room.spawn(self._work(client, message, deep=deep))

    async def _work(self, client: Client, message: wire.Decide, *, deep: bool) -> None:
        lock = self._one_by_one
        frame: Frame | None = None
        try:
            async with lock:
                frame = await self._try(lock, client, message, deep=deep)
        except NotOpen:
            log.debug("The room is not open; the page says hello again, and asks again.")
        except Exception:
            log.exception("A decision about the turn %s failed.", message.turn)
            frame = error("refused", message.id, say.NOT_READ)
        if lock is self._one_by_one:  # else the room has loaded itself anew
            client = self._asking.pop(message.id, client)
            if frame is not None:
                self._answer(client, message.id, frame)

    async def _try(
        self, lock: asyncio.Lock, client: Client, message: wire.Decide, *, deep: bool
    ) -> Frame | None:
        room = self._room
        staged: list[str] = []
        try:
            for _ in range(TRIES):
                places = message.turn not in self._turns.records
                await room.record(_nothing)
                found = await room.read(
                    partial(looking_back.look, room.id, message, deep=deep, places=places)
                )
                if lock is not self._one_by_one or room.state != "open":
                    return None
                if found is None:
                    return error("gone", message.id, say.UNKNOWN_TURN)
                staged += found.staged
                if frame := self._act(client, message, found):
                    return frame
            return error("busy", message.id, say.TOO_BUSY)
        finally:
            if staged:
                await room.record(_nothing)
                await room.read(partial(looking_back.unstage, staged))

    def _act(self, client: Client, message: wire.Decide, found: Look) -> Frame | None:
        """Do it, and return the answer; None when too much has come since it was looked at."""
        all_hunks = self._as_they_stand(found)
        if all_hunks is None:
            return None
        hunks = [hunk for hunk in all_hunks if is_meant(message, hunk.ordinal, hunk.file)]
        if isinstance(message, wire.Keep):
            return self._keep(client, message, hunks)
        record = self._turns.records.get(message.turn, found.record)
        if _is_whole(message):
            # Of other files nothing is left to bring back.
            record.taken_files -= found.record.taken_files - found.to_bring_back
        files = _is_whole(message) and bool(record.taken_files)
        if refusal := self._refusal(client, message, record, hunks, files):
            return refusal
        taken: dict[str, tuple[list[Hunk], TakenBack]] = {}
        by_file: dict[str, list[Hunk]] = defaultdict(list)
        for hunk in hunks:
            if hunk.status in STANDING:
                by_file[hunk.file].append(hunk)
        for id, held in by_file.items():
            file, trace = self._room.files[id], found.traces.get(id)
            if trace is None or not trace.advance(file):
                return None
            keys = {(hunk.turn, hunk.ordinal) for hunk in held}
            if _wants_mixed(message):
                back = TakenBack(take_back(trace.provenance, keys).change, {})
            else:
                back, keys = take_back_clear(trace.provenance, keys)
            if back.change.new_length > max(MAX_LENGTH, back.change.length):
                return error("limit", message.id, say.TOO_BIG % {"path": file.path})
            taken[id] = [hunk for hunk in held if (hunk.turn, hunk.ordinal) in keys], back
        return self._write(client, message, record, found, all_hunks, taken)

    def _as_they_stand(self, found: Look) -> list[Hunk] | None:
        """Return the hunks in the text as it is now; None when that is too far on."""
        hunks: list[Hunk] = []
        for hunk in found.hunks:
            file = self._room.files.get(hunk.file)
            if file is None:
                continue
            held = file.hunks.get(hunk.id)
            if held is None:
                steps = file.since(found.versions.get(file.id, -1))
                if steps is None:
                    return None
                held = hunk
                for step in steps:
                    held = held.follow(step.change, own=False)
            hunks.append(held)
        return hunks

    def _write(
        self,
        client: Client,
        message: wire.Decide,
        record: Record,
        found: Look,
        all_hunks: Sequence[Hunk],
        taken: dict[str, tuple[list[Hunk], TakenBack]],
    ) -> Frame:
        room = self._room
        left = {hunk.id: hunk for hunk in all_hunks}
        reverted: list[Hunk] = []
        mixed: list[Frame] = []
        with room.together():
            for file_id, (hunks, back) in taken.items():
                file = room.files[file_id]
                author, wrote = client.author, self._turns.wrote
                reverting.write(room, record.id, file, back.change, hunks, author, wrote)
                for id, hunk in left.items():
                    if hunk.file == file.id:
                        left[id] = file.hunks.get(id) or hunk.follow(back.change, own=False)
                held = [left[hunk.id] for hunk in hunks]
                said = reverting.decide(room, held, HunkStatus.REVERTED, client.name)
                left |= {hunk.id: hunk for hunk in said}
                reverted += hunks
                mixed += answer.shown(file, back)
            reverting.drop_emptied(room, record, taken.keys(), client.author)
            problems = bringing_back.files(room, record, found, client)
            if record.id in self._turns.records:
                self._close(record, client)
            else:
                self._close_older(record, client, left.values())
        frame = answer.done(message.id, reverted, answer.within(mixed))
        return {**frame, "message": joined(problems)} if problems else frame

    def _close(self, record: Record, client: Client) -> None:
        """Say of the turn what is left of it."""
        reverting.close(self._room, record, client.name)
        self._turns.save(record)
        self._turns.announce(record)

    def _close_older(self, record: Record, client: Client, hunks: Iterable[Hunk]) -> None:
        """Do so for a turn that the room does not follow."""
        room = self._room
        hunks = [hunk for hunk in hunks if hunk.file in room.files]
        stands = record.taken_files or any(hunk.status in STANDING for hunk in hunks)
        if not stands and not record.reverted_by:
            record.reverted_by = client.name
            values = {"reverted_by": client.name}
            room.record(partial(turn_rows.save, room.id, record.id, values))
        frames = [hunk_frame(hunk, room.files[hunk.file].version) for hunk in hunks]
        left = {"hunks": frames, "revertable": bool(stands and not record.reverted_by)}
        # Only whoever asked is known to show a turn that old.
        room.send_to(client, {"t": "turn", "turn": {**self._turns.frame(record), **left}})

    # Answers

    def _is_known(self, client: Client, id: str) -> bool:
        if id in self._asking:
            self._asking[id] = client
            return True
        if id in self._answers:
            self._room.send_to(client, self._answers[id])
            return True
        return False

    def _answer(self, client: Client, id: str, frame: Frame) -> None:
        if frame["t"] == "ok":
            self._answers[id] = frame
            while len(self._answers) > REMEMBERED:
                del self._answers[next(iter(self._answers))]
        self._room.send_to(client, frame)


def _is_whole(message: wire.Decide) -> bool:
    return not message.hunks and message.file is None


def _wants_mixed(message: wire.Decide) -> bool:
    return isinstance(message, wire.Revert) and message.mixed


def _nothing() -> None:
    """Take a place in the log's order."""
