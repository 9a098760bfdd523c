"""Who looks at a team's pages: browsers that never see a key."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client

from tests.cast import Cast
from webapp.teams import endpoints
from webapp.teams.endpoints import Draft
from webapp.teams.members import put_member
from webapp.teams.models import Endpoint, Membership, User

KEY = "sk-SECRET-0123456789"
OTHER_KEY = "sk-SECRET-another"
HTMX = {"HX-Request": "true"}


class Watching(Client):
    """A browser that fails the test when a response holds a key, in its text or its headers."""

    def request(self, **request: Any) -> Any:
        """Ask, and look at all of the answer."""
        response = super().request(**request)
        shown = response.content.decode() + str(response.headers) + str(response.cookies)
        for secret in ("SECRET", "the-installations-own-key"):
            assert secret not in shown, f"{request['PATH_INFO']} shows a key"
        return response


def browser(person: User | None) -> Watching:
    """Return a browser in which this person is signed in, or nobody."""
    client = Watching()
    if person is not None:
        client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


def admin(cast: Cast) -> User:
    """Return an admin of the team who is not its owner."""
    person = User.objects.create_user("ada@example.org", None, "Ada Admin")
    put_member(cast.team, person, Membership.Role.ADMIN)
    return person


def at(cast: Cast, *parts: str) -> str:
    """Return the address of the Models page, or of something below it."""
    return "/".join(["/team", cast.team.pk, "models", *parts]) + "/"


def add(cast: Cast, label: str = "One", key: str = "", **more: Any) -> Endpoint:
    """Return a model of the team, saved without the page."""
    fields = {
        "tier": "preview",
        "base_url": "https://models.example/v1",
        "model": "m",
        "edit_format": "blocks",
        "context_window": 32_768,
        "max_output": 8192,
    }
    row = endpoints.add(cast.owner, cast.team.pk, Draft(label, **(fields | more)), key)
    assert isinstance(row, Endpoint)
    return row


def filled(**more: Any) -> dict[str, Any]:
    """Return a form about a model, filled in."""
    fields = {
        "preset": "other",
        "label": "One",
        "tier": "preview",
        "base_url": "https://models.example/v1",
        "model": "m",
        "edit_format": "blocks",
        "context_window": "32768",
        "max_output": "8192",
    }
    return {name: value for name, value in (fields | more).items() if value is not None}


def refused(cast: Cast, method: str, address: str, data: dict[str, Any] | None = None) -> None:
    """Check that the page is nobody's but the team's owners' and admins'."""
    for person in (cast.member, cast.stranger):
        for headers in ({}, HTMX):
            answer: HttpResponse = getattr(browser(person), method)(address, data, headers=headers)
            assert answer.status_code == 404, (person, address)
    nobody = getattr(browser(None), method)(address, data)
    assert nobody.status_code == 302
    assert nobody["Location"].startswith("/accounts/login/")
    elsewhere = address.replace(cast.team.pk, cast.stranger.memberships.get().team_id)
    assert getattr(browser(cast.owner), method)(elsewhere, data).status_code == 404


def version(cast: Cast) -> int:
    """Return how often open rooms were told to look again."""
    cast.session.refresh_from_db()
    return cast.session.access_version
