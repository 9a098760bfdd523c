"""Real web processes: what a restart, a crash and a pause do to a session that is open."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cast import Cast
from tests.live.server import serving
from webapp.live import ownership
from webapp.live.files import MAX_LENGTH
from webapp.pairing.create import create_session
from webapp.pairing.models import Entry, Lease, Snapshot

pytestmark = pytest.mark.django_db(transaction=True)
Ask = Callable[[Callable[[], Any]], Awaitable[Any]]
SIZE = len("print('hello')\n")


async def test_a_process_that_is_asked_to_end_saves_all_and_tells_everybody(
    cast: Cast, rows: Ask, tmp_path: Path
) -> None:
    async with (
        serving("web-a", tmp_path) as server,
        server.page(cast.owner, cast.session.slug) as ann,
    ):
        file = (await ann.open("app.py"))["file"]
        await ann.push(file, 0, 1, [[0, "kept "], SIZE])
        await ann.read("pushed")
        server.signal(signal.SIGTERM)
        async with asyncio.timeout(10):
            assert await ann.closed() == 4012
            assert await server.process.wait() == 0
    assert (await rows(partial(Lease.objects.get, session=cast.session))).owner == ""
    assert await rows(Entry.objects.filter(client=ann.id, counter=1).count) == 1
    assert await rows(Snapshot.objects.filter(file_id=file, version=1).count) == 1


async def test_what_was_acknowledged_survives_a_kill_and_the_next_process_goes_on_at_once(
    cast: Cast, rows: Ask, tmp_path: Path
) -> None:
    async with (
        serving("web-a", tmp_path) as first,
        serving("web-b", tmp_path) as second,
    ):
        async with first.page(cast.owner, cast.session.slug) as ann:
            file = (await ann.open("app.py"))["file"]
            for n in range(1, 21):
                await ann.push(file, n - 1, n, [[0, "x"], SIZE + n - 1])
                await ann.read("pushed")
            first.signal(signal.SIGKILL)
            await ann.closed()
        await rows(partial(ownership.expire_leases, "web-a"))
        async with asyncio.timeout(4), second.page(cast.owner, cast.session.slug) as back:
            opened = await back.open("app.py")
    assert (opened["v"], opened["text"]) == (20, "x" * 20 + "print('hello')\n")


async def test_an_owner_that_was_paused_and_overtaken_writes_nothing(
    cast: Cast, rows: Ask, tmp_path: Path
) -> None:
    slug = cast.session.slug
    async with (
        serving("web-a", tmp_path) as paused,
        serving("web-b", tmp_path) as second,
        paused.page(cast.owner, slug) as ann,
    ):
        file = (await ann.open("app.py"))["file"]
        paused.signal(signal.SIGSTOP)
        # What it does first when it wakes up is to take this in, and to commit it.
        await ann.push(file, 0, 1, [[0, "stale "], SIZE])
        async with second.page(cast.member, slug) as bob:
            assert (await bob.open("app.py"))["v"] == 0
            await bob.push(file, 0, 1, [[0, "new "], SIZE])
            await bob.read("pushed")
            paused.signal(signal.SIGCONT)
            assert await ann.closed() == 4009
            await bob.push(file, 1, 2, [[0, "more "], SIZE + 4])
            await bob.read("pushed")
    assert await rows(Entry.objects.filter(client=ann.id).count) == 0
    assert await rows(Entry.objects.filter(client=bob.id).count) == 2


@pytest.mark.parametrize("letter", ["a", "\u6f22", "\u0001"], ids=["ascii", "han", "control"])
async def test_the_largest_file_there_may_be_is_opened_and_typed_into(
    cast: Cast, rows: Ask, tmp_path: Path, letter: str
) -> None:
    text = letter * MAX_LENGTH
    session = await rows(
        partial(create_session, cast.team, cast.owner, "Large", {"a.txt": text, "b.txt": text})
    )
    async with (
        serving("web-a", tmp_path) as server,
        server.page(cast.owner, session.slug) as ann,
    ):
        for path in ("b.txt", "a.txt"):
            async with asyncio.timeout(20):
                opened = await ann.open(path)
            assert opened["text"] == text
        await ann.push(opened["file"], opened["v"], 1, [[1, "x"], MAX_LENGTH - 1])
        assert (await ann.read("pushed", "rejected"))["t"] == "pushed"


async def test_a_frame_that_cannot_be_sent_closes_the_socket_instead_of_silencing_it(
    cast: Cast, tmp_path: Path
) -> None:
    async with (
        serving("web-a", tmp_path, "--websocket-max-message-size=200") as server,
        server.page(cast.owner, cast.session.slug) as ann,
    ):
        await ann.send(t="hello", proto=1, client=ann.id)
        async with asyncio.timeout(10):
            assert await ann.closed() == 4012
