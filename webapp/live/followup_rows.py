"""Waiting prompts at rest: rows in and out. Functions here block; the journal's or a reader's
thread calls them. A row keeps the place as it was asked; the log tells where that is now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webapp.document.text import dumps_ascii, loads_utf16, to_utf16
from webapp.live import loading
from webapp.live.prose import plain
from webapp.live.questions import Question, moved
from webapp.pairing.models import FollowUp, Session


def row(session: str, question: Question, version: int | None) -> FollowUp:
    """Return the row of a prompt that begins to wait; `version` is that of its file's head."""
    place = {
        "file": question.file,
        "v": version,
        "sel": list(question.sel) if question.sel else None,
        "files": list(question.files),
    }
    return FollowUp(
        id=question.id,
        session_id=session,
        author_id=question.author,
        author_name=question.name,
        prompt=plain(question.text),
        tier=question.tier,
        endpoint=question.endpoint,
        wants_repair=question.wants_repair,
        place=dumps_ascii(place),
        created_at=question.created_at,
        position=0,
    )


def insert(row: FollowUp, ids: Sequence[str]) -> None:
    """Keep a new one; `ids` is the whole list then, in order."""
    row.position = ids.index(row.pk)
    row.save(force_insert=True)
    arrange(row.session_id, ids)


def arrange(session: str, ids: Sequence[str]) -> None:
    """Keep the order of the list; what is not in it is gone."""
    FollowUp.objects.filter(session_id=session).exclude(pk__in=ids).delete()
    ordered = [FollowUp(id=id, position=position) for position, id in enumerate(ids)]
    FollowUp.objects.filter(session_id=session).bulk_update(ordered, ["position"])


def edit(session: str, id: str, text: str) -> None:
    """Keep another wording."""
    FollowUp.objects.filter(session_id=session, pk=id).update(prompt=plain(text))


def hold(session: str, held: bool) -> None:
    """Keep whether the list waits for somebody."""
    Session.objects.filter(pk=session).update(holds_follow_ups=held)


def started(session: str, id: str) -> None:
    """One has become a turn, in this very transaction, and the list goes on."""
    FollowUp.objects.filter(session_id=session, pk=id).delete()
    hold(session, False)


def load(session: str) -> tuple[list[Question], bool]:
    """Return the list as it waits, selections where they stand now, and whether it is held."""
    rows = FollowUp.objects.filter(session_id=session).order_by("position", "created_at")
    held = Session.objects.values_list("holds_follow_ups", flat=True).get(pk=session)
    return [_question(row) for row in rows], held


def _question(row: FollowUp) -> Question:
    place = loads_utf16(row.place) or {}
    return Question(
        id=row.pk,
        text=to_utf16(row.prompt),
        author=row.author_id,
        name=row.author_name,
        file=place.get("file"),
        tier=row.tier,
        endpoint=row.endpoint,
        sel=_selection(place),
        files=tuple(place.get("files") or ()),
        wants_repair=row.wants_repair,
        created_at=row.created_at,
    )


def _selection(place: dict[str, Any]) -> tuple[int, int] | None:
    """Return the selection at the head; None when the log is too long to follow it."""
    if not place.get("sel") or place.get("v") is None:
        return None
    steps = loading.missed(place["file"], place["v"], _nobody)
    anchor, head = place["sel"]
    return None if steps is None else moved((anchor, head), [step.change for step in steps])


def _nobody(author: str) -> dict[str, Any]:
    return {}
