"""Kept connections: one pool for each reach, connecting to no address outside it.

A request is sent with `holder` set to whoever wants to know its connection, so that it can be
aborted at once. Each reach has a pool of its own, so that no connection made for another reach is
ever picked up. Redirects are the caller's to refuse; environment proxies and cookies are not used.
"""

import contextvars
import ssl
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from webapp.engine.ports import Reach
from webapp.engine.providers import reach

if TYPE_CHECKING:
    from aiohttp.client_reqrep import ClientRequest
    from aiohttp.connector import Connection
    from aiohttp.tracing import Trace

_KEEP_IDLE_S: Final = 60.0


class Holder(Protocol):
    """Whoever wants to know the connection of a request."""

    fresh: bool
    """Set when the connection is made for this request, not taken from the pool."""

    def connected(self, connection: "Connection") -> None:
        """Take note of the connection that the request was given."""
        ...


holder: contextvars.ContextVar[Holder | None] = contextvars.ContextVar(
    "flint_connection_holder", default=None
)


class NotAllowed(aiohttp.ClientError):
    """A name resolved to nothing but addresses that must not be connected to."""

    def __init__(self, host: str) -> None:
        self.sentence = reach.closed(host)
        super().__init__(self.sentence)


class _Connector(aiohttp.TCPConnector):
    """Hands each holder the connection it was given, and connects to no address out of reach."""

    def __init__(
        self,
        within: Reach | None,
        resolver: AbstractResolver | None,
        trust: ssl.SSLContext | None,
    ) -> None:
        super().__init__(
            limit=0, keepalive_timeout=_KEEP_IDLE_S, resolver=resolver, ssl=trust or True
        )
        self._within = within

    async def connect(
        self, req: "ClientRequest", traces: list["Trace"], timeout: aiohttp.ClientTimeout
    ) -> "Connection":
        connection = await super().connect(req, traces, timeout)
        if (held_by := holder.get()) is not None:
            held_by.connected(connection)
        return connection

    async def _create_connection(self, *args: Any, **kwargs: Any) -> Any:
        if (held_by := holder.get()) is not None:
            held_by.fresh = True
        return await super()._create_connection(*args, **kwargs)

    async def _resolve_host(
        self, host: str, port: int, traces: Sequence["Trace"] | None = None
    ) -> list[ResolveResult]:
        # What is returned here, and nothing else, is what the socket is connected to.
        found = await super()._resolve_host(host, port, traces)
        if self._within is None:
            return found
        allowed = [each for each in found if reach.allows(each["host"], host, self._within)]
        if not allowed:
            raise NotAllowed(host)
        return allowed


class Pools:
    """The pools of one event loop, made when they are first asked for.

    Names are resolved and certificates are checked as this machine does it, unless told otherwise.
    """

    def __init__(
        self, resolver: AbstractResolver | None = None, trust: ssl.SSLContext | None = None
    ) -> None:
        self._resolver = resolver
        self._trust = trust
        self._sessions: dict[Reach | None, aiohttp.ClientSession] = {}

    def session(self, within: Reach | None) -> aiohttp.ClientSession:
        """Return the pool for endpoints of this reach; None is for the operator's own."""
        session = self._sessions.get(within)
        if session is None:
            session = self._sessions[within] = aiohttp.ClientSession(
                connector=_Connector(within, self._resolver, self._trust),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),
                headers={"Accept": "text/event-stream", "Accept-Encoding": "identity"},
                trust_env=False,
            )
        return session

    async def close(self) -> None:
        """Close them all; a later request makes new ones."""
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            await session.close()
