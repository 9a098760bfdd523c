"""Replay links: who may share, who may watch, and a list of attacks on what a link shows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core import signing
from django.test import Client

from tests.cast import FILES, Cast, signed_in, without_token
from tests.pages.pasts import type_into
from webapp.lib import clock, ids
from webapp.live import reading
from webapp.pairing import replays, shelf
from webapp.pairing.create import create_session
from webapp.pairing.models import File, ReplayLink, Session
from webapp.teams.models import User

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def readers() -> Iterator[None]:
    """Let the threads that read end with the test, and their connections with them."""
    yield
    reading.read.close()


@pytest.fixture
def session(cast: Cast) -> Session:
    """The cast's session with four entries; the last two are typed into app.py."""
    text = type_into(cast.session, cast.owner, "app.py", FILES["app.py"], "# shown\n")
    type_into(cast.session, cast.owner, "app.py", text, "# secret\n")
    return cast.session


def share(user: User | None, session: Session, **fields: str) -> Any:
    sent = {"from": "1", "to": "3", "label": "Demo", "days": "7", **fields}
    return signed_in(user).post(f"/s/{session.slug}/replays/", sent)


def secret_of(answer: Any) -> str:
    address, _, secret = answer.json()["link"].partition("#")
    assert address == "http://testserver/replay"
    return secret


def opened(secret: str, client: Client | None = None) -> tuple[Client, Any]:
    """Post a link's secret from a browser, a fresh one without another."""
    client = client or Client()
    return client, client.post("/replay", {"secret": secret})


@pytest.fixture
def reader(cast: Cast, session: Session) -> tuple[Client, str]:
    """A browser that opened a replay, and the replay's address."""
    client, answer = opened(secret_of(share(cast.member, session)))
    return client, answer["Location"]


def test_a_link_shows_its_range_to_anybody(reader: tuple[Client, str], session: Session) -> None:
    client, address = reader
    page = client.get(address)
    assert page.status_code == 200
    shown = page.content.decode()
    assert "Demo" in shown
    assert session.slug not in shown
    told = client.get(f"{address}history/").json()
    assert (told["first"], told["last"]) == (1, 3)
    app = File.objects.get(session=session, path="app.py")
    text = client.get(f"{address}history/3/{app.pk}/").json()["text"]
    assert text == f"{FILES['app.py']}# shown\n"
    entries = client.get(f"{address}history/1-3/").json()
    assert [entry["seq"] for entry in entries["list"]] == [2, 3]
    assert client.get(f"{address}history/2/").json()["seq"] == 2


def test_the_secret_is_told_once_and_kept_nowhere(cast: Cast, session: Session) -> None:
    answer = share(cast.member, session)
    assert answer.status_code == 201
    secret = secret_of(answer)
    assert len(secret) >= 22  # 128 bits
    link = ReplayLink.objects.get()
    assert secret not in str(vars(link))
    assert link.secret_hash == ids.digest(secret)
    listed = signed_in(cast.owner).get(f"/s/{session.slug}/replays/")
    assert secret not in listed.content.decode()
    assert [held["label"] for held in listed.json()["list"]] == ["Demo"]


def test_the_cookie_is_for_this_replay_alone(cast: Cast, session: Session) -> None:
    client, answer = opened(secret_of(share(cast.member, session)))
    (cookie,) = [held for name, held in client.cookies.items() if "replay" in name]
    assert cookie["path"] == answer["Location"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_who_may_share(cast: Cast, session: Session) -> None:
    assert share(cast.owner, session).status_code == 201
    assert share(cast.member, session).status_code == 201
    assert share(cast.stranger, session).status_code == 404
    assert share(None, session).status_code == 302
    assert signed_in(cast.stranger).get(f"/s/{session.slug}/replays/").status_code == 404
    assert ReplayLink.objects.count() == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"from": "3", "to": "2"},
        {"to": "5"},
        {"from": "-1"},
        {"from": ""},
        {"days": "2"},
        {"days": "forever"},
        {"label": "\u202egnitsil"},
    ],
    ids=["backwards", "the future", "below", "no start", "odd", "words", "turned round"],
)
def test_what_cannot_be_shared(wrong: dict[str, str], cast: Cast, session: Session) -> None:
    answer = share(cast.member, session, **wrong)
    assert answer.status_code == 422
    assert answer.json()["message"]
    assert not ReplayLink.objects.exists()


def test_a_revoked_link_shows_nothing_more(
    reader: tuple[Client, str], cast: Cast, session: Session
) -> None:
    client, address = reader
    link = ReplayLink.objects.get()
    path = f"/s/{session.slug}/replays/{link.pk}/revoke/"
    assert signed_in(cast.stranger).post(path).status_code == 404
    assert client.get(address).status_code == 200
    for _ in range(2):
        assert signed_in(cast.owner).post(path).status_code == 200
    app = File.objects.get(session=session, path="app.py")
    for rest in ("", "history/", "history/2/", f"history/2/{app.pk}/", "history/1-3/"):
        assert client.get(address + rest).status_code == 404


def test_revoking_reaches_no_other_sessions_links(cast: Cast, session: Session) -> None:
    other = create_session(cast.team, cast.owner, "Other", {})
    theirs, _ = replays.create(other, cast.owner, "", 0, 0, None)
    path = f"/s/{session.slug}/replays/{theirs.pk}/revoke/"
    signed_in(cast.owner).post(path)
    theirs.refresh_from_db()
    assert theirs.revoked_at is None


def test_links_that_do_not_work_look_the_same(cast: Cast, session: Session) -> None:
    expired, old = replays.create(session, cast.owner, "", 0, 3, 1)
    ReplayLink.objects.filter(pk=expired.pk).update(expires_at=clock.now() - timedelta(seconds=1))
    revoked, taken = replays.create(session, cast.owner, "", 0, 3, None)
    replays.revoke(revoked)
    other = create_session(cast.team, cast.owner, "Gone", {})
    _, lost = replays.create(other, cast.owner, "", 0, 0, None)
    shelf.delete(other)
    pages = set()
    for secret in (old, taken, lost, ids.new_secret(), "", "\0", "é"):
        _, answer = opened(secret)
        assert answer.status_code == 404
        assert not answer.cookies or not any("replay" in name for name in answer.cookies)
        pages.add(without_token(answer.content.decode()))
    pages.add(without_token(Client().get(f"/replay/{ids.new_id()}/").content.decode()))
    assert len(pages) == 1


@pytest.mark.parametrize(
    "rest", ["history/0/", "history/4/", "history/0-3/", "history/1-4/", "history/3-99/"]
)
def test_nothing_beyond_the_range(rest: str, reader: tuple[Client, str]) -> None:
    client, address = reader
    assert client.get(address + rest).status_code == 404


def test_no_files_of_other_sessions(reader: tuple[Client, str], cast: Cast) -> None:
    client, address = reader
    other = create_session(cast.team, cast.owner, "Other", {"secret.txt": "s"})
    secret = other.files.get().pk
    assert client.get(f"{address}history/3/{secret}/").status_code == 404
    assert client.get(f"{address}history/1-3/?file={secret}").json()["list"] == []


def test_a_reader_sees_nothing_else(reader: tuple[Client, str], session: Session) -> None:
    client, address = reader
    for path in ("", "history/", "history/2/", "download/", "replays/", "export/"):
        assert client.get(f"/s/{session.slug}/{path}").status_code == 302
    assert client.post(f"/s/{session.slug}/fork/", {"seq": "1"}).status_code == 302
    assert client.post(f"{address}history/").status_code == 405
    assert not Session.objects.filter(forked_from=session).exists()


def test_a_cookie_opens_no_other_replay(
    reader: tuple[Client, str], cast: Cast, session: Session
) -> None:
    client, address = reader
    other, _ = replays.create(session, cast.owner, "", 0, 4, None)
    mine = address.split("/")[2]
    (name,) = [name for name in client.cookies if "replay" in name]
    value = client.cookies[name].value
    theirs = name.replace(mine, other.pk)
    for forged in (value, other.pk, signing.get_cookie_signer(salt="x").sign(other.pk)):
        thief = Client()
        thief.cookies[theirs] = forged
        assert thief.get(f"/replay/{other.pk}/").status_code == 404
        assert thief.get(f"/replay/{other.pk}/history/").status_code == 404


def test_guessing_is_slowed_down(cast: Cast, session: Session) -> None:
    secret = secret_of(share(cast.member, session))
    client = Client()
    statuses = [opened(ids.new_secret(), client)[1].status_code for _ in range(31)]
    assert statuses[0] == 404
    assert statuses[-1] == 429
    assert opened(secret, client)[1].status_code == 429


def test_the_landing_page_says_nothing(cast: Cast, session: Session) -> None:
    page = Client().get("/replay")
    assert page.status_code == 200
    assert "Notes" not in page.content.decode()
