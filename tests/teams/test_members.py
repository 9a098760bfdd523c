"""Memberships; a team is never without an owner."""

from __future__ import annotations

from tests.cast import Cast
from webapp.teams.members import LastOwner, owner_of, put_member
from webapp.teams.models import Membership

Role = Membership.Role


def test_the_last_owner_cannot_be_made_less(cast: Cast) -> None:
    for role in (Role.ADMIN, Role.MEMBER):
        assert put_member(cast.team, cast.owner, role) == LastOwner(cast.team)
    assert owner_of(cast.team) == cast.owner


def test_with_a_second_owner_the_first_can(cast: Cast) -> None:
    put_member(cast.team, cast.member, Role.OWNER)
    changed = put_member(cast.team, cast.owner, Role.MEMBER)
    assert isinstance(changed, Membership)
    assert owner_of(cast.team) == cast.member


def test_putting_somebody_again_changes_the_role_and_makes_no_second_row(cast: Cast) -> None:
    put_member(cast.team, cast.member, Role.ADMIN)
    put_member(cast.team, cast.member, Role.ADMIN)
    assert Membership.objects.get(team=cast.team, user=cast.member).role == Role.ADMIN
