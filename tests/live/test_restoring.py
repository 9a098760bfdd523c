"""Checkpoints by hand, and restores: nothing is lost by either, whatever happened before."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from tests.cast import Cast
from tests.live.people import Page, QuietTurns
from webapp.document.changes import ChangeSet
from webapp.document.encodings import Binary, of_text, recognise
from webapp.document.text import from_utf16
from webapp.document.tree import clash
from webapp.lib import ids
from webapp.live import loading, restore_plan
from webapp.live.adding import Adder, add
from webapp.live.hub import Hub
from webapp.live.presence import Colors
from webapp.live.room import Room
from webapp.pairing import export, history
from webapp.pairing.access import Role
from webapp.pairing.fork import fork
from webapp.pairing.models import BlobPart, Checkpoint, Entry, File, Session
from webapp.pairing.uploads import NewFile

Rows = Callable[[Callable[[], Any]], Awaitable[Any]]
Project = dict[str, tuple[Any, ...]]

STEPS = 60
SEEDS = 25


@pytest.fixture
def ann(room: Room, cast: Cast) -> Page:
    page = Page(room, cast.owner.pk, "Ann", Role.OWNER)
    page.hello()
    page.take()
    return page


def _nothing() -> None:
    """Take a place in the log's order."""


async def _answer(page: Page, id: str) -> dict[str, Any]:
    """Return the answer to a request; what came before it is forgotten."""
    while True:
        for frame in page.take("ok", "error"):
            if frame.get("id") == id:
                return frame
        await page.room.record(_nothing)


async def _restore(page: Page, seq: int) -> dict[str, Any]:
    id = ids.new_id()
    page.send("restore", id=id, seq=seq)
    return await _answer(page, id)


def _now(room: Room) -> Project:
    """Return the project as the room has it; of a binary file, how large it is."""
    return {
        file.path: (file.text, file.ending, file.encoding, file.has_bom, file.blob_bytes)
        for file in room.files.values()
    }


async def _bytes(rows: Rows, session: Session) -> dict[str, bytes]:
    def read() -> dict[str, bytes]:
        return {kept.path: kept.encoded().data for kept in export.as_it_is(session)}

    return dict(await rows(read))


def _id(room: Room, path: str) -> str:
    return next(file.id for file in room.files.values() if file.path == path)


class _History:
    """People at work on a project by the dice; knows what it was after each entry."""

    def __init__(self, seed: int, room: Room, page: Page) -> None:
        self.dice = random.Random(seed)
        self.room, self.page = room, page
        self.count = 0
        self.adder = Adder(page.user, page.name)
        self.was: dict[int, Project] = {room.seq: _now(room)}

    async def run(self, steps: int) -> None:
        for _ in range(steps):
            act = self.dice.choices(
                [self.type, self.create, self.rename, self.delete, self.bring, self.mark],
                [60, 8, 12, 8, 5, 3],
            )[0]
            await act()
            self.was[self.room.seq] = _now(self.room)

    async def type(self) -> None:
        texts = [file for file in self.room.files.values() if file.is_text]
        if not texts:
            return
        file = self.dice.choice(texts)
        start, end = sorted(self.dice.randint(0, len(file.text)) for _ in range(2))
        words = self.dice.choices(["a", "b\n", "def f():\n", "\ud83d\ude00", "\n"], k=3)
        change = ChangeSet.of(len(file.text), [(start, min(end, start + 8), "".join(words))])
        self.page.send("open", file=file.id)
        self.count += 1
        self.page.push(file.id, file.version, change.to_json(), first=self.count)

    async def create(self) -> None:
        text = self.dice.choice(["", "one\ntwo\n", "x\r\ny\r\n", "a\r\nb\n"])
        self._tree("create", ids.new_id(), path=self._path(), text=text)

    async def rename(self) -> None:
        if self.room.files:
            self._tree("rename", self.dice.choice(list(self.room.files)), path=self._path())

    async def delete(self) -> None:
        if self.room.files:
            self._tree("delete", self.dice.choice(list(self.room.files)))

    async def bring(self) -> None:
        path = self._path()
        if clash(path, [file.path for file in self.room.files.values()]) is None:
            data = self.dice.randbytes(40) + b"\0"
            legacy = recognise("Größe\r\n".encode("cp1252"))
            content = self.dice.choice([Binary(data), legacy, of_text("\ufeffmark\n")])
            await add(self.room.id, self.adder, [NewFile(path, content)], "skip")

    async def mark(self) -> None:
        self.page.send("checkpoint", id=ids.new_id(), label="here")

    def _tree(self, op: str, file: str, **fields: Any) -> None:
        self.page.send("tree", id=ids.new_id(), op=op, file=file, **fields)
        if self.room.creating:
            # The id of a new file is looked at first; what follows must not come before.
            self.was.pop(self.room.seq, None)

    def _path(self) -> str:
        return self.dice.choice(["a.txt", "b.txt", "c.txt", "d/e.txt", "d/f.txt", "g"])


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_restore_and_fork_lose_nothing(
    seed: int, room: Room, ann: Page, cast: Cast, rows: Rows
) -> None:
    story = _History(seed, room, ann)
    for _ in range(STEPS):
        await story.run(1)
        while room.creating:
            await room.record(_nothing)
        story.was[room.seq] = _now(room)
    await room.record(_nothing)
    for seq in story.dice.sample(sorted(story.was), 5):
        before, standing, held = room.seq, _now(room), await _bytes(rows, cast.session)
        assert (await _restore(ann, seq))["t"] == "ok"
        assert _now(room) == story.was[seq]
        then = await _bytes(rows, cast.session)
        assert (await _restore(ann, before))["t"] == "ok"
        assert _now(room) == standing
        assert await _bytes(rows, cast.session) == held
        copy = await rows(partial(fork, cast.session, cast.member, "Copy", seq))
        assert await _bytes(rows, copy) == then
        assert (copy.forked_from_id, copy.forked_seq) == (cast.session.pk, seq)
    kept = await rows(partial(loading.load, room.id, Colors()))
    assert {file.path: file.text for file in kept.files.values()} == {
        path: held[0] for path, held in _now(room).items()
    }


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_every_moment_is_known(seed: int, room: Room, ann: Page, rows: Rows) -> None:
    story = _History(1_000 + seed, room, ann)
    for _ in range(STEPS):
        await story.run(1)
        while room.creating:
            await room.record(_nothing)
        story.was[room.seq] = _now(room)
    await room.record(_nothing)

    def texts(seq: int) -> dict[str, str]:
        files = history.project_at(room.id, seq)
        read = restore_plan.text_at
        return {kept.path: read(kept.id, kept.version) for kept in files if not kept.is_binary}

    for seq, project in story.was.items():
        known = {path: held[0] for path, held in project.items() if held[4] is None}
        assert await rows(partial(texts, seq)) == known


async def test_a_checkpoint_is_told_and_kept(room: Room, ann: Page, rows: Rows) -> None:
    id = ids.new_id()
    ann.send("checkpoint", id=id, label="  before the demo\u0000 ")
    ann.send("checkpoint", id=id, label="  before the demo\u0000 ")
    await room.record(_nothing)
    told, *answers = ann.take("checkpoint", "ok")
    assert told["checkpoint"]["label"] == "before the demo"
    assert (told["checkpoint"]["name"], told["checkpoint"]["seq"]) == ("Ann", room.seq)
    assert answers == [{"t": "ok", "id": id}] * 2
    rows_made = await rows(lambda: list(Checkpoint.objects.filter(author_name="Ann")))
    assert [(row.seq, row.label, row.turn_id) for row in rows_made] == [
        (room.seq, "before the demo", None)
    ]
    paths = await rows(lambda: [kept.path for kept in export.as_it_was(rows_made[0])])
    assert paths == ["app.py", "tests/test_app.py"]


async def test_a_restore_is_told_as_small_changes(room: Room, ann: Page, cast: Cast) -> None:
    start = room.seq
    app = _id(room, "app.py")
    ann.send("open", file=app)
    ann.push(app, 0, [7, [5, "bye"], 3])
    ann.send("tree", id=ids.new_id(), op="rename", file=app, path="main.py")
    ben = Page(room, cast.member.pk, "Ben")
    ben.hello()
    ben.send("open", file=app)
    ben.take()
    answer = await _restore(ann, start)
    assert answer["message"].startswith("Restored. Files changed: 1.")
    checkpoint, tree, entry = ben.take("checkpoint", "tree", "entry")
    assert checkpoint["checkpoint"]["seq"] == start + 2
    assert (tree["op"], tree["path"]) == ("rename", "app.py")
    assert (entry["kind"], entry["by"]["name"]) == ("restore", "Ann")
    assert entry["c"] == [7, [3, "hello"], 3]
    assert room.files[app].text == "print('hello')\n"


async def test_it_acts_once(room: Room, ann: Page, hub: Hub, rows: Rows) -> None:
    start = room.seq
    app = _id(room, "app.py")
    ann.send("open", file=app)
    ann.push(app, 0, [7, [5, "bye"], 3])
    id = ids.new_id()
    ann.send("restore", id=id, seq=start)
    ann.send("restore", id=id, seq=start)
    assert (await _answer(ann, id))["t"] == "ok"
    ann.push(app, room.files[app].version, [[0, "x"], 15], first=2)
    ann.send("restore", id=id, seq=start)
    assert (await _answer(ann, id))["t"] == "ok"
    assert room.files[app].text == "xprint('hello')\n"
    await hub._start_closing(room)
    again = await hub.enter(room.id)
    page = Page(again, ann.user)
    page.hello()
    page.send("restore", id=id, seq=start)
    assert (await _answer(page, id))["t"] == "ok"
    assert again.files[app].text == "xprint('hello')\n"


async def test_what_is_typed_meanwhile_stays(room: Room, ann: Page, cast: Cast) -> None:
    start = room.seq
    app = _id(room, "app.py")
    ann.send("open", file=app)
    ann.push(app, 0, [[0, "import os", ""], 15])
    ben = Page(room, cast.member.pk, "Ben")
    ben.hello()
    ben.send("open", file=app)
    id = ids.new_id()
    ann.send("restore", id=id, seq=start)
    ben.push(app, 1, [25, [0, "# mine", ""]])
    ann.push(app, 1, [[0, "# ann", ""], 25], first=2)
    assert (await _answer(ann, id))["t"] == "ok"
    assert room.files[app].text == "# ann\nprint('hello')\n# mine\n"


async def test_a_file_that_comes_meanwhile_is_looked_at_anew(room: Room, ann: Page) -> None:
    start = room.seq
    test = _id(room, "tests/test_app.py")
    ann.send("tree", id=ids.new_id(), op="delete", file=test)
    id = ids.new_id()
    ann.send("restore", id=id, seq=start)
    ann.send("tree", id=ids.new_id(), op="rename", file=_id(room, "app.py"), path="tests")
    assert (await _answer(ann, id))["t"] == "ok"
    assert {path: held[0] for path, held in _now(room).items()} == {
        "app.py": "print('hello')\n",
        "tests/test_app.py": "import app\n",
    }


async def test_names_that_went_round_in_a_circle(room: Room, ann: Page, rows: Rows) -> None:
    start = room.seq
    app, test = _id(room, "app.py"), _id(room, "tests/test_app.py")
    for file, path in ((app, "x"), (test, "app.py"), (app, "tests/test_app.py")):
        ann.send("tree", id=ids.new_id(), op="rename", file=file, path=path)
    assert (await _restore(ann, start))["t"] == "ok"
    assert (room.files[app].path, room.files[test].path) == ("app.py", "tests/test_app.py")
    assert await rows(lambda: File.objects.get(pk=app).first_path) == "app.py"


async def test_two_megabytes_come_back_in_short_writes(
    room: Room, ann: Page, cast: Cast, rows: Rows
) -> None:
    text = "世界\n" * 120_000
    adder = Adder(cast.owner.pk, "Ann")
    await add(room.id, adder, [NewFile("long.txt", of_text(text))], "ask")
    await add(room.id, adder, [NewFile("late.txt", of_text("x"))], "ask")
    start, long = room.seq, _id(room, "long.txt")
    room.write(long, ChangeSet.of(len(text), [(2, len(text), "gone")]), author="user:1")
    assert (await _restore(ann, start))["t"] == "ok"
    assert from_utf16(room.files[long].text) == text
    ann.send("tree", id=ids.new_id(), op="delete", file=long)
    assert (await _restore(ann, start))["t"] == "ok"
    assert from_utf16(room.files[_id(room, "long.txt")].text) == text
    restored = Entry.objects.filter(client__startswith="restore:")
    sizes = await rows(lambda: [len(text) for text in restored.values_list("payload", flat=True)])
    assert len(sizes) > 8
    assert max(sizes) < 2 * restore_plan.PIECE_ASCII


async def test_a_binary_file_comes_back_with_its_bytes(
    room: Room, ann: Page, cast: Cast, rows: Rows
) -> None:
    logo = NewFile("logo.png", Binary(b"\x89PNG\0" * 300_000), is_executable=True)
    await add(room.id, Adder(cast.owner.pk, "Ann"), [logo], "ask")
    start = room.seq
    ann.send("tree", id=ids.new_id(), op="delete", file=_id(room, "logo.png"))
    for _ in range(2):
        assert (await _restore(ann, start))["t"] == "ok"
        assert (await _bytes(rows, cast.session))["logo.png"] == b"\x89PNG\0" * 300_000
    assert await rows(lambda: File.objects.get(path="logo.png", deleted_seq=None).is_executable)
    parts = await rows(BlobPart.objects.count)
    assert parts == 6  # the second time there was nothing to bring back


async def test_nothing_to_do_is_said(room: Room, ann: Page, rows: Rows) -> None:
    answer = await _restore(ann, room.seq)
    assert "as it was then already" in answer["message"]
    assert await rows(Checkpoint.objects.count) == 1


@pytest.mark.parametrize("case", ["running", "later", "two at once", "too much"])
async def test_what_cannot_be_restored_changes_nothing(
    case: str, room: Room, ann: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = _id(room, "app.py")
    ann.send("open", file=app)
    ann.push(app, 0, [[15, ""]])
    ann.take()
    seq, code = 2, "busy"
    turns = room.turns
    assert isinstance(turns, QuietTurns)
    id = ids.new_id()
    if case == "running":
        turns.running = True
    elif case == "later":
        seq, code = 99, "refused"
    elif case == "too much":
        monkeypatch.setattr("webapp.live.restoring.MAX_LENGTH", 10)
        code = "limit"
    before = room.seq
    if case == "two at once":
        room.past.restoring = ids.new_id()
    ann.send("restore", id=id, seq=seq)
    answer = await _answer(ann, id)
    assert (answer["t"], answer["code"]) == ("error", code)
    assert "Nothing was changed" in answer["message"]
    assert room.seq == before


@pytest.mark.parametrize("role", [Role.VIEW, Role.COMMENT, Role.EDIT, Role.PROMPT])
async def test_roles(role: Role, room: Room, cast: Cast) -> None:
    page = Page(room, cast.member.pk, role=role)
    page.hello()
    one, other = ids.new_id(), ids.new_id()
    page.send("checkpoint", id=one)
    page.send("restore", id=other, seq=1)
    kinds = {}
    while len(kinds) < 2:
        kinds |= {frame["id"]: frame["t"] for frame in page.take("ok", "error")}
        await room.record(_nothing)
    assert kinds[one] == ("ok" if role >= Role.EDIT else "error")
    assert kinds[other] == ("ok" if role >= Role.PROMPT else "error")


async def test_a_turn_that_begins_meanwhile_hears_of_it(room: Room, ann: Page) -> None:
    app = _id(room, "app.py")
    ann.send("open", file=app)
    ann.push(app, 0, [[15, ""]])
    heard: list[Any] = []
    room.listeners.append(lambda *what: heard.append(what[:2]))
    turns = room.turns
    assert isinstance(turns, QuietTurns)

    def begin(op: str, _file: object) -> None:
        turns.running = op == "delete"

    room.tree_listeners.append(begin)
    ann.send("tree", id=ids.new_id(), op="create", file=ids.new_id(), path="new.py", text="")
    while "new.py" not in _now(room):
        await room.record(_nothing)
    heard.clear()
    id = ids.new_id()
    ann.send("restore", id=id, seq=2)
    assert (await _answer(ann, id))["t"] == "ok"
    assert heard == [(app, 2)]
