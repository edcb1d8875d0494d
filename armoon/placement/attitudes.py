"""The attitudes in which a hand can bring a ladder, and the one nearest to a wanted attitude."""

from __future__ import annotations

import math

import numpy as np

from armoon.geometry import (
    Array,
    mat_from_quat,
    quat_angle,
    quat_from_axis_angle,
    quat_inverse,
    quat_multiply,
)
from armoon.values.places import Reach
from armoon.values.poses import Quat

#: A ladder that turns more while it comes to rest is let go of anew, turned so before;
RELAY_RAD = math.radians(5.0)
#: more than this isn't placed but thrown, where any attitude can be had, and where few can.
THROWN_RAD, THROWN_REACH_RAD = math.radians(20.0), math.radians(50.0)
#: A ladder whose face is within this of level can be laid down as a plate.
LEVEL_RAD = math.radians(25.0)


class Attitudes:
    """All rotations, or those within a reach."""

    def __init__(self, reach: Reach | None) -> None:
        self._reach = reach

    @property
    def any(self) -> bool:
        """Whether every attitude can be had."""
        return self._reach is None

    @property
    def thrown_rad(self) -> float:
        """A ladder that turns more while it comes to rest isn't placed but thrown."""
        return THROWN_RAD if self.any else THROWN_REACH_RAD

    def draw(self, rng: np.random.Generator) -> Quat | None:
        """Return a random one that can be had; None where any can."""
        if self._reach is None:
            return None
        offered = self._reach.offered[int(rng.integers(len(self._reach.offered)))]
        angle = rng.uniform(-self._reach.twist_rad, self._reach.twist_rad)
        return quat_multiply(quat_from_axis_angle(self._reach.view, angle), offered)

    def nearest(self, wished: Quat) -> Quat:
        """Return the attitude that can be had and is nearest to ``wished``."""
        if self._reach is None:
            return wished
        view, most = self._reach.view, self._reach.twist_rad
        found = []
        for offered in self._reach.offered:
            x, y, z, w = quat_multiply(wished, quat_inverse(offered))
            along = float(np.dot((x, y, z), view) / np.linalg.norm(view))
            angle = math.remainder(2.0 * math.atan2(along, w), 2.0 * math.pi)
            angle = max(-most, min(most, angle))
            found.append(quat_multiply(quat_from_axis_angle(view, angle), offered))
        return min(found, key=lambda rotation: quat_angle(rotation, wished))

    def plate_yaws(self) -> Array | None:
        """How ladders that can be laid flat may lie about the upright axis (k,); None where anyhow."""
        if self._reach is None:
            return None
        yaws = []
        for offered in self._reach.offered:
            matrix = mat_from_quat(offered)
            if abs(matrix[2, 1]) > math.cos(LEVEL_RAD):
                yaws.append(math.atan2(matrix[1, 2], matrix[0, 2]))
        return np.array(yaws)
