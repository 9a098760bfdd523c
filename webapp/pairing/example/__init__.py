"""The project of the first visit: a small program with a test and a deliberate bug.

Its files stand here with `.txt` behind their names, so that no tool takes them for ours.
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent
_NAMES = ("fizzbuzz.py", "test_fizzbuzz.py", "README.md")


def files() -> dict[str, str]:
    """Return the example project: each path with its text."""
    return {name: (_HERE / f"{name}.txt").read_text(encoding="utf-8") for name in _NAMES}
