"""The cache, which holds the rate limits of sign-in: in Redis, or in this process while that is
away.

With Redis away people go on editing and must be able to sign in, so a cache that cannot be reached
is no error. Limits are then counted by each process for itself, which is less strict and never
open. After a failure Redis is left alone for AWAY_S: one that hangs would make each sign-in wait
for a handful of time-outs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from webapp.lib import clock

log = logging.getLogger(__name__)
T = TypeVar("T")

AWAY_S: Final = 5.0
TIMEOUT_S: Final = 0.5


class RedisElseLocal(BaseCache):
    """Django's Redis cache, with this process's memory in its place while Redis is away."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        options = {"socket_timeout": TIMEOUT_S, "retry": Retry(NoBackoff(), 0)}
        self._redis = RedisCache(server, {**params, "OPTIONS": options})
        self._local = LocMemCache(server, params)
        self._away_until_s = float("-inf")

    def _ask(self, ask: Callable[[BaseCache], T]) -> T:
        if clock.monotonic() >= self._away_until_s:
            try:
                return ask(self._redis)
            except (RedisError, OSError) as error:
                self._away_until_s = clock.monotonic() + AWAY_S
                log.warning("Redis is away, so limits are counted in this process: %s", error)
        return ask(self._local)

    # BaseCache makes everything else of these.

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None
    ) -> bool:
        """Store unless there is a value; say whether it was stored."""
        return self._ask(lambda cache: cache.add(key, value, timeout, version))

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        """Return the value, or the default."""
        return self._ask(lambda cache: cache.get(key, default, version))

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None
    ) -> None:
        """Store."""
        self._ask(lambda cache: cache.set(key, value, timeout, version))

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        """Give a value another time to live; say whether there is one."""
        return self._ask(lambda cache: cache.touch(key, timeout, version))

    def delete(self, key: Any, version: Any = None) -> bool:
        """Forget; say whether there was a value."""
        return self._ask(lambda cache: cache.delete(key, version))

    def has_key(self, key: Any, version: Any = None) -> bool:
        """Say whether there is a value."""
        return self._ask(lambda cache: cache.has_key(key, version))

    def incr(self, key: Any, delta: int = 1, version: Any = None) -> int:
        """Add to a number; raises ValueError when there is none."""
        return self._ask(lambda cache: cache.incr(key, delta, version))

    def clear(self) -> None:
        """Forget all."""
        self._ask(lambda cache: cache.clear())
