"""The input to figure recognition: the settled structure as shapes, and the placed ladder's contacts, part by part.

The world tells which ladders touch; this module names the touching wood. Two boxes meet where an edge of one runs
inside the other, thickened by ``SKIN_M``: that finds corners on faces, edges across edges, and faces on faces alike.
The direction of the contact is the axis of least overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armoon.games.moon.figures.figure import Figure, FigureKind
from armoon.games.moon.figures.shape import SKIN_M, PlacedBoxes, Shape, overlap_m, turned
from armoon.geometry import Array
from armoon.values.facts import Facts, PieceStatus
from armoon.values.pieces import Ladder, LadderSet, PieceId
from armoon.values.poses import Pose

#: A touch bears weight if its normal rises at least this much: 27 degrees from level, more than the angle of
#: friction (21.8 degrees). Below, wood leans on wood.
LEAST_LIFT = 0.45


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
    normals: Array
    """At each point the unit vector (n, 3) from the other's wood to the own."""

    @property
    def lift(self) -> float:
        """The upward part of the normal: 1 lies on the other's wood, 0 leans, -1 is under it."""
        return float(self.normals[:, 2].max())

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
    placed_a, placed_b = PlacedBoxes(a, pose_a), PlacedBoxes(b, pose_b)
    parts_a, parts_b = parts_of(a), parts_of(b)
    found: dict[tuple[Part, Part], Touch] = {}
    for i, j in placed_a.near(placed_b, SKIN_M):
        points = np.concatenate(
            [placed_a.edges_inside(i, placed_b, j), placed_b.edges_inside(j, placed_a, i)]
        )
        if len(points) == 0:
            continue
        normals = np.tile(placed_a.apart(i, placed_b, j)[1], (len(points), 1))
        before = found.get((parts_a[i], parts_b[j]))
        if before is not None:  # a bent rail is several boxes
            points, normals = (
                np.concatenate(both) for both in ((before.points, points), (before.normals, normals))
            )
        found[parts_a[i], parts_b[j]] = Touch(b.piece, parts_a[i], parts_b[j], points, normals)
    return list(found.values())


def _distance_to_line(point: Array, line: Array) -> float:
    """Return the distance of a point (3,) from a polyline (n, 3)."""
    starts, ways = line[:-1], np.diff(line, axis=0)
    shares = np.clip(((point - starts) * ways).sum(1) / (ways * ways).sum(1), 0.0, 1.0)
    return float(np.linalg.norm(point - starts - shares[:, None] * ways, axis=1).min())


#: What is turned about the line of a touch may cut this deep into the wood it turns on, being square, not round.
ROOM_OVERLAP_M = 0.0015


class Scene:
    """The settled structure as shapes, and what the placed ladder touches."""

    def __init__(self, ladders: LadderSet, facts: Facts, placed: PieceId) -> None:
        self.ladders, self.facts, self.placed = ladders, facts, placed
        standing = (PieceStatus.FREE, PieceStatus.FIXED)
        self.shapes = {
            there.piece: Shape(ladders[there.piece], there.pose)
            for there in facts.pieces
            if there.status in standing or there.piece == placed
        }
        self.shape = self.shapes[placed]
        self.touches = tuple(t for t in touches_of(ladders, facts, placed) if t.other in self.shapes)
        self.touched = tuple(sorted({touch.other for touch in self.touches}))

    def figure(self, kind: FigureKind, *others: PieceId) -> Figure:
        """Return a figure that the placed ladder makes with others."""
        return Figure(kind, self.placed, tuple(sorted(others)))

    def free(self) -> list[PieceId]:
        """Return the ladders that hands have placed."""
        return [p.piece for p in self.facts.pieces if p.status is PieceStatus.FREE and p.piece in self.shapes]


def has_room(
    shape: Shape, others: Sequence[Shape], through: Array, axis: Array, angles: Sequence[float]
) -> bool:
    """Whether a ladder turned by each of these angles about a line through a point stays clear of the others."""
    placed = [other.boxes for other in others]
    return all(
        overlap_m(PlacedBoxes(shape.ladder, turned(shape.pose, through, axis, angle)), placed)
        <= ROOM_OVERLAP_M
        for angle in angles
    )
