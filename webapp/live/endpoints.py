"""Which model a tier asks, as the settings say, and the one provider of this process."""

from __future__ import annotations

import asyncio
from typing import Final

from django.conf import settings
from django.utils.translation import gettext

from webapp.engine.ports import Endpoint
from webapp.engine.providers.chat import ChatProvider

PREVIEW: Final = "preview"

_provider: tuple[asyncio.AbstractEventLoop, ChatProvider] | None = None


def endpoint_for(tier: str) -> Endpoint | None:
    """Return the tier's endpoint, or None when the settings name none."""
    if tier != PREVIEW or not settings.PREVIEW_BASE_URL:
        return None
    return Endpoint(
        base_url=settings.PREVIEW_BASE_URL,
        api_key=settings.PREVIEW_API_KEY,
        model=settings.PREVIEW_MODEL,
        label=settings.PREVIEW_MODEL or gettext("The model server"),
        context_window=settings.PREVIEW_CONTEXT_WINDOW,
        max_output=settings.PREVIEW_MAX_OUTPUT,
        small=settings.PREVIEW_SMALL,
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
