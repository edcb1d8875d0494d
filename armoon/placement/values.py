"""The values passed between parts of the search."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from armoon import geometry
from armoon.values.pieces import PieceId
from armoon.values.places import SAFEST, STEADY, Demand, LadderPlace, PlaceWeights, Reach, Slip, Support
from armoon.values.poses import Pose, Quat
from armoon.world.checks import Standing

#: A ladder that has to be the highest is so by this much in a rehearsal: supports sag.
LEAD_M = 0.0015
#: Places nearer to each other than this are one.
SAME_M, SAME_RAD = 0.004, math.radians(12.0)
#: What a ladder would put on others: whom, where (3,), which share of its weight.
Load = tuple[tuple[PieceId, geometry.Array, float], ...]


@dataclass(frozen=True)
class Candidate:
    """A pose that may hold; nothing has been simulated yet."""

    family: str
    """``"plate"``, ``"hook"``, ``"lean"`` or ``"flat"``."""
    pose: Pose
    """Of a plate, where it would lie; of the others, over everything, to be lowered from there."""
    worth: float
    """For comparing candidates of one family."""
    load: Load = ()
    """What it would put on others, as far as that is known,"""
    unborne: float | None = None
    """and how much of it the structure doesn't bear, in weights of a ladder (``Bearing``)."""


@dataclass(frozen=True)
class ReleaseOutcome:
    """What became of a released ladder."""

    held: bool
    """Whether everything came to rest, and nothing fell or went far."""
    touched: tuple[PieceId, ...]
    """The other ladders that it touches, sorted."""
    pose: Pose
    height_m: float
    """Its highest point,"""
    others_height_m: float
    """and that of all others."""
    turned_rad: float
    """How far it turned from its release."""
    load: Load
    """What it puts on others."""
    lay: Support | None = None
    """How it lay before it fell; None where it stands."""

    def lacks(self, wanted: Demand) -> int:
        """Return by how much it isn't as wanted: ladders too many or too few, and one where it isn't the highest."""
        touched = len(self.touched)
        low = wanted.highest and self.height_m <= self.others_height_m + LEAD_M
        return max(wanted.least - touched, touched - wanted.most, 0) + low

    def meets(self, wanted: Demand) -> bool:
        return self.held and not self.lacks(wanted)


def slip(pose: Pose, by: Slip, rng: np.random.Generator) -> Pose:
    """Return where a hand lets go that means to at ``pose``."""
    turn = geometry.quat_from_axis_angle(rng.normal(size=3), float(rng.normal(0.0, by.radians)))
    position = rng.normal(pose.position, by.metres)
    return Pose(geometry.vec3(position), geometry.quat_multiply(turn, pose.rotation))


def near(a: Pose, b: Pose) -> bool:
    return geometry.are_near(a, b, SAME_M, SAME_RAD)


#: Work of each process, in free ladders dropped (about 8 s), after which a search is complete; on few ladders, drops.
MOST_LADDERS_DROPPED, MOST_DROPS = 960, 120
#: A process that is stuck is waited for no longer than this, seconds; none is cut short by it, however busy a machine.
MOST_S = 180.0
#: A good place ends as wanted in this many of this many slips, and in as large a share of any more.
GOOD_HELD, GOOD_OF = 6, 8
GOOD_SHARE = GOOD_HELD / GOOD_OF
#: What counts as much in a place: reach, rise, poise, and free ends and faces left for the next ladder.
REACH_M, RISE_DEG, POISE_M, MANY_ENDS, MANY_FACES = 0.04, 60.0, 0.1, 6, 4
#: A structure of which a ladder moved farther than this isn't the one that was asked about.
SAME_PLACE_M, SAME_PLACE_RAD = 0.001, math.radians(1.0)


@dataclass(frozen=True)
class Question:
    """A ladder in the lid, the standing structure, and the die's demand."""

    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Name, pose, and whether it is fixed in its slot; at rest (``standing_of`` makes it from facts)."""
    piece: PieceId
    wanted: Demand
    slip: Slip = STEADY
    """How the hand misses that is to let go."""
    reach: Reach | None = None
    """Which attitudes that hand can bring; None: any."""
    taste: PlaceWeights = SAFEST
    """How the places found are ranked, and which of the good ones are tried most."""
    seed: int = 0
    drops: int | None = None
    """Drops, or fruitless looks, after which each process ends: then the answer doesn't depend on time. None: never."""
    seconds: float = MOST_S
    """... and by then at the latest,"""
    work_s: float | None = None
    """or after this much processor time of each process, for measuring on a busy machine."""


@dataclass(frozen=True)
class Answer:
    """The known places."""

    places: tuple[LadderPlace, ...] = ()
    """The best first."""
    done: bool = False
    """Nothing will be added. Without a place, nothing was found possible."""
    share: float = 0.0
    """How much of the work is done, 0 to 1, where it is counted in drops."""
    work_s: float = field(default=0.0, compare=False)
    """The processor time of the process that found something last,"""
    drops: int = field(default=0, compare=False)
    """and its work by then, in whole drops and vain looks."""
    void: bool = False
    """The structure is no longer the one that was asked about: there is no answer."""
    failed: bool = False
    """No process came to the end of its work: nothing is known of possible places."""
    unsteady: bool = False
    """The structure doesn't stand in a rehearsal: nothing is known of possible places on it."""


def enough_drops(standing: Standing) -> int:
    """Return the number of drops of each process after which nothing more is to be hoped for."""
    return min(MOST_DROPS, MOST_LADDERS_DROPPED // max(1, len(standing)))


def promise(place: LadderPlace) -> float:
    """Return the rank of a place: its share of survived slips, pulled towards a half while few were tried."""
    return (place.safety * place.slips + 1.0) / (place.slips + 2.0)


def liking(place: LadderPlace, taste: PlaceWeights) -> float:
    """Return how much a place is liked: each of its qualities by its weight."""
    ahead = 0.5 * (min(place.ends, MANY_ENDS) / MANY_ENDS + min(place.faces, MANY_FACES) / MANY_FACES)
    return (
        taste.safety * promise(place)
        + taste.height * place.reach_m / REACH_M
        + taste.rise * place.rise_deg / RISE_DEG
        + taste.poise * place.poise_m / POISE_M
        + taste.ahead * ahead
    )


def rank(place: LadderPlace, taste: PlaceWeights) -> tuple[bool, float]:
    """Return what places are sorted by, the best greatest: by safety alone, or the good ones first, by liking."""
    return taste != SAFEST and is_good(place), liking(place, taste)


def is_good(place: LadderPlace) -> bool:
    """Whether a hand may well aim at it. Six held slips decide it: what two more would come to changes nothing."""
    return place.held >= GOOD_HELD and place.safety >= GOOD_SHARE


def decided(place: LadderPlace) -> bool:
    """Whether it is known by now if a place is good: enough slips were held, or too many weren't."""
    return place.held >= GOOD_HELD or place.slips - place.held > GOOD_OF - GOOD_HELD


def same_structure(a: Standing, b: Standing) -> bool:
    """Whether the same ladders stand in the same places, up to what a structure settles by."""
    here = {name: (pose, fixed) for name, pose, fixed in a}
    if len(here) != len(b):
        return False
    for name, pose, fixed in b:
        if name not in here or here[name][1] is not fixed:
            return False
        was = here[name][0]
        if math.dist(was.position, pose.position) > SAME_PLACE_M:
            return False
        if geometry.quat_angle(was.rotation, pose.rotation) > SAME_PLACE_RAD:
            return False
    return True


#: A ladder that turns more while it comes to rest is released again, turned so before;
RELAY_RAD = math.radians(5.0)
#: more than this isn't placed but thrown, where any attitude can be had, and where few can.
THROWN_RAD, THROWN_REACH_RAD = math.radians(20.0), math.radians(50.0)
#: A ladder whose face is within this of level can be laid down as a plate.
LEVEL_RAD = math.radians(25.0)


class Attitudes:
    """All rotations, or those within a reach."""

    def __init__(self, reach: Reach | None) -> None:
        self._reach = reach

    @property
    def any(self) -> bool:
        return self._reach is None

    @property
    def thrown_rad(self) -> float:
        """A ladder that turns more while it comes to rest isn't placed but thrown."""
        return THROWN_RAD if self.any else THROWN_REACH_RAD

    def draw(self, rng: np.random.Generator) -> Quat | None:
        """Return a random one that can be had; None where any can."""
        if self._reach is None:
            return None
        offered = self._reach.offered[int(rng.integers(len(self._reach.offered)))]
        angle = rng.uniform(-self._reach.twist_rad, self._reach.twist_rad)
        return geometry.quat_multiply(geometry.quat_from_axis_angle(self._reach.view, angle), offered)

    def nearest(self, wished: Quat) -> Quat:
        """Return the attitude that can be had and is nearest to ``wished``."""
        if self._reach is None:
            return wished
        view, most = self._reach.view, self._reach.twist_rad
        found = []
        for offered in self._reach.offered:
            x, y, z, w = geometry.quat_multiply(wished, geometry.quat_inverse(offered))
            along = float(np.dot((x, y, z), view) / np.linalg.norm(view))
            angle = math.remainder(2.0 * math.atan2(along, w), 2.0 * math.pi)
            angle = max(-most, min(most, angle))
            found.append(geometry.quat_multiply(geometry.quat_from_axis_angle(view, angle), offered))
        return min(found, key=lambda rotation: geometry.quat_angle(rotation, wished))

    def plate_yaws(self) -> geometry.Array | None:
        """How ladders that can be laid flat may lie about the upright axis (k,); None where anyhow."""
        if self._reach is None:
            return None
        yaws = []
        for offered in self._reach.offered:
            matrix = geometry.mat_from_quat(offered)
            if abs(matrix[2, 1]) > math.cos(LEVEL_RAD):
                yaws.append(math.atan2(matrix[1, 2], matrix[0, 2]))
        return np.array(yaws)
