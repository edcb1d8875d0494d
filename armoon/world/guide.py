"""Guided placing: a ladder that is released near a known place is set down there, as a body.

Everything is a function of orders and grips, never of a clock, so that logs replay bit for bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from armoon.clock import TICKS_PER_SECOND
from armoon.geometry import are_near, quat_angle
from armoon.values.pieces import Guide
from armoon.values.poses import Pose

#: Speed at which a released ladder goes to its place, and the ticks after which it is released wherever it is.
SET_DOWN_M_S, SET_DOWN_TICKS = 0.030, round(0.7 * TICKS_PER_SECOND)
#: Distance and rotation from its place within which it has arrived.
ARRIVED_M, ARRIVED_RAD = 0.0003, math.radians(0.5)
#: A ladder that touches something while more than this is missing can't get there, metres.
BLOCKED_M, CONTACT_GAP_M = 0.005, 0.0001


def place_within(guide: Guide, pose: Pose) -> Pose | None:
    """Return the nearest place within the guide's reach of a held ladder's pose, or None."""
    distances = [(_distance(guide, pose, place), place) for place in guide.places]
    distance, nearest = min(distances, key=lambda one: one[0], default=(math.inf, None))
    return nearest if distance < 1.0 else None


def _distance(guide: Guide, pose: Pose, place: Pose) -> float:
    """Return the distance to a place in units of the reach; beyond 1 in either way it is out of reach."""
    apart_m = math.dist(pose.position, place.position)
    return max(apart_m / guide.reach_m, quat_angle(pose.rotation, place.rotation) / guide.reach_rad)


@dataclass
class Descent:
    """A released ladder on its way to its place."""

    place: Pose
    ticks: int = 0

    def is_over(self, pose: Pose, gap_m: float) -> bool:
        """Count a tick; return whether the ladder has arrived, is blocked or has had its time."""
        self.ticks += 1
        if are_near(pose, self.place, ARRIVED_M, ARRIVED_RAD):
            return True
        blocked = gap_m < CONTACT_GAP_M and math.dist(pose.position, self.place.position) > BLOCKED_M
        return blocked or self.ticks > SET_DOWN_TICKS
