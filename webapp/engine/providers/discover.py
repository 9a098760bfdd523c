"""Model servers that run on this machine, found by asking the ports they usually listen on.

Only loopback is asked, without a key, all ports at once and half a second in all. On the ports of
Ollama and LM Studio a list of models is enough; 8080 and 8000 are everybody's, so what answers
there must also say that it is llama.cpp or vLLM (`owned_by`). Flint itself lists no models there.
"""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import aiohttp

from webapp.engine.ports import Reach
from webapp.engine.providers.listing import Listed, models_in
from webapp.engine.providers.pool import Pools
from webapp.engine.providers.presets import PRESETS

USUAL_PORTS: Final[Mapping[str, int]] = {each.id: each.port for each in PRESETS if each.port}

_OWNERS: Final = {"llamacpp": "llamacpp", "vllm": "vllm"}
_LIST_BYTES: Final = 256 * 1024
_HOME: Final = Reach(loopback=True)


@dataclass(frozen=True, slots=True)
class Found:
    """A server that answers: which preset it is, where it is, and the models it has."""

    preset: str
    base_url: str
    models: tuple[str, ...]


async def discover(
    ports: Mapping[str, int] = USUAL_PORTS, limit_s: float = 0.5
) -> tuple[Found, ...]:
    """Return the servers that answer within `limit_s`, in the order of `ports` (preset to port)."""
    pools = Pools()
    session = pools.session(_HOME)
    try:
        tasks = [asyncio.create_task(_ask(session, preset, port)) for preset, port in ports.items()]
        await asyncio.wait(tasks, timeout=limit_s) if tasks else None
        found = [
            task.result()
            for task in tasks
            if task.done() and not task.cancelled() and task.exception() is None
        ]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        await pools.close()
    return tuple(each for each in found if each is not None)


async def _ask(session: aiohttp.ClientSession, preset: str, port: int) -> Found | None:
    base_url = f"http://127.0.0.1:{port}/v1"
    body = b""
    with contextlib.suppress(aiohttp.ClientError, OSError):
        async with session.get(
            f"{base_url}/models", allow_redirects=False, headers={"Accept": "application/json"}
        ) as response:
            if response.status != 200:
                return None
            while len(body) <= _LIST_BYTES and (data := await response.content.readany()):
                body += data
    models = models_in(body)
    if models is None or not _is_it(preset, models):
        return None
    return Found(preset, base_url, tuple(each.name for each in models))


def _is_it(preset: str, models: tuple[Listed, ...]) -> bool:
    owner = _OWNERS.get(preset)
    return owner is None or any(each.owner == owner for each in models)
