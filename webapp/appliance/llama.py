"""llama.cpp's server over one file of weights, OpenAI-compatible, on loopback.

One slot, because one turn with all cores is faster than several that share them and keeps one
prefix cache warm. Batches of 64, because a request that was aborted while its prompt is read is
noticed between batches. No Origin is ever reflected, and nothing answers without the key.
"""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from webapp.appliance.tiers import CONTEXT_TOKENS, Tier

BATCH_TOKENS = 64
FIRST_ANSWER_S = 120.0
SPIN_COUNT = "300"
_running: list[Any] = []
"""A server that nobody holds is ended."""


def threads(environment: Mapping[str, str]) -> int:
    """Return FLINT_MODEL_THREADS, else the cores that this process may use."""
    chosen = environment.get("FLINT_MODEL_THREADS", "").strip()
    if chosen.isdecimal() and int(chosen):
        return int(chosen)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serve(tier: Tier, path: Path, environment: Mapping[str, str]) -> str:
    """Serve the weights until this process ends, in threads of its own; returns the address.

    Raises RuntimeError or ValueError when llama.cpp refuses the file, MemoryError.
    """
    # Its threads meet hundreds of times a token. By libgomp's default each spins until the last
    # one has a core: beside busy processes that took 47 tokens/s down to 2; with this, 23 remain.
    # libgomp reads it when it is loaded, which the import does.
    os.environ.setdefault("GOMP_SPINCOUNT", SPIN_COUNT)
    from xllamacpp import CommonParams, Server, common_speculative_type

    params = CommonParams()
    params.model.path = str(path)
    params.model_alias = {environment[tier.setting("MODEL")]}
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads(environment)
    params.cache_ram_mib = tier.prompt_cache_mib
    params.n_ctx_checkpoints = 0
    params.warmup = False
    params.fit_params = False
    params.offline = True
    params.hostnames = ["127.0.0.1"]
    params.port = urlsplit(environment[tier.setting("BASE_URL")]).port or 0
    params.api_keys = [environment[tier.setting("API_KEY")]]
    params.cors_origins = ""
    params.cors_origins_explicit = True
    params.cors_credentials = False
    params.ui = params.endpoint_slots = params.endpoint_props = params.endpoint_metrics = False
    params.verbosity = 1
    params.speculative.types = [common_speculative_type.COMMON_SPECULATIVE_TYPE_NGRAM_MOD]
    params.speculative.ngram_mod.n_match = 8
    params.speculative.ngram_mod.n_max = 32
    params.speculative.ngram_mod.n_min = 4
    _running.append(Server(params))
    return str(_running[-1].listening_address)


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
