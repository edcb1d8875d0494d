"""The values passed between parts of the search."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array, quat_angle, quat_from_axis_angle, quat_multiply, vec3
from armoon.values.pieces import PieceId
from armoon.values.places import Lay, Slip, Wanted
from armoon.values.poses import Pose

#: A ladder that has to be the highest is so by this much in a rehearsal: supports sag.
LEAD_M = 0.0015
#: Places nearer to each other than this are one.
SAME_M, SAME_RAD = 0.004, math.radians(12.0)
#: What a ladder would put on others: whom, where (3,), which share of its weight.
Load = tuple[tuple[PieceId, Array, float], ...]


@dataclass(frozen=True)
class Candidate:
    """A pose that may hold; nothing has been simulated yet."""

    family: str
    """``"plate"``, ``"hook"``, ``"lean"`` or ``"flat"``."""
    pose: Pose
    """Of a plate, where it would lie; of the others, over everything, to be lowered from there."""
    worth: float
    """For comparing candidates of one family."""
    load: Load = ()
    """What it would put on others, as far as that is known,"""
    unborne: float | None = None
    """and how much of it the structure doesn't bear, in weights of a ladder (``Bearing``)."""


@dataclass(frozen=True)
class Outcome:
    """What became of a ladder that was let go of."""

    held: bool
    """Whether everything came to rest, and nothing fell or went far."""
    touched: tuple[PieceId, ...]
    """The other ladders that it touches, sorted."""
    pose: Pose
    height_m: float
    """Its highest point,"""
    others_height_m: float
    """and that of all others."""
    turned_rad: float
    """How far it turned from where it was let go of."""
    load: Load
    """What it puts on others."""
    lay: Lay | None = None
    """How it lay before it fell; None where it stands."""

    def lacks(self, wanted: Wanted) -> int:
        """Return by how much it isn't as wanted: ladders too many or too few, and one where it isn't the highest."""
        touched = len(self.touched)
        low = wanted.highest and self.height_m <= self.others_height_m + LEAD_M
        return max(wanted.least - touched, touched - wanted.most, 0) + low

    def meets(self, wanted: Wanted) -> bool:
        """Whether all came to rest, as wanted."""
        return self.held and not self.lacks(wanted)


def slip(pose: Pose, by: Slip, rng: np.random.Generator) -> Pose:
    """Return where a hand lets go that means to at ``pose``."""
    turn = quat_from_axis_angle(rng.normal(size=3), float(rng.normal(0.0, by.radians)))
    position = rng.normal(pose.position, by.metres)
    return Pose(vec3(position), quat_multiply(turn, pose.rotation))


def near(a: Pose, b: Pose) -> bool:
    """Whether two poses are one place."""
    return math.dist(a.position, b.position) < SAME_M and quat_angle(a.rotation, b.rotation) < SAME_RAD
