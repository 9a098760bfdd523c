"""A session's past over HTTP, and copies made of it: for who may see the session, nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.cast import FILES, Cast, signed_in
from tests.pages.pasts import type_into
from webapp.document.encodings import Binary, recognise
from webapp.lib import ids
from webapp.live import reading
from webapp.pairing import export, history
from webapp.pairing.create import create_session, import_session
from webapp.pairing.models import File, Session, Turn
from webapp.pairing.uploads import NewFile
from webapp.teams.models import User

pytestmark = pytest.mark.django_db(transaction=True)
APP = FILES["app.py"]


@pytest.fixture(autouse=True)
def readers() -> Iterator[None]:
    """Let the threads that read end with the test, and their connections with them."""
    yield
    reading.read.close()


@pytest.fixture
def session(cast: Cast) -> Session:
    """The cast's session, in which both people typed: two entries beyond the two files."""
    text = type_into(cast.session, cast.owner, "app.py", APP, "# olga\n")
    type_into(cast.session, cast.member, "app.py", text, "\U0001f600\n")
    return cast.session


def get(user: User | None, session: Session, rest: str = "", **headers: str) -> Any:
    return signed_in(user).get(f"/s/{session.slug}/history/{rest}", headers=headers)


def test_the_overview_tells_who_wrote_when(cast: Cast, session: Session) -> None:
    turn = Turn.objects.create(
        session=session, author_name="Olga Owner", prompt="Say hello", checkpoint_seq=3,
        state="finished",
    )  # fmt: skip
    told = get(cast.member, session).json()
    assert (told["first"], told["last"], told["width"]) == (0, 4, 1)
    names = [person["name"] for person in told["people"]]
    wrote = {number: [names[who] for who, _ in people] for number, _, _, people in told["buckets"]}
    assert wrote == {0: ["Olga Owner"], 1: ["Olga Owner"], 2: ["Olga Owner"], 3: ["Max Member"]}
    moments = [(moment["kind"], moment["seq"]) for moment in told["moments"]]
    assert moments == [("create", 1), ("checkpoint", 2), ("turn", 3)]
    assert told["moments"][0]["count"] == 2
    assert told["moments"][2]["text"] == turn.prompt


def test_any_moment_can_be_read(cast: Cast, session: Session) -> None:
    app = File.objects.get(session=session, path="app.py")
    files = get(cast.owner, session, "1/").json()["files"]
    assert [(file["path"], file["v"]) for file in files] == [("app.py", 0)]
    files = get(cast.owner, session, "4/").json()["files"]
    assert [(file["path"], file["v"]) for file in files] == [
        ("app.py", 2),
        ("tests/test_app.py", 0),
    ]
    texts = [get(cast.owner, session, f"{seq}/{app.pk}/").json()["text"] for seq in (2, 3, 4)]
    assert texts == [APP, f"{APP}# olga\n", f"{APP}# olga\n\U0001f600\n"]


def test_entries_come_in_parts_as_the_log_has_them(cast: Cast, session: Session) -> None:
    told = get(cast.member, session, "0-4/")
    assert told.content.isascii()
    page = told.json()
    assert [entry["seq"] for entry in page["list"]] == [1, 2, 3, 4]
    assert page["list"][0]["path"] == "app.py"
    assert page["list"][0]["text"] == APP
    assert page["list"][2]["c"] == [15, [0, "# olga", ""]]
    assert [page["people"][entry["by"]]["name"] for entry in page["list"][2:]] == [
        "Olga Owner",
        "Max Member",
    ]
    app = File.objects.get(session=session, path="app.py")
    some = get(cast.member, session, f"2-3/?file={app.pk}").json()
    assert ([entry["seq"] for entry in some["list"]], some["upto"]) == ([3], 3)


def test_a_long_log_is_told_in_pages(
    cast: Cast, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.pairing.history.PAGE_ENTRIES", 3)
    first = get(cast.owner, session, "0-4/").json()
    assert ([entry["seq"] for entry in first["list"]], first["upto"]) == ([1, 2, 3], 3)
    rest = get(cast.owner, session, "3-4/").json()
    assert ([entry["seq"] for entry in rest["list"]], rest["upto"]) == ([4], 4)


def test_what_a_browser_has_is_not_sent_again(cast: Cast, session: Session) -> None:
    app = File.objects.get(session=session, path="app.py")
    for rest in ("", "2/", f"2/{app.pk}/", "0-4/"):
        first = get(cast.owner, session, rest)
        assert first["Cache-Control"] == "private, no-cache"
        again = get(cast.owner, session, rest, if_none_match=first["ETag"])
        assert (again.status_code, again.content) == (304, b"")
        other = signed_in(cast.stranger).get(
            f"/s/{session.slug}/history/{rest}", headers={"if_none_match": first["ETag"]}
        )
        assert other.status_code == 404


@pytest.mark.parametrize("rest", ["99/", "5-6/", "0-99/", "99999999999999999999999/"])
def test_moments_that_are_not_there(rest: str, cast: Cast, session: Session) -> None:
    assert get(cast.owner, session, rest).status_code == 404


def test_files_of_others_are_not_there(cast: Cast, session: Session) -> None:
    other = create_session(cast.team, cast.owner, "Other", {"secret.txt": "s"})
    secret = other.files.get().pk
    for rest in (f"4/{secret}/", f"4/{ids.new_id()}/", "4/nonsense/", "0-4/?file=%00"):
        assert get(cast.owner, session, rest).status_code == 404
    assert get(cast.owner, session, f"0-4/?file={secret}").json()["list"] == []


def test_strangers_and_nobody(cast: Cast, session: Session) -> None:
    app = File.objects.get(session=session, path="app.py")
    for rest in ("", "2/", f"2/{app.pk}/", "0-4/"):
        assert get(cast.stranger, session, rest).status_code == 404
        answer = get(None, session, rest)
        assert answer.status_code == 302
        assert answer["Location"].startswith("/accounts/login/?next=")
        assert signed_in(cast.owner).post(f"/s/{session.slug}/history/{rest}").status_code == 405


# Copies


def fork(user: User | None, session: Session, seq: str, **more: str) -> Any:
    return signed_in(user).post(f"/s/{session.slug}/fork/", {"seq": seq}, headers=more)


def _held(session: Session) -> dict[str, bytes]:
    return {kept.path: kept.encoded().data for kept in export.as_it_is(session)}


def test_a_copy_has_the_files_of_its_moment(cast: Cast, session: Session) -> None:
    answer = fork(cast.member, session, "3", accept="application/json")
    assert answer.status_code == 201
    copy = Session.objects.get(forked_from=session)
    assert answer.json() == {"location": f"/s/{copy.slug}/"}
    assert (copy.title, copy.forked_seq, copy.created_by) == ("Copy of Notes", 3, cast.member)
    assert (copy.team, copy.access_version, copy.deleted_at) == (cast.team, 1, None)
    assert _held(copy) == {
        "app.py": f"{APP}# olga\n".encode(),
        "tests/test_app.py": FILES["tests/test_app.py"].encode(),
    }
    assert _held(session)["app.py"].endswith("\U0001f600\n".encode())


def test_a_copy_keeps_bytes_and_rules(cast: Cast) -> None:
    logo, legacy = b"\x89PNG\0" * 300_000, "Größe\r\n".encode("cp1252")
    marked = b"\xff\xfe" + "a\r\nb\n".encode("utf-16-le")
    files = [
        NewFile("logo.png", Binary(logo), is_executable=True),
        NewFile("old.txt", recognise(legacy)),
        NewFile("wide.txt", recognise(marked)),
        NewFile("long.txt", recognise(("é\n" * 300_000).encode())),
    ]
    session = import_session(cast.team, cast.owner, "N" * 120, files)
    Session.objects.filter(pk=session.pk).update(protected="*.lock\n", guard_lines=7)
    end = history.last_seq(session.pk)
    assert fork(cast.owner, session, str(end)).status_code == 302
    copy = Session.objects.get(forked_from=session)
    assert len(copy.title) == 120
    assert (copy.protected, copy.guard_lines) == ("*.lock\n", 7)
    assert _held(copy) == _held(session)
    assert copy.files.get(path="logo.png").is_executable


@pytest.mark.parametrize("seq", ["", "-1", "5", "x", "9" * 30])
def test_there_is_no_copy_of_no_moment(seq: str, cast: Cast, session: Session) -> None:
    assert fork(cast.owner, session, seq).status_code == 404
    assert not Session.objects.filter(forked_from=session).exists()


def test_only_the_team_makes_copies(cast: Cast, session: Session) -> None:
    assert fork(cast.stranger, session, "2").status_code == 404
    assert fork(None, session, "2").status_code == 302
    assert signed_in(cast.owner).get(f"/s/{session.slug}/fork/").status_code == 405
    assert not Session.objects.filter(forked_from=session).exists()
