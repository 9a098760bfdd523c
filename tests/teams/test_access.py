"""Which teams a person sees."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.cast import Cast
from webapp.teams import access
from webapp.teams.models import Membership


def test_people_see_their_teams(cast: Cast) -> None:
    assert list(access.teams_for(cast.owner)) == list(access.teams_for(cast.member)) == [cast.team]
    assert cast.team not in access.teams_for(cast.stranger)
    assert not access.teams_for(AnonymousUser())


def test_the_role_comes_with_the_team(cast: Cast) -> None:
    assert access.team_for(cast.owner, cast.team.pk) == (cast.team, Membership.Role.OWNER)
    assert access.team_for(cast.member, cast.team.pk) == (cast.team, Membership.Role.MEMBER)


def test_a_strangers_team_and_an_unknown_one_are_not_found(cast: Cast) -> None:
    for person, team in (
        (cast.stranger, cast.team.pk),
        (cast.owner, "nonsense"),
        (AnonymousUser(), cast.team.pk),
    ):
        with pytest.raises(access.NotFound):
            access.team_for(person, team)


def test_the_deactivated_see_nothing(cast: Cast) -> None:
    cast.member.is_active = False
    assert not access.teams_for(cast.member)
    with pytest.raises(access.NotFound):
        access.team_for(cast.member, cast.team.pk)
