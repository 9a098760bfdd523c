"""What an installation needs before anybody can come in: a team, its owner, and something to open.

Safe to run at every start and twice at once: whoever makes the owner's row makes the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.translation import gettext

from webapp.pairing import example
from webapp.pairing.create import create_session
from webapp.teams.members import create_team, owner_of
from webapp.teams.models import Team, User

OWNER_EMAIL = "owner@localhost"


@dataclass(frozen=True, slots=True)
class FirstRun:
    """The installation's first team and its first owner, whoever that is by now."""

    team: Team
    owner: User
    made: bool
    """Whether this call made them."""


def ensure() -> FirstRun:
    """Return the first team and its owner; make them and the example session if there is none."""
    team = _first_team()
    if team is not None:
        return FirstRun(team, owner_of(team), made=False)
    with transaction.atomic():
        owner, _ = User.objects.get_or_create(
            email=OWNER_EMAIL, defaults={"password": make_password(None)}
        )
        # Whoever else makes this row at the same time holds us up at the line above until the
        # transaction ends, so a second look shows all that the other made.
        team = _first_team()
        if team is not None:
            return FirstRun(team, owner_of(team), made=False)
        team = create_team(gettext("My team"), owner)
        create_session(team, owner, gettext("Example"), example.files())
    return FirstRun(team, owner, made=True)


def _first_team() -> Team | None:
    return Team.objects.order_by("created_at", "id").first()
