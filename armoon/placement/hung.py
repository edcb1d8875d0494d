"""Hooks, leans and flats: rotations in which a ladder is lowered from above, to hang, lean or lie where it meets wood.

A hook brings an opening of the ladder over a free rail end; a lean brings any part of the ladder over any part of
the structure, and so does a flat, mostly the middle: what one does without a thought. None says where the ladder comes
to lie: that is simulated.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from armoon.geometry import (
    Array,
    mat_from_quat,
    quat_from_axis_angle,
    quat_from_matrix,
    quat_multiply,
)
from armoon.placement.attitudes import Attitudes
from armoon.placement.values import Candidate
from armoon.placement.wood import Wood
from armoon.values.pieces import Ladder
from armoon.values.poses import Pose, Quat

#: A rail end counts as free to be hooked over if it points up by this sine and isn't deep in the structure.
UP, DEPTH_M = 0.5, 0.07
#: Maximum lean of the ladder's plane, from square to the end.
LEAST_LEAN_RAD, MOST_LEAN_RAD = math.radians(5.0), math.radians(55.0)
#: Maximum rise of a leaning ladder from level.
LEAST_RISE_RAD, MOST_RISE_RAD = math.radians(15.0), math.radians(85.0)
#: Tilt of a flat ladder, one standard deviation, and the share of those whose middle is over the wood.
TILT_RAD, BALANCED = math.radians(5.0), 0.6
#: They start this far over everything, to be lowered.
ROOM_M = 0.1


def hooks(
    wood: Wood, ladder: Ladder, attitudes: Attitudes, rng: np.random.Generator, count: int
) -> list[Candidate]:
    """Up to ``count`` ladders whose opening is over a free end; none where no end is free."""
    free = np.flatnonzero((wood.end_way[:, 2] > UP) & (wood.ends[:, 2] > wood.top_m - DEPTH_M))
    openings = [np.mean([*lower, *upper], axis=0) for lower, upper in itertools.pairwise(ladder.rungs)]
    if not len(free) or not openings:
        return []
    found = []
    for _ in range(count):
        end = int(rng.choice(free))
        rotation = attitudes.draw(rng)
        if rotation is None:
            lean = math.tan(rng.uniform(LEAST_LEAN_RAD, MOST_LEAN_RAD))
            face = wood.end_way[end] + lean * _square_to(wood.end_way[end], rng)
            rotation = _facing(face * rng.choice([-1.0, 1.0]), rng)
        opening = openings[int(rng.integers(len(openings)))] + rng.normal(0.0, 0.002, 3) * (1.0, 0.0, 1.0)
        found.append(_over("hook", wood, wood.ends[end], opening, rotation))
    return found


def leans(
    wood: Wood, ladder: Ladder, attitudes: Attitudes, rng: np.random.Generator, count: int
) -> list[Candidate]:
    """``count`` ladders of which some part is over some wood."""
    return [
        _over("lean", wood, target, _part(ladder, rng), attitudes.draw(rng) or _rising(rng))
        for target in wood.draw(rng, count)[0]
    ]


def flats(
    wood: Wood, ladder: Ladder, attitudes: Attitudes, rng: np.random.Generator, count: int
) -> list[Candidate]:
    """``count`` ladders that are about level, mostly with the middle over some wood."""
    found = []
    for target in wood.draw(rng, count)[0]:
        part = np.zeros(3) if rng.random() < BALANCED else _part(ladder, rng)
        found.append(_over("flat", wood, target, part, attitudes.draw(rng) or _level(rng)))
    return found


def _part(ladder: Ladder, rng: np.random.Generator) -> Array:
    """Return a random point of its wood, in its own frame."""
    box = ladder.boxes[int(rng.integers(len(ladder.boxes)))]
    way = mat_from_quat(box.rotation)[:, 2]
    return np.asarray(np.asarray(box.centre) + way * box.half_extents[2] * rng.uniform(-1.0, 1.0))


def _over(family: str, wood: Wood, target: Array, part: Array, rotation: Quat) -> Candidate:
    """Return the ladder with a part of it, in its own frame, straight over a point of the table."""
    x, y, _ = target - mat_from_quat(rotation) @ part
    return Candidate(family, Pose((float(x), float(y), wood.top_m + ROOM_M), rotation), 0.0)


def _rising(rng: np.random.Generator) -> Quat:
    """Return a ladder that rises in any direction, turned a little about its own length."""
    rise = rng.uniform(LEAST_RISE_RAD, MOST_RISE_RAD)
    rotation = quat_from_axis_angle((0.0, 0.0, 1.0), rng.normal(0.0, 0.25))
    tip = rng.choice([-1.0, 1.0]) * (0.5 * math.pi - rise)
    rotation = quat_multiply(quat_from_axis_angle((1.0, 0.0, 0.0), tip), rotation)
    return quat_multiply(quat_from_axis_angle((0.0, 0.0, 1.0), rng.uniform(-math.pi, math.pi)), rotation)


def _level(rng: np.random.Generator) -> Quat:
    """Return a ladder that lies about flat, at any turn."""
    lying = quat_from_axis_angle((1.0, 0.0, 0.0), 0.5 * math.pi + rng.normal(0.0, TILT_RAD))
    return quat_multiply(quat_from_axis_angle((0.0, 0.0, 1.0), rng.uniform(-math.pi, math.pi)), lying)


def _square_to(axis: Array, rng: np.random.Generator) -> Array:
    vector = np.cross(axis, rng.normal(size=3))
    return np.asarray(vector / np.linalg.norm(vector))


def _facing(face: Array, rng: np.random.Generator) -> Quat:
    """Any rotation whose y axis, the ladder's face, points along ``face``."""
    y = face / np.linalg.norm(face)
    z = _square_to(y, rng)
    return quat_from_matrix(np.stack([np.cross(y, z), y, z], axis=1))
