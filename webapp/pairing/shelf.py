"""What happens to a session as a whole: renamed, configured, deleted, restored.

A deleted session keeps its rows, so that deleting can be undone and takes no long transaction; for
everybody it does not exist (access.py). Open rooms see `access_version` go up and let go.
"""

from __future__ import annotations

from django.db.models import F

from webapp.lib import clock
from webapp.pairing.models import Session


def rename(session: Session, title: str) -> None:
    """Give the session another title; it does not count as a change of the project."""
    Session.objects.filter(pk=session.pk).update(title=title)


def configure(session: Session, protected: str, guard_lines: int, guard_percent: int) -> bool:
    """Say what a turn may do in it unasked; False when it is said already.

    `protected` holds globs, one a line (engine/globs.py).
    """
    said = {
        "protected": protected,
        "guard_lines": guard_lines,
        "guard_percent": guard_percent,
    }
    others = Session.objects.filter(pk=session.pk).exclude(**said)
    return others.update(**said, access_version=F("access_version") + 1) == 1


def delete(session: Session) -> bool:
    """Take the session away from everybody; False when it was gone already."""
    return _move(session, was_deleted=False)


def restore(session: Session) -> bool:
    """Give a deleted session back; False when it was not deleted (any more)."""
    return _move(session, was_deleted=True)


def _move(session: Session, *, was_deleted: bool) -> bool:
    row = Session.objects.filter(pk=session.pk, deleted_at__isnull=not was_deleted)
    changed = row.update(
        deleted_at=None if was_deleted else clock.now(), access_version=F("access_version") + 1
    )
    return changed == 1
