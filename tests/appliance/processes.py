"""Following processes in tests: lines of output, and the moment a process is gone."""

from __future__ import annotations

import os
import queue
import re
import select
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WITHIN_S = 30.0


class Running:
    """A process in the project's folder, read line by line."""

    def __init__(self, arguments: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=ROOT,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []
        self._queue: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Return the match of a line that is not read yet; fails with all that was said."""
        while True:
            try:
                line = self._queue.get(timeout=WITHIN_S)
            except queue.Empty:
                line = None
            if line is None:
                said = "\n".join(self.lines)
                raise AssertionError(f"{pattern!r} was not said. What was:\n{said}")
            self.lines.append(line)
            found = re.search(pattern, line)
            if found:
                return found

    def collect(self, pattern: str, count: int) -> list[str]:
        """Return the first group of `count` lines that match, those read before among them."""
        found = [match[1] for line in self.lines if (match := re.search(pattern, line))]
        while len(found) < count:
            found.append(self.wait_for(pattern)[1])
        return found

    def ended(self) -> int:
        """Wait for the end and the last line; returns the exit code."""
        code = self.process.wait(timeout=WITHIN_S)
        while (line := self._queue.get(timeout=WITHIN_S)) is not None:
            self.lines.append(line)
        return code

    def close(self) -> None:
        """Leave nothing behind, whatever the test did."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=WITHIN_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Watched:
    """A process that is nobody's child here: its end can still be waited for."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._descriptor = os.pidfd_open(pid)

    def is_gone(self, within_s: float = WITHIN_S) -> bool:
        """Wait until it has ended; says whether it did."""
        return bool(select.select([self._descriptor], [], [], within_s)[0])

    def close(self) -> None:
        """Give the handle back."""
        os.close(self._descriptor)


def children_of(pid: int) -> set[int]:
    """Return the processes whose parent is `pid`."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return {int(each) for each in text.split()}


def until_there(folder: Path, pattern: str) -> Path:
    """Return the first path that matches, as soon as there is one."""
    for _ in range(int(WITHIN_S / 0.01)):
        for path in folder.glob(pattern):
            return path
        select.select([], [], [], 0.01)
    raise AssertionError(f"{folder} never held {pattern}")
