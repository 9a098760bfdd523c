"""Links that let one person in, once.

The secret stands in the address behind `#`, so that no server, proxy or log sees it; only its
digest is stored. Using it is one compare-and-set, so of two who try at the same time one gets in.
"""

from __future__ import annotations

from datetime import timedelta

from django.urls import reverse

from webapp.lib import clock, ids
from webapp.teams.models import SignInLink, User


def issue_link(user: User, minutes: int = 10) -> str:
    """Return the secret of a new link for `user`, good once and for `minutes`."""
    secret = ids.new_secret()
    now = clock.now()
    SignInLink.objects.filter(expires_at__lt=now - timedelta(days=1)).delete()
    SignInLink.objects.create(
        digest=ids.digest(secret), user=user, expires_at=now + timedelta(minutes=minutes)
    )
    return secret


def use_link(secret: str) -> User | None:
    """Return whom the link lets in and use it up, or None: used, expired and unknown look alike."""
    now = clock.now()
    row = SignInLink.objects.filter(digest=ids.digest(secret))
    link = row.select_related("user").first()
    if link is None or not link.user.is_active:
        return None
    # Conditions on the link's own row alone: with a join they would stand in a subquery, which
    # PostgreSQL does not look at again after it has waited for somebody else's update.
    if row.filter(used_at=None, expires_at__gt=now).update(used_at=now) != 1:
        return None
    return link.user


def link_address(origin: str, secret: str) -> str:
    """Return the whole address to open, such as `http://127.0.0.1:8000/accounts/link/#…`."""
    return f"{origin.rstrip('/')}{reverse('sign_in_link')}#{secret}"
