"""What people want of an embedded model: written by the web process, read by the appliance.

One small JSON file beside the model's status file, replaced whole. It is a wish and no command:
the appliance looks at it a few times a second and does what still makes sense, and what was wished
last still holds when Flint is started again. Turned down: a request through Redis, which may lose
it, and a row, since the appliance must not need the database while Flint runs.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal, get_args

Op = Literal["start", "stop"]

ON_DEMAND: Final = frozenset({"standard"})
"""The tiers whose embedded model is brought only when somebody asks for it."""


@dataclass(frozen=True, slots=True)
class Wish:
    """`start`: bring the model and serve it; `stop`: leave it, keeping what has arrived."""

    op: Op
    who: str = ""
    """Who wished it, for the operator's eyes."""
    at: str = ""
    """When, in ISO 8601."""


def path_beside(status_file: Path) -> Path:
    """Return where the wish lies that belongs to a status file."""
    return status_file.with_name(f"{status_file.stem}-wish.json")


def write(path: Path, wish: Wish) -> None:
    """Replace the file at `path`; a reader sees the old or the new one, never half."""
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    draft.write_text(json.dumps(asdict(wish)), encoding="utf-8")
    draft.replace(path)


def read(path: Path) -> Wish | None:
    """Return what was written last, or None when nothing (readable) was."""
    try:
        wish = Wish(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return wish if wish.op in get_args(Op) else None
