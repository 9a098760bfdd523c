"""Model servers that run on this machine."""

from __future__ import annotations

from pytest_django import Settings

from tests.cast import Cast
from tests.dashboard.people import HTMX, at, browser, refused


def test_the_list_asks_for_them_only_where_they_may_be_used(cast: Cast, settings: Settings) -> None:
    assert f'hx-get="{at(cast, "found")}"' in browser(cast.owner).get(at(cast)).content.decode()
    settings.FLINT_LOOPBACK_ONLY = False
    assert at(cast, "found") not in browser(cast.owner).get(at(cast)).content.decode()


def test_a_part_for_htmx_and_a_page_for_others(cast: Cast, settings: Settings) -> None:
    settings.FLINT_LOOPBACK_ONLY = False  # so that nothing is asked
    part = browser(cast.owner).get(at(cast, "found"), headers=HTMX)
    assert (part.status_code, part.content.strip()) == (200, b"")
    page = browser(cast.owner).get(at(cast, "found")).content.decode()
    assert "Start Ollama or LM Studio" in page


def test_nobody_else_asks(cast: Cast) -> None:
    refused(cast, "get", at(cast, "found"))
    assert browser(cast.owner).post(at(cast, "found")).status_code == 405
