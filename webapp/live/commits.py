"""What a room has handed to the journal and not heard of, and what waits for that.

Each batch has a ticket. Whatever is to happen after a commit is queued with the ticket that was the
newest when it was asked for, and happens when that one is durable: in order, or never.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from webapp.live.journal import Batch, Committed, Journal, Line, Outcome, Stale
from webapp.live.statements import Row

T = TypeVar("T")


@dataclass(slots=True)
class Building:
    """What will be one batch."""

    ticket: int
    rows: list[Row] = field(default_factory=list)
    also: list[Callable[[], Any]] = field(default_factory=list)
    results: list[asyncio.Future[Any] | None] = field(default_factory=list)

    def add(self, fn: Callable[[], Any], result: asyncio.Future[Any] | None = None) -> None:
        """Call `fn` in the batch's transaction; `result` gets what it returns, when durable."""
        self.also.append(fn)
        self.results.append(result)


class Commits:
    """One line of a room. `failed` and `stale` are called at most once; then it is of no use."""

    def __init__(
        self,
        journal: Journal,
        line: Line,
        failed: Callable[[Exception], None],
        stale: Callable[[], None],
    ) -> None:
        self.journal = journal
        self.line = line
        self._failed = failed
        self._stale = stale
        self._ticket = self._durable = 0
        self._building: Building | None = None
        self._waiting: deque[tuple[int, Callable[[], object]]] = deque()
        self._over = False

    @contextmanager
    def together(self) -> Iterator[Building]:
        """Make everything written inside one batch: durable together, or not at all.

        Nothing may be awaited inside.
        """
        if self._building is not None:
            yield self._building
            return
        self._ticket += 1
        building = self._building = Building(self._ticket)
        try:
            yield building
        finally:
            self._building = None
            done = partial(self._settled, building)
            self.journal.submit(Batch(self.line, building.rows, building.also, done))

    def record(self, fn: Callable[[], T]) -> asyncio.Future[T]:
        """Call `fn` in the journal's thread; the future has what it returned, once durable."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        with self.together() as building:
            building.add(fn, future)
        return future

    def after(self, fn: Callable[[], object]) -> None:
        """Call `fn` when all that was written so far is durable; never, if that fails."""
        if self._over:
            return
        if not self._waiting and self._durable == self._ticket:
            fn()
        else:
            self._waiting.append((self._ticket, fn))

    def end(self) -> None:
        """Let nothing wait any more."""
        self._over = True
        self._waiting.clear()

    def successor(self) -> Commits:
        """Return a new line under the same epoch, after a failure."""
        self.end()
        line = Line(self.line.session, self.line.owner, self.line.epoch)
        return Commits(self.journal, line, self._failed, self._stale)

    def _settled(self, building: Building, outcome: Outcome) -> None:
        """Hear of a batch, in the order they were made."""
        if isinstance(outcome, Committed):
            for future, value in zip(building.results, outcome.values, strict=True):
                if future is not None and not future.done():
                    future.set_result(value)
        else:
            for future in building.results:
                if future is not None and not future.done():
                    future.set_exception(outcome)
        if self._over:
            return
        if isinstance(outcome, Stale):
            self.end()
            self._stale()
        elif isinstance(outcome, Exception) and building.rows:
            self.end()
            self._failed(outcome)
        else:
            self._durable = building.ticket
            while self._waiting and self._waiting[0][0] <= self._durable:
                self._waiting.popleft()[1]()
