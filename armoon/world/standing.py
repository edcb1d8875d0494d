"""The ladders that stand, from a world's facts: what a world is rebuilt from.

A rebuilt world isn't the original bit for bit: contacts are detected anew, and everything settles by some
hundredths of a millimetre. The input log remains the truth (docs/physics.md).
"""

from __future__ import annotations

from armoon.values.pieces import BASE, Base, Facts, LadderSet, PieceStatus
from armoon.values.poses import IDENTITY_POSE
from armoon.world.checks import Standing
from armoon.world.exact import Ground

STANDING = (PieceStatus.FREE, PieceStatus.FIXED)


def standing_of(facts: Facts) -> Standing:
    """Return the ladders in play, starting ladders included, as ``World.rebuild`` takes them."""
    return [
        (piece.piece, piece.pose, piece.status is PieceStatus.FIXED)
        for piece in facts.pieces
        if piece.status in STANDING
    ]


def ground_of(standing: Standing, ladders: LadderSet, base: Base) -> Ground:
    """Return what a ladder can come down on: these, and the base."""
    ladders_below = ((name, ladders[name].boxes, pose) for name, pose, _ in standing)
    return Ground([(BASE, base.boxes, IDENTITY_POSE), *ladders_below])
