"""The weakest role that each kind of frame needs; the one place that says so."""

from __future__ import annotations

from typing import Final

from webapp.live import wire
from webapp.pairing.access import Role

NEEDED: Final[dict[type[wire.Message], Role]] = {
    wire.Hello: Role.VIEW,
    wire.Open: Role.VIEW,
    wire.Close: Role.VIEW,
    wire.Here: Role.VIEW,
    wire.Ack: Role.VIEW,
    wire.Ping: Role.VIEW,
    wire.Push: Role.EDIT,
    wire.Tree: Role.EDIT,
    wire.Prompt: Role.PROMPT,
    wire.Redirect: Role.PROMPT,
    wire.FollowUp: Role.PROMPT,
    wire.Outline: Role.PROMPT,
    wire.Warm: Role.PROMPT,
    wire.Fetch: Role.PROMPT,
    wire.Stop: Role.PROMPT,
    wire.Keep: Role.EDIT,
    wire.Revert: Role.EDIT,
    wire.Answer: Role.PROMPT,
    wire.Checkpoint: Role.EDIT,
    wire.Restore: Role.PROMPT,
}
