"""Where the Flint of a folder answers, as the supervisor noted it in the file it holds locked."""

from __future__ import annotations

import json
import os
from pathlib import Path

FILE = "appliance.lock"


def running_at(home: Path) -> str | None:
    """Return the origin of the Flint that runs on `home`, or None when none does."""
    try:
        note = json.loads((home / FILE).read_text(encoding="utf-8"))
        os.kill(int(note["pid"]), 0)  # asks whether it is there, and whether it is ours
        return str(note["address"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
