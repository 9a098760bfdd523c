"""What a restore has to do: from the project as a room holds it to the project at a moment.

`plan` blocks, and writes nothing but the bytes of binary files that are to come in, which nobody
sees until they do (pairing/staging.py). A file that is still there is edited and renamed, so that
carets and hunks stay. One that is gone comes back as a new file, for a page that has seen a file go
does not believe in it any more; unless a text of the same kind stands in its place now, as after an
earlier restore: that one is edited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from webapp.document.difference import Replaced, difference
from webapp.document.encodings import Binary
from webapp.document.text import LineEnding
from webapp.lib import ids
from webapp.live.files import OpenFile
from webapp.pairing import history, staging
from webapp.pairing.export import Kept
from webapp.pairing.models import Blob, File
from webapp.pairing.texts import bytes_of, text_at
from webapp.pairing.uploads import NewFile

PIECE_ASCII: Final = 256 * 1024
PIECE_WIDE: Final = PIECE_ASCII // 6
"""How much text one entry puts in; what is not ASCII takes six bytes a unit in the log."""


@dataclass(frozen=True, slots=True)
class Held:
    """A file as the room had it when the plan was asked for; the text is a utf16 text."""

    id: str
    path: str
    text: str
    version: int
    is_text: bool
    encoding: str
    has_bom: bool
    ending: LineEnding


def held_in(files: Mapping[str, OpenFile]) -> dict[str, Held]:
    """Return a room's files as they are at this moment."""
    return {
        file.id: Held(
            file.id,
            file.path,
            file.text,
            file.version,
            file.is_text,
            file.encoding,
            file.has_bom,
            file.ending,
        )
        for file in files.values()
    }


@dataclass(frozen=True, slots=True)
class Edit:
    """A text that becomes another: groups of ranges in a text of `length`, at `version`."""

    file: str
    version: int
    length: int
    groups: tuple[tuple[Replaced, ...], ...]

    @property
    def growth(self) -> int:
        """Return by how many units the text becomes longer."""
        ranges = [held for group in self.groups for held in group]
        return sum(len(text) - (end - start) for start, end, text in ranges)


@dataclass(frozen=True, slots=True)
class Return:
    """A file that comes back under a new id; `text` in pieces, `size_bytes` for a binary one."""

    file: str
    kept: Kept
    pieces: tuple[str, ...] = ("",)
    size_bytes: int | None = None


@dataclass(slots=True)
class Plan:
    """What is to be done, in this order."""

    tree: frozenset[tuple[str, str]]
    """The ids and paths that it was made for; for others it is of no use."""
    deletes: list[str] = field(default_factory=list)
    renames: list[tuple[str, str]] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    returns: list[Return] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Say whether the project is as it was then."""
        return not (self.deletes or self.renames or self.edits or self.returns)

    @property
    def files(self) -> int:
        """Return how many files it changes."""
        touched = {*self.deletes, *(file for file, _ in self.renames)}
        return len(touched | {edit.file for edit in self.edits}) + len(self.returns)

    @property
    def staged(self) -> list[str]:
        """Return the rows of binary files that wait to come in."""
        return [back.file for back in self.returns if back.size_bytes is not None]


def tree_of(files: Iterable[Held | OpenFile]) -> frozenset[tuple[str, str]]:
    """Return the ids and paths of files."""
    return frozenset((file.id, file.path) for file in files)


def plan(session_id: str, seq: int, held: Mapping[str, Held]) -> Plan:
    """Return how the project becomes what it was after the entry `seq`. Blocks."""
    made = Plan(tree_of(held.values()))
    try:
        _fill(made, session_id, seq, held)
    except BaseException:
        staging.unstage(made.staged)
        raise
    return made


def _fill(made: Plan, session_id: str, seq: int, held: Mapping[str, Held]) -> None:
    wanted = {kept.id: kept for kept in history.project_at(session_id, seq)}
    runnable = set(
        File.objects.filter(pk__in=list(held), is_executable=True).values_list("pk", flat=True)
    )
    spare = {file.path: file for file in held.values() if file.id not in wanted}
    paths: dict[str, str] = {}
    for kept in wanted.values():
        now = held.get(kept.id)
        if now is None:
            stands = spare.get(kept.path)
            if stands is not None and _is_alike(stands, kept, stands.id in runnable):
                now = spare.pop(kept.path)
        if now is None:
            made.returns.append(_return(session_id, kept))
            continue
        paths[now.id] = kept.path
        if now.is_text:
            edit = _edit(now, text_at(kept.id, kept.version))
            if edit is not None:
                made.edits.append(edit)
    made.deletes = [file.id for file in spare.values()]
    made.renames = list(_renames({id: held[id].path for id in paths}, paths))


def _is_alike(now: Held, kept: Kept, is_runnable: bool) -> bool:
    """Say whether what stands there can become the file that stood there."""
    if now.is_text == kept.is_binary or is_runnable != kept.is_executable:
        return False
    if kept.is_binary:
        sizes = dict(Blob.objects.filter(pk__in=[now.id, kept.id]).values_list("pk", "size_bytes"))
        same_size = sizes.get(now.id) == sizes.get(kept.id)
        return same_size and bytes_of(now.id) == bytes_of(kept.id)
    return (now.encoding, now.has_bom, now.ending) == (kept.encoding, kept.has_bom, kept.ending)


def _return(session_id: str, kept: Kept) -> Return:
    if kept.is_binary:
        data = bytes_of(kept.id)
        row = staging.stage(session_id, NewFile(kept.path, Binary(data), kept.is_executable))
        return Return(row, kept, size_bytes=len(data))
    return Return(ids.new_id(), kept, tuple(_pieces(text_at(kept.id, kept.version))) or ("",))


def _edit(now: Held, text: str) -> Edit | None:
    ranges = difference(now.text, text)
    if not ranges:
        return None
    return Edit(now.id, now.version, len(now.text), tuple(_groups(ranges)))


def _groups(ranges: Sequence[Replaced]) -> Iterator[tuple[Replaced, ...]]:
    """Yield the ranges in groups that each make one entry of a size that a write may have."""
    group: list[Replaced] = []
    weight = 0
    for start, end, text in ranges:
        first, *rest = list(_pieces(text)) or [""]
        if group and weight + len(first) > PIECE_WIDE:
            yield tuple(group)
            group, weight = [], 0
        group.append((start, end, first))
        weight += len(first)
        for piece in rest:
            yield tuple(group)
            group, weight = [(end, end, piece)], len(piece)
    if group:
        yield tuple(group)


def _pieces(text: str) -> Iterator[str]:
    size = PIECE_ASCII if text.isascii() else PIECE_WIDE
    for at in range(0, len(text), size):
        yield text[at : at + size]


def _renames(now: Mapping[str, str], then: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield renames in an order in which each path is free; in a circle, one steps aside first.

    Files that neither map names are gone by then.
    """
    at = dict(now)
    waiting = [file for file in now if now[file] != then[file]]
    while waiting:
        taken = {path: file for file, path in at.items()}
        free = [file for file in waiting if then[file] not in taken]
        for file in free:
            at[file] = then[file]
            yield file, then[file]
        if free:
            waiting = [file for file in waiting if file not in free]
        else:
            at[waiting[0]] = f"{ids.new_id()}.tmp"
            yield waiting[0], at[waiting[0]]
