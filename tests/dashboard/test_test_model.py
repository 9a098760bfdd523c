"""Testing a model that is kept: what is said, what is kept of it, and where it may go."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.cast import Cast
from tests.dashboard.people import HTMX, KEY, add, at, browser, refused, version
from tests.upstream import Upstream
from webapp.lib import clock
from webapp.lib.clock import HeldClock
from webapp.teams import secrets
from webapp.teams.endpoints import problem_of
from webapp.teams.models import Endpoint


def local(cast: Cast, upstream: Upstream, key: str = KEY, **more: object) -> Endpoint:
    return add(cast, "One", key, base_url=f"{upstream.url}/v1", **({"model": "scripted"} | more))


def test_one_that_answers(cast: Cast, upstream: Upstream) -> None:
    row = local(cast, upstream)
    part = browser(cast.owner).post(at(cast, row.pk, "test"), headers=HTMX).content.decode()
    assert "It answers: the first token came after" in part
    assert f'id="model-{row.pk}"' in part and "<html" not in part
    row.refresh_from_db()
    assert row.tested_at is not None and row.problem == ""
    assert upstream.records[-1].headers["authorization"] == f"Bearer {KEY}"


def test_without_htmx_the_list_says_it(cast: Cast, upstream: Upstream) -> None:
    row, client = local(cast, upstream), browser(cast.owner)
    assert client.post(at(cast, row.pk, "test"))["Location"] == at(cast)
    assert "One: It answers" in client.get(at(cast)).content.decode()


def test_an_unknown_model_is_named_with_those_that_there_are(
    cast: Cast, upstream: Upstream
) -> None:
    row = local(cast, upstream, model="nothing-like-it")
    upstream.reset()
    part = browser(cast.owner).post(at(cast, row.pk, "test"), headers=HTMX).content.decode()
    assert "nothing-like-it" in part and "mock-r1000-n500" in part
    row.refresh_from_db()
    assert "nothing-like-it" in problem_of(row)


def test_a_server_that_repeats_the_key_does_not_get_it_shown(
    cast: Cast, upstream: Upstream, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    row = local(cast, upstream)
    body = {"error": {"message": f"Incorrect API key provided: {KEY}."}}
    upstream.script({"status": 401, "body": body})
    client = browser(cast.owner)
    client.post(at(cast, row.pk, "test"), headers=HTMX)
    assert client.post(at(cast, row.pk, "test")).status_code == 302
    assert "key" in client.get(at(cast)).content.decode()
    row.refresh_from_db()
    assert row.problem and KEY not in row.problem
    assert KEY not in caplog.text


@pytest.mark.parametrize(
    "base_url", ["https://10.0.0.1/v1", "https://169.254.169.254/v1", "http://models.example/v1"]
)
def test_an_address_out_of_reach_is_not_asked(cast: Cast, base_url: str) -> None:
    """A row may have been saved when the operator still allowed it."""
    row = add(cast, "One", KEY, base_url=base_url)
    browser(cast.owner).post(at(cast, row.pk, "test"), headers=HTMX)
    row.refresh_from_db()
    assert "FLINT_ENDPOINT_HOSTS" in problem_of(row)


def test_loopback_is_not_asked_when_flint_is_open_to_others(
    cast: Cast, upstream: Upstream, settings: Settings
) -> None:
    row = local(cast, upstream)
    settings.FLINT_LOOPBACK_ONLY = False
    part = browser(cast.owner).post(at(cast, row.pk, "test"), headers=HTMX).content.decode()
    assert "private network" in part
    assert upstream.records == []


def test_a_lost_key_is_not_left_out(cast: Cast, upstream: Upstream, home: Path) -> None:
    row = local(cast, upstream)
    (home / secrets.FILE).unlink()
    answer = browser(cast.owner).post(at(cast, row.pk, "test"), headers=HTMX)
    assert "Enter the key again" in answer.content.decode()
    assert upstream.records == []


def test_ten_a_minute_and_team_are_enough(cast: Cast, upstream: Upstream) -> None:
    row, client = local(cast, upstream), browser(cast.owner)
    with clock.held(HeldClock()) as held:
        assert isinstance(held, HeldClock)
        for _ in range(10):
            client.post(at(cast, row.pk, "test"), headers=HTMX)
        held.advance(20)
        part = client.post(at(cast, row.pk, "test"), headers=HTMX).content.decode()
        assert "10 tests a minute are enough. Try again in 40 seconds." in part
        assert len(upstream.records) == 10
        row.refresh_from_db()
        assert row.problem == ""


def test_a_test_changes_nothing_in_open_sessions(cast: Cast, upstream: Upstream) -> None:
    row, before = local(cast, upstream), version(cast)
    browser(cast.owner).post(at(cast, row.pk, "test"), headers=HTMX)
    assert version(cast) == before


def test_nobody_else_tests(cast: Cast, upstream: Upstream) -> None:
    row = local(cast, upstream)
    refused(cast, "post", at(cast, row.pk, "test"))
    assert browser(cast.owner).get(at(cast, row.pk, "test")).status_code == 405
    assert browser(cast.owner).post(at(cast, "a" * 20, "test")).status_code == 404
    assert upstream.records == []
