"""Who belongs to a team, and as what.

The invariant: a team is never without an owner. No constraint can hold it, so every change of a
membership goes through here, with the team's row locked.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from webapp.teams.models import Membership, Team, User


@dataclass(frozen=True, slots=True)
class LastOwner:
    """The change was refused: it would have left the team without an owner."""

    team: Team


def create_team(name: str, owner: User) -> Team:
    """Return a new team with its first owner."""
    with transaction.atomic():
        team = Team.objects.create(name=name)
        Membership.objects.create(team=team, user=owner, role=Membership.Role.OWNER)
    return team


def put_member(team: Team, user: User, role: Membership.Role) -> Membership | LastOwner:
    """Make `user` a member of `team` with this role, whatever they were before."""
    with transaction.atomic():
        Team.objects.select_for_update().get(pk=team.pk)
        row = Membership.objects.filter(team=team, user=user).first()
        if row is None:
            return Membership.objects.create(team=team, user=user, role=role)
        if role != Membership.Role.OWNER and _is_last_owner(row):
            return LastOwner(team)
        row.role = role
        row.save(update_fields=["role"])
        return row


def owner_of(team: Team) -> User:
    """Return the team's first owner; there always is one."""
    row = (
        Membership.objects.filter(team=team, role=Membership.Role.OWNER)
        .select_related("user")
        .order_by("joined_at", "id")
        .first()
    )
    if row is None:
        raise RuntimeError(f"team {team.pk} has no owner")
    return row.user


def _is_last_owner(row: Membership) -> bool:
    owners = Membership.objects.filter(team_id=row.team_id, role=Membership.Role.OWNER)
    return row.role == Membership.Role.OWNER and not owners.exclude(pk=row.pk).exists()
