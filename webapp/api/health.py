"""Whether each thing Flint stands on answers, within a time that no load balancer minds."""

from __future__ import annotations

from collections.abc import Callable

import redis
from django.conf import settings
from django.db import connection

from webapp.lib import clock

WORKER_KEYS = "flint:worker:*"
"""Each worker keeps one such key in Redis, with a time to live of a few heartbeats."""

_TIMEOUT_S = 0.5
_SCAN_KEYS = 1000


class Silent(Exception):
    """Something did not answer; the text says what, and nothing of how it is reached."""


def report() -> dict[str, str]:
    """Return "ok" or what is wrong, for the database, Redis and the worker."""
    return {"database": _said(_database), "redis": _said(_redis), "worker": _said(_worker)}


def _said(ask: Callable[[], None]) -> str:
    try:
        ask()
    except Exception as error:  # noqa: BLE001 - whatever a driver raises, the part is not ready
        return str(error) if isinstance(error, Silent) else type(error).__name__
    return "ok"


def _database() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET statement_timeout = %s", [int(_TIMEOUT_S * 1000)])
        try:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
        finally:
            if connection.vendor == "postgresql":
                cursor.execute("RESET statement_timeout")


def _client() -> redis.Redis:
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S
    )


def _redis() -> None:
    with _client() as client:
        client.ping()


def _worker() -> None:
    deadline = clock.monotonic() + _TIMEOUT_S
    cursor = 0
    with _client() as client:
        while True:
            cursor, keys = client.scan(cursor, match=WORKER_KEYS, count=_SCAN_KEYS)
            if keys:
                return
            if cursor == 0:
                raise Silent("no worker has been heard of lately")
            if clock.monotonic() > deadline:
                raise Silent("looking for a worker took too long")
