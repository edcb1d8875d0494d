"""The search's question, and its results so far."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from armoon.geometry import quat_angle
from armoon.values.pieces import PieceId
from armoon.values.places import SAFEST, STEADY, Place, Reach, Slip, Taste, Wanted
from armoon.values.poses import Pose
from armoon.world.checks import Standing

#: Work of each process after which a search has found what it will find, or nothing is possible, in ladders that were
#: free to move in whole drops: about 8 s of a quiet processor. On few ladders this many drops do.
MOST_LADDERS_DROPPED, MOST_DROPS = 960, 120
#: A process that is stuck is waited for no longer than this, seconds; none is cut short by it, however busy a machine.
MOST_S = 180.0
#: A good place ends as wanted in this many of this many slips, and in as large a share of any more.
GOOD_HELD, GOOD_OF = 6, 8
GOOD_SHARE = GOOD_HELD / GOOD_OF
#: What counts as much in a place: reach, rise, poise, and free ends and faces left for the next ladder.
REACH_M, RISE_DEG, POISE_M, MANY_ENDS, MANY_FACES = 0.04, 60.0, 0.1, 6, 4
#: A structure of which a ladder moved farther than this isn't the one that was asked about.
SAME_M, SAME_RAD = 0.001, math.radians(1.0)


@dataclass(frozen=True)
class Question:
    """A ladder in the lid, the standing structure, and the die's demand."""

    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Name, pose, and whether it is fixed in its slot; at rest (``standing_of`` makes it from facts)."""
    piece: PieceId
    wanted: Wanted
    slip: Slip = STEADY
    """How the hand misses that is to let go."""
    reach: Reach | None = None
    """Which attitudes that hand can bring; None: any."""
    taste: Taste = SAFEST
    """How the places found are ranked, and which of the good ones are tried most."""
    seed: int = 0
    drops: int | None = None
    """The search ends as soon as each process has simulated this many drops, or looked as often in vain: the same
    question then gets the same answer, independent of the clock, as long as ``seconds`` are enough. None: never."""
    seconds: float = MOST_S
    """... and by then at the latest,"""
    work_s: float | None = None
    """or after this much processor time of each process, for measuring on a busy machine."""


@dataclass(frozen=True)
class Answer:
    """The known places."""

    places: tuple[Place, ...] = ()
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
    """No process came to the end of its work: nothing is known of what is possible."""


def enough_drops(standing: Standing) -> int:
    """Return the number of drops of each process after which nothing more is to be hoped for."""
    return min(MOST_DROPS, MOST_LADDERS_DROPPED // max(1, len(standing)))


def promise(place: Place) -> float:
    """Return the rank of a place: its share of survived slips, pulled towards a half while few were tried."""
    return (place.safety * place.slips + 1.0) / (place.slips + 2.0)


def liking(place: Place, taste: Taste) -> float:
    """Return how much a place is liked: each of its qualities by its weight."""
    ahead = 0.5 * (min(place.ends, MANY_ENDS) / MANY_ENDS + min(place.faces, MANY_FACES) / MANY_FACES)
    return (
        taste.safety * promise(place)
        + taste.height * place.reach_m / REACH_M
        + taste.rise * place.rise_deg / RISE_DEG
        + taste.poise * place.poise_m / POISE_M
        + taste.ahead * ahead
    )


def rank(place: Place, taste: Taste) -> tuple[bool, float]:
    """Return what places are sorted by, the best greatest: by safety alone, or the good ones first, by liking."""
    return taste != SAFEST and is_good(place), liking(place, taste)


def is_good(place: Place) -> bool:
    """Whether a hand may well aim at it. Six held slips decide it: what two more would come to changes nothing."""
    return place.held >= GOOD_HELD and place.safety >= GOOD_SHARE


def decided(place: Place) -> bool:
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
        if math.dist(was.position, pose.position) > SAME_M:
            return False
        if quat_angle(was.rotation, pose.rotation) > SAME_RAD:
            return False
    return True
