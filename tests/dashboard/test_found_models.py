"""Model servers that run on this machine."""

from __future__ import annotations

from django.template.loader import render_to_string
from pytest_django import Settings

from tests.cast import Cast
from tests.dashboard.people import HTMX, add, at, browser, refused
from webapp.dashboard.listing import not_yet_added
from webapp.engine.providers.discover import Found
from webapp.live.endpoints import choices_for

OLLAMA = Found("ollama", "http://127.0.0.1:11434/v1", ("a:7b", "b", "c", "d"))
LM_STUDIO = Found("lmstudio", "http://127.0.0.1:1234/v1", ())


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


def test_what_is_added_already_is_not_offered_again(cast: Cast, settings: Settings) -> None:
    found = [OLLAMA, LM_STUDIO]

    def offered() -> list[str]:
        return [name for name, _ in not_yet_added(found, choices_for(cast.team.pk))]

    assert offered() == ["Ollama", "LM Studio"]
    add(cast, "Mine", base_url="http://localhost:11434/v1")
    assert offered() == ["LM Studio"]
    settings.MODELS["preview"]["base_url"] = "http://127.0.0.1:1234"
    assert offered() == []


def test_the_offer_leads_to_the_form_filled_in(cast: Cast) -> None:
    new = not_yet_added([OLLAMA, LM_STUDIO], ())
    page = render_to_string("dashboard/_found.html", {"found": new, "team": cast.team})
    assert "Ollama runs on this machine at 127.0.0.1:11434 and has a:7b, b, c." in page
    assert "LM Studio runs on this machine at 127.0.0.1:1234, without a model yet." in page
    query = "?preset=ollama&amp;base_url=http%3A%2F%2F127.0.0.1%3A11434%2Fv1&amp;model=a%3A7b"
    assert at(cast, "add") + query in page
