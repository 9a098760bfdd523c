"""What pages ask of a room's turns. Never waits; each request is answered with `ok` or `error`.

A request that is sent twice acts once: by its own id, which is the turn's or the follow-up's where
it makes one, so that this holds after a restart too. Nothing has been done when `error` comes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from webapp.lib import clock
from webapp.live import asking, questions, wire
from webapp.live import turn_sentences as say
from webapp.live.answers import error
from webapp.live.asking import Refusal
from webapp.live.clients import Client
from webapp.live.questions import Question
from webapp.live.turn_rows import Record

if TYPE_CHECKING:
    from webapp.live.turns import Turns

REMEMBERED: Final = 500


def prompt(turns: Turns, client: Client, message: wire.Prompt) -> None:
    """Ask the model now, when nothing runs and nothing waits (but for somebody); else wait."""
    if _known(turns, client, message.id):
        return
    asked = _question(turns, client, message)
    if asked is None:
        return
    if _may_begin(turns):
        _begin(turns, client, message.id, asked, None)
    else:
        _wait(turns, client, asked)


def redirect(turns: Turns, client: Client, message: wire.Redirect) -> None:
    """End a turn and go on with this prompt; whoever comes too late is asked next."""
    at_s = clock.monotonic()
    if _known(turns, client, message.id):
        return
    asked = _question(turns, client, message)
    if asked is None:
        return
    current, old = turns.current, turns.records.get(message.turn)
    if current is not None and current.record.id == message.turn:
        _redirect(turns, client, message.id, asked, message.keep, at_s)
    elif not _may_begin(turns):
        is_other = old is not None and old.state == "redirected"
        first = (
            say.REDIRECTED_FIRST % {"name": old.ended_by} if old and is_other else say.OVER_FIRST
        )
        _wait(turns, client, asked, first)
    else:
        if old is not None and message.keep == "nothing" and _is_askable(turns, client, asked, old):
            turns.take_back(old, client)
        _begin(turns, client, message.id, asked, old)


def followup(turns: Turns, client: Client, message: wire.FollowUp) -> None:
    """Change the list of waiting prompts, whoever wrote them."""
    if _known(turns, client, message.id):
        return
    if message.op == "now" and message.followup in turns.records:
        _known(turns, client, message.id, message.followup)
        return
    held = turns.followups.find(message.followup)
    if held is None or (message.before and turns.followups.find(message.before) is None):
        turns.room.send_to(client, error("gone", message.id, say.FOLLOW_UP_GONE))
        return
    match message.op:
        case "now" if turns.current is None:
            _begin(turns, client, message.id, held, None)
            return
        case "now":
            _redirect(turns, client, message.id, held, "finished", clock.monotonic())
            return
        case "edit":
            turns.followups.edit(held.id, message.text or held.text)
        case "move":
            turns.followups.move(held.id, message.before)
        case "remove":
            turns.followups.remove(held.id)
    _remember(turns, message.id, "")
    turns.room.send_to(client, {"t": "ok", "id": message.id})


def stop(turns: Turns, client: Client, message: wire.Stop) -> None:
    """End a turn now; one that is over already is no mistake."""
    at_s = clock.monotonic()
    running = turns.current
    if running is None or running.record.id != message.turn:
        turns.room.send_to(client, {"t": "ok", "id": message.id, "result": "over"})
        return
    running.stop(client.name, at_s)
    turns.withheld.decline(running.record, client.name)
    turns.room.send_to(client, {"t": "ok", "id": message.id, "result": "stopped"})


def outline(turns: Turns, client: Client, message: wire.Outline) -> None:
    """Tell what the model would see if this were sent now."""
    room = turns.room
    asked = questions.question(room, client, message, message.id, message.text)
    told = asking.outline(room, asked, turns.records, turns.records.get(message.turn or ""))
    if isinstance(told, Refusal):
        room.send_to(client, error(told.code, message.id, told.message))
    else:
        room.send_to(client, {"t": "ok", "id": message.id, "result": told})


def warm(turns: Turns, client: Client, message: wire.Warm) -> None:
    """Let a free model read the beginning of the prompt that is likely to come."""
    if turns.running:
        return
    likely = questions.question(turns.room, client, message, "", "")
    warming = asking.warming(turns.room, likely, turns.records)
    if warming is not None:
        turns.warmer.ask(*warming)


# Within


def _may_begin(turns: Turns) -> bool:
    """Say whether a prompt is asked at once: a list that is held is behind it."""
    followups = turns.followups
    return not turns.running and (followups.held or not len(followups))


def _question(turns: Turns, client: Client, message: wire.Said) -> Question | None:
    """Return what is asked, or refuse what nobody could answer now or later."""
    room = turns.room
    turns.warmer.abort()
    asked = questions.question(room, client, message, message.id, message.text)
    refusal = asking.ready(room, asked.tier, asked.endpoint)
    if not isinstance(refusal, Refusal):
        if asked.file is not None:
            return asked
        refusal = Refusal("refused", say.NO_FILE)
    room.send_to(client, error(refusal.code, message.id, refusal.message))
    return None


def _is_askable(turns: Turns, client: Client, asked: Question, old: Record) -> bool:
    return not isinstance(asking.prepare(turns.room, asked, turns.records, old), Refusal)


def _begin(turns: Turns, client: Client, id: str, asked: Question, parent: Record | None) -> None:
    ready = asking.prepare(turns.room, asked, turns.records, parent)
    if isinstance(ready, Refusal):
        turns.room.send_to(client, error(ready.code, id, ready.message))
        return
    turns.begin(asked, ready, parent, _answer(turns, client, id, "started"))


def _redirect(
    turns: Turns, client: Client, id: str, asked: Question, keep: wire.Kept, at_s: float
) -> None:
    answer = _answer(turns, client, id, "redirected")
    refusal = turns.redirect_to(asked, keep, client, at_s, answer)
    if refusal is not None:
        turns.results.pop(id, None)
        turns.room.send_to(client, error(refusal.code, id, refusal.message))


def _wait(turns: Turns, client: Client, asked: Question, ahead: str = "") -> None:
    """Let it wait; at the head when it came too late to redirect, as the sentence `ahead` says."""
    if turns.followups.is_full:
        turns.room.send_to(client, error("full", asked.id, say.FULL))
        return
    answer = _answer(turns, client, asked.id, "waits", ahead)
    turns.wait(asked, ahead=bool(ahead), kept=answer)


def _answer(
    turns: Turns, client: Client, id: str, result: str, message: str = ""
) -> Callable[[bool], None]:
    """Remember what the answer will be; return what sends it once it is known to hold."""
    _remember(turns, id, result)
    return partial(_send_answer, turns, client, id, result, message)


def _send_answer(
    turns: Turns, client: Client, id: str, result: str, message: str, kept: bool
) -> None:
    if kept:
        frame = {"t": "ok", "id": id, "result": result}
        turns.room.send_to(client, {**frame, "message": message} if message else frame)
    else:
        turns.results.pop(id, None)
        turns.room.send_to(client, error("refused", id, say.NOT_KEPT))


def _remember(turns: Turns, id: str, result: str) -> None:
    turns.results[id] = result
    while len(turns.results) > REMEMBERED:
        del turns.results[next(iter(turns.results))]


def _known(turns: Turns, client: Client, id: str, asked: str = "") -> bool:
    """Answer what was asked with this id (or as `asked`) before, if it was; say so."""
    result = turns.results.get(id)
    if result is None and turns.followups.find(asked or id) is not None:
        result = "waits"
    if result is None and (record := turns.records.get(asked or id)) is not None:
        result = "redirected" if record.parent else "started"
    if result is None:
        return False
    frame = {"t": "ok", "id": id}
    turns.room.send_to(client, {**frame, "result": result} if result else frame)
    return True
