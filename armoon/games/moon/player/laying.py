"""How a ladder is brought down to its place: where it is held for it, and when it is let go of.

Who is eager holds it still over its place and heeds the faint ladder: lets go once that holds, and looks for another
place where it doesn't. Others go by touch and time alone.
"""

from __future__ import annotations

import enum
import math

from armoon.games.moon.player.manner import Manner
from armoon.players.hand import pose_distance
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import Fate

#: Near enough to let go, or to stay there.
RELEASE_M, RELEASE_RAD = 0.002, math.radians(2.5)
#: Of an eager player: so near it is let go of once it is shown to hold, and farther off than that one that has arrived
#: is moved again.
NEAR_M, NEAR_RAD, AWAY_M = 0.005, math.radians(6.0), 0.003
#: ... how far beside its place lowering begins, and by what it is the higher for each metre farther, up to a limit;
BESIDE_M, FUNNEL, FUNNEL_M = 0.0035, 3.0, 0.03
#: ... how far over it a ladder is held to see how it would rest, and by how much one is pressed down that is to fall.
HOVER_M, PRESSED_M = 0.0015, 0.002
#: Maximum speed of a ladder that has come to lie, and seconds for which it keeps below that.
STILL_M_S, STILL_S = 0.008, 0.3
#: Seconds for which it is held still for the faint ladder to tell how it would rest; wherever the hand can't go
#: further, so many, at no more than this distance.
HEEDS_S, CALM_S, CALM_M = 0.7, 0.9, 0.03
#: Angle by which a ladder that touches something is turned away, and seconds after which it is in the way.
BLOCKED_RAD, BLOCKED_S = math.radians(15.0), 0.6


class Next(enum.Enum):
    """What to do with a ladder that is being laid."""

    GO_ON = enum.auto()
    LET_GO = enum.auto()
    LOOK_ELSEWHERE = enum.auto()
    PUT_ASIDE = enum.auto()


class Laying:
    """One ladder on its way down; call ``see`` and ``decide`` once for every camera frame."""

    def __init__(self, manner: Manner, *, heeds: bool, elsewhere: bool) -> None:
        """``heeds``: it goes by the faint ladder; ``elsewhere``: another place may still be looked for."""
        self._manner, self._heeds, self._elsewhere = manner, heeds, elsewhere
        self._over_m = 0.0 if not manner.eager else HOVER_M if self._heeds else -PRESSED_M
        self._arrived = False
        self._seen: Vec3 = (0.0, 0.0, 0.0)
        self._for_s = self._steady_s = self._still_s = self._calm_s = self._blocked_s = 0.0
        self._metres = self._radians = math.inf

    def see(self, held: Pose, release: Pose, *, as_planned: bool, lies: bool, dt_s: float) -> Pose | None:
        """Return where the ladder is to be brought from where it is seen; None: nowhere, it is held still.

        ``as_planned``: it touches what it is meant to touch; ``lies``: it touches something.
        """
        manner, (x, y, z) = self._manner, release.position
        goal = Pose((x, y, z + max(self._over_m, 0.0)), release.rotation)
        self._metres, self._radians = pose_distance(held, goal)
        # What is touched already can't be told apart from what is a hair away: the contacts count as well.
        at_goal = self._metres < RELEASE_M and self._radians < RELEASE_RAD
        there = at_goal or (as_planned and self._metres < 2.5 * RELEASE_M)
        still = math.dist(held.position, self._seen) < STILL_M_S * dt_s
        self._seen = held.position
        self._for_s += dt_s
        self._steady_s = self._steady_s + dt_s if there else 0.0
        self._calm_s = self._calm_s + dt_s if still else 0.0
        blocked = lies and self._radians > BLOCKED_RAD
        self._blocked_s = self._blocked_s + dt_s if blocked else 0.0
        # What lies on something and goes no further is where it can go.
        self._still_s = self._still_s + dt_s if still and lies and manner.eager else 0.0
        self._arrived = at_goal or (self._arrived and self._near and self._metres < AWAY_M)
        # Always after what is seen late, a hand would swing.
        if self._arrived and self._heeds:
            return None
        # Over its place first, then down. Held against wood it would give way and lean: over it, the faint ladder is
        # true.
        beside_m = max(0.0, math.hypot(x - held.position[0], y - held.position[1]) - BESIDE_M)
        funnel_m = min(FUNNEL_M, FUNNEL * beside_m) if manner.eager else 0.0
        return Pose((x, y, z + self._over_m + funnel_m), release.rotation)

    def decide(self, fate: Fate | None) -> Next:
        """Return what is next, by what the faint ladder shows; of a moving ladder it is in doubt for that alone."""
        if not self._heeds:
            return Next.LET_GO if self._late or self._rests else Next.GO_ON
        unsaid = fate is None and not self._near
        doubtful = unsaid or fate in (Fate.FAILS, Fate.DOUBTFUL)
        calm = not unsaid and doubtful and self._calm_s > CALM_S and self._metres < CALM_M
        blocked = doubtful and self._blocked_s > BLOCKED_S
        if not (self._late or self.holds(fate) or self._rests or blocked or (calm and self._elsewhere)):
            return Next.GO_ON
        if doubtful and self._elsewhere:
            return Next.LOOK_ELSEWHERE
        # One ladder laid aside is better than a tower brought down.
        return Next.PUT_ASIDE if unsaid or fate is Fate.FAILS else Next.LET_GO

    def holds(self, fate: Fate | None) -> bool:
        """Whether it is shown to hold where it was to go, and there is time to bring it lower still."""
        return self._heeds and fate is Fate.HOLDS and self._near and not self._late

    @property
    def _near(self) -> bool:
        return self._metres < NEAR_M and self._radians < NEAR_RAD

    @property
    def _late(self) -> bool:
        """It has taken too long; for an eager player who is still far off, half as long again."""
        far = self._heeds and self._metres > 2.0 * NEAR_M
        return self._for_s > self._manner.patience_s * (1.5 if far else 1.0)

    @property
    def _rests(self) -> bool:
        """It is where it can go, and was held there for long enough."""
        waits_s = HEEDS_S if self._heeds else 0.0
        return self._still_s > STILL_S + waits_s or self._steady_s > self._manner.steady_s + waits_s
