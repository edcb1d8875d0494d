"""The point of a ladder that a grip means: the one nearest to the line of sight through the grip."""

from __future__ import annotations

import math
from dataclasses import dataclass

from armoon.geometry import pose_apply, pose_compose, pose_inverse, quat_inverse, quat_rotate
from armoon.values.intents import GripIntent
from armoon.values.pieces import Box, Ladder
from armoon.values.poses import Pose, Vec3

#: A finger's breadth and a half: what a hand on a screen, without touch, aims at reliably.
REACH_ACROSS_M = 0.030
#: One camera is 3 to 6 cm wrong in depth at arm's length, and far more with a strange hand. Since only one ladder is
#: ever offered, a hand that pinches on its line of sight means it, wherever along that line.
REACH_ALONG_M = 0.30
#: Rounding leaves points on the line this far beside it.
ON_THE_LINE_M = 1e-9


@dataclass(frozen=True)
class Aim:
    """The point of a ladder nearest to a line of sight."""

    point: Vec3
    """Table frame, on or in the ladder."""
    across_m: float
    """Its distance from the line."""
    along_m: float
    """How far from the grip, along the line, the line passes it: positive behind the grip."""


def aim_at(ladder: Ladder, pose: Pose, grip: GripIntent) -> Aim:
    """Return the ladder's point nearest to the grip's line of sight, searched as far as the reach along it."""
    aims = [_aim_at_box(box, pose, grip) for box in ladder.boxes]
    # Of several boxes on the very line, the one nearest to the grip is meant.
    return min(aims, key=lambda aim: (max(aim.across_m, ON_THE_LINE_M), abs(aim.along_m)))


def within_reach(ladder: Ladder, pose: Pose, grip: GripIntent) -> bool:
    """Whether a grip that closes now takes this ladder."""
    return aim_at(ladder, pose, grip).across_m <= REACH_ACROSS_M


def _aim_at_box(box: Box, pose: Pose, grip: GripIntent) -> Aim:
    """Return the nearest point of one box to the stretch of the line of sight within reach."""
    table_from_box = pose_compose(pose, Pose(box.centre, box.rotation))
    origin = pose_apply(pose_inverse(table_from_box), grip.pose.position)
    length = math.sqrt(sum(a * a for a in grip.view_axis))
    axis = (grip.view_axis[0] / length, grip.view_axis[1] / length, grip.view_axis[2] / length)
    direction = quat_rotate(quat_inverse(table_from_box.rotation), axis)
    along = _nearest_parameter(origin, direction, box.half_extents)
    on_line = [o + along * d for o, d in zip(origin, direction, strict=True)]
    x, y, z = (max(-h, min(h, c)) for c, h in zip(on_line, box.half_extents, strict=True))
    across = math.sqrt((on_line[0] - x) ** 2 + (on_line[1] - y) ** 2 + (on_line[2] - z) ** 2)
    return Aim(pose_apply(table_from_box, (x, y, z)), across, along)


def _nearest_parameter(origin: Vec3, direction: Vec3, half: Vec3) -> float:
    """Return the t within reach that brings ``origin + t direction`` nearest to a centred box; the least |t|.

    The squared distance is convex and piecewise quadratic, with knots where the line crosses the planes of
    the box's faces: its derivative is monotone, and linear between knots.
    """

    def slope(t: float) -> float:
        total = 0.0
        for o, d, h in zip(origin, direction, half, strict=True):
            c = o + t * d
            total += d * (c - max(-h, min(h, c)))
        return total

    knots = {-REACH_ALONG_M, REACH_ALONG_M}
    for o, d, h in zip(origin, direction, half, strict=True):
        if abs(d) > 1e-12:
            knots |= {t for t in ((-h - o) / d, (h - o) / d) if abs(t) < REACH_ALONG_M}
    ordered = sorted(knots)
    slopes = [slope(t) for t in ordered]
    if slopes[0] >= 0.0 and slopes[-1] > 0.0 and slopes[0] > 1e-15:
        return ordered[0]
    if slopes[-1] < -1e-15:
        return ordered[-1]
    low, high = _zero_stretch(ordered, slopes)
    return max(low, min(high, 0.0))


def _zero_stretch(knots: list[float], slopes: list[float]) -> tuple[float, float]:
    """Where a monotone piecewise linear function is zero: a point or a stretch."""
    low = high = None
    for (t0, s0), (t1, s1) in zip(
        zip(knots, slopes, strict=True), zip(knots[1:], slopes[1:], strict=True), strict=False
    ):
        if abs(s0) <= 1e-15 and abs(s1) <= 1e-15:
            low, high = t0 if low is None else low, t1
        elif s0 <= 0.0 <= s1:
            zero = t0 + (t1 - t0) * (-s0) / (s1 - s0)
            low, high = zero if low is None else low, zero if high is None else max(high, zero)
    assert low is not None
    assert high is not None
    return low, high
