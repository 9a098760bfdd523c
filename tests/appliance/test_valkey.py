"""The embedded Valkey: reachable by a socket that is this user's alone, and keeping what it has."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.exceptions import ConnectionError as NotYet
from redis.retry import Retry

from webapp.appliance import valkey
from webapp.appliance.valkey import Valkey


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "a folder with spaces"
    folder.mkdir()
    return folder


@pytest.fixture
def embedded(home: Path) -> Iterator[Valkey]:
    server = valkey.prepare(home, {})
    yield server
    server.clear()
    assert not server.socket.parent.exists()


def test_keeps_its_keys_and_listens_on_no_port(embedded: Valkey) -> None:
    retry = Retry(ConstantBackoff(0.02), retries=200, supported_errors=(NotYet,))
    for expected in (None, b"kept"):
        with subprocess.Popen(embedded.command, stdout=subprocess.DEVNULL) as process:
            try:
                with redis.Redis.from_url(embedded.url, retry=retry) as client:
                    assert client.get("a") == expected
                    client.set("a", "kept")
                    assert client.config_get("port") == {"port": "0"}
                assert stat.S_IMODE(embedded.socket.stat().st_mode) == 0o700
                assert stat.S_IMODE(embedded.socket.parent.stat().st_mode) == 0o700
            finally:
                process.terminate()
        assert process.returncode == 0


def test_the_socket_stands_under_xdg_runtime_dir(tmp_path: Path) -> None:
    folder = valkey.socket_folder({"XDG_RUNTIME_DIR": str(tmp_path)})
    assert folder.parent == tmp_path


def test_a_folder_too_deep_for_a_socket_is_passed_over(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 110)
    deep.mkdir()
    folder = valkey.socket_folder({"XDG_RUNTIME_DIR": str(deep)})
    folder.rmdir()
    assert folder.parent != deep
    assert len(os.fsencode(folder / "valkey.sock")) <= valkey.LONGEST_ADDRESS_BYTES
    assert list(deep.iterdir()) == []
