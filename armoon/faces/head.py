"""A head in numbers that say nothing of whose it is: where it is, where it is turned, and what its mouth does.

They come from the 468 points of mediapipe's face mesh: x and y in pixels of the camera's own picture, z on the same
scale, smaller is nearer. Yaw and pitch are the mesh's own, without a camera model. They are as steady as a pose
solved from twelve of its points, and their range is 1.3 to 2 times as large (recordings of eight people).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from armoon.values.poses import Vec2, Vec3

MESH_POINTS = 468
#: Points of the mesh; left and right are the picture's.
_LEFT_TEMPLE, _RIGHT_TEMPLE = 127, 356
_LEFT_CORNER, _RIGHT_CORNER = 33, 263
"""The outer corners of the eyes."""
_FOREHEAD, _NOSE_BASE = 10, 2
"""No jaw between them: an open mouth turns no head."""
_UPPER_LIP, _LOWER_LIP = 13, 14
_MOUTH_LEFT, _MOUTH_RIGHT = 61, 291
#: A face that is seen narrower than this is none that can be followed, parts of the picture's width.
NARROWEST = 0.03


@dataclass(frozen=True)
class Head:
    """One head in one picture."""

    place: Vec2
    """Between the eyes, in parts of the picture from its upper left corner."""
    width: float
    """From temple to temple, in parts of the picture's width."""
    yaw_deg: float
    """To the picture's right."""
    pitch_deg: float
    """Up, with an offset of each person's own."""
    mouth: float
    """How far the lips are apart, over the distance of the outer corners of the eyes: shut up to 0.06."""
    smile: float
    """How wide the mouth is, over the same."""


@dataclass(frozen=True)
class Heads:
    """Everything that was seen in one frame."""

    time_s: float
    frame_index: int
    heads: tuple[Head, ...] = ()
    """The nearest first."""


def head_of(points: Sequence[Vec3], size: tuple[int, int]) -> Head | None:
    """Return the head of 468 mesh points in pixels, in a picture of this size; None where they can't be a face's."""
    if len(points) < MESH_POINTS or not all(math.isfinite(v) for point in points for v in point):
        return None
    left, right = points[_LEFT_CORNER], points[_RIGHT_CORNER]
    apart = math.dist(left, right)
    width = math.dist(points[_LEFT_TEMPLE], points[_RIGHT_TEMPLE]) / max(1, size[0])
    if apart <= 0.0 or not NARROWEST <= width <= 1.0:
        return None
    roll = math.atan2(right[1] - left[1], right[0] - left[0])
    temples = _upright(points[_LEFT_TEMPLE], points[_RIGHT_TEMPLE], roll)
    corners = _upright(left, right, roll)
    down = _upright(points[_FOREHEAD], points[_NOSE_BASE], roll)
    if corners[0] <= 0.0:
        return None
    yaw = math.atan2(temples[2] + corners[2] * temples[0] / corners[0], 2.0 * temples[0])
    return Head(
        (_part(left[0], right[0], size[0]), _part(left[1], right[1], size[1])),
        width,
        math.degrees(yaw),
        -math.degrees(math.atan2(down[2], down[1])),
        math.dist(points[_UPPER_LIP], points[_LOWER_LIP]) / apart,
        math.dist(points[_MOUTH_LEFT], points[_MOUTH_RIGHT]) / apart,
    )


def _part(one: float, other: float, of: int) -> float:
    return ((one + other) / 2.0 + 0.5) / max(1, of)


def _upright(start: Vec3, end: Vec3, roll: float) -> Vec3:
    """From one point to the other, with the head's tilt taken out of the picture."""
    across, along, depth = (b - a for a, b in zip(start, end, strict=True))
    cos, sin = math.cos(roll), math.sin(roll)
    return (cos * across + sin * along, cos * along - sin * across, depth)
