"""One running turn: the only driver of the engine's state machine.

Every operation goes through `do`, one at a time; what an action brings about (the upstream closed,
the settlement written) is queued behind it. `stop` is synchronous: when it returns, the fence is
down, the upstream's transport is aborted and the settlement is with the journal.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from webapp.document.changes import ChangeSet
from webapp.engine import turn as engine
from webapp.engine.landing.withheld import Withhold
from webapp.engine.ports import Delta, Endpoint, Failed, Finished, Model, Request, Stream, Usage
from webapp.engine.prompt import estimate_tokens
from webapp.lib import clock
from webapp.lib.sentences import joined, said
from webapp.limits import permits
from webapp.live import turn_rows, withheld_sentences
from webapp.live import turn_sentences as say
from webapp.live.ports import NotOpen, TooBig
from webapp.live.showing import Showing
from webapp.live.writing import Focus, Writing

if TYPE_CHECKING:
    from webapp.live.room import Room

log = logging.getLogger(__name__)


class Running:
    """A turn from its prompt to its end. `announce` tells everybody; `over` is called once."""

    def __init__(
        self,
        room: Room,
        record: turn_rows.Record,
        focus: Focus,
        endpoint: Endpoint,
        request: Request,
        model: Model,
        announce: Callable[[turn_rows.Record], None],
        over: Callable[[Running], None],
        withhold: Withhold,
    ) -> None:
        self.record = record
        self.turn = engine.Turn()
        self._room = room
        self._endpoint = endpoint
        self._request = request
        self._model = model
        self._announce = announce
        self._over = over
        self._stream: Stream | None = None
        self._queue: deque[engine.Operation] = deque()
        self._doing = False
        self._dropped = False
        self._ended = False
        self._saved_end = False
        self.created: Callable[[bool], None] = lambda kept: None
        """Called when the turn's row is kept, or was refused."""
        self._showing = Showing(room, record, lambda: (self.turn, self.writing), announce)
        self.writing = Writing(
            room,
            record,
            focus,
            self._may_write,
            self._showing.ask,
            self._broke,
            edit_format=endpoint.edit_format,
            rules=room.rules,
            withhold=withhold,
        )
        record.tokens_in = sum(estimate_tokens(part.content) for part in request.messages)

    # What the room asks

    def keep(self, also: Callable[[], None] | None = None) -> asyncio.Future[str]:
        """Hand the row and its checkpoint to the journal; the future has the team's id.

        Before anything else of the turn is, so that no update comes before the row. `also` is
        called in the same transaction.
        """
        room, values = self._room, turn_rows.columns(self.record)
        create = partial(turn_rows.create, room.id, self.record, values, room.seq, room.manifest())
        return room.record(partial(_both, create, also))

    async def run(self, kept: asyncio.Future[str]) -> None:
        """Go from the permit to the end of the stream; never raises but when cancelled."""
        record = self.record
        try:
            team = await kept
        except Exception as error:  # noqa: BLE001 - whatever the database says, the turn is off
            if self._dropped:
                return
            log.warning("The turn %s could not be kept: %r", record.id, error)
            self._dropped = self._ended = True
            self._over(self)
            self.created(False)
            return
        self.created(True)
        try:
            permit = await self._permit(team)
            if permit is None:
                return
            try:
                self.do(engine.Admitted())
                await self._listen()
            finally:
                await permit.settle(record.tokens_in + record.tokens_out)
        except Exception as error:  # noqa: BLE001 - a mistake of ours ends this turn alone
            self._broke(error)

    async def _permit(self, team: str) -> permits.Permit | None:
        record, request = self.record, self._request
        reserve = record.tokens_in + request.max_tokens
        answer = await permits.acquire(record.author or 0, team, record.tier, reserve)
        match answer:
            case permits.Admitted(permit):
                return permit
            case permits.Queued():
                self.do(engine.Refused(say.QUEUED))
            case permits.Refused(limit, frees_at):
                when = f"{frees_at:%H:%M:%S}"
                self.do(engine.Refused(say.REFUSED % {"limit": limit, "when": when}))
        return None

    async def _listen(self) -> None:
        stream = self._stream
        if stream is None or not self.turn.may_write:
            return
        try:
            async for batch in stream.batches():
                self._batch(batch)
        finally:
            stream.abort()

    def stop(self, by: str, at_s: float) -> None:
        """End it now."""
        self.do(engine.Stop(by, at_s))

    def redirect(self, by: str, at_s: float, *, keep_partial: bool) -> None:
        """End it now for another prompt; it is over when this returns."""
        self.do(engine.Stop(by, at_s, redirect=True, keep_partial=keep_partial))

    def interrupt(self, reason: str) -> None:
        """End it because the room closes."""
        self.do(engine.Interrupt(reason))

    def drop(self) -> None:
        """Abort the upstream and forget everything, without a write."""
        self._dropped = True
        self.writing.drop()
        self._showing.drop()
        if self._stream is not None:
            self._stream.abort()

    def follow(self, file_id: str, change: ChangeSet) -> None:
        """Hear of somebody else's entry."""
        try:
            self.writing.follow(file_id, change)
        except Exception as error:  # noqa: BLE001 - a typist must not suffer from a turn's mistake
            self._broke(error)

    # The machine

    def do(self, operation: engine.Operation) -> None:
        """Apply an operation and perform its actions; from inside an action it waits its turn."""
        self._queue.append(operation)
        if self._doing:
            return
        self._doing = True
        try:
            while self._queue and not self._dropped:
                self.turn, actions = engine.apply(self.turn, self._queue.popleft())
                for action in actions:
                    self._perform(action)
        finally:
            self._doing = False
            if self.turn.is_over and not self._ended:
                self._ended = True
                self._over(self)

    def _perform(self, action: engine.Action) -> None:
        match action:
            case engine.OpenUpstream():
                self._stream = self._model.open(self._endpoint, self._request)
                self.do(engine.Opened(clock.monotonic()))
            case engine.AbortUpstream():
                self._abort()
            case engine.Feed(text):
                self.writing.feed(text)
                self._showing.heard()
            case engine.FinishParse():
                self._try(partial(self.writing.finish, cut=bool(self.turn.reason)))
            case engine.Settle():
                self._settle()
            case engine.Save():
                self._save()
            case engine.Announce():
                self._announce(self.record)
            case engine.Ignored():
                log.debug("turn %s: %s", self.record.id, action)

    def _abort(self) -> None:
        stream = self._stream
        if stream is None:
            self.do(engine.UpstreamClosed(clock.monotonic()))
            return
        stream.abort()
        if (closed_at := stream.closed_at) is not None:
            self.do(engine.UpstreamClosed(closed_at))
        else:
            self._room.spawn(self._wait_closed(stream))

    async def _wait_closed(self, stream: Stream) -> None:
        self.do(engine.UpstreamClosed(await stream.wait_closed()))

    def _settle(self) -> None:
        stopped = self.turn.state is engine.State.STOPPING
        must = self.turn.ending is not engine.State.FINISHED
        keep = self.turn.keep_partial
        # The receipt of a stop counts what was rolled back; said twice it would be noise.
        self._try(partial(self.writing.settle, must=must, tell=not stopped, keep=keep))
        self.do(engine.Settled())

    def _try(self, act: Callable[[], None]) -> None:
        """Do a step of the end, which comes to its end whatever happens in it."""
        try:
            act()
        except NotOpen:
            log.info("The room of turn %s is not open; `load` will settle it.", self.record.id)
        except TooBig as error:
            self.writing.notes.append(say.TOO_BIG % {"path": said(error)})
        except Exception:
            log.exception("The turn %s did not end well.", self.record.id)
            self.writing.notes.append(say.BROKEN)

    def _save(self) -> None:
        record, turn = self.record, self.turn
        record.stop_ms = turn.stop_ms
        if not self._saved_end:  # else only the receipt of a redirected turn has come
            self._saved_end = turn.is_over
            self._fill_in()
        save = partial(turn_rows.save, self._room.id, record.id, turn_rows.columns(record))
        self._room.record(save).add_done_callback(_look)

    def _fill_in(self) -> None:
        """Bring the record up to date."""
        record, turn = self.record, self.turn
        record.state = str(turn.state)
        record.ttft_ms, record.ended_by = turn.ttft_ms, turn.ended_by
        self._showing.count()
        record.edits = self.writing.edits
        notes = list(self.writing.notes)
        if record.dropped:
            notes.append(withheld_sentences.TOO_MANY)
        if turn.state is engine.State.FINISHED and not self.writing.edits:
            notes.append(say.NO_EDIT)
        record.reason = joined([turn.reason, *notes])
        record.prose = self.writing.prose
        if turn.is_over:
            self._showing.end()

    # What the upstream says

    def _batch(self, batch: list[Any]) -> None:
        """Take all events of one read; text after text is one operation."""
        texts: list[str] = []
        for event in batch:
            match event:
                case Delta(text=text):
                    texts.append(text)
                case Usage(input_tokens=tokens_in, output_tokens=tokens_out):
                    self._say(texts)
                    self.do(engine.Usage(tokens_in, tokens_out))
                case Finished(reason=reason):
                    self._say(texts)
                    self.do(engine.Ended(_ENDINGS.get(reason, "")))
                case Failed(message=message):
                    self._say(texts)
                    rest = say.KEPT if self.turn.received_utf16 else say.UNCHANGED
                    self.do(engine.Failed(rest % {"problem": message}))
        self._say(texts)

    def _say(self, texts: list[str]) -> None:
        if texts:
            self.do(engine.Text("".join(texts), clock.monotonic()))
            texts.clear()

    def _broke(self, error: Exception) -> None:
        """End the turn because of something on this side."""
        if isinstance(error, NotOpen):
            return  # the room is loading itself anew; `drop` comes or came
        if isinstance(error, TooBig):
            self.do(engine.Failed(say.TOO_BIG % {"path": said(error)}))
        else:
            log.error("The turn %s failed.", self.record.id, exc_info=error)
            self.do(engine.Failed(say.BROKEN))
        if self._stream is not None:
            self._stream.abort()

    def _may_write(self) -> bool:
        return self.turn.may_write and not self._dropped


_ENDINGS: Final[dict[str, Any]] = {"length": say.LENGTH, "content_filter": say.FILTERED}


def _both(first: Callable[[], str], second: Callable[[], None] | None) -> str:
    result = first()
    if second is not None:
        second()
    return result


def _look(future: Any) -> None:
    error = None if future.cancelled() else future.exception()
    if error is not None and not isinstance(error, NotOpen):
        log.warning("A turn's row was not saved: %r", error)
