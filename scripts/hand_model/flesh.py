"""The hand's flesh at rest as a signed distance field: round cones and balls, melted together.

Distances are metres, negative inside, in the hand frame. Round cone after Inigo Quilez, "distance functions"
(2019); smooth minimum after his polynomial one: ``blend`` is the distance over which two parts melt together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from armoon.geometry import Array
from armoon.synthetic_camera.anatomy import (
    FINGER_BACK,
    FINGERS,
    FOREARM_BONE,
    PALM_BONE,
    RADII,
    REST,
    bone_start,
)

Field = Callable[[Array], Array]

#: Central differences over this span: below the smallest form (1 mm), far above rounding.
_GRADIENT_STEP_M = 4e-4
#: The palm's inner corner points lie this far before the knuckles, so that the knuckle balls stand out.
_BEFORE_KNUCKLE = np.array([-0.004, 0.0, -0.002])


def round_cone(points: Array, start: Any, end: Any, start_radius: float, end_radius: float) -> Array:
    """Distance (n,) from points (n, 3) to the hull of two balls."""
    start, axis = np.asarray(start, dtype=np.float64), np.subtract(end, start)
    narrowing = start_radius - end_radius
    length2 = float(axis @ axis)
    slant2 = length2 - narrowing * narrowing
    from_start = points - start
    along = from_start @ axis
    beyond = along - length2
    across = from_start * length2 - along[:, None] * axis
    across2 = np.einsum("ij,ij->i", across, across)
    along2 = along * along * length2
    beyond2 = beyond * beyond * length2
    side = np.sign(narrowing) * narrowing * narrowing * across2
    distance = (np.sqrt(across2 * slant2 / length2) + along * narrowing) / length2 - start_radius
    at_start = np.sign(along) * slant2 * along2 < side
    at_end = np.sign(beyond) * slant2 * beyond2 > side
    distance = np.where(at_start, np.sqrt(across2 + along2) / length2 - start_radius, distance)
    return np.where(at_end, np.sqrt(across2 + beyond2) / length2 - end_radius, distance)


def ball(points: Array, centre: Any, radius: float) -> Array:
    """Distance (n,) from points (n, 3) to a ball."""
    return np.asarray(np.linalg.norm(points - np.asarray(centre), axis=1) - radius)


def melt(a: Array, b: Array, blend: float) -> Array:
    """Return the union of two fields, rounded where they come within ``blend`` metres of each other."""
    overlap = np.maximum(blend - np.abs(a - b), 0.0) / blend
    return np.asarray(np.minimum(a, b) - overlap * overlap * (0.25 * blend))


def _bone_cone(points: Array, start: int, end: int) -> Array:
    return round_cone(points, REST[start], REST[end], RADII[start], RADII[end])


def _finger(points: Array, finger: int) -> Array:
    knuckle = 4 * finger + 1
    tip = knuckle + 3
    distance = melt(
        _bone_cone(points, knuckle + 1, knuckle + 2), _bone_cone(points, knuckle + 2, tip), blend=0.002
    )
    if finger:  # the thumb's first bone lies in the ball of the palm
        distance = melt(distance, _bone_cone(points, knuckle, knuckle + 1), blend=0.003)
        middle_joint = REST[knuckle + 1] + (0.0, 0.0, 0.0012)
        distance = melt(distance, ball(points, middle_joint, 0.95 * RADII[knuckle + 1]), blend=0.004)
    pulp = REST[tip - 1] + 0.75 * (REST[tip] - REST[tip - 1]) - 0.30 * RADII[tip] * FINGER_BACK[finger]
    return melt(distance, ball(points, pulp, 0.92 * RADII[tip]), blend=0.004)


def _palm(points: Array) -> Array:
    index, middle, ring, little = (REST[k] + _BEFORE_KNUCKLE for k in (5, 9, 13, 17))
    distance = round_cone(points, (0.0, 0.010, 0.0), index, 0.0185, 0.0120)
    for heel, knuckle, radius in (
        ((0.0, 0.004, 0.001), middle, 0.0122),
        ((0.0, -0.006, 0.001), ring, 0.0118),
        ((0.0, -0.013, -0.001), little, 0.0112),
    ):
        distance = melt(distance, round_cone(points, heel, knuckle, 0.0185, radius), blend=0.012)
    across = round_cone(points, index - (0.002, 0.0, 0.001), little - (0.002, 0.0, 0.0), 0.0110, 0.0100)
    distance = melt(distance, across, blend=0.010)
    thumb_ball = round_cone(points, (0.020, 0.014, -0.011), REST[2], 0.0165, 0.0128)
    web = round_cone(points, (0.048, 0.024, -0.010), REST[2], 0.0120, 0.0110)
    little_ball = round_cone(points, (0.018, -0.018, -0.010), (0.060, -0.034, -0.009), 0.0160, 0.0120)
    distance = melt(distance, thumb_ball, blend=0.016)
    distance = melt(distance, web, blend=0.014)
    return melt(distance, little_ball, blend=0.014)


def _forearm(points: Array) -> Array:
    radius_side = round_cone(points, (0.004, 0.0105, 0.0), (-0.16, 0.018, 0.0), 0.0180, 0.027)
    ulna_side = round_cone(points, (0.004, -0.0105, 0.0), (-0.16, -0.018, 0.0), 0.0180, 0.027)
    ulna_head = ball(points, (-0.006, -0.021, 0.008), 0.010)
    return melt(melt(radius_side, ulna_side, blend=0.020), ulna_head, blend=0.012)


def hand_distance(points: Array) -> Array:
    """Signed distance (n,) of points (n, 3) to the skin of the resting hand and forearm."""
    distance = _finger(points, 0)
    for f in FINGERS[1:]:
        distance = melt(distance, _finger(points, f), blend=0.0025)
    distance = melt(distance, _palm(points), blend=0.009)
    for f in FINGERS[1:]:
        distance = melt(distance, ball(points, REST[4 * f + 1] + (0.0, 0.0, 0.0025), 0.0098), blend=0.007)
    return melt(distance, _forearm(points), blend=0.016)


def bone_distance(points: Array, bone: int) -> Array:
    """Distance (n,) to the flesh of one bone alone: what decides which bone a piece of skin follows."""
    if bone == PALM_BONE:
        parts = [round_cone(points, REST[0], REST[k], 0.020, RADII[k]) for k in (5, 9, 13, 17)]
        parts.append(round_cone(points, REST[5], REST[17], 0.011, 0.010))
        return np.asarray(np.minimum.reduce(parts))
    if bone == FOREARM_BONE:
        return round_cone(points, (-0.004, 0.0, 0.0), (-0.3, 0.0, 0.0), 0.022, 0.030)
    start = bone_start(bone)
    return _bone_cone(points, start, start + 1)


def gradient(field: Field, points: Array) -> Array:
    """Return the field's gradient (n, 3) by central differences; its direction is the outward normal."""
    steps = np.eye(3) * _GRADIENT_STEP_M
    return np.column_stack(
        [(field(points + step) - field(points - step)) / (2.0 * _GRADIENT_STEP_M) for step in steps]
    )
