"""When the structure counts as at rest, and the stated rule by which swinging comes to an end."""

from __future__ import annotations

import enum
import math

from armoon.clock import TICKS_PER_SECOND
from armoon.values import Vec3

#: Quiet is |v| + 0.05 m |ω| below this; after half a second touches no longer changed (docs/physics.md).
QUIET_M_S = 0.004
QUIET_ARM_M = 0.05
QUIET_TICKS = TICKS_PER_SECOND // 2

#: A ladder may swing freely for this long (the canonical Swing needs 6 s) ...
SWING_TICKS = 7 * TICKS_PER_SECOND
#: ... then it swings as in honey ...
HONEY_LINEAR_DAMPING = 1.0
HONEY_ANGULAR_DAMPING = 5.0
#: ... and if anything still moves after this long, it is stopped where it is.
STOP_TICKS = 12 * TICKS_PER_SECOND


def speed_m_s(velocity: tuple[Vec3, Vec3]) -> float:
    """The measure of rest, |v| + 0.05 m |ω|, of a linear and an angular velocity."""
    linear, angular = velocity
    return math.hypot(*linear) + QUIET_ARM_M * math.hypot(*angular)


class Calming(enum.Enum):
    """What is done to the free ladders so that unrest ends."""

    NOTHING = "nothing"
    HONEY = "honey"
    """Damped by the figures above."""
    STOP = "stop"
    """Put to sleep where they are."""


class RestWatch:
    """Counts quiet ticks and restless ones."""

    def __init__(self) -> None:
        self._quiet = QUIET_TICKS
        self._restless = 0

    def disturb(self) -> None:
        """A ladder was let go of, placed or taken away: quiet starts anew, and so does the time to swing."""
        self._quiet = 0
        self._restless = 0

    def observe(self, fastest_m_s: float, hand_at_work: bool) -> Calming:
        """Take in the fastest free ladder's speed at this tick; say what is to be done about it.

        While a hand is at work nothing is calmed: it may go on pushing.
        """
        if fastest_m_s < QUIET_M_S:
            self._quiet = min(self._quiet + 1, QUIET_TICKS)
        else:
            self._quiet = 0
        if self.at_rest or hand_at_work:
            self._restless = 0
            return Calming.NOTHING
        self._restless += 1
        if self._restless >= STOP_TICKS:
            return Calming.STOP
        return Calming.HONEY if self._restless >= SWING_TICKS else Calming.NOTHING

    @property
    def at_rest(self) -> bool:
        """Whether every free ladder has been quiet for half a second."""
        return self._quiet >= QUIET_TICKS
