"""The contract of docs/protocol.md for frames of the server, as a table that tests hold them to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Check = Callable[[Any], bool]


def check(frame: dict[str, Any]) -> None:
    """Fail unless the frame is one that the contract knows."""
    kind = frame.get("t")
    assert kind in FRAMES, frame
    fields = {name: value for name, value in frame.items() if name != "t"}
    problem = _fields(fields, *FRAMES[kind])
    assert problem is None, (problem, frame)


def fits(frame: dict[str, Any]) -> bool:
    """Say whether `check` would pass."""
    try:
        check(frame)
    except AssertionError:
        return False
    return True


def _fields(value: Any, needed: dict[str, Check], optional: dict[str, Check]) -> str | None:
    if not isinstance(value, dict):
        return "not an object"
    for name, held in value.items():
        test = needed.get(name) or optional.get(name)
        if test is None:
            return f"unknown field {name}"
        if not test(held):
            return f"{name} is {held!r}"
    missing = needed.keys() - value.keys()
    return f"missing {sorted(missing)}" if missing else None


def _shape(**needed: Check) -> Check:
    return lambda value: _fields(value, needed, {}) is None


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _id(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 20


def _int(value: Any) -> bool:
    return type(value) is int and value >= 0


def _number(value: Any) -> bool:
    return type(value) in (int, float)


def _bool(value: Any) -> bool:
    return type(value) is bool


def _or_none(test: Check) -> Check:
    return lambda value: value is None or test(value)


def _list(test: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(test, value))


def _one_of(*values: str) -> Check:
    return lambda value: value in values


def _sel(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_int, value))


def _change(value: Any) -> bool:
    return isinstance(value, list) and all(
        _int(part) or (isinstance(part, list) and _int(part[0]) and all(map(_text, part[1:])))
        for part in value
    )


def _color(value: Any) -> bool:
    return _int(value) and 1 <= value <= 6


ROLE = _one_of("view", "comment", "edit", "prompt", "owner")
PERSON: dict[str, Check] = {
    "conn": lambda value: value == "" or _id(value),
    "user": _int,
    "name": _text,
    "color": _color,
}
PLACE: dict[str, Check] = {"file": _or_none(_id), "v": _or_none(_int), "sel": _or_none(_sel)}
PERSON_WHERE = _shape(**PERSON, role=ROLE, **PLACE)
WHERE = _shape(conn=_id, **PLACE)


def _by(value: Any) -> bool:
    model = _shape(turn=_text, name=_text)
    return _shape(**PERSON)(value) or model(value)


ENTRY: dict[str, Check] = {
    "v": _int,
    "c": _change,
    "client": _text,
    "by": _by,
    "kind": _one_of("edit", "settle", "revert", "restore"),
}
ENTRY_OPTIONAL: dict[str, Check] = {"n": _int, "turn": _id, "hunk": _int}
HUNK = _shape(
    turn=_id,
    ordinal=_int,
    file=_id,
    v=_int,
    start=_int,
    end=_int,
    old=_text,
    status=_one_of("open", "applied", "kept", "yielded", "reverted", "rolled_back"),
    by=_text,
)
WITHHELD = _shape(
    turn=_id,
    ordinal=_int,
    kind=_one_of("refused", "frozen", "yielded"),
    state=_one_of("open", "taken", "declined", "expired"),
    op=_one_of("edit", "create", "delete", "move"),
    path=_text,
    to=_text,
    file=_or_none(_id),
    first=_or_none(_int),
    last=_or_none(_int),
    old=_text,
    new=_text,
    old_cut=_bool,
    new_cut=_bool,
    reason=_text,
    by=_text,
    until=_or_none(_text),
)
FOCUS = _shape(file=_id, path=_text, from_line=_or_none(_int), to_line=_or_none(_int))
FORMATS = ("whole", "blocks", "patch", "json")
STATES = (
    "queued", "starting", "streaming", "stopping",
    "finished", "stopped", "redirected", "failed", "interrupted",
)  # fmt: skip
TURN = _shape(
    id=_id,
    parent=_or_none(_id),
    author=_or_none(_int),
    name=_text,
    prompt=_text,
    state=_one_of(*STATES),
    tier=_text,
    endpoint=_text,
    label=_text,
    model=_text,
    format=_one_of("", *FORMATS),
    focus=_or_none(FOCUS),
    created_at=_text,
    ttft_ms=_or_none(_number),
    stop_ms=_or_none(_number),
    tokens_in=_int,
    tokens_out=_int,
    estimated=_bool,
    applied=_int,
    added=_int,
    removed=_int,
    html=_text,
    reason=_text,
    ended_by=_text,
    reverted_by=_text,
    revertable=_bool,
    hunks=_list(HUNK),
    withheld=_list(WITHHELD),
    edits=_int,
    refused=_int,
    repairs=_or_none(_id),
    context=_shape(used=_int, window=_int),
)
MODEL = _shape(
    tier=_text,
    state=_one_of(
        "offered", "unfit", "downloading", "paused", "missing", "starting", "ready", "failed"
    ),
    name=_text,
    message=_text,
    done_bytes=_int,
    total_bytes=_int,
    bytes_per_s=_number,
    eta_s=_or_none(_number),
)
ENDPOINT = _shape(
    id=_text,
    tier=_text,
    label=_text,
    model=_text,
    format=_one_of(*FORMATS),
    window=_int,
    default=_bool,
    installed=_bool,
)
FOLLOW_UP = _shape(
    id=_id,
    author=_or_none(_int),
    name=_text,
    prompt=_text,
    tier=_text,
    endpoint=_text,
    focus=_or_none(FOCUS),
    created_at=_text,
)


def _followups(value: Any) -> bool:
    return _fields(value, {"held": _bool, "list": _list(FOLLOW_UP)}, {"message": _text}) is None


LISTING = _shape(
    file=_id,
    path=_text,
    v=_int,
    ending=_one_of("lf", "crlf", "cr", "mixed"),
    size=_int,
    encoding=_text,
    bom=_bool,
    binary=_bool,
)
CHECKPOINT = _shape(seq=_int, label=_text, turn=_or_none(_id), name=_text, at=_text)
REJECTED = ("role", "gone", "unfit", "limit")
ERRORS = (
    "json", "unknown", "shape", "big", "role", "path", "exists", "limit", "gone", "binary",
    "behind", "busy", "full", "model", "refused", "flood", "state",
)  # fmt: skip

FRAMES: dict[str, tuple[dict[str, Check], dict[str, Check]]] = {
    "welcome": (
        {
            "you": _shape(**PERSON, role=ROLE),
            "session": _shape(slug=_text, title=_text, team=_text),
            "files": _list(LISTING),
            "people": _list(PERSON_WHERE),
            "turns": _list(TURN),
            "followups": _followups,
            "models": _list(MODEL),
            "endpoints": _list(ENDPOINT),
            "limits": _shape(push_bytes=_int, frame_bytes=_int, ack_bytes=_int),
        },
        {},
    ),
    "file": (
        {"file": _id, "v": _int, "text": _text, "hunks": _list(HUNK), "here": _list(WHERE)},
        {},
    ),
    "entries": (
        {
            "file": _id,
            "v": _int,
            "list": _list(lambda value: _fields(value, ENTRY, ENTRY_OPTIONAL) is None),
        },
        {},
    ),
    "entry": ({"file": _id, **ENTRY}, ENTRY_OPTIONAL),
    "pushed": ({"id": _id, "file": _id, "v": _int}, {}),
    "rejected": ({"id": _id, "file": _id, "code": _one_of(*REJECTED), "message": _text}, {}),
    "tree": (
        {
            "op": _one_of("create", "rename", "delete"),
            "file": _id,
            "path": _text,
            "by": _by,
        },
        {
            "v": _int,
            "id": _id,
            "ending": _text,
            "size": _int,
            "encoding": _text,
            "bom": _bool,
            "binary": _bool,
        },
    ),
    "join": ({"person": PERSON_WHERE}, {}),
    "leave": ({"conn": _id}, {}),
    "here": ({"conn": _id, **PLACE}, {}),
    "turn": ({"turn": TURN}, {}),
    "progress": (
        {"turn": _id, "tokens": _int, "applied": _int, "tps": _number},
        {"ttft_ms": _number, "file": _id, "v": _int, "at": _int},
    ),
    "prose": ({"turn": _id, "html": _text}, {}),
    "hunk": ({"hunk": HUNK}, {}),
    "withheld": ({"withheld": WITHHELD}, {}),
    "rules": (
        {"protected": _list(_text), "lines": _int, "percent": _int, "message": _text},
        {},
    ),
    "followups": ({"followups": _followups}, {}),
    "checkpoint": ({"checkpoint": CHECKPOINT}, {}),
    "model": ({"model": MODEL}, {}),
    "endpoints": ({"list": _list(ENDPOINT)}, {}),
    "ok": ({"id": _id}, {"result": lambda value: True, "message": _text}),
    "error": ({"code": _one_of(*ERRORS), "message": _text}, {"id": _id}),
    "resync": ({"reason": _text}, {}),
    "pong": ({"at": _number}, {}),
}
