"""The cache stands in for a Redis that is away, that hangs, and that comes back."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.exceptions import ConnectionError as NotYet
from redis.retry import Retry

from webapp.appliance import valkey
from webapp.appliance.valkey import Valkey
from webapp.config import cache as caches
from webapp.config.cache import RedisElseLocal
from webapp.lib import clock


@contextmanager
def running(server: Valkey) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(server.command, stdout=subprocess.DEVNULL) as process:
        retry = Retry(ConstantBackoff(0.02), retries=200, supported_errors=(NotYet,))
        with Redis.from_url(server.url, retry=retry) as client:
            client.ping()
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Valkey]:
    server = valkey.prepare(tmp_path, {})
    yield server
    server.clear()


def all_of_it(cache: RedisElseLocal) -> None:
    assert cache.add("lock", 1)
    assert not cache.add("lock", 1)
    cache.set("tries", [1.5])
    assert cache.get("tries", []) == [1.5]
    assert cache.get("none", []) == []
    assert cache.touch("tries", 30)
    assert cache.has_key("tries")
    assert cache.get_or_set("count", 1) == 1
    assert cache.incr("count") == 2
    with pytest.raises(ValueError, match="not found"):
        cache.incr("nothing")
    assert cache.get_many(["count", "none"]) == {"count": 2}
    assert cache.delete("lock")
    cache.clear()
    assert not cache.has_key("tries")


@pytest.mark.parametrize("scheme", ["redis", "unix"])
def test_without_redis_this_process_counts(scheme: str, tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        url = {"redis": f"redis://127.0.0.1:{port}/0", "unix": f"unix://{tmp_path}/none.sock"}
        all_of_it(RedisElseLocal(url[scheme], {}))


def test_with_redis_all_processes_count_together(embedded: Valkey) -> None:
    with running(embedded):
        all_of_it(RedisElseLocal(embedded.url, {}))
        RedisElseLocal(embedded.url, {}).set("tries", 3)
        assert RedisElseLocal(embedded.url, {}).get("tries") == 3


def test_a_redis_that_hangs_is_asked_once_in_a_while_and_used_again(
    embedded: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches, "TIMEOUT_S", 0.05)
    cache = RedisElseLocal(embedded.url, {})
    with running(embedded) as process:
        cache.set("kept", 1)
        os.kill(process.pid, signal.SIGSTOP)
        asked: list[int] = []
        with monkeypatch.context() as counting:
            counting.setattr(caches.log, "warning", lambda *_: asked.append(1))
            all_of_it(cache)
        assert asked == [1]
        os.kill(process.pid, signal.SIGCONT)
        later_s = clock.monotonic() + caches.AWAY_S
        monkeypatch.setattr(clock, "monotonic", lambda: later_s)
        assert cache.get("kept") == 1
