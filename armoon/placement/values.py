"""The candidates, outcomes, questions and answers of a search, and the ratings of places."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from armoon import geometry
from armoon.values.pieces import PieceId
from armoon.values.places import SAFEST, STEADY, LadderPlace, PlaceWeights, Reach, Requirement, Slip, Support
from armoon.values.poses import Pose, Quat
from armoon.world.checks import StructurePoses

#: Height by which a ladder that must be the highest has to exceed the others, because supports sag later; metres.
LEAD_M = 0.0015
#: Distance up to which a ladder that isn't touched may be touched in the game; metres.
ALMOST_M = 0.0007
#: Distance and rotation below which two places count as one.
SAME_M, SAME_RAD = 0.004, math.radians(12.0)
#: Load of a ladder on others, for each contact: the other ladder, the point (3,), and the share of the weight.
Load = tuple[tuple[PieceId, geometry.Array, float], ...]


@dataclass(frozen=True)
class Candidate:
    """A pose at which a ladder may hold, before any simulation."""

    family: str
    """``"plate"``, ``"hook"``, ``"hang"``, ``"lean"``, ``"prop"`` or ``"flat"``."""
    pose: Pose
    """For a plate, the pose at rest; for other families, a start above everything, from which it is lowered."""
    worth: float
    """A rating that is comparable within one family."""
    load: Load = ()
    """Predicted load on other ladders."""
    unbalanced: float | None = None
    """Part of the load that the structure doesn't bear, in weights of a ladder (``StaticBalance``)."""


@dataclass(frozen=True)
class ReleaseOutcome:
    """The result of a released ladder."""

    held: bool
    """Whether everything came to rest, and nothing fell or moved far."""
    touched: tuple[PieceId, ...]
    """Sorted."""
    pose: Pose
    height_m: float
    others_height_m: float
    """Highest point of all other ladders."""
    turned_rad: float
    """Rotation since the release."""
    load: Load
    last_support: Support | None = None
    """Last support before it fell; None if it stands."""
    almost_touched: tuple[PieceId, ...] = ()
    """Other ladders within ``ALMOST_M``, which it may touch in the game, where it comes to rest a little elsewhere."""

    def count_shortfall(self, wanted: Requirement) -> int:
        """Count the missing or extra contacts, plus one if the ladder should be the highest and isn't."""
        touched = len(self.touched)
        is_too_low = wanted.highest and self.height_m <= self.others_height_m + LEAD_M
        return max(wanted.least - touched, touched - wanted.most, 0) + is_too_low

    def meets(self, wanted: Requirement) -> bool:
        return self.held and not self.count_shortfall(wanted)

    def clearly_meets(self, wanted: Requirement) -> bool:
        """Return whether the requirement is met even if almost touched ladders are touched."""
        return self.meets(wanted) and len(self.touched) + len(self.almost_touched) <= wanted.most

    def ends_like(self, other: ReleaseOutcome) -> bool:
        """Return whether both fell, or both came to rest on the same ladders and both or neither as the highest."""
        highest, other_highest = (drop.height_m > drop.others_height_m for drop in (self, other))
        return self.held is other.held and self.touched == other.touched and highest is other_highest


def add_slip(pose: Pose, slip: Slip, rng: np.random.Generator) -> Pose:
    """Return a release pose with a random error around the intended ``pose``."""
    rotation = geometry.quat_from_axis_angle(rng.normal(size=3), float(rng.normal(0.0, slip.radians)))
    position = rng.normal(pose.position, slip.metres)
    return Pose(geometry.vec3(position), geometry.quat_multiply(rotation, pose.rotation))


def is_same_place(a: Pose, b: Pose) -> bool:
    return geometry.are_near(a, b, SAME_M, SAME_RAD)


#: Work of each process for a complete search: drops times standing ladders (about 8 s), and maximum number of drops.
MAX_LADDERS_DROPPED, MAX_DROPS = 960, 120
#: Timeout for a stuck process, in seconds; long enough for a complete search on a busy machine.
TIMEOUT_S = 180.0
#: A good place meets the requirement in GOOD_HELD of GOOD_SLIPS slips, and in the same share of any further slips.
GOOD_HELD, GOOD_SLIPS = 6, 8
GOOD_SHARE = GOOD_HELD / GOOD_SLIPS
#: Amounts of reach, rise and poise that count as 1 in a place's score, and of free ends and faces that count as 0.5.
REACH_M, RISE_DEG, POISE_UNIT_M, ENDS_UNIT, FACES_UNIT = 0.04, 60.0, 0.1, 6, 4
#: Motion of a ladder beyond which a structure counts as a different one.
UNMOVED_M, UNMOVED_RAD = 0.001, math.radians(1.0)


@dataclass(frozen=True)
class Question:
    """A ladder in the lid, the standing structure, and the die's requirement."""

    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Name, pose at rest, and whether it is fixed in its slot (``list_standing`` makes it from facts)."""
    piece: PieceId
    wanted: Requirement
    slip: Slip = STEADY
    """Error of the hand that releases the ladder."""
    reach: Reach | None = None
    """Attitudes within that hand's reach; None: all."""
    weights: PlaceWeights = SAFEST
    """Weights for ranking places; the best good ones get the most drops."""
    seed: int = 0
    drops: int | None = None
    """Budget of each process in drops and failed attempts, independent of time; None: unlimited."""
    seconds: float = TIMEOUT_S
    work_s: float | None = None
    """Budget of processor time of each process, for measurements on a busy machine."""


@dataclass(frozen=True)
class Answer:
    """The places found so far, best first."""

    places: tuple[LadderPlace, ...] = ()
    done: bool = False
    """Whether the search is complete. If it found no place, there is probably none."""
    share: float = 0.0
    """Completed share of the work, 0 to 1, if there is a budget in drops."""
    work_s: float = field(default=0.0, compare=False)
    """Processor time of the process with the latest result."""
    drops: int = field(default=0, compare=False)
    """Work of that process until then, in whole drops and failed attempts."""
    is_outdated: bool = False
    """Whether the structure has changed since the question; then there are no places."""
    failed: bool = False
    """Whether no process completed its work, so that possible places are unknown."""
    is_unsteady: bool = False
    """Whether the structure falls in a rehearsal, so that possible places are unknown."""


def get_drop_budget(standing: StructurePoses) -> int:
    """Return the number of drops of each process for a complete search."""
    return min(MAX_DROPS, MAX_LADDERS_DROPPED // max(1, len(standing)))


def estimate_safety(place: LadderPlace) -> float:
    """Return the share of survived slips, pulled towards a half while only a few were tried."""
    return (place.safety * place.slips + 1.0) / (place.slips + 2.0)


def score_place(place: LadderPlace, weights: PlaceWeights) -> float:
    """Return the weighted sum of a place's qualities."""
    prospects = 0.5 * (min(place.ends, ENDS_UNIT) / ENDS_UNIT + min(place.faces, FACES_UNIT) / FACES_UNIT)
    return (
        weights.safety * estimate_safety(place)
        + weights.height * place.reach_m / REACH_M
        + weights.rise * place.rise_deg / RISE_DEG
        + weights.poise * place.poise_m / POISE_UNIT_M
        + weights.ahead * prospects
    )


def get_rank(place: LadderPlace, weights: PlaceWeights) -> tuple[bool, float]:
    """Return a sort key, greatest for the best place. Good places come first unless only safety counts."""
    return weights != SAFEST and is_good(place), score_place(place, weights)


def is_good(place: LadderPlace) -> bool:
    """Return whether enough slips held. Six are enough, because two more failures would still give six in eight."""
    return place.held >= GOOD_HELD and place.safety >= GOOD_SHARE


def is_decided(place: LadderPlace) -> bool:
    """Return whether enough slips held, or failed, to say if a place is good."""
    return place.held >= GOOD_HELD or place.slips - place.held > GOOD_SLIPS - GOOD_HELD


def is_same_structure(a: StructurePoses, b: StructurePoses) -> bool:
    """Return whether the same ladders stand in the same places, within the motion of settling."""
    standing = {name: (pose, fixed) for name, pose, fixed in a}
    if len(standing) != len(b):
        return False
    for name, pose, fixed in b:
        if name not in standing or standing[name][1] is not fixed:
            return False
        before = standing[name][0]
        if math.dist(before.position, pose.position) > UNMOVED_M:
            return False
        if geometry.quat_angle(before.rotation, pose.rotation) > UNMOVED_RAD:
            return False
    return True


#: Rotation while coming to rest beyond which a ladder is released once more, from its attitude at rest.
RETRY_TURN_RAD = math.radians(5.0)
#: Rotation while coming to rest beyond which a ladder counts as thrown, for unlimited and for limited attitudes.
THROWN_RAD, LIMITED_THROWN_RAD = math.radians(20.0), math.radians(50.0)
#: Maximum angle between a ladder's face and the horizontal at which the ladder can be laid down as a plate.
LEVEL_RAD = math.radians(25.0)


class Attitudes:
    """All rotations, or those within a reach."""

    def __init__(self, reach: Reach | None) -> None:
        self._reach = reach

    @property
    def is_unlimited(self) -> bool:
        return self._reach is None

    @property
    def max_turn_rad(self) -> float:
        """Rotation while coming to rest beyond which a ladder counts as thrown."""
        return THROWN_RAD if self.is_unlimited else LIMITED_THROWN_RAD

    def draw(self, rng: np.random.Generator) -> Quat | None:
        """Draw a random attitude within reach; None if all attitudes are."""
        if self._reach is None:
            return None
        offered = self._reach.offered[int(rng.integers(len(self._reach.offered)))]
        angle = rng.uniform(-self._reach.twist_rad, self._reach.twist_rad)
        return geometry.quat_multiply(geometry.quat_from_axis_angle(self._reach.view, angle), offered)

    def find_nearest(self, wanted: Quat) -> Quat:
        """Return the attitude within reach that is nearest to ``wanted``."""
        if self._reach is None:
            return wanted
        view, limit = self._reach.view, self._reach.twist_rad
        candidates = []
        for offered in self._reach.offered:
            x, y, z, w = geometry.quat_multiply(wanted, geometry.quat_inverse(offered))
            component = float(np.dot((x, y, z), view) / np.linalg.norm(view))
            angle = math.remainder(2.0 * math.atan2(component, w), 2.0 * math.pi)
            angle = max(-limit, min(limit, angle))
            candidates.append(geometry.quat_multiply(geometry.quat_from_axis_angle(view, angle), offered))
        return min(candidates, key=lambda rotation: geometry.quat_angle(rotation, wanted))

    def find_plate_yaws(self) -> geometry.Array | None:
        """Return the possible yaws (k,) of ladders that can be laid flat; None if unlimited."""
        if self._reach is None:
            return None
        yaws = []
        for offered in self._reach.offered:
            matrix = geometry.mat_from_quat(offered)
            if abs(matrix[2, 1]) > math.cos(LEVEL_RAD):
                yaws.append(math.atan2(matrix[1, 2], matrix[0, 2]))
        return np.array(yaws)
