"""The whole of Flint as one command, without the embedded model: that is in tests/model."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.appliance.processes import Running, Watched, children_of, until_there
from webapp.notices import modelstatus

pytestmark = [
    pytest.mark.timeout(120),
    pytest.mark.skipif(
        not hasattr(os, "pidfd_open"), reason="processes of others are followed with Linux's pidfd"
    ),
]

READY = r"Flint is ready at (http://127\.0\.0\.1:\d+)/accounts/link/#[\w-]{40,}$"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "a home with spaces"


@pytest.fixture
def run(home: Path, tmp_path: Path) -> Iterator[Callable[[], Running]]:
    running: list[Running] = []
    ours = ("FLINT_", "SECRET_KEY", "DATABASE_URL", "REDIS_URL", "PUBLIC_ORIGINS", "DJANGO_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    env |= {
        "FLINT_HOME": str(home),
        "PORT": "0",
        "XDG_RUNTIME_DIR": str(tmp_path),
        # Nobody is there, and nobody asks: a model of the operator's is theirs to start.
        "FLINT_PREVIEW_BASE_URL": "http://127.0.0.1:9",
        "FLINT_CACHE": str(tmp_path / "cache"),
    }

    def begin(**more: str) -> Running:
        running.append(Running(["-m", "webapp.appliance"], env | more))
        return running[-1]

    yield begin
    for each in running:
        each.close()


def status(address: str) -> int:
    """Ask for a page; raises when the answer is an error."""
    with urllib.request.urlopen(address, timeout=30) as response:  # noqa: S310 - loopback
        return int(response.status)


def test_one_command_starts_all_and_a_signal_ends_all(
    run: Callable[[], Running], home: Path, tmp_path: Path
) -> None:
    flint = run()
    origin = flint.wait_for(READY)[1]
    flint.wait_for("a deeper model, Qwen2.5-Coder-1.5B, can be fetched|This machine is too small")
    assert status(f"{origin}/healthz") == 200
    assert status(f"{origin}/accounts/link/") == 200
    watched = [Watched(pid) for pid in children_of(flint.process.pid)]
    assert len(watched) == 4  # guard, Valkey, web, worker; nothing for a model that is only offered
    deeper = modelstatus.read(home / "model-standard.json")
    assert deeper is not None
    assert deeper.state in {"offered", "unfit"}
    assert len(list(tmp_path.glob("flint-*/valkey.sock"))) == 1

    second = run()
    assert second.ended() == 1
    assert f"as process {flint.process.pid}, at {origin}" in second.lines[-1]

    flint.process.send_signal(signal.SIGTERM)
    assert flint.ended() == 0
    assert flint.lines[-1].startswith("Flint has ended")
    assert all(each.is_gone(0) for each in watched)
    for each in watched:
        each.close()
    assert list(tmp_path.glob("flint-*")) == []
    assert list(home.glob("model-*")) == []


def test_a_server_of_the_operators_leaves_no_model_to_offer(
    run: Callable[..., Running], home: Path
) -> None:
    flint = run(FLINT_STANDARD_BASE_URL="http://127.0.0.1:9")
    flint.wait_for(READY)
    assert list(home.glob("model-*")) == []


def test_a_signal_before_it_is_up_leaves_nothing(
    run: Callable[[], Running], home: Path, tmp_path: Path
) -> None:
    flint = run()
    socket_folder = until_there(tmp_path, "flint-*/valkey.sock")
    watched = [Watched(pid) for pid in children_of(flint.process.pid)]
    flint.process.send_signal(signal.SIGINT)
    assert flint.ended() == 0
    assert flint.lines == ["Flint is not started."]
    assert all(each.is_gone(0) for each in watched)
    for each in watched:
        each.close()
    assert not socket_folder.exists()


def test_a_database_that_is_away_is_a_sentence(run: Callable[..., Running], home: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        flint = run(DATABASE_URL=f"postgres://flint@127.0.0.1:{port}/flint")
        assert flint.ended() == 1
    assert len(flint.lines) == 1
    assert flint.lines[0].startswith("The database cannot be used: ")
    assert "DATABASE_URL" in flint.lines[0]


def test_a_killed_web_process_is_replaced_and_its_sessions_are_freed_at_once(
    run: Callable[[], Running], home: Path
) -> None:
    flint = run()
    origin = flint.wait_for(READY)[1]
    (web,) = (
        pid
        for pid in children_of(flint.process.pid)
        if b"webapp.appliance.web" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    environ = Path(f"/proc/{web}/environ").read_bytes().split(b"\0")
    (owner,) = (each.partition(b"=")[2] for each in environ if each.startswith(b"FLINT_PROCESS="))
    with closing(sqlite3.connect(home / "flint.sqlite3")) as rows:
        rows.execute(
            "INSERT INTO pairing_lease (session_id, owner, epoch, renewed_at)"
            " SELECT id, ?, 7, ? FROM pairing_session",
            (owner.decode(), datetime.now(UTC).isoformat(" ")),
        )
        rows.commit()
        os.kill(web, signal.SIGKILL)
        flint.wait_for("web was ended by SIGKILL; it is started again at once")
        flint.wait_for(r"web answers again, after [\d.]+ s")
        assert status(f"{origin}/healthz") == 200
        # Free, and the epoch that fences off the dead one is kept.
        assert rows.execute("SELECT owner, epoch FROM pairing_lease").fetchall() == [("", 7)]
