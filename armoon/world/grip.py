"""A ladder in a hand: how its target follows the hand, and the effect of a lost hand.

At the grab, the ladder's point nearest to the line of sight becomes the anchor. From then on the target is the
ladder's pose at the grab, moved by the hand's translation and rotated about the anchor by the hand's rotation: a
constant error in the hand's depth cancels, and nothing jumps.
"""

from __future__ import annotations

import math

from armoon.geometry import pose_compose, quat, quat_from_axis_angle, quat_inverse, quat_multiply, quat_rotate
from armoon.values.intents import GripIntent
from armoon.values.pieces import Ladder, PieceId
from armoon.values.poses import Pose, Vec3
from armoon.world.reach import aim_at

#: A hand farther than this from the table's middle isn't at the table: its pose is ignored.
FARTHEST_HAND_M = 1.5


class Grasp:
    """A ladder in a hand."""

    def __init__(self, ladder: Ladder, pose: Pose, intent: GripIntent) -> None:
        self._ladder = ladder
        self.frozen = False
        """The hand is lost; the ladder waits where it is (ruling X2)."""
        self._anchor_to(pose, intent)

    @property
    def piece(self) -> PieceId:
        """The ladder that is held."""
        return self._ladder.piece

    def follow(self, pose: Pose, intent: GripIntent) -> None:
        """Take in the hand's new pose; ``pose`` is where the ladder is now.

        After a loss, or when another device goes on holding, the grip is anchored anew: no jump.
        """
        self._turn_below(intent.turned_rad)
        if self.frozen or intent.source != self.source:
            self._anchor_to(pose, intent)
            self.frozen = False
        else:
            self.target = self._target_for(intent.pose)

    def freeze(self, pose: Pose) -> None:
        """Hold the ladder where it is: the hand is gone."""
        if not self.frozen:
            self.frozen = True
            self.target = pose

    def _anchor_to(self, pose: Pose, intent: GripIntent) -> None:
        self.source = intent.source
        self.turned_rad = intent.turned_rad
        self._ladder_at_grab = pose
        self._grip_at_grab = intent.pose
        self._anchor: Vec3 = aim_at(self._ladder, pose, intent).point
        self.target = pose

    def _turn_below(self, turned_rad: float) -> None:
        """Turn hand and ladder alike in the table frame, since the table has turned below them."""
        if turned_rad == self.turned_rad:
            return
        back = quat_from_axis_angle((0.0, 0.0, 1.0), self.turned_rad - turned_rad)
        round_it = Pose((0.0, 0.0, 0.0), back)
        self._ladder_at_grab = pose_compose(round_it, self._ladder_at_grab)
        self._grip_at_grab = pose_compose(round_it, self._grip_at_grab)
        self._anchor = quat_rotate(back, self._anchor)
        self.turned_rad = turned_rad

    def _target_for(self, grip: Pose) -> Pose:
        turn = quat_multiply(grip.rotation, quat_inverse(self._grip_at_grab.rotation))
        ax, ay, az = self._anchor
        gx, gy, gz = self._grip_at_grab.position
        px, py, pz = self._ladder_at_grab.position
        rx, ry, rz = quat_rotate(turn, (px - ax, py - ay, pz - az))
        hx, hy, hz = grip.position
        position = (ax + hx - gx + rx, ay + hy - gy + ry, az + hz - gz + rz)
        return Pose(position, quat(quat_multiply(turn, self._ladder_at_grab.rotation)))


def is_sensible(intent: GripIntent) -> bool:
    """Whether an intent's pose is a finite place at the table with a proper rotation and a line of sight."""
    (x, y, z), (i, j, k, w), (a, b, c) = intent.pose.position, intent.pose.rotation, intent.view_axis
    most = FARTHEST_HAND_M
    # An infinite number, or none at all, is within no limit.
    return (
        -most <= x <= most
        and -most <= y <= most
        and -most <= z <= most
        and abs(i * i + j * j + k * k + w * w - 1.0) < 1e-3
        and 1e-6 < a * a + b * b + c * c < math.inf
    )
