"""When the structure counts as at rest, and the fixed rules that end swinging and sinking."""

from __future__ import annotations

import enum
import math

from armoon.clock import TICKS_PER_SECOND
from armoon.values.poses import Vec3

#: Quiet is |v| + 0.05 m |ω| below this; after half a second touches no longer changed (docs/physics.md).
QUIET_M_S = 0.004
QUIET_ARM_M = 0.05
QUIET_TICKS = TICKS_PER_SECOND // 2

#: What trembles faster stands still as well while nothing goes farther than this from where it was, measured as
#: speeds are, for a second.
STAYS_M = 2e-4
STAYS_TICKS = TICKS_PER_SECOND

#: Then it sleeps, unless a ladder is wedged or pressed into another this deep: such a structure is firmed first.
DEEP_M = 6e-5
#: Contacts are solved with care until overlaps have dissolved, which moves things a little, for at least this time
#: ...
FIRM_TICKS = 6
#: ... and until it is quiet for this time ...
FIRM_QUIET_TICKS = 3
#: ... or, not quiet after the limit, something gave way, and quiet is waited for anew.
MOST_FIRM_TICKS = 20

#: A ladder may swing freely for this long (the canonical Swing needs 6 s) ...
SWING_TICKS = 7 * TICKS_PER_SECOND
#: ... then it swings as in honey ...
HONEY_LINEAR_DAMPING = 1.0
HONEY_ANGULAR_DAMPING = 5.0
#: ... and if anything still moves after this long, it is stopped where it is.
STOP_TICKS = 12 * TICKS_PER_SECOND


def speed_m_s(velocity: tuple[Vec3, Vec3]) -> float:
    """Return the measure of rest, |v| + 0.05 m |ω|, of a linear and an angular velocity."""
    linear, angular = velocity
    return math.hypot(*linear) + QUIET_ARM_M * math.hypot(*angular)


class Calming(enum.Enum):
    """The measures taken on the free ladders so that unrest ends."""

    NOTHING = "nothing"
    HONEY = "honey"
    """Damped by the figures above."""
    STOP = "stop"
    """Put to sleep where they are."""
    FIRM = "firm"
    """Their contacts are solved with care."""
    SLEEP = "sleep"
    """Quiet, and firm if need be: put to sleep."""


class RestWatch:
    """Counts quiet ticks and restless ones."""

    def __init__(self) -> None:
        self._quiet = QUIET_TICKS
        self._restless = 0
        self._firming = 0
        self._firm_quiet = 0

    def disturb(self) -> None:
        """Restart quiet and the time to swing: a ladder was let go of, placed or taken away."""
        self._quiet = 0
        self._restless = 0
        self._firming = 0

    def observe(
        self,
        fastest_m_s: float,
        deepest_m: float = 0.0,
        *,
        hand_at_work: bool,
        loose: bool,
        stays: bool = False,
    ) -> Calming:
        """Take in the fastest free ladder's speed and the deepest overlap at this tick; say what is to be done.

        ``loose``: something moved since it was last sent to sleep, and no held ladder leans on it. While a hand
        is at work nothing is damped or stopped: it may go on pushing. ``stays``: what trembles has stayed in its place.
        """
        self._restless = 0 if hand_at_work or self.at_rest else self._restless + 1
        if self._firming and self._restless >= STOP_TICKS:
            self._firming = self._quiet = 0
        quiet = stays or fastest_m_s < QUIET_M_S
        if self._firming and loose:
            return self._go_on_firming(quiet)
        self._firming = 0
        self._quiet = QUIET_TICKS if stays else min(self._quiet + 1, QUIET_TICKS) if quiet else 0
        if self.at_rest:
            if not loose:
                return Calming.NOTHING
            return self._begin_firming() if deepest_m > DEEP_M else Calming.SLEEP
        if self._restless >= STOP_TICKS:
            return Calming.STOP
        return Calming.HONEY if self._restless >= SWING_TICKS else Calming.NOTHING

    def _begin_firming(self) -> Calming:
        self._firming, self._firm_quiet = 1, 0
        return Calming.FIRM

    def _go_on_firming(self, quiet: bool) -> Calming:
        """Movement is no unrest now, for dissolving overlaps move things."""
        self._firming += 1
        self._firm_quiet = self._firm_quiet + 1 if quiet else 0
        if self._firming > FIRM_TICKS and self._firm_quiet >= FIRM_QUIET_TICKS:
            self._firming = 0
            return Calming.SLEEP
        if self._firming > MOST_FIRM_TICKS:
            self._firming = self._quiet = 0
            return Calming.NOTHING
        return Calming.FIRM

    @property
    def at_rest(self) -> bool:
        """Whether every free ladder has been quiet for half a second, and is firm."""
        return self._quiet >= QUIET_TICKS and not self._firming
