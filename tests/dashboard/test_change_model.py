"""Changing a model, and what becomes of its key."""

from __future__ import annotations

from pathlib import Path

from tests.cast import Cast
from tests.dashboard.people import KEY, OTHER_KEY, add, at, browser, filled, refused, version
from webapp.teams import secrets
from webapp.teams.endpoints import key_of
from webapp.teams.models import Endpoint


def saved(row: Endpoint) -> Endpoint:
    return Endpoint.objects.get(pk=row.pk)


def test_the_form_shows_everything_but_the_key(cast: Cast) -> None:
    row = add(cast, "One", KEY)
    page = browser(cast.owner).get(at(cast, row.pk)).content.decode()
    assert 'value="https://models.example/v1"' in page
    assert "A key is kept; type another to replace it." in page
    assert "Remove the key" in page
    assert row.key not in page
    assert "Remove the key" not in browser(cast.owner).get(at(cast, add(cast, "Two").pk)).text


def test_with_an_empty_field_the_key_stays(cast: Cast) -> None:
    row, before = add(cast, "One", KEY), version(cast)
    client = browser(cast.owner)
    answer = client.post(at(cast, row.pk), filled(label="Renamed", key=""))
    assert (answer.status_code, answer["Location"]) == (302, at(cast))
    assert (saved(row).label, key_of(saved(row))) == ("Renamed", KEY)
    assert version(cast) == before + 1
    assert "“Renamed” was saved" in client.get(at(cast)).content.decode()


def test_another_key_replaces_it_and_the_tick_removes_it(cast: Cast) -> None:
    row = add(cast, "One", KEY)
    browser(cast.owner).post(at(cast, row.pk), filled(key=OTHER_KEY))
    assert key_of(saved(row)) == OTHER_KEY
    browser(cast.owner).post(at(cast, row.pk), filled(remove_key="on"))
    assert saved(row).key == ""


def test_a_key_is_asked_for_again_when_the_address_is_another(cast: Cast) -> None:
    row = add(cast, "One", KEY)
    moved = filled(base_url="https://elsewhere.example/v1")
    answer = browser(cast.owner).post(at(cast, row.pk), moved)
    assert answer.status_code == 422
    assert "is not sent to elsewhere.example" in answer.content.decode()
    assert saved(row).base_url == "https://models.example/v1"
    assert browser(cast.owner).post(at(cast, row.pk), moved | {"key": OTHER_KEY}).status_code == 302
    assert key_of(saved(row)) == OTHER_KEY
    back = filled(remove_key="on")
    assert browser(cast.owner).post(at(cast, row.pk), back).status_code == 302
    assert saved(row).key == ""


def test_an_address_out_of_reach_is_refused(cast: Cast) -> None:
    row = add(cast)
    answer = browser(cast.owner).post(at(cast, row.pk), filled(base_url="https://192.168.0.1/v1"))
    assert answer.status_code == 422
    assert "private network" in answer.content.decode()
    assert saved(row).base_url == "https://models.example/v1"


def test_a_lost_key_is_entered_again(cast: Cast, home: Path) -> None:
    row = add(cast, "One", KEY)
    (home / secrets.FILE).unlink()
    page = browser(cast.owner).get(at(cast, row.pk)).content.decode()
    assert "cannot be decrypted any more. Enter it again." in page
    assert browser(cast.owner).post(at(cast, row.pk), filled(label="Two")).status_code == 302
    assert key_of(saved(row)) is None
    browser(cast.owner).post(at(cast, row.pk), filled(key=OTHER_KEY))
    assert key_of(saved(row)) == OTHER_KEY


def test_saving_what_is_there_changes_nothing(cast: Cast) -> None:
    row = add(cast, "One", KEY)
    assert browser(cast.owner).post(at(cast, row.pk), filled()).status_code == 302
    same = saved(row)
    for name in ("label", "base_url", "model", "key", "context_window", "preset", "is_default"):
        assert getattr(same, name) == getattr(row, name), name


def test_nobody_else_changes_it(cast: Cast) -> None:
    row = add(cast, "One", KEY)
    refused(cast, "get", at(cast, row.pk))
    refused(cast, "post", at(cast, row.pk), filled(label="Mine", key=OTHER_KEY))
    assert (saved(row).label, key_of(saved(row))) == ("One", KEY)
    assert browser(cast.owner).get(at(cast, "a" * 20)).status_code == 404
    assert browser(cast.owner).put(at(cast, row.pk)).status_code == 405
