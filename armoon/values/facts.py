"""The facts of the world at one tick, as plain values; the referee's only knowledge of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, Vec3


class PieceStatus(enum.Enum):
    """How a piece takes part in the world."""

    OFFERED = "offered"
    """Presented in the lid, to be taken; touches nothing."""
    HELD = "held"
    FREE = "free"
    """Let go of: moves by physics alone."""
    FIXED = "fixed"
    """A starting ladder in its slot."""


@dataclass(frozen=True)
class Contact:
    """Two pieces whose exact closest distance is a touch (at most 0.05 mm) or near one."""

    a: PieceId
    b: PieceId
    distance_m: float
    """Negative where they overlap."""
    point: Vec3
    """The middle between the two closest points, table frame."""
    normal: Vec3
    """Unit vector from b to a."""


@dataclass(frozen=True)
class PieceFacts:
    """One ladder at one tick."""

    piece: PieceId
    status: PieceStatus
    pose: Pose
    highest_m: float
    """The exact highest point of its boxes above the table."""
    lowest_m: float
    speed_m_s: float
    """|v| + 0.05 m |ω|, the measure of rest."""


@dataclass(frozen=True)
class Facts:
    """The world at one tick. ``contacts`` holds touches only, debounced, each pair once, a < b."""

    tick: int
    pieces: tuple[PieceFacts, ...]
    contacts: tuple[Contact, ...]
    held: PieceId | None
    held_frozen: bool
    """The hand is lost and the held ladder waits for it (ruling X2)."""
    grip_gap_m: float | None
    """From the held ladder to the nearest other ladder, if within 30 mm."""
    at_rest: bool
    """Every free ladder has been quiet long enough."""
    held_force_n: float = 0.0
    """What the held ladder presses on others with, in newtons."""
    held_waits: bool = False
    """The held ladder hangs in the air where it was let go of, until a hand takes it again."""

    def __getitem__(self, piece: PieceId) -> PieceFacts:
        """Return the facts of one ladder; KeyError if it is not in the world."""
        for facts in self.pieces:
            if facts.piece == piece:
                return facts
        raise KeyError(piece)

    def touching(self, piece: PieceId) -> tuple[PieceId, ...]:
        """Everything that touches this piece, sorted."""
        return tuple(sorted(c.b if c.a == piece else c.a for c in self.contacts if piece in (c.a, c.b)))
