"""Deleting a session, and having it back."""

from __future__ import annotations

from tests.cast import Cast, signed_in
from webapp.pairing.create import create_session
from webapp.pairing.models import Session


def address(session: Session, act: str = "delete") -> str:
    return f"/s/{session.slug}/{act}/"


def test_asking_deletes_nothing(cast: Cast) -> None:
    page = signed_in(cast.owner).get(address(cast.session))
    assert "Delete “Notes”?" in page.content.decode()
    assert signed_in(cast.owner).get(f"/s/{cast.session.slug}/").status_code == 200


def test_it_is_gone_for_everybody_until_undone(cast: Cast) -> None:
    client = signed_in(cast.owner)
    answer = client.post(address(cast.session))
    assert answer["Location"] == f"/?deleted={cast.session.slug}"
    for person in (cast.owner, cast.member):
        assert signed_in(person).get(f"/s/{cast.session.slug}/").status_code == 404
        assert f"/s/{cast.session.slug}/rename" not in signed_in(person).get("/").content.decode()
    offer = client.get(answer["Location"]).content.decode()
    assert "“Notes” was deleted." in offer
    assert address(cast.session, "restore") in offer
    assert client.post(address(cast.session, "restore"))["Location"] == "/"
    assert signed_in(cast.member).get(f"/s/{cast.session.slug}/").status_code == 200


def test_open_rooms_are_told_to_look_again(cast: Cast) -> None:
    before = cast.session.access_version
    signed_in(cast.owner).post(address(cast.session))
    cast.session.refresh_from_db()
    assert cast.session.access_version == before + 1


def test_deleting_and_restoring_twice_are_no_ops(cast: Cast) -> None:
    client = signed_in(cast.owner)
    client.post(address(cast.session))
    assert client.post(address(cast.session)).status_code == 404
    client.post(address(cast.session, "restore"))
    assert client.post(address(cast.session, "restore"))["Location"] == "/"
    cast.session.refresh_from_db()
    assert cast.session.deleted_at is None
    assert cast.session.access_version == 3


def test_a_member_deletes_what_they_made_and_nothing_else(cast: Cast) -> None:
    own = create_session(cast.team, cast.member, "Mine", {})
    client = signed_in(cast.member)
    assert client.post(address(cast.session)).status_code == 404
    assert client.get(address(cast.session)).status_code == 404
    assert client.post(address(own)).status_code == 302
    assert client.get(f"/s/{cast.session.slug}/").status_code == 200
    assert client.get(f"/s/{own.slug}/").status_code == 404


def test_only_who_may_delete_may_restore_or_is_told(cast: Cast) -> None:
    signed_in(cast.owner).post(address(cast.session))
    for person in (cast.member, cast.stranger):
        client = signed_in(person)
        assert client.post(address(cast.session, "restore")).status_code == 404
        assert "Notes" not in client.get(f"/?deleted={cast.session.slug}").content.decode()
    cast.session.refresh_from_db()
    assert cast.session.deleted_at is not None


def test_strangers_and_the_anonymous_delete_nothing(cast: Cast) -> None:
    assert signed_in(cast.stranger).post(address(cast.session)).status_code == 404
    assert signed_in(None).post(address(cast.session)).status_code == 302
    assert signed_in(None).post(address(cast.session, "restore")).status_code == 302
    cast.session.refresh_from_db()
    assert cast.session.deleted_at is None


def test_other_verbs_are_refused(cast: Cast) -> None:
    assert signed_in(cast.owner).put(address(cast.session)).status_code == 405
    assert signed_in(cast.owner).get(address(cast.session, "restore")).status_code == 405
