"""Which pages may open a socket: those of this installation, by full origin.

A browser sends a socket's cookies from any page, and no other check would tell a stranger's page
from ours. Channels' own validator compares host names only, so that another port or plain http
would pass.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.conf import settings

from webapp.live import codes

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class SameOrigin:
    """Lets sockets from `settings.PUBLIC_ORIGINS` through to `app`."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the socket on, or accept and close it, since only then the page sees the code."""
        if is_ours(scope["headers"]):
            await self.app(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": codes.FOREIGN})


def is_ours(headers: list[tuple[bytes, bytes]]) -> bool:
    """Say whether there is exactly one Origin and it is one of ours."""
    given = [value for name, value in headers if name.lower() == b"origin"]
    if len(given) != 1:
        return False
    ours = {origin.rstrip("/").lower() for origin in settings.PUBLIC_ORIGINS}
    return given[0].decode("latin-1").lower() in ours


async def nowhere(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a socket at an address that there is not, as one to a session that there is not."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": codes.NOT_FOUND})
