"""The rotation of a palm, as far as one camera can tell.

In the picture plane, rotation comes from the landmarks' own angle, within 2 to 4 degrees. Out of the plane it comes
from the tracker's estimate of the third dimension, which for a palm seen edge on is mirrored or worse: on the
rendered hand over the table, the palm's normal was wrong by 90 degrees in the median. The palm's area in the picture
tells the cases apart, so rotation out of the plane is weighted by it. Only the rotations from
frame to frame are summed, never an absolute orientation: a wrong one has no effect while it stays the
same.
"""

from __future__ import annotations

import math

from armoon.geometry import (
    quat,
    quat_from_axis_angle,
    quat_inverse,
    quat_multiply,
    quat_slerp,
)
from armoon.hands.pose.metric import MetricHand
from armoon.values.poses import IDENTITY_QUAT, Quat, Vec3

#: How much of the palm's area is seen (1: facing the camera) where turns out of the picture begin to count,
#: and where they count in full. Rendered hand: edge on at most 0.35 (p95), from above at least 0.49 (p5).
TRUSTED_FROM = 0.38
TRUSTED_IN_FULL = 0.60
#: Rotation out of the picture within a frame from which it is a flip between two readings, not a motion.
FLIP_RAD = math.radians(25.0)
CAMERA_AXIS = (0.0, 0.0, 1.0)
#: A palm shorter than this in the picture (parts of its length) points at the camera and has no angle in it.
SHORTEST_PALM = 0.15


class TurnFollower:
    """Sums one hand's turns from frame to frame; make a new one when the hand is acquired anew."""

    def __init__(self, out_of_picture_gain: float = 1.0) -> None:
        self._gain = out_of_picture_gain
        self._turned: Quat | None = None
        self._last: MetricHand | None = None

    def follow(self, hand: MetricHand) -> Quat:
        """Return the orientation, camera_from_palm at the first frame and turned on from there."""
        if self._turned is None or self._last is None:
            self._turned = hand.camera_from_palm
        else:
            self._turned = quat(quat_multiply(_turn(self._last, hand, self._gain), self._turned))
        self._last = hand
        return self._turned


def _turn(before: MetricHand, now: MetricHand, gain: float) -> Quat:
    """Return the rotation, in the camera frame, from one frame to the next."""
    # About the camera's axis, not the line of sight: that differs from place to place, so that turning here and back
    # there would leave a turn out of the picture, which couldn't be undone.
    in_picture = quat_from_axis_angle(CAMERA_AXIS, _turn_in_picture(before, now))
    x, y = now.palm_ray
    length = math.sqrt(x * x + y * y + 1.0)
    view = (x / length, y / length, 1.0 / length)
    whole = quat_multiply(now.camera_from_palm, quat_inverse(before.camera_from_palm))
    out_of_picture = quat_multiply(quat_inverse(twist_about(whole, view)), whole)
    if 2.0 * math.acos(min(1.0, abs(out_of_picture[3]))) > FLIP_RAD:
        return in_picture
    part = gain * trust(min(before.facing, now.facing))
    return quat_multiply(in_picture, quat_slerp(IDENTITY_QUAT, out_of_picture, part))


def trust(facing: float) -> float:
    """How far turns out of the picture count, 0 to 1, for the part of the palm's area that is seen."""
    return min(1.0, max(0.0, (facing - TRUSTED_FROM) / (TRUSTED_IN_FULL - TRUSTED_FROM)))


def twist_about(rotation: Quat, axis: Vec3) -> Quat:
    """Return the part of a rotation that turns about a unit axis; the rest turns the axis itself."""
    x, y, z = axis
    along = rotation[0] * x + rotation[1] * y + rotation[2] * z
    size = math.hypot(along, rotation[3])
    if size < 1e-9:
        return IDENTITY_QUAT
    return (x * along / size, y * along / size, z * along / size, rotation[3] / size)


def _turn_in_picture(before: MetricHand, now: MetricHand) -> float:
    """Return the angle, clockwise in the picture, by which the line from the wrist to the knuckles has turned."""
    (ax, ay), (bx, by) = before.finger_line, now.finger_line
    shortest = SHORTEST_PALM * min(before.palm_ray_length, now.palm_ray_length)
    if min(math.sqrt(ax * ax + ay * ay), math.sqrt(bx * bx + by * by)) < shortest:
        return 0.0
    return math.atan2(ax * by - ay * bx, ax * bx + ay * by)
