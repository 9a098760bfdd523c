"""Permits: no model is called without one, and one always comes back.

Until the limits are built, everybody is admitted. The shape is final: `acquire` answers with a
value, because being queued or refused is expected, and a permit is settled once with the tokens
really used.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(slots=True)
class Permit:
    """The right to one call of a model. Sizes are in tokens."""

    person: int
    team: str
    tier: str
    reserved_tokens: int
    used_tokens: int | None = None

    async def settle(self, used_tokens: int) -> None:
        """Give the permit back with what was really used; a second time changes nothing."""
        if self.used_tokens is None:
            self.used_tokens = used_tokens


@dataclass(frozen=True, slots=True)
class Admitted:
    """The call may be made now."""

    permit: Permit


@dataclass(frozen=True, slots=True)
class Queued:
    """The call must wait: `place` counts from 1; `estimate_s` is None when nobody can tell."""

    place: int
    estimate_s: float | None


@dataclass(frozen=True, slots=True)
class Refused:
    """The call may not be made: which limit blocks it, and when that frees."""

    limit: str
    frees_at: datetime


Admission = Admitted | Queued | Refused


async def acquire(person: int, team: str, tier: str, reserve_tokens: int) -> Admission:
    """Ask for one call of `tier` by a user for a team, with an upper bound of its tokens."""
    return Admitted(Permit(person, team, tier, reserve_tokens))
