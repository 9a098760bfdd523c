"""Which sessions a person sees, and as what."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.cast import Cast
from webapp.pairing import access, shelf
from webapp.pairing.access import Role
from webapp.teams.members import put_member
from webapp.teams.models import Membership, User


def test_roles_follow_the_membership(cast: Cast) -> None:
    slug = cast.session.slug
    assert access.session_for(cast.owner, slug) == (cast.session, Role.OWNER)
    assert access.session_for(cast.member, slug) == (cast.session, Role.PROMPT)
    put_member(cast.team, cast.member, Membership.Role.ADMIN)
    assert access.session_for(cast.member, slug) == (cast.session, Role.OWNER)
    assert access.roles_by_team(cast.member) == {cast.team.pk: Role.OWNER}


def test_strangers_and_the_anonymous_find_nothing(cast: Cast) -> None:
    for person in (cast.stranger, AnonymousUser()):
        with pytest.raises(access.NotFound):
            access.session_for(person, cast.session.slug)
        with pytest.raises(access.NotFound):
            access.role_in(person, cast.session)
        with pytest.raises(access.NotFound):
            access.deleted_session_for(person, cast.session.slug)
    assert access.roles_by_team(AnonymousUser()) == {}


def test_the_deactivated_find_nothing(cast: Cast) -> None:
    User.objects.filter(pk=cast.member.pk).update(is_active=False)
    with pytest.raises(access.NotFound):
        access.role_in(cast.member, cast.session)
    cast.member.refresh_from_db()
    assert not access.sessions_for(cast.member)


def test_a_deleted_session_is_found_only_by_who_asks_for_deleted_ones(cast: Cast) -> None:
    with pytest.raises(access.NotFound):
        access.deleted_session_for(cast.owner, cast.session.slug)
    shelf.delete(cast.session)
    with pytest.raises(access.NotFound):
        access.session_for(cast.owner, cast.session.slug)
    with pytest.raises(access.NotFound):
        access.role_in(cast.owner, cast.session)
    assert access.deleted_session_for(cast.owner, cast.session.slug)[1] == Role.OWNER


@pytest.mark.parametrize("slug", ["", "\0", "a\0b", "x" * 5_000, "\U0001f600"])
def test_no_address_is_too_odd_to_be_nothing(cast: Cast, slug: str) -> None:
    for find in (access.session_for, access.deleted_session_for):
        with pytest.raises(access.NotFound):
            find(cast.owner, slug)
