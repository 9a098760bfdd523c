"""Adding a model: the presets, the form, and everything that is refused with a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from tests.cast import Cast
from tests.dashboard.people import KEY, add, admin, at, browser, filled, refused, version
from webapp.teams import endpoints, secrets
from webapp.teams.models import Endpoint


def test_first_a_preset_is_chosen(cast: Cast, settings: Settings) -> None:
    page = browser(cast.owner).get(at(cast, "add")).content.decode()
    assert "?preset=openai" in page and "?preset=ollama" in page and "?preset=other" in page
    settings.FLINT_LOOPBACK_ONLY = False
    page = browser(cast.owner).get(at(cast, "add")).content.decode()
    assert "?preset=openai" in page and "?preset=ollama" not in page
    settings.FLINT_ENDPOINT_HOSTS = ["10.0.0.0/8"]
    assert "?preset=ollama" in browser(cast.owner).get(at(cast, "add")).content.decode()


def test_the_form_begins_with_the_preset_and_with_what_was_found(cast: Cast) -> None:
    page = browser(cast.owner).get(at(cast, "add"), {"preset": "openai"}).content.decode()
    assert 'value="https://api.openai.com/v1"' in page
    assert 'name="preset" value="openai"' in page
    found = {"preset": "ollama", "base_url": "http://127.0.0.1:11434/v1", "model": "mine:7b"}
    page = browser(cast.owner).get(at(cast, "add"), found).content.decode()
    assert 'value="http://127.0.0.1:11434/v1"' in page and 'value="mine:7b"' in page


def test_a_model_is_added_and_open_sessions_hear_of_it(cast: Cast) -> None:
    before = version(cast)
    client = browser(admin(cast))
    answer = client.post(at(cast, "add"), filled(key=f" {KEY} ", is_default="on", is_small="on"))
    assert (answer.status_code, answer["Location"]) == (302, at(cast))
    [row] = endpoints.rows_of(cast.team.pk)
    assert endpoints.key_of(row) == KEY
    assert KEY not in row.key
    assert (row.is_default, row.is_small, row.max_output) == (True, True, 8192)
    assert row.created_by is not None and row.created_by.name == "Ada Admin"
    assert version(cast) == before + 1
    assert "was added" in client.get(at(cast)).content.decode()


def test_without_a_name_it_is_called_by_the_model_s(cast: Cast) -> None:
    long = "maker/" + "m" * 100
    for model in ("coder:7b", long):
        browser(cast.owner).post(at(cast, "add"), filled(label="", model=model))
    rows = endpoints.rows_of(cast.team.pk)
    assert {row.label for row in rows} == {"coder:7b", long[:80]}
    assert {row.model for row in rows} == {"coder:7b", long}


def test_nobody_else_adds_one(cast: Cast) -> None:
    refused(cast, "get", at(cast, "add"))
    refused(cast, "post", at(cast, "add"), filled())
    assert browser(cast.owner).put(at(cast, "add")).status_code == 405
    assert Endpoint.objects.count() == 0


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"base_url": "models.example"}, "is no web address"),
        ({"base_url": "ftp://models.example"}, "is no web address"),
        ({"base_url": "http://models.example/v1"}, "must be asked over https"),
        ({"base_url": "https://10.0.0.1/v1"}, "private network"),
        ({"base_url": "https://169.254.169.254/"}, "private network"),
        ({"base_url": "https://[::ffff:10.0.0.1]/v1"}, "private network"),
        ({"base_url": "https://intranet/v1"}, "private network"),
        ({"base_url": "https://me:pass@models.example/v1"}, "user name or a password"),
        ({"base_url": "https://models.example/v1?key=x"}, "neither"),
        ({"base_url": "https://0x7f000001/v1"}, "unusual way"),
        ({"base_url": ""}, "required"),
        ({"label": "one"}, "Another model of the team has this name"),
        ({"label": "a\u202eb"}, "cannot be seen"),
        ({"model": "a\x07b"}, "cannot be seen"),
        ({"label": "", "model": "ONE"}, "Another model of the team has this name"),
        ({"label": "", "model": ""}, "required"),
        ({"base_url": "", "key": KEY}, "type it again"),
        ({"tier": "best"}, "not one of the available choices"),
        ({"edit_format": "patch"}, "not one of the available choices"),
        ({"context_window": "2000"}, "From 2,048 to 10,000,000 tokens."),
        ({"context_window": "99999999"}, "From 2,048 to 10,000,000 tokens."),
        ({"context_window": "many"}, "whole number"),
        ({"max_output": "0"}, "From 64 to 10,000,000 tokens."),
        ({"max_output": "32768"}, "less than 32768 tokens"),
        ({"key": "sk SECRET"}, "Copy it again"),
        ({"key": "sk-SECRET\r\nX: y"}, "Copy it again"),
        ({"key": "sk-SECRET\u2011"}, "Copy it again"),
        ({"preset": "openai"}, "answers nobody without a key"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_added(
    cast: Cast, wrong: dict[str, Any], words: str
) -> None:
    add(cast, "One")
    before = version(cast)
    answer = browser(cast.owner).post(at(cast, "add"), filled(**({"label": "Two"} | wrong)))
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert Endpoint.objects.count() == 1
    assert version(cast) == before


def test_loopback_is_for_a_flint_that_is_bound_to_it(cast: Cast, settings: Settings) -> None:
    local = filled(preset="ollama", base_url="http://127.0.0.1:11434/v1")
    settings.FLINT_LOOPBACK_ONLY = False
    answer = browser(cast.owner).post(at(cast, "add"), local)
    assert answer.status_code == 422
    assert "FLINT_ENDPOINT_HOSTS" in answer.content.decode()
    settings.FLINT_ENDPOINT_HOSTS = ["127.0.0.1"]
    assert browser(cast.owner).post(at(cast, "add"), local).status_code == 302


def test_without_material_to_encrypt_with_the_key_is_not_kept(cast: Cast, home: Path) -> None:
    (home / secrets.FILE).write_text("broken")
    answer = browser(cast.owner).post(at(cast, "add"), filled(key=KEY))
    assert answer.status_code == 422
    assert "Whoever runs this Flint" in answer.content.decode()
    assert Endpoint.objects.count() == 0


def test_a_team_has_so_many_and_no_more(cast: Cast) -> None:
    rows = [Endpoint(team=cast.team, label=f"{n}", base_url="x", model="m") for n in range(50)]
    Endpoint.objects.bulk_create(rows)
    answer = browser(cast.owner).post(at(cast, "add"), filled(key=KEY))
    assert answer.status_code == 422
    assert "at most 50 models" in answer.content.decode()
