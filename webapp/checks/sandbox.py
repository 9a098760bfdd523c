"""Runs one command on a set of files where it can reach nothing else. Alone starts user code.

    problem = Sandbox().probe()      # a sentence why none can be had here, or None
    result = Sandbox().run({"a.py": b"print(1)"}, ["python3", "a.py"], Limits())

What holds:

- files go in as a tar on the standard input, and nothing but a pipe comes out: this process never
  opens a file that the command can touch;
- without a wall nothing runs: no bubblewrap, no user namespaces, not Linux, a processor without a
  filter of ours, and `run` raises NoSandbox;
- the limits stand before the first instruction of the command;
- root runs it as an ordinary user, since the kernel exempts root from the limit on processes;
- the environment is bare from the start: what a process began with stays readable in /proc;
- when `run` returns, or raises, every process that the command started is gone: the kernel ends a
  pid namespace with its first process, and `run` waits for that.

`run` blocks and may be called in any thread, several at once. Bubblewrap dies with the thread that
started it, so that thread must wait; here it does.

Turned down: containers and virtual machines (they want a daemon, or root, and start in seconds),
Landlock alone (no processes, no memory, no older kernels).
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import io
import json
import os
import platform
import re
import select
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from webapp.checks import bubble, processes, syscalls
from webapp.checks.bubble import Limits
from webapp.document.tree import check_path
from webapp.lib import clock
from webapp.lib.sentences import Sentence, gettext_noop, said

__all__ = ["Limits", "NoSandbox", "Result", "Sandbox"]

_READ_BYTES: Final = 65_536
_LOOK_S: Final = 0.1
"""How often the memory is looked at."""
_FLOOD: Final = 4
"""How many times its cap a command may print before it is ended."""
_STARTS_WITHIN_S: Final = 10.0
_ENDS_WITHIN_S: Final = 10.0
_SHOWN_CHARS: Final = 200


class NoSandbox(Exception):
    """The command was not run; the text is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a command.

    `exit_code` is its own (128 and the signal's number when a signal ended it), or None when it was
    ended from here: `timed_out`, `out_of_memory`, or `truncated` by too much output. `output` is
    standard output and error as they came, at most `Limits.output_bytes`.
    """

    exit_code: int | None
    output: bytes
    seconds: float
    timed_out: bool = False
    out_of_memory: bool = False
    truncated: bool = False

    @property
    def passed(self) -> bool:
        """Say whether the command ended by itself, and well."""
        return self.exit_code == 0

    @property
    def text(self) -> str:
        """The output as text; what is no UTF-8 is replaced."""
        return self.output.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How commands are walled in. `uid` is whom they run as when this process is root.

    Sandboxes that run at once should have uids of their own where the kernel is older than 5.14,
    which counts processes by uid alone.
    """

    bwrap: str = "bwrap"
    uid: int = 210_001

    def probe(self) -> str | None:
        """Return a sentence why nothing can be run on this machine, or None. Takes some ms."""
        try:
            result = self.run({}, ["true"], Limits(wall_s=_STARTS_WITHIN_S))
        except NoSandbox as error:
            return said(error)
        return None if result.passed else _did_not_start(result.text)

    def run(
        self, files: Mapping[str, bytes], command: Sequence[str], limits: Limits | None = None
    ) -> Result:
        """Run the command in a folder that holds the files, and wait for its end.

        Raises NoSandbox when there is no wall to run it behind, and ValueError for a path that
        leads out of the folder or is none (`document/tree.py`), and for files that do not fit.
        """
        limits = limits or Limits()
        bwrap = self._found()
        packed = _packed(files, limits)
        started_s = clock.monotonic()
        with contextlib.ExitStack() as held:
            stdin = held.enter_context(_sealed("files", packed))
            program = held.enter_context(_sealed("filter", _filter(platform.machine())))
            box = held.enter_context(_Box(self._owner()))
            box.start(bwrap, tuple(command), limits, stdin, program)
            return box.watch(limits, started_s)

    def _found(self) -> str:
        if sys.platform != "linux":
            raise NoSandbox(_NOT_LINUX)
        if platform.machine() not in syscalls.MACHINES:
            raise NoSandbox(_PROCESSOR_UNKNOWN)
        path = shutil.which(self.bwrap)
        if path is None:
            raise NoSandbox(_NOT_INSTALLED)
        found = _version(path)
        if found < bubble.LEAST_VERSION:
            raise NoSandbox(
                Sentence(
                    gettext_noop(
                        "Tests cannot be run on this machine: bubblewrap is %(found)s, and"
                        " %(least)s or later is needed. Whoever operates it may update the package"
                        " bubblewrap."
                    ),
                    found=".".join(map(str, found)) or "?",
                    least=".".join(map(str, bubble.LEAST_VERSION)),
                )
            )
        return path

    def _owner(self) -> int | None:
        return self.uid if os.geteuid() == 0 else None


class _Box:
    """One run: bubblewrap, its pipes, and the namespace's first process."""

    def __init__(self, owner: int | None) -> None:
        self._owner = owner
        self._process: subprocess.Popen[bytes] | None = None
        self._first: int | None = None  # a pidfd
        self._first_pid = 0
        self._output = bytearray()
        self._printed = 0

    def __enter__(self) -> _Box:
        return self

    def __exit__(self, *error: object) -> None:
        """End whatever runs, and wait until it is gone."""
        process = self._process
        if process is None:
            return
        # The first process before bubblewrap, which then still reaps it: where pid 1 of a container
        # reaps nobody it would stay a zombie.
        self._end_all()
        try:
            process.wait(_ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()

    def start(
        self, bwrap: str, command: tuple[str, ...], limits: Limits, stdin: int, program: int
    ) -> None:
        """Start bubblewrap, set the limits, let it go on. Raises NoSandbox."""
        wait_for, go = os.pipe()
        hears, word = os.pipe()
        told, tell = os.pipe()
        with _closing(go, word, told), _closing(wait_for, hears, tell) as theirs:
            arguments = bubble.arguments(
                bwrap,
                command,
                limits,
                filter_fd=program,
                block_fd=wait_for,
                word_fd=hears,
                info_fd=tell,
            )
            passed = (program, wait_for, hears, tell)
            self._process = self._started(arguments, stdin, passed)
            theirs.close()
            self._first_pid = self._told_pid(told)
            try:
                # Bubblewrap is blocked, so the number cannot be another process's yet.
                self._first = os.pidfd_open(self._first_pid)
                os.write(go, b"\n")
                os.write(word, b"\n")
            except OSError as error:
                raise NoSandbox(_did_not_start(error.strerror or "")) from error

    def _started(
        self, arguments: list[str], stdin: int, descriptors: tuple[int, ...]
    ) -> subprocess.Popen[bytes]:
        owner = self._owner
        try:
            return subprocess.Popen(  # noqa: S603 - this is what the room is for
                arguments,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=descriptors,
                env={},
                cwd="/",
                start_new_session=True,
                user=owner,
                group=owner,
                extra_groups=None if owner is None else [],
            )
        except (OSError, subprocess.SubprocessError) as error:
            # Root that may not become anybody else, as in some containers.
            raise NoSandbox(_did_not_start(str(error))) from error

    def watch(self, limits: Limits, started_s: float) -> Result:
        """Read until the command is over, or has had its share."""
        process, first = self._process, self._first
        if process is None or process.stdout is None or first is None:
            raise ValueError("start it first")
        pipe = process.stdout.fileno()
        os.set_blocking(pipe, False)
        ended = select.poll()
        ended.register(pipe, select.POLLIN)
        ended.register(first, select.POLLIN)
        deadline_s = started_s + limits.wall_s
        look_s = started_s
        timed_out = out_of_memory = False
        while True:
            now_s = clock.monotonic()
            if now_s >= deadline_s:
                timed_out = True
                break
            if now_s >= look_s:
                look_s = now_s + _LOOK_S
                if processes.resident_bytes(self._first_pid) > limits.memory_bytes:
                    out_of_memory = True
                    break
            wait_s = min(look_s, deadline_s) - now_s
            ready = {fd for fd, _ in ended.poll(max(1, int(wait_s * 1000)))}
            if pipe in ready and not self._read(pipe, limits):
                ended.unregister(pipe)  # closed by all; it may still run
            if self._printed > _FLOOD * limits.output_bytes:
                break
            if first in ready or process.poll() is not None:
                break
        code = process.poll()
        if code is None and first in ready:
            code = process.wait(_ENDS_WITHIN_S)
        self._end_all()
        self._read(pipe, limits)
        return Result(
            exit_code=None if timed_out or out_of_memory else code,
            output=bytes(self._output),
            seconds=clock.monotonic() - started_s,
            timed_out=timed_out,
            out_of_memory=out_of_memory,
            truncated=self._printed > limits.output_bytes,
        )

    def _read(self, pipe: int, limits: Limits) -> bool:
        """Take what is in the pipe; False when nobody can write into it any more."""
        while self._printed <= _FLOOD * limits.output_bytes:
            try:
                piece = os.read(pipe, _READ_BYTES)
            except BlockingIOError:
                return True
            if not piece:
                return False
            self._printed += len(piece)
            self._output += piece[: max(0, limits.output_bytes - len(self._output))]
        return True

    def _end_all(self) -> None:
        """Kill the first process and wait for its end, which is that of all others."""
        first, self._first = self._first, None
        if first is None:
            if self._process is not None:
                self._process.kill()
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(first, signal.SIGKILL)
        gone = select.poll()
        gone.register(first, select.POLLIN)
        gone.poll(_ENDS_WITHIN_S * 1000)
        os.close(first)

    def _told_pid(self, told: int) -> int:
        """Read the first process's id from bubblewrap. Raises NoSandbox with its own words."""
        ready = select.poll()
        ready.register(told, select.POLLIN)
        text = b""
        while b"}" not in text:
            piece = os.read(told, 4096) if ready.poll(_STARTS_WITHIN_S * 1000) else b""
            if not piece:
                raise NoSandbox(_did_not_start(self._last_words()))
            text += piece
        return int(json.loads(text)["child-pid"])

    def _last_words(self) -> str:
        if self._process is None or self._process.stdout is None:
            return ""
        self._process.kill()
        return self._process.stdout.read(_READ_BYTES).decode("utf-8", "replace")


def _packed(files: Mapping[str, bytes], limits: Limits) -> bytes:
    size_bytes = sum(map(len, files.values()))
    if size_bytes > limits.work_bytes:
        raise ValueError(f"{size_bytes} bytes of files; the limit is {limits.work_bytes}")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(check_path(path))
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


@contextlib.contextmanager
def _sealed(name: str, content: bytes) -> Iterator[int]:
    """Give a file in memory that nobody can change, not even whoever inherits it."""
    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        with os.fdopen(os.dup(fd), "wb") as file:
            file.write(content)
        os.lseek(fd, 0, os.SEEK_SET)
        seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
        yield fd
    finally:
        os.close(fd)


class _closing:
    """Closes descriptors at the end, or before."""

    def __init__(self, *fds: int) -> None:
        self._fds = list(fds)

    def __enter__(self) -> _closing:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        while self._fds:
            os.close(self._fds.pop())


@functools.cache
def _filter(machine: str) -> bytes:
    return syscalls.program(machine)


@functools.cache
def _version(bwrap: str) -> tuple[int, ...]:
    told = subprocess.run(  # noqa: S603 - asks bubblewrap for its version
        [bwrap, "--version"], capture_output=True, text=True, env={}, check=False
    )
    found = re.search(r"\d+(?:\.\d+)+", told.stdout)
    return tuple(map(int, found[0].split("."))) if found else ()


def _did_not_start(words: str) -> Sentence:
    lines = words.strip().splitlines()
    return Sentence(
        gettext_noop(
            "Tests cannot be run on this machine: the sandbox did not start (%(problem)s). Often"
            " user namespaces are turned off; whoever operates it may allow them."
        ),
        problem=lines[-1][:_SHOWN_CHARS] if lines else "bwrap",
    )


_NOT_LINUX: Final = Sentence(
    gettext_noop(
        "Tests cannot be run on this machine: the sandbox needs Linux. Everything else works."
    )
)
_PROCESSOR_UNKNOWN: Final = Sentence(
    gettext_noop(
        "Tests cannot be run on this machine: the sandbox knows the processors x86_64 and aarch64"
        " only. Everything else works."
    )
)
_NOT_INSTALLED: Final = Sentence(
    gettext_noop(
        "Tests cannot be run on this machine: bubblewrap is not installed. Whoever operates it may"
        " install the package bubblewrap; everything else works."
    )
)
