"""No request may be larger than the largest upload, whatever it is for.

Django keeps a whole request, on disk, before any view can say that it is too large.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]

_SENTENCE = b"That is more than this server takes at once. Nothing of it was kept; send less.\n"


class BoundedBody:
    """Answers 413 itself to a request of more than `most_bytes`, announced or counted."""

    def __init__(self, app: App, most_bytes: int) -> None:
        self.app = app
        self.most_bytes = most_bytes

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Pass the request on, or answer."""
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if not announced.isdigit() or int(announced) > self.most_bytes:
            await _refuse(send)
            return
        seen = 0
        refused = False

        async def counted() -> Message:
            nonlocal seen, refused
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.most_bytes and not refused:
                refused = True
                await _refuse(send)
            return {"type": "http.disconnect"} if refused else message

        async def unless_refused(message: Message) -> None:
            if not refused:
                await send(message)

        await self.app(scope, counted, unless_refused)


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": _SENTENCE})
