"""Which models a session may ask, and the one provider of this process.

A tier is asked through one of its *choices*. Those of the installation come from the settings, one
a tier; the appliance fills them in for its embedded models. Those of a team are rows, made on its
Models page. A tier's default is the row that says so, else the installation's, else its first.

A row whose key cannot be decrypted any more is no choice: its server would be asked without a key.
The Models page says so, and asks for the key again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from django.conf import settings
from django.utils.translation import gettext

from webapp.engine.ports import EditFormat, Endpoint, Reach
from webapp.engine.providers.chat import ChatProvider
from webapp.teams import endpoints as added
from webapp.teams.models import Endpoint as Row

log = logging.getLogger(__name__)

PREVIEW: Final = "preview"
STANDARD: Final = "standard"
TIERS: Final = (PREVIEW, STANDARD)

_provider: tuple[asyncio.AbstractEventLoop, ChatProvider] | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One model that may be asked. `id` is the tier's name for the installation's own."""

    id: str
    tier: str
    label: str
    endpoint: Endpoint
    is_default: bool = False

    @property
    def is_installed(self) -> bool:
        """Say whether it is the installation's own, and so as ready as the tier's status says."""
        return self.id == self.tier

    def frame(self) -> dict[str, Any]:
        """Return the choice as the wire has it; nothing of its key or address."""
        endpoint = self.endpoint
        return {
            "id": self.id,
            "tier": self.tier,
            "label": self.label,
            "model": endpoint.model,
            "format": endpoint.edit_format,
            "window": endpoint.context_window,
            "default": self.is_default,
            "installed": self.is_installed,
        }


def installed() -> tuple[Choice, ...]:
    """Return what the settings name, at most one a tier."""
    return tuple(
        Choice(tier, tier, endpoint.label, endpoint, is_default=True)
        for tier in TIERS
        if (endpoint := endpoint_for(tier)) is not None
    )


def choices_for(team: str) -> tuple[Choice, ...]:
    """Return all that a team's sessions may ask, each tier's default first. Blocks."""
    own = {choice.tier: choice for choice in installed()}
    rows: dict[str, list[Choice]] = {tier: [] for tier in TIERS}
    for row in added.rows_of(team):
        key = added.key_of(row)
        if key is None:
            log.warning("The key of the model %s cannot be decrypted; it is not asked.", row.pk)
        else:
            rows[row.tier].append(
                Choice(row.pk, row.tier, row.label, asked(row, key), row.is_default)
            )
    choices: list[Choice] = []
    for tier in TIERS:
        has_default = any(choice.is_default for choice in rows[tier])
        if tier in own:
            rows[tier].insert(0, replace(own[tier], is_default=not has_default))
        elif rows[tier] and not has_default:
            rows[tier][0] = replace(rows[tier][0], is_default=True)
        choices += sorted(rows[tier], key=lambda choice: not choice.is_default)
    return tuple(choices)


def asked(row: Row, key: str) -> Endpoint:
    """Return a team's model as the engine asks it: only within the operator's reach."""
    return Endpoint(
        base_url=row.base_url,
        api_key=key,
        model=row.model,
        label=row.label,
        context_window=row.context_window,
        max_output=row.max_output,
        small=row.is_small,
        edit_format=cast(EditFormat, row.edit_format),
        reach=reach(),
    )


def reach() -> Reach:
    """Return which addresses a team may name, as the operator's settings have it."""
    return Reach(tuple(settings.FLINT_ENDPOINT_HOSTS), settings.FLINT_LOOPBACK_ONLY)


def pick(choices: Iterable[Choice], tier: str, id: str = "") -> Choice | None:
    """Return the choice with this id, if it is of the tier; without an id the tier's default."""
    of_tier = [choice for choice in choices if choice.tier == tier]
    if id:
        return next((choice for choice in of_tier if choice.id == id), None)
    default = (choice for choice in of_tier if choice.is_default)
    return next(default, of_tier[0] if of_tier else None)


def endpoint_for(tier: str) -> Endpoint | None:
    """Return the endpoint that the settings name for a tier, or None."""
    named = settings.MODELS.get(tier)
    if named is None or not named["base_url"]:
        return None
    return Endpoint(
        base_url=named["base_url"],
        api_key=named["api_key"],
        model=named["model"],
        label=named["model"] or gettext("The model server"),
        context_window=named["context_window"],
        max_output=named["max_output"],
        small=named["small"],
        edit_format=named["edit_format"],
    )


def provider() -> ChatProvider:
    """Return the running loop's provider; all its rooms share one pool of connections."""
    global _provider
    loop = asyncio.get_running_loop()
    if _provider is None or _provider[0] is not loop:
        _provider = loop, ChatProvider()
    return _provider[1]


async def close_provider() -> None:
    """Close the pool; the next turn makes a new one."""
    global _provider
    if _provider is not None and _provider[0] is asyncio.get_running_loop():
        await _provider[1].close()
        _provider = None
