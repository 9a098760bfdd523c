"""The models that a team added: who may see them, and every change of them.

Only owners and admins of the team see and change rows; for others they are not there. What a
session may ask is `rows_of`, which takes a team and is for the room alone. The invariants:

- a tier has at most one default row (a constraint; here the team's row is locked, so that two
  people who choose at the same time both succeed, and the later one counts);
- a key is bound to the origin it was typed for: `change` keeps it only for the same origin;
- what a test found goes when address, model or key change, since it says nothing of those.

A deleted row waits in the cache for UNDO_S, with its key still sealed, and then is gone for good.
Turned down: a column that marks it deleted, which would keep the key for ever.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from typing import Final
from urllib.parse import urlsplit

from django.core.cache import cache
from django.db import transaction

from webapp.lib import clock
from webapp.lib.ids import is_id
from webapp.lib.sentences import from_json, to_json
from webapp.notices.words import translated
from webapp.teams import secrets
from webapp.teams.access import NotFound, Person, managed_team_for
from webapp.teams.models import Endpoint, Team, User

MOST: Final = 50
"""How many models a team may have: every page of a session is told of all of them."""
UNDO_S: Final = 600
_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Draft:
    """What a person says of a model, but for its key."""

    label: str
    tier: str
    base_url: str
    model: str
    edit_format: str
    context_window: int
    max_output: int
    is_small: bool = False
    is_default: bool = False
    preset: str = ""


@dataclass(frozen=True, slots=True)
class Full:
    """The team has as many models as it may; nothing was added."""


def origin_of(base_url: str) -> str:
    """Return scheme, host and port of an address, always with the port; "" for none."""
    try:
        parts = urlsplit(base_url.strip())
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        return ""
    host = (parts.hostname or "").rstrip(".")
    return f"{parts.scheme}://{host}:{port}" if host else ""


def rows_of(team_id: str) -> list[Endpoint]:
    """Return what a team's sessions may ask besides the installation's own, oldest first."""
    return list(Endpoint.objects.filter(team_id=team_id).order_by("created_at", "id"))


def key_of(row: Endpoint) -> str | None:
    """Return the row's key, "" when it has none, None when it is lost and must be typed again."""
    return secrets.unseal(row.key, origin_of(row.base_url)) if row.key else ""


def endpoints_for(person: Person, team_id: str) -> list[Endpoint]:
    """Return the team's models, oldest first, for who manages it; raises NotFound."""
    return rows_of(managed_team_for(person, team_id).pk)


def endpoint_for(person: Person, team_id: str, endpoint_id: str) -> Endpoint:
    """Return one of the team's models, for who manages it; raises NotFound."""
    return _row(managed_team_for(person, team_id), endpoint_id)


def is_label_taken(team: Team, label: str, but: str = "") -> bool:
    """Say whether another of the team's models (than `but`) has this name, whatever its case."""
    others = Endpoint.objects.filter(team=team).exclude(pk=but).values_list("label", flat=True)
    return any(other.casefold() == label.casefold() for other in others)


def add(person: User, team_id: str, draft: Draft, key: str) -> Endpoint | Full:
    """Return a new model. Raises NotFound, and secrets.CannotSeal."""
    with _locked(person, team_id) as team:
        if Endpoint.objects.filter(team=team).count() >= MOST:
            return Full()
        row = Endpoint(team=team, created_by=person, **asdict(draft))
        row.key = secrets.seal(key, origin_of(row.base_url)) if key else ""
        _give_way(row)
        row.save(force_insert=True)
        return row


def change(
    person: Person, team_id: str, endpoint_id: str, draft: Draft, key: str | None
) -> Endpoint:
    """Change a model; without a `key` (None) the one it has stays, with "" it has none.

    A key that was typed for another origin is not kept. Raises NotFound, and secrets.CannotSeal.
    """
    with _locked(person, team_id) as team:
        row = _row(team, endpoint_id)
        before = (row.base_url, row.model, row.key)
        moved = origin_of(row.base_url) != origin_of(draft.base_url)
        for field in fields(draft):
            if field.name != "preset":
                setattr(row, field.name, getattr(draft, field.name))
        if key is not None:
            row.key = secrets.seal(key, origin_of(row.base_url)) if key else ""
        elif moved:
            row.key = ""
        if (row.base_url, row.model, row.key) != before:
            row.tested_at, row.problem = None, ""
        row.changed_at = clock.now()
        _give_way(row)
        row.save()
        return row


def make_default(person: Person, team_id: str, endpoint_id: str) -> Endpoint:
    """Let this model answer when a prompt of its tier names no other; raises NotFound."""
    with _locked(person, team_id) as team:
        row = _row(team, endpoint_id)
        row.is_default = True
        _give_way(row)
        row.save(update_fields=["is_default"])
        return row


def give_back(person: Person, team_id: str, tier: str) -> None:
    """Let the installation's own model be the tier's default again; raises NotFound."""
    with _locked(person, team_id) as team:
        Endpoint.objects.filter(team=team, tier=tier).update(is_default=False)


def remove(person: Person, team_id: str, endpoint_id: str) -> Endpoint:
    """Delete a model; `restore` has it back for UNDO_S. Raises NotFound."""
    with _locked(person, team_id) as team:
        row = _row(team, endpoint_id)
        kept = {field.attname: getattr(row, field.attname) for field in Endpoint._meta.fields}
        Endpoint.objects.filter(pk=row.pk).delete()
    cache.set(_bin(team, endpoint_id), kept, UNDO_S)
    return row


def removed_for(person: Person, team_id: str, endpoint_id: str) -> Endpoint | None:
    """Return a deleted model that can be had back, or None. Raises NotFound for the team."""
    team = managed_team_for(person, team_id)
    kept = cache.get(_bin(team, endpoint_id)) if is_id(endpoint_id) else None
    if kept is None or Endpoint.objects.filter(pk=endpoint_id).exists():
        return None
    return Endpoint(**kept)


def restore(person: Person, team_id: str, endpoint_id: str) -> Endpoint | None:
    """Undo a deletion; None when that is not possible (any more). Raises NotFound for the team.

    It is the default of its tier again unless another became that, and has a number behind its name
    when that was given away.
    """
    with _locked(person, team_id) as team:
        row = removed_for(person, team_id, endpoint_id)
        if row is None:
            return None
        defaults = Endpoint.objects.filter(team=team, tier=row.tier, is_default=True)
        row.is_default = row.is_default and not defaults.exists()
        row.label = _free_label(team, row.label)
        row.created_by = User.objects.filter(pk=row.created_by_id or 0).first()
        row.save(force_insert=True)
    cache.delete(_bin(team, endpoint_id))
    return row


def note_test(row: Endpoint, problem: str) -> None:
    """Keep what a test of this row found; nothing when the row was changed meanwhile."""
    now = clock.now()
    text = json.dumps(to_json(problem)) if problem else ""
    same = Endpoint.objects.filter(pk=row.pk, changed_at=row.changed_at, key=row.key)
    same.update(tested_at=now, problem=text)


def set_window(person: Person, team_id: str, endpoint_id: str, tokens: int) -> Endpoint:
    """Give a model another context window, and no longer answers than fit; raises NotFound."""
    with _locked(person, team_id) as team:
        row = _row(team, endpoint_id)
        row.context_window = tokens
        row.max_output = min(row.max_output, max(1, tokens // 2))
        row.save(update_fields=["context_window", "max_output"])
        return row


def problem_of(row: Endpoint) -> str:
    """Return what the last test found wrong, in the reader's language; "" when all was well."""
    if not row.problem:
        return ""
    try:
        return translated(from_json(json.loads(row.problem)))
    except ValueError:
        return row.problem


def _row(team: Team, endpoint_id: str) -> Endpoint:
    row = team.endpoints.filter(pk=endpoint_id).first() if is_id(endpoint_id) else None
    if row is None:
        raise NotFound
    return row


@contextmanager
def _locked(person: Person, team_id: str) -> Iterator[Team]:
    """Hold the team's row, for who manages it; raises NotFound."""
    with transaction.atomic():
        team = managed_team_for(person, team_id)
        yield Team.objects.select_for_update().get(pk=team.pk)


def _give_way(row: Endpoint) -> None:
    """Take the tier's default from the others when `row` is to be it."""
    if row.is_default:
        others = Endpoint.objects.filter(team_id=row.team_id, tier=row.tier, is_default=True)
        others.exclude(pk=row.pk).update(is_default=False)


def _free_label(team: Team, label: str) -> str:
    free, number = label, 1
    while is_label_taken(team, free):
        number += 1
        free = f"{label[:76]} {number}"
    return free


def _bin(team: Team, endpoint_id: str) -> str:
    return f"deleted-endpoint:{team.pk}:{endpoint_id}"
