"""Files from outside come into a session that people have open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.cast import FILES, Cast
from tests.live.people import Page
from webapp.document.encodings import Binary, of_text, recognise
from webapp.document.text import from_utf16
from webapp.lib import ids
from webapp.live import adding, filing
from webapp.live.adding import Added, Adder, CannotAdd, Exists, add
from webapp.live.files import SERVER, OpenFile
from webapp.live.filing import Doer
from webapp.live.hub import Hub
from webapp.live.room import Room
from webapp.pairing import export
from webapp.pairing.models import BlobPart, Entry, File
from webapp.pairing.uploads import NewFile

Rows = Callable[[Callable[[], Any]], Awaitable[Any]]
LOGO = b"\x89PNG\0" * 300_000


def _text(path: str, text: str) -> NewFile:
    return NewFile(path, of_text(text))


@pytest.fixture
def ann(room: Room, cast: Cast) -> Page:
    page = Page(room, cast.owner.pk)
    page.hello()
    page.take()
    return page


@pytest.fixture
def adder(cast: Cast) -> Adder:
    return Adder(cast.member.pk, "Max")


def _id(room: Room, path: str) -> str:
    return next(file.id for file in room.files.values() if file.path == path)


async def _held(rows: Rows, cast: Cast) -> dict[str, bytes]:
    def read() -> dict[str, bytes]:
        files = export.as_it_is(cast.session)
        return {kept.path: kept.encoded().data for kept in files}

    return dict(await rows(read))


OLD = {path: text.encode() for path, text in FILES.items()}


async def test_everybody_sees_new_files_at_once(
    room: Room, ann: Page, adder: Adder, cast: Cast, rows: Rows
) -> None:
    files = [
        NewFile("d/logo.png", Binary(LOGO)),
        NewFile("old.txt", recognise("Größe\r\n".encode("cp1252")), is_executable=True),
    ]
    assert await add(room.id, adder, files, "ask") == Added(["d/logo.png", "old.txt"])
    logo, old = ann.take("tree")
    assert (logo["path"], logo["binary"], logo["size"]) == ("d/logo.png", True, len(LOGO))
    assert (old["ending"], old["encoding"], old["binary"]) == ("crlf", "cp1252", False)
    assert logo["by"]["user"] == cast.member.pk
    assert await _held(rows, cast) == {
        **OLD,
        "d/logo.png": LOGO,
        "old.txt": "Größe\r\n".encode("cp1252"),
    }
    assert await rows(lambda: File.objects.get(path="old.txt").is_executable)


async def test_a_long_text_grows_while_it_comes(
    room: Room, ann: Page, adder: Adder, cast: Cast, rows: Rows
) -> None:
    text = "世界\n" * 120_000
    await add(room.id, adder, [_text("long.txt", text)], "ask")
    file = room.files[_id(room, "long.txt")]
    assert file.version > 2
    assert from_utf16(file.text) == text
    assert (await _held(rows, cast))["long.txt"] == text.encode()
    longest = await rows(lambda: max(map(len, Entry.objects.values_list("payload", flat=True))))
    assert longest < 2 * adding.PIECE_ASCII


async def test_what_is_there_is_asked_about_first(
    room: Room, ann: Page, adder: Adder, cast: Cast, rows: Rows
) -> None:
    files = [_text("app.py", "new\n"), _text("b.py", "b\n")]
    assert await add(room.id, adder, files, "ask") == Exists(("app.py",))
    assert ann.take() == []
    assert await add(room.id, adder, files, "skip") == Added(["b.py"], [], ["app.py"])
    assert await _held(rows, cast) == {**OLD, "b.py": b"b\n"}


async def test_a_text_that_replaces_a_text_is_an_edit(
    room: Room, ann: Page, adder: Adder, cast: Cast, rows: Rows
) -> None:
    id = _id(room, "app.py")
    ann.send("open", file=id)
    ann.take()
    heard = []
    room.listeners.append(lambda *what: heard.append(what))
    new = NewFile("app.py", recognise("﻿print('bye')\r\n".encode()))
    assert await add(room.id, adder, [new], "replace") == Added([], ["app.py"])
    (entry,) = ann.take("entry")
    assert (entry["kind"], entry["by"]["user"]) == ("edit", cast.member.pk)
    assert entry["c"] == [7, [5, "bye"], 3]
    assert [what[3] for what in heard] == [f"user:{cast.member.pk}"]
    assert (await _held(rows, cast))["app.py"] == "﻿print('bye')\r\n".encode()
    assert await add(room.id, adder, [new], "replace") == Added([], ["app.py"])
    assert ann.take("entry") == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (of_text("a\n"), Binary(b"\0")),
        (Binary(b"\0"), of_text("a\n")),
        (Binary(b"\0"), Binary(b"\0\1")),
        (of_text("a\n"), of_text("a\r\nb\n")),
    ],
    ids=["text by binary", "binary by text", "binary by binary", "mixed ends"],
)
async def test_anything_else_is_a_new_file_in_its_place(
    first: Any, second: Any, room: Room, ann: Page, adder: Adder, cast: Cast, rows: Rows
) -> None:
    await add(room.id, adder, [NewFile("x", first)], "ask")
    before = (await _held(rows, cast))["x"]
    ann.take()
    assert await add(room.id, adder, [NewFile("x", second)], "replace") == Added([], ["x"])
    assert [frame["op"] for frame in ann.take("tree")] == ["delete", "create"]
    assert (await _held(rows, cast))["x"] != before


async def test_what_cannot_stand_there_adds_nothing(
    room: Room, ann: Page, adder: Adder, cast: Cast, rows: Rows
) -> None:
    for path, words in (("APP.py", "do not tell it from"), ("app.py/x", "cannot be a folder")):
        files = [NewFile("logo.png", Binary(LOGO)), _text(path, "")]
        answer = await add(room.id, adder, files, "replace")
        assert isinstance(answer, CannotAdd)
        assert words in answer.message
    many = [_text(f"{n}", "") for n in range(1_999)]
    answer = await add(room.id, adder, many, "replace")
    assert isinstance(answer, CannotAdd)
    assert "2,000 files" in answer.message
    assert ann.take() == []
    assert await _held(rows, cast) == OLD
    assert not await rows(BlobPart.objects.exists)


async def test_a_session_that_nobody_has_open_takes_files_too(
    cast: Cast, hub: Hub, adder: Adder, rows: Rows
) -> None:
    assert not hub.rooms
    await add(cast.session.pk, adder, [NewFile("logo.png", Binary(LOGO))], "ask")
    assert (await _held(rows, cast))["logo.png"] == LOGO


async def test_a_binary_file_is_renamed_and_deleted_but_never_opened(
    room: Room, ann: Page, adder: Adder, cast: Cast, rows: Rows
) -> None:
    await add(room.id, adder, [NewFile("logo.png", Binary(LOGO))], "ask")
    id = _id(room, "logo.png")
    ann.take()
    ann.send("open", file=id)
    ann.push(id, 0, [[0, "x"]])
    assert [frame["code"] for frame in ann.take("error")] == ["binary", "state"]
    ann.send("tree", id="q" * 20, op="rename", file=id, path="d/logo.png")
    await room.record(lambda: None)
    assert (await _held(rows, cast))["d/logo.png"] == LOGO
    assert {"file": id, "path": "d/logo.png", "version": 0} in room.manifest()
    ann.send("tree", id="q" * 20, op="delete", file=id)
    await room.record(lambda: None)
    assert await _held(rows, cast) == OLD


async def test_who_was_quicker_keeps_the_name_and_no_bytes_are_left(
    room: Room, adder: Adder, cast: Cast, rows: Rows
) -> None:
    def hurry(op: str, file: OpenFile) -> None:
        if file.path == "first.txt":
            other = OpenFile(ids.new_id(), "LOGO.png", "lf", "", 0)
            filing.create(room, other, Doer(f"user:{cast.owner.pk}", SERVER, {}))

    room.tree_listeners.append(hurry)
    long = _text("first.txt", "x" * (adding.PIECE_ASCII + 1))
    answer = await add(room.id, adder, [long, NewFile("logo.png", Binary(LOGO))], "ask")
    assert isinstance(answer, CannotAdd)
    assert "LOGO.png" in answer.message
    assert not await rows(BlobPart.objects.exists)
