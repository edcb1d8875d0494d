"""Places where a ladder could stand, their requirements, and the choices offered to players."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, Quat, Vec3

#: Minimum upward share of the force of a contact that supports the ladder.
MIN_SUPPORT_SHARE = 0.3
#: Movement after the first contact up to which a ladder's further contacts are recorded, metres.
MAX_RECORDED_M = 0.02


@dataclass(frozen=True)
class Requirement:
    """The contacts and height that a ladder at rest needs, for instance because of the die."""

    least: int
    """Minimum number of other ladders to touch."""
    most: int
    """Maximum number of other ladders to touch."""
    highest: bool = False
    """Whether the ladder has to be the highest."""

    def is_met_by(self, touched: int, highest: bool) -> bool:
        return self.least <= touched <= self.most and (highest or not self.highest)


@dataclass(frozen=True)
class Slip:
    """A hand's random error at the release: standard deviations along each axis, and of the angle."""

    metres: float = 0.003
    radians: float = 0.035


#: A person's usual error, as in the placement benchmark.
STEADY = Slip()


@dataclass(frozen=True)
class Reach:
    """The attitudes a hand can reach: the offered ones, rotated about the view axis by up to ``twist_rad``."""

    offered: tuple[Quat, ...]
    view: Vec3
    """Viewing direction of the camera, table frame."""
    twist_rad: float


class PlaceKind(enum.Enum):
    """How a ladder stands."""

    PLATE = "plate"
    """The ladder lies flat or on edge."""
    LEAN = "lean"
    """It rises by ``RISING_DEG`` or more."""
    HOOK = "hook"
    """A part of another ladder is inside one of its openings, or a part of it is inside another ladder's."""


#: Minimum angle between a rising ladder's long axis and the horizontal, degrees.
RISING_DEG = 25.0


@dataclass(frozen=True)
class PlaceWeights:
    """Weights of a place's qualities in a search; a high value of any quality is scaled to about 1."""

    safety: float = 1.0
    height: float = 0.0
    """Weight of ``reach_m``."""
    rise: float = 0.0
    poise: float = 0.0
    ahead: float = 0.0
    """Weight of the possibilities left for the next ladder."""


SAFEST = PlaceWeights()
HIGHEST = PlaceWeights(safety=0.3, height=1.0, rise=0.3, ahead=0.2)


@dataclass(frozen=True)
class BotCharacter:
    """The playing style of a bot or of another simulated hand."""

    slip_m: float
    """Error of its hand along each axis, one standard deviation."""
    slip_rad: float
    """Error of the ladder's rotation, one standard deviation."""
    places: int
    """Number of best places among which the bot chooses."""
    weights: PlaceWeights
    patience_s: float
    """Time for which the hand holds still before a release."""
    pace: float
    """Speed of its hand relative to a person's usual speed."""
    colour: str
    """Preferred seat colour, ``#rrggbb``."""


@dataclass(frozen=True)
class LadderPlace:
    """A place where a ladder would come to rest, table frame."""

    release: Pose
    """Pose at the release, just above the first contact."""
    rest: Pose
    touched: tuple[PieceId, ...]
    """The touched ladders that the referee would count, sorted."""
    highest: bool
    height_m: float
    safety: float
    """Share of simulated slips that still meet the requirement, 0 to 1."""
    slips: int = 0
    """Number of slips tried; it grows while the search runs."""
    kind: PlaceKind = PlaceKind.PLATE
    reach_m: float = 0.0
    """Height gained: its highest point relative to the structure's; negative below."""
    rise_deg: float = 0.0
    poise_m: float = 0.0
    """Distance of its freest end from the nearest supporting point."""
    ends: int = 0
    """For the next ladder: number of free rail ends that point up, to hook over."""
    faces: int = 0
    """For the next ladder: number of rising ladders with a free upper half, to lean on."""

    @property
    def held(self) -> int:
        return round(self.safety * self.slips)


@dataclass(frozen=True)
class Support:
    """How a ladder was supported before it fell; all positions in the table frame."""

    centre: Vec3
    """The ladder's centre of mass."""
    supports: tuple[tuple[PieceId, Vec3], ...] = ()
    """The supporting ladders and their points of contact."""
    gave_way: PieceId | None = None
    """Another ladder that has moved since the release; in rehearsals only if the released one didn't fall."""
    met: Vec3 | None = None
    """Position of the centre at the first contact with a ladder; None: no contact yet."""

    def with_contacts(self, centre: Vec3, contacts: Iterable[tuple[PieceId, Vec3, float]]) -> Support:
        """Replace the supports by these contacts: ladder, point, upward share.

        Unchanged once the centre is ``MAX_RECORDED_M`` away from its position at the first contact.
        """
        contacts = tuple(contacts)
        met = self.met or (centre if contacts else None)
        if met is not None and math.dist(met, centre) >= MAX_RECORDED_M:
            return self
        supports = tuple((other, point) for other, point, share in contacts if share > MIN_SUPPORT_SHARE)
        return replace(self, centre=centre, supports=supports or self.supports, met=met)


#: The choice that lets the simulated hand carry the ladder to a hint's place.
HINT = "hint"
#: The choice that asks for another hint: a higher place, or the safest again.
OTHER_HINT = "hint other"


@dataclass(frozen=True)
class TableChoice:
    """One choice at the table."""

    name: str
    """Unique among the open choices."""
    text: str
    group: str = ""
    """Group that scanning highlights as a whole before its members."""
    slow_scan: bool = False
    """Whether scanning highlights it longer in the first round, because it needs thought."""
    final: bool = False
    """Whether it can't be undone."""
    stops: bool = False
    """Whether it stops a motion in progress; scanning never falls asleep while it is open."""
