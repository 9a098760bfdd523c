"""Whose a session is: a lease row a session, and its epoch as fencing token.

One process at a time holds a session open. It renews its leases every second; one that was not
renewed for LEASE_S, or whose owner is no more, is anybody's. Each taking raises the epoch, and the
journal writes an entry only under the epoch that was taken, so that an owner that was paused and
overtaken cannot write. Functions here block; call them in a thread.

Wall clocks jump, and those of two machines differ: a lease that was not renewed while somebody
watched it for LEASE_S has run out, whatever its time says.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction

from webapp.lib import clock
from webapp.pairing.models import Lease

LEASE_S: Final = 5.0
RENEW_S: Final = 1.0
NOBODY: Final = ""


class OwnedElsewhere(Exception):
    """Another process holds the session, and if it stays silent, until `frees_at`."""

    def __init__(self, owner: str, frees_at: datetime, renewed_at: datetime | None = None) -> None:
        super().__init__(f"held by {owner} until {frees_at:%H:%M:%S}")
        self.owner = owner
        self.frees_at = frees_at
        self.renewed_at = renewed_at


def acquire(session: str, owner: str, watched: datetime | None = None) -> int:
    """Take the session for `owner` and return the new epoch; raises OwnedElsewhere.

    `watched` is the `renewed_at` that the caller saw at least LEASE_S ago.
    """
    now = clock.now()
    with transaction.atomic():
        lease = Lease.objects.select_for_update().filter(session_id=session).first()
        if lease is None:
            return _first(session, owner, now)
        frees_at = lease.renewed_at + timedelta(seconds=LEASE_S)
        is_over = frees_at <= now or lease.renewed_at == watched
        if lease.owner not in (NOBODY, owner) and not is_over:
            raise OwnedElsewhere(lease.owner, frees_at, lease.renewed_at)
        lease.owner = owner
        lease.epoch += 1
        lease.renewed_at = now
        lease.save()
        return lease.epoch


def _first(session: str, owner: str, now: datetime) -> int:
    try:
        with transaction.atomic():
            lease = Lease.objects.create(session_id=session, owner=owner, renewed_at=now)
    except IntegrityError:
        # Somebody took it between our look and our step.
        raise OwnedElsewhere("", now + timedelta(seconds=LEASE_S)) from None
    return lease.epoch


def renew(owner: str, epochs: dict[str, int]) -> set[str]:
    """Renew all these sessions' leases in one statement; return those that are no longer ours."""
    ours = Lease.objects.filter(owner=owner, session_id__in=epochs)
    if ours.update(renewed_at=clock.now()) == len(epochs):
        return set()
    return epochs.keys() - set(ours.values_list("session_id", flat=True))


def release(owner: str, epochs: dict[str, int]) -> None:
    """Give sessions back, so that the next process need not wait; keeps the epoch."""
    for session, epoch in epochs.items():
        Lease.objects.filter(session_id=session, owner=owner, epoch=epoch).update(owner=NOBODY)


def expire_leases(owner: str) -> int:
    """Free everything a dead process held; return how many sessions. For its supervisor."""
    return Lease.objects.filter(owner=owner).update(owner=NOBODY)


def expire_leases_of_all(prefix: str) -> int:
    """Free everything held by processes whose names begin so; return how many sessions."""
    return Lease.objects.filter(owner__startswith=prefix).update(owner=NOBODY)
