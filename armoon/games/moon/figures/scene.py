"""The input to figure recognition: the settled structure as shapes, and the placed ladder's contacts."""

from __future__ import annotations

from collections.abc import Sequence

from armoon.games.moon.figures.boxes import PlacedBoxes, overlap_m, turned
from armoon.games.moon.figures.figure import Figure, FigureKind
from armoon.games.moon.figures.shape import Shape
from armoon.games.moon.figures.touch import touches_of
from armoon.geometry import Array
from armoon.values.facts import Facts, PieceStatus
from armoon.values.pieces import LadderSet, PieceId

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
