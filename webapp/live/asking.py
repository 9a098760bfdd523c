"""From a question to what the model is asked: which choice, file and lines. Never waits.

The whole of it is tried before anything is done: a prompt that cannot be asked ends no turn and
takes nobody's place.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from webapp.document.text import from_utf16, line_start
from webapp.engine import prompt as engine_prompt
from webapp.engine.ports import Request
from webapp.engine.prompt import (
    CHARS_PER_TOKEN,
    Brief,
    Excerpt,
    PastTurn,
    Redirection,
    TooLarge,
    build,
    choose_region,
    estimate_tokens,
    selected_lines,
)
from webapp.live import endpoints, redirection
from webapp.live import turn_sentences as say
from webapp.live.endpoints import Choice
from webapp.live.files import OpenFile
from webapp.live.questions import Question
from webapp.live.turn_rows import Record
from webapp.live.writing import Focus

if TYPE_CHECKING:
    from webapp.live.room import Room


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom to ask what, the lines that are shown (1-based; None for all), where those stand."""

    choice: Choice
    request: Request
    region: tuple[int, int] | None
    focus: Focus

    def record(self, question: Question, parent: str | None) -> Record:
        """Return the turn that this begins."""
        from_line, to_line = self.region or (None, None)
        focus = self.focus
        return Record(
            id=question.id,
            author=question.author,
            name=question.name,
            prompt=question.shown or question.text,
            tier=self.choice.tier,
            parent=parent,
            wants_repair=question.wants_repair,
            repairs=question.repairs,
            endpoint=self.choice.id,
            label=self.choice.label,
            model=self.choice.endpoint.model,
            edit_format=self.choice.endpoint.edit_format,
            focus={
                "file": focus.file,
                "path": focus.path,
                "from_line": from_line,
                "to_line": to_line,
            },
        )


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why it cannot be asked: a code of the wire, and a sentence."""

    code: str
    message: str


def prepare(
    room: Room, question: Question, records: Mapping[str, Record], parent: Record | None = None
) -> Asked | Refusal:
    """Return what to ask, as things are now; `parent` is the turn that is redirected."""
    choice = ready(room, question.tier, question.endpoint)
    if isinstance(choice, Refusal):
        return choice
    file = room.files.get(question.file or "")
    if file is None or not file.is_text:
        return Refusal("refused", say.FILE_GONE if question.file else say.NO_FILE)
    refusal = TooLarge(0, 0)
    for brief in briefs(room, question, file, choice, records, parent):
        answer = build(brief)
        if isinstance(answer, Request):
            return Asked(choice, answer, brief.region, _focus(file, brief.region))
        refusal = answer
    return Refusal("refused", too_large(refusal.needed, refusal.window))


def ready(room: Room, tier: str, endpoint: str) -> Choice | Refusal:
    """Return the choice if it can be asked now."""
    choice = endpoints.pick(room.choices, tier, endpoint)
    if choice is None and endpoint and endpoint != tier:
        return Refusal("model", say.MODEL_GONE)
    if choice is not None and not choice.is_installed:
        return choice
    if tier not in endpoints.TIERS:
        return Refusal("model", say.NO_TIER)
    status = room.models.status(tier)
    if choice is not None and status.state == "ready":
        return choice
    if status.state in ("missing", "failed", "unfit") and status.message:
        problem = status.message
        return Refusal("model", say.NO_ANSWER % {"problem": problem})
    if tier != endpoints.PREVIEW and status.state in ("missing", "ready"):
        return Refusal("model", say.NO_TIER)
    return Refusal("model", say.NOT_READY.get(status.state, say.NO_MODEL))


def briefs(
    room: Room,
    question: Question,
    file: OpenFile,
    choice: Choice,
    records: Mapping[str, Record],
    parent: Record | None = None,
) -> Iterable[Brief]:
    """Yield what the model may be told, the fullest first; the first that fits is asked.

    A small model gets a region of a long file; so does any model to which the whole file is too
    large. A small model is not told of earlier turns: it does them again. What cannot fit is not
    even tried, since a file may have megabytes and people's typing waits meanwhile.
    """
    endpoint = choice.endpoint
    selection = question.sel or (0, 0)
    # A caret at the very top is where it stands when nobody has placed it.
    placed = question.sel not in (None, (0, 0))
    around = choose_region(file.text, selection, prompt=question.text, placed=placed)
    chain = redirection.chain(records, parent)
    history: Sequence[PastTurn] = ()
    if not endpoint.small and question.repairs is None:
        history = past(records.values(), {record.id for record in chain})
    told = redirection.told(room, chain)
    without = Redirection(told.prompt) if told is not None and told.kept else None
    text = from_utf16(file.text)
    in_part = endpoint.small or estimate_tokens(text) > endpoint.context_window
    other_paths = sorted(held.path for held in room.files.values() if held is not file)
    mentioned = _mentioned(room, question, file, endpoint.context_window)
    for region in dict.fromkeys([around] if in_part else [None, around]):
        for redirected in (told, without) if without is not None else (told,):
            yield Brief(
                prompt=from_utf16(question.text),
                path=file.path,
                text=text,
                endpoint=endpoint,
                region=region,
                selected=selected_lines(file.text, selection),
                other_paths=other_paths,
                history=history,
                mentioned=mentioned,
                redirection=redirected,
            )


def past(records: Iterable[Record], but: Collection[str] = ()) -> list[PastTurn]:
    """Return what the model may know of earlier turns, oldest first; what was taken back is not."""
    return [
        PastTurn(from_utf16(record.prompt), _OUTCOMES[record.state])
        for record in records
        if record.state in _OUTCOMES
        and not (record.reverted_by or record.repairs)
        and record.id not in but
    ]


_OUTCOMES: Final = {
    "finished": "That was done.",
    "stopped": "That was stopped half-way; what was complete was kept.",
    "redirected": "That was changed half-way to what follows.",
}


def _mentioned(room: Room, question: Question, file: OpenFile, window: int) -> list[Excerpt]:
    """Return the mentioned files; of one that cannot fit, no more than shows that."""
    files = [room.files[id] for id in question.files if id in room.files]
    most_utf16 = 2 * int((window + 1) * CHARS_PER_TOKEN)
    return [
        Excerpt(held.path, from_utf16(held.text[:most_utf16]))
        for held in files
        if held is not file and held.is_text
    ]


def too_large(needed: int, window: int) -> str:
    """Return the sentence for what does not fit."""
    return say.TOO_LARGE % {"needed": needed, "window": window}


def is_free(choice: Choice) -> bool:
    """Say whether asking costs nobody anything: the installation's own, on this machine."""
    host = urlsplit(choice.endpoint.base_url).hostname or ""
    if host == "localhost":
        return choice.is_installed
    try:
        return choice.is_installed and ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _focus(file: OpenFile, region: tuple[int, int] | None) -> Focus:
    if region is None:
        return Focus(file.id, file.path, 0, len(file.text), whole=True)
    from_line, to_line = region
    start, end = line_start(file.text, from_line), line_start(file.text, to_line + 1)
    return Focus(file.id, file.path, start, end, whole=False)


def outline(
    room: Room, question: Question, records: Mapping[str, Record], parent: Record | None
) -> dict[str, Any] | Refusal:
    """Return the sizes of what the model would see, as the wire has them, ready or not."""
    choice = endpoints.pick(room.choices, question.tier, question.endpoint)
    if choice is None:
        refusal = ready(room, question.tier, question.endpoint)
        return refusal if isinstance(refusal, Refusal) else Refusal("model", say.NO_TIER)
    file = room.files.get(question.file or "")
    if file is None:
        return Refusal("refused", say.NO_FILE)
    for brief in briefs(room, question, file, choice, records, parent):
        told = engine_prompt.outline(brief)
        if told.fits:
            break
    frame: dict[str, Any] = {
        "parts": [
            {"kind": part.kind, "label": part.label, "tokens": part.tokens} for part in told.parts
        ],
        "used": told.used,
        "answer": told.answer,
        "window": told.window,
        "fits": told.fits,
        "tier": choice.tier,
        "endpoint": choice.id,
        "label": choice.label,
        "model": choice.endpoint.model,
    }
    if not told.fits:
        frame["message"] = too_large(told.used + told.answer, told.window)
    elif told.note:
        frame["message"] = told.note
    return frame


def warming(
    room: Room, question: Question, records: Mapping[str, Record]
) -> tuple[Choice, Request] | None:
    """Return whom to let read what before this is asked; None when that would cost something."""
    choice = ready(room, question.tier, question.endpoint)
    file = room.files.get(question.file or "")
    if isinstance(choice, Refusal) or file is None or not is_free(choice):
        return None
    for brief in briefs(room, question, file, choice, records):
        if isinstance(build(brief), Request):
            return choice, engine_prompt.warm_request(brief)
    return None
