"""From a prompt to what the model is asked: which file, which lines. Never waits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from webapp.document.text import from_utf16, line_starts
from webapp.engine.ports import Endpoint, Request
from webapp.engine.prompt import Brief, PastTurn, TooLarge, build, choose_region, selected_lines
from webapp.live import presence, wire
from webapp.live import turn_sentences as say
from webapp.live.clients import Client
from webapp.live.files import OpenFile
from webapp.live.turn_rows import Record
from webapp.live.writing import Focus

if TYPE_CHECKING:
    from webapp.live.room import Room


@dataclass(frozen=True, slots=True)
class Asked:
    """The request, the lines it shows (1-based; None for all), and where those stand."""

    request: Request
    region: tuple[int, int] | None
    focus: Focus


def focused(room: Room, client: Client, message: wire.Prompt) -> OpenFile | None:
    """Return the file that the prompt is about: named, looked at, or the first."""
    for id in (message.file, client.where.file):
        if id is not None and id in room.files:
            return room.files[id]
    return min(room.files.values(), key=lambda file: file.path, default=None)


def ask(
    room: Room,
    client: Client,
    message: wire.Prompt,
    file: OpenFile,
    endpoint: Endpoint,
    history: Sequence[PastTurn] = (),
) -> Asked | TooLarge:
    """Return what to ask. A small model gets a region of a long file; so does any model to which
    the whole file is too large. A small model is not told of earlier turns: it does them again."""
    selection = _selection(client, message, file)
    around = choose_region(file.text, selection)
    paths = sorted(held.path for held in room.files.values() if held is not file)
    refusal = TooLarge(0, 0)
    for region in dict.fromkeys([around] if endpoint.small else [None, around]):
        brief = Brief(
            prompt=from_utf16(message.text),
            path=file.path,
            text=from_utf16(file.text),
            endpoint=endpoint,
            region=region,
            selected=selected_lines(file.text, selection),
            other_paths=paths,
            history=() if endpoint.small else history,
        )
        answer = build(brief)
        if isinstance(answer, Request):
            return Asked(answer, region, _focus(file, region))
        refusal = answer
    return refusal


def past(records: Iterable[Record]) -> list[PastTurn]:
    """Return what the model may know of earlier turns, oldest first; what was taken back is not."""
    return [
        PastTurn(from_utf16(record.prompt), _OUTCOMES[record.state])
        for record in records
        if record.state in _OUTCOMES and not record.reverted_by
    ]


_OUTCOMES: Final = {
    "finished": "That was done.",
    "stopped": "That was stopped half-way; what was complete was kept.",
}


def too_large(asked: TooLarge) -> str:
    """Return the sentence for what does not fit."""
    return str(say.TOO_LARGE % {"needed": asked.needed, "window": asked.window})


def _selection(client: Client, message: wire.Prompt, file: OpenFile) -> tuple[int, int]:
    """Return the selection at the head: the prompt's, else where the person is, else the top."""
    told = message.file == file.id and message.sel is not None
    place = presence.place(wire.Here(file.id, message.v, message.sel), file) if told else None
    if place is not None and place.sel is not None:
        return place.sel
    where = client.where
    return where.sel if where.file == file.id and where.sel is not None else (0, 0)


def _focus(file: OpenFile, region: tuple[int, int] | None) -> Focus:
    if region is None:
        return Focus(file.id, file.path, 0, len(file.text), whole=True)
    starts = [*line_starts(file.text), len(file.text)]
    end = starts[region[1]] if region[1] < len(starts) else len(file.text)
    return Focus(file.id, file.path, starts[region[0] - 1], end, whole=False)
