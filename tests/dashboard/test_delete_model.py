"""Deleting a model, and having it back."""

from __future__ import annotations

from django.core.cache import cache

from tests.cast import Cast
from tests.dashboard.people import HTMX, KEY, add, at, browser, refused, version
from webapp.teams.endpoints import key_of
from webapp.teams.models import Endpoint


def test_asking_deletes_nothing(cast: Cast) -> None:
    row = add(cast)
    page = browser(cast.owner).get(at(cast, row.pk, "delete")).content.decode()
    assert "Delete “One”?" in page and "<html" in page
    part = browser(cast.owner).get(at(cast, row.pk, "delete"), headers=HTMX).content.decode()
    assert "Delete “One”?" in part and "<html" not in part
    assert Endpoint.objects.count() == 1


def test_it_is_gone_until_undone_and_its_key_comes_back_with_it(cast: Cast) -> None:
    row, before = add(cast, "One", KEY, is_default=True), version(cast)
    client = browser(cast.owner)
    answer = client.post(at(cast, row.pk, "delete"))
    assert answer["Location"] == f"{at(cast)}?deleted={row.pk}"
    assert Endpoint.objects.count() == 0
    offer = client.get(answer["Location"]).content.decode()
    assert "“One” was deleted." in offer
    assert at(cast, row.pk, "restore") in offer
    assert client.post(at(cast, row.pk, "restore"))["Location"] == at(cast)
    restored = Endpoint.objects.get()
    assert (restored.pk, key_of(restored), restored.is_default) == (row.pk, KEY, True)
    assert version(cast) == before + 2
    assert "was deleted" not in client.get(answer["Location"]).content.decode()


def test_twice_is_a_no_op(cast: Cast) -> None:
    row, client = add(cast), browser(cast.owner)
    client.post(at(cast, row.pk, "delete"))
    assert client.post(at(cast, row.pk, "delete")).status_code == 404
    client.post(at(cast, row.pk, "restore"))
    assert client.post(at(cast, row.pk, "restore")).status_code == 302
    assert "too late" not in client.get(at(cast)).content.decode()
    assert Endpoint.objects.count() == 1


def test_too_late_is_said(cast: Cast) -> None:
    row, client = add(cast), browser(cast.owner)
    client.post(at(cast, row.pk, "delete"))
    cache.clear()
    assert client.post(at(cast, row.pk, "restore")).status_code == 302
    assert "It is too late to undo that" in client.get(at(cast)).content.decode()


def test_nobody_else_deletes_or_restores(cast: Cast) -> None:
    row = add(cast)
    refused(cast, "get", at(cast, row.pk, "delete"))
    refused(cast, "post", at(cast, row.pk, "delete"))
    assert Endpoint.objects.count() == 1
    browser(cast.owner).post(at(cast, row.pk, "delete"))
    for person in (cast.member, cast.stranger):
        assert browser(person).post(at(cast, row.pk, "restore")).status_code == 404
    own = f"/team/{cast.stranger.memberships.get().team_id}/models/"
    client = browser(cast.stranger)
    assert "One" not in client.get(f"{own}?deleted={row.pk}").content.decode()
    assert client.post(f"{own}{row.pk}/restore/").status_code == 302
    assert Endpoint.objects.count() == 0
    assert browser(cast.owner).get(at(cast, row.pk, "restore")).status_code == 405
