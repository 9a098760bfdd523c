"""Which models a session may ask, and the one provider of this process.

A tier is asked through one of its *choices*. Those of the installation come from the settings, one
a tier; the appliance fills them in for its embedded models. Those of a team are rows, made on its
Models page. A tier's default is the row that says so, else the installation's, else its first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext

from webapp.engine.ports import Endpoint
from webapp.engine.providers.chat import ChatProvider

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
    return installed()


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
