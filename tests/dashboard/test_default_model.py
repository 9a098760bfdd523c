"""Choosing which model of a tier answers by itself."""

from __future__ import annotations

from tests.cast import Cast
from tests.dashboard.people import KEY, add, admin, at, browser, refused, version
from webapp.live.endpoints import choices_for, pick
from webapp.teams.models import Endpoint


def default(cast: Cast) -> str:
    choice = pick(choices_for(cast.team.pk), "preview")
    assert choice is not None
    return choice.label


def test_a_row_takes_the_tier_over_and_gives_it_back(cast: Cast) -> None:
    row, before = add(cast, "One", KEY), version(cast)
    client = browser(admin(cast))
    assert default(cast) == "Tiny"
    assert client.post(at(cast, row.pk, "default"))["Location"] == at(cast)
    assert default(cast) == "One"
    assert client.post(at(cast, "installed", "preview", "default"))["Location"] == at(cast)
    assert default(cast) == "Tiny"
    assert version(cast) == before + 2


def test_twice_is_a_no_op(cast: Cast) -> None:
    row = add(cast)
    for _ in range(2):
        assert browser(cast.owner).post(at(cast, row.pk, "default")).status_code == 302
        assert Endpoint.objects.get().is_default
    for _ in range(2):
        address = at(cast, "installed", "preview", "default")
        assert browser(cast.owner).post(address).status_code == 302
        assert not Endpoint.objects.get().is_default


def test_the_list_says_which_it_is(cast: Cast) -> None:
    row = add(cast, is_default=True)
    page = browser(cast.owner).get(at(cast)).content.decode()
    assert f"/{row.pk}/default/" not in page
    assert "installed/preview/default/" in page


def test_nobody_else_chooses(cast: Cast) -> None:
    row = add(cast)
    for address in (at(cast, row.pk, "default"), at(cast, "installed", "preview", "default")):
        refused(cast, "post", address)
        assert browser(cast.owner).get(address).status_code == 405
    assert browser(cast.owner).post(at(cast, "a" * 20, "default")).status_code == 404
    assert browser(cast.owner).post(at(cast, "installed", "best", "default")).status_code == 404
    assert not Endpoint.objects.get().is_default


def test_the_only_model_of_a_tier_is_its_default_without_being_told(cast: Cast) -> None:
    row = add(cast, "Deep", tier="standard")
    page = browser(cast.owner).get(at(cast)).content.decode()
    assert page.count("Default</span>") == 2
    assert f"/{row.pk}/default/" not in page
