"""Links that show what happened in a session, from one moment to another, and nothing else.

Only a hash of a link's secret is kept; the secret is told once, to whoever makes the link.
"""

from __future__ import annotations

from datetime import timedelta

from webapp.lib import clock, ids
from webapp.pairing.models import ReplayLink, Session
from webapp.teams.models import User


def create(
    session: Session, user: User, label: str, first: int, last: int, days: int | None
) -> tuple[ReplayLink, str]:
    """Return a new link and its secret; it works for so many days, or until it is revoked."""
    secret = ids.new_secret()
    now = clock.now()
    link = ReplayLink.objects.create(
        session=session,
        secret_hash=ids.digest(secret),
        label=label,
        from_seq=first,
        to_seq=last,
        created_by=user,
        created_at=now,
        expires_at=now + timedelta(days=days) if days is not None else None,
    )
    return link, secret


def revoke(link: ReplayLink) -> None:
    """Let the link work no more, also for whoever has it open."""
    ReplayLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=clock.now())
