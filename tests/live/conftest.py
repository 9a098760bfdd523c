"""A hub of its own for each test, on the test database, with turns that do nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from tests.cast import Cast, cast, own_cache
from tests.live.people import QuietTurns
from webapp.live import hub as hubs
from webapp.live import reading
from webapp.live.hub import Hub
from webapp.live.room import Room

__all__ = ["cast", "own_cache"]
T = TypeVar("T")


@pytest.fixture
async def hub(transactional_db: None, tmp_path: Path) -> AsyncIterator[Hub]:
    """Return this loop's hub; what it holds is closed after the test."""
    hub = Hub("process-a", QuietTurns, model_status={"preview": tmp_path / "model.json"})
    hubs.use(hub)
    yield hub
    await hub.shutdown()
    # Channels looks sessions up in asgiref's own thread, whose connection would keep the test
    # database from being dropped.
    await sync_to_async(connections.close_all)()


@pytest.fixture
async def room(cast: Cast, hub: Hub) -> Room:
    """Return the cast's session, open."""
    return await hub.enter(cast.session.pk)


@pytest.fixture
def rows(transactional_db: None) -> Iterator[Callable[[Callable[[], T]], Awaitable[T]]]:
    """Return a function that asks the database, as a coroutine."""
    yield reading.read
    reading.read.close()
