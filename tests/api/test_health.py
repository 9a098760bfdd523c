"""Health and readiness, with a real Redis that comes and goes."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from django.test import Client
from pytest_django import Settings

from webapp.api import health

_SERVER = shutil.which("redis-server") or shutil.which("valkey-server")


@pytest.fixture
def server(tmp_path: Path, settings: Settings) -> Iterator[redis.Redis]:
    """A Redis of this test's own, on a socket in its folder."""
    if _SERVER is None:
        pytest.skip("no redis-server on this machine; .ci/run installs one")
    path = tmp_path / "r"
    command = [_SERVER, "--port", "0", "--unixsocket", str(path), "--save", "", "--daemonize", "no"]
    settings.REDIS_URL = f"unix://{path}"
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if "accept connections" in line:
                break
        with redis.Redis.from_url(settings.REDIS_URL) as client:
            client.ping()
            yield client
    finally:
        process.terminate()
        process.wait(timeout=10)


@pytest.fixture
def no_server(settings: Settings) -> None:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        settings.REDIS_URL = f"redis://127.0.0.1:{probe.getsockname()[1]}/0"


def test_healthz_asks_nothing_else(no_server: None) -> None:
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_ready_when_all_three_answer(server: redis.Redis) -> None:
    server.set(health.WORKER_KEYS.replace("*", "worker-1"), "1", ex=10)
    answer = Client().get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok", "redis": "ok", "worker": "ok"}


@pytest.mark.django_db
def test_not_ready_without_a_worker(server: redis.Redis) -> None:
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["redis"] == "ok"
    assert answer.json()["worker"] == "no worker has been heard of lately"


@pytest.mark.django_db
def test_not_ready_without_redis_and_no_address_leaks(no_server: None) -> None:
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "ok"
    assert answer.json()["redis"] == answer.json()["worker"] == "ConnectionError"
    assert "127.0.0.1" not in answer.content.decode()


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_other_verbs_are_refused(path: str, settings: Settings) -> None:
    settings.METRICS_TOKEN = "t"
    assert Client().post(path).status_code == 405
