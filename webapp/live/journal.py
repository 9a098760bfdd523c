"""The durable log: one thread with a database connection of its own, a process.

Rooms hand over batches and go on; the thread commits what has gathered, of many sessions, in one
transaction, and tells the event loop once a group. What always holds:

- a session's batches are committed in the order they were handed over, or not at all: once one with
  entries failed, or the lease was lost, nothing more of its line is written;
- an entry is written only while the session's lease has the epoch of its line, checked inside the
  transaction that writes it;
- one session's bad rows fail that session alone: a failed group is tried again one batch at a time.

Turned down: a commit awaited on the event loop for each edit (a slow disk would stop every room),
and a writer for each session (their commits would queue for the same disk anyway).
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import (
    DatabaseError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    transaction,
)

from webapp.lib import clock
from webapp.live import statements
from webapp.live.statements import Row
from webapp.pairing.models import Session

log = logging.getLogger(__name__)

GROUP: Final = 256
TOUCH_EVERY_S: Final = 1.0


@dataclass(slots=True, eq=False)
class Line:
    """One session's writes under one epoch. Broken for good by the first failure."""

    session: str
    owner: str
    epoch: int
    broken: Exception | None = None
    """Set by the journal's thread alone."""
    touched_s: float = float("-inf")


class Stale(Exception):
    """The session's lease has another owner or epoch; nothing was written."""


@dataclass(frozen=True, slots=True)
class Committed:
    """The batch is durable; what its functions returned, in order."""

    values: tuple[Any, ...] = ()


Outcome = Committed | Exception


@dataclass(slots=True, eq=False)
class Batch:
    """What is committed together; `done` is called on the event loop."""

    line: Line | None
    rows: Sequence[Row]
    also: Sequence[Callable[[], Any]]
    done: Callable[[Outcome], None]


class Journal:
    """The thread. Started by the first batch; its callbacks run on the loop that made it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._changed = threading.Condition()
        self._waiting: deque[Batch] = deque()
        self._idle: dict[str, Callable[[], Any]] = {}
        self._closing = False
        self._thread: threading.Thread | None = None
        self.new_files: set[str] = set()
        """Ids of files whose creation is not settled, in any session; the event loop's alone."""

    def submit(self, batch: Batch) -> None:
        """Hand a batch over; never waits."""
        with self._changed:
            if self._closing:
                raise RuntimeError("The journal is closed.")
            self._waiting.append(batch)
            self._wake()

    def when_idle(self, key: str, fn: Callable[[], Any]) -> None:
        """Call `fn` in a transaction when nothing waits; a newer one of a key replaces it."""
        with self._changed:
            if not self._closing:
                self._idle[key] = fn
                self._wake()

    async def drain(self) -> None:
        """Return when everything that was handed over before is settled."""
        settled: asyncio.Future[None] = self._loop.create_future()
        self.submit(Batch(None, (), (), lambda outcome: settled.set_result(None)))
        await settled

    async def close(self) -> None:
        """Settle what was handed over, then end the thread."""
        with self._changed:
            self._closing = True
            thread, self._thread = self._thread, None
            self._changed.notify()
        if thread is not None:
            await self._loop.run_in_executor(None, thread.join)

    def _wake(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="flint-journal", daemon=True)
            self._thread.start()
        self._changed.notify()

    def _run(self) -> None:
        try:
            while True:
                with self._changed:
                    while not (self._waiting or self._idle or self._closing):
                        self._changed.wait()
                    group = [self._waiting.popleft() for _ in range(min(GROUP, len(self._waiting)))]
                    idle = None
                    if not group:
                        if not self._idle:
                            return
                        idle = self._idle.pop(next(iter(self._idle)))
                if idle is not None:
                    _call_idle(idle)
                else:
                    self._tell(_commit_group(group))
        finally:
            connection.close()

    def _tell(self, outcomes: list[tuple[Batch, Outcome]]) -> None:
        try:
            self._loop.call_soon_threadsafe(_deliver, outcomes)
        except RuntimeError:
            log.debug("The event loop is gone; nobody hears of %d batches.", len(outcomes))


def _deliver(outcomes: list[tuple[Batch, Outcome]]) -> None:
    for batch, outcome in outcomes:
        try:
            batch.done(outcome)
        except Exception:
            # One room's mistake must not keep the others from hearing of their commits.
            log.exception("A room failed on the outcome of a commit.")


def _commit_group(group: list[Batch]) -> list[tuple[Batch, Outcome]]:
    outcomes: list[tuple[Batch, Outcome]] = []
    alive = []
    for batch in group:
        broken = batch.line.broken if batch.line else None
        if broken is not None:
            outcomes.append((batch, broken))
        else:
            alive.append(batch)
    try:
        return outcomes + _write(alive)
    except Exception as error:  # noqa: BLE001 - whatever one session's rows raise, others go on
        down = _is_down(error)
    for batch in alive:
        outcome = _write_alone(batch)
        outcomes.append((batch, outcome))
        if down and isinstance(outcome, DatabaseError):
            # The database itself does not take writes: waiting for each batch helps nobody.
            log.error("The database does not take writes: %s", outcome)
            later = alive[alive.index(batch) + 1 :]
            return outcomes + [(waiting, _break(waiting, outcome)) for waiting in later]
        down = False
    return outcomes


def _write_alone(batch: Batch) -> Outcome:
    """Try one batch of a group that failed."""
    if batch.line is not None and batch.line.broken is not None:
        return batch.line.broken
    try:
        return _write([batch])[0][1]
    except Exception as error:  # noqa: BLE001 - see _commit_group
        _is_down(error)
        return _break(batch, error)


def _break(batch: Batch, error: Exception) -> Exception:
    """Note a failure. Entries that follow would have a hole before them; records may go on."""
    if batch.line is not None and batch.rows:
        batch.line.broken = error
    return error


def _is_down(error: Exception) -> bool:
    # PostgreSQL calls a write on a server that only reads (a standby, say) an internal error.
    if isinstance(error, (OperationalError, InterfaceError, InternalError)):
        connection.close()
        return True
    return False


def _write(batches: list[Batch]) -> list[tuple[Batch, Outcome]]:
    """Write the batches in one transaction; raises what the database or a function raises."""
    if not any(batch.line for batch in batches):
        return [(batch, Committed()) for batch in batches]
    outcomes: list[tuple[Batch, Outcome]] = []
    with transaction.atomic():
        stale = _stale_lines(batches)
        rows: list[tuple[str, Row]] = []
        written: set[Line] = set()
        for batch in batches:
            if batch.line is not None and batch.line in stale:
                outcomes.append((batch, Stale(f"The session {batch.line.session} has moved.")))
                continue
            outcomes.append((batch, Committed(tuple(fn() for fn in batch.also))))
            if batch.line is not None and batch.rows:
                rows += [(batch.line.session, row) for row in batch.rows]
                written.add(batch.line)
        if rows:
            statements.insert(rows)
            _touch(written)
    for line in stale:
        line.broken = Stale(f"The session {line.session} has moved.")
    return outcomes


def _stale_lines(batches: list[Batch]) -> set[Line]:
    """Return the lines whose lease is no longer theirs, and lock the leases of all."""
    lines = {batch.line for batch in batches if batch.line is not None}
    held = statements.lock_leases(sorted({line.session for line in lines}))
    return {line for line in lines if held.get(line.session) != (line.owner, line.epoch)}


def _touch(lines: set[Line]) -> None:
    """Note when a session changed, at most once a second each."""
    now_s = clock.monotonic()
    due = [line for line in lines if now_s - line.touched_s >= TOUCH_EVERY_S]
    if due:
        sessions = [line.session for line in due]
        Session.objects.filter(pk__in=sessions).update(changed_at=clock.now())
        for line in due:
            line.touched_s = now_s


def _call_idle(fn: Callable[[], Any]) -> None:
    try:
        with transaction.atomic():
            fn()
    except Exception as error:
        # Whatever it is, the thread must live: nothing is saved without it.
        _is_down(error)
        log.warning("A snapshot was not written; the log has all of it.", exc_info=error)
