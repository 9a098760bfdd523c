"""The sandbox for tests: all that need it are skipped, with the reason, where none can be had."""

from __future__ import annotations

import functools

import pytest

from webapp.checks.sandbox import Limits, Result, Sandbox


@functools.cache
def problem() -> str | None:
    """Return why there is no sandbox here, or None."""
    return Sandbox().probe()


needs_sandbox = pytest.mark.skipif(problem() is not None, reason=problem() or "")


def python(code: str, limits: Limits | None = None, **files: bytes) -> Result:
    """Run a program in Python in the sandbox."""
    return Sandbox().run({"program.py": code.encode(), **files}, ["python3", "program.py"], limits)
