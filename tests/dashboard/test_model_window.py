"""Taking over the context window that a test found."""

from __future__ import annotations

import pytest

from tests.cast import Cast
from tests.dashboard.people import HTMX, add, at, browser, refused, version
from webapp.teams.models import Endpoint


def test_it_is_kept_and_open_sessions_hear_of_it(cast: Cast) -> None:
    row, before = add(cast), version(cast)
    address = at(cast, row.pk, "window")
    part = browser(cast.owner).post(address, {"tokens": "4096"}, headers=HTMX).content.decode()
    assert "4,096 tokens" in part and "<html" not in part
    row.refresh_from_db()
    assert (row.context_window, row.max_output) == (4096, 2048)
    assert version(cast) == before + 1
    assert browser(cast.owner).post(address, {"tokens": "4096"})["Location"] == at(cast)


@pytest.mark.parametrize("tokens", ["", "many", "1000", "-5", "99999999", "1e5"])
def test_nonsense_is_refused(cast: Cast, tokens: str) -> None:
    row = add(cast)
    answer = browser(cast.owner).post(at(cast, row.pk, "window"), {"tokens": tokens})
    assert answer.status_code == 400
    row.refresh_from_db()
    assert row.context_window == 32_768


def test_nobody_else_does(cast: Cast) -> None:
    row = add(cast)
    refused(cast, "post", at(cast, row.pk, "window"), {"tokens": "4096"})
    assert browser(cast.owner).get(at(cast, row.pk, "window")).status_code == 405
    assert Endpoint.objects.get().context_window == 32_768
