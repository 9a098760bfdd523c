"""Testing what is typed, before it is saved."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from tests.cast import Cast
from tests.dashboard.people import HTMX, KEY, OTHER_KEY, add, at, browser, filled, refused
from tests.upstream import Upstream
from webapp.teams.endpoints import key_of
from webapp.teams.models import Endpoint


def typed(upstream: Upstream, **more: object) -> dict[str, object]:
    return filled(base_url=f"{upstream.url}/v1", model="scripted", **more)


def test_it_says_how_it_went_and_offers_the_models(cast: Cast, upstream: Upstream) -> None:
    form = typed(upstream, key=KEY)
    part = browser(cast.owner).post(at(cast, "try"), form, headers=HTMX).content.decode()
    assert "It answers" in part and "<html" not in part
    assert '<option value="mock-max-n5000">' in part
    assert upstream.records[-1].headers["authorization"] == f"Bearer {KEY}"
    assert Endpoint.objects.count() == 0


def test_without_htmx_the_form_stays_filled_in_but_for_the_key(
    cast: Cast, upstream: Upstream
) -> None:
    answer = browser(cast.owner).post(at(cast, "try"), typed(upstream, key=KEY, label="Mine"))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "It answers" in page and 'value="Mine"' in page
    assert "type it again before you save" in page


def test_the_key_that_is_kept_is_used_for_its_own_address_alone(
    cast: Cast, upstream: Upstream
) -> None:
    row = add(cast, "One", KEY, base_url=f"{upstream.url}/v1", model="scripted")
    address = at(cast, row.pk, "try")
    part = browser(cast.owner).post(address, typed(upstream), headers=HTMX).content.decode()
    assert "It answers" in part
    assert upstream.records[-1].headers["authorization"] == f"Bearer {KEY}"
    asked = len(upstream.records)
    for moved in (f"http://localhost:{upstream.port}/v1", "https://elsewhere.example/v1"):
        form = filled(base_url=moved, model="scripted")
        part = browser(cast.owner).post(address, form, headers=HTMX).content.decode()
        assert "is not sent to" in part
    assert len(upstream.records) == asked
    form = typed(upstream, key=OTHER_KEY)
    browser(cast.owner).post(address, form, headers=HTMX)
    assert upstream.records[-1].headers["authorization"] == f"Bearer {OTHER_KEY}"
    assert key_of(Endpoint.objects.get()) == KEY


@pytest.mark.parametrize("base_url", ["https://10.0.0.1/v1", "gopher://x", "http://8.8.8.8/v1"])
def test_an_address_out_of_reach_is_not_asked(cast: Cast, base_url: str) -> None:
    form = filled(base_url=base_url, key=KEY)
    part = browser(cast.owner).post(at(cast, "try"), form, headers=HTMX).content.decode()
    assert 'class="warn"' in part


def test_loopback_is_not_asked_when_flint_is_open_to_others(
    cast: Cast, upstream: Upstream, settings: Settings
) -> None:
    settings.FLINT_LOOPBACK_ONLY = False
    part = browser(cast.owner).post(at(cast, "try"), typed(upstream), headers=HTMX).text
    assert "private network" in part
    assert upstream.records == []


def test_what_is_not_filled_in_yet_does_not_hinder_a_test(cast: Cast, upstream: Upstream) -> None:
    form = typed(upstream, label="", context_window="", max_output="many")
    part = browser(cast.owner).post(at(cast, "try"), form, headers=HTMX).content.decode()
    assert "It answers" in part


def test_what_a_test_found_is_taken_over(cast: Cast, upstream: Upstream) -> None:
    form = typed(upstream, take_context_window="16384", key=KEY)
    part = browser(cast.owner).post(at(cast, "try"), form, headers=HTMX).content.decode()
    assert 'value="16384"' in part and "base_url" not in part
    page = browser(cast.owner).post(at(cast, "try"), form).content.decode()
    assert 'value="16384"' in page and 'value="One"' in page
    moved = typed(upstream, take_base_url=f"{upstream.url}/other/v1")
    part = browser(cast.owner).post(at(cast, "try"), moved, headers=HTMX).content.decode()
    assert f'value="{upstream.url}/other/v1"' in part
    assert upstream.records == []


def test_tests_of_forms_count_too(cast: Cast, upstream: Upstream) -> None:
    client = browser(cast.owner)
    for _ in range(10):
        client.post(at(cast, "try"), typed(upstream), headers=HTMX)
    part = client.post(at(cast, "try"), typed(upstream), headers=HTMX).content.decode()
    assert "10 tests a minute are enough" in part
    assert len(upstream.records) == 10


def test_nobody_else_tests(cast: Cast, upstream: Upstream) -> None:
    row = add(cast)
    for address in (at(cast, "try"), at(cast, row.pk, "try")):
        refused(cast, "post", address, typed(upstream))
        assert browser(cast.owner).get(address).status_code == 405
    assert upstream.records == []
