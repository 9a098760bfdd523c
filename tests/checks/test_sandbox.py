"""What the sandbox gives a command, and what it says of it. Attacks are in test_escapes.py."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from tests.checks.walled import needs_sandbox, python
from webapp.checks.sandbox import Limits, NoSandbox, Sandbox
from webapp.document.tree import PathError
from webapp.lib import clock


@needs_sandbox
def test_a_command_sees_its_files_and_tells_how_it_ended() -> None:
    files = {"deep/er/a.txt": "héllo\n".encode(), "empty": b""}
    result = Sandbox().run(files, ["sh", "-c", "cat deep/er/a.txt; ls; exit 7"])
    assert (result.exit_code, result.text) == (7, "héllo\ndeep\nempty\n")
    assert not (result.passed or result.timed_out or result.truncated or result.out_of_memory)
    assert 0 < result.seconds < 20


@needs_sandbox
def test_both_outputs_come_in_their_order() -> None:
    result = Sandbox().run({}, ["sh", "-c", "echo one; echo two >&2; echo three"])
    assert result.passed
    assert result.text == "one\ntwo\nthree\n"


@needs_sandbox
def test_nothing_to_read_stands_on_its_input() -> None:
    assert python("import sys; print(repr(sys.stdin.read()))").text == "''\n"


@needs_sandbox
def test_it_may_write_in_its_own_folder_and_use_its_own_loopback() -> None:
    result = python(
        """
import pathlib, socket
pathlib.Path("out").write_text("x")
pathlib.Path("/tmp/out").write_text("x")
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname()).close()
print("done")
"""
    )
    assert result.text == "done\n"


@needs_sandbox
def test_a_signal_is_told_as_shells_tell_it() -> None:
    assert Sandbox().run({}, ["sh", "-c", "kill -TERM $$"]).exit_code == 128 + 15


@needs_sandbox
def test_a_command_that_is_not_there_fails_by_itself() -> None:
    result = Sandbox().run({}, ["no-such-command"])
    assert result.exit_code == 127
    assert "no-such-command" in result.text


@needs_sandbox
def test_a_command_that_does_not_end_is_ended_in_time() -> None:
    result = python("while True: pass", Limits(wall_s=0.5))
    assert result.timed_out
    assert result.exit_code is None
    assert result.seconds < 5


@needs_sandbox
def test_no_more_is_kept_of_the_output_than_was_asked_for() -> None:
    result = python("print('x' * 1500)", Limits(output_bytes=1000))
    assert (result.exit_code, result.truncated) == (0, True)
    assert result.output == b"x" * 1000


@needs_sandbox
def test_several_run_at_once_and_none_sees_another() -> None:
    results = {}

    def run(name: str) -> None:
        code = f"""
import os, pathlib, time
pathlib.Path("/tmp/{name}").write_text("x")
print(sorted(os.listdir("/tmp")), sum(each.isdigit() for each in os.listdir("/proc")))
"""
        results[name] = python(code).text

    threads = [threading.Thread(target=run, args=(name,)) for name in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {name: f"['{name}'] 2\n" for name in ("a", "b", "c")}


@pytest.mark.parametrize("path", ["../a", "/etc/passwd", "a/../../b", ""])
def test_a_path_that_leads_out_is_refused(path: str) -> None:
    with pytest.raises(PathError):
        Sandbox(bwrap="true").run({path: b""}, ["true"])


def test_files_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="the limit is 3"):
        Sandbox(bwrap="true").run({"a": b"1234"}, ["true"], Limits(work_bytes=3))


def test_without_bubblewrap_it_says_so_and_runs_nothing(tmp_path: Path) -> None:
    sandbox = Sandbox(bwrap=str(tmp_path / "bwrap"))
    assert "not installed" in (sandbox.probe() or "")
    with pytest.raises(NoSandbox):
        sandbox.run({}, ["touch", str(tmp_path / "ran")])
    assert not (tmp_path / "ran").exists()


def wall(folder: Path, script: str) -> Sandbox:
    """Return a sandbox whose wall is this script."""
    path = folder / "bwrap"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    folder.chmod(folder.stat().st_mode | stat.S_IXOTH)
    return Sandbox(bwrap=str(path), uid=os.getuid() or 0)


def test_an_old_bubblewrap_is_named(tmp_path: Path) -> None:
    problem = wall(tmp_path, "echo bubblewrap 0.6.1").probe() or ""
    assert "0.6.1" in problem
    assert "0.8.0 or later" in problem


def test_a_machine_that_forbids_it_is_told_with_the_walls_own_words(tmp_path: Path) -> None:
    script = (
        'if [ "$1" = --version ]; then echo bubblewrap 0.8.0; exit; fi\n'
        "echo 'setting up uid map: Permission denied' >&2; exit 1"
    )
    problem = wall(tmp_path, script).probe() or ""
    assert "setting up uid map: Permission denied" in problem


def test_a_wall_that_never_comes_up_leaves_nothing_open(tmp_path: Path) -> None:
    script = 'if [ "$1" = --version ]; then echo bubblewrap 0.8.0; exit; fi\nexit 1'
    sandbox = wall(tmp_path, script)
    sandbox.probe()
    before = os.listdir("/proc/self/fd")
    assert sandbox.probe()
    assert os.listdir("/proc/self/fd") == before


@needs_sandbox
def test_a_run_leaves_nothing_open() -> None:
    python("print(1)")
    before = os.listdir("/proc/self/fd")
    python("print(1)")
    python("while True: pass", Limits(wall_s=0.2))
    assert os.listdir("/proc/self/fd") == before


@needs_sandbox
def test_it_starts_quickly() -> None:
    began_s = clock.monotonic()
    assert Sandbox().run({}, ["true"]).passed
    assert clock.monotonic() - began_s < 5
