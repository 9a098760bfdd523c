"""Errors are sentences, on our own pages, for everybody."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.test import Client

from tests.cast import Cast, signed_in


def test_an_unknown_address_is_a_calm_page(cast: Cast) -> None:
    answer = signed_in(cast.owner).get("/nowhere/")
    assert answer.status_code == 404
    assert "There is nothing here" in answer.content.decode()
    assert "Nothing was changed" in answer.content.decode()


def test_a_form_without_its_token_is_explained(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.owner, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post("/new/", {"team": cast.team.pk})
    assert answer.status_code == 403
    assert "Please try that once more" in answer.content.decode()


@pytest.mark.parametrize("name", ["400", "403", "404", "500", "403_csrf", "429"])
def test_error_pages_need_nothing_to_render(name: str) -> None:
    page = render_to_string(f"{name}.html", {})
    assert 'class="lead"' in page
    assert 'href="/"' in page


@pytest.mark.django_db
def test_browsers_that_ask_for_the_old_icon_get_the_new_one() -> None:
    assert signed_in(None).get("/favicon.ico")["Location"] == "/static/img/flint.svg"


@pytest.mark.parametrize("host", ["evil.example", "testserver@evil.example", " "])
def test_a_request_under_another_name_gets_a_page_with_every_header_and_no_alarm(
    cast: Cast, host: str, caplog: pytest.LogCaptureFixture
) -> None:
    answer = Client(headers={"host": host}).get("/accounts/login/")
    assert answer.status_code == 400
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
