"""What the hub looks at all the time: leases, access, the state of the model.

Revoked means disconnected within a second, with whatever told us or not: hints may be lost, so
every open room's `access_version` is read every time round. Functions here block.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings

from webapp.live import ownership
from webapp.notices import modelstatus, modelwish
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
    """The status of each tier's model: what the appliance wrote, else what the settings say."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = dict(paths)
        self._stamps: dict[str, tuple[int, int] | None] = {}
        self._statuses: dict[str, ModelStatus] = {}
        self.changed()

    def status(self, tier: str) -> ModelStatus:
        """Return how far the tier's own model is."""
        return self._statuses.get(tier) or ModelStatus("missing", tier=tier)

    def changed(self) -> list[ModelStatus]:
        """Read each status whose file is another than last time; return those that differ."""
        differing = []
        for tier, path in self._paths.items():
            try:
                stat = path.stat()
                stamp = (stat.st_mtime_ns, stat.st_ino)
            except OSError:
                stamp = None
            if stamp is not None and stamp == self._stamps.get(tier):
                continue
            self._stamps[tier] = stamp
            status = (stamp and _as_written(tier, path)) or _by_settings(tier)
            if status != self._statuses.get(tier):
                self._statuses[tier] = status
                differing.append(status)
        return differing

    def all(self) -> list[ModelStatus]:
        """Return the status of every tier."""
        return [self.status(tier) for tier in self._paths]


def _as_written(tier: str, path: Path) -> ModelStatus | None:
    """Return what the appliance wrote; a file that an earlier run left offers nothing.

    The appliance gives its processes the address of each model that it can bring.
    """
    if tier in modelwish.ON_DEMAND and not settings.MODELS[tier]["base_url"]:
        return None
    return modelstatus.read(path)


def _by_settings(tier: str) -> ModelStatus:
    named = settings.MODELS[tier]
    if named["base_url"]:
        return ModelStatus("ready", named["model"], tier=tier)
    return ModelStatus("missing", tier=tier)
