"""A room's turns: what pages ask of them, what is shown of them, what a crash left of them.

One turn writes at a time; other prompts wait in `followups.py`, and `next_up.py` asks them one
after another. The running one is in `running.py`, its writing in `writing.py`; what people say of
edits that were made is in `deciding.py`. Here are the ways in (`prompt`, `redirect`, `stop`, what
is done with follow-ups), the frames, and `load`, which settles what a dead process left behind:
its open hunk is rolled back where nobody typed in it, and it shows as interrupted.

A settlement entry (kind `settle`) is written exactly once for each turn that was admitted and did
not end by itself, also when nothing was open (then it changes nothing): the log alone tells where
the model was cut off. A turn that ended by itself has one only if its last edit was not complete.

A redirect is one step: when it returns, the old turn is settled and over, and the new one's row is
with the journal, behind all that. Its upstream may take longer to close; only its receipt waits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from webapp.document.changes import ChangeSet
from webapp.document.hunks import STANDING
from webapp.engine.guard import Rules
from webapp.engine.ports import Model
from webapp.engine.turn import State
from webapp.live import (
    asking,
    endpoints,
    followup_rows,
    leftovers,
    redirection,
    reverting,
    turn_asks,
    turn_rows,
    wire,
)
from webapp.live import turn_sentences as say
from webapp.live.asking import Asked, Refusal
from webapp.live.clients import Client
from webapp.live.deciding import Deciding
from webapp.live.files import OpenFile
from webapp.live.followups import FollowUps
from webapp.live.next_up import NextUp
from webapp.live.questions import Question
from webapp.live.repairing import Repairing
from webapp.live.running import Running
from webapp.live.turn_frames import turn_frame
from webapp.live.turn_rows import Record
from webapp.live.warming import Warmer
from webapp.live.withheld import WithheldEdits

if TYPE_CHECKING:
    from webapp.live.room import Room


Created = Callable[[bool], None]
"""Told whether the turn's row is kept."""


class Turns:
    """The driver of one room's turns."""

    def __init__(self, room: Room, model: Callable[[], Model] = endpoints.provider) -> None:
        self.room = room
        self._model = model
        self.records: dict[str, Record] = {}
        self.followups = FollowUps(room)
        self.warmer = Warmer(room, lambda: self._model())
        self.results: dict[str, str] = {}
        """What was answered to the last requests, so that one sent twice acts once."""
        self._running: Running | None = None
        self._closing: list[Running] = []
        """Redirected turns whose upstream may not be closed yet."""
        self._resumes = False
        """Whether a prompt came while the running turn was being stopped, and so goes on."""
        self._next = NextUp(self)
        self.deciding = Deciding(self)
        self.withheld = WithheldEdits(self)
        self.repairing = Repairing(self)
        room.listeners.append(self._follow)
        room.tree_listeners.append(self._tree_changed)

    @property
    def running(self) -> bool:
        """Say whether a turn goes on, or the next one is about to."""
        return self._running is not None or self._next.is_looked_at

    @property
    def waits(self) -> bool:
        """Say whether an edit waits for somebody's word."""
        return self.withheld.waits

    @property
    def current(self) -> Running | None:
        """Return the turn that goes on."""
        return self._running

    # What pages ask

    def prompt(self, client: Client, message: wire.Prompt) -> None:
        """Ask the model, now or when it is its turn."""
        turn_asks.prompt(self, client, message)

    def redirect(self, client: Client, message: wire.Redirect) -> None:
        """End a turn and go on with another prompt."""
        turn_asks.redirect(self, client, message)

    def followup(self, client: Client, message: wire.FollowUp) -> None:
        """Change the list of waiting prompts."""
        turn_asks.followup(self, client, message)

    def stop(self, client: Client, message: wire.Stop) -> None:
        """End a turn now; one that is over already is no mistake."""
        turn_asks.stop(self, client, message)

    def keep(self, client: Client, message: wire.Keep) -> None:
        """Let what a turn wrote stay as it is."""
        self.deciding.keep(client, message)

    def revert(self, client: Client, message: wire.Revert) -> None:
        """Take back what a turn wrote."""
        self.deciding.revert(client, message)

    def answer(self, client: Client, message: wire.Answer) -> None:
        """Do what somebody says of an edit that is withheld."""
        self.withheld.answer(client, message)

    def outline(self, client: Client, message: wire.Outline) -> None:
        """Tell what the model would see."""
        turn_asks.outline(self, client, message)

    def warm(self, client: Client, message: wire.Warm) -> None:
        """Get the model ready for a prompt that is likely to come."""
        turn_asks.warm(self, client, message)

    # One after another

    def begin(
        self,
        question: Question,
        asked: Asked,
        parent: Record | None,
        created: Created = lambda kept: None,
    ) -> None:
        """Begin a turn; none may be running. If it waited it does no more, and the list goes on."""
        record = asked.record(question, parent.id if parent else None)
        self.warmer.abort()
        # Before the prompt leaves the list: a mistake of ours here must not lose it.
        running = Running(
            self.room,
            record,
            asked.focus,
            asked.choice.endpoint,
            asked.request,
            self._model(),
            self.announce,
            self._over,
            partial(self.withheld.take, record),
        )
        waited = self.followups.find(question.id)
        also = self.followups.take(question.id)
        self.records[record.id] = record
        self._resumes = False
        self._running = running
        running.created = partial(self._created, record, waited, created)
        self.room.spawn(running.run(running.keep(also)))

    def _created(
        self, record: Record, waited: Question | None, created: Created, kept: bool
    ) -> None:
        if not kept:
            self.records.pop(record.id, None)
            if waited is not None:
                self.followups.put_back(waited)
            if self._running is None:
                self.followups.hold(say.NOT_KEPT)
        created(kept)
        if kept:
            self.announce(record)

    def redirect_to(
        self,
        question: Question,
        keep: wire.Kept,
        client: Client,
        at_s: float,
        created: Created,
    ) -> Refusal | None:
        """End the running turn and begin another, or return why that cannot be asked.

        Then nothing has ended, but for a prompt that no longer fits once the old turn is settled.
        """
        running = self._running
        if running is None:
            raise ValueError("No turn runs.")
        old = running.record
        refusal = asking.prepare(self.room, question, self.records, old)
        if isinstance(refusal, Refusal):
            return refusal
        running.redirect(client.name, at_s, keep_partial=keep == "partial")
        self.withheld.decline(old, client.name)
        self._closing = [held for held in self._closing if not held.turn.closed] + [running]
        if keep == "nothing":
            self.take_back(old, client)
        asked = asking.prepare(self.room, question, self.records, old)
        if isinstance(asked, Refusal):
            self.followups.hold()
            return asked
        self.begin(question, asked, old, created)
        return None

    def take_back(self, record: Record, client: Client) -> None:
        """Take a turn that is over back, but for what somebody typed in."""
        with self.room.together():
            redirection.take_back(self.room, record, client.name, client.author, self.wrote)
            self.save(record)
        self.announce(record)

    def wait(self, question: Question, *, ahead: bool, kept: Created) -> None:
        """Let a prompt wait; one that comes while a turn is being stopped goes on after it."""
        running = self._running
        if running is not None and running.turn.state is State.STOPPING:
            self._resumes = ahead = True
        self.followups.add(question, ahead=ahead, kept=kept)

    def _over(self, running: Running) -> None:
        if self._running is not running:
            return
        self._running = None
        while len(self.records) > turn_rows.RECENT:
            self._forget_turn(next(iter(self.records)))
        state = running.turn.state
        self.repairing.over(running.record)
        if state is State.FINISHED or (state is State.STOPPED and self._resumes):
            self._next.ask()
        elif state is not State.REDIRECTED:
            self.followups.hold()

    # What the room tells

    def for_welcome(self) -> list[dict[str, Any]]:
        """Return the turns that a new page is shown, oldest first."""
        return [self.frame(record) for record in self.records.values()]

    def waiting(self) -> dict[str, Any]:
        """Return the follow-ups as the wire has them."""
        return self.followups.frame()

    def frame(self, record: Record) -> dict[str, Any]:
        """Return the turn as the wire has it."""
        choice = endpoints.pick(self.room.choices, record.tier, record.endpoint)
        return turn_frame(self.room, record, choice.endpoint.context_window if choice else 0)

    def announce(self, record: Record) -> None:
        if record.id in self.records:
            self.room.send_all({"t": "turn", "turn": self.frame(record)})

    def _forget_turn(self, id: str) -> None:
        """Hold no more of an old turn: a room may be open for weeks, and hunks cost each edit."""
        self.withheld.forget(id)
        del self.records[id]
        for file in self.room.files.values():
            file.forget_hunks(id)

    def _follow(self, file_id: str, version: int, change: ChangeSet, author: str) -> None:
        """Hear of a person's entry."""
        file = self.room.files[file_id]
        typed_in = list(file.typed_in)
        if self._running is not None:
            self._running.follow(file_id, change)
        reverting.typed(self.room, file, typed_in, self.room.by(author)["name"])

    def wrote(self, file_id: str, change: ChangeSet) -> None:
        """Hear of an entry that this room wrote for somebody."""
        if self._running is not None:
            self._running.follow(file_id, change)

    def _tree_changed(self, op: str, file: OpenFile) -> None:
        if op != "delete":
            return
        if self._running is not None:
            self._running.writing.forget(file)
        for turn in {hunk.turn for hunk in file.hunks.values() if hunk.status in STANDING}:
            if turn in self.records:
                self.announce(self.records[turn])  # with that file goes what it had there

    def keep_to(self, rules: Rules) -> None:
        """Hear that a turn may do other things unasked, the running one too."""
        if self._running is not None:
            self._running.writing.keep_to(rules)

    def took(self, turn: str, file: OpenFile) -> None:
        """Hear that a turn deleted or moved a file."""
        record = self.records.get(turn)
        if record is not None and file.id not in record.created_files:
            record.taken_files.add(file.id)

    # Beginning and end

    async def load(self) -> None:
        """Read the last turns and the follow-ups; settle the turns that a dead process left."""
        room = self.room
        await self.withheld.load()
        records = await room.read(partial(turn_rows.recent, room.id))
        self.records = {record.id: record for record in records}
        left = [record for record in records if not record.is_over]
        for record in left:
            with room.together():
                leftovers.settle(room, record)
                record.state = "interrupted"
                record.reason = say.INTERRUPTED
                saved = self.save(record)
            await saved
        self.followups.load(*await room.read(partial(followup_rows.load, room.id)))
        if left:
            self.followups.hold()
        elif not self.followups.held:
            self._next.ask()

    def save(self, record: Record) -> Any:
        """Keep a turn's row; returns the future of that."""
        values = turn_rows.columns(record)
        return self.room.record(partial(turn_rows.save, self.room.id, record.id, values))

    def reset(self) -> None:
        """Abort upstream and forget everything; `load` follows if the room lives."""
        running, self._running = self._running, None
        for held in [*self._closing, *([running] if running else [])]:
            held.drop()
        self._closing.clear()
        self._next.reset()
        self.repairing.reset()
        self.withheld.reset()
        self._resumes = False
        self.warmer.abort()
        self.followups.reset()
        self.results.clear()
        self.records.clear()
        self.deciding.reset()

    async def close(self, reason: str) -> None:
        """End what runs, keeping what is complete; what waits stays."""
        self.warmer.abort()
        if self._running is not None:
            self._running.interrupt(reason)
        self.withheld.close()
