"""A project comes in by short writes, is never seen half-made, and leaves nothing behind."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from tests.cast import Cast
from webapp.document.encodings import Binary, of_text
from webapp.lib import clock
from webapp.pairing import access, create, export, staging
from webapp.pairing.create import create_session, import_session
from webapp.pairing.models import Blob, BlobPart, Checkpoint, Entry, File, Session
from webapp.pairing.texts import bytes_of, text_at
from webapp.pairing.uploads import NewFile

NOISE = random.Random(1).randbytes(3 * create.CHUNK_BYTES + 7)
LONG = "é" * (create.CHUNK_BYTES // 2)


def _files() -> list[NewFile]:
    return [
        NewFile("a.py", of_text("x = 1\n"), is_executable=True),
        NewFile("big.bin", Binary(NOISE)),
        NewFile("long.txt", of_text(LONG)),
        *(NewFile(f"d/{n}.txt", of_text(f"{n}\n")) for n in range(300)),
    ]


def test_everything_is_in_the_log(cast: Cast) -> None:
    session = import_session(cast.team, cast.owner, "T", _files())
    rows = {row.path: row for row in File.objects.filter(session=session)}
    assert len(rows) == 303
    assert rows["a.py"].is_executable
    assert rows["big.bin"].is_binary
    assert bytes_of(rows["big.bin"].pk) == NOISE
    assert Blob.objects.get(file=rows["big.bin"]).size_bytes == len(NOISE)
    versions = {kept.path: kept.version for kept in export.as_it_is(session)}
    assert versions["long.txt"] > 0
    assert text_at(rows["long.txt"].pk, versions["long.txt"]) == LONG
    seqs = Entry.objects.filter(session=session).order_by("seq").values_list("seq", flat=True)
    assert list(seqs) == list(range(1, len(seqs) + 1))
    assert access.session_for(cast.member, session.slug)[0] == session


def test_the_start_is_a_checkpoint(cast: Cast) -> None:
    session = create_session(cast.team, cast.owner, "T", {"b.txt": "x", "a.txt": "y"})
    checkpoint = Checkpoint.objects.get(session=session)
    assert (checkpoint.seq, checkpoint.turn) == (2, None)
    paths = [(held["path"], held["version"]) for held in json.loads(checkpoint.manifest)]
    assert paths == [("a.txt", 0), ("b.txt", 0)]


class _Watch:
    """Looks from outside while a session is made; breaks off at one write."""

    def __init__(self, cast: Cast, fail_at: int) -> None:
        self.cast, self.fail_at, self.writes = cast, fail_at, 0
        self.seen: list[Session] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("INSERT") and "pairing_blobpart" in sql:
            self.writes += 1
            found = Session.objects.filter(title="Half")
            self.seen += [
                one for one in found if access.sessions_for(self.cast.owner).filter(pk=one.pk)
            ]
            for one in found:
                with pytest.raises(access.NotFound):
                    access.deleted_session_for(self.cast.owner, one.slug)
            if self.writes == self.fail_at:
                raise DatabaseError("no space left")
        return execute(sql, params, many, context)


@pytest.mark.parametrize("fail_at", [1, 3, 99])
def test_nobody_sees_it_half_made_and_a_failure_leaves_nothing(cast: Cast, fail_at: int) -> None:
    watch = _Watch(cast, fail_at)
    before = Entry.objects.count(), File.objects.count(), Session.objects.count()
    with connection.execute_wrapper(watch):
        try:
            import_session(cast.team, cast.owner, "Half", _files())
        except DatabaseError:
            assert fail_at < 99
    assert watch.writes >= min(fail_at, 2)
    assert watch.seen == []
    if fail_at < 99:
        assert (Entry.objects.count(), File.objects.count(), Session.objects.count()) == before
        assert not BlobPart.objects.exists()


def test_what_a_dead_process_left_is_swept_away_and_nothing_else(cast: Cast) -> None:
    half = import_session(cast.team, cast.owner, "Half", _files())
    young = create_session(cast.team, cast.owner, "Young", {"a": ""})
    old = clock.now() - create.MADE_WITHIN - timedelta(minutes=1)
    hidden = {"deleted_at": clock.now(), "access_version": create.HALF_MADE}
    Session.objects.filter(pk=half.pk).update(**hidden, created_at=old)
    Session.objects.filter(pk=young.pk).update(**hidden)
    Session.objects.filter(pk=cast.session.pk).update(created_at=old)
    access.access_changed(cast.team)
    create.sweep()
    assert set(Session.objects.values_list("pk", flat=True)) == {young.pk, cast.session.pk}
    assert not BlobPart.objects.exists()


def test_staged_bytes_are_no_file_until_the_room_says_so(cast: Cast) -> None:
    new = NewFile("big.bin", Binary(NOISE))
    staged = [staging.stage(cast.session.pk, new) for _ in range(2)]
    assert [kept.path for kept in export.as_it_is(cast.session)] == ["app.py", "tests/test_app.py"]
    staging.sweep()
    assert BlobPart.objects.filter(blob_id__in=staged).count() == 8
    staging.unstage(staged[:1])
    old = -int((clock.now() - create.MADE_WITHIN).timestamp()) + 60
    File.objects.filter(pk=staged[1]).update(created_seq=old)
    staging.sweep()
    assert not BlobPart.objects.exists()
    assert File.objects.filter(session=cast.session).count() == 2
    with pytest.raises(TypeError):
        staging.stage(cast.session.pk, NewFile("a", of_text("")))


@pytest.mark.django_db(transaction=True)
def test_no_write_holds_anybody_up(cast: Cast) -> None:
    """20 MB come in by many short writes; the limit here is for slow disks."""
    noise = random.Random(2).randbytes(12 << 20)
    files = [NewFile("big.bin", Binary(noise)), NewFile("wide.txt", of_text("世" * (1 << 20)))]
    files += [NewFile(f"{n}.txt", of_text("line\n" * 500)) for n in range(1_500)]
    durations: list[float] = []
    begun = [0.0]

    def clocked(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("BEGIN"):
            begun[0] = time.perf_counter()
        return execute(sql, params, many, context)

    def committed() -> Iterator[None]:
        original = connection._commit

        def commit() -> None:
            original()
            durations.append(time.perf_counter() - begun[0])

        connection._commit = commit
        yield
        del connection._commit

    watching = committed()
    next(watching)
    try:
        with connection.execute_wrapper(clocked), CaptureQueriesContext(connection) as queries:
            import_session(cast.team, cast.owner, "T", files)
    finally:
        next(watching, None)
    assert len(durations) > 20
    assert sorted(durations)[len(durations) // 2] < 0.1
    inserted = [len(query["sql"]) for query in queries if query["sql"].startswith("INSERT")]
    assert max(inserted) < 8 * create.CHUNK_BYTES
