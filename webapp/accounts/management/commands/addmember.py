"""`manage.py addmember EMAIL`: add a colleague and print the link that lets them in."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from webapp.notices import whereabouts
from webapp.pairing import firstrun
from webapp.pairing.access import access_changed
from webapp.teams.members import LastOwner, put_member
from webapp.teams.models import Membership, Team, User
from webapp.teams.signin import issue_link, link_address

_LONGEST_MINUTES = 7 * 24 * 60


class Command(BaseCommand):
    """Run twice, it changes nothing but gives another link."""

    help = "Adds a person to the team and prints a link that signs them in once."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address, and what differs from the first team, a member, ten minutes."""
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument("--team", default="", help=_("the team's name or id; else the first"))
        parser.add_argument("--role", choices=Membership.Role.values, default=None)
        parser.add_argument("--minutes", type=int, default=10, help=_("how long the link is good"))

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one link, or say why there is none."""
        email = str(options["email"]).strip().lower()
        minutes = int(options["minutes"])
        try:
            validate_email(email)
        except ValidationError as error:
            if email != firstrun.OWNER_EMAIL:
                raise CommandError(f"{email!r} is not an email address.") from error
        if not 1 <= minutes <= _LONGEST_MINUTES:
            raise CommandError(f"--minutes takes 1 to {_LONGEST_MINUTES} (a week), not {minutes}.")
        team = _team(str(options["team"]))
        user = User.objects.filter(email__iexact=email).first() or User.objects.create_user(email)
        if not user.is_active:
            raise CommandError(f"{email} has been deactivated here; nothing was changed.")
        self._join(team, user, options["role"])
        link = link_address(_origin(), issue_link(user, minutes))
        self.stdout.write(f"{user.email} can sign in once within {minutes} minutes at\n{link}")

    def _join(self, team: Team, user: User, role: str | None) -> None:
        before = team.memberships.filter(user=user).first()
        wanted = Membership.Role(role or (before.role if before else Membership.Role.MEMBER))
        if before is not None and before.role == wanted:
            return
        if isinstance(put_member(team, user, wanted), LastOwner):
            raise CommandError(
                f"{user.email} is the only owner of {team.name}. Make somebody else owner first; "
                "nothing was changed."
            )
        access_changed(team)


def _origin() -> str:
    """Return what is set, else where the Flint on this folder runs, else where it would."""
    running = whereabouts.running_at(settings.FLINT_HOME)
    if running and not os.environ.get("PUBLIC_ORIGINS", "").strip():
        return running
    return settings.PUBLIC_ORIGINS[0]


def _team(wanted: str) -> Team:
    if not wanted:
        return firstrun.ensure().team
    found = list(Team.objects.filter(pk=wanted) or Team.objects.filter(name__iexact=wanted)[:2])
    if len(found) == 1:
        return found[0]
    if found:
        raise CommandError(f"Several teams are named {wanted!r}. Give the team's id instead.")
    raise CommandError(f"There is no team {wanted!r}; nothing was changed.")
