"""Threads with database connections of their own, for what must not wait behind anybody's view.

Django's own thread for async code is one for the whole process; a slow view would hold up joining.
The readers load sessions and old entries. The keeper does the short, regular work that keeps a
session ours (leases, access), and never waits behind a reader.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from django.db import close_old_connections, connections

log = logging.getLogger(__name__)
T = TypeVar("T")

CLOSE_S: Final = 5.0


class Pool:
    """A few threads that call functions with a live database connection."""

    def __init__(self, name: str, threads: int) -> None:
        self._name = name
        self._threads = threads
        self._executor = self._make()

    async def __call__(self, fn: Callable[[], T]) -> T:
        """Return what `fn` returns, called in one of the threads."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, _called, fn)

    def close(self) -> None:
        """Let the threads end when they are done; the pool may be used again."""
        executor, self._executor = self._executor, self._make()
        # One call for each thread: none ends before all have begun.
        together = threading.Barrier(self._threads)
        for _ in range(self._threads):
            executor.submit(_close_connections, together)
        executor.shutdown(wait=False)

    def _make(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._threads, thread_name_prefix=self._name)


def _close_connections(together: threading.Barrier) -> None:
    try:
        together.wait(CLOSE_S)
    except threading.BrokenBarrierError:
        log.debug("A thread was busy for too long; its connection ends with the process.")
    connections.close_all()


def _called(fn: Callable[[], T]) -> T:
    close_old_connections()
    return fn()


read = Pool("flint-read", 4)
keep = Pool("flint-keep", 1)
