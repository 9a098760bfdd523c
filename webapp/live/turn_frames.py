"""A turn as pages see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webapp.live import reverting
from webapp.live.files import hunk_frame
from webapp.live.turn_rows import Record

if TYPE_CHECKING:
    from webapp.live.room import Room


def turn_frame(room: Room, record: Record, window_tokens: int) -> dict[str, Any]:
    """Return the `turn` object of the wire, its hunks where they stand now."""
    hunks = sorted(
        (
            (hunk, file.version)
            for file in room.files.values()
            for hunk in file.hunks.values()
            if hunk.turn == record.id
        ),
        key=lambda pair: pair[0].ordinal,
    )
    return {
        "id": record.id,
        "parent": record.parent,
        "author": record.author,
        "name": record.name,
        "prompt": record.prompt,
        "state": record.state,
        "tier": record.tier,
        "endpoint": record.endpoint,
        "label": record.label,
        "model": record.model,
        "format": record.edit_format,
        "focus": record.focus,
        "created_at": record.created_at.isoformat().replace("+00:00", "Z"),
        "ttft_ms": record.ttft_ms,
        "stop_ms": None if record.stop_ms is None else round(record.stop_ms, 2),
        "tokens_in": record.tokens_in,
        "tokens_out": record.tokens_out,
        "estimated": record.estimated,
        "applied": record.applied,
        "added": record.added,
        "removed": record.removed,
        "html": record.html,
        "reason": record.reason,
        "ended_by": record.ended_by,
        "reverted_by": record.reverted_by,
        "revertable": reverting.is_revertable(room, record),
        "hunks": [hunk_frame(hunk, version) for hunk, version in hunks],
        "withheld": [kept.frame() for kept in record.withheld.values()],
        "edits": record.edits,
        "refused": record.refused,
        "repairs": record.repairs,
        "context": {"used": record.tokens_in + record.tokens_out, "window": window_tokens},
    }
