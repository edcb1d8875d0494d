"""Rotations in which a ladder is lowered from above, to hang, lean or lie where it meets wood.

A hook brings an opening of the ladder over a free rail end, a hang one of its upper openings, so that the rest hangs
down; a prop lies steeply over two pieces of wood, caught on the upper one by a rung; a lean brings any part of the
ladder over any part of the structure, and so does a flat, mostly the middle: what one does without a thought. None says
where the ladder comes to lie: that is simulated.
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
from armoon.placement.stance import DEPTH_M, UP
from armoon.placement.values import Candidate
from armoon.placement.wood import Ints, Wood
from armoon.values.pieces import Ladder
from armoon.values.poses import Pose, Quat

#: Maximum lean of the ladder's plane, from square to the end.
LEAST_LEAN_RAD, MOST_LEAN_RAD = math.radians(5.0), math.radians(55.0)
#: Maximum rise of a leaning ladder from level.
LEAST_RISE_RAD, MOST_RISE_RAD = math.radians(15.0), math.radians(85.0)
#: Tilt of a flat ladder, one standard deviation, and the share of those whose middle is over the wood.
TILT_RAD, BALANCED = math.radians(5.0), 0.6
#: Ends that point up by this sine can be hung on; the tangent by which a hanging ladder's face tilts (one deviation).
HANG_UP, HANG_TILT = 0.15, 0.25
#: Of a propped ladder: how far apart the points under it are, and the sines by which the upper is higher; how many
#: pairs of points are drawn for each.
NEAREST_M, FARTHEST, LEAST_PROP, MOST_PROP, DRAWN = 0.015, 0.9, 0.34, 0.95, 12
#: They start this far over everything, to be lowered.
ROOM_M = 0.1


def hooks(
    wood: Wood, ladder: Ladder, attitudes: Attitudes, rng: np.random.Generator, count: int
) -> list[Candidate]:
    """Up to ``count`` ladders whose opening is over a free end; none where no end is free."""
    free, openings = _free(wood, UP), _openings(ladder)
    if not len(free) or not openings:
        return []
    found = []
    for end in rng.choice(free, count, p=_share(wood.end_firm[free])):
        rotation = attitudes.draw(rng)
        if rotation is None:
            lean = math.tan(rng.uniform(LEAST_LEAN_RAD, MOST_LEAN_RAD))
            face = wood.end_way[end] + lean * _square_to(wood.end_way[end], rng)
            rotation = _facing(face * rng.choice([-1.0, 1.0]), rng)
        opening = openings[int(rng.integers(len(openings)))] + rng.normal(0.0, 0.002, 3) * (1.0, 0.0, 1.0)
        found.append(_over("hook", wood, wood.ends[end], opening, rotation))
    return found


def hangs(
    wood: Wood, ladder: Ladder, attitudes: Attitudes, rng: np.random.Generator, count: int
) -> list[Candidate]:
    """Up to ``count`` ladders about upright, one of the upper openings over an end that isn't quite upright."""
    free, openings = _free(wood, HANG_UP), _openings(ladder)
    if not len(free) or not openings:
        return []
    found = []
    for end in rng.choice(free, count, p=_share(wood.end_firm[free])):
        way = wood.end_way[end] * (1.0, 1.0, 0.0) + rng.normal(0.0, 0.05, 3)
        rotation = attitudes.draw(rng)
        if rotation is None:
            face = way / np.linalg.norm(way) + (0.0, 0.0, rng.normal(0.0, HANG_TILT))
            rotation = _rising_with(face, np.array((0.0, 0.0, 1.0)), rng)
        matrix = mat_from_quat(rotation)
        upper = sorted(openings, key=lambda opening: -float((matrix @ opening)[2]))[:2]
        opening = upper[int(rng.integers(len(upper)))] + rng.normal(0.0, 0.003, 3) * (1.0, 0.0, 1.0)
        found.append(_over("hang", wood, wood.ends[end], opening, rotation))
    return found


def props(
    wood: Wood, ladder: Ladder, attitudes: Attitudes, rng: np.random.Generator, count: int
) -> list[Candidate]:
    """Up to ``count`` ladders that lie over two points of wood, steeply, a rung just above the upper one."""
    (one, a), (other, b) = wood.draw(rng, DRAWN * count), wood.draw(rng, DRAWN * count)
    low = (one[:, 2] < other[:, 2])[:, None]
    lower, upper = np.where(low, one, other), np.where(low, other, one)
    rise, span = (upper - lower)[:, 2], np.linalg.norm(upper - lower, axis=1)
    fits = (a != b) & (span < FARTHEST * ladder.length_m) & (span > NEAREST_M)
    fits &= (rise > LEAST_PROP * span) & (rise < MOST_PROP * span)
    found = []
    for row in np.flatnonzero(fits)[:count]:
        axis = (upper - lower)[row] / span[row]
        rotation = attitudes.draw(rng)
        if rotation is None:
            face = np.array((0.0, 0.0, 1.0)) - axis * axis[2] + rng.normal(0.0, 0.1, 3)
            rotation = _rising_with(face, axis, rng)
        turn = mat_from_quat(rotation)
        rungs = np.asarray(ladder.rungs).mean(axis=1)
        below = rungs[(rungs[:, 2] * turn[2, 2] > span[row] - 0.5 * ladder.length_m)]
        rung = (below if len(below) else rungs)[int(rng.integers(len(below) or len(rungs)))]
        target = upper[row] + axis * rng.uniform(0.001, 0.006)
        found.append(
            _over("prop", wood, target, rung + rng.normal(0.0, 0.004, 3) * (1.0, 0.0, 0.0), rotation)
        )
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


def _free(wood: Wood, up: float) -> Ints:
    """Return the rail ends that point up by this sine and aren't deep in the structure."""
    return np.flatnonzero((wood.end_way[:, 2] > up) & (wood.ends[:, 2] > wood.top_m - DEPTH_M))


def _openings(ladder: Ladder) -> list[Array]:
    """Return the middles of the openings between two rungs, in the ladder's frame."""
    return [np.mean([*lower, *upper], axis=0) for lower, upper in itertools.pairwise(ladder.rungs)]


def _share(weights: Array) -> Array:
    return np.asarray(weights / weights.sum())


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


def _rising_with(face: Array, axis: Array, rng: np.random.Generator) -> Quat:
    """Return a rotation with the face there and the long axis about along ``axis``; either end up, either side."""
    y = face / np.linalg.norm(face)
    z = axis - y * (axis @ y) + _square_to(y, rng) * rng.normal(0.0, 0.15)
    z *= rng.choice([-1.0, 1.0]) / np.linalg.norm(z)
    y *= rng.choice([-1.0, 1.0])
    return quat_from_matrix(np.stack([np.cross(y, z), y, z], axis=1))


def _facing(face: Array, rng: np.random.Generator) -> Quat:
    """Any rotation whose y axis, the ladder's face, points along ``face``."""
    y = face / np.linalg.norm(face)
    z = _square_to(y, rng)
    return quat_from_matrix(np.stack([np.cross(y, z), y, z], axis=1))
