"""The list of sessions."""

from __future__ import annotations

import pytest

from tests.cast import Cast, signed_in
from webapp.pairing.create import create_session


def test_members_see_the_teams_sessions_and_who_made_them(cast: Cast) -> None:
    for person in (cast.owner, cast.member):
        page = signed_in(person).get("/").content.decode()
        assert f'href="/s/{cast.session.slug}/"' in page
        assert "Olga Owner" in page


def test_last_changed_comes_first_with_the_exact_time_on_hover(cast: Cast) -> None:
    newer = create_session(cast.team, cast.member, "Newer", {})
    page = signed_in(cast.owner).get("/").content.decode()
    assert page.index(newer.slug) < page.index(cast.session.slug)
    assert f'<time datetime="{newer.changed_at.isoformat()}" title="' in page


def test_strangers_see_none_of_it(cast: Cast) -> None:
    page = signed_in(cast.stranger).get("/").content.decode()
    assert cast.session.slug not in page
    assert "No session yet" in page


def test_without_a_team_the_page_says_how_to_get_into_one(cast: Cast) -> None:
    cast.member.memberships.all().delete()
    page = signed_in(cast.member).get("/").content.decode()
    assert "addmember" in page
    assert "New session" not in page


def test_members_may_delete_only_what_they_made(cast: Cast) -> None:
    own = create_session(cast.team, cast.member, "Mine", {})
    page = signed_in(cast.member).get("/").content.decode()
    assert f"/s/{own.slug}/delete/" in page
    assert f"/s/{cast.session.slug}/delete/" not in page
    assert f"/s/{cast.session.slug}/rename/" in page


def test_titles_are_escaped(cast: Cast) -> None:
    create_session(cast.team, cast.owner, "<script>alert(1)</script>", {})
    assert "<script>alert" not in signed_in(cast.owner).get("/").content.decode()


@pytest.mark.django_db
def test_anonymous_people_are_asked_to_sign_in() -> None:
    answer = signed_in(None).get("/")
    assert answer.status_code == 302
    assert answer["Location"] == "/accounts/login/?next=/"


def test_post_is_refused(cast: Cast) -> None:
    assert signed_in(cast.owner).post("/").status_code == 405


def test_many_sessions_come_in_pages(cast: Cast) -> None:
    for number in range(51):
        create_session(cast.team, cast.owner, f"Session {number}", {})
    client = signed_in(cast.owner)
    assert "?page=2" in client.get("/").content.decode()
    assert cast.session.slug in client.get("/?page=2").content.decode()
    assert client.get("/?page=nonsense").status_code == 200
