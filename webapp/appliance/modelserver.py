"""The embedded model: brings its weights, then serves them on loopback, OpenAI-compatible.

`python -m webapp.appliance.modelserver` is a child of the supervisor. It takes the port and the
key from its environment, since the web process must know both before the model is up, and tells
how far it is through the model's status file. It handles no signal: the default ends it at once,
also while the weights are loaded, and an interrupted download goes on at the next start.

One slot, because one turn with all cores is faster than several that share them and keeps one
prefix cache warm. Batches of 64, because a request that was aborted while its prompt is read is
noticed between batches. No Origin is ever reflected, and nothing answers without the key.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from webapp.appliance import progress, weights
from webapp.appliance.logs import NOTE
from webapp.lib.sentences import Sentence, gettext_noop, said
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus, State

CONTEXT_TOKENS = 8192
MAX_OUTPUT_TOKENS = 2048
BATCH_TOKENS = 64
PROMPT_CACHE_MIB = 512
NEEDS_BYTES = 750_000_000
FIRST_ANSWER_S = 120.0
SPIN_COUNT = "300"

NICENESS = 3

EXIT_NO_WEIGHTS = 3
EXIT_NO_MEMORY = 4
EXIT_UNUSABLE = 5


class Reporter:
    """Writes the status file, and says in the log what is worth keeping."""

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self._name = name

    def state(self, state: State, message: str = "") -> None:
        """Tell of a new state; `message` is a sentence for a person."""
        modelstatus.write(self._path, ModelStatus(state, self._name, message))
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
            ),
        )

    def say(self, text: str) -> None:
        """Write a line to the log, which the supervisor also shows in the terminal."""
        print(f"{NOTE}{text}", flush=True)


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Serve until a signal; returns an exit code when that cannot be."""
    home = Path(environment["FLINT_HOME"])
    reporter = Reporter(
        Path(environment["FLINT_PREVIEW_STATUS"]), environment["FLINT_PREVIEW_MODEL"]
    )
    # It computes with all cores; the page that shows what it writes must not wait for it.
    os.nice(NICENESS)
    try:
        path = weights.ensure(weights.PREVIEW, environment, home, reporter.progress, reporter.say)
    except weights.NoWeights as error:
        reporter.state("missing", said(error))
        return EXIT_NO_WEIGHTS
    reporter.state("starting")
    free = available_bytes()
    if free is not None and free < NEEDS_BYTES:
        reporter.state(
            "failed",
            Sentence(
                gettext_noop(
                    "The model needs %(needed)s MB of memory, and %(free)s MB are "
                    "free. It is tried again in a while: end other programs, or set "
                    "FLINT_PREVIEW_BASE_URL to a model server elsewhere."
                ),
                needed=f"{NEEDS_BYTES / 1e6:.0f}",
                free=f"{free / 1e6:.0f}",
            ),
        )
        return EXIT_NO_MEMORY
    try:
        server = serve(path, environment)
    except MemoryError:
        reporter.state("failed", OUT_OF_MEMORY)
        return EXIT_NO_MEMORY
    except (RuntimeError, ValueError) as error:
        reporter.state(
            "failed",
            Sentence(
                gettext_noop(
                    "The model could not be loaded from %(path)s: %(problem)s. %(what_to_do)s"
                ),
                path=str(path),
                problem=str(error),
                what_to_do=weights.WHAT_TO_DO,
            ),
        )
        return EXIT_UNUSABLE
    answer(server.listening_address, environment["FLINT_PREVIEW_API_KEY"])
    reporter.state("ready")
    threading.Event().wait()
    return 0


OUT_OF_MEMORY = Sentence(
    gettext_noop(
        "The model ran out of memory; it needs about %(needed)s MB. It is started again: "
        "end other programs, or set FLINT_PREVIEW_BASE_URL to a model server elsewhere."
    ),
    needed=f"{NEEDS_BYTES / 1e6:.0f}",
)


def available_bytes(meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """Return how much memory could be used without swapping, or None where that is unknown."""
    try:
        for line in meminfo.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        return None
    return None


def threads(environment: Mapping[str, str]) -> int:
    """Return FLINT_MODEL_THREADS, else the cores that this process may use."""
    chosen = environment.get("FLINT_MODEL_THREADS", "").strip()
    if chosen.isdecimal() and int(chosen):
        return int(chosen)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serve(path: Path, environment: Mapping[str, str]) -> Any:
    """Load the weights and return the server, which runs in threads of its own.

    Raises RuntimeError when llama.cpp refuses the file.
    """
    # Its threads meet hundreds of times a token. By libgomp's default each spins until the last
    # one has a core: beside busy processes that took 47 tokens/s down to 2; with this, 23 remain.
    # libgomp reads it when it is loaded, which the import does.
    os.environ.setdefault("GOMP_SPINCOUNT", SPIN_COUNT)
    from xllamacpp import CommonParams, Server, common_speculative_type

    params = CommonParams()
    params.model.path = str(path)
    params.model_alias = {environment["FLINT_PREVIEW_MODEL"]}
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads(environment)
    params.cache_ram_mib = PROMPT_CACHE_MIB
    params.n_ctx_checkpoints = 0
    params.warmup = False
    params.fit_params = False
    params.offline = True
    params.hostnames = ["127.0.0.1"]
    params.port = urlsplit(environment["FLINT_PREVIEW_BASE_URL"]).port or 0
    params.api_keys = [environment["FLINT_PREVIEW_API_KEY"]]
    params.cors_origins = ""
    params.cors_origins_explicit = True
    params.cors_credentials = False
    params.ui = params.endpoint_slots = params.endpoint_props = params.endpoint_metrics = False
    params.verbosity = 1
    params.speculative.types = [common_speculative_type.COMMON_SPECULATIVE_TYPE_NGRAM_MOD]
    params.speculative.ngram_mod.n_match = 8
    params.speculative.ngram_mod.n_max = 32
    params.speculative.ngram_mod.n_min = 4
    return Server(params)


def answer(address: str, key: str) -> None:
    """Have it say one token, so that `ready` means ready and the first turn finds it warm."""
    where = urlsplit(address)
    connection = http.client.HTTPConnection(
        where.hostname or "127.0.0.1", where.port, timeout=FIRST_ANSWER_S
    )
    body = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
    response = connection.getresponse()
    response.read()
    connection.close()
    if response.status != http.client.OK:
        raise OSError(f"the model server answered its first request with {response.status}")


if __name__ == "__main__":
    sys.exit(main())
