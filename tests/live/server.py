"""A real web process on the test database, and browsers' sockets into it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.cast import signed_in
from webapp.lib import ids
from webapp.live import reading, wire
from webapp.teams.models import User

ROOT = Path(__file__).parent.parent.parent


def _database_url() -> str:
    name = str(settings.DATABASES["default"]["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(settings.DATABASE_URL)._replace(path=f"/{name}").geturl()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def procfile_limits() -> list[str]:
    """Return the size limits that the Procfile starts the web process with."""
    found = re.findall(r"(--websocket-\S+) (\d+)", (ROOT / "Procfile").read_text())
    return [f"{name}={value}" for name, value in found]


@dataclass
class Server:
    """A Daphne of ours."""

    name: str
    port: int
    process: asyncio.subprocess.Process

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    @asynccontextmanager
    async def page(self, user: User, slug: str) -> AsyncIterator[ServerPage]:
        """Return a socket of a browser in which `user` is signed in."""
        client = await reading.read(partial(signed_in, user))
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        async with connect(
            f"ws://127.0.0.1:{self.port}/ws/session/{slug}/",
            origin=self.origin,  # type: ignore[arg-type]  # a NewType of str
            additional_headers={"Cookie": f"flint_session_{self.port}={cookie}"},
            max_size=None,
        ) as opened:
            yield ServerPage(opened)


class ServerPage:
    """A page's frames over a real socket."""

    def __init__(self, opened: ClientConnection) -> None:
        self.socket = opened
        self.id = ids.new_id()
        self._handled_bytes = self._acknowledged_bytes = 0

    async def send(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def read(self, *kinds: str) -> dict[str, Any]:
        while True:
            text = await self.socket.recv()
            self._handled_bytes += len(text)
            if self._handled_bytes - self._acknowledged_bytes > wire.ACK_BYTES:
                self._acknowledged_bytes = self._handled_bytes
                await self.send(t="ack", bytes=self._handled_bytes)
            frame: dict[str, Any] = json.loads(text)
            if frame["t"] in kinds:
                return frame

    async def closed(self) -> int | None:
        """Return the code the socket closes with."""
        try:
            while True:
                await self.socket.recv()
        except ConnectionClosed:
            return self.socket.close_code

    async def open(self, path: str) -> dict[str, Any]:
        """Say hello, follow the file at `path`, and return its frame."""
        await self.send(t="hello", proto=1, client=self.id)
        welcome = await self.read("welcome")
        (file,) = [held["file"] for held in welcome["files"] if held["path"] == path]
        await self.send(t="open", file=file)
        return await self.read("file")

    async def push(self, file: str, v: int, n: int, change: Any) -> None:
        updates = [{"n": n, "c": change}]
        await self.send(t="push", id=ids.new_id(), file=file, v=v, updates=updates)


@asynccontextmanager
async def serving(name: str, home: Path, *limits: str) -> AsyncIterator[Server]:
    """Run a web process until the block ends; it is killed if it still lives then.

    Its size limits are the Procfile's, unless others are given.
    """
    port = _free_port()
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "webapp.config.settings",
        "DATABASE_URL": _database_url(),
        "FLINT_HOME": str(home),
        "FLINT_PROCESS": name,
        "FLINT_TESTING": "1",
        "LOG_LEVEL": "INFO",
        "SECRET_KEY": settings.SECRET_KEY,
        "PORT": str(port),
        "PUBLIC_ORIGINS": f"http://127.0.0.1:{port}",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "daphne", "-b", "127.0.0.1", "-p", str(port),
        *(limits or procfile_limits()), "webapp.config.asgi:application",
        cwd=ROOT, env=environment, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    log = process.stderr
    assert log is not None
    lines: list[str] = []
    rest: asyncio.Task[bytes] | None = None
    try:
        while not any("Listening on TCP" in line for line in lines):
            line = (await log.readline()).decode()
            assert line, lines
            lines.append(line)
        rest = asyncio.create_task(log.read())
        yield Server(name, port, process)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
        await process.wait()
        await (rest or log.read())
