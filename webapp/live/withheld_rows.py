"""Withheld edits at rest: rows in and out, and as pages see them. Functions that touch rows block;
the journal's or a reader's thread calls them, and they are given values.

Of an edit that could still be made the row holds what people are shown, not what would be written:
a restart ends its wait. Where a text is cut, the row also holds the unit that follows: that is how
a cut text and one that is just as long are told from each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal, cast

from django.db.models import QuerySet

from webapp.document.text import dumps_ascii, loads_utf16
from webapp.engine.landing.withheld import Kind, Operation
from webapp.lib import clock
from webapp.lib.sentences import from_json, to_json
from webapp.pairing import models

SHOWN_UTF16: Final = 20_000
"""How much of each of its two texts is kept and shown."""
MOST_SHOWN_UTF16: Final = 60_000
"""How much text of a turn's withheld edits is kept and shown; beyond, they have none."""

State = Literal["open", "taken", "declined", "expired"]


@dataclass(frozen=True, slots=True)
class Kept:
    """A withheld edit as it is kept and shown; another value each time something becomes of it.

    Lines are 1-based and inclusive. `old` and `new` are cut; `rest` holds of each the first
    unit that is left out, or "".
    """

    turn: str
    ordinal: int
    kind: Kind
    op: Operation
    path: str
    reason: str
    to: str = ""
    file: str | None = None
    first: int | None = None
    last: int | None = None
    old: str = ""
    new: str = ""
    rest: tuple[str, str] = ("", "")
    state: State = "open"
    by: str = ""
    until: datetime | None = None
    """Until when a frozen one waits, or waited in vain."""

    def ends(self, state: State, by: str = "") -> Kept:
        """Return it as it is once something became of it."""
        return replace(self, state=state, by=by)

    def lapses(self, reason: str) -> Kept:
        """Return it as one that can no longer be made; no time is what ended its wait."""
        return replace(self, state="expired", reason=reason, until=None)

    def frame(self) -> dict[str, Any]:
        """Return the `withheld` object of the wire."""
        until = self.until if self.state in ("open", "expired") else None
        return {
            "turn": self.turn,
            "ordinal": self.ordinal,
            "kind": str(self.kind),
            "state": self.state,
            "op": self.op,
            "path": self.path,
            "to": self.to,
            "file": self.file,
            "first": self.first,
            "last": self.last,
            "old": self.old,
            "new": self.new,
            "old_cut": bool(self.rest[0]),
            "new_cut": bool(self.rest[1]),
            "reason": self.reason,
            "by": self.by,
            "until": until and until.isoformat().replace("+00:00", "Z"),
        }


@dataclass(frozen=True, slots=True)
class Texts:
    """How much of the two texts of one is kept, and what follows where that is not all."""

    old: str
    new: str
    rest: tuple[str, str]


def cut(old: str, new: str, others: Iterable[Kept]) -> Texts:
    """Cut the two texts of one to what is shown of it; `others` are those of its turn before it."""
    left = MOST_SHOWN_UTF16 - sum(len(kept.old) + len(kept.new) for kept in others)
    old_length = min(len(old), SHOWN_UTF16, max(0, left))
    new_length = min(len(new), SHOWN_UTF16, max(0, left - old_length))
    rest = old[old_length : old_length + 1], new[new_length : new_length + 1]
    return Texts(old[:old_length], new[:new_length], rest)


def insert(kept: Kept) -> None:
    """Keep a new one; its turn's row is there."""
    models.Withheld.objects.create(
        turn_id=kept.turn,
        ordinal=kept.ordinal,
        kind=kept.kind,
        state=kept.state,
        op=kept.op,
        path=kept.path,
        to=kept.to,
        file_id=kept.file,
        first_line=kept.first,
        last_line=kept.last,
        old_text=dumps_ascii(kept.old + kept.rest[0]),
        new_text=dumps_ascii(kept.new + kept.rest[1]),
        reason=dumps_ascii(to_json(kept.reason)) if kept.reason else "",
        answered_by=kept.by,
        until=kept.until,
    )


def save(kept: Kept) -> None:
    """Keep what became of one."""
    rows = models.Withheld.objects.filter(turn_id=kept.turn, ordinal=kept.ordinal)
    reason = dumps_ascii(to_json(kept.reason)) if kept.reason else ""
    rows.update(state=kept.state, answered_by=kept.by, reason=reason, until=kept.until)


def of_turns(turns: Iterable[models.Turn]) -> dict[str, dict[int, Kept]]:
    """Return those of each turn, by ordinal."""
    found: dict[str, dict[int, Kept]] = defaultdict(dict)
    # As they were kept: what the earlier ones took is what the later ones had not.
    for row in models.Withheld.objects.filter(turn__in=list(turns)).order_by("turn", "pk"):
        found[row.turn_id][row.ordinal] = _kept(row, found[row.turn_id].values())
    return {turn: dict(sorted(kept.items())) for turn, kept in found.items()}


def waiting(session: str) -> bool:
    """Say whether rows say that an edit waits; nothing does that is not in an open room."""
    return _unanswered(session).exists()


def expire(session: str) -> None:
    """End the wait of all that a process which is gone held."""
    now = clock.now()
    rows = _unanswered(session)
    rows.filter(until__gt=now).update(until=now)
    rows.update(state=models.Withheld.State.EXPIRED)


def _unanswered(session: str) -> QuerySet[models.Withheld]:
    rows = models.Withheld.objects.filter(turn__session=session, state=models.Withheld.State.OPEN)
    return rows.exclude(kind=models.Withheld.Kind.REFUSED)


def _kept(row: models.Withheld, others: Iterable[Kept]) -> Kept:
    texts = cut(loads_utf16(row.old_text), loads_utf16(row.new_text), others)
    return Kept(
        turn=row.turn_id,
        ordinal=row.ordinal,
        kind=Kind(row.kind),
        op=cast(Operation, row.op),
        path=row.path,
        reason=from_json(loads_utf16(row.reason)) if row.reason else "",
        to=row.to,
        file=row.file_id,
        first=row.first_line,
        last=row.last_line,
        old=texts.old,
        new=texts.new,
        rest=texts.rest,
        state=cast(State, row.state),
        by=row.answered_by,
        until=row.until,
    )
