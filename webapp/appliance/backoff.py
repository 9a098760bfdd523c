"""How long to wait before a child that died is started again. Pure: times are arguments.

The first restart is at once, since most deaths are single ones and people are waiting. Each death
soon after a start doubles the wait, and a child that stayed up for a while has a clean slate.
"""

from __future__ import annotations

from dataclasses import dataclass

FIRST_S = 0.1
SECOND_S = 0.5
LONGEST_S = 30.0
CALM_S = 30.0
"""A child that lived this long is no longer held responsible for earlier deaths."""


@dataclass(slots=True)
class Backoff:
    """The waits of one child."""

    deaths: int = 0

    def after_death(self, lived_s: float) -> float:
        """Return the seconds to wait now that the child died after `lived_s` seconds."""
        if lived_s >= CALM_S:
            self.deaths = 0
        self.deaths += 1
        if self.deaths == 1:
            return FIRST_S
        # The exponent is bounded, so that a child that dies for days overflows nothing.
        return min(LONGEST_S, SECOND_S * 2.0 ** min(self.deaths - 2, 16))
