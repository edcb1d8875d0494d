"""A structure at rest as plain values: which ladders there are, the base, and where everything stands."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.orders import Place
from armoon.values.pieces import Base, LadderSet, PieceId
from armoon.values.poses import Pose
from armoon.world.local import LocalWorld
from armoon.world.physics import PHYSICS


@dataclass(frozen=True)
class Structure:
    """Enough to build a world anew."""

    ladders: LadderSet
    base: Base
    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Name, pose, and whether it stands fixed in its slot, in the order in which they are to be placed."""


def build_world(structure: Structure, physics: int = PHYSICS) -> LocalWorld:
    """Return a world in which the structure stands; it still has to come to rest."""
    world = LocalWorld(structure.ladders, structure.base, physics)
    for name, pose, fixed in structure.standing:
        world.apply(Place(name, pose, fixed))
    return world
