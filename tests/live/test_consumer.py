"""Attacks on the socket, through the whole ASGI application, and what a slow page costs others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.conf import settings

from tests.cast import Cast, signed_in
from webapp.config.asgi import application
from webapp.document.changes import ChangeSet
from webapp.lib import ids
from webapp.live import meter, outbox, reading, wire
from webapp.live.hub import Hub
from webapp.live.room import Room
from webapp.pairing.models import Entry
from webapp.teams.models import Membership, User

pytestmark = pytest.mark.django_db(transaction=True)
Ask = Callable[[Callable[[], Any]], Awaitable[Any]]
ORIGIN = settings.PUBLIC_ORIGINS[0].encode()


class Browser:
    """A socket of a signed-in browser."""

    def __init__(self, path: str, cookie: str, *origins: bytes) -> None:
        headers = [(b"origin", origin) for origin in origins]
        if cookie:
            headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode()))
        self.socket = WebsocketCommunicator(application, path, headers=headers)
        self.handled_bytes = 0

    async def connect(self) -> None:
        connected, _ = await self.socket.connect(timeout=20)
        assert connected

    async def send(self, **frame: Any) -> None:
        await self.socket.send_to(text_data=json.dumps(frame))

    async def read(self, *kinds: str, ack: bool = True) -> dict[str, Any]:
        """Return the next frame (of these kinds)."""
        while True:
            message = await self.socket.receive_output(timeout=20)
            assert message["type"] == "websocket.send", message
            self.handled_bytes += len(message["text"])
            frame: dict[str, Any] = json.loads(message["text"])
            if ack:
                await self.send(t="ack", bytes=self.handled_bytes)
            if not kinds or frame["t"] in kinds:
                return frame

    async def closed(self) -> int:
        """Return the code that the server closes with; what comes before it is skipped."""
        while True:
            message = await self.socket.receive_output(timeout=20)
            if message["type"] == "websocket.close":
                return int(message["code"])

    async def hello(self) -> dict[str, Any]:
        await self.send(t="hello", proto=1, client=ids.new_id())
        return await self.read("welcome")


@asynccontextmanager
async def _browser(
    cast: Cast, user: User | None, slug: str = "", origins: tuple[bytes, ...] = (ORIGIN,)
) -> AsyncIterator[Browser]:
    client = await reading.read(partial(signed_in, user))
    cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
    path = f"/ws/session/{slug or cast.session.slug}/"
    browser = Browser(path, cookie.value if cookie else "", *origins)
    await browser.connect()
    yield browser
    await browser.socket.disconnect(timeout=20)


@pytest.fixture
async def ann(cast: Cast, room: Room) -> AsyncIterator[Browser]:
    async with _browser(cast, cast.owner) as browser:
        await browser.hello()
        yield browser


@pytest.fixture
async def bob(cast: Cast, room: Room, ann: Browser) -> AsyncIterator[Browser]:
    """Somebody else in the room, who must not notice anything."""
    async with _browser(cast, cast.member) as browser:
        await browser.hello()
        await browser.send(t="open", file=_app(room))
        await browser.read("file")
        yield browser


def _app(room: Room) -> str:
    return next(file.id for file in room.files.values() if file.path == "app.py")


@pytest.mark.parametrize("whom", ["stranger", "nobody"])
async def test_only_members_come_in_and_others_cannot_tell_what_there_is(
    cast: Cast, hub: Hub, whom: str
) -> None:
    user = cast.stranger if whom == "stranger" else None
    codes = []
    for slug in (cast.session.slug, "a" * 16):
        async with _browser(cast, user, slug) as browser:
            codes.append(await browser.closed())
    assert codes == ([4404, 4404] if user else [4401, 4401])
    assert not hub.rooms


@pytest.mark.parametrize(
    "origins",
    [
        (),
        (b"null",),
        (b"https://evil.example",),
        (ORIGIN + b"0",),
        (ORIGIN + b".evil.example",),
        (ORIGIN.replace(b"http:", b"https:"),),
        (ORIGIN, b"https://evil.example"),
    ],
)
async def test_pages_of_other_origins_are_turned_away(
    cast: Cast, hub: Hub, origins: tuple[bytes, ...]
) -> None:
    async with _browser(cast, cast.owner, origins=origins) as browser:
        assert await browser.closed() == 4403
    assert not hub.rooms


@pytest.mark.parametrize("path", ["/", "/ws/", "/ws/session/", "/ws/session/a/b/", "/s/x/"])
async def test_a_socket_at_an_address_that_there_is_not_is_closed(cast: Cast, path: str) -> None:
    browser = Browser(path, "", ORIGIN)
    await browser.connect()
    assert await browser.closed() == 4404
    await browser.socket.wait()


def _push(file: str, *changes: Any, **over: Any) -> str:
    updates = [{"n": n, "c": change} for n, change in enumerate(changes, 1)]
    frame = {"t": "push", "id": "p" * 20, "file": file, "v": 0, "updates": updates}
    return json.dumps({**frame, **over})


SIZE = len("print('hello')\n")
ATTACKS: dict[str, tuple[Callable[[str], str], tuple[str, str]]] = {
    "bad JSON": (lambda file: '{"t":', ("error", "json")),
    "not an object": (lambda file: '"hello"', ("error", "json")),
    "deep": (lambda file: "[" * 50_000, ("error", "json")),
    "unknown kind": (lambda file: '{"t":"eval","code":"1"}', ("error", "unknown")),
    "unknown field": (lambda file: _push(file, [SIZE], by={"user": 1}), ("error", "shape")),
    "too big": (lambda file: " " * (wire.FRAME_BYTES + 1), ("error", "big")),
    "acknowledges what was never sent": (
        lambda file: '{"t":"ack","bytes":999999999}',
        ("error", "shape"),
    ),
    "wrong length": (lambda file: _push(file, [[0, "x"], SIZE + 1]), ("rejected", "unfit")),
    "newline in a line": (
        lambda file: _push(file, [[0, "x\ny"], SIZE]),
        ("rejected", "unfit"),
    ),
    "negative": (lambda file: _push(file, [[-1, "x"], SIZE + 1]), ("rejected", "unfit")),
    "a good change before a bad one": (
        lambda file: _push(file, [[0, "x"], SIZE], [[0, "y"], SIZE]),
        ("rejected", "unfit"),
    ),
    "a version to come": (lambda file: _push(file, [SIZE], v=7), ("rejected", "unfit")),
    "a file of nobody": (lambda file: _push("z" * 20, [SIZE]), ("rejected", "gone")),
    "out of the project": (
        lambda file: json.dumps(
            {"t": "tree", "id": "p" * 20, "op": "rename", "file": file, "path": "../../x"}
        ),
        ("error", "path"),
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
async def test_an_attack_gets_a_typed_error_and_nobody_else_notices(
    room: Room, ann: Browser, bob: Browser, rows: Ask, attack: str
) -> None:
    make, answer = ATTACKS[attack]
    file = _app(room)
    await ann.send(t="open", file=file)
    await ann.read("file")
    before = await rows(Entry.objects.count)
    await ann.socket.send_to(text_data=make(file))
    refusal = await ann.read("error", "rejected")
    assert (refusal["t"], refusal["code"]) == answer
    assert refusal["message"]
    assert room.files[file].version == 0
    assert await rows(Entry.objects.count) == before

    await ann.socket.send_to(text_data=_push(file, [[0, "fine"], SIZE]))
    assert (await ann.read())["t"] == "entry"
    assert (await bob.read("entry", "tree", "error"))["v"] == 1


async def test_binary_frames_are_refused(ann: Browser) -> None:
    await ann.socket.send_to(bytes_data=b'{"t":"ping","at":1}')
    assert (await ann.read())["code"] == "json"


async def test_frames_before_hello_do_nothing(cast: Cast, room: Room) -> None:
    async with _browser(cast, cast.owner) as browser:
        await browser.socket.send_to(text_data=_push(_app(room), [[0, "x"], SIZE]))
        assert (await browser.read())["code"] == "state"
    assert room.files[_app(room)].version == 0


@pytest.mark.parametrize(
    "frame",
    [
        {"text_data": " " * wire.FRAME_BYTES},
        {"bytes_data": b" " * wire.FRAME_BYTES},
        {"text_data": "\u4e16" * (wire.FRAME_BYTES // 3)},
    ],
    ids=["text", "binary", "three bytes a character"],
)
async def test_a_flood_is_cut_off_and_the_room_goes_on(
    room: Room, ann: Browser, bob: Browser, frame: dict[str, Any]
) -> None:
    for _ in range(meter.BURST_BYTES // wire.FRAME_BYTES + 4):
        await ann.socket.send_to(**frame)
    assert await ann.closed() == 4029
    assert (await bob.read("leave"))["t"] == "leave"
    await bob.socket.send_to(text_data=_push(_app(room), [[0, "fine"], SIZE]))
    assert (await bob.read("entry"))["v"] == 1


async def test_a_page_that_does_not_read_is_bounded_and_delays_nobody(
    room: Room, ann: Browser, bob: Browser
) -> None:
    """Ann acknowledges nothing from here on, while Bob keeps up."""
    file = _app(room)
    await ann.send(t="open", file=file)
    await ann.read("file", ack=False)
    (slow,) = [client for client in room.joined() if client.name == "Olga Owner"]
    box = slow.socket.outbox  # type: ignore[attr-defined]  # the socket is a consumer
    text = "x" * 60_000
    largest = count = 0
    while not slow.closed:
        count += 1
        length = len(room.files[file].text)
        room.write(file, ChangeSet.of(length, [(0, length, text)]), author="turn:" + "t" * 20)
        assert (await bob.read("entry"))["v"] == count
        largest = max(largest, box.queued_bytes + box.unacknowledged_bytes)
        assert count < 200
    assert largest <= outbox.CREDIT_BYTES + outbox.QUEUE_BYTES + 3 * len(text)
    assert largest > outbox.QUEUE_BYTES
    assert await ann.closed() == 4008


async def test_whoever_loses_access_is_out_within_a_second(
    cast: Cast, room: Room, ann: Browser, bob: Browser, rows: Ask
) -> None:
    from webapp.pairing.access import access_changed

    def revoke() -> None:
        Membership.objects.filter(team=cast.team, user=cast.member).delete()
        access_changed(cast.team)

    await rows(revoke)
    async with asyncio.timeout(1):
        assert await bob.closed() == 4003
    assert (await ann.read("leave"))["t"] == "leave"
    assert [client.user for client in room.joined()] == [cast.owner.pk]


async def test_a_role_that_changes_counts_at_once_and_the_page_sees_it(
    cast: Cast, room: Room, bob: Browser, rows: Ask
) -> None:
    from webapp.pairing.access import access_changed

    def promote() -> None:
        Membership.objects.filter(team=cast.team, user=cast.member).update(role="admin")
        access_changed(cast.team)

    await rows(promote)
    async with asyncio.timeout(1):
        await bob.read("resync")
    assert (await bob.hello())["you"]["role"] == "owner"


async def test_a_session_that_is_deleted_closes(
    cast: Cast, room: Room, bob: Browser, rows: Ask
) -> None:
    await rows(partial(cast.session.delete))
    async with asyncio.timeout(1):
        assert await bob.closed() == 4003


async def test_shutting_down_saves_everything_and_says_so(
    hub: Hub, room: Room, ann: Browser, bob: Browser, rows: Ask
) -> None:
    await bob.socket.send_to(text_data=_push(_app(room), [[0, "x"], SIZE]))
    await bob.read("entry")
    await hub.shutdown()
    assert [await ann.closed(), await bob.closed()] == [4012, 4012]
    assert not hub.rooms
    assert await rows(Entry.objects.filter(version=1).count) == 1
