"""The journal: groups, order, fences, failures, on a real database."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from django.db import InternalError, OperationalError, connection, transaction

from tests.cast import Cast
from webapp.lib import clock
from webapp.live import ownership, reading
from webapp.live.journal import Batch, Committed, Journal, Line, Outcome, Stale
from webapp.live.statements import Row
from webapp.pairing.create import create_session
from webapp.pairing.models import Entry, File, Lease, Session

pytestmark = pytest.mark.django_db(transaction=True)
Ask = Callable[[Callable[[], Any]], Awaitable[Any]]


class Writer:
    """One session's line, as a room writes it."""

    def __init__(self, journal: Journal, session: Session, file: str, epoch: int) -> None:
        self.journal = journal
        self.line = Line(session.pk, "process-a", epoch)
        self.file = file
        self.seq = 1
        self.outcomes: list[Outcome] = []

    def write(self, *also: Callable[[], Any], seq: int = 0, counter: int | None = None) -> None:
        self.seq += 1
        row = Row(
            self.file, seq or self.seq, self.seq - 1, "user:1", "c" * 20, counter, "edit", "[]",
            None, None, clock.now(),
        )  # fmt: skip
        self.journal.submit(Batch(self.line, [row], also, self.outcomes.append))

    def record(self, fn: Callable[[], Any]) -> None:
        self.journal.submit(Batch(self.line, [], [fn], self.outcomes.append))

    @property
    def kinds(self) -> list[type]:
        return [type(outcome) for outcome in self.outcomes]


@pytest.fixture
async def journal() -> AsyncIterator[Journal]:
    journal = Journal(asyncio.get_running_loop())
    yield journal
    await journal.close()
    reading.read.close()


@pytest.fixture
async def writers(cast: Cast, journal: Journal, rows: Ask) -> list[Writer]:
    """Three sessions that are open in process-a."""
    return [await rows(partial(_opened, cast, journal, title)) for title in "ABC"]


def _opened(cast: Cast, journal: Journal, title: str) -> Writer:
    session = create_session(cast.team, cast.owner, title, {"a.py": ""})
    epoch = ownership.acquire(session.pk, "process-a")
    return Writer(journal, session, File.objects.get(session=session).pk, epoch)


def _seqs(writer: Writer) -> list[int]:
    entries = Entry.objects.filter(session_id=writer.line.session).order_by("seq")
    return list(entries.values_list("seq", flat=True))


def _fail() -> None:
    raise ValueError("no")


async def test_batches_are_committed_in_order_and_said_so_in_order(
    writers: list[Writer], journal: Journal, rows: Ask
) -> None:
    one = writers[0]
    for count in range(600):
        one.write(partial(int, count))
    await journal.drain()
    assert one.outcomes == [Committed((count,)) for count in range(600)]
    assert await rows(partial(_seqs, one)) == list(range(1, 602))


async def test_what_gathers_is_committed_together(
    writers: list[Writer], journal: Journal, rows: Ask
) -> None:
    steps: list[str] = []

    def note() -> None:
        steps.append("write")
        transaction.on_commit(partial(steps.append, "commit"))

    one, two, _ = writers
    gathered = threading.Event()
    one.record(partial(gathered.wait, 30))
    before = await rows(partial(_changed_at, one))
    for _ in range(20):
        one.write(note)
        two.write(note)
    gathered.set()
    await journal.drain()
    assert steps == ["write"] * 40 + ["commit"] * 40
    assert await rows(partial(_changed_at, one)) > before


def _changed_at(writer: Writer) -> Any:
    return Session.objects.get(pk=writer.line.session).changed_at


async def test_a_stale_epoch_drops_its_own_session_s_entries_alone(
    writers: list[Writer], journal: Journal, rows: Ask
) -> None:
    one, two, _ = writers
    await rows(partial(_overtake, one))
    for writer in (one, two, one, two):
        writer.write()
    await journal.drain()
    assert one.kinds == [Stale, Stale]
    assert two.kinds == [Committed, Committed]
    assert await rows(partial(_seqs, one)) == [1]
    assert await rows(partial(_seqs, two)) == [1, 2, 3]


def _overtake(writer: Writer) -> None:
    ownership.expire_leases("process-a")
    ownership.acquire(writer.line.session, "process-b")
    Lease.objects.filter(owner="").update(owner="process-a")


async def test_one_session_s_bad_row_fails_that_session_alone_and_all_that_follows_it(
    writers: list[Writer], journal: Journal, rows: Ask
) -> None:
    one, two, three = writers
    one.write()
    two.write()
    one.write(seq=1)  # there is a first entry already
    three.write()
    one.write()
    two.write()
    await journal.drain()
    assert [kind is Committed for kind in one.kinds] == [True, False, False]
    assert two.kinds == [Committed, Committed]
    assert three.kinds == [Committed]
    assert await rows(partial(_seqs, one)) == [1, 2]
    one.write()
    await journal.drain()
    assert one.kinds[-1] is not Committed


async def test_a_function_that_fails_takes_its_own_batch_with_it(
    writers: list[Writer], journal: Journal, rows: Ask
) -> None:
    one, two, _ = writers
    one.write(_fail)
    two.write()
    await journal.drain()
    assert one.kinds == [ValueError]
    assert two.kinds == [Committed]
    assert await rows(partial(_seqs, one)) == [1]


async def test_a_record_that_fails_stops_no_entries(
    writers: list[Writer], journal: Journal, rows: Ask
) -> None:
    one = writers[0]
    one.record(_fail)
    one.write()
    await journal.drain()
    assert one.kinds == [ValueError, Committed]
    assert await rows(partial(_seqs, one)) == [1, 2]


async def test_what_is_sent_twice_is_in_the_log_once(
    writers: list[Writer], journal: Journal, rows: Ask
) -> None:
    one = writers[0]
    one.write(counter=1)
    one.write(counter=1)
    await journal.drain()
    assert one.kinds[0] is Committed
    assert one.kinds[1] is not Committed
    assert await rows(partial(_seqs, one)) == [1, 2]


async def test_a_database_that_takes_no_writes_fails_what_waits_and_the_next_line_goes_on(
    writers: list[Writer], journal: Journal, rows: Ask
) -> None:
    one, two, _ = writers
    gathered = threading.Event()
    one.record(partial(gathered.wait, 30))
    for writer in (one, two):
        writer.write(_no_more_writes)
        writer.write()
    gathered.set()
    await journal.drain()
    refused = OperationalError if connection.vendor == "sqlite" else InternalError
    assert one.kinds == [Committed, refused, refused]
    assert two.kinds == [refused, refused]
    # The failed connection was closed; a new one takes writes again.
    again = Writer(journal, Session(pk=one.line.session), one.file, one.line.epoch)
    again.write()
    await journal.drain()
    assert again.kinds == [Committed]
    assert await rows(partial(_seqs, one)) == [1, 2]


def _no_more_writes() -> None:
    """Make the journal's connection answer as on a disk that was remounted read-only."""
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only=1" if sqlite else "SET TRANSACTION READ ONLY")
        if not sqlite:
            cursor.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")


async def test_idle_work_comes_after_what_waits_and_the_newest_of_a_kind_alone(
    writers: list[Writer], journal: Journal
) -> None:
    done: list[str] = []
    one = writers[0]
    one.record(partial(_idle_and_more, journal, one, done))
    await journal.drain()
    while len(done) < 7:
        await journal.drain()
    assert done == ["write"] * 5 + ["newest", "other"]


async def test_idle_work_that_fails_stops_nothing(
    writers: list[Writer], journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    done = threading.Event()
    journal.when_idle("wrong", partial(int, "no"))
    journal.when_idle("right", done.set)
    assert await asyncio.to_thread(done.wait, 30)
    assert "A snapshot was not written" in caplog.text
    writers[0].write()
    await journal.drain()
    assert writers[0].kinds == [Committed]


def _idle_and_more(journal: Journal, writer: Writer, done: list[str]) -> None:
    """Hand over work of both kinds while the journal's thread is busy with this."""
    journal.when_idle("file", partial(done.append, "old"))
    journal.when_idle("other", partial(done.append, "other"))
    journal.when_idle("file", partial(done.append, "newest"))
    for _ in range(5):
        writer.record(partial(done.append, "write"))
