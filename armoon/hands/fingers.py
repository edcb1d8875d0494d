"""Measures finger extension in world landmarks, and finds the point where a hand grips.

A finger's *reach* is the distance from wrist to tip divided by the distance from wrist to knuckle: in photographs at
least 1.58 in an open hand and at most 1.07 in a fist. Tips travel 5 cm while a hand closes; therefore an open hand's
grip point is a weighted sum of six joints that hardly move.
"""

from __future__ import annotations

import math

import numpy as np

from armoon.geometry import Array, smooth_step
from armoon.hands import landmarks

FINGERS = (
    (landmarks.INDEX_KNUCKLE, landmarks.INDEX_TIP),
    (landmarks.MIDDLE_KNUCKLE, landmarks.MIDDLE_TIP),
    (landmarks.RING_KNUCKLE, landmarks.RING_TIP),
    (landmarks.LITTLE_KNUCKLE, landmarks.LITTLE_TIP),
)
#: Minimum reach of an extended finger, and maximum reach of a curled one; no photograph has one from 1.39 to 1.58.
EXTENDED_REACH = 1.50
CURLED_REACH = 1.40
#: Maximum mean reach of a closed hand's four fingers; in photographed fists it is at most 0.95.
FIST_MEAN = 1.20

Reaches = tuple[float, float, float, float]


def measure_reaches(hand: landmarks.Hand) -> Reaches | None:
    """Return the reaches of a plausible hand's index, middle, ring and little finger; None if its palm has no size."""
    world = hand.world_m
    reaches = []
    for knuckle, tip in FINGERS:
        palm_m = math.dist(world[landmarks.WRIST], world[knuckle])
        reach = math.dist(world[landmarks.WRIST], world[tip]) / palm_m if palm_m > 1e-4 else math.inf
        if not math.isfinite(reach):
            return None
        reaches.append(reach)
    return (reaches[0], reaches[1], reaches[2], reaches[3])


def average_reaches(reaches: Reaches) -> float:
    return sum(reaches) / len(reaches)


def is_fist(reaches: Reaches) -> bool:
    return average_reaches(reaches) < FIST_MEAN and max(reaches) <= CURLED_REACH


def is_open(reaches: Reaches) -> bool:
    return min(reaches) >= EXTENDED_REACH


def is_pointing(reaches: Reaches) -> bool:
    return reaches[0] >= EXTENDED_REACH and max(reaches[1:]) <= CURLED_REACH


THUMB_KNUCKLE = 2
THUMB_JOINT = 3
INDEX_JOINT = 6

#: Weights of joints that predict where the tips will meet: ridge regression over rendered sequences (three views) and
#: photographed pinches. Errors are 0.07 palm lengths (median, photographs) to 0.3 (open hand edge on); those of the
#: tips' midpoint are 0.4 to 0.6 in open hands.
MEETING_WEIGHTS: tuple[tuple[int, float], ...] = (
    (landmarks.WRIST, -0.20),
    (THUMB_KNUCKLE, 0.36),
    (THUMB_JOINT, 0.66),
    (landmarks.INDEX_KNUCKLE, -0.98),
    (INDEX_JOINT, 0.69),
    (landmarks.LITTLE_KNUCKLE, 0.47),
)
_JOINTS = [joint for joint, _ in MEETING_WEIGHTS]
_WEIGHTS = np.array([weight for _, weight in MEETING_WEIGHTS])

#: Closing (0 to 1) above which the tips' midpoint also counts, and above which only it counts (gap: 0.32 palm lengths).
TIPS_FROM = 0.4
TIPS_ALONE = 0.8


def find_grip_point(points: Array, closing: float) -> Array:
    """Return the grip point (n,) of landmarks (21, n), in any coordinates."""
    tips_weight = smooth_step((closing - TIPS_FROM) / (TIPS_ALONE - TIPS_FROM))
    meeting = _WEIGHTS @ points[_JOINTS]
    middle = (points[landmarks.THUMB_TIP] + points[landmarks.INDEX_TIP]) / 2.0
    return np.asarray((1.0 - tips_weight) * meeting + tips_weight * middle, dtype=np.float64)


def find_palm_point(points: Array) -> Array:
    """Return the midpoint (n,) of the four knuckles of landmarks (21, n): where a closed hand holds an object."""
    knuckles = points[
        [landmarks.INDEX_KNUCKLE, landmarks.MIDDLE_KNUCKLE, landmarks.RING_KNUCKLE, landmarks.LITTLE_KNUCKLE]
    ]
    return np.asarray(knuckles.mean(axis=0), dtype=np.float64)
