"""How a player's hand is tracked: the measurements and proposals, stored in their profile and in the log."""

from __future__ import annotations

import math
from dataclasses import dataclass

from armoon.values.choices import GripKind, Steadiness

#: Limits of a reach's scale (never below one) and of a dwelling hand's rest, seconds.
MOST_REACH = 3.0
SHORTEST_DWELL_S, LONGEST_DWELL_S = 0.3, 5.0


@dataclass(frozen=True)
class Movement:
    """One player's movement. Raises ValueError for a value out of range."""

    steadiness: Steadiness = Steadiness.OFF
    """How much trembling is taken out of what a hand does, at the price of being late."""
    reach: float = 1.0
    """Factor by which what is held goes further than the hand."""
    dwell_s: float = 1.0
    """Seconds of rest by which a dwelling hand takes."""
    grip: GripKind | None = None
    """How this player's hand takes; None: as the settings say."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.reach) and 1.0 <= self.reach <= MOST_REACH):
            raise ValueError(f"{self.reach!r} is no reach")
        if not (math.isfinite(self.dwell_s) and SHORTEST_DWELL_S <= self.dwell_s <= LONGEST_DWELL_S):
            raise ValueError(f"{self.dwell_s!r} s is no rest")


#: Nothing is changed.
AS_USUAL = Movement()
