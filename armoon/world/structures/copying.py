"""Copies of a world at rest: from its facts a new world, or the structure that a trial starts from.

A copy is built from poses, so it isn't the original bit for bit: contacts are found anew, and all settles
by some hundredths of a millimetre. The input log remains the truth (docs/physics.md).
"""

from __future__ import annotations

from armoon.values.facts import Facts, PieceStatus
from armoon.values.orders import Offer, Place
from armoon.values.pieces import Base, LadderSet
from armoon.world.checks import Standing
from armoon.world.local import LocalWorld

_STANDING = (PieceStatus.FREE, PieceStatus.FIXED)


def standing_of(facts: Facts) -> Standing:
    """The ladders in play, starting ladders included, as ``TrialTable`` takes them."""
    return [
        (piece.piece, piece.pose, piece.status is PieceStatus.FIXED)
        for piece in facts.pieces
        if piece.status in _STANDING
    ]


def copy_world(ladders: LadderSet, base: Base, facts: Facts) -> LocalWorld:
    """A new world with the ladders of these facts where they are; one that is held or offered is offered."""
    world = LocalWorld(ladders, base)
    for name, pose, fixed in standing_of(facts):
        world.apply(Place(name, pose, fixed))
    for piece in facts.pieces:
        if piece.status not in _STANDING:
            world.apply(Offer(piece.piece))
    return world
