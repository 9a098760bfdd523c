"""The only way from a person to a team's rows. What they may not see does not exist."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from webapp.teams.models import Membership, Team, User

Person = User | AnonymousUser
MANAGERS = (Membership.Role.OWNER, Membership.Role.ADMIN)


class NotFound(Exception):
    """There is no such team for this person; says nothing of whether it exists."""


def teams_for(person: Person) -> QuerySet[Team]:
    """Return the teams that `person` belongs to, oldest first."""
    if not isinstance(person, User) or not person.is_active:
        return Team.objects.none()
    return Team.objects.filter(memberships__user=person).order_by("created_at", "id")


def team_for(person: Person, team_id: str) -> tuple[Team, Membership.Role]:
    """Return the team with this id and the person's role in it; raises NotFound."""
    if not isinstance(person, User) or not person.is_active or "\0" in team_id:
        raise NotFound  # PostgreSQL takes no NUL, not even to look for one
    row = Membership.objects.filter(team_id=team_id, user=person).select_related("team").first()
    if row is None:
        raise NotFound
    return row.team, Membership.Role(row.role)


def managed_teams_for(person: Person) -> QuerySet[Team]:
    """Return the teams that `person` manages, oldest first."""
    if not isinstance(person, User) or not person.is_active:
        return Team.objects.none()
    mine = Membership.objects.filter(user=person, role__in=MANAGERS)
    return Team.objects.filter(pk__in=mine.values("team_id")).order_by("created_at", "id")


def managed_team_for(person: Person, team_id: str) -> Team:
    """Return the team, for its owners and admins; raises NotFound, for its members too."""
    team, role = team_for(person, team_id)
    if role not in MANAGERS:
        raise NotFound
    return team
