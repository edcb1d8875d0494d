"""The pieces on the table: ladders and the base as boxes; one description feeds physics and picture."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.poses import Pose, Quat, Vec3

#: Ladders are "L01" to "L30"; the base and the table have names of their own.
PieceId = str
BASE: PieceId = "base"
TABLE: PieceId = "table"


@dataclass(frozen=True)
class Box:
    """One convex part of a piece, in the piece's own frame: a box with half extents along its own axes."""

    centre: Vec3
    rotation: Quat
    half_extents: Vec3
    role: str
    """``"rail"``, ``"rung"`` or ``"base"``."""


@dataclass(frozen=True)
class Ladder:
    """A rigid wooden ladder in its principal frame: centre of mass at the origin, inertia diagonal.

    z runs along the ladder, x across the rungs, y through its thickness.
    At most 16 boxes (Bullet silently drops more).
    """

    piece: PieceId
    straight: bool
    boxes: tuple[Box, ...]
    mass_kg: float
    inertia_kg_m2: Vec3
    """The diagonal of the inertia tensor."""
    length_m: float
    tone: float
    """0 (dark) to 1 (light): how this ladder's wood differs from its neighbours'."""
    rails: tuple[tuple[Vec3, ...], tuple[Vec3, ...]] = ((), ())
    """The two centre lines of the rails, foot to head, in the piece's frame."""
    rungs: tuple[tuple[Vec3, Vec3], ...] = ()
    """The two ends of every rung, lowest first, in the piece's frame."""


@dataclass(frozen=True)
class Base:
    """The cloud on the table, in the table frame, and where the starting ladders stand in it."""

    boxes: tuple[Box, ...]
    height_m: float
    slots: tuple[Pose, ...]
    """The pose of each starting ladder, in the order in which the starting ladders are given."""
    lid_x_m: float = 0.17
    """Where beside it the lid lies, in which ladders are offered: to the right, or for a left hand to the left."""


@dataclass(frozen=True)
class LadderSet:
    """The 30 ladders of one game: 3 straight, then 27 crooked, all different (ruling M1)."""

    seed: int
    ladders: tuple[Ladder, ...]

    def __getitem__(self, piece: PieceId) -> Ladder:
        """Return the ladder of that name; KeyError if the set has none."""
        for ladder in self.ladders:
            if ladder.piece == piece:
                return ladder
        raise KeyError(piece)
