"""Starts the children, restarts those that die, ends them all.

A loop in the main thread that sleeps until a signal, a restart that is due, or somebody's call.
Who is started when is decided in run.py; when to try again in backoff.py. No child outlives
`stop`, and none outlives the supervisor's own death by more than a few seconds: see guard.py.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from webapp.appliance import guard
from webapp.appliance.children import Child, ChildSpec, how_it_ended
from webapp.appliance.logs import Logs
from webapp.appliance.terminal import Terminal
from webapp.lib import clock

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_FROM_OUTSIDE = (-signal.SIGKILL, -signal.SIGTERM)
"""Deaths of which the child knew nothing, so that its last line says nothing about them."""
_LAST_LINE_CHARS = 200


class Interrupted(Exception):
    """A signal asked Flint to end before it was up."""


@dataclass(frozen=True, slots=True)
class Death:
    """A child that ended unasked: its return code, and the environment its process had."""

    name: str
    code: int
    environment: Mapping[str, str]


@dataclass(slots=True)
class _Tick:
    """A function that the loop calls again and again."""

    every_s: float
    function: Callable[[], None]
    due_at_s: float


class Supervisor:
    """See the module. `on_death` is called once the child was reaped and, if at once, restarted."""

    def __init__(
        self,
        terminal: Terminal,
        logs: Logs,
        on_death: Callable[[Death], None] = lambda death: None,
    ) -> None:
        self._terminal = terminal
        self._logs = logs
        self._on_death = on_death
        self._children: dict[str, Child] = {}
        self._calls: deque[Callable[[], None]] = deque()
        self._ticks: list[_Tick] = []
        self._asked_to_end = 0
        self._in_setup = True
        self._wake_read, self._wake_write = os.pipe()
        for descriptor in (self._wake_read, self._wake_write):
            os.set_blocking(descriptor, False)
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    # -- signals -----------------------------------------------------------------------------

    def catch_signals(self) -> None:
        """From here on SIGINT, SIGTERM and SIGHUP end Flint in order; during set-up at once."""
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        for number in _ENDING:
            signal.signal(number, self._end)

    def _end(self, number: int, frame: object) -> None:
        self._asked_to_end += 1
        if self._in_setup and self._asked_to_end == 1:
            raise Interrupted

    # -- children ----------------------------------------------------------------------------

    def add(self, spec: ChildSpec) -> None:
        """Start a child now, and again whenever it dies."""
        child = self._children[spec.name] = Child(spec)
        self._start(child)

    def has(self, name: str) -> bool:
        """Say whether the child runs, or is about to be started again."""
        child = self._children.get(name)
        return child is not None and (child.pid is not None or child.due_at_s is not None)

    def end(self, name: str, then: Callable[[], None]) -> None:
        """End one child for good, and call `then` in the loop once it is gone."""
        child = self._children.get(name)
        if child is None or child.pid is None:
            self._children.pop(name, None)
            then()
            return
        child.due_at_s, child.then = None, then
        child.kill_at_s = clock.monotonic() + child.spec.grace_s
        child.ask_to_end()

    def forget_folder(self, path: Path) -> None:
        """Have a folder removed if the supervisor is killed before it can do so."""
        self._note(f"folder {path}")

    def _start(self, child: Child) -> None:
        output = self._logs.pipe(child.spec.name)
        try:
            group = child.start(output)
        except OSError as error:
            child.due_at_s = clock.monotonic() + child.backoff.after_death(0.0)
            self._terminal.event(f"{child.spec.name} could not be started: {error}")
            return
        finally:
            os.close(output)
        self._note(f"+{group}")

    def _note(self, line: str) -> None:
        """Tell the guard; without one, the parent-death signal still ends the children."""
        if self._guard.stdin is None:
            return
        with contextlib.suppress(OSError):
            self._guard.stdin.write(f"{line}\n".encode())
            self._guard.stdin.flush()

    def _reaped(self) -> Iterator[tuple[Child, int]]:
        for child in self._children.values():
            group = child.pid
            code = child.reap()
            if code is not None:
                self._note(f"-{group}")
                yield child, code

    # -- running -----------------------------------------------------------------------------

    def call(self, function: Callable[[], None]) -> None:
        """Have `function` called in the loop, soon; may be called from any thread."""
        self._calls.append(function)
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"c")

    def every(self, seconds: float, function: Callable[[], None]) -> None:
        """Have `function` called in the loop about every `seconds`."""
        self._ticks.append(_Tick(seconds, function, clock.monotonic() + seconds))

    def run(self) -> None:
        """Keep the children alive until a signal asks to end."""
        self._in_setup = False
        while not self._asked_to_end:
            for child, code in list(self._reaped()):
                if child.then is None:
                    self._plan_restart(child, code)
                else:
                    self._children.pop(child.spec.name, None)
                    child.then()
            while self._calls:
                self._calls.popleft()()
            now_s = clock.monotonic()
            for tick in self._ticks:
                if now_s >= tick.due_at_s:
                    tick.function()
                    tick.due_at_s = clock.monotonic() + tick.every_s
            for child in self._children.values():
                if child.due_at_s is not None and now_s >= child.due_at_s:
                    self._start(child)
                if child.kill_at_s is not None and now_s >= child.kill_at_s:
                    child.kill_at_s = None
                    child.kill()
            dues_s = [child.due_at_s for child in self._children.values() if child.due_at_s]
            dues_s += [child.kill_at_s for child in self._children.values() if child.kill_at_s]
            dues_s += [tick.due_at_s for tick in self._ticks]
            self._sleep(min(dues_s, default=None))

    def _sleep(self, until_s: float | None) -> None:
        timeout_s = None if until_s is None else max(0.0, until_s - clock.monotonic())
        if select.select([self._wake_read], [], [], timeout_s)[0]:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_read, 4096)

    def _plan_restart(self, child: Child, code: int) -> None:
        spec, environment = child.spec, child.environment
        wait_s = child.backoff.after_death(clock.monotonic() - child.started_at_s)
        said = f"{spec.name} {how_it_ended(code, spec.deaths)}"
        if code in spec.final_codes:
            self._terminal.event(f"{said}.")
        else:
            child.due_at_s = clock.monotonic() + wait_s
            again = "at once" if wait_s < 0.3 else f"in {wait_s:.3g} s"
            self._terminal.event(
                f"{said}; it is started again {again}.{self._last_words(child, code)}"
            )
            if wait_s < 0.3:
                self._start(child)
        self._on_death(Death(spec.name, code, environment))

    def _last_words(self, child: Child, code: int) -> str:
        if code in _FROM_OUTSIDE:
            return ""
        name = child.spec.name
        words = self._logs.last_line(name)[:_LAST_LINE_CHARS]
        return f" Its last words: {words} (more in {self._logs.path(name)})" if words else ""

    # -- ending ------------------------------------------------------------------------------

    def stop(self, order: Iterable[Iterable[str]]) -> None:
        """End all children, one stage of names after another; a further signal hurries."""
        self._in_setup = False
        asked_before = min(self._asked_to_end, 1)
        staged = [[name for name in stage if name in self._children] for stage in order]
        rest = set(self._children).difference(*staged) if staged else set(self._children)
        for stage in [sorted(rest), *staged]:
            self._end_stage([self._children[name] for name in stage], asked_before)
        if self._guard.stdin is not None:
            with contextlib.suppress(OSError):
                self._guard.stdin.close()
        self._guard.wait()
        signal.set_wakeup_fd(-1)

    def _end_stage(self, children: list[Child], asked_before: int) -> None:
        for child in children:
            child.ask_to_end()
        killed = False
        until_s = clock.monotonic() + max((child.spec.grace_s for child in children), default=0.0)
        while True:
            for child, code in list(self._reaped()):
                if child not in children:
                    self._terminal.event(f"{child.spec.name} {how_it_ended(code, {})}.")
            if not any(child.pid for child in children):
                return
            hurried = self._asked_to_end > asked_before
            if not killed and (hurried or clock.monotonic() >= until_s):
                killed = True
                for child in children:
                    if child.pid and not hurried:
                        self._terminal.event(
                            f"{child.spec.name} did not end within {child.spec.grace_s:.0f} s, "
                            "so it was killed."
                        )
                    child.kill()
            self._sleep(clock.monotonic() + 1.0 if killed else until_s)
