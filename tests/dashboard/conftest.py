"""The cast, a home of its own for each test, and a scripted model server on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.cast import cast, own_cache
from tests.upstream import Upstream

__all__ = ["cast", "own_cache"]


@pytest.fixture(autouse=True)
def home(settings: Settings, tmp_path: Path) -> Path:
    """An empty home; Flint is bound to loopback only, with a model of its own in one tier."""
    settings.FLINT_HOME = tmp_path
    settings.FLINT_ENDPOINT_KEYS = []
    settings.FLINT_ENDPOINT_HOSTS = []
    settings.FLINT_LOOPBACK_ONLY = True
    own = {
        "base_url": "http://127.0.0.1:9",
        "api_key": "the-installations-own-key",
        "model": "Tiny",
        "context_window": 8192,
        "max_output": 4096,
        "small": True,
        "edit_format": "whole",
        "status_file": tmp_path / "model-preview.json",
    }
    other = {**own, "base_url": "", "status_file": tmp_path / "model-standard.json"}
    settings.MODELS = {"preview": own, "standard": other}
    return tmp_path


@pytest.fixture(scope="session")
def server() -> Iterator[Upstream]:
    """One server for all tests."""
    with Upstream.in_thread() as upstream:
        yield upstream


@pytest.fixture
def upstream(server: Upstream) -> Upstream:
    """The server, without what an earlier test told it."""
    server.reset()
    server.script({"say": "1 2 3"})
    return server
