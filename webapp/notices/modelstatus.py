"""How far the embedded model is: written by the appliance, read by the pages.

One small JSON file, replaced whole, because the two live in different processes and the
database must not be needed to say that weights are downloading. A message that is a Sentence is
kept as one, since only who reads it knows the language; any other text is kept as it is.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from webapp.lib.sentences import from_json, to_json

State = Literal[
    "offered", "unfit", "downloading", "paused", "missing", "starting", "ready", "failed"
]
"""`offered`: downloaded when somebody asks; `paused`: somebody stopped the download, which goes on
where it was; `unfit`: this machine is too small for it, as the message says."""


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """The state of one tier's model; sizes in bytes, times in seconds."""

    state: State
    name: str = ""
    message: str = ""
    done_bytes: int = 0
    total_bytes: int = 0
    bytes_per_s: float = 0.0
    eta_s: float | None = None
    tier: str = "preview"


def write(path: Path, status: ModelStatus) -> None:
    """Replace the file at `path`; a reader sees the old or the new one, never half."""
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    values = {**asdict(status), "message": to_json(status.message)}
    draft.write_text(json.dumps(values), encoding="utf-8")
    draft.replace(path)


def read(path: Path) -> ModelStatus | None:
    """Return what was written last, or None when nothing (readable) was."""
    try:
        status = ModelStatus(**json.loads(path.read_text(encoding="utf-8")))
        return replace(status, message=from_json(status.message))
    except (OSError, ValueError, TypeError):
        return None
