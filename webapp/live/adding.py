"""Files from outside come into a session that may be open: `await add(...)`.

What comes is looked at before anything is written: whether it fits, and what stands there already.
Then it goes in by short writes, each of which everybody sees at once: a file of megabytes is made
with its beginning and grows. A text that replaces a text is an ordinary edit, so that carets stay
and the log can give the old one back; anything else takes the old file away and makes a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal

from webapp.document.changes import ChangeSet
from webapp.document.encodings import Binary, Recognised
from webapp.document.text import to_utf16
from webapp.document.tree import first_clash
from webapp.lib import ids
from webapp.live import filing, reading, sentences
from webapp.live.ask import ask
from webapp.live.files import MAX_FILES, MAX_LENGTH, SERVER, OpenFile
from webapp.live.filing import Doer
from webapp.live.room import Room
from webapp.pairing import staging
from webapp.pairing.models import File
from webapp.pairing.uploads import NewFile

PIECE_ASCII: Final = 512 * 1024
PIECE_WIDE: Final = PIECE_ASCII // 6
MOST_STEPS: Final = 50

Conflicts = Literal["ask", "replace", "skip"]


@dataclass(frozen=True, slots=True)
class Exists:
    """These paths stand there already and nobody said what to do; nothing was written."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CannotAdd:
    """Why the files cannot come in, as a sentence. Nothing more was written."""

    message: str


@dataclass(slots=True)
class Added:
    """What came in, by path."""

    added: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Adder:
    """Whose files they are."""

    user: int
    name: str


async def add(
    session_id: str, adder: Adder, files: Sequence[NewFile], conflicts: Conflicts
) -> Added | Exists | CannotAdd:
    """Put the files into the session; raises what `ask` raises.

    With "ask", a path that exists already stops it before anything is written.
    """
    seen = await ask(session_id, _Look(files))
    if isinstance(seen, CannotAdd):
        return seen
    if seen.paths and conflicts == "ask":
        return seen
    staged: list[str] = []
    added = Added()
    try:
        steps = []
        for new in files:
            if new.path in seen.paths and conflicts == "skip":
                added.skipped.append(new.path)
                continue
            file = ""
            if isinstance(new.content, Binary):
                file = await reading.read(partial(staging.stage, session_id, new))
                staged.append(file)
            steps += list(_steps(new, file or ids.new_id()))
        for batch in _batches(steps):
            problem = await ask(session_id, _Add(adder, batch, added))
            if problem:
                return CannotAdd(problem)
        return added
    finally:
        if staged:
            await reading.read(partial(staging.unstage, staged))


@dataclass(frozen=True, slots=True)
class _Step:
    """One write: a new file with the beginning of its text, or more text for it."""

    new: NewFile
    file: str
    piece: str
    at: int

    @property
    def weight(self) -> int:
        return len(self.piece) * (1 if self.piece.isascii() else 6)


def _steps(new: NewFile, file: str) -> Iterator[_Step]:
    text = to_utf16(new.content.text) if isinstance(new.content, Recognised) else ""
    size = PIECE_ASCII if text.isascii() else PIECE_WIDE
    for at in range(0, max(1, len(text)), size):
        yield _Step(new, file, text[at : at + size], at)


def _batches(steps: Sequence[_Step]) -> Iterator[tuple[_Step, ...]]:
    batch: list[_Step] = []
    weight = 0
    for step in steps:
        if batch and (weight + step.weight > PIECE_ASCII or len(batch) >= MOST_STEPS):
            yield tuple(batch)
            batch, weight = [], 0
        batch.append(step)
        weight += step.weight
    if batch:
        yield tuple(batch)


@dataclass(frozen=True, slots=True)
class _Look:
    """Which of the paths are there, and whether the rest fits beside what is."""

    files: Sequence[NewFile]

    def perform(self, room: Room) -> Exists | CannotAdd:
        """Look, without changing anything."""
        held = {file.path for file in room.files.values()}
        there = tuple(new.path for new in self.files if new.path in held)
        if len(held) + len(self.files) - len(there) > MAX_FILES:
            return CannotAdd(sentences.ERRORS["limit"])
        problem = _clash(room, [new.path for new in self.files])
        return CannotAdd(problem) if problem else Exists(there)


@dataclass(frozen=True, slots=True)
class _Add:
    """Some of the files; `added` hears of each."""

    adder: Adder
    steps: tuple[_Step, ...]
    added: Added

    def perform(self, room: Room) -> str:
        """Write them; return why not all could be, or ''."""
        room.names.setdefault(self.adder.user, self.adder.name)
        author = f"user:{self.adder.user}"
        doer = Doer(author, SERVER, room.by(author))
        # Somebody may have made a file since we looked.
        problem = _clash(room, [step.new.path for step in self.steps if not step.at])
        with room.together():
            for step in self.steps:
                if problem:
                    break
                if step.at:
                    problem = _append(room, step, doer)
                else:
                    self._begin(room, step, doer)
        return problem

    def _begin(self, room: Room, step: _Step, doer: Doer) -> None:
        new, content = step.new, step.new.content
        old = next((file for file in room.files.values() if file.path == new.path), None)
        if old is not None:
            self.added.replaced.append(new.path)
            if _can_edit(old, step):
                _replace(room, old, step, doer)
                return
            filing.delete(room, old, doer)
        else:
            self.added.added.append(new.path)
        if isinstance(content, Binary):
            file = OpenFile(step.file, new.path, "lf", "", 0, blob_bytes=len(content.data))
        else:
            file = OpenFile(
                step.file,
                new.path,
                content.ending,
                step.piece,
                0,
                encoding=content.encoding,
                has_bom=content.has_bom,
            )
        filing.create(room, file, doer, new.is_executable)


def _clash(room: Room, paths: Sequence[str]) -> str:
    """Return why these cannot stand beside what is there and is called otherwise, or ''."""
    held = {file.path for file in room.files.values()}
    problem = first_clash([*held, *(path for path in paths if path not in held)])
    return problem or ""


def _can_edit(old: OpenFile, step: _Step) -> bool:
    """Say whether the new text can become the old file's by one change.

    Pages read a file that mixes its line ends in another way, so that one stays one.
    """
    content = step.new.content
    return (
        isinstance(content, Recognised)
        and old.is_text
        and len(step.piece) == len(to_utf16(content.text))
        and (old.ending == "mixed") == (content.ending == "mixed")
    )


def _replace(room: Room, old: OpenFile, step: _Step, doer: Doer) -> None:
    content = step.new.content
    assert isinstance(content, Recognised)  # noqa: S101 - _can_edit said so
    old.ending, old.encoding, old.has_bom = content.ending, content.encoding, content.has_bom
    fields = {
        "ending": content.ending,
        "encoding": content.encoding,
        "has_bom": content.has_bom,
    }
    with room.together() as building:
        building.add(partial(_update, old.id, fields))
        if old.text != step.piece:
            _write(room, old, _difference(old.text, step.piece), doer)


def _append(room: Room, step: _Step, doer: Doer) -> str:
    file = room.files.get(step.file)
    if file is None:
        return sentences.ERRORS["gone"]
    at = len(file.text)
    if at + len(step.piece) > MAX_LENGTH:
        return sentences.ERRORS["limit"]
    _write(room, file, ChangeSet.of(at, [(at, at, step.piece)]), doer)
    return ""


def _write(room: Room, file: OpenFile, change: ChangeSet, doer: Doer) -> None:
    """Sequence it as what a person did: a turn that writes there must hear of it, and yield."""
    room.sequence(file, change, doer.author, doer.by, SERVER, None)
    version = file.version
    for listener in room.listeners:
        listener(file.id, version, change, doer.author)


def _difference(old: str, new: str) -> ChangeSet:
    """Return the change between two texts: what they begin and end with alike stays."""
    most = min(len(old), len(new))
    start = _alike(old, new, most)
    end = _alike(old[::-1], new[::-1], most - start)
    return ChangeSet.of(len(old), [(start, len(old) - end, new[start : len(new) - end])])


def _alike(one: str, other: str, most: int) -> int:
    """Return how many characters two texts begin with alike, by halving."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _update(file: str, fields: dict[str, object]) -> None:
    File.objects.filter(pk=file).update(**fields)
