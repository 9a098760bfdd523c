"""Children's output, copied into FLINT_HOME/logs/NAME.log, which is rotated by size.

One thread reads every pipe, so that a supervisor busy with the database never makes a child wait
for its own log. The last line of each child is kept, to say it when the child dies, and lines
that report an error are passed on, at most one in a while for each child.
"""

from __future__ import annotations

import os
import re
import selectors
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from webapp.lib import clock

LARGEST_BYTES = 5 * 1024 * 1024
KEPT_FILES = 3
QUIET_S = 10.0
_ERROR = re.compile(r"(\[[^\]]*: )?(ERROR|CRITICAL)\b")
"""How a line that reports an error begins: as settings' LOGGING writes it, and as Celery does."""
NOTE = "NOTE "
"""How a line begins that a child of ours wants told in the terminal, word for word."""


class RotatingFile:
    """Appends bytes to a file; one that grew too large is set aside as NAME.1, .2, ..."""

    def __init__(self, path: Path, largest_bytes: int = LARGEST_BYTES) -> None:
        self._path = path
        self._largest_bytes = largest_bytes
        self._file: BinaryIO | None = None

    def write(self, data: bytes) -> None:
        """Append; what cannot be written (a full disk) is lost, since a log must stop nothing."""
        try:
            if self._file is None:
                self._file = self._path.open("ab", buffering=0)
            if self._file.tell() + len(data) > self._largest_bytes:
                self._rotate()
            self._file.write(data)
        except OSError:
            self.close()

    def close(self) -> None:
        """Close; a later write opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _rotate(self) -> None:
        self.close()
        for number in range(KEPT_FILES, 0, -1):
            source = self._numbered(number - 1)
            if source.exists():
                source.replace(self._numbered(number))
        self._file = self._path.open("ab", buffering=0)

    def _numbered(self, number: int) -> Path:
        return self._path if number == 0 else self._path.with_name(f"{self._path.name}.{number}")


class _Stream:
    """What is known of one child's output."""

    def __init__(self, name: str, file: RotatingFile) -> None:
        self.name = name
        self.file = file
        self.rest = b""
        self.last_line = ""
        self.quiet_until_s = 0.0


class Logs:
    """The thread, and the pipes it reads."""

    def __init__(
        self,
        folder: Path,
        on_error: Callable[[str, str], None],
        on_note: Callable[[str], None] = lambda line: None,
    ) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        self._on_error = on_error
        self._on_note = on_note
        self._streams: dict[str, _Stream] = {}
        self._selector = selectors.DefaultSelector()
        self._wake_read, self._wake_write = os.pipe()
        self._lock = threading.RLock()
        self._selector.register(self._wake_read, selectors.EVENT_READ, None)
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="logs", daemon=True)
        self._thread.start()

    def path(self, name: str) -> Path:
        """Return the file that holds a child's output."""
        return self._folder / f"{name}.log"

    def last_line(self, name: str) -> str:
        """Return the last line that is not blank of what a child wrote, or an empty text."""
        stream = self._streams.get(name)
        return stream.last_line if stream else ""

    def pipe(self, name: str) -> int:
        """Return the writing end for a child; the caller closes it once the child has it."""
        read_end, write_end = os.pipe()
        os.set_blocking(read_end, False)
        with self._lock:
            stream = self._streams.setdefault(name, _Stream(name, RotatingFile(self.path(name))))
            stream.last_line = ""
            self._selector.register(read_end, selectors.EVENT_READ, stream)
        os.write(self._wake_write, b"+")
        return write_end

    def close(self, timeout_s: float = 2.0) -> None:
        """Copy what the children, which have ended, still left in their pipes, and end."""
        self._closing = True
        os.write(self._wake_write, b".")
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.data is None:
                    os.read(self._wake_read, 4096)
                else:
                    self._drain(key.fd, key.data)
            if self._closing:
                break
        with self._lock:
            for key in list(self._selector.get_map().values()):
                if key.data is not None:
                    self._drain(key.fd, key.data)
        for stream in self._streams.values():
            stream.file.close()

    def _drain(self, descriptor: int, stream: _Stream) -> None:
        while True:
            try:
                data = os.read(descriptor, 65536)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                with self._lock:
                    self._selector.unregister(descriptor)
                os.close(descriptor)
                return
            stream.file.write(data)
            self._look_at(stream, data)

    def _look_at(self, stream: _Stream, data: bytes) -> None:
        *lines, rest = (stream.rest + data).split(b"\n")
        stream.rest = rest[-4096:]
        for raw in lines:
            line = raw.decode("utf-8", "replace").strip()
            if not line:
                continue
            stream.last_line = line
            if line.startswith(NOTE):
                self._on_note(line.removeprefix(NOTE))
                continue
            now_s = clock.monotonic()
            if _ERROR.match(line) and now_s >= stream.quiet_until_s:
                stream.quiet_until_s = now_s + QUIET_S
                self._on_error(stream.name, line)
