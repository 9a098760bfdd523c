"""Whether a machine is large enough: memory, control groups, disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from webapp.appliance.fitness import Free, available_bytes, disk_bytes, measure, unfit
from webapp.appliance.published import Slice, Weights
from webapp.appliance.tiers import PREVIEW, STANDARD
from webapp.lib.sentences import Sentence

TINY = replace(
    STANDARD,
    weights=Weights(
        "Tiny",
        "t.gguf",
        1000,
        "-",
        "a/b",
        (Slice("p", "1", 400, 600, "-"), Slice("q", "1", 90, 400, "-")),
    ),
    needs_bytes=2_000_000_000,
)
FOLDER = Path("/the/cache")


def test_a_machine_with_room_is_told_nothing() -> None:
    assert unfit(TINY, FOLDER, 0, Free(2_000_000_000, 1800)) is None
    assert unfit(TINY, FOLDER, 0, Free(None, None)) is None


def test_too_little_memory_is_a_sentence_with_both_numbers() -> None:
    why = unfit(TINY, FOLDER, 0, Free(1_999_999_999, None))
    assert isinstance(why, Sentence)
    assert "needs 2.0 GB of memory, and 1.9 GB are free" in why
    assert "FLINT_STANDARD_BASE_URL" in why


def test_memory_that_another_model_is_about_to_take_counts_as_taken() -> None:
    free = Free(2_500_000_000, None)
    assert unfit(TINY, FOLDER, 0, free) is None
    assert "and 1.7 GB are free" in str(unfit(TINY, FOLDER, 0, free, PREVIEW.needs_bytes))
    assert "and 0.0 GB are free" in str(unfit(TINY, FOLDER, 0, Free(1, None), 2))


def test_the_disk_must_hold_the_rest_and_one_package_twice() -> None:
    assert disk_bytes(TINY, 0) == 1800
    assert disk_bytes(TINY, 700) == 1100
    assert disk_bytes(TINY, 1000) == 0
    assert unfit(TINY, FOLDER, 700, Free(None, 1100)) is None
    why = unfit(TINY, FOLDER, 700, Free(None, 1099))
    assert "/the/cache" in str(why) and "FLINT_CACHE" in str(why)
    assert unfit(TINY, FOLDER, 1000, Free(None, 0)) is None


def test_the_real_one_needs_hardly_more_disk_than_the_file() -> None:
    assert 1.12e9 < disk_bytes(STANDARD, 0) < 1.25e9
    why = unfit(STANDARD, FOLDER, 0, Free(None, 1_100_000_000))
    assert "needs 1.23 GB more, and 1.1 GB are free" in str(why)


def test_this_machine_can_be_measured(tmp_path: Path) -> None:
    free = measure(tmp_path / "not" / "there" / "yet")
    assert free.disk_bytes is not None and free.disk_bytes > 0


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    (tmp_path / "proc" / "self").mkdir(parents=True)
    (tmp_path / "proc" / "meminfo").write_text("MemTotal: 100 kB\nMemAvailable:     4000 kB\n")
    return tmp_path / "proc"


def group(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)


def test_without_control_groups_it_is_what_the_machine_says(proc: Path, tmp_path: Path) -> None:
    assert available_bytes(proc, tmp_path / "none") == 4000 * 1024
    assert available_bytes(tmp_path / "no proc", tmp_path / "none") is None


def test_the_tightest_group_above_the_process_counts(proc: Path, tmp_path: Path) -> None:
    (proc / "self" / "cgroup").write_text("0::/team/flint\n")
    groups = tmp_path / "groups"
    group(groups / "team" / "flint", memory__max="max\n", memory__current="10\n")
    group(
        groups / "team",
        memory__max="3000000\n",
        memory__current="2500000\n",
        memory__stat="anon 5\nfile 900000\ninactive_file 700000\n",
    )
    assert available_bytes(proc, groups) == 1_200_000


def test_in_a_container_only_the_top_group_is_seen(proc: Path, tmp_path: Path) -> None:
    (proc / "self" / "cgroup").write_text("0::/docker/abc\n")
    group(tmp_path / "groups", memory__max="1000000\n", memory__current="400000\n")
    assert available_bytes(proc, tmp_path / "groups") == 600_000


def test_version_1_counts_too(proc: Path, tmp_path: Path) -> None:
    (proc / "self" / "cgroup").write_text("5:cpu,cpuacct:/x\n3:memory:/x\n")
    folder = tmp_path / "groups" / "memory"
    group(folder, memory__limit_in_bytes=str(2**63 - 4096), memory__usage_in_bytes="5")
    assert available_bytes(proc, tmp_path / "groups") == 4000 * 1024
    group(folder / "x", memory__limit_in_bytes="900000", memory__usage_in_bytes="950000")
    assert available_bytes(proc, tmp_path / "groups") == 0
