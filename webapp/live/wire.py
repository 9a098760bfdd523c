"""Frames of the live socket: text from a page to messages, dicts to text. Pure.

docs/protocol.md is the contract, tests/wire/ its examples, read by both sides. Everything that can
be said of a frame without knowing the session is checked here: kinds, fields, types, bounds. What
a change does to a text is checked by the room, which has the text.

Turned down: msgspec, which refuses text with half a surrogate pair, as a change may hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from webapp.document.text import dumps_ascii, loads_utf16
from webapp.lib.ids import is_id
from webapp.live.messages import (
    Ack,
    Answer,
    Asking,
    Checkpoint,
    Close,
    Decide,
    Fetch,
    FollowUp,
    Hello,
    Here,
    Keep,
    Kept,
    Message,
    Open,
    Outline,
    Ping,
    Prompt,
    Push,
    Redirect,
    Restore,
    Revert,
    Said,
    Stop,
    Tree,
    Update,
    Warm,
)
from webapp.live.wire_fields import (
    Field,
    Malformed,
    check_fields,
    is_count,
    is_number,
    is_range,
    is_text,
    one_of,
)

__all__ = [
    "Ack",
    "Answer",
    "Asking",
    "Close",
    "Decide",
    "Fetch",
    "FollowUp",
    "Hello",
    "Here",
    "Kept",
    "Keep",
    "Checkpoint",
    "Message",
    "Open",
    "Outline",
    "Ping",
    "Prompt",
    "Push",
    "Redirect",
    "Restore",
    "Revert",
    "Said",
    "Stop",
    "Tree",
    "Update",
    "Warm",
    "WireError",
    "decode",
    "encode",
    "size_bytes",
]

PROTO: Final = 1
FRAME_BYTES: Final = 256 * 1024
PUSH_BYTES: Final = 200 * 1024
PUSH_UPDATES: Final = 200
PROMPT_LENGTH: Final = 32_000
PATH_LENGTH: Final = 512
NAME_LENGTH: Final = 40
"""How long the name of a tier or a choice may be."""
MENTIONED_FILES: Final = 20
MOST_HUNKS: Final = 5_000
LABEL_LENGTH: Final = 120
ACK_BYTES: Final = 32 * 1024


class WireError(Exception):
    """A frame that is not one: its code, what is wrong (for a developer), the id it asked with."""

    def __init__(self, code: Literal["json", "unknown", "shape", "big"], detail: str, id: str = ""):
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.id = id


def encode(frame: Mapping[str, Any]) -> str:
    """Return the frame's text, ASCII, so that its length is its size in bytes."""
    return dumps_ascii(frame)


def size_bytes(text: str) -> int:
    """Return how long the text of a frame was on its way, in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def decode(text: str) -> Message:
    """Return the message in a frame; raises WireError."""
    if (size := size_bytes(text)) > FRAME_BYTES:
        raise WireError("big", f"{size} bytes, at most {FRAME_BYTES}")
    try:
        frame = loads_utf16(text)
    except ValueError as error:
        raise WireError("json", str(error)) from None
    if not isinstance(frame, dict):
        raise WireError("json", "not an object")
    asked = frame.get("id")
    id = asked if isinstance(asked, str) and is_id(asked) else ""
    kind = frame.pop("t", None)
    spec = _KINDS.get(kind) if isinstance(kind, str) else None
    if spec is None:
        raise WireError("unknown", f"kind {str(kind)[:40]!r}", id)
    try:
        check_fields(frame, spec.fields)
        return spec.build(frame)
    except Malformed as error:
        raise WireError("shape", f"{kind}: {error}", id) from None


@dataclass(frozen=True, slots=True)
class _Kind:
    fields: dict[str, Field]
    build: Callable[[dict[str, Any]], Message]


def _range(value: list[int] | None) -> tuple[int, int] | None:
    return (value[0], value[1]) if value else None


def _place(frame: dict[str, Any]) -> dict[str, Any]:
    """Check that a version comes with its file, and a selection with its version."""
    if "v" in frame and "file" not in frame:
        raise Malformed("v without file")
    if "sel" in frame and "v" not in frame:
        raise Malformed("sel without v")
    return {**frame, "sel": _range(frame.get("sel"))}


def _asking(frame: dict[str, Any]) -> dict[str, Any]:
    """Check the place, and keep each mentioned file once."""
    return {**_place(frame), "files": tuple(dict.fromkeys(frame.get("files", ())))}


def _is_files(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MENTIONED_FILES and all(map(is_id, value))


def _followup(frame: dict[str, Any]) -> Message:
    op = frame["op"]
    if (op == "edit") != ("text" in frame):
        raise Malformed("edit has a text, the others have none")
    if op != "move" and "before" in frame:
        raise Malformed("only move has a before")
    return FollowUp(**frame)


def _hello(frame: dict[str, Any]) -> Message:
    if frame["proto"] != PROTO:
        raise Malformed(f"proto is {frame['proto']}, this server speaks {PROTO}")
    return Hello(**frame)


def _push(frame: dict[str, Any]) -> Message:
    updates = []
    last = 0
    for raw in cast("list[object]", frame["updates"]):
        if not isinstance(raw, dict) or raw.keys() != {"n", "c"}:
            raise Malformed("an update is {n, c}")
        n, change = raw["n"], raw["c"]
        if not is_count(n) or n <= last:
            raise Malformed("n does not count up from 1")
        if not isinstance(change, list):
            raise Malformed("c is not a change")
        updates.append(Update(n, change))
        last = n
    return Push(frame["id"], frame["file"], frame["v"], tuple(updates))


def _is_updates(value: object) -> bool:
    return isinstance(value, list) and 0 < len(value) <= PUSH_UPDATES


def _tree(frame: dict[str, Any]) -> Message:
    op = frame["op"]
    if (op == "delete") == ("path" in frame):
        raise Malformed("create and rename have a path, delete has none")
    if op != "create" and "text" in frame:
        raise Malformed("only create has a text")
    return Tree(**frame)


def _decide(frame: dict[str, Any]) -> dict[str, Any]:
    """Check that it is about these hunks, or a file, or neither: then about the whole turn."""
    if "hunks" in frame and "file" in frame:
        raise Malformed("hunks and file")
    return {**frame, "hunks": tuple(frame["hunks"])} if "hunks" in frame else frame


def _is_ordinals(value: object) -> bool:
    return isinstance(value, list) and 0 < len(value) <= MOST_HUNKS and all(map(is_count, value))


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


_ID = Field(is_id, "an id")
_FILE = Field(is_id, "an id")
_VERSION = Field(is_count, "a version")
_WHERE = {
    "file": Field(is_id, "an id", required=False),
    "v": Field(is_count, "a version", required=False),
    "sel": Field(is_range, "[anchor, head]", required=False),
}
_NAME = Field(is_text(NAME_LENGTH, 1), "a name", required=False)
_ASKING = {
    **_WHERE,
    "tier": _NAME,
    "endpoint": _NAME,
    "files": Field(_is_files, f"a list of at most {MENTIONED_FILES} ids", required=False),
}
_TEXT = is_text(PROMPT_LENGTH, 1)
_PROMPT = {
    "id": _ID,
    "text": Field(_TEXT, f"a text of 1 to {PROMPT_LENGTH}"),
    "repair": Field(_is_flag, "true or false", required=False),
    **_ASKING,
}
_DECIDE = {
    "id": _ID,
    "turn": _ID,
    "hunks": Field(_is_ordinals, f"a list of 1 to {MOST_HUNKS} ordinals", required=False),
    "file": Field(is_id, "an id", required=False),
}


_KINDS: Final[dict[str, _Kind]] = {
    "hello": _Kind({"proto": Field(is_count, "a number"), "client": _ID}, _hello),
    "open": _Kind(
        {"file": _FILE, "v": Field(is_count, "a version", required=False)},
        lambda frame: Open(**frame),
    ),
    "close": _Kind({"file": _FILE}, lambda frame: Close(**frame)),
    "push": _Kind(
        {
            "id": _ID,
            "file": _FILE,
            "v": _VERSION,
            "updates": Field(_is_updates, f"a list of 1 to {PUSH_UPDATES} updates"),
        },
        _push,
    ),
    "tree": _Kind(
        {
            "id": _ID,
            "op": one_of("create", "rename", "delete"),
            "file": _FILE,
            "path": Field(is_text(PATH_LENGTH, 1), "a path", required=False),
            "text": Field(is_text(FRAME_BYTES), "a text", required=False),
        },
        _tree,
    ),
    "here": _Kind(_WHERE, lambda frame: Here(**_place(frame))),
    "prompt": _Kind(_PROMPT, lambda frame: Prompt(**_asking(frame))),
    "redirect": _Kind(
        {**_PROMPT, "turn": _ID, "keep": one_of("finished", "partial", "nothing")},
        lambda frame: Redirect(**_asking(frame)),
    ),
    "followup": _Kind(
        {
            "id": _ID,
            "op": one_of("edit", "move", "remove", "now"),
            "followup": _ID,
            "text": Field(_TEXT, f"a text of 1 to {PROMPT_LENGTH}", required=False),
            "before": Field(is_id, "an id", required=False),
        },
        _followup,
    ),
    "outline": _Kind(
        {**_PROMPT, "turn": Field(is_id, "an id", required=False)},
        lambda frame: Outline(**_asking(frame)),
    ),
    "warm": _Kind(_ASKING, lambda frame: Warm(**_asking(frame))),
    "fetch": _Kind(
        {
            "id": _ID,
            "tier": Field(is_text(NAME_LENGTH, 1), "a name"),
            "op": one_of("start", "stop"),
        },
        lambda frame: Fetch(**frame),
    ),
    "stop": _Kind({"id": _ID, "turn": _ID}, lambda frame: Stop(**frame)),
    "keep": _Kind(_DECIDE, lambda frame: Keep(**_decide(frame))),
    "revert": _Kind(
        {**_DECIDE, "mixed": Field(_is_flag, "true or false", required=False)},
        lambda frame: Revert(**_decide(frame)),
    ),
    "answer": _Kind(
        {
            "id": _ID,
            "turn": _ID,
            "withheld": Field(is_count, "an ordinal"),
            "yes": Field(_is_flag, "true or false"),
        },
        lambda frame: Answer(**frame),
    ),
    "checkpoint": _Kind(
        {"id": _ID, "label": Field(is_text(LABEL_LENGTH), "a label", required=False)},
        lambda frame: Checkpoint(**frame),
    ),
    "restore": _Kind(
        {"id": _ID, "seq": Field(is_count, "a number")}, lambda frame: Restore(**frame)
    ),
    "ack": _Kind({"bytes": Field(is_count, "a number of bytes")}, lambda frame: Ack(**frame)),
    "ping": _Kind({"at": Field(is_number, "a number")}, lambda frame: Ping(**frame)),
}
