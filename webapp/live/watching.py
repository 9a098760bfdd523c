"""What the hub looks at all the time: leases, access, the state of the model.

Revoked means disconnected within a second, with whatever told us or not: hints may be lost, so
every open room's `access_version` is read every time round. Functions here block.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from webapp.live import answers, ownership
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus
from webapp.pairing import access
from webapp.pairing.access import Role
from webapp.pairing.models import Session
from webapp.teams.models import User


@dataclass(slots=True)
class Look:
    """What one look found: sessions without a version are deleted."""

    access_versions: dict[str, int] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)


def look(owner: str, epochs: dict[str, int], renew: bool) -> Look:
    """Look at all open sessions in one query, and renew their leases in one more when due."""
    if not epochs:
        return Look()
    lost = ownership.renew(owner, epochs) if renew else set()
    sessions = Session.objects.filter(pk__in=epochs)
    return Look(dict(sessions.values_list("pk", "access_version")), lost)


def roles_in(session_id: str, users: Collection[int]) -> dict[int, Role]:
    """Return the role that each of these people has now; who has none is not in it."""
    session = Session.objects.filter(pk=session_id).first()
    roles: dict[int, Role] = {}
    if session is not None:
        for user in User.objects.filter(pk__in=users):
            try:
                roles[user.pk] = access.role_in(user, session)
            except access.NotFound:
                continue
    return roles


class ModelWatch:
    """The preview model's status: what the appliance wrote, else what the settings say."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self.status = ModelStatus("missing")
        self.changed()

    def changed(self) -> bool:
        """Read the status when its file is another than last time; say whether it differs."""
        try:
            stat = self._path.stat()
            stamp = (stat.st_mtime_ns, stat.st_ino)
        except OSError:
            stamp = None
        if stamp is not None and stamp == self._stamp:
            return False
        self._stamp = stamp
        before = self.status
        self.status = (stamp and modelstatus.read(self._path)) or _by_settings()
        return self.status != before

    def frame(self) -> dict[str, Any]:
        """Return the status as the wire has it."""
        return answers.model(self.status)


def _by_settings() -> ModelStatus:
    if settings.PREVIEW_BASE_URL:
        return ModelStatus("ready", settings.PREVIEW_MODEL)
    return ModelStatus("missing")
