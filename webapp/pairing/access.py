"""The only way from a person to a session's rows. What they may not see does not exist.

Roles, weakest first: view, comment, edit, prompt, owner. Members of the team have `prompt` in its
sessions; owners and admins of the team are owners of its sessions.
"""

from __future__ import annotations

from enum import IntEnum

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q, QuerySet

from webapp.lib import clock, ids
from webapp.pairing.models import ReplayLink, Session
from webapp.teams.models import Membership, Team, User

Person = User | AnonymousUser


class NotFound(Exception):
    """There is no such session for this person; says nothing of whether it exists."""


class Role(IntEnum):
    """What somebody may do in a session; each role may do what the weaker ones may."""

    VIEW = 1
    COMMENT = 2
    EDIT = 3
    PROMPT = 4
    OWNER = 5

    @property
    def label(self) -> str:
        """The role's name on the wire."""
        return self.name.lower()


_BY_MEMBERSHIP = {
    Membership.Role.OWNER: Role.OWNER,
    Membership.Role.ADMIN: Role.OWNER,
    Membership.Role.MEMBER: Role.PROMPT,
}


def sessions_for(person: Person) -> QuerySet[Session]:
    """Return the sessions that `person` may see, last changed first."""
    if not isinstance(person, User) or not person.is_active:
        return Session.objects.none()
    return (
        Session.objects.filter(team__memberships__user=person, deleted_at=None)
        .select_related("team")
        .order_by("-changed_at")
    )


def session_for(person: Person, slug: str) -> tuple[Session, Role]:
    """Return the session with this slug and the person's role in it; raises NotFound."""
    session = sessions_for(person).filter(slug=_storable(slug)).first()
    if session is None:
        raise NotFound
    return session, role_in(person, session)


def role_in(person: Person, session: Session) -> Role:
    """Return the person's role as the rows say it now; raises NotFound."""
    if not isinstance(person, User):
        raise NotFound
    role = _role_by_rows(person, session)
    if not Session.objects.filter(pk=session.pk, deleted_at=None).exists():
        raise NotFound
    return role


def deleted_session_for(person: Person, slug: str) -> tuple[Session, Role]:
    """Return a deleted session, for who may have it back; raises NotFound."""
    if not isinstance(person, User):
        raise NotFound
    deleted = Session.objects.filter(slug=_storable(slug)).exclude(deleted_at=None)
    # One that is being made, see create.py, is not there to be had back.
    session = deleted.exclude(access_version=0).first()
    if session is None:
        raise NotFound
    return session, _role_by_rows(person, session)


def roles_by_team(person: Person) -> dict[str, Role]:
    """Return the person's role in the sessions of each team, by the team's id."""
    if not isinstance(person, User) or not person.is_active:
        return {}
    rows = Membership.objects.filter(user=person).values_list("team_id", "role")
    return {team_id: _BY_MEMBERSHIP[Membership.Role(role)] for team_id, role in rows}


def _storable(slug: str) -> str:
    """Return what an address holds as a slug; PostgreSQL takes no NUL, not even to look for one."""
    if "\0" in slug:
        raise NotFound
    return slug


def may_delete(person: Person, session: Session, role: Role) -> bool:
    """Say whether the person may delete the session: its owners, and whoever made it."""
    return role >= Role.OWNER or session.created_by_id == person.pk


def replays_of(session: Session, role: Role) -> QuerySet[ReplayLink]:
    """Return the session's replay links that still work, for who may share it; raises NotFound."""
    if role < Role.PROMPT:
        raise NotFound
    return _working_replays().filter(session=session).order_by("-created_at")


def replay_for_secret(secret: str) -> ReplayLink:
    """Return the replay that a link's secret opens.

    Raises NotFound, the same for one that is unknown, expired or revoked, and when the session is
    not there any more.
    """
    found = _working_replays().filter(secret_hash=ids.digest(secret)).first()
    if found is None:
        raise NotFound
    return found


def replay_for_reader(replay: str) -> ReplayLink:
    """Return a replay that a reader's cookie names, if it still works; raises NotFound."""
    found = _working_replays().filter(pk=replay).first()
    if found is None:
        raise NotFound
    return found


def _working_replays() -> QuerySet[ReplayLink]:
    """Return the replay links that are not revoked, not expired, and whose session is there."""
    return ReplayLink.objects.filter(
        Q(expires_at=None) | Q(expires_at__gt=clock.now()),
        revoked_at=None,
        session__deleted_at=None,
    ).select_related("session", "created_by")


def may_configure(person: Person, session: Session, role: Role) -> bool:
    """Say whether the person may change its settings: its owners, and whoever made it."""
    return role >= Role.OWNER or session.created_by_id == person.pk


def _role_by_rows(person: User, session: Session) -> Role:
    row = Membership.objects.filter(
        team_id=session.team_id, user_id=person.pk, user__is_active=True
    ).first()
    if row is None:
        raise NotFound
    return _BY_MEMBERSHIP[Membership.Role(row.role)]


def access_changed(team: Team) -> None:
    """Make every open room of the team's sessions look at its people again."""
    made = Session.objects.filter(team=team).exclude(access_version=0)
    made.update(access_version=F("access_version") + 1)
