"""Where a model's weights are, and bringing them when they are not here.

In order: the file that the operator set, the cache, a download (download.py). Whatever the source,
a file is used only when its SHA-256 is the one its publisher gave, so no source needs to be
trusted. The cache is the user's, shared by every Flint on the machine; a lock lets one of them
download while the others wait, which show what the one has brought.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from webapp.appliance import download, fitness
from webapp.appliance.download import sha256_of, size_of
from webapp.appliance.hub import DiskFull, SourceFailed
from webapp.appliance.progress import Meter, Progress
from webapp.appliance.published import Weights
from webapp.appliance.tiers import Tier
from webapp.lib.sentences import Sentence, gettext_noop, said

WAIT_S = 0.5


class NoWeights(Exception):
    """There are no weights to run; the text says why and what to do, for a person."""


class WrongFile(NoWeights):
    """The file that the operator set cannot be used. Asking again changes nothing."""


WHAT_TO_DO = Sentence(
    gettext_noop(
        "To go on, run `make run` again when the network is back, set FLINT_MODEL_PATH to a copy of"
        " the file, or set FLINT_PREVIEW_BASE_URL to a model server of yours. Everything but the"
        " model works meanwhile."
    )
)
ASK_AGAIN = Sentence(
    gettext_noop(
        "What has arrived is kept: ask for the model again when the network is back, and it goes"
        " on from there. Everything else works meanwhile."
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


def kept_path(tier: Tier, environment: Mapping[str, str], home: Path) -> Path:
    """Return where the tier's weights are, or would be kept."""
    given = tier.given_path(environment)
    if given:
        return Path(given).expanduser().absolute()
    return cache_folder(environment, home) / tier.weights.file_name


def here_bytes(tier: Tier, environment: Mapping[str, str], home: Path) -> int:
    """Return how much of the tier's weights is here, by the files' lengths alone."""
    kept = kept_path(tier, environment, home)
    if tier.given_path(environment) or size_of(kept) == tier.weights.size_bytes:
        return tier.weights.size_bytes
    return min(size_of(download.part_of(kept)), tier.weights.size_bytes)


def ensure(
    tier: Tier,
    environment: Mapping[str, str],
    home: Path,
    report: Callable[[Progress], None],
    say: Callable[[str], None],
    wait: Callable[[float], None] = time.sleep,
) -> Path:
    """Return the path of verified weights, downloading them if need be. Raises NoWeights.

    `report` hears of a download's progress, `say` of anything else worth a line.
    """
    weights, kept = tier.weights, kept_path(tier, environment, home)
    if tier.given_path(environment):
        return _given(tier, kept, environment)
    meter = Meter(weights.size_bytes, report)

    def look_on(seconds: float) -> None:
        meter.at(here_bytes(tier, environment, home))
        wait(seconds)

    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        if _is_right(kept, weights):
            return kept
        with _alone(kept.with_name(f"{kept.name}.lock"), say, look_on):
            # Another process may have brought it while this one waited.
            if not _is_right(kept, weights):
                kept.unlink(missing_ok=True)
                download.bring(weights, kept, environment, meter, say, wait)
    except SourceFailed as error:
        raise NoWeights(
            Sentence(
                gettext_noop(
                    "The model %(name)s could not be downloaded (%(reasons)s). %(what_to_do)s"
                ),
                name=weights.name,
                reasons=said(error),
                what_to_do=ASK_AGAIN if tier.on_demand else WHAT_TO_DO,
            )
        ) from None
    except DiskFull:
        raise NoWeights(_no_room(tier, kept)) from None
    except OSError as error:
        raise NoWeights(
            Sentence(
                gettext_noop(
                    "The model cannot be kept in %(folder)s: %(problem)s. Set FLINT_CACHE to"
                    " a folder that can be written, and run `make run` again."
                ),
                folder=str(kept.parent),
                problem=error.strerror or said(error),
            )
        ) from error
    return kept


def _no_room(tier: Tier, kept: Path) -> Sentence:
    folder = str(kept.parent)
    needed = f"{fitness.disk_bytes(tier, size_of(download.part_of(kept))) / 1e6:.0f}"
    if tier.on_demand:
        return Sentence(
            gettext_noop(
                "There is no room for the model in %(folder)s: it needs %(needed)s MB more. What"
                " has arrived is kept. Free some space and ask for it again, or have whoever"
                " operates Flint set FLINT_CACHE to a folder on another disk."
            ),
            folder=folder,
            needed=needed,
        )
    return Sentence(
        gettext_noop(
            "There is no room for the model in %(folder)s: it needs %(needed)s MB more. What has"
            " arrived is kept. Free some space, or set FLINT_CACHE to a folder on another disk,"
            " and run `make run` again."
        ),
        folder=folder,
        needed=needed,
    )


def _given(tier: Tier, path: Path, environment: Mapping[str, str]) -> Path:
    expected = environment.get(tier.digest_setting, "").strip().lower()
    expected = expected or tier.weights.sha256
    try:
        found = sha256_of(path)
    except OSError as error:
        raise WrongFile(
            Sentence(
                gettext_noop(
                    "%(setting)s is %(path)s, which cannot be read: %(problem)s. Correct it,"
                    " or leave it out to have the model downloaded, and run `make run` again."
                ),
                setting=tier.path_setting,
                path=str(path),
                problem=str(error.strerror),
            )
        ) from None
    if found != expected:
        raise WrongFile(
            Sentence(
                gettext_noop(
                    "%(setting)s is %(path)s, whose SHA-256 is %(found)s, not %(expected)s."
                    " If you trust this file, set %(digest_setting)s to the digest its publisher"
                    " gives, and run `make run` again."
                ),
                setting=tier.path_setting,
                path=str(path),
                found=found,
                expected=expected,
                digest_setting=tier.digest_setting,
            )
        )
    return path


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
