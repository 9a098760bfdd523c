"""The deeper model from offer to answer, over real processes and a hub on loopback."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.appliance.hubserver import Hub, serving
from tests.appliance.processes import Running, Watched, children_of
from tests.appliance.tiny import CONTENT, TINY
from webapp.notices import modelwish
from webapp.notices.modelwish import Op, Wish

pytestmark = [
    pytest.mark.timeout(120),
    pytest.mark.skipif(
        not hasattr(os, "pidfd_open"), reason="processes of others are followed with Linux's pidfd"
    ),
]

PLENTY = 10**12
TOTAL = len(CONTENT)


class Flint:
    """One home, with a run of it after another; several may share a cache."""

    def __init__(self, home: Path, cache: Path, hub: Hub) -> None:
        home.mkdir()
        self.home, self.cache, self.hub = home, cache, hub
        self.runs: list[Running] = []
        self.free()

    @property
    def now(self) -> Running:
        return self.runs[-1]

    @property
    def part(self) -> Path:
        return self.cache / "models" / "tiny.gguf.part"

    def free(self, memory_bytes: int = PLENTY, disk_bytes: int = PLENTY) -> None:
        draft = self.home / "free.tmp"
        draft.write_text(f"{memory_bytes} {disk_bytes}")
        draft.replace(self.home / "free")

    def start(self) -> None:
        arguments = ["-m", "tests.appliance.tiny_flint", str(self.home), str(self.cache)]
        self.runs.append(Running([*arguments, self.hub.base]))

    def wish(self, op: Op) -> None:
        path = modelwish.path_beside(self.home / "model-standard.json")
        modelwish.write(path, Wish(op, "Ann"))

    def until(self, pattern: str) -> str:
        return self.now.wait_for(f"^{pattern}").string

    def model_processes(self) -> set[int]:
        found = set()
        for pid in children_of(self.now.process.pid):
            if b"tests.appliance.tiny" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.add(pid)
        return found

    def end(self) -> None:
        self.now.process.send_signal(signal.SIGTERM)
        assert self.now.ended() == 0
        assert self.now.lines[-1] == "all ended"
        assert not (self.home / "model-standard.json").exists()


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serving(Hub(CONTENT)) as hub:
        yield hub


@pytest.fixture
def begin(tmp_path: Path, hub: Hub) -> Iterator[Callable[..., Flint]]:
    made: list[Flint] = []

    def begin(name: str = "home") -> Flint:
        made.append(Flint(tmp_path / name, tmp_path / "the cache", hub))
        made[-1].start()
        return made[-1]

    yield begin
    hub.go_on.set()
    for flint in made:
        for each in flint.runs:
            each.close()


def test_from_the_offer_through_a_stop_to_the_answer(begin: Callable[..., Flint], hub: Hub) -> None:
    hub.hold_after_bytes = [300_000]
    flint = begin()
    flint.until("offered 0 $")
    assert flint.model_processes() == set()
    flint.wish("start")
    flint.until("downloading 262144 ")
    flint.wish("stop")
    flint.until("paused [123]")
    assert flint.model_processes() == set()
    kept_bytes = flint.part.stat().st_size
    assert 0 < kept_bytes <= 300_000
    flint.wish("start")
    flint.until("ready ")
    assert hub.asked == ["", f"bytes={kept_bytes}-"]  # only what was missing
    assert len(flint.model_processes()) == 1
    assert (flint.cache / "models" / "tiny.gguf").read_bytes() == CONTENT


def test_a_model_that_answers_can_be_left_and_had_again_without_a_download(
    begin: Callable[..., Flint], hub: Hub
) -> None:
    flint = begin()
    flint.wish("start")
    flint.until("ready ")
    flint.wish("stop")
    flint.until(f"offered {TOTAL} The model is on this machine already")
    assert flint.model_processes() == set()
    flint.wish("start")
    flint.until("ready ")
    assert hub.asked == [""]


def test_a_process_that_is_killed_goes_on_where_it_was(
    begin: Callable[..., Flint], hub: Hub
) -> None:
    hub.hold_after_bytes = [300_000]
    flint = begin()
    flint.wish("start")
    flint.until("downloading 262144 ")
    (pid,) = flint.model_processes()
    os.kill(pid, signal.SIGKILL)
    flint.until("ready ")
    (_, again) = hub.asked
    assert again.startswith("bytes=2") or again.startswith("bytes=3")


def test_a_model_that_dies_is_not_ready_until_it_answers_again(begin: Callable[..., Flint]) -> None:
    flint = begin()
    flint.wish("start")
    for _ in range(2):
        flint.until("ready ")
        (pid,) = flint.model_processes()
        os.kill(pid, signal.SIGKILL)
        flint.until("starting ")
    flint.until("ready ")


def test_a_machine_without_the_memory_says_so_and_starts_it_once_there_is_room(
    begin: Callable[..., Flint], hub: Hub
) -> None:
    flint = begin()
    flint.until("offered 0 $")
    flint.free(memory_bytes=TINY.needs_bytes - 1)
    flint.until("unfit 0 This machine is too small for the model Tiny")
    flint.wish("start")
    flint.free(memory_bytes=TINY.needs_bytes - 200_000)
    flint.free()
    flint.until("ready ")
    assert hub.asked == [""]


def test_a_disk_without_room_says_so_before_anything_is_asked_for(
    begin: Callable[..., Flint], hub: Hub
) -> None:
    flint = begin()
    flint.free(disk_bytes=TOTAL - 1)
    flint.until("unfit 0 The disk is too full for the model Tiny")
    flint.wish("start")
    flint.wish("stop")
    flint.free()
    flint.until("offered 0 $")
    assert hub.asked == []


def test_a_file_with_another_digest_is_never_used_and_can_be_asked_for_again(
    begin: Callable[..., Flint], hub: Hub
) -> None:
    hub.content = CONTENT[:-1] + b"?"
    flint = begin()
    flint.wish("start")
    flint.until("paused 0 The model Tiny could not be downloaded .*SHA-256")
    assert not (flint.cache / "models" / "tiny.gguf").exists()
    hub.content = CONTENT
    flint.wish("start")
    flint.until("ready ")


def test_the_wish_outlives_the_run(begin: Callable[..., Flint], hub: Hub) -> None:
    hub.hold_after_bytes = [300_000]
    flint = begin()
    flint.wish("start")
    flint.until("downloading 262144 ")
    processes = [Watched(pid) for pid in flint.model_processes()]
    flint.end()
    assert all(each.is_gone(0) for each in processes)
    for each in processes:
        each.close()
    kept_bytes = flint.part.stat().st_size

    flint.start()
    flint.until(f"downloading {kept_bytes} ")
    flint.until("ready ")
    assert hub.asked == ["", f"bytes={kept_bytes}-"]
    flint.end()

    flint.start()
    flint.until("starting ")
    flint.until("ready ")
    flint.wish("stop")
    flint.until(f"offered {TOTAL} ")
    flint.end()

    flint.start()
    flint.until(f"offered {TOTAL} ")
    assert len(hub.asked) == 2


def test_what_was_stopped_stays_so_at_the_next_start(begin: Callable[..., Flint], hub: Hub) -> None:
    hub.hold_after_bytes = [300_000]
    flint = begin()
    flint.wish("start")
    flint.until("downloading 262144 ")
    flint.wish("stop")
    flint.until("paused ")
    flint.end()
    flint.start()
    flint.until("paused [123]")
    assert flint.model_processes() == set()
    assert len(hub.asked) == 1


def test_two_homes_with_one_cache_download_once(begin: Callable[..., Flint], hub: Hub) -> None:
    hub.hold_after_bytes = [300_000]
    one, two = begin("one"), begin("two")
    one.wish("start")
    one.until("downloading 262144 ")
    two.wish("start")
    two.until("downloading 262144 ")  # what the other has brought
    hub.go_on.set()
    for flint in (one, two):
        flint.until("ready ")
    assert hub.asked == [""]


def test_who_waited_goes_on_when_the_other_is_stopped(
    begin: Callable[..., Flint], hub: Hub
) -> None:
    hub.hold_after_bytes = [300_000]
    one, two = begin("one"), begin("two")
    one.wish("start")
    one.until("downloading 262144 ")
    two.wish("start")
    two.until("downloading 262144 ")
    one.wish("stop")
    one.until("paused ")
    two.until("ready ")
    assert len(hub.asked) == 2 and hub.asked[1].startswith("bytes=")
    one.until(f"offered {TOTAL} ")  # it is here now, whoever brought it
