"""Which models a team's sessions may ask, and that open pages hear of every change."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from tests.cast import Cast
from tests.live.people import Page
from webapp.engine.ports import Reach
from webapp.live import endpoints
from webapp.live.endpoints import choices_for, pick
from webapp.live.room import Room
from webapp.pairing.access import access_changed
from webapp.teams import endpoints as added
from webapp.teams import secrets
from webapp.teams.endpoints import Draft
from webapp.teams.models import Endpoint

Ask = Callable[[Callable[[], Any]], Awaitable[Any]]
OWN = {
    "base_url": "http://127.0.0.1:9",
    "api_key": "own",
    "model": "tiny",
    "context_window": 8192,
    "max_output": 4096,
    "small": True,
    "edit_format": "whole",
}


@pytest.fixture(autouse=True)
def installed(settings: Settings, tmp_path: Path) -> None:
    """Have a model of the installation's own in the preview tier, and none in the other."""
    settings.FLINT_HOME = tmp_path
    settings.FLINT_ENDPOINT_KEYS = []
    settings.MODELS = {
        "preview": {**OWN, "status_file": tmp_path / "preview.json"},
        "standard": {**OWN, "base_url": "", "status_file": tmp_path / "standard.json"},
    }


def add(cast: Cast, label: str, key: str = "", **more: Any) -> Endpoint:
    fields = {
        "tier": "preview",
        "base_url": "https://models.example/v1",
        "model": "m",
        "edit_format": "blocks",
        "context_window": 32_768,
        "max_output": 8192,
    }
    row = added.add(cast.owner, cast.team.pk, Draft(label, **(fields | more)), key)
    assert isinstance(row, Endpoint)
    return row


def labels(cast: Cast) -> list[tuple[str, bool]]:
    return [(choice.label, choice.is_default) for choice in choices_for(cast.team.pk)]


def test_without_rows_there_is_the_installations_own(cast: Cast) -> None:
    assert labels(cast) == [("tiny", True)]
    assert choices_for(cast.team.pk)[0].is_installed


def test_rows_stand_behind_it_until_one_is_the_default(cast: Cast) -> None:
    add(cast, "One")
    assert labels(cast) == [("tiny", True), ("One", False)]
    row = add(cast, "Two", is_default=True)
    assert labels(cast) == [("Two", True), ("tiny", False), ("One", False)]
    choices = choices_for(cast.team.pk)
    assert pick(choices, "preview") == pick(choices, "preview", row.pk)
    assert (own := pick(choices, "preview", "preview")) and own.endpoint.api_key == "own"


def test_a_tier_of_rows_alone_has_a_default_all_the_same(cast: Cast) -> None:
    add(cast, "Deep", tier="standard")
    add(cast, "Deeper", tier="standard")
    assert labels(cast)[1:] == [("Deep", True), ("Deeper", False)]


def test_what_the_engine_is_given(cast: Cast, settings: Settings) -> None:
    settings.FLINT_ENDPOINT_HOSTS, settings.FLINT_LOOPBACK_ONLY = ["models.internal"], True
    row = add(cast, "One", "sk-secret", is_small=True, edit_format="whole")
    assert row.key and "sk-secret" not in row.key
    choice = pick(choices_for(cast.team.pk), "preview", row.pk)
    assert choice is not None
    assert (choice.endpoint.api_key, choice.endpoint.small) == ("sk-secret", True)
    assert choice.endpoint.reach == Reach(("models.internal",), loopback=True)
    assert "sk-secret" not in repr(choice)
    assert "sk-secret" not in str(choice.frame())
    assert endpoints.installed()[0].endpoint.reach is None


def test_another_teams_models_are_not_offered(cast: Cast) -> None:
    add(cast, "One")
    other = cast.stranger.memberships.get().team_id
    assert [choice.label for choice in choices_for(other)] == ["tiny"]


def test_a_model_whose_key_is_lost_is_not_asked(cast: Cast, tmp_path: Path) -> None:
    add(cast, "Keyless")
    add(cast, "One", "sk-secret", is_default=True)
    (tmp_path / secrets.FILE).unlink()
    assert labels(cast) == [("tiny", True), ("Keyless", False)]


async def arrived(page: Page, kind: str) -> list[dict[str, Any]]:
    """Return the frames of this kind, once there are any."""
    while True:
        if frames := page.take(kind):
            return frames
        await asyncio.sleep(0)


async def test_open_pages_are_told_within_a_second(cast: Cast, room: Room, rows: Ask) -> None:
    pages = [Page(room, person.pk, person.name) for person in (cast.owner, cast.member)]
    for page in pages:
        page.hello()
        await arrived(page, "welcome")

    def change() -> Endpoint:
        row = add(cast, "One", "sk-secret", is_default=True)
        access_changed(cast.team)
        return row

    row = await rows(change)
    async with asyncio.timeout(1):
        for page in pages:
            frames = await arrived(page, "endpoints")
            listed = frames[-1]["list"]
            assert [each["id"] for each in listed] == [row.pk, "preview"]
            assert [each["default"] for each in listed] == [True, False]
            assert "sk-secret" not in str(frames)
    assert [page.take("resync") for page in pages] == [[], []]
    assert room.choices[0].endpoint.api_key == "sk-secret"
