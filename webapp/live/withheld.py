"""The withheld edits of a room's turns: kept and shown, answered, and let go of.

The pen hands over what is not written: refused edits, ones that the guard froze, and the model's
version of places that it yielded to somebody (engine/landing/). Each is a row and a frame; what can
still be made follows every change of every file meanwhile.

What always holds: an edit is answered once, and whoever comes second is told who was first; a yes
writes exactly what was shown, or says why it cannot; a frozen edit that somebody changed the lines
of, or the file of which is gone, lapses at once; nobody's answer within WAIT_S is no; what waits
ends with a stop of its turn, in the same step, and with the room. What is answered is durable.

Turned down: letting what waits live on in its row, as its text would have to follow the log from
there, and a yes after a restart would be to something that nobody looks at any more. A room with a
question in it stays open instead: at most two minutes longer.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from webapp.document.changes import ChangeSet
from webapp.engine.landing.held import Held
from webapp.engine.landing.withheld import Kind, Withheld
from webapp.engine.turn import State
from webapp.lib import clock
from webapp.lib.sentences import said
from webapp.live import turn_rows, wire, withheld_doing, withheld_rows
from webapp.live import withheld_sentences as say
from webapp.live.answers import error
from webapp.live.clients import Client
from webapp.live.files import OpenFile
from webapp.live.ports import NotOpen
from webapp.live.prose import plain
from webapp.live.turn_files import CannotCreate
from webapp.live.turn_rows import Record
from webapp.live.withheld_rows import Kept

if TYPE_CHECKING:
    from webapp.live.turns import Turns

log = logging.getLogger(__name__)

WAIT_S: Final = 120.0
MOST: Final = 50
"""How many withheld edits of a turn are kept; more are only counted."""
LONGEST_PATH: Final = 512
REMEMBERED: Final = 500

Key = tuple[str, int]
Frame = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Open:
    """One that can still be made; `ends_s` is when a frozen one is declined."""

    held: Held
    ends_s: float | None


class WithheldEdits:
    """Those of one room."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._room = turns.room
        self._open: dict[Key, _Open] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._answers: dict[str, Frame] = {}
        turns.room.followers.append(self._follow)
        turns.room.tree_listeners.append(self._tree_changed)

    @property
    def waits(self) -> bool:
        """Say whether a frozen edit waits for somebody's word."""
        return any(held.ends_s is not None for held in self._open.values())

    # What the pen hands over

    def take(self, record: Record, withheld: Withheld, held: Held | None) -> None:
        """Keep one, and tell everybody; `held` is what can still be made of it."""
        record.refused += withheld.kind is Kind.REFUSED
        if len(record.withheld) >= MOST:
            record.dropped += 1
            return
        kept = self._kept(record, withheld)
        if held is None or kept.kind is Kind.REFUSED:
            pass
        elif kept.kind is Kind.FROZEN and self._is_stopped(record):
            kept = kept.ends("declined", record.ended_by)
        else:
            waits = kept.kind is Kind.FROZEN
            ends_s = clock.monotonic() + WAIT_S if waits else None
            until = clock.now() + timedelta(seconds=WAIT_S) if waits else None
            kept = replace(kept, until=until)
            self._open[kept.turn, kept.ordinal] = _Open(held, ends_s)
        record.withheld[kept.ordinal] = kept
        self._record(partial(withheld_rows.insert, kept))
        self._tell(kept)
        self._arm()

    def _kept(self, record: Record, withheld: Withheld) -> Kept:
        texts = withheld_rows.cut(withheld.old, withheld.new, record.withheld.values())
        return Kept(
            turn=record.id,
            ordinal=withheld.ordinal,
            kind=withheld.kind,
            op=withheld.op,
            path=plain(withheld.path)[:LONGEST_PATH],
            reason=withheld.reason,
            to=plain(withheld.to)[:LONGEST_PATH],
            file=withheld.file,
            first=withheld.first_line,
            last=withheld.last_line,
            old=texts.old,
            new=texts.new,
            rest=texts.rest,
        )

    def _is_stopped(self, record: Record) -> bool:
        current = self._turns.current
        running = current is not None and current.record.id == record.id
        state = current.turn.state if running and current is not None else record.state
        return state in (State.STOPPING, State.STOPPED, State.REDIRECTED)

    # What people say

    def answer(self, client: Client, message: wire.Answer) -> None:
        """Do what somebody says of one, and answer them."""
        frame = self._answers.get(message.id)
        if frame is None:
            frame = self._answer(client, message)
            if frame["t"] == "ok":
                self._answers[message.id] = frame
                while len(self._answers) > REMEMBERED:
                    del self._answers[next(iter(self._answers))]
        self._room.send_to(client, frame)

    def _answer(self, client: Client, message: wire.Answer) -> Frame:
        self.look()
        record = self._turns.records.get(message.turn)
        kept = record.withheld.get(message.withheld) if record is not None else None
        if record is None or kept is None:
            return error("gone", message.id, say.UNKNOWN)
        if kept.state != "open":
            return error("gone", message.id, _why(kept, client.name))
        if not message.yes:
            self._end(record, kept.ends("declined", client.name))
            return {"t": "ok", "id": message.id}
        if kept.kind is Kind.REFUSED:
            return error("refused", message.id, say.CANNOT_TAKE)
        refusal = self._take(record, kept, client)
        if refusal is not None:
            return {**refusal, "id": message.id}
        return {"t": "ok", "id": message.id}

    def _take(self, record: Record, kept: Kept, client: Client) -> Frame | None:
        """Do it, or return the error that says why not."""
        key = kept.turn, kept.ordinal
        waiting = self._open[key]
        deed = waiting.held.take(self._room.files.values())
        if isinstance(deed, str):
            self._end(record, kept.lapses(deed))
            return error("refused", message=deed)
        if withheld_doing.is_too_big(deed):
            return error("limit", message=say.TOO_BIG % {"path": kept.path})
        with self._room.together():
            del self._open[key]  # it follows no more: what comes now is itself
            try:
                if kept.kind is Kind.FROZEN:
                    withheld_doing.as_turn(self._turns, record, deed)
                else:
                    withheld_doing.as_person(self._turns, client, deed)
            except CannotCreate as problem:
                self._end(record, kept.lapses(said(problem)))
                return error("refused", message=said(problem))
            self._end(record, kept.ends("taken", client.name))
            if kept.kind is Kind.FROZEN:
                self._has_more(record)
        return None

    def _has_more(self, record: Record) -> None:
        """Keep and tell that the turn has written more; also one that was taken back stands."""
        record.reverted_by = ""
        values = {
            "lines_added": record.added,
            "lines_removed": record.removed,
            "reverted_by": "",
        }
        self._record(partial(turn_rows.save, self._room.id, record.id, values))
        self._turns.announce(record)
        if record.repairs is not None and record.is_over:
            self._turns.repairing.has_more(record)

    # What else ends their wait

    def decline(self, record: Record, by: str) -> None:
        """Somebody ended the turn: what waits of it is not done."""
        for kept in list(record.withheld.values()):
            if kept.kind is Kind.FROZEN and kept.state == "open":
                self._end(record, kept.ends("declined", by))

    def look(self) -> None:
        """End the wait of those that nobody answered in time."""
        now_s = clock.monotonic()
        for key, waiting in list(self._open.items()):
            if waiting.ends_s is not None and waiting.ends_s <= now_s:
                self._expire(key)
        self._arm()

    def close(self) -> None:
        """The room closes: nothing that could still be made will be."""
        for key in list(self._open):
            self._expire(key)

    def reset(self) -> None:
        """Forget everything, without a write."""
        self._open.clear()
        self._answers.clear()
        self._arm()

    def forget(self, turn: str) -> None:
        """Follow no more what is left of a turn that is no longer shown."""
        for key in list(self._open):
            if key[0] == turn:
                self._expire(key)

    async def load(self) -> None:
        """End the wait of what a dead process, or a failed commit, left."""
        room = self._room
        if await room.read(partial(withheld_rows.waiting, room.id)):
            await room.record(partial(withheld_rows.expire, room.id))

    def repaired(self, record: Record, ordinals: set[int]) -> None:
        """A repair has made these refused edits."""
        for kept in list(record.withheld.values()):
            if kept.ordinal in ordinals and kept.state == "open":
                self._end(record, kept.ends("taken"))

    def _expire(self, key: Key) -> None:
        turn, ordinal = key
        record = self._turns.records.get(turn)
        if record is None:
            self._open.pop(key, None)
        else:
            self._end(record, record.withheld[ordinal].ends("expired"))

    def _end(self, record: Record, kept: Kept) -> None:
        self._open.pop((kept.turn, kept.ordinal), None)
        record.withheld[kept.ordinal] = kept
        self._record(partial(withheld_rows.save, kept))
        self._tell(kept)
        self._arm()

    # What happens to the text meanwhile

    def _follow(self, file: OpenFile, change: ChangeSet) -> None:
        for key, waiting in list(self._open.items()):
            waiting.held.follow(file.id, change)
            if waiting.ends_s is not None:
                self._lapse(key, waiting, file)

    def _tree_changed(self, op: str, file: OpenFile) -> None:
        for key, waiting in list(self._open.items()):
            if op == "delete":
                waiting.held.forget(file.id)
            self._lapse(key, waiting, None)

    def _lapse(self, key: Key, waiting: _Open, file: OpenFile | None) -> None:
        """Let go of one that can no longer be made, if that is so; `file` alone has changed."""
        turn, ordinal = key
        record, files = self._turns.records.get(turn), self._room.files.values()
        kept = record.withheld[ordinal] if record is not None else None
        if record is None or kept is None or (file is not None and kept.file != file.id):
            return
        if waiting.held.old(files) is None:
            deed = waiting.held.take(files)
            self._end(record, kept.lapses(deed if isinstance(deed, str) else say.GONE))

    # Within

    def _arm(self) -> None:
        """Have the loop look when the first one ends."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        ends = [held.ends_s for held in self._open.values() if held.ends_s is not None]
        if ends:
            wait_s = max(0.0, min(ends) - clock.monotonic())
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._due)

    def _due(self) -> None:
        self._timer = None
        try:
            self.look()
        except Exception:
            log.exception("What waits in the session %s was not looked at.", self._room.id)

    def _record(self, fn: partial[None]) -> None:
        self._room.record(fn).add_done_callback(_look_at)

    def _tell(self, kept: Kept) -> None:
        self._room.send_all({"t": "withheld", "withheld": kept.frame()})


def _why(kept: Kept, name: str) -> str:
    """Return why one is not to be answered any more, for somebody of that name."""
    match kept.state:
        case "taken" if not kept.by:
            return say.REPAIRED
        case "taken":
            return say.TAKEN_BY_YOU if kept.by == name else say.TAKEN % {"name": kept.by}
        case "declined" if not kept.by:
            return say.ENDED
        case "declined":
            return say.DECLINED_BY_YOU if kept.by == name else say.DECLINED % {"name": kept.by}
    return say.EXPIRED if kept.until else kept.reason or say.GONE


def _look_at(future: asyncio.Future[Any]) -> None:
    problem = None if future.cancelled() else future.exception()
    if problem is not None and not isinstance(problem, NotOpen):
        log.warning("A withheld edit was not saved: %r", problem)
