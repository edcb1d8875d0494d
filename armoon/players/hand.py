"""A player's hand moved by sight: it watches the held ladder and nudges it to its target.

People place things this way too: they don't know where the hand is, but see what is still missing. It
makes the player insensitive to the tracker's constant errors, which with one camera are large in depth.
"""

from __future__ import annotations

import math

import numpy as np

from armoon.geometry import (
    quat_angle,
    quat_from_axis_angle,
    quat_inverse,
    quat_multiply,
    quat_slerp,
    vec3,
)
from armoon.values.poses import Pose, Quat, Vec3

#: The hand corrects this share of what it sees missing each second. The way from hand to picture and back
#: takes about a quarter of a second, so much more than 2 would swing.
GAIN_PER_S = 1.8
#: Fastest correction while carrying, and close to the goal.
CARRY_SPEED_M_S = 0.22
NEAR_SPEED_M_S = 0.07
NEAR_M = 0.04
#: Turning is seen later than moving (rotations are filtered harder), so it is done more slowly.
TURN_GAIN_PER_S = 0.9
TURN_SPEED_RAD_S = 0.5
#: How far the wrist turns from the way it is easy.
WRIST_RAD = math.radians(38.0)
#: Turning an empty hand.
REACH_TURN_RAD_S = 1.6


class SteeredHand:
    """The commanded pose of a hand, moved a little each frame."""

    def __init__(
        self, start: Pose, easy: Quat, view_axis: Vec3 | None = None, along_share: float = 1.0
    ) -> None:
        """Begin at ``start``; ``easy`` is how the wrist likes to be turned.

        What a player soon finds out: with a ``view_axis`` (unit vector), a held ladder turns about that alone,
        so turning any other way is left be, and of the hand's way along it the ladder goes ``along_share``, so
        more is asked for.
        """
        self.pose = start
        self._easy = easy
        self._view = None if view_axis is None else np.array(view_axis)
        self._along_gain = 1.0 / along_share

    def move_towards(self, goal: Pose, speed_m_s: float, dt_s: float) -> bool:
        """One frame of an unguided move, slowing down at its end; True once it is there."""
        here = np.array(self.pose.position)
        way = np.array(goal.position) - here
        left = float(np.linalg.norm(way))
        # Braking: never faster than can be stopped in 0.15 s.
        step = min(left, min(speed_m_s, left / 0.15) * dt_s)
        position = here + way * (step / left) if left > 1e-9 else here
        turn = quat_angle(self.pose.rotation, goal.rotation)
        share = min(1.0, REACH_TURN_RAD_S * dt_s / turn) if turn > 1e-6 else 1.0
        self.pose = Pose(vec3(position), quat_slerp(self.pose.rotation, goal.rotation, share))
        return left < 0.004 and turn < math.radians(3.0)

    def nudge(
        self,
        seen: Pose,
        wanted: Pose,
        dt_s: float,
        speed_m_s: float = CARRY_SPEED_M_S,
        gain_per_s: float = GAIN_PER_S,
    ) -> None:
        """Move the hand for one frame by the difference between the seen ladder and the wanted one."""
        missing = np.array(wanted.position) - np.array(seen.position)
        if self._view is not None:
            missing += (self._along_gain - 1.0) * float(missing @ self._view) * self._view
        distance = float(np.linalg.norm(missing))
        limit = NEAR_SPEED_M_S + (speed_m_s - NEAR_SPEED_M_S) * min(1.0, distance / NEAR_M)
        speed = min(distance * gain_per_s, limit)
        if distance > 1e-9:
            moved = np.array(self.pose.position) + missing / distance * speed * dt_s
        else:
            moved = np.array(self.pose.position)
        self.pose = Pose(vec3(moved), self._turned(seen.rotation, wanted.rotation, dt_s))

    def _turned(self, seen: Quat, wanted: Quat, dt_s: float) -> Quat:
        error = quat_multiply(wanted, quat_inverse(seen))
        if self._view is not None:
            along = float(np.array(error[:3]) @ self._view)
            error = (*vec3(along * self._view), error[3])
        x, y, z, w = error if error[3] >= 0.0 else (-error[0], -error[1], -error[2], -error[3])
        length = math.sqrt(x * x + y * y + z * z)
        if length < 1e-9:
            return self.pose.rotation
        angle = 2.0 * math.atan2(length, w)
        step = min(angle * TURN_GAIN_PER_S, TURN_SPEED_RAD_S) * dt_s
        axis: Vec3 = (x / length, y / length, z / length)
        turned = quat_multiply(quat_from_axis_angle(axis, step), self.pose.rotation)
        # A blocked ladder doesn't follow; without a limit the wrist would wind itself up.
        strain = quat_angle(self._easy, turned)
        return turned if strain <= WRIST_RAD else quat_slerp(self._easy, turned, WRIST_RAD / strain)


def pose_distance(a: Pose, b: Pose) -> tuple[float, float]:
    """Metres and radians between two poses."""
    return math.dist(a.position, b.position), quat_angle(a.rotation, b.rotation)
