"""Chat Completions over HTTP: the connection side.

One keep-alive pool for all endpoints of the same reach (`pool.py`). What holds:

- an aborted or failed connection never returns to the pool: its transport is aborted, which makes
  aiohttp drop it (`should_close` sees a body without its end);
- `abort` works at every moment: before the name is resolved, during the connect, while the server
  still reads the prompt, and in mid-answer. It aborts the transport in the same call and cancels
  the request task, so nothing waits for a closing handshake, plain or TLS;
- one timer a stream watches connect, first token and idle time; it costs one attribute write a read
  (aiohttp's own read timeout would start a timer for each);
- a server that ignores `max_tokens` and goes on for ever is left at a multiple of what was asked;
- redirects are not followed, environment proxies and cookies are not used;
- an endpoint with a `Reach` is connected to no address outside it, whatever its name resolves to;
- a kept connection that the server closed just as it was picked up is replaced without a word, as
  long as no byte of the answer had come.

A server that refuses one of the optional parameters (`stream_options`, `temperature`, `max_tokens`)
with a 400 that names it is asked again without it, and that is remembered for the endpoint.

Turned down: openai's SDK (30 times the CPU a token, and a cancel that waits) and httpx (3 times).
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import aiohttp

from webapp.engine.ports import Endpoint, Event, Failed, Request
from webapp.engine.providers import asking, connecting, failures, reach
from webapp.engine.providers.chunks import ChunkDecoder
from webapp.engine.providers.pool import Pools, holder
from webapp.lib import clock

if TYPE_CHECKING:
    from aiohttp.connector import Connection

_ERROR_BODY_BYTES: Final = 64 * 1024
_MOST_ATTEMPTS: Final = 8
_BODY_END_S: Final = 1.0
_SPARE_BYTES: Final = 16 * 1024 * 1024
_BYTES_A_TOKEN: Final = 1024
"""A chunk of one token is 200 to 300 bytes; what a model thinks may count beyond `max_tokens`."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long to wait, in seconds.

    `first_token_s` is generous, because a machine without a GPU may read a long prompt for minutes.
    `ending_s` is for a server that gives its finish reason and then neither usage nor an end.
    """

    connect_s: float = 10.0
    first_token_s: float = 300.0
    idle_s: float = 60.0
    ending_s: float = 5.0


class ChatProvider:
    """Opens streams to Chat Completions endpoints; a `Model`. Belongs to one event loop."""

    def __init__(self, timeouts: Timeouts | None = None, pools: Pools | None = None) -> None:
        self._timeouts = timeouts or Timeouts()
        self.pools = pools or Pools()
        self._streams: set[ChatStream] = set()
        self.refused_parameters: dict[tuple[str, str], frozenset[str]] = {}

    async def close(self) -> None:
        """Abort what runs and close the pools."""
        for stream in tuple(self._streams):
            stream.abort()
        await self.pools.close()

    def open(self, endpoint: Endpoint, request: Request) -> "ChatStream":
        """Return a stream at once; it connects when its batches are asked for."""
        return ChatStream(self, endpoint, request, self._timeouts)

    def track(self, stream: "ChatStream", running: bool) -> None:
        """Note that `stream` runs, or no longer does."""
        (self._streams.add if running else self._streams.discard)(stream)


class ChatStream:
    """One answer on its way; see `ports.Stream`."""

    def __init__(
        self, provider: ChatProvider, endpoint: Endpoint, request: Request, timeouts: Timeouts
    ) -> None:
        self._provider = provider
        self._endpoint = endpoint
        self._request = request
        self._timeouts = timeouts
        most_bytes = _SPARE_BYTES + request.max_tokens * _BYTES_A_TOKEN
        self._decoder = ChunkDecoder(endpoint, whole_limit_bytes=most_bytes)
        self._verdict: Failed | None = None  # why it ends, when the stream itself does not say
        self.fresh = False
        """Whether the connection was made for this request, not taken from the pool."""
        self._begun = False
        self._answered = False
        # What is held while it runs.
        self._connecting: asyncio.Task[aiohttp.ClientResponse] | None = None
        self._connection: Connection | None = None
        self._response: aiohttp.ClientResponse | None = None
        self._tearing = False
        self._left = False
        self._closed_at: float | None = None
        self._closed: asyncio.Future[float] | None = None
        # The watch.
        self._limit_s = 0.0
        self._deadline = 0.0  # in the loop's time; 0 while nothing is awaited
        self._timer: asyncio.TimerHandle | None = None

    @property
    def closed_at(self) -> float | None:
        """The time at which the request's hold on its transport ended."""
        return self._closed_at

    async def wait_closed(self) -> float:
        """Wait until the transport is closed, or back in the pool."""
        if self._closed_at is not None:
            return self._closed_at
        if self._closed is None:
            self._closed = asyncio.get_running_loop().create_future()
        return await asyncio.shield(self._closed)

    def abort(self) -> None:
        """End it now."""
        self._give_up(failures.ABORTED)

    async def batches(self) -> AsyncIterator[list[Event]]:
        """Yield the events of each socket read; the last batch ends with the terminal event."""
        if self._begun:
            raise RuntimeError("batches() was called twice on one stream")
        self._begun = True
        self._provider.track(self, True)
        decoder = self._decoder
        try:
            try:
                if self._verdict is None and (response := await self._answer()) is not None:
                    read, push, time = response.content.readany, decoder.push, self._loop().time
                    while not decoder.done and (data := await read()):
                        self._deadline = 0.0
                        if (events := push(data)) and self._verdict is None:
                            yield events
                        if (limit_s := self._patience_s()) != self._limit_s:
                            self._watch(limit_s)
                        else:
                            self._deadline = time() + limit_s
                    if self._verdict is None and (events := decoder.finish()):
                        yield events
            except (aiohttp.ClientError, OSError) as error:
                if decoder.ending and self._verdict is None:
                    # The finish reason had come: what broke was only the rest.
                    yield decoder.finish()
                else:
                    explained = connecting.from_exception(
                        self._endpoint, error, answered=self._answered
                    )
                    self._conclude(explained)
            if self._verdict is not None and (events := decoder.end(self._verdict)):
                yield events
        finally:
            self._leave()

    # ----- asking

    async def _answer(self) -> aiohttp.ClientResponse | None:
        """Send the request until it is answered with a stream; None when there is a verdict."""
        endpoint = self._endpoint
        if endpoint.reach is not None and (
            problem := reach.check_url(endpoint.base_url, endpoint.reach)
        ):
            self._conclude(connecting.not_allowed(endpoint, problem))
            return None
        if not asking.is_sendable(endpoint.api_key):
            self._conclude(failures.bad_key(endpoint))
            return None
        known = self._provider.refused_parameters
        key = (endpoint.base_url, endpoint.model)
        for _ in range(_MOST_ATTEMPTS):
            refused = known.get(key, frozenset())
            self.fresh = self._answered = False
            self._watch(self._timeouts.connect_s)
            try:
                response = self._response = await self._post(refused)
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
                if self.fresh or self._verdict is not None:
                    raise
                continue  # the server had closed a connection that the pool still held
            self._answered = True
            if response.status == 200:
                if response.content_type in ("text/event-stream", "application/octet-stream"):
                    return response
                body = await self._error_body(response)
                self._conclude(failures.not_a_stream(endpoint, response.content_type, body))
                return None
            body = await self._error_body(response)
            name = asking.refused_parameter(response.status, body, refused)
            if name is None or self._verdict is not None:
                status, headers = response.status, response.headers
                self._conclude(failures.from_status(endpoint, status, body, headers))
                return None
            known[key] = refused | {name}
        self._conclude(connecting.cut(endpoint))
        return None

    async def _post(self, refused: frozenset[str]) -> aiohttp.ClientResponse:
        headers = {"Content-Type": "application/json", **asking.headers_of(self._endpoint)}
        url = asking.completions_url(self._endpoint.base_url)
        data = asking.body_of(self._endpoint, self._request, refused)
        session = self._provider.pools.session(self._endpoint.reach)

        async def post() -> aiohttp.ClientResponse:
            holder.set(self)
            return await session.post(url, data=data, headers=headers, allow_redirects=False)

        # A task of its own, so that abort can end it wherever it waits.
        self._connecting = asyncio.create_task(post())
        try:
            return await self._connecting
        except asyncio.CancelledError:
            if self._verdict is None:  # the caller is cancelled
                self._give_up(failures.ABORTED)
                raise
            raise aiohttp.ClientConnectionError("given up") from None
        finally:
            self._connecting = None

    async def _error_body(self, response: aiohttp.ClientResponse) -> bytes:
        body = b""
        with contextlib.suppress(aiohttp.ClientError, OSError):  # the status is what counts
            async with asyncio.timeout(self._timeouts.connect_s):
                while len(body) < _ERROR_BODY_BYTES and (data := await response.content.readany()):
                    body += data
        if not response.content.at_eof():
            response.close()
        return body

    def connected(self, connection: "Connection") -> None:
        """Take note of the connection that this request was given."""
        self._connection = connection
        connection.add_callback(self._released)
        self._watch(self._timeouts.first_token_s)

    # ----- ending

    def _conclude(self, verdict: Failed) -> None:
        if self._verdict is None:
            self._verdict = verdict

    def _give_up(self, verdict: Failed) -> None:
        if self._verdict is None and not self._decoder.done:
            self._verdict = verdict
            self._tear_down()

    def _tear_down(self) -> None:
        """Abort the transport in this call, and wake whoever waits for it."""
        connection, self._connection = self._connection, None
        if connection is not None and (protocol := connection.protocol) is not None:
            if (closed := protocol.closed) is not None:
                self._tearing = True
                closed.add_done_callback(self._torn_down)
            if connection.transport is not None:
                connection.transport.abort()
        if self._connecting is not None:
            self._connecting.cancel()
        if self._response is not None:
            self._response.close()
        if not self._begun or self._left:
            self._mark_closed()

    def _torn_down(self, closed: "asyncio.Future[None]") -> None:
        if not closed.cancelled():
            closed.exception()  # looked at, so that asyncio does not warn
        self._tearing = False
        self._mark_closed()

    def _released(self) -> None:
        """The connection is back in the pool, or aiohttp is closing it."""
        self._connection = None
        if self._left:
            self._mark_closed()

    def _mark_closed(self) -> None:
        if self._closed_at is None and not self._tearing:
            self._closed_at = clock.monotonic()
            if self._closed is not None and not self._closed.done():
                self._closed.set_result(self._closed_at)

    def _leave(self) -> None:
        """Let go of everything."""
        if self._timer is not None:
            self._timer.cancel()
        self._provider.track(self, False)
        self._left = True
        if self._verdict is not None or not self._decoder.done:
            self._conclude(failures.ABORTED)
            self._tear_down()
        elif self._connection is None:
            self._mark_closed()
        elif self._decoder.overran:
            self._tear_down()
        else:
            # The end mark came; the end of the body, without which the connection cannot be
            # kept, is nearly always in the same packet or the next.
            self._loop().call_later(_BODY_END_S, self._tear_down)

    # ----- time

    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def _patience_s(self) -> float:
        if self._decoder.ending:
            return self._timeouts.ending_s
        return self._timeouts.idle_s if self._decoder.began else self._timeouts.first_token_s

    def _watch(self, limit_s: float) -> None:
        """Give up when nothing comes for `limit_s` from now."""
        if self._timer is not None:
            self._timer.cancel()
        self._limit_s = limit_s
        self._deadline = self._loop().time() + limit_s
        self._timer = self._loop().call_later(limit_s, self._look)

    def _look(self) -> None:
        if not self._deadline:  # our own side is busy, the server is not late
            self._timer = self._loop().call_later(self._limit_s, self._look)
        elif (left_s := self._deadline - self._loop().time()) > 0:
            self._timer = self._loop().call_later(left_s, self._look)
        elif self._decoder.ending:
            self._tear_down()  # the answer is whole; only usage and the end mark are missing
        else:
            self._give_up(self._overdue())

    def _overdue(self) -> Failed:
        if self._connection is None:
            return connecting.connect_timeout(self._endpoint)
        if self._decoder.began:
            return connecting.idle_timeout(self._endpoint, self._timeouts.idle_s)
        return connecting.first_token_timeout(self._endpoint, self._timeouts.first_token_s)
