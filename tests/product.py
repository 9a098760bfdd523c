"""Runs the product as a person would, in a process of its own, for tests that look from outside.

Nothing here imports Django: the browser tests share no process with the ORM.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parent.parent
_READY = re.compile(r"Flint is ready at (\S+)")
_KEPT_ENVIRONMENT = (
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "FLINT_CACHE",
    "FLINT_MODEL_PATH",
)


def free_port() -> int:
    """Return a port of loopback that nothing listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(what: str, true: Callable[[], object], timeout_s: float = 20) -> None:
    """Look every 20 ms until `true()` holds; fail with `what` after `timeout_s`."""
    deadline = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < deadline, f"waited {timeout_s} s in vain: {what}"
        select.select([], [], [], 0.02)


class Product:
    """`python -m webapp.appliance` with a home of its own; a context manager."""

    def __init__(self, **settings: str) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="flint product "))
        self.port = int(settings.get("PORT") or free_port())
        self.proxy_port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        kept = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
        self.env = {
            **kept,
            "FLINT_HOME": str(self.home),
            "PORT": str(self.port),
            "PUBLIC_ORIGINS": f"{self.origin},http://127.0.0.1:{self.proxy_port}",
            "PYTHONUNBUFFERED": "1",
            # A test that asks for the deeper model must not download a gigabyte.
            "FLINT_STANDARD_MODEL_PATH": str(self.home / "no-such-model.gguf"),
            **settings,
        }
        self.link = ""
        self.started_in_s = 0.0
        self.printed: list[str] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def start(self, timeout_s: float = 60) -> None:
        """Start it and wait for the printed link; fails with what it printed."""
        begun = time.monotonic()
        self._log = (self.home / "terminal.txt").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "webapp.appliance"],
            cwd=ROOT,
            env=self.env,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        offset = len(self.terminal)

        def ready() -> bool:
            assert self.process.poll() is None, f"it ended at once:\n{self.terminal}"
            found = _READY.search(self.terminal, offset)
            self.link = found[1] if found else ""
            return bool(found)

        wait_until("the printed link", ready, timeout_s)
        self.started_in_s = time.monotonic() - begun

    @property
    def terminal(self) -> str:
        """Everything it printed so far."""
        return (self.home / "terminal.txt").read_text(encoding="utf-8", errors="replace")

    def stop(self, timeout_s: float = 20) -> None:
        """End it with SIGTERM; it must end by itself and leave no process."""
        children = descendants(self.process.pid)
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"it did not end in {timeout_s} s:\n{self.terminal}") from None
        finally:
            self._log.close()
        wait_until("no process left", lambda: not [pid for pid in children if alive(pid)])

    def manage(self, *arguments: str, said: str = "") -> str:
        """Run a management command beside it, which reads `said`; return what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.env,
            input=said,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def link_for(self, email: str) -> str:
        """Add a colleague; return their sign-in link."""
        found = re.search(r"http://\S+", self.manage("addmember", email))
        assert found, "addmember printed no link"
        return found[0]

    def web_pid(self) -> int:
        """Return the process id of the web child."""
        for pid in descendants(self.process.pid):
            if "webapp.appliance.web" in command_of(pid) or "daphne" in command_of(pid):
                return pid
        raise AssertionError("no web process")

    def answers(self, path: str = "/healthz") -> bool:
        """Say whether this address answers with 200 at this moment."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def model_status(self) -> dict[str, object]:
        """Return what the appliance says of the embedded model."""
        try:
            text = (self.home / "model-preview.json").read_text(encoding="utf-8")
        except OSError:
            return {}
        return dict(json.loads(text))


def descendants(pid: int) -> list[int]:
    """Return the process ids below `pid`, from /proc."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(child) for child in task.read_text().split()]
        except OSError:
            continue
        for child in children:
            found += [child, *descendants(child)]
    return found


def alive(pid: int) -> bool:
    """Say whether a process runs (a zombie does not)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def command_of(pid: int) -> str:
    """Return a process's command line, blanks between its words."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


_SESSION = """
import json, sys
from webapp.pairing.create import create_session
from webapp.teams.models import Team, User
user = User.objects.order_by("pk").first()
print(create_session(Team.objects.first(), user, "Notes", json.loads(%r)).slug)
"""


def make_session(product: Product, files: dict[str, str]) -> str:
    """Make a session with these files beside the running product; return its address."""
    slug = product.manage("shell", "-v", "0", said=_SESSION % json.dumps(files)).strip()
    return f"{product.origin}/s/{slug}/"


_COOKIE = """
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from webapp.pairing.models import Session
from webapp.teams.models import User
user = User.objects.order_by("pk").first()
store = SessionStore()
store[SESSION_KEY] = str(user.pk)
store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
store[HASH_SESSION_KEY] = user.get_session_auth_hash()
store.save()
slug = Session.objects.order_by("created_at").first().slug
print(f"{settings.SESSION_COOKIE_NAME}={store.session_key} {slug}")
"""


def cookie_and_slug(product: Product) -> tuple[str, str]:
    """Return a Cookie header that signs the first person in, and the example session's slug."""
    cookie, slug = product.manage("shell", "-v", "0", "-c", _COOKIE).split()
    return cookie, slug
