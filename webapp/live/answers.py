"""The frames that say no, or start anew, and how the wire has the model's status."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from webapp.engine.guard import Rules
from webapp.live import sentences
from webapp.notices.modelstatus import ModelStatus

if TYPE_CHECKING:
    from webapp.live.clients import Client
    from webapp.live.room import Room


def error(code: str, id: str = "", message: str = "") -> dict[str, Any]:
    """Return an `error` frame; without a message, the code's own sentence."""
    frame = {"t": "error", "code": code, "message": message or sentences.ERRORS[code]}
    return {**frame, "id": id} if id else frame


def rejected(id: str, file: str, code: str) -> dict[str, Any]:
    """Return the frame that says that none of a push was applied."""
    message = sentences.REJECTED[code]
    return {"t": "rejected", "id": id, "file": file, "code": code, "message": message}


def model(status: ModelStatus) -> dict[str, Any]:
    """Return the status as the wire has it."""
    return {**asdict(status), "message": status.message}


def rules(held: Rules) -> dict[str, Any]:
    """Return the frame that tells what a turn may do unasked from now on."""
    return {
        "t": "rules",
        "protected": list(held.protected),
        "lines": held.most_lines,
        "percent": round(held.most_share * 100),
        "message": sentences.RULES_CHANGED,
    }


def resync(room: Room, client: Client, reason: str) -> None:
    """Tell a page to say hello again; until then it follows nothing."""
    client.following.clear()
    client.opening.clear()
    room.send_to(client, {"t": "resync", "reason": reason})
