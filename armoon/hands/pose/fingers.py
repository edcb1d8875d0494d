"""How far each finger is extended or curled, from world landmarks, independent of scale.

A finger's *reach* is the distance from the wrist to its tip over that to its knuckle. In the photographs
(world landmarks), every finger of an open hand reaches at least 1.58, a pinching hand's three others 1.60,
a fist's at most 1.07, fingers curled beside extended ones at most 1.39.
"""

from __future__ import annotations

import math

from armoon.hands.tracking.landmarks import (
    INDEX_KNUCKLE,
    INDEX_TIP,
    LITTLE_KNUCKLE,
    LITTLE_TIP,
    MIDDLE_KNUCKLE,
    MIDDLE_TIP,
    RING_KNUCKLE,
    RING_TIP,
    WRIST,
    Hand,
)

FINGERS = (
    (INDEX_KNUCKLE, INDEX_TIP),
    (MIDDLE_KNUCKLE, MIDDLE_TIP),
    (RING_KNUCKLE, RING_TIP),
    (LITTLE_KNUCKLE, LITTLE_TIP),
)
#: At and above this a finger is stretched, at and below that it is curled; the photographs leave 1.39 to 1.58
#: free between the two.
STRETCHED = 1.50
CURLED = 1.40
#: The mean reach of a closed hand's four fingers: at most 0.95 in photographed fists.
FIST_MEAN = 1.20

Reaches = tuple[float, float, float, float]


def finger_reaches(hand: Hand) -> Reaches | None:
    """Reaches of index, middle, ring and little finger of a sound hand; None where its palm has no size."""
    world = hand.world_m
    found = []
    for knuckle, tip in FINGERS:
        palm_m = math.dist(world[WRIST], world[knuckle])
        reach = math.dist(world[WRIST], world[tip]) / palm_m if palm_m > 1e-4 else math.inf
        if not math.isfinite(reach):
            return None
        found.append(reach)
    return (found[0], found[1], found[2], found[3])


def mean_reach(reaches: Reaches) -> float:
    """Return the mean of the four."""
    return sum(reaches) / len(reaches)


def is_fist(reaches: Reaches) -> bool:
    """Whether all four fingers are curled in."""
    return mean_reach(reaches) < FIST_MEAN and max(reaches) <= CURLED


def is_open(reaches: Reaches) -> bool:
    """Whether all four fingers are stretched."""
    return min(reaches) >= STRETCHED


def is_pointing(reaches: Reaches) -> bool:
    """Whether the index finger alone is stretched."""
    return reaches[0] >= STRETCHED and max(reaches[1:]) <= CURLED
