"""Making a session."""

from __future__ import annotations

from tests.cast import Cast, signed_in
from webapp.pairing import example
from webapp.pairing.models import Session


def test_an_empty_session_is_made_and_opened(cast: Cast) -> None:
    answer = signed_in(cast.member).post("/new/", {"team": cast.team.pk})
    made = Session.objects.get(title="Untitled")
    assert answer["Location"] == f"/s/{made.slug}/"
    assert made.created_by == cast.member
    assert not made.files.exists()


def test_the_example_brings_its_files(cast: Cast) -> None:
    signed_in(cast.member).post("/new/", {"team": cast.team.pk, "from": "example"})
    made = Session.objects.get(title="Example")
    assert set(made.files.values_list("path", flat=True)) == set(example.files())


def test_another_teams_member_makes_nothing(cast: Cast) -> None:
    answer = signed_in(cast.stranger).post("/new/", {"team": cast.team.pk})
    assert answer.status_code == 404
    assert Session.objects.count() == 1


def test_an_unknown_team_is_not_found(cast: Cast) -> None:
    assert signed_in(cast.owner).post("/new/", {"team": "nonsense"}).status_code == 404
    assert signed_in(cast.owner).post("/new/").status_code == 404


def test_anonymous_people_and_get_make_nothing(cast: Cast) -> None:
    assert signed_in(None).post("/new/", {"team": cast.team.pk}).status_code == 302
    assert signed_in(cast.owner).get("/new/").status_code == 405
    assert Session.objects.count() == 1
