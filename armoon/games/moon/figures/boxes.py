"""A ladder's boxes in place: whether they meet those of another, in which direction, and how deep.

Directions and depths are found by separating axes (Gottschalk, Lin, Manocha: OBBTree, 1996).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from armoon.geometry import Array, mat_from_quat, quat_from_axis_angle, quat_multiply, vec3
from armoon.values.pieces import Ladder
from armoon.values.poses import Pose

#: Wood this near counts as touching, once the world has said that the two ladders touch (at most 0.05 mm).
#: What rests on two points tilts by less than this between them.
SKIN_M = 0.00015
#: Cross products of nearly parallel edges are no axes.
_PARALLEL = 1e-6

_SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1])


class PlacedBoxes:
    """The boxes of a ladder in the table frame, numbered as in the ladder."""

    def __init__(self, ladder: Ladder, pose: Pose) -> None:
        turn = mat_from_quat(pose.rotation)
        self.halves: Array = np.array([box.half_extents for box in ladder.boxes])
        self.centres: Array = np.array([box.centre for box in ladder.boxes]) @ turn.T + np.asarray(
            pose.position
        )
        self.axes: Array = turn @ np.array([mat_from_quat(box.rotation) for box in ladder.boxes])
        self.radii: Array = np.linalg.norm(self.halves, axis=1)

    def edges_inside(self, i: int, other: PlacedBoxes, j: int) -> Array:
        """Return the ends (n, 3) of the stretches of box i's edges inside the other's box j and its skin."""
        corners = self.centres[i] + (_SIGNS * self.halves[i]) @ self.axes[i].T
        starts, ends = corners[_EDGES[:, 0]], corners[_EDGES[:, 1]]
        local = (starts - other.centres[j]) @ other.axes[j]
        along = (ends - starts) @ other.axes[j]
        reach = other.halves[j] + SKIN_M
        # An edge parallel to a slab is inside it all along or nowhere: infinities of the right sign say so.
        with np.errstate(divide="ignore", invalid="ignore"):
            first, second = (-reach - local) / along, (reach - local) / along
        parallel = np.abs(along) < 1e-12
        inside = np.abs(local) <= reach
        low = np.where(parallel, np.where(inside, -np.inf, np.inf), np.minimum(first, second)).max(axis=1)
        high = np.where(parallel, np.where(inside, np.inf, -np.inf), np.maximum(first, second)).min(axis=1)
        low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
        hit = low <= high
        way = (ends - starts)[hit]
        ends_inside = [starts[hit] + share[hit, None] * way for share in (low, high)]
        return np.asarray(np.concatenate(ends_inside))

    def near(self, other: PlacedBoxes, slack_m: float) -> list[tuple[int, int]]:
        """Return the pairs of an own and another's box whose round hulls come within ``slack_m`` of each other."""
        between = np.linalg.norm(self.centres[:, None] - other.centres[None], axis=2)
        close = between <= self.radii[:, None] + other.radii[None] + slack_m
        return [(int(i), int(j)) for i, j in np.argwhere(close)]

    def apart(self, i: int, other: PlacedBoxes, j: int) -> tuple[float, Array]:
        """How far box i is from the other's box j, negative if they overlap, and the unit normal (3,) from j to i.

        A lower bound where neither is flat on the other, exact in sign.
        """
        mine, theirs = self.axes[i], other.axes[j]
        crossed = np.cross(mine.T[:, None], theirs.T[None]).reshape(-1, 3)
        lengths = np.linalg.norm(crossed, axis=1)
        usable = lengths > _PARALLEL
        normals = np.concatenate([mine.T, theirs.T, crossed[usable] / lengths[usable, None]])
        between = normals @ (self.centres[i] - other.centres[j])
        gaps = (
            np.abs(between)
            - np.abs(normals @ mine) @ self.halves[i]
            - np.abs(normals @ theirs) @ other.halves[j]
        )
        k = int(np.argmax(gaps))
        return float(gaps[k]), np.asarray(normals[k] * np.sign(between[k]))


def overlap_m(mine: PlacedBoxes, others: Iterable[PlacedBoxes]) -> float:
    """Return the deepest overlap of a ladder with any of the others; 0 if it is clear of them."""
    gaps = [mine.apart(i, other, j)[0] for other in others for i, j in mine.near(other, 0.0)]
    return max(0.0, -min(gaps, default=0.0))


def turned(pose: Pose, through: Array, axis: Array, angle: float) -> Pose:
    """Return a pose turned by ``angle`` radians about the line through a point (3,) along a unit vector (3,)."""
    turn = quat_from_axis_angle(vec3(axis), angle)
    moved = mat_from_quat(turn) @ (np.asarray(pose.position) - through) + through
    return Pose(vec3(moved), quat_multiply(turn, pose.rotation))
