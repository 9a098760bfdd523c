"""The cast of every test with people in it, as fixtures: import them into a folder's conftest."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from django.test import Client
from pytest_django import Settings

from webapp.lib import ids
from webapp.pairing.create import create_session
from webapp.pairing.models import Session
from webapp.teams.members import create_team, put_member
from webapp.teams.models import Membership, Team, User

PASSWORD = "a long pass phrase"
FILES = {"app.py": "print('hello')\n", "tests/test_app.py": "import app\n"}


@dataclass(frozen=True)
class Cast:
    """An owner and a member of one team, a stranger who owns another, and a session."""

    team: Team
    owner: User
    member: User
    stranger: User
    session: Session


@pytest.fixture
def cast(db: None) -> Cast:
    """People with passwords, and a session that the owner made."""
    owner = User.objects.create_user("olga@example.org", PASSWORD, "Olga Owner")
    member = User.objects.create_user("max@example.org", PASSWORD, "Max Member")
    stranger = User.objects.create_user("sam@example.org", PASSWORD, "Sam Stranger")
    team = create_team("Acme", owner)
    put_member(team, member, Membership.Role.MEMBER)
    create_team("Elsewhere", stranger)
    return Cast(team, owner, member, stranger, create_session(team, owner, "Notes", FILES))


@pytest.fixture(autouse=True)
def own_cache(settings: Settings) -> None:
    """Keep rate limits in this process: no test of pages needs Redis."""
    memory = "django.core.cache.backends.locmem.LocMemCache"
    settings.CACHES = {"default": {"BACKEND": memory, "LOCATION": ids.new_id()}}


def without_token(page: str) -> str:
    """Return the page without its CSRF token, which differs each time."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


def signed_in(user: User | None) -> Client:
    """Return a browser in which `user` is signed in, or nobody."""
    client = Client()
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client
