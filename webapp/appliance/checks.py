"""What must hold before anything is started. What does not is a Refusal: a sentence that says what
is wrong and what to do, for the person in front of the terminal.

Nothing here is undone: a folder that was made stays, and a lock or socket lives as long as its
file descriptor.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import pwd
import shutil
import socket
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from webapp.notices import whereabouts

OLDEST_PYTHON = (3, 11)
LEAST_FREE_BYTES = 50 * 1000 * 1000
SCARCE_FREE_BYTES = 500 * 1000 * 1000
_TCP_LISTEN = "0A"


class Refusal(Exception):
    """Flint cannot start; the text is a sentence for a person."""


def python(version: tuple[int, ...] = sys.version_info[:3]) -> None:
    """Raise a Refusal when this Python is older than Flint needs."""
    if version[:2] < OLDEST_PYTHON:
        raise Refusal(
            f"Flint needs Python {'.'.join(map(str, OLDEST_PYTHON))} or later; this is "
            f"{'.'.join(map(str, version))}. Install a newer one, remove the folder .venv, "
            "and run `make run` again."
        )


def user_name(uid: int) -> str:
    """Return the account's name, or its number when it has none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"


def home(path: Path) -> None:
    """Make the folder that holds Flint's state, for its owner alone; raises Refusal."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.stat().st_uid == os.geteuid() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            path.chmod(0o700)
        probe = path / f".write-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except (FileExistsError, NotADirectoryError):
        raise Refusal(
            f"Flint keeps its state in {path}, but that is a file. Move it away, or choose a "
            "folder: FLINT_HOME=/a/folder make run"
        ) from None
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise Refusal(_disk_full(path, 0)) from None
        raise Refusal(_not_writable(path, error)) from None


def _not_writable(path: Path, error: OSError) -> str:
    there = next(each for each in (path, *path.parents) if each.exists())
    owner, me = user_name(there.stat().st_uid), user_name(os.geteuid())
    why = "the disk is read-only" if error.errno == errno.EROFS else f"it belongs to {owner}"
    return (
        f"Flint keeps its state in {path}, but {me} cannot write to {there} ({why}). Choose "
        f"another folder: FLINT_HOME=/a/folder make run; or ask {owner} to let {me} write there."
    )


def disk(path: Path) -> str | None:
    """Return a warning when the disk is nearly full, else None; raises Refusal when it is full."""
    free_bytes = shutil.disk_usage(path).free
    if free_bytes < LEAST_FREE_BYTES:
        raise Refusal(_disk_full(path, free_bytes))
    if free_bytes < SCARCE_FREE_BYTES:
        return (
            f"The disk that holds {path} has only {free_bytes / 1e6:.0f} MB left. Flint starts, "
            "but edits cannot be saved once it is full: free some space soon."
        )
    return None


def _disk_full(path: Path, free_bytes: int) -> str:
    return (
        f"The disk that holds {path} is full ({free_bytes / 1e6:.0f} MB left), so edits could not "
        "be saved. Free at least 500 MB, or choose a folder on another disk: "
        "FLINT_HOME=/a/folder make run"
    )


@dataclass(frozen=True, slots=True)
class HomeLock:
    """That this process alone uses a FLINT_HOME; holds as long as the process lives."""

    file: IO[str]

    def publish(self, address: str) -> None:
        """Note where Flint answers, for whoever tries to start a second one here."""
        self.file.seek(0)
        self.file.truncate()
        json.dump({"pid": os.getpid(), "address": address}, self.file)
        self.file.flush()


def lock(path: Path) -> HomeLock:
    """Take the folder for this process; raises Refusal when another Flint runs on it."""
    file = (path / whereabouts.FILE).open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        try:
            note = json.load(file)
            who = f" as process {note['pid']}, at {note['address']}"
        except (ValueError, KeyError, TypeError):
            who = ""
        finally:
            file.close()
        raise Refusal(
            f"Flint is already running on {path}{who}. Use that one, or start a second one with "
            "a folder and port of its own: FLINT_HOME=/another/folder make run PORT=8001"
        ) from None
    return HomeLock(file)


def port_number(text: str) -> int:
    """Return PORT as a number; raises Refusal. 0 lets the system choose."""
    if text.isdecimal() and int(text) <= 65535:
        return int(text)
    raise Refusal(f"PORT is {text!r}, but must be a number from 1 to 65535: make run PORT=8000")


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, which web processes take over one after another.

    Because it is bound here, the port is free or it is not, without a race, and a browser that
    comes while the web process is restarted waits instead of being refused. Raises Refusal.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise Refusal(
            f"HOST is {host!r}, which is not an address. Leave it out to serve this machine "
            "alone, or give one of its addresses: HOST=0.0.0.0 make run"
        ) from None
    listener = socket.socket(family, kind, proto)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(256)
    except OSError as error:
        listener.close()
        raise Refusal(_cannot_bind(host, port, error)) from None
    return listener


def _cannot_bind(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} on {host} is taken{_taken_by(port)}. End that program, or choose another "
            f"port: make run PORT={port + 1 if port < 65535 else 8000}"
        )
    if error.errno == errno.EACCES:
        return (
            f"Only root may use port {port}, as all below 1024. Choose another one: "
            "make run PORT=8000"
        )
    return (
        f"Flint cannot listen on {host}, port {port}: {error.strerror}. Leave HOST out to serve "
        "this machine alone, or give one of its addresses."
    )


def _taken_by(port: int) -> str:
    """Return ` by process N (name)` where the system tells: Linux, and processes of this user."""
    inodes = {
        inode for table in ("tcp", "tcp6") for inode in _listeners(Path("/proc/net", table), port)
    }
    if not inodes:
        return ""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            for entry in (folder / "fd").iterdir():
                if os.readlink(entry).removeprefix("socket:[").rstrip("]") in inodes:
                    name = (folder / "comm").read_text(encoding="utf-8").strip()
                    return f" by process {folder.name} ({name})"
        except OSError:
            continue
    return " by a program of another user"


def _listeners(table: Path, port: int) -> list[str]:
    """Return the socket inodes that listen on the port, from a table of /proc/net."""
    try:
        rows = [line.split() for line in table.read_text(encoding="ascii").splitlines()[1:]]
    except OSError:
        return []
    return [
        row[9]
        for row in rows
        if row[3] == _TCP_LISTEN and int(row[1].rpartition(":")[2], 16) == port
    ]
