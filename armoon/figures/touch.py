"""Where a ladder touches others, part by part: points of contact between single rails and rungs.

The world tells which ladders touch; here the touching wood is named. Two boxes meet where an edge of one runs
inside the other, thickened by ``SKIN_M``: that finds corners on faces, edges across edges, and faces on faces alike.
The direction of the touch is the axis of least overlap (Gottschalk, Lin, Manocha: OBBTree, 1996).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armoon.facts import Facts
from armoon.geometry import Array, mat_from_quat
from armoon.pieces import Ladder, LadderSet, PieceId
from armoon.values import Pose

#: Wood this near counts as touching, once the world has said that the two ladders touch (at most 0.05 mm).
#: What rests on two points tilts by less than this between them.
SKIN_M = 0.00015

#: A touch bears weight if its normal rises at least this much: 27 degrees from level, more than the angle of
#: friction (21.8 degrees). Below, wood leans on wood.
LEAST_LIFT = 0.45
#: Cross products of nearly parallel edges are no axes.
_PARALLEL = 1e-6

_SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1])


@dataclass(frozen=True)
class Part:
    """One rail or rung of a ladder."""

    role: str
    """``"rail"`` or ``"rung"``."""
    index: int
    """Rail 0 or 1; rung 0 is the lowest."""


@dataclass(frozen=True)
class Touch:
    """Where one part of a ladder meets one part of another."""

    other: PieceId
    own: Part
    others: Part
    points: Array
    """Points (n, 3) of the touching wood, table frame."""
    lift: float
    """The upward part of the unit normal from the other's wood to the own: 1 lies on it, 0 leans, -1 is under it."""

    @property
    def bears(self) -> bool:
        """Whether weight rests here, rather than leans or is held down."""
        return self.lift >= LEAST_LIFT

    @property
    def holds_down(self) -> bool:
        """Whether the other's wood lies upon the own here."""
        return self.lift <= -LEAST_LIFT


def parts_of(ladder: Ladder) -> tuple[Part, ...]:
    """Which rail or rung each box of a ladder belongs to, in the order of its boxes."""
    parts = []
    for box in ladder.boxes:
        centre = np.asarray(box.centre)
        if box.role == "rung":
            middles = [(np.asarray(a) + np.asarray(b)) / 2.0 for a, b in ladder.rungs]
            parts.append(Part("rung", int(np.argmin([np.linalg.norm(centre - m) for m in middles]))))
        else:
            rails = [_distance_to_line(centre, np.asarray(rail)) for rail in ladder.rails]
            parts.append(Part("rail", int(np.argmin(rails))))
    return tuple(parts)


def touches_of(ladders: LadderSet, facts: Facts, piece: PieceId) -> tuple[Touch, ...]:
    """Everything that the wood of ``piece`` touches, by the other ladder's name and by parts."""
    names = {there.piece for there in facts.pieces}
    return tuple(
        touch
        for name in facts.touching(piece)
        if name in names
        for touch in _meet(ladders[piece], facts[piece].pose, ladders[name], facts[name].pose)
    )


def _meet(a: Ladder, pose_a: Pose, b: Ladder, pose_b: Pose) -> list[Touch]:
    """Where two ladders meet, part by part in the order of their boxes."""
    placed_a, placed_b = _Placed(a, pose_a), _Placed(b, pose_b)
    parts_a, parts_b = parts_of(a), parts_of(b)
    between = np.linalg.norm(placed_a.centres[:, None] - placed_b.centres[None], axis=2)
    near = between <= placed_a.radii[:, None] + placed_b.radii[None] + SKIN_M
    found: dict[tuple[Part, Part], Touch] = {}
    for i, j in np.argwhere(near):
        points = np.concatenate(
            [placed_a.edges_inside(i, placed_b, j), placed_b.edges_inside(j, placed_a, i)]
        )
        if len(points) == 0:
            continue
        lift, before = placed_a.lift(i, placed_b, j), found.get((parts_a[i], parts_b[j]))
        if before is not None:  # a bent rail is several boxes
            points, lift = np.concatenate([before.points, points]), max(lift, before.lift)
        found[parts_a[i], parts_b[j]] = Touch(b.piece, parts_a[i], parts_b[j], points, lift)
    return list(found.values())


class _Placed:
    """The boxes of a ladder in the table frame."""

    def __init__(self, ladder: Ladder, pose: Pose) -> None:
        turn = mat_from_quat(pose.rotation)
        self.halves: Array = np.array([box.half_extents for box in ladder.boxes])
        self.centres: Array = np.array([box.centre for box in ladder.boxes]) @ turn.T + np.asarray(
            pose.position
        )
        self.axes: Array = turn @ np.array([mat_from_quat(box.rotation) for box in ladder.boxes])
        self.radii: Array = np.linalg.norm(self.halves, axis=1)

    def edges_inside(self, i: int, other: _Placed, j: int) -> Array:
        """The ends (n, 3) of those stretches of box i's edges that run inside the other's box j and its skin."""
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

    def lift(self, i: int, other: _Placed, j: int) -> float:
        """How much the normal from the other's box j to this one's box i points up."""
        mine, theirs = self.axes[i], other.axes[j]
        crossed = np.cross(mine.T[:, None], theirs.T[None]).reshape(-1, 3)
        lengths = np.linalg.norm(crossed, axis=1)
        usable = lengths > _PARALLEL
        normals = np.concatenate([mine.T, theirs.T, crossed[usable] / lengths[usable, None]])
        between = self.centres[i] - other.centres[j]
        reach = np.abs(normals @ mine) @ self.halves[i] + np.abs(normals @ theirs) @ other.halves[j]
        apart = normals @ between
        k = int(np.argmax(np.abs(apart) - reach))
        return float(normals[k, 2] * np.sign(apart[k]))


def _distance_to_line(point: Array, line: Array) -> float:
    """The distance of a point (3,) from a polyline (n, 3)."""
    starts, ways = line[:-1], np.diff(line, axis=0)
    shares = np.clip(((point - starts) * ways).sum(1) / (ways * ways).sum(1), 0.0, 1.0)
    return float(np.linalg.norm(point - starts - shares[:, None] * ways, axis=1).min())
