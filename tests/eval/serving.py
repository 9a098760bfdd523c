"""The embedded models for the length of a run, as the product serves them, and any other endpoint.

A server is a child that ends with this process, whatever happens to it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from webapp.appliance.children import Child, ChildSpec
from webapp.appliance.plan import reserve_port
from webapp.appliance.tiers import CONTEXT_TOKENS, EMBEDDED, MAX_OUTPUT_TOKENS, Tier
from webapp.engine.ports import EditFormat, Endpoint
from webapp.notices import modelstatus

_NICENESS: Final = 10
_LOOK_S: Final = 0.2
_ROOT: Final = Path(__file__).resolve().parents[2]


class NotServed(Exception):
    """The model could not be started; the text is a sentence."""


def endpoint_of(tier: Tier, port: int, key: str, edit_format: EditFormat) -> Endpoint:
    """Return the embedded model as the product asks it (`appliance/plan.py`), in this format."""
    return Endpoint(
        base_url=f"http://127.0.0.1:{port}",
        api_key=key,
        model=tier.weights.name,
        label=tier.weights.name,
        context_window=CONTEXT_TOKENS,
        max_output=MAX_OUTPUT_TOKENS,
        small=True,
        edit_format=edit_format,
    )


@contextlib.contextmanager
def embedded(
    tier_name: str, edit_format: EditFormat, say: Callable[[str], None]
) -> Iterator[Endpoint]:
    """Serve a tier's embedded model, downloading it if need be. Raises NotServed."""
    tier = EMBEDDED[tier_name]
    with tempfile.TemporaryDirectory(prefix="flint-eval-") as home, reserve_port() as reserved:
        port, key = reserved.getsockname()[1], secrets.token_urlsafe(24)
        status_path = Path(home) / "status.json"
        own = {
            "FLINT_HOME": home,
            tier.setting("STATUS"): str(status_path),
            tier.setting("MODEL"): tier.weights.name,
            tier.setting("BASE_URL"): f"http://127.0.0.1:{port}",
            tier.setting("API_KEY"): key,
        }
        child = Child(
            ChildSpec(
                name=tier.child,
                command=(sys.executable, "-m", "webapp.appliance.modelserver", tier.name),
                environment=lambda: {**os.environ, **own},
                folder=str(_ROOT),
            )
        )
        log_path = Path(home) / "log"
        try:
            with log_path.open("wb") as log:
                os.setpriority(os.PRIO_PROCESS, child.start(log.fileno()), _NICENESS)
            _wait(child, status_path, log_path, say)
            yield endpoint_of(tier, port, key, edit_format)
        finally:
            child.kill()
            while child.pid is not None and child.reap() is None:
                select.select([], [], [], 0.02)


def _wait(child: Child, status_path: Path, log_path: Path, say: Callable[[str], None]) -> None:
    told = ""
    while True:
        status = modelstatus.read(status_path)
        if status is not None and status.state == "ready":
            return
        if child.reap() is not None:
            words = status.message if status else ""
            raise NotServed(words or log_path.read_text("utf-8", "replace")[-500:])
        if status is not None and status.state != told:
            told = status.state
            say(f"The model {status.name}: {told}.")
        select.select([], [], [], _LOOK_S)
