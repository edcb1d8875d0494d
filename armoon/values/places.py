"""Places where a ladder would stand: the requirement, and the facts about each."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, Quat, Vec3

#: A contact bears if this share of its force is upward; it is counted until the ladder has moved this far, metres.
BEARS, BORNE_M = 0.3, 0.02


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


class PlaceKind(enum.Enum):
    """How a ladder stands."""

    PLATE = "plate"
    """It lies flat or on edge,"""
    LEAN = "lean"
    """rises by ``RISING_DEG`` or more,"""
    HOOK = "hook"
    """or wood of another ladder is inside one of its openings, or its wood in another's."""


#: Minimum angle from level of the long axis of a ladder that rises, degrees.
RISING_DEG = 25.0


@dataclass(frozen=True)
class Taste:
    """What a question likes in good places, by weights: each quality is about 1 in a place that has much of it."""

    safety: float = 1.0
    height: float = 0.0
    """For its reach,"""
    rise: float = 0.0
    poise: float = 0.0
    ahead: float = 0.0
    """and for what it leaves for the next ladder."""


SAFEST = Taste()
HIGHEST = Taste(safety=0.3, height=1.0, rise=0.3, ahead=0.2)


@dataclass(frozen=True)
class LadderPlace:
    """Where a ladder would come to stand, table frame."""

    release: Pose
    """Where the hand lets go: just above the first contact."""
    rest: Pose
    touched: tuple[PieceId, ...]
    """The ladders that the referee would count, sorted."""
    highest: bool
    height_m: float
    safety: float
    """0 to 1: the share of slips that still end as wanted."""
    slips: int = 0
    """How many slips that share was counted over; more of them are tried while the search goes on."""
    kind: PlaceKind = PlaceKind.PLATE
    reach_m: float = 0.0
    """Height of its highest point above all others': the height gained; negative below."""
    rise_deg: float = 0.0
    poise_m: float = 0.0
    """The distance of its freest end from the nearest point that bears it."""
    ends: int = 0
    """What the structure then has for the next ladder: rail ends that point up, clear of other wood, to hook over;"""
    faces: int = 0
    """and ladders that rise and bear nothing on their upper half, to lean on."""

    @property
    def held(self) -> int:
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
    met: Vec3 | None = None
    """Where its middle was when it first touched a ladder; None: it touched none."""

    def after(self, centre: Vec3, presses: Iterable[tuple[PieceId, Vec3, float]]) -> Lay:
        """Return the lay after contacts (ladder, place, upward share), until it has gone far from the first touch."""
        presses = tuple(presses)
        met = self.met or (centre if presses else None)
        if met is not None and math.dist(met, centre) >= BORNE_M:
            return self
        bears = tuple((other, point) for other, point, up in presses if up > BEARS)
        return replace(self, centre=centre, supports=bears or self.supports, met=met)


#: The choice that the house's hand carries a ladder to the place of a hint.
HINT = "hint"
#: The choice that another hint shows a higher place, or the safest again.
OTHER_HINT = "hint other"


@dataclass(frozen=True)
class Offered:
    """One thing that can be chosen."""

    name: str
    """Unique among those that are offered."""
    text: str
    group: str = ""
    """Those of one group are gone through together before one of them is."""
    weighed: bool = False
    """A choice to think about, which scanning highlights longer in the first round."""
    final: bool = False
    """It can't be undone."""
    stops: bool = False
    """It ends a motion under way, so scanning never falls asleep while it is offered."""
