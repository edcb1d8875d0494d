"""How the ladder in a hand is held: the mean pose of its tremble, the tremble's size, and the mean pose's speed.

No hand is still to a millimetre, so questions about a held ladder are asked for the mean pose.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from armoon.clock import TICK_S
from armoon.geometry import pose_between, quat_angle
from armoon.placement.foretell import TREMBLE
from armoon.values.places import Slip
from armoon.values.poses import Pose

#: Lever arm, metres, by which rotations count as distances. Weight of height: where a dropped ladder comes to rest
#: hardly depends on it.
ARM_M, HEIGHT = 0.05, 0.25
#: Ticks over which the mean pose is taken.
MEAN_TICKS = 8
#: Distance from the mean pose from which the ladder counts as moved away.
ELSEWHERE_M = 0.006
#: Time for which a moving hand is extrapolated: it may open anywhere on that way, in seconds.
AHEAD_S = 0.4
#: Ticks after which a tremble is known.
KNOWN_TICKS = 6
#: Range of an answer around the mean pose: this many times the tremble, with limits in metres.
REACH, SAME_M, FAR_M = 1.8, 0.002, 0.004


@dataclass(frozen=True)
class Hold:
    """How a ladder is held."""

    pose: Pose
    """The middle of its tremble, table frame."""
    tremble: Slip
    """Standard deviations of a pose from there, what it is on its way included."""
    speed_m_s: float
    """How fast the middle goes."""

    @property
    def reach_m(self) -> float:
        """Metres from the middle within which the ladder is held so."""
        spread_m = math.hypot(math.sqrt(3.0) * self.tremble.metres, ARM_M * self.tremble.radians)
        return min(FAR_M, max(SAME_M, REACH * spread_m))

    def has(self, pose: Pose) -> bool:
        """Whether a ladder at this pose is held so."""
        return apart_m(self.pose, pose) <= self.reach_m


class Holding:
    """Follows one ladder in a hand, look by look."""

    def __init__(self, tick: int, pose: Pose) -> None:
        self._last = tick
        self._begin(tick, pose)

    def _begin(self, tick: int, pose: Pose) -> None:
        self._since, self._mean, self._before = tick, pose, pose
        """The mean of its poses, and the mean of that, which is as far behind again."""
        self._shift2 = self._turn2 = 0.0
        """Mean squares of the way from the middle, m² and rad²."""

    def see(self, tick: int, pose: Pose) -> Hold | None:
        """Return how it is held at a later tick; None while it is on its way."""
        ticks, self._last = tick - self._last, tick
        middle, age = self._middle, tick - self._since + 1
        if apart_m(middle, pose) > ELSEWHERE_M:
            self._begin(tick, pose)
            return None
        part = min(1.0, ticks / min(age, MEAN_TICKS))
        self._shift2 += part * (shift_m(middle, pose) ** 2 - self._shift2)
        self._turn2 += part * (quat_angle(middle.rotation, pose.rotation) ** 2 - self._turn2)
        self._mean = pose_between(self._mean, pose, part)
        self._before = pose_between(self._before, self._mean, part)
        if age <= KNOWN_TICKS:
            return None
        speed_m_s = apart_m(self._before, self._mean) / (MEAN_TICKS * TICK_S)
        ahead_m = AHEAD_S * speed_m_s
        metres = math.sqrt((self._shift2 + ahead_m**2) / 3.0)
        tremble = Slip(max(TREMBLE.metres, metres), max(TREMBLE.radians, math.sqrt(self._turn2)))
        return Hold(self._middle, tremble, speed_m_s)

    @property
    def _middle(self) -> Pose:
        """As far before the mean as that is before its own."""
        return pose_between(self._before, self._mean, 2.0)


def apart_m(a: Pose, b: Pose) -> float:
    """How far wood may have gone between two poses of a ladder, as far as that matters."""
    return shift_m(a, b) + ARM_M * quat_angle(a.rotation, b.rotation)


def shift_m(a: Pose, b: Pose) -> float:
    """How far a ladder is from where it was, as far as that matters to what becomes of it."""
    x, y, z = (p - q for p, q in zip(a.position, b.position, strict=True))
    return math.sqrt(x * x + y * y + (HEIGHT * z) ** 2)
