"""Random histories: a turn over two files, three people who type, and words on random hunks.

The log is followed afterwards by an oracle of single characters (tests/document/characters.py): at
each revert exactly what those hunks wrote must go, and exactly what they deleted must come back,
each once, with everything that people typed, in order.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.document.characters import Characters, Who, glyphs
from tests.live.people import Page
from tests.live.test_turns_left import die
from tests.live.turning import Stage, block, choice, stage, upstream
from webapp.document.changes import ChangeSet
from webapp.document.text import loads_utf16
from webapp.lib import ids
from webapp.live import endpoints
from webapp.live.room import Room
from webapp.pairing.create import create_session
from webapp.pairing.models import Entry, Hunk
from webapp.pairing.texts import text_at

__all__ = ["stage", "upstream"]

SEEDS = 20
PATHS = ("app.py", "b.py")


@dataclass
class History:
    """One session and what has been done in it."""

    stage: Stage
    chance: random.Random
    glyphs: Any = field(default_factory=glyphs)
    decided: dict[int, set[Who]] = field(default_factory=dict)
    """What was taken back, by the `seq` of the entry."""
    typed: bool = False
    numbers: dict[str, int] = field(default_factory=dict)
    pages: list[Page] = field(default_factory=list)

    def arrive(self) -> None:
        """Open both files on three pages."""
        room, cast = self.stage.room, self.stage.cast
        self.pages = [self.stage.ann, self.stage.bob, Page(room, cast.stranger.pk, "Cid")]
        self.pages[2].hello()
        for page in self.pages:
            for file in room.files.values():
                page.send("open", file=file.id)

    def word(self) -> str:
        return next(self.glyphs) + next(self.glyphs)

    def lines(self, count: int) -> str:
        return "".join(self.word() + "\n" for _ in range(count))

    def rewritten(self, text: str) -> str:
        """Return a file as a model might rewrite it."""
        out = ""
        for line in text.splitlines(keepends=True):
            what = self.chance.random()
            if what < 0.6:
                out += line
            elif what < 0.8:
                out += self.lines(self.chance.randint(1, 3))
            elif what < 0.9:
                out += line + self.lines(1)
        out = out or self.lines(1)
        return out if out.endswith("\n") else out + "\n"

    def somebody_types(self) -> None:
        """Insert, delete or move, anywhere, often at a line's edge."""
        self.typed = True
        chance = self.chance
        files = [file for file in self.stage.room.files.values() if file.text]
        if not files:
            return
        file, page = chance.choice(files), chance.choice(self.pages)
        text = file.text
        starts = [0, *(i + 1 for i, c in enumerate(text) if c == "\n"), len(text)]
        at = chance.choice(starts) if chance.random() < 0.6 else chance.randint(0, len(text))
        end = min(len(text), at + chance.choice([0, 0, 0, 1, 3]))
        kind = chance.random()
        if kind < 0.4:
            self.push(page, file.id, at, at, chance.choice([self.lines(1), "\n" + self.word()]))
        elif kind < 0.6:
            self.push(page, file.id, at, end, next(self.glyphs))
        elif kind < 0.75:
            self.push(page, file.id, at, end, "")
        else:
            at, end = sorted([chance.choice(starts), chance.choice(starts)])
            end = min(end, at + 9)
            moved = "".join(c if c == "\n" else next(self.glyphs) for c in text[at:end])
            self.push(page, file.id, at, end, "")
            to = chance.randint(0, len(file.text))
            self.push(page, file.id, to, to, moved)

    def push(self, page: Page, file: str, start: int, end: int, text: str) -> None:
        held = self.stage.room.files[file]
        change = ChangeSet.of(len(held.text), [(start, end, text)])
        if not change.is_empty:
            number = self.numbers[page.id] = self.numbers.get(page.id, 0) + 1
            page.push(file, held.version, change.to_json(), first=number)

    async def some_type(self, most: int) -> None:
        for _ in range(self.chance.randint(0, most)):
            self.somebody_types()
            await self.stage.tick()

    async def decide(self, turn: str) -> dict[str, Any]:
        """Say something of some of the turn's hunks, while people type; note what went."""
        chance, stage = self.chance, self.stage
        rows = await stage.hunks(turn)
        fields: dict[str, Any] = {"id": ids.new_id(), "turn": turn}
        what = chance.random()
        if what < 0.5 and rows:
            some = chance.sample(rows, chance.randint(1, len(rows)))
            fields["hunks"] = [row.ordinal for row in some]
        elif what < 0.7:
            fields["file"] = chance.choice(list(stage.room.files))
        page = chance.choice(self.pages)
        if chance.random() < 0.2:
            page.send("keep", **fields)
            return await stage.answered(page, fields["id"])
        page.send("revert", mixed=chance.random() < 0.5, **fields)
        await self.some_type(4)
        return await self.answered(page, turn, fields["id"])

    async def answered(self, page: Page, turn: str, id: str) -> dict[str, Any]:
        answer = await self.stage.answered(page, id)
        if answer["t"] == "ok" and answer.get("result"):
            for entry in await self.stage.entries(turn, "revert"):
                keys: set[Who] = {(turn, number) for number in answer["result"]["reverted"]}
                self.decided.setdefault(entry.seq, keys)
        return answer


async def begin(stage: Stage, seed: int) -> History:
    """Make a session of two files of lines that are all different."""
    chance = random.Random(seed)
    letters = glyphs()
    texts = {
        path: "".join(f"{next(letters)}{next(letters)}\n" for _ in range(chance.randint(0, 8)))
        for path in PATHS
    }

    def make() -> str:
        return create_session(stage.cast.team, stage.cast.owner, "Turns", texts).pk

    room: Room = await stage.hub.enter(await stage.ask(make))
    here = Stage(room, stage.upstream, stage.hub, stage.ask, stage.cast)
    history = History(here, chance, letters)
    history.arrive()
    return history


def searched(history: History, text: str, path: str) -> str:
    """Return search/replace blocks of a few lines each, for a file whose last line has a break."""
    lines = text.splitlines(keepends=True)
    size = history.chance.randint(1, 4)
    message = ""
    for at in range(0, len(lines), size):
        part = "".join(lines[at : at + size])
        new = history.rewritten(part)
        message += f"{path}\n<<<<<<< SEARCH\n{part}=======\n{new}>>>>>>> REPLACE\n"
    return message


def prompt(history: History, cut: bool = False, blocks: bool = False) -> str:
    """Ask for another version of both files, in pieces between which people type."""
    texts = {file.path: file.text for file in history.stage.room.files.values()}
    form = searched if blocks else lambda history, text, path: block(history.rewritten(text), path)
    message = "".join(form(history, texts[path], path) for path in PATHS)
    if cut:
        message = message[: history.chance.randint(0, len(message))]
    history.stage.upstream.reset()
    size = history.chance.choice([3, 10, 1_000])
    pieces = [{"text": message[at : at + size]} for at in range(0, len(message), size)]
    history.stage.script(*pieces)
    return history.stage.prompt(
        repair=False, v=history.stage.room.files[history.stage.file].version
    )


async def run(history: History, *, types: bool) -> None:
    """Let a turn come to its end."""
    left = 4 if types else 0
    while history.stage.turns.running:
        await history.stage.tick()
        if left and history.chance.random() < 0.1:
            history.somebody_types()
            left -= 1
    await history.stage.durable()


async def follow(history: History) -> None:
    """Follow the log, and fail where a revert did not do exactly what it is for."""
    stage = history.stage
    await stage.durable()

    def read() -> list[tuple[str, str, list[Entry], list[Hunk], dict[int, str]]]:
        held = []
        for file in stage.room.files.values():
            entries = list(Entry.objects.filter(file=file.id, version__gt=0).order_by("version"))
            rows = list(Hunk.objects.filter(file=file.id))
            texts = {row.pk: text_at(file.id, row.version) for row in rows}
            held.append((file.id, text_at(file.id, 0), entries, rows, texts))
        return held

    for file, text, entries, rows, texts in await stage.ask(read):
        mine: dict[str, Who] = {}
        for row in rows:
            for glyph in texts[row.pk][row.start : row.end] + loads_utf16(row.old_text):
                if glyph != "\n":
                    mine[f"{row.turn_id}{glyph}"] = (row.turn_id, row.ordinal)
        rolled_back = {
            (row.turn_id, row.version): row for row in rows if row.status == "rolled_back"
        }
        oracle = Characters(text)
        for entry in entries:
            change = ChangeSet.from_json(loads_utf16(entry.payload), len(oracle.text()))
            turn, hunk = entry.turn_id or "", entry.hunk
            if entry.kind == "revert":
                oracle.undo(change, history.decided[entry.seq])
            elif not entry.author.startswith("turn:"):
                oracle.edit(change, None)
            elif (turn, entry.version) in rolled_back:
                oracle.undo(change, {(turn, hunk or 0)})
            else:
                beside = [
                    row for row in rows if (row.turn_id, row.version) == (turn, entry.version)
                ]
                oracle.edit(change, _wrote(mine, turn, hunk, beside))
        assert oracle.text() == stage.room.files[file].text


def _wrote(
    mine: dict[str, Who], turn: str, hunk: int | None, beside: list[Hunk]
) -> Callable[[str], list[Who]]:
    """Return what tells the hunk of each character of a text that the turn wrote or deleted."""

    def who(text: str) -> list[Who]:
        others = [row for row in beside if loads_utf16(row.old_text) == text]
        last: Who = (turn, hunk or 0)
        if not text.strip("\n") and len(others) == 1:
            last = (turn, others[0].ordinal)  # blank lines have nothing to know them by
        found: list[Who] = []
        for glyph in text:
            last = last if glyph == "\n" and found else mine.get(turn + glyph, last)
            found.append(last)
        if text.startswith("\n") and len(found) > 1:
            found[0] = found[1]
        return found

    return who


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_words_on_random_hunks(stage: Stage, seed: int) -> None:
    history = await begin(stage, seed)
    turn = prompt(history, cut=seed % 5 == 4)
    await run(history, types=seed % 3 > 0)
    await history.some_type(8)
    for _ in range(history.chance.randint(1, 3)):
        await history.decide(turn)
        await history.some_type(3)
    if seed % 4 == 1:
        second = prompt(history)
        await run(history, types=False)
        await history.decide(history.chance.choice([turn, second]))
    if seed % 4 == 3:
        history.stage = await die(history.stage)
        history.arrive()
        await history.decide(turn)
    await follow(history)
    page = history.stage.bob
    page.send("revert", id="e" * 20, turn=turn, mixed=True)
    answer = await history.answered(page, turn, "e" * 20)
    await follow(history)
    assert {row.status for row in await history.stage.hunks(turn)} <= {"reverted", "rolled_back"}
    assert answer["t"] == "ok" or answer["code"] == "refused"
    if history.stage.hub is not stage.hub:
        await history.stage.hub.shutdown()
    await endpoints.close_provider()


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_words_on_random_blocks(stage: Stage, seed: int) -> None:
    history = await begin(stage, seed)
    history.stage.room.choices = (choice(stage.upstream, edit_format="blocks"),)
    turn = prompt(history, cut=seed % 5 == 4, blocks=True)
    await run(history, types=seed % 3 > 0)
    for _ in range(history.chance.randint(1, 4)):
        await history.some_type(4)
        await history.decide(turn)
    await follow(history)
    history.stage.bob.send("revert", id="e" * 20, turn=turn, mixed=True)
    await history.answered(history.stage.bob, turn, "e" * 20)
    await follow(history)
    await endpoints.close_provider()


@pytest.mark.parametrize("seed", range(SEEDS, SEEDS + 12))
async def test_words_while_another_turn_writes(stage: Stage, seed: int) -> None:
    history = await begin(stage, seed)
    turn = prompt(history)
    await run(history, types=False)
    await history.some_type(6)
    prompt(history, cut=seed % 2 == 0)
    for _ in range(history.chance.randint(0, 30)):
        await history.stage.tick()
    await history.decide(turn)
    await run(history, types=True)
    await history.decide(turn)
    await follow(history)
    await endpoints.close_provider()


@pytest.mark.parametrize("seed", range(SEEDS + 12, SEEDS + 24))
async def test_when_nobody_typed_all_of_it_back_is_the_text_before(stage: Stage, seed: int) -> None:
    history = await begin(stage, seed)
    before = {file.path: file.text for file in history.stage.room.files.values()}
    turn = prompt(history, cut=seed % 3 == 0)
    await run(history, types=False)
    if rows := await history.stage.hunks(turn):
        page = history.stage.ann
        page.send("revert", id="a" * 20, turn=turn, hunks=[history.chance.choice(rows).ordinal])
        await history.answered(page, turn, "a" * 20)
    history.stage.bob.send("revert", id="e" * 20, turn=turn)
    await history.answered(history.stage.bob, turn, "e" * 20)
    assert {file.path: file.text for file in history.stage.room.files.values()} == before
    await follow(history)
    await endpoints.close_provider()
