"""Random histories: three pages and a server-side author, over connections that fail.

Nothing here runs by the clock: commits reach the room only where the history says so, so that a
seed is a history. What must hold in the end is what the room promises.
"""

from __future__ import annotations

import random
from functools import partial

import pytest

from tests.cast import Cast
from tests.live.people import Typist
from webapp.document.changes import ChangeSet
from webapp.document.text import loads_utf16
from webapp.live import loading, reading
from webapp.live.hub import Hub
from webapp.live.presence import Colors
from webapp.live.room import Room
from webapp.pairing.create import create_session
from webapp.pairing.models import Entry, Snapshot

pytestmark = pytest.mark.django_db(transaction=True)

START = "def fizz(n):\n    return n\n\N{GRINNING FACE}!\n"
STEPS = 120
SEEDS = 200
BLOCK = 10


def _change(chance: random.Random, text: str) -> ChangeSet:
    """Return one to three small changes, some of them through the middle of a pair."""
    spots = sorted(chance.randint(0, len(text)) for _ in range(2 * chance.randint(1, 3)))
    changes = []
    for start, end in zip(spots[::2], spots[1::2], strict=True):
        inserted = "".join(chance.choices("ab\n\ud83d\ude00", k=chance.randint(0, 4)))
        changes.append((start, min(end, start + chance.randint(0, 6)), inserted))
    return ChangeSet.of(len(text), changes)


def _fail() -> None:
    raise OSError("the disk is full")


async def _play(chance: random.Random, hub: Hub, room: Room, file: str, pages: list[Typist]) -> int:
    """Run one history; return how many changes the server made that lasted."""
    written: set[int] = set()
    for _ in range(STEPS):
        page = chance.choice(pages)
        match chance.choices(
            ["type", "push", "again", "handle", "cut", "back", "write", "settle", "fail"],
            [25, 15, 4, 25, 2, 6, 12, 10, 0.5],
        )[0]:
            case "type":
                page.edit(_change(chance, page.collab.text))
            case "push":
                page.push_some(chance.randint(1, 4))
            case "again":
                page.push_again()
            case "handle":
                page.handle(chance.randint(1, 6))
            case "cut":
                page.disconnect()
            case "back":
                page.reconnect()
            case "write" if room.state == "open":
                change = _change(chance, room.files[file].text)
                version = room.write(file, change, author="turn:" + "t" * 20)
                room.after_commit(partial(written.add, version))
            case "fail" if room.state == "open":
                change = _change(chance, room.files[file].text)
                room.write(file, change, author="turn:" + "t" * 20, also=[_fail])
            case "settle":
                await _settle(hub, room)
    return len(written)


async def _settle(hub: Hub, room: Room) -> None:
    await hub.journal.drain()
    while room.state != "open":
        await reading.read(lambda: None)


async def _quiet(hub: Hub, room: Room, pages: list[Typist]) -> None:
    """Let everybody come back and finish."""
    while True:
        for page in pages:
            page.reconnect()
            page.push_some(200)
        await _settle(hub, room)
        if not any(page.wire.inbox or page.numbers for page in pages):
            return
        for page in pages:
            page.handle(-1)


@pytest.mark.parametrize("block", range(SEEDS // BLOCK))
async def test_all_replicas_are_equal_and_every_edit_is_there_once(
    cast: Cast, hub: Hub, block: int
) -> None:
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        chance = random.Random(seed)
        make = partial(create_session, cast.team, cast.owner, f"history {seed}", {"a.py": START})
        session = await reading.read(make)
        room = await hub.enter(session.pk)
        (file,) = room.files
        pages = [
            Typist(room, user.pk, file, room.files[file].text)
            for user in (cast.owner, cast.member, cast.member)
        ]
        written = await _play(chance, hub, room, file, pages)
        await _quiet(hub, room, pages)

        live = room.files[file]
        for page in pages:
            assert page.collab.text == live.text, f"seed {seed}"
            assert page.collab.version == live.version, f"seed {seed}"
        await room.close("the history is over")
        await reading.read(partial(_check_log, session.pk, file, pages, written, live.text))


def _check_log(session: str, file: str, pages: list[Typist], written: int, text: str) -> None:
    entries = list(Entry.objects.filter(session_id=session).order_by("seq"))
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    assert [entry.version for entry in entries] == list(range(len(entries)))
    logged = [(entry.client, entry.counter) for entry in entries if entry.counter is not None]
    assert sorted(logged) == sorted((page.id, n) for page in pages for n in page.made)
    assert len(entries) - len(logged) - 1 >= written

    replayed = loads_utf16(entries[0].payload)
    for entry in entries[1:]:
        replayed = ChangeSet.from_json(loads_utf16(entry.payload)).apply(replayed)
    assert replayed == text
    newest = Snapshot.objects.filter(file_id=file).order_by("-version").first()
    if len(entries) > 1:
        assert newest is not None
        assert (newest.version, loads_utf16(newest.text)) == (entries[-1].version, text)
    loaded = loading.load(session, Colors()).files[file]
    assert (loaded.text, loaded.version) == (text, entries[-1].version)
