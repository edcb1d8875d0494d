"""How a player's hand is followed: what was measured and proposed, kept in their profile and in the log."""

from __future__ import annotations

import math
from dataclasses import dataclass

from armoon.values.choices import GripKind, Steadiness

#: Nobody's reach is scaled by more, nor down; and nobody rests for longer, or less, to take something.
MOST_REACH = 3.0
SHORTEST_DWELL_S, LONGEST_DWELL_S = 0.3, 5.0


@dataclass(frozen=True)
class Movement:
    """Of one player. Raises ValueError for what is none."""

    steadiness: Steadiness = Steadiness.OFF
    """How much trembling is taken out of what a hand does, at the price of being late."""
    reach: float = 1.0
    """What is held goes so many times as far as the hand."""
    dwell_s: float = 1.0
    """A hand that takes by resting rests so long."""
    grip: GripKind | None = None
    """How this player's hand takes; None: as the settings say."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.reach) and 1.0 <= self.reach <= MOST_REACH):
            raise ValueError(f"{self.reach!r} is no reach")
        if not (math.isfinite(self.dwell_s) and SHORTEST_DWELL_S <= self.dwell_s <= LONGEST_DWELL_S):
            raise ValueError(f"{self.dwell_s!r} s is no rest")


#: Nothing is changed.
AS_USUAL = Movement()
