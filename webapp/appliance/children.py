"""One child: what it is, its process and process group, and how its death is told.

Each child leads a session of its own, so that Ctrl-C in the terminal reaches the supervisor alone
and whatever a child started can be ended with it. On Linux a child is also told to end when the
supervisor is killed; the guard does the rest.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from webapp.appliance.backoff import Backoff
from webapp.lib import clock

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """What a child is. `environment` is called for each start: some of it is new each time."""

    name: str
    command: tuple[str, ...]
    environment: Callable[[], Mapping[str, str]]
    folder: str
    descriptors: tuple[int, ...] = ()
    grace_s: float = 5.0
    """How long it may take to end before it is killed."""
    final_codes: frozenset[int] = frozenset()
    """Exit codes after which starting it again would change nothing."""
    deaths: Mapping[int, str] = field(default_factory=dict)
    """Sentences for return codes that mean something particular."""


class Child:
    """A child and its present process, if it has one."""

    def __init__(self, spec: ChildSpec) -> None:
        self.spec = spec
        self.backoff = Backoff()
        self.due_at_s: float | None = None
        """When to start it, on the monotonic clock; None while it runs or is not wanted."""
        self.then: Callable[[], None] | None = None
        """What to do once it is gone for good; None while it is wanted."""
        self.kill_at_s: float | None = None
        self.started_at_s = 0.0
        self.starts = 0
        self.environment: Mapping[str, str] = {}
        """What its present or last process was given."""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process, which is also its process group; None while there is none."""
        return self._process.pid if self._process else None

    def start(self, output: int) -> int:
        """Start it, with `output` as its standard output and error; returns the process group.

        Must be called in the main thread: the parent-death signal is that of the thread.
        """
        self.environment = self.spec.environment()
        self._process = subprocess.Popen(
            self.spec.command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=dict(self.environment),
            cwd=self.spec.folder,
            pass_fds=self.spec.descriptors,
            start_new_session=True,
            preexec_fn=_end_with_parent(os.getpid()),  # noqa: PLW1509 - one system call, no lock
        )
        self.started_at_s = clock.monotonic()
        self.due_at_s = None
        self.starts += 1
        return self._process.pid

    def reap(self) -> int | None:
        """Return the return code if it has ended (negative: a signal), and end its group."""
        if self._process is None or self._process.poll() is None:
            return None
        code, group = self._process.returncode, self._process.pid
        self._process = None
        _send(group, signal.SIGKILL)
        return code

    def ask_to_end(self) -> None:
        """Send SIGTERM to the child alone; it ends its own children in its own order."""
        if self._process is not None:
            self._process.terminate()

    def kill(self) -> None:
        """Send SIGKILL to its whole group."""
        if self._process is not None:
            _send(self._process.pid, signal.SIGKILL)


def _send(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        # Nobody is left, or (on macOS) only zombies are.
        return


def _end_with_parent(parent: int) -> Callable[[], None] | None:
    if _libc is None:
        return None
    prctl = _libc.prctl

    def arrange() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return arrange


def how_it_ended(code: int, deaths: Mapping[int, str]) -> str:
    """Return what a return code means, as the end of the sentence that names the child."""
    if code in deaths:
        return deaths[code]
    if code < 0:
        try:
            return f"was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"was ended by signal {-code}"
    return f"ended with code {code}" if code else "ended without being asked to"
