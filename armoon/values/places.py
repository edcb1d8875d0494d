"""Places where a ladder would stand: the requirement, and the facts about each."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, Quat, Vec3


@dataclass(frozen=True)
class Wanted:
    """The requirement for a ladder at rest; a game states its die in these terms."""

    least: int
    """Minimum number of other ladders to touch,"""
    most: int
    """and maximum."""
    highest: bool = False
    """Whether it has to be the highest."""

    def met_by(self, touched: int, highest: bool) -> bool:
        """Return whether a ladder that touches this many others, and is the highest or isn't, meets the demand."""
        return self.least <= touched <= self.most and (highest or not self.highest)


@dataclass(frozen=True)
class Slip:
    """How far a hand misses where it meant to let go: standard deviations along each axis and of the angle."""

    metres: float = 0.003
    radians: float = 0.035


#: How steadily people let go, as the placement benchmark's hand does.
STEADY = Slip()


@dataclass(frozen=True)
class Reach:
    """Which attitudes a hand can bring: one of those offered, rotated about the view by no more than this."""

    offered: tuple[Quat, ...]
    view: Vec3
    """The direction in which the camera looks, table frame."""
    twist_rad: float


@dataclass(frozen=True)
class Place:
    """Where a ladder would come to stand, table frame."""

    release: Pose
    """Where the hand lets go: just above the first contact."""
    rest: Pose
    touched: tuple[PieceId, ...]
    """The ladders that the referee would count, sorted."""
    highest: bool
    """Whether it is the highest then."""
    height_m: float
    """The structure's height then."""
    safety: float
    """0 to 1: the share of slips that still end as wanted."""
    slips: int = 0
    """How many slips that share was counted over; more of them are tried while the search goes on."""

    @property
    def held(self) -> int:
        """After how many of those slips it ended as wanted."""
        return round(self.safety * self.slips)


@dataclass(frozen=True)
class Lay:
    """How a ladder lay before it fell."""

    centre: Vec3
    """Its middle, where its weight acts; table frame, as all places."""
    supports: tuple[tuple[PieceId, Vec3], ...] = ()
    """The ladders that bore it, and where."""
    gave_way: PieceId | None = None
    """Another ladder that went first."""
