"""What is sent for a request: its address, its body, and which parts a server refuses. Pure."""

import json
import re
from typing import Final

import aiohttp
import yarl

from webapp.engine.ports import Endpoint, Request

_OPTIONAL: Final = ("stream_options", "max_tokens", "temperature", "stop")
_REFUSAL: Final = re.compile(
    r"unsupported|not support|unknown|unrecognized|not permitted|not allowed|extra|invalid param",
    re.IGNORECASE,
)


def completions_url(base_url: str) -> yarl.URL:
    """Return the address of chat completions under `base_url`, which may lack its /v1.

    Raises aiohttp.InvalidURL when it is no http or https address.
    """
    try:
        base = yarl.URL(base_url.strip().rstrip("/"))
    except ValueError:
        raise aiohttp.InvalidURL(base_url) from None
    if base.scheme not in ("http", "https") or not base.host:
        raise aiohttp.InvalidURL(base_url)
    if base.path.endswith("/chat/completions"):
        return base
    if base.path in ("", "/"):
        base = base / "v1"
    return base / "chat" / "completions"


def models_url(base_url: str) -> yarl.URL:
    """Return the address of the list of models under `base_url`. Raises as `completions_url`."""
    return completions_url(base_url).parent.parent / "models"


def root_url(base_url: str) -> yarl.URL:
    """Return the address under which a server keeps what is not OpenAI's: without a last /v1."""
    base = completions_url(base_url).parent.parent
    return base.parent if base.name == "v1" else base


def headers_of(endpoint: Endpoint) -> dict[str, str]:
    """Return the headers that name the key, if there is one."""
    return {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}


def is_sendable(key: str) -> bool:
    """Say whether a key can be written into a header."""
    return key.isascii() and key.replace(" ", "?").isprintable()


def body_of(endpoint: Endpoint, request: Request, refused: frozenset[str]) -> bytes:
    """Return the JSON body, without the parameters that this endpoint refuses."""
    limit = "max_completion_tokens" if "max_tokens" in refused else "max_tokens"
    body: dict[str, object] = {
        "model": endpoint.model,
        "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        "stream": True,
        "stream_options": {"include_usage": True},
        limit: request.max_tokens,
        "temperature": request.temperature,
    }
    if request.stop:
        body["stop"] = list(request.stop)
    for name in refused:
        body.pop(name, None)
    # The standard module: a prompt may hold half of a surrogate pair, which msgspec refuses.
    return json.dumps(body).encode()


def refused_parameter(status: int, body: bytes, refused: frozenset[str]) -> str | None:
    """Return the optional parameter that a 400 or 422 complains about, if it is a new one."""
    if status not in (400, 422):
        return None
    text = body.decode("utf-8", "replace")
    if not _REFUSAL.search(text):
        return None
    return next((name for name in _OPTIONAL if name in text and name not in refused), None)
