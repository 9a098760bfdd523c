"""Tests an endpoint and says what is wrong with it: one short answer, and what the server lists.

The answer is asked for exactly as a turn asks (`chat.py`), so what works here works there. Beside
it the list of models is fetched, for the window a model has and for the sentence about a model
that is not there. Everything together takes `limit_s` at most; a body is read to 64 KB, the list of
models to 2 MB (OpenRouter's is 600 KB). The key goes to the tested address alone, and stands in no
sentence and no detail.

Turned down: a test of the list of models alone. It passes with a key that may not ask any model,
with a model that does not load, and behind a proxy that holds streams back.
"""

import asyncio
import contextlib
from dataclasses import dataclass, field, replace
from typing import Final

import aiohttp
import yarl

from webapp.engine.ports import (
    Delta,
    Endpoint,
    Failed,
    FailureCode,
    Finished,
    Message,
    Reasoning,
    Request,
    Usage,
)
from webapp.engine.providers import asking, listing, reach, verdicts
from webapp.engine.providers.chat import ChatProvider, Timeouts
from webapp.engine.providers.listing import Listed
from webapp.engine.providers.pool import Pools
from webapp.engine.providers.replies import tidy
from webapp.lib import clock
from webapp.lib.sentences import Sentence

_REQUEST: Final = Request(
    (Message("user", "Count from 1 to 20 in digits, with a blank between them, and say no more."),),
    max_tokens=64,
)
_BODY_BYTES: Final = 64 * 1024
_LIST_BYTES: Final = 2 * 1024 * 1024
_NO_ADDRESS: Final = (FailureCode.NOT_FOUND, FailureCode.NOT_A_STREAM)
_OTHER_BASES: Final = ("v1", "openai/v1", "api/v1", "v1beta/openai")


@dataclass(frozen=True, slots=True)
class Probe:
    """What the test found. Without a `problem` it is `ok`; sizes are in tokens.

    `context_window` is what the server says it reads, None when it does not. `streamed` says
    whether the answer came in more than one piece. `suggested_url` is a base URL under which the
    same server does answer. `detail` holds the server's own words.
    """

    ok: bool
    problem: Sentence | None = None
    code: FailureCode | None = None
    detail: str = ""
    models: tuple[str, ...] = ()
    ttft_ms: int | None = None
    tokens_per_s: float | None = None
    context_window: int | None = None
    streamed: bool = False
    suggested_url: str = ""


async def probe(endpoint: Endpoint, limit_s: float = 10.0, pools: Pools | None = None) -> Probe:
    """Ask the endpoint for a short answer and for its models; return what came of it."""
    pools = pools or Pools()
    test = _Test(endpoint, pools, limit_s)
    try:
        async with asyncio.timeout(limit_s):
            await test.run()
    except TimeoutError:
        test.overdue()
    finally:
        await pools.close()
    return test.result()


@dataclass
class _Test:
    endpoint: Endpoint
    pools: Pools
    limit_s: float
    failed: Failed | None = None
    problem: Sentence | None = None
    finished: Finished | None = None
    models: tuple[Listed, ...] = ()
    window: int | None = None
    usage: Usage | None = None
    first_at: float | None = None
    last_at: float = 0.0
    begun_at: float = field(default_factory=clock.monotonic)
    deltas: int = 0
    reads: int = 0
    suggested: str = ""

    async def run(self) -> None:
        if not self._may_ask():
            await self._ask()  # which says why not
            return
        listed = asyncio.create_task(self._list(self.endpoint.base_url))
        try:
            await self._ask()
            if self.failed is not None and self.failed.code in _NO_ADDRESS:
                listed.cancel()
                await self._look_elsewhere()
                return
            with contextlib.suppress(aiohttp.ClientError, OSError, ValueError):
                self.models = await listed or ()
            if self.failed is None or self.failed.code == FailureCode.TOO_LARGE:
                self.window = await self._window()
        finally:
            listed.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):  # noqa: BLE001 - its failure is looked at above
                await listed

    # ----- asking

    def _may_ask(self) -> bool:
        endpoint = self.endpoint
        return asking.is_sendable(endpoint.api_key) and (
            endpoint.reach is None or reach.check_url(endpoint.base_url, endpoint.reach) is None
        )

    async def _ask(self) -> None:
        timeouts = Timeouts(
            connect_s=self.limit_s * 0.6, first_token_s=self.limit_s, idle_s=self.limit_s
        )
        request = _REQUEST
        if self.endpoint.max_output < request.max_tokens:
            request = replace(request, max_tokens=max(1, self.endpoint.max_output))
        stream = ChatProvider(timeouts, self.pools).open(self.endpoint, request)
        try:
            async for batch in stream.batches():
                now = clock.monotonic()
                pieces = sum(isinstance(event, Delta | Reasoning) for event in batch)
                if pieces:
                    self.first_at = self.first_at or now
                    self.last_at = now
                    self.reads += 1
                    self.deltas += pieces
                self.usage = next((e for e in batch if isinstance(e, Usage)), self.usage)
                self.finished = next((e for e in batch if isinstance(e, Finished)), None)
                self.failed = next((e for e in batch if isinstance(e, Failed)), None)
        finally:
            stream.abort()

    async def _list(self, base_url: str) -> tuple[Listed, ...] | None:
        """Return what a base URL lists: OpenAI's way, else Ollama's; None when it lists nothing."""
        for url in (asking.models_url(base_url), asking.root_url(base_url) / "api" / "tags"):
            body = await self._get(url, _LIST_BYTES)
            if body is not None and (models := listing.models_in(body)) is not None:
                return models
        return None

    async def _get(self, url: yarl.URL, most: int, sent: object = None) -> bytes | None:
        """Return the body of a 200, or None; `sent` makes it a POST of that JSON."""
        headers = {"Accept": "application/json", **asking.headers_of(self.endpoint)}
        session = self.pools.session(self.endpoint.reach)
        async with session.request(
            "GET" if sent is None else "POST",
            url,
            headers=headers,
            json=sent,
            allow_redirects=False,
        ) as response:
            if response.status != 200:
                return None
            body = b""
            while data := await response.content.readany():
                body += data
                if len(body) > most:
                    response.close()
                    return None
            return body

    async def _window(self) -> int | None:
        """Return the context window with which the server runs the model, if it says so."""
        named = next(
            (m for m in self.models if listing.same_model(m.name, self.endpoint.model)), None
        )
        own = (named or (self.models[0] if len(self.models) == 1 else None)) or Listed("")
        root = asking.root_url(self.endpoint.base_url)
        with contextlib.suppress(aiohttp.ClientError, OSError):
            if own.owner == "llamacpp":
                body = await self._get(root / "props", _BODY_BYTES)
                return listing.window_in_props(body or b"") or own.window
            if own.owner == "organization_owner":  # LM Studio
                body = await self._get(root / "api" / "v0" / "models", _LIST_BYTES)
                loaded = listing.models_in(body or b"") or ()
                return next((m.window for m in loaded if m.name == own.name), own.window)
            if not own.window and not own.owner.startswith(("system", "openai")):
                return await self._ollama_window(root)
        return own.window

    async def _ollama_window(self, root: yarl.URL) -> int | None:
        """Return the window of an Ollama server; None when it is another one."""
        body = await self._get(root / "api" / "ps", _BODY_BYTES)
        if body is None:
            return None
        if window := listing.window_in_ps(body, self.endpoint.model):
            return window
        asked = {"model": self.endpoint.model}
        body = await self._get(root / "api" / "show", _LIST_BYTES, asked)
        return listing.window_in_show(body or b"")

    async def _look_elsewhere(self) -> None:
        """Look for the base URL that was meant, on the same server."""
        base = asking.completions_url(self.endpoint.base_url).parent.parent
        candidates = [base / "v1", *(base.origin() / other for other in _OTHER_BASES)]
        for candidate in dict.fromkeys(str(each) for each in candidates):
            if candidate == str(base):
                continue
            with contextlib.suppress(aiohttp.ClientError, OSError):
                if await self._get_list(candidate):
                    self.suggested = candidate
                    return

    async def _get_list(self, base_url: str) -> bool:
        body = await self._get(asking.models_url(base_url), _LIST_BYTES)
        return body is not None and listing.models_in(body) is not None

    # ----- what came of it

    def overdue(self) -> None:
        """Note that the time is over."""
        if self.failed is None and self.finished is None:
            self.problem = verdicts.overdue(self.endpoint, self.limit_s)

    def result(self) -> Probe:
        """Return what is known by now."""
        failed = self.failed
        problem = self.problem or verdicts.verdict(
            self.endpoint,
            failed=failed,
            models=[each.name for each in self.models],
            window=self.window,
            suggested=self.suggested,
            is_empty=not self.deltas and self.finished == Finished("stop"),
        )
        took_s = self.last_at - (self.first_at or self.last_at)
        tokens = self.usage.output_tokens if self.usage else self.deltas
        return Probe(
            ok=problem is None,
            problem=problem,
            code=failed.code if failed else None,
            detail=failed.detail if failed else "",
            models=tuple(tidy(each.name, self.endpoint) for each in self.models),
            ttft_ms=round((self.first_at - self.begun_at) * 1000) if self.first_at else None,
            tokens_per_s=round(tokens / took_s, 1) if self.reads > 1 and took_s > 0.005 else None,
            context_window=self.window,
            streamed=self.reads > 1,
            suggested_url=self.suggested,
        )
