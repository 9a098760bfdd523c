"""The process of one embedded model: brings its weights, then serves them.

`python -m webapp.appliance.modelserver TIER` is a child of the supervisor. It takes the port and
the key from its environment, since the web process must know both before the model is up, and
tells how far it is through the tier's status file. It handles no signal: the default ends it at
once, also while weights are downloaded or loaded, and an interrupted download goes on at the next
start.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from webapp.appliance import fitness, llama, progress, weights
from webapp.appliance.logs import NOTE
from webapp.appliance.tiers import EMBEDDED, Tier
from webapp.lib.sentences import Sentence, gettext_noop, said
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus, State

EXIT_NO_WEIGHTS = 3
EXIT_NO_MEMORY = 4
EXIT_UNUSABLE = 5

Serve = Callable[[Tier, Path, Mapping[str, str]], str]
"""Begins to serve a file, and returns the address once it listens. Raises RuntimeError or
ValueError when the file is none, MemoryError."""


class Reporter:
    """Writes the tier's status file, and says in the log what is worth keeping."""

    def __init__(self, path: Path, name: str, tier: Tier) -> None:
        self._path = path
        self._name = name
        self._tier = tier

    def state(self, state: State, message: str = "", done_bytes: int = 0) -> None:
        """Tell of a new state; `message` is a sentence for a person."""
        total_bytes = self._tier.weights.size_bytes if done_bytes else 0
        modelstatus.write(
            self._path,
            ModelStatus(state, self._name, message, done_bytes, total_bytes, tier=self._tier.name),
        )
        if message:
            print(message, flush=True)

    def progress(self, now: progress.Progress) -> None:
        """Tell how far the download is."""
        modelstatus.write(
            self._path,
            ModelStatus(
                "downloading",
                self._name,
                done_bytes=now.done_bytes,
                total_bytes=now.total_bytes,
                bytes_per_s=now.bytes_per_s,
                eta_s=now.eta_s,
                tier=self._tier.name,
            ),
        )

    def say(self, text: str) -> None:
        """Write a line to the log, which the supervisor also shows in the terminal."""
        print(f"{NOTE}{text}", flush=True)


def main(
    tier: Tier, environment: Mapping[str, str] = os.environ, serve: Serve = llama.serve
) -> int:
    """Serve until a signal; returns an exit code when that cannot be."""
    home = Path(environment["FLINT_HOME"])
    reporter = Reporter(
        Path(environment[tier.setting("STATUS")]), environment[tier.setting("MODEL")], tier
    )
    # It computes with all cores; the page that shows what it writes must not wait for it.
    os.nice(tier.niceness)
    try:
        path = weights.ensure(tier, environment, home, reporter.progress, reporter.say)
    except weights.WrongFile as error:
        reporter.state("missing", said(error))
        return EXIT_NO_WEIGHTS
    except weights.NoWeights as error:
        here_bytes = weights.here_bytes(tier, environment, home)
        reporter.state("paused" if tier.on_demand else "missing", said(error), here_bytes)
        return EXIT_NO_WEIGHTS
    reporter.state("starting")
    free = fitness.available_bytes()
    if free is not None and free < tier.needs_bytes:
        reporter.state("failed", too_little_memory(tier, free))
        return EXIT_NO_MEMORY
    try:
        address = serve(tier, path, environment)
    except MemoryError:
        reporter.state("failed", out_of_memory(tier))
        return EXIT_NO_MEMORY
    except (RuntimeError, ValueError) as error:
        reporter.state("failed", not_loaded(tier, path, error))
        return EXIT_UNUSABLE
    llama.answer(address, environment[tier.setting("API_KEY")])
    reporter.state("ready")
    threading.Event().wait()
    return 0


def too_little_memory(tier: Tier, free_bytes: int) -> Sentence:
    """Return what to say before the weights are loaded in vain."""
    return Sentence(
        gettext_noop(
            "The model needs %(needed)s MB of memory, and %(free)s MB are free. It is tried again"
            " in a while: end other programs, or set %(setting)s to a model server elsewhere."
        ),
        needed=f"{tier.needs_bytes / 1e6:.0f}",
        free=f"{free_bytes / 1e6:.0f}",
        setting=tier.setting("BASE_URL"),
    )


def out_of_memory(tier: Tier) -> Sentence:
    """Return what to say when loading them failed for want of memory."""
    return Sentence(
        gettext_noop(
            "The model ran out of memory; it needs about %(needed)s MB. It is started again: end"
            " other programs, or set %(setting)s to a model server elsewhere."
        ),
        needed=f"{tier.needs_bytes / 1e6:.0f}",
        setting=tier.setting("BASE_URL"),
    )


def not_loaded(tier: Tier, path: Path, error: Exception) -> Sentence:
    """Return what to say when the file is not what the server can run."""
    return Sentence(
        gettext_noop(
            "The model could not be loaded from %(path)s: %(problem)s. Everything but the model"
            " works meanwhile. Give %(path_setting)s another file, or set %(setting)s to a model"
            " server of yours, and run `make run` again."
        ),
        path=str(path),
        problem=str(error),
        path_setting=tier.path_setting,
        setting=tier.setting("BASE_URL"),
    )


if __name__ == "__main__":
    sys.exit(main(EMBEDDED[sys.argv[1]]))
