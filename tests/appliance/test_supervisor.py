"""The supervisor over real processes: what dies is named and restarted, and nothing is left."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.appliance.processes import Running, Watched, children_of

pytestmark = pytest.mark.skipif(
    not hasattr(os, "pidfd_open"), reason="processes of others are followed with Linux's pidfd"
)

CALM = 'note(f"{os.getpid()} up"); stay()'
WITH_GRANDCHILD = """
grandchild = subprocess.Popen([sys.executable, "-c", '''
import signal, threading
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
threading.Event().wait()
'''], stdout=subprocess.PIPE)
grandchild.stdout.readline()
note(f"{grandchild.pid} grandchild")
note(f"{os.getpid()} up")
stay()
"""
DEAF = 'signal.signal(signal.SIGTERM, signal.SIG_IGN); note(f"{os.getpid()} up"); stay()'


def in_order(name: str) -> str:
    """A child that notes that it was asked to end."""
    return f"""
def end(*_):
    note("{name} ends")
    sys.exit()
signal.signal(signal.SIGTERM, end)
note(f"{{os.getpid()}} up")
stay()
"""


Start = Callable[..., Running]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "a home"
    folder.mkdir()
    return folder


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    running: list[Running] = []

    def begin(*children: dict[str, object]) -> Running:
        arguments = ["-m", "tests.appliance.scripted", str(home), json.dumps(children)]
        running.append(Running(arguments))
        return running[-1]

    yield begin
    for each in running:
        each.close()


@pytest.fixture
def watch() -> Iterator[Callable[[str], Watched]]:
    watched: list[Watched] = []

    def begin(pid: str) -> Watched:
        watched.append(Watched(int(pid)))
        return watched[-1]

    yield begin
    for each in watched:
        each.close()


def up(supervisor: Running) -> str:
    """Return the process id of the next child that is up."""
    return supervisor.wait_for(r"note (\d+) up")[1]


def test_a_child_that_is_killed_is_named_and_restarted_at_once(start: Start) -> None:
    supervisor = start({"name": "web", "code": CALM})
    first = up(supervisor)
    os.kill(int(first), signal.SIGKILL)
    supervisor.wait_for("web was ended by SIGKILL; it is started again at once")
    supervisor.wait_for("death of web with -9, start 1")  # what the dead one had, not the new one
    assert up(supervisor) != first


def test_a_child_that_keeps_dying_waits_longer_and_is_told_with_its_last_words(
    start: Start, home: Path
) -> None:
    supervisor = start(
        {"name": "worker", "code": 'print("the reason", flush=True); sys.exit(7)'},
        {"name": "web", "code": CALM},
    )
    supervisor.wait_for(r"worker ended with code 7; it is started again at once")
    line = supervisor.wait_for(r"worker ended with code 7; it is started again in 0\.5 s")
    assert "Its last words: the reason" in line.string
    assert (home / "logs" / "worker.log").read_text().count("the reason") >= 2


def test_a_code_that_no_restart_can_help_is_final(start: Start) -> None:
    supervisor = start(
        {"name": "model", "code": 'note("model started"); sys.exit(3)'},
        {"name": "worker", "code": "sys.exit(1)"},
    )
    # In whatever order: the two die independently.
    for pattern in (
        r"(model) ended with code 3\.$",
        r"(worker) .* in 0\.5 s",
        r"(worker) .* in 1 s",
    ):
        supervisor.collect(pattern, 1)
    supervisor.process.terminate()
    assert supervisor.ended() == 0
    assert sum("note model started" in line for line in supervisor.lines) == 1


def test_a_code_with_a_meaning_is_told_as_a_sentence(start: Start) -> None:
    supervisor = start({"name": "model", "code": "sys.exit(4)"})
    supervisor.wait_for("model found too little memory; it is started again")


def test_what_a_dead_child_had_started_is_ended_before_it_is_restarted(
    start: Start, watch: Callable[[str], Watched]
) -> None:
    supervisor = start({"name": "worker", "code": WITH_GRANDCHILD})
    grandchild = watch(supervisor.wait_for(r"note (\d+) grandchild")[1])
    os.kill(int(up(supervisor)), signal.SIGKILL)
    up(supervisor)
    assert grandchild.is_gone()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_everything_and_the_web_process_first(
    start: Start, watch: Callable[[str], Watched], number: signal.Signals
) -> None:
    supervisor = start(
        {"name": "valkey", "code": in_order("valkey")},
        {"name": "web", "code": in_order("web")},
        {"name": "worker", "code": WITH_GRANDCHILD},
    )
    children = [watch(pid) for pid in supervisor.collect(r"note (\d+) up", 3)]
    children += [watch(pid) for pid in supervisor.collect(r"note (\d+) grandchild", 1)]
    supervisor.process.send_signal(number)
    assert supervisor.ended() == 0
    ends = [line for line in supervisor.lines if line.endswith("ends")]
    assert ends == ["note web ends", "note valkey ends"]
    assert supervisor.lines[-1] == "all ended"
    assert all(each.is_gone(0) for each in children)


def test_a_child_that_does_not_end_is_killed_and_named(
    start: Start, watch: Callable[[str], Watched]
) -> None:
    supervisor = start({"name": "web", "code": DEAF, "grace_s": 0.3})
    child = watch(up(supervisor))
    supervisor.process.terminate()
    supervisor.wait_for("web did not end within 0 s, so it was killed")
    assert supervisor.ended() == 0
    assert child.is_gone(0)


def test_a_child_that_is_not_wanted_any_more_is_ended_with_all_it_started_and_not_restarted(
    start: Start, watch: Callable[[str], Watched], home: Path
) -> None:
    supervisor = start(
        {"name": "model", "code": WITH_GRANDCHILD},
        {"name": "deaf", "code": DEAF, "grace_s": 0.3},
        {"name": "worker", "code": "sys.exit(3)"},
    )
    pids = supervisor.collect(r"note (\d+) up", 2)
    pids += supervisor.collect(r"note (\d+) grandchild", 1)
    watched = [watch(pid) for pid in pids]
    with (home / "notes").open("a") as notes:
        notes.write("end model\nend deaf\nend worker\nend nobody\n")
    gone = supervisor.collect(r"^(\w+) is gone", 4)
    assert sorted(gone) == ["deaf", "model", "nobody", "worker"]
    assert all(each.is_gone() for each in watched)
    assert children_of(supervisor.process.pid).isdisjoint(int(pid) for pid in pids)
    supervisor.process.terminate()
    assert supervisor.ended() == 0
    assert not any("started again" in line for line in supervisor.lines)


def test_a_second_signal_hurries(start: Start, watch: Callable[[str], Watched]) -> None:
    supervisor = start(
        {"name": "web", "code": DEAF, "grace_s": 3600},
        {"name": "valkey", "code": in_order("valkey"), "grace_s": 3600},
    )
    children = [watch(pid) for pid in supervisor.collect(r"note (\d+) up", 2)]
    supervisor.process.terminate()
    supervisor.process.send_signal(signal.SIGINT)
    assert supervisor.ended() == 0
    assert all(each.is_gone(0) for each in children)


def test_nothing_outlives_a_supervisor_that_was_killed(
    start: Start, watch: Callable[[str], Watched], home: Path
) -> None:
    (home / "left behind").mkdir()
    supervisor = start(
        {"name": "web", "code": DEAF},
        {"name": "worker", "code": WITH_GRANDCHILD},
    )
    pids = supervisor.collect(r"note (\d+) up", 2)
    guards = {str(pid) for pid in children_of(supervisor.process.pid)} - set(pids)
    grandchildren = supervisor.collect(r"note (\d+) grandchild", 1)
    watched = [watch(pid) for pid in (*pids, *guards, *grandchildren)]
    assert len(watched) == 4
    supervisor.process.kill()
    assert all(each.is_gone() for each in watched)
    assert not (home / "left behind").exists()


def test_an_error_in_a_childs_output_is_told_and_all_of_it_is_kept(
    start: Start, home: Path
) -> None:
    supervisor = start(
        {
            "name": "web",
            "code": """
for number in range(20_000):
    print(f"line {number} " + "." * 40)
print("INFO flint: an ERROR further on is only talk")
print("ERROR django.request: something broke")
print("[2026-11-30 10:00:00,000: ERROR/MainProcess] a second one soon after", flush=True)
note(f"{os.getpid()} up")
stay()
""",
        }
    )
    supervisor.wait_for("error in web: ERROR django.request: something broke")
    up(supervisor)
    supervisor.process.terminate()
    assert supervisor.ended() == 0
    kept = (home / "logs" / "web.log").read_text()
    assert kept.count("line ") == 20_000
    assert sum("error in web" in line for line in supervisor.lines) == 1
