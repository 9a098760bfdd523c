"""No request is larger than the largest upload, whether it says so or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from webapp.config.bodies import BoundedBody

Message = Mapping[str, Any]


async def _ask(chunks: list[bytes], **headers: str) -> tuple[list[Message], bytes]:
    """Send a request; return what was answered and what the application got."""
    got = b""
    waiting = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    waiting[-1]["more_body"] = False
    sent: list[Message] = []

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        nonlocal got
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            got += message["body"]
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    listed = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    await BoundedBody(application, 10)({"type": "http", "headers": listed}, receive, send)
    return sent, got


@pytest.mark.parametrize("chunks", [[b""], [b"0123456789"], [b"01234", b"56789"]])
async def test_what_is_small_enough_passes(chunks: list[bytes]) -> None:
    body = b"".join(chunks)
    sent, got = await _ask(chunks, content_length=str(len(body)))
    assert [message.get("status") for message in sent] == [200, None]
    assert got == body


@pytest.mark.parametrize("length", ["11", "99999999999999999999", "-1", "ten"])
async def test_what_says_that_it_is_too_long_is_not_read(length: str) -> None:
    sent, got = await _ask([b"0123"], content_length=length)
    assert [message.get("status") for message in sent] == [413, None]
    assert sent[1]["body"].endswith(b"send less.\n")
    assert got == b""


async def test_what_turns_out_too_long_is_answered_once() -> None:
    sent, got = await _ask([b"01234", b"56789", b"x", b"y"], transfer_encoding="chunked")
    assert [message.get("status") for message in sent] == [413, None]
    assert got == b"0123456789"
