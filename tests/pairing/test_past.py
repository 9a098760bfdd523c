"""Versions of files far back: the snapshots that stay, and copies that cannot be made."""

from __future__ import annotations

import pytest

from tests.cast import Cast
from webapp.document.changes import ChangeSet
from webapp.document.text import dumps_ascii
from webapp.pairing import history
from webapp.pairing.create import create_session
from webapp.pairing.fork import fork
from webapp.pairing.models import Entry, File, Session, Snapshot
from webapp.pairing.texts import LoadError, keep_snapshot, text_at

EVERY = 10


@pytest.fixture(autouse=True)
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keyframes stand ten versions apart."""
    monkeypatch.setattr("webapp.pairing.texts.KEYFRAME_EVERY", EVERY)


def _typed(session: Session, path: str, versions: int) -> File:
    """Put one letter after another at the end of a file that was empty."""
    file = File.objects.get(session=session, path=path)
    seq = history.last_seq(session.pk)
    Entry.objects.bulk_create(
        Entry(
            session=session,
            seq=seq + version,
            file=file,
            version=version,
            author="system",
            client="test",
            payload=dumps_ascii(
                ChangeSet.of(version - 1, [(version - 1, version - 1, "x")]).to_json()
            ),
        )
        for version in range(1, versions + 1)
    )
    return file


def _kept(file: File) -> list[int]:
    return sorted(Snapshot.objects.filter(file=file).values_list("version", flat=True))


def test_of_older_snapshots_the_first_of_each_stretch_stays(cast: Cast) -> None:
    file = _typed(create_session(cast.team, cast.owner, "S", {"a": ""}), "a", 40)
    for version in range(3, 40, 3):
        keep_snapshot(file.pk, version, "x" * version)
    assert _kept(file) == [3, 12, 21, 30, 36, 39]
    keep_snapshot(file.pk, 39, "x" * 39)
    assert _kept(file) == [3, 12, 21, 30, 36, 39]


def test_every_version_is_the_same_with_and_without_snapshots(cast: Cast) -> None:
    file = _typed(create_session(cast.team, cast.owner, "S", {"a": ""}), "a", 35)
    keep_snapshot(file.pk, 33, "x" * 33)
    for version in (0, 1, 9, 10, 11, 29, 33, 35):
        assert text_at(file.pk, version) == "x" * version


def test_a_log_without_keyframes_gets_them_when_somebody_looks(cast: Cast) -> None:
    file = _typed(create_session(cast.team, cast.owner, "S", {"a": ""}), "a", 35)
    assert text_at(file.pk, 9) == "x" * 9
    assert _kept(file) == []
    assert text_at(file.pk, 25) == "x" * 25
    assert _kept(file) == [10, 20]
    assert text_at(file.pk, 35) == "x" * 35
    assert _kept(file) == [10, 20, 30]


def test_what_it_holds_on_the_way_is_bounded(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.pairing.texts.MOST_PASSED_UNITS", 25)
    file = _typed(create_session(cast.team, cast.owner, "S", {"a": ""}), "a", 45)
    assert text_at(file.pk, 45) == "x" * 45
    assert _kept(file) == [10]


@pytest.mark.django_db(transaction=True)
def test_a_copy_that_cannot_be_read_leaves_nothing(cast: Cast) -> None:
    files = {f"{number:03}": "text\n" for number in range(70)} | {"z": "lost"}
    session = create_session(cast.team, cast.owner, "S", files)
    before = Session.objects.count(), File.objects.count(), Entry.objects.count()
    Entry.objects.filter(file__path="z", file__session=session).update(kind="edit", version=0)
    with pytest.raises(LoadError):
        fork(session, cast.owner, "Copy", history.last_seq(session.pk))
    assert (Session.objects.count(), File.objects.count(), Entry.objects.count()) == before
