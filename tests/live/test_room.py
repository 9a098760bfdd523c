"""One room: who hears what and when, and what happens when something goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection

from tests.cast import Cast
from tests.live.people import Page, QuietTurns
from tests.live.shapes import check
from webapp.document.changes import ChangeError, ChangeSet
from webapp.document.hunks import Hunk
from webapp.lib import ids
from webapp.live import answers, codes, files, ownership, reading
from webapp.live.hub import Hub
from webapp.live.ports import Gone, NotOpen, TooBig
from webapp.live.room import Room
from webapp.pairing.access import Role
from webapp.pairing.create import create_session
from webapp.pairing.models import Entry, File, Lease, Session, Snapshot, Turn

pytestmark = pytest.mark.django_db(transaction=True)
Ask = Callable[[Callable[[], Any]], Awaitable[Any]]
MODEL = "turn:" + "t" * 20


def _app(room: Room) -> files.OpenFile:
    return next(file for file in room.files.values() if file.path == "app.py")


async def _joined(hub: Hub, room: Room, user: int, role: Role = Role.PROMPT) -> Page:
    """Return a page that has opened app.py, with nothing left to read."""
    page = Page(room, user, f"user {user}", role)
    page.hello()
    page.send("open", file=_app(room).id)
    await hub.journal.drain()
    page.take()
    return page


async def _both(hub: Hub, room: Room, cast: Cast) -> tuple[Page, Page]:
    ann = await _joined(hub, room, cast.owner.pk)
    bob = await _joined(hub, room, cast.member.pk)
    ann.take()
    return ann, bob


def _insert(room: Room, text: str) -> ChangeSet:
    return ChangeSet.of(len(_app(room).text), [(0, 0, text)])


async def test_welcome_shows_the_room_and_joining_is_told_to_the_others(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann = await _joined(hub, room, cast.owner.pk, Role.OWNER)
    bob = Page(room, cast.member.pk, "Bob")
    bob.hello()
    (welcome,) = bob.take()
    check(welcome)
    assert welcome["you"]["role"] == "prompt"
    assert [file["path"] for file in welcome["files"]] == ["app.py", "tests/test_app.py"]
    assert [person["name"] for person in welcome["people"]] == [ann.client.name, "Bob"]
    (join,) = ann.take()
    check(join)
    assert (join["t"], join["person"]["conn"]) == ("join", bob.client.conn)


async def test_an_edit_is_told_to_nobody_before_it_is_durable_and_then_to_all(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann, bob = await _both(hub, room, cast)
    file = _app(room)
    ann.push(file.id, 0, [[0, "x"], len(file.text)])
    assert (file.version, file.text[0]) == (1, "x")
    assert not ann.take() + bob.take()
    await hub.journal.drain()
    own, pushed = ann.take()
    (other,) = bob.take()
    assert own == other
    check(own)
    assert (own["by"], own["n"]) == (ann.client.person(), 1)
    assert pushed == {"t": "pushed", "id": "p" * 20, "file": file.id, "v": 1}


async def test_a_late_joiner_gets_the_text_and_exactly_the_entries_after_it(
    hub: Hub, room: Room, cast: Cast
) -> None:
    file = _app(room)
    room.write(file.id, _insert(room, "1"), author=MODEL)
    late = Page(room, cast.member.pk)
    late.hello()
    late.send("open", file=file.id)
    room.write(file.id, _insert(room, "2"), author=MODEL)
    await hub.journal.drain()
    welcome, text, entry = late.take()
    assert welcome["files"][0]["v"] == 1
    assert (text["v"], text["text"][0]) == (1, "1")
    assert (entry["t"], entry["v"]) == ("entry", 2)


async def test_a_push_sent_twice_is_applied_once_and_answered_twice(
    hub: Hub, room: Room, cast: Cast, rows: Ask
) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    file = _app(room)
    for _ in range(2):
        ann.push(file.id, 0, [[0, "x"], len(file.text) - file.version])
    await hub.journal.drain()
    assert [frame["t"] for frame in ann.take()] == ["entry", "pushed", "pushed"]
    assert await rows(Entry.objects.filter(client=ann.id).count) == 1


async def test_after_a_restart_a_page_s_old_push_is_still_known(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    file = _app(room)
    change = [[0, "x"], len(file.text)]
    ann.push(file.id, 0, change)
    await hub._start_closing(room)
    again = await hub.enter(room.id)
    assert again is not room
    back = Page(again, cast.owner.pk, client=ann.id)
    back.hello()
    back.send("open", file=file.id, v=0)
    back.push(file.id, 0, change)
    back.push(file.id, 0, change, [1, [0, "y"], len(file.text) - 1], first=1)
    await _until(hub, lambda: any(frame["t"] == "error" for frame in back.wire.inbox))
    frames = back.take()
    assert [frame["t"] for frame in frames] == ["welcome", "entries", "pushed", "error"]
    assert frames[1]["list"][0]["n"] == 1
    assert frames[3]["code"] == "behind"
    back.push(file.id, 1, [1, [0, "y"], len(file.text) - 1], first=2)
    await hub.journal.drain()
    assert [frame["t"] for frame in back.take()] == ["entry", "pushed"]
    assert _app(again).text.startswith("xy")


async def test_a_push_that_does_not_fit_is_rejected_whole_and_the_offender_alone_hears(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann, bob = await _both(hub, room, cast)
    file = _app(room)
    before = file.text
    ann.push(file.id, 0, [[0, "good"], len(before)], [[0, "bad"], 1])
    await hub.journal.drain()
    (rejected,) = ann.take()
    check(rejected)
    assert (rejected["t"], rejected["code"]) == ("rejected", "unfit")
    assert (file.text, file.version, bob.take()) == (before, 0, [])


async def test_a_file_may_shrink_but_not_grow_beyond_its_limit(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    file = _app(room)
    size = len(file.text)
    room.write(file.id, ChangeSet.of(size, [(0, size, "x" * files.MAX_LENGTH)]), author=MODEL)
    with pytest.raises(TooBig):
        room.write(file.id, _insert(room, "y"), author=MODEL)
    ann.push(file.id, 1, [files.MAX_LENGTH, [0, "y"]])
    ann.push(file.id, 1, [files.MAX_LENGTH - 1, [1]], id="q" * 20)
    await hub.journal.drain()
    assert [(f["t"], f.get("code")) for f in ann.take("rejected", "pushed")] == [
        ("rejected", "limit"),
        ("pushed", None),
    ]


async def test_a_role_is_looked_at_for_every_frame(hub: Hub, room: Room, cast: Cast) -> None:
    file = _app(room)
    turns = room.turns
    assert isinstance(turns, QuietTurns)
    told = len(turns.told)
    viewer = await _joined(hub, room, cast.owner.pk, Role.COMMENT)
    viewer.push(file.id, 0, [[0, "x"], len(file.text)])
    viewer.send("tree", id="q" * 20, op="delete", file=file.id)
    viewer.send("prompt", id="q" * 20, text="hi")
    viewer.send("keep", id="q" * 20, turn="t" * 20)
    viewer.send("revert", id="q" * 20, turn="t" * 20)
    editor = await _joined(hub, room, cast.member.pk, Role.EDIT)
    editor.send("stop", id="q" * 20, turn="t" * 20)
    await hub.journal.drain()
    answers = [(f["t"], f["code"], f["id"]) for f in viewer.take("error", "rejected")]
    assert answers == [
        ("rejected", "role", "p" * 20),
        *[("error", "role", "q" * 20)] * 4,
    ]
    assert [f["code"] for f in editor.take()] == ["role"]
    assert (len(turns.told), file.version, file.id in room.files) == (told, 0, True)


async def test_what_is_asked_of_turns_goes_to_them(hub: Hub, room: Room, cast: Cast) -> None:
    turns = room.turns
    assert isinstance(turns, QuietTurns)
    ann = await _joined(hub, room, cast.owner.pk)
    ann.send("prompt", id="q" * 20, text="hi")
    ann.send("stop", id="q" * 20, turn="t" * 20)
    ann.send("keep", id="q" * 20, turn="t" * 20)
    ann.send("revert", id="q" * 20, turn="t" * 20)
    names = [type(told).__name__ for told in turns.told]
    assert names == ["str", "Prompt", "Stop", "Keep", "Revert"]


async def test_nothing_is_done_before_hello(hub: Hub, room: Room, cast: Cast) -> None:
    file = _app(room)
    page = Page(room, cast.owner.pk)
    page.push(file.id, 0, [[0, "x"], len(file.text)])
    page.send("open", file=file.id)
    room.write(file.id, _insert(room, "1"), author=MODEL)
    await hub.journal.drain()
    assert [(f["t"], f["code"]) for f in page.take()] == [("error", "state")] * 2
    assert file.version == 1


async def test_a_page_pushes_only_to_files_that_it_follows(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    file = _app(room)
    ann.send("close", file=file.id)
    ann.push(file.id, 0, [[0, "x"], len(file.text)])
    room.write(file.id, _insert(room, "1"), author=MODEL)
    await hub.journal.drain()
    assert [(f["t"], f["code"]) for f in ann.take()] == [("error", "state")]


async def test_nobody_writes_under_another_person_s_client_id(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    ann.push(_app(room).id, 0, [[0, "x"], len(_app(room).text)])
    thief = Page(room, cast.member.pk, client=ann.id)
    thief.hello()
    await hub.journal.drain()
    assert [(f["t"], f["code"]) for f in thief.take()] == [("error", "refused")]
    assert not thief.client.joined
    assert ann.wire.code is None


async def test_a_page_that_comes_back_replaces_its_dead_socket(
    hub: Hub, room: Room, cast: Cast
) -> None:
    old = await _joined(hub, room, cast.owner.pk)
    bob = await _joined(hub, room, cast.member.pk)
    new = Page(room, cast.owner.pk, client=old.id)
    new.hello()
    await hub.journal.drain()
    assert old.wire.code == 4009
    assert [f["t"] for f in bob.take()] == ["leave", "join"]
    assert {client.conn for client in room.joined()} == {new.client.conn, bob.client.conn}


async def test_two_tabs_of_a_person_are_two_people_of_one_colour(
    hub: Hub, room: Room, cast: Cast
) -> None:
    tabs = [await _joined(hub, room, cast.owner.pk) for _ in range(2)]
    bob = await _joined(hub, room, cast.member.pk)
    colors = [page.client.color for page in (*tabs, bob)]
    assert colors[0] == colors[1] != colors[2]
    assert len({page.client.conn for page in tabs}) == 2


async def test_a_place_is_mapped_to_the_head_and_follows_later_entries(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann, bob = await _both(hub, room, cast)
    file = _app(room)
    room.write(file.id, _insert(room, "123"), author=MODEL)
    ann.send("here", file=file.id, v=0, sel=[2, 9_999])
    room.write(file.id, _insert(room, "45"), author=MODEL)
    await hub.journal.drain()
    (here,) = bob.take("here")
    check(here)
    size = len(file.text)
    assert (here["v"], here["sel"]) == (1, [5, size - 2])
    late = Page(room, cast.member.pk)
    late.hello()
    late.send("open", file=file.id)
    assert late.take()[-1]["here"] == [
        {"conn": ann.client.conn, "file": file.id, "v": 2, "sel": [7, size]}
    ]
    ann.send("here", file=file.id, v=99, sel=[0, 0])
    ann.send("here")
    assert [f["sel"] for f in bob.take("here")] == [None, None]


async def test_files_are_created_renamed_and_deleted_once_however_often_it_is_asked(
    hub: Hub, room: Room, cast: Cast, rows: Ask
) -> None:
    ann, bob = await _both(hub, room, cast)
    id = ids.new_id()
    for op in (
        {"op": "create", "path": "src/new.py", "text": "a\r\nb"},
        {"op": "rename", "path": "src/main.py"},
        {"op": "delete"},
    ):
        for _ in range(2):
            ann.send("tree", id="q" * 20, file=id, **op)
        await _looked_at(hub)
        frames = ann.take()
        assert [f["t"] for f in frames] == ["tree", "ok", "ok"]
        (told,) = bob.take()
        check(told)
        assert told == {name: frames[0][name] for name in frames[0] if name != "id"}
    entries = await rows(lambda: list(Entry.objects.filter(file_id=id).order_by("seq")))
    assert [(e.kind, e.version, e.payload) for e in entries] == [
        ("create", 0, '"a\\nb"'),
        ("rename", None, '"src/main.py"'),
        ("delete", None, "null"),
    ]
    row = await rows(partial(File.objects.get, pk=id))
    assert (row.path, row.ending, row.deleted_seq) == ("src/main.py", "crlf", entries[-1].seq)


async def test_a_new_file_takes_edits_at_once_and_a_deleted_one_none(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    id = ids.new_id()
    ann.send("tree", id="q" * 20, op="create", file=id, path="new.py")
    ann.send("open", file=id)
    ann.push(id, 0, [[0, "x"]])
    ann.send("tree", id="q" * 20, op="delete", file=id)
    ann.push(id, 1, [1, [0, "y"]], first=2)
    await _looked_at(hub)
    with pytest.raises(Gone):
        room.write(id, ChangeSet.empty(1), author=MODEL)
    frames = ann.take()
    assert [f["t"] for f in frames if f["t"] not in ("tree", "ok")] == [
        "file", "entry", "pushed", "rejected",
    ]  # fmt: skip
    assert frames[-1]["code"] == "gone"


@pytest.mark.parametrize(
    ("op", "path", "code"),
    [
        ("create", "../secret", "path"),
        ("create", ".git/config", "path"),
        ("create", "App.py", "exists"),
        ("create", "app.py/inner.py", "exists"),
        ("create", "tests", "exists"),
        ("rename", "tests/TEST_APP.py", "exists"),
    ],
)
async def test_paths_that_cannot_be_are_refused(
    hub: Hub, room: Room, cast: Cast, op: str, path: str, code: str
) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    file = _app(room).id if op == "rename" else ids.new_id()
    ann.send("tree", id="q" * 20, op=op, file=file, path=path)
    await _looked_at(hub)
    assert [(f["t"], f["code"], f["id"]) for f in ann.take()] == [("error", code, "q" * 20)]


async def test_a_rename_may_change_the_case_alone(hub: Hub, room: Room, cast: Cast) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    file = _app(room)
    ann.send("tree", id="q" * 20, op="rename", file=file.id, path="App.py")
    await hub.journal.drain()
    assert [f["t"] for f in ann.take()] == ["tree", "ok"]
    assert file.path == "App.py"


async def test_a_file_of_another_session_cannot_be_taken_over(
    hub: Hub, room: Room, cast: Cast, rows: Ask
) -> None:
    ann, bob = await _both(hub, room, cast)
    other = await rows(partial(_other_session, cast))
    before = await rows(partial(File.objects.get, pk=other))
    ann.send("tree", id="q" * 20, op="create", file=other, path="mine.py", text="mine")
    ann.send("open", file=other)
    ann.push(other, 0, [[0, "x"]])
    await _looked_at(hub)
    after = await rows(partial(File.objects.get, pk=other))
    assert (after.session_id, after.path) == (before.session_id, before.path)
    told = [(f["t"], f["code"]) for f in ann.take()]
    assert told == [("error", "refused"), ("error", "gone"), ("rejected", "gone")]
    assert bob.take() == []
    assert other not in room.files
    assert not hub.journal.new_files


async def test_of_two_sessions_that_give_a_new_file_one_id_neither_is_disturbed(
    hub: Hub, room: Room, cast: Cast, rows: Ask
) -> None:
    second = await rows(partial(create_session, cast.team, cast.owner, "Second", {"app.py": ""}))
    there = await hub.enter(second.pk)
    ann, bob = await _joined(hub, room, cast.owner.pk), await _joined(hub, there, cast.member.pk)
    id = ids.new_id()
    for page in (ann, bob):
        page.send("tree", id="q" * 20, op="create", file=id, path="new.py")
    await _looked_at(hub)
    assert [f["t"] for f in ann.take()] == ["tree", "ok"]
    assert [(f["t"], f["code"]) for f in bob.take()] == [("error", "refused")]
    bob.send("tree", id="q" * 20, op="create", file=id, path="new.py")
    await _looked_at(hub)
    assert [(f["t"], f["code"]) for f in bob.take()] == [("error", "refused")]
    assert (room.state, there.state) == ("open", "open")
    assert not hub.journal.new_files


async def _looked_at(hub: Hub) -> None:
    """Wait until the ids of new files were looked at, and what came of it is durable."""
    while any(room.creating for room in hub.rooms.values()):
        await reading.keep(lambda: None)
    await hub.journal.drain()


def _other_session(cast: Cast) -> str:
    session = Session.objects.create(team=cast.team, title="other")
    return str(File.objects.create(session=session, path="theirs.py").pk)


async def _reloaded(hub: Hub, room: Room) -> None:
    await hub.journal.drain()
    while room.state != "open":
        await room.read(lambda: None)


async def test_after_a_failed_commit_the_room_is_as_the_database_has_it_and_all_resync(
    hub: Hub, room: Room, cast: Cast
) -> None:
    turns = room.turns
    assert isinstance(turns, QuietTurns)
    ann = await _joined(hub, room, cast.owner.pk)
    file = _app(room)
    before = file.text
    lost: list[str] = []
    room.write(file.id, _insert(room, "kept "), author=MODEL)
    room.write(file.id, _insert(room, "lost "), author=MODEL, also=[partial(int, "no")])
    room.write(file.id, _insert(room, "lost too "), author=MODEL)
    room.after_commit(partial(lost.append, "never"))
    failed = room.record(lambda: None)
    ann.push(file.id, 0, [[0, "mine "], len(before)])
    await hub.journal.drain()
    assert room.state == "reloading"
    with pytest.raises(NotOpen):
        room.write(file.id, _insert(room, "now"), author=MODEL)
    await _reloaded(hub, room)
    assert _app(room).text == "kept " + before
    assert [f["t"] for f in ann.take()] == ["entry", "resync"]
    assert isinstance(failed.exception(), ValueError)
    assert not lost
    assert turns.told == ["load", "reset", "load"]

    ann.hello()
    ann.send("open", file=file.id, v=1)
    ann.push(file.id, 0, [[0, "mine "], len(before)])
    await hub.journal.drain()
    assert [f["t"] for f in ann.take()] == ["welcome", "entries", "entry", "pushed"]
    assert _app(room).text == "kept mine " + before


async def test_a_room_whose_leftovers_cannot_be_settled_at_first_opens_all_the_same(
    hub: Hub, room: Room, cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    turns = room.turns
    assert isinstance(turns, QuietTurns)
    turns.failures = 1
    room.write(_app(room).id, _insert(room, "x"), author=MODEL, also=[partial(int, "no")])
    await _reloaded(hub, room)
    assert "could not be loaded" in caplog.text
    assert [frame["t"] for frame in ann.take()] == ["resync"]
    room.write(_app(room).id, _insert(room, "y"), author=MODEL)
    await hub.journal.drain()
    assert room.state == "open"


async def test_a_session_that_cannot_be_opened_is_let_go_and_can_be_opened_later(
    hub: Hub, cast: Cast, rows: Ask
) -> None:
    made: list[Room] = []

    def make(room: Room) -> QuietTurns:
        made.append(room)
        turns = QuietTurns(room)
        turns.failures = len(made) == 1
        return turns

    hub._make_turns = make
    with pytest.raises(OperationalError):
        await hub.enter(cast.session.pk)
    assert made[0].state == "closed" and not hub.rooms
    assert (await rows(Lease.objects.get)).owner == ownership.NOBODY
    room = await hub.enter(cast.session.pk)
    assert room.state == "open" and room is made[1]


async def test_what_fails_in_the_background_is_told_to_the_log(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise RuntimeError("in the background")

    room.spawn(fail())
    await asyncio.wait(room._tasks)
    assert room.id in caplog.text and "in the background" in caplog.text


async def test_a_record_is_durable_when_its_future_says_so_and_its_failure_is_its_own(
    hub: Hub, room: Room, rows: Ask
) -> None:
    saved = room.record(partial(_save_turn, room.id))
    failed = room.record(partial(int, "no"))
    room.write(_app(room).id, _insert(room, "x"), author=MODEL, turn="t" * 20, hunk=1)
    assert (await saved) == "t" * 20
    with pytest.raises(ValueError, match="invalid literal"):
        await failed
    await hub.journal.drain()
    assert room.state == "open"
    (entry,) = await rows(lambda: list(Entry.objects.filter(turn_id="t" * 20)))
    assert (entry.author, entry.hunk) == (MODEL, 1)


def _save_turn(session: str) -> str:
    turn = Turn.objects.create(id="t" * 20, session_id=session, author_name="Ann", prompt="hi")
    return turn.pk


async def test_listeners_hear_of_people_s_entries_one_by_one_and_may_write(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    file = _app(room)
    heard: list[tuple[int, str]] = []

    def listener(file_id: str, version: int, change: ChangeSet, author: str) -> None:
        heard.append((version, author))
        if len(heard) == 1:
            room.write(file_id, ChangeSet.of(len(file.text), [(0, 0, "#")]), author=MODEL)

    room.listeners.append(listener)
    size = len(file.text)
    ann.push(file.id, 0, [[0, "a"], size], [1, [0, "b"], size])
    await hub.journal.drain()
    assert heard == [(1, f"user:{cast.owner.pk}"), (3, f"user:{cast.owner.pk}")]
    assert file.text.startswith("#ab")
    frames = ann.take()
    assert [(f["t"], f["v"]) for f in frames] == [
        ("entry", 1), ("entry", 2), ("entry", 3), ("pushed", 3),
    ]  # fmt: skip
    assert [f["client"] for f in frames[:3]] == [ann.id, files.SERVER, ann.id]


async def test_writes_together_are_durable_together(hub: Hub, room: Room, rows: Ask) -> None:
    file = _app(room)
    with room.together():
        room.write(file.id, _insert(room, "1"), author=MODEL)
        room.write(file.id, _insert(room, "2"), author=MODEL, also=[partial(int, "no")])
    await _reloaded(hub, room)
    assert await rows(Entry.objects.filter(version__gt=0).count) == 0


async def test_a_change_for_another_text_writes_nothing(hub: Hub, room: Room, rows: Ask) -> None:
    with pytest.raises(ChangeError):
        room.write(_app(room).id, ChangeSet.empty(3), author=MODEL)
    await hub.journal.drain()
    assert (room.state, _app(room).version) == ("open", 0)


async def test_a_page_that_missed_more_than_is_remembered_gets_it_from_the_log(
    hub: Hub, room: Room, cast: Cast
) -> None:
    file = _app(room)
    size = len(file.text)
    missed = files.KEEP_STEPS + 300
    for _ in range(missed):
        room.write(file.id, _insert(room, "x"), author=MODEL)
    page = Page(room, cast.owner.pk)
    page.hello()
    page.send("open", file=file.id, v=0)
    page.push(file.id, 0, [[0, "mine"], size])
    # The log is read only up to what is durable; the rest is still in memory.
    await _until(hub, lambda: any(f["t"] == "error" for f in page.wire.inbox))
    room.write(file.id, _insert(room, "y"), author=MODEL)
    await hub.journal.drain()
    frames = page.take("entries", "entry", "error")
    versions = [e["v"] for f in frames if f["t"] == "entries" for e in f["list"]]
    assert versions == list(range(1, missed + 1))
    assert [(f["t"], f.get("code")) for f in frames[-2:]] == [("error", "behind"), ("entry", None)]
    assert frames[-1]["v"] == missed + 1


async def test_a_log_that_cannot_be_read_sends_the_page_away_for_a_while(
    hub: Hub, room: Room, cast: Cast, rows: Ask
) -> None:
    for _ in range(files.KEEP_STEPS + 1):
        room.write(_app(room).id, _insert(room, "x"), author=MODEL)
    await hub.journal.drain()
    page, other = Page(room, cast.owner.pk), Page(room, cast.member.pk)
    page.hello()
    other.hello()
    await rows(lambda: _execute("ALTER TABLE pairing_entry RENAME TO pairing_away"))
    try:
        page.send("open", file=_app(room).id, v=0)
        await _until(hub, lambda: page.wire.code is not None)
    finally:
        await rows(lambda: _execute("ALTER TABLE pairing_away RENAME TO pairing_entry"))
    assert (page.wire.code, other.wire.code) == (codes.RESTART, None)
    assert room.state == "open"


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


async def _until(hub: Hub, so: Callable[[], bool]) -> None:
    while not so():
        await hub.journal.drain()


async def test_a_page_that_missed_far_too_much_gets_the_text(
    hub: Hub, room: Room, cast: Cast
) -> None:
    file = _app(room)
    size = len(file.text)
    for letter in "abcd":
        whole = ChangeSet.of(len(file.text), [(0, len(file.text), letter * 900_000)])
        room.write(file.id, whole, author=MODEL)
    page = Page(room, cast.owner.pk)
    page.hello()
    page.send("open", file=file.id, v=0)
    page.push(file.id, 0, [[0, "mine"], size])
    await _until(hub, lambda: any(f["t"] == "error" for f in page.wire.inbox))
    frames = page.take()
    assert [f["t"] for f in frames] == ["welcome", "file", "error"]
    assert frames[1]["text"] == file.text


async def test_snapshots_are_written_as_the_log_grows_and_spare_the_replay(
    hub: Hub, room: Room, rows: Ask
) -> None:
    file = _app(room)
    for _ in range(450):
        room.write(file.id, _insert(room, "x"), author=MODEL)
    await hub.journal.drain()
    await _until(hub, lambda: not hub.journal._idle)
    await room.close("the test is over")
    versions = await rows(
        lambda: list(Snapshot.objects.order_by("version").values_list("version", flat=True))
    )
    assert versions[-1] == 450
    hub._forget(room)
    again = await hub.enter(room.id)
    assert (_app(again).text, _app(again).version) == (file.text, 450)
    assert len(_app(again).steps) == 0


async def test_hunks_are_found_again_where_they_stand(hub: Hub, room: Room) -> None:
    from webapp.pairing.models import Hunk as HunkRow

    file = _app(room)
    id = f"{'t' * 20}/1"
    await room.record(partial(_save_turn, room.id))
    file.hunks[id] = Hunk(id, "t" * 20, file.id, 1, 0, 0, "")
    row = partial(
        HunkRow.objects.create,
        turn_id="t" * 20, ordinal=1, file_id=file.id, version=0, start=0, end=0,
    )  # fmt: skip
    await room.record(row)
    text = file.text
    written = ChangeSet.of(len(text), [(0, 5, "PRINT")])
    room.write(file.id, written, author=MODEL, turn="t" * 20, hunk=1)
    room.write(file.id, _insert(room, "# "), author=f"user:{1}")
    (live,) = file.hunk_frames()
    assert (live["start"], live["end"], live["old"]) == (2, 7, "print")
    await hub._start_closing(room)
    again = await hub.enter(room.id)
    assert _app(again).hunk_frames() == [live]


async def test_everybody_in_the_log_has_a_name_also_who_never_typed(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    ann.push(_app(room).id, 0, [[0, "x"], len(_app(room).text)])
    for user in (cast.owner, cast.member):
        change = _insert(room, "back ")
        room.write(_app(room).id, change, author=f"user:{user.pk}", kind="revert")
    await hub._start_closing(room)
    again = await hub.enter(room.id)
    names = [again.by(f"user:{user.pk}")["name"] for user in (cast.owner, cast.member)]
    assert names == ["Olga Owner", "Max Member"]
    assert again.owners == {ann.id: cast.owner.pk}


async def test_another_owner_means_that_nothing_is_written_and_all_are_sent_there(
    hub: Hub, room: Room, cast: Cast, rows: Ask
) -> None:
    ann = await _joined(hub, room, cast.owner.pk)
    await rows(partial(ownership.expire_leases, "process-a"))
    await rows(partial(ownership.acquire, room.id, "process-b"))
    ann.push(_app(room).id, 0, [[0, "x"], len(_app(room).text)])
    await hub.journal.drain()
    assert (ann.wire.code, room.state, room.id in hub.rooms) == (4009, "closed", False)
    assert not ann.take()
    assert await rows(Entry.objects.filter(client=ann.id).count) == 0
    with pytest.raises(NotOpen):
        room.write(_app(room).id, _insert(room, "x"), author=MODEL)
    assert isinstance(room.record(lambda: None).exception(), NotOpen)


async def test_everything_sent_has_the_shape_of_the_contract(
    hub: Hub, room: Room, cast: Cast
) -> None:
    ann, bob = await _both(hub, room, cast)
    file = _app(room)
    ann.push(file.id, 0, [[0, "x"], len(file.text)])
    room.write(file.id, _insert(room, "1"), author=MODEL, hunk=1)
    ann.send("here", file=file.id, v=0, sel=[1, 2])
    ann.send("ping", at=1.5)
    ann.send("tree", id="q" * 20, op="create", file=ids.new_id(), path="n.py")
    ann.send("open", file=file.id, v=1)
    ann.send("open", file="z" * 20)
    ann.push("z" * 20, 0, [1], first=9)
    room.send_all({"t": "model", "model": answers.model(hub.models.status("preview"))}, key="model")
    await _looked_at(hub)
    frames = [*ann.take(), *bob.take()]
    for frame in frames:
        check(frame)
    assert {frame["t"] for frame in frames} == {
        "entry", "pushed", "here", "pong", "tree", "ok", "entries", "error", "rejected", "model",
    }  # fmt: skip


async def test_a_room_with_nobody_in_it_closes_and_gives_its_lease_back(
    hub: Hub, room: Room, cast: Cast, rows: Ask
) -> None:
    hub._idle_s = 0.0
    ann = await _joined(hub, room, cast.owner.pk)
    hub._close_idle()
    assert not hub._closing
    from webapp.live import door

    door.leave(room, ann.client)
    hub._close_idle()
    await asyncio.gather(*hub._closing.values())
    assert room.id not in hub.rooms
    assert await rows(partial(ownership.acquire, room.id, "process-b")) == 2
