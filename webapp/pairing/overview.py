"""What happened in a session, small enough for one answer: moments, and who wrote when.

Told of a range of the log: what came before is not known here, what comes later is not told. Times
are milliseconds since 1970. Everything here blocks; call it in a reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Count, F, IntegerField, Max, Min, Q
from django.db.models.functions import Cast

from webapp.document.text import loads_utf16
from webapp.pairing import history
from webapp.pairing.models import Checkpoint, Entry, File, Session, Turn
from webapp.teams.models import User

Kind = Entry.Kind
MOST_BUCKETS: Final = 400
MOST_MOMENTS: Final = 2_000
"""Of each kind; older ones are left out."""
PROMPT_CHARS: Final = 300


@dataclass(frozen=True, slots=True)
class Range:
    """The moments that are told of: the project after `first`, and what came up to `last`."""

    first: int
    last: int


@dataclass(slots=True)
class People:
    """Who the log names, each by a place in a list: a reader learns names and no ids."""

    listed: list[dict[str, Any]] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)

    def of(self, author: str) -> int:
        """Return the place of an author of the log; all turns share one."""
        key = author if author.startswith("user:") else "model"
        if key not in self._places:
            self._places[key] = len(self.listed)
            self.listed.append({"name": "", "model": key == "model"})
        return self._places[key]

    def name(self) -> list[dict[str, Any]]:
        """Return the list, with names; whoever is gone has none."""
        users = {
            int(key.partition(":")[2]): place
            for key, place in self._places.items()
            if key.startswith("user:")
        }
        for user in User.objects.filter(pk__in=users):
            self.listed[users[user.pk]]["name"] = user.display_name
        return self.listed


def overview(session: Session, told: Range) -> dict[str, Any]:
    """Return moments and activity as the page reads them; see docs/protocol.md."""
    people = People()
    ends: dict[str, int] = {}
    width = max(1, -(-(told.last - told.first) // MOST_BUCKETS))
    buckets = list(_buckets(session.pk, told, width, people, ends))
    moments = [
        *_turns(session.pk, told, ends),
        *_checkpoints(session.pk, told),
        *_tree_and_restores(session.pk, told, people),
    ]
    moments.sort(key=lambda moment: moment["seq"])
    return {
        "first": told.first,
        "last": told.last,
        "width": width,
        "buckets": buckets,
        "moments": moments,
        "people": people.name(),
    }


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def _within(session_id: str, told: Range) -> Any:
    return Entry.objects.filter(session_id=session_id, seq__gt=told.first, seq__lte=told.last)


def _buckets(
    session_id: str, told: Range, width: int, people: People, ends: dict[str, int]
) -> Iterator[list[Any]]:
    """Yield [number, first time, last time, [[person, entries], …]]; note where turns end."""
    place = Cast(F("seq") - (told.first + 1), IntegerField()) / width
    rows = (
        _within(session_id, told)
        .annotate(bucket=place)
        .values_list("bucket", "author")
        .annotate(Count("pk"), Min("at"), Max("at"), Max("seq"))
        .order_by("bucket", "author")
    )
    number, begun, ended = -1, 0, 0
    counts: dict[int, int] = {}
    for bucket, author, count, first, last, seq in rows:
        if author.startswith("turn:"):
            turn = author.partition(":")[2]
            ends[turn] = max(ends.get(turn, 0), seq)
        if bucket != number:
            if counts:
                yield [number, begun, ended, [list(pair) for pair in counts.items()]]
            number, begun, ended, counts = bucket, _ms(first), _ms(last), {}
        begun, ended = min(begun, _ms(first)), max(ended, _ms(last))
        who = people.of(author)
        counts[who] = counts.get(who, 0) + count
    if counts:
        yield [number, begun, ended, [list(pair) for pair in counts.items()]]


def _turns(session_id: str, told: Range, ends: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    turns = Turn.objects.filter(
        session_id=session_id, checkpoint_seq__gte=told.first, checkpoint_seq__lte=told.last
    )
    columns = ("pk", "checkpoint_seq", "author_name", "prompt", "state", "created_at")
    for pk, seq, name, prompt, state, at in turns.order_by("-created_at").values_list(*columns)[
        :MOST_MOMENTS
    ]:
        yield {
            "kind": "turn",
            "seq": seq,
            "to": max(ends.get(pk, seq), seq),
            "name": name,
            "text": prompt[:PROMPT_CHARS],
            "state": state,
            "at": _ms(at),
        }


def _checkpoints(session_id: str, told: Range) -> Iterator[dict[str, Any]]:
    """Yield those that somebody made; each turn begins with one anyway."""
    made = Checkpoint.objects.filter(
        session_id=session_id, turn=None, seq__gte=told.first, seq__lte=told.last
    )
    columns = ("seq", "label", "author_name", "created_at")
    for seq, label, name, at in made.order_by("-pk").values_list(*columns)[:MOST_MOMENTS]:
        yield {"kind": "checkpoint", "seq": seq, "text": label, "name": name, "at": _ms(at)}


class _Act(NamedTuple):
    seq: int
    kind: str
    file: str
    author: str
    client: str
    at: datetime

    def goes_on(self, other: _Act, count: int) -> bool:
        """Say whether it and the acts before it are one moment."""
        if history.is_restore(self.client) or history.is_restore(other.client):
            return self.client == other.client
        same = (self.kind, self.author, self.client) == (other.kind, other.author, other.client)
        return same and self.seq == other.seq + count


def _tree_and_restores(session_id: str, told: Range, people: People) -> Iterator[dict[str, Any]]:
    wanted = Q(kind__in=(*history.TREE, Kind.RESTORE))
    columns = ("seq", "kind", "file_id", "author", "client", "at")
    acts = [
        _Act(*row)
        for row in _within(session_id, told).filter(wanted).order_by("seq").values_list(*columns)
    ]
    groups: list[list[_Act]] = []
    for act in acts:
        if groups and act.goes_on(groups[-1][0], len(groups[-1])):
            groups[-1].append(act)
        else:
            groups.append([act])
    groups = groups[-MOST_MOMENTS:]
    paths = _paths(session_id, [group[0] for group in groups])
    for group in groups:
        first = group[0]
        kind = "restore" if history.is_restore(first.client) else first.kind
        yield {
            "kind": kind,
            "seq": first.seq,
            "to": group[-1].seq,
            "by": people.of(first.author),
            "count": len(group),
            "path": "" if kind == "restore" else paths[first.seq],
            "at": _ms(first.at),
        }


def _paths(session_id: str, acts: Sequence[_Act]) -> dict[int, str]:
    """Return the path that each act made or took away."""
    renamed = [act.seq for act in acts if act.kind == Kind.RENAME]
    entries = Entry.objects.filter(session_id=session_id, seq__in=renamed)
    paths = {seq: loads_utf16(text) for seq, text in entries.values_list("seq", "payload")}
    rows = File.objects.filter(pk__in={act.file for act in acts})
    held = {file: (first or path, path) for file, first, path in rows.values_list(
        "pk", "first_path", "path"
    )}  # fmt: skip
    for act in acts:
        if act.seq not in paths:
            first, last = held.get(act.file, ("", ""))
            paths[act.seq] = first if act.kind == Kind.CREATE else last
    return paths
