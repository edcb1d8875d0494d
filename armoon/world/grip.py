"""A ladder in a hand: how its target follows the hand, and the effect of a lost hand.

At the grab, the ladder's point nearest to the line of sight becomes the anchor. From then on the target is the
ladder's pose at the grab, moved by the hand's translation and rotated about the anchor by the hand's rotation: a
constant error in the hand's depth cancels, and nothing jumps. A paper ladder has no such error: as it moves, what
it holds comes to its end.
"""

from __future__ import annotations

import math

from armoon.geometry import pose_compose, quat, quat_from_axis_angle, quat_inverse, quat_multiply, quat_rotate
from armoon.values.intents import CARD_SOURCE, CARRIED, GripIntent
from armoon.values.pieces import Ladder, PieceId
from armoon.values.poses import Pose, Vec3
from armoon.world.bullet import STEP_S
from armoon.world.drive import soft_way
from armoon.world.reach import aim_at

#: A hand farther than this from the table's middle isn't at the table: its pose is ignored.
FARTHEST_HAND_M = 1.5
#: Distances of a hand ahead of a blocked ladder at which it begins to push, and at which it pushes with all its force,
#: some sixty ladders' weight. The camera's errors stay below the first.
PUSHES_FROM_M, PUSHES_FULLY_M = 0.035, 0.095
MOST_PUSH_N = 1.5
#: Seconds until a push has its full force: a hand that is misread for a few pictures pushes nothing over.
PUSH_S = 0.8
#: A paper ladder's end and what it holds come together over a way of this length; while it rests, nothing moves.
MEETS_M = 0.05


class Grasp:
    """A ladder in a hand."""

    def __init__(self, ladder: Ladder, pose: Pose, intent: GripIntent) -> None:
        self._ladder = ladder
        self.frozen = False
        """The hand is lost; the ladder waits where it is (ruling X2)."""
        self._push_n = 0.0
        self.view = _seen_along(intent)
        """From the eye to the grip; None of a simulated hand, which is sure of all that it does."""
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
        self.view = _seen_along(intent)
        if self.frozen or intent.source != self.source:
            self._anchor_to(pose, intent)
            self.frozen = False
        else:
            if intent.source == CARD_SOURCE:
                self._meet(intent.pose.position)
            self.target = self._target_for(intent.pose)

    def freeze(self, pose: Pose) -> None:
        """Hold the ladder where it is: the hand is gone."""
        if not self.frozen:
            self.frozen = True
            self.target = pose

    def below_m(self, pose: Pose) -> float:
        """Return how far the hand has gone down beyond where the ladder is."""
        return pose.position[2] - self.target.position[2]

    def insist(self, pose: Pose, *, complies: bool) -> Vec3:
        """Return the force (N) with which the hand pushes what blocks the ladder, a step of 1/240 s later.

        ``pose`` is where the ladder is. The drive moves it with far less, so that a tower bears a careless hand. One
        that ``complies`` is pushed only where it isn't soft.
        """
        x, y, z = (there - here for there, here in zip(self.target.position, pose.position, strict=True))
        if complies and self.view is not None:
            x, y, z = soft_way((x, y, z), self.view)
        ahead_m = math.sqrt(x * x + y * y + z * z)
        share = (ahead_m - PUSHES_FROM_M) / (PUSHES_FULLY_M - PUSHES_FROM_M)
        wanted_n = MOST_PUSH_N * min(1.0, max(0.0, share))
        self._push_n = min(wanted_n, self._push_n + MOST_PUSH_N * STEP_S / PUSH_S)
        part = self._push_n / max(ahead_m, PUSHES_FROM_M)
        return (x * part, y * part, z * part)

    def _anchor_to(self, pose: Pose, intent: GripIntent) -> None:
        self.source = intent.source
        self.turned_rad = intent.turned_rad
        self._ladder_at_grab = pose
        self._grip_at_grab = intent.pose
        self._anchor: Vec3 = aim_at(self._ladder, pose, intent).point
        self._seen_at, self._met = intent.pose.position, 0.0
        """Where the grip was last; how much of what lay between it and the anchor is made up for."""
        self.target = pose

    def _meet(self, place: Vec3) -> None:
        """Let what is held come nearer to a paper ladder that has moved to ``place``."""
        way_m = math.dist(self._seen_at, place)
        self._seen_at, self._met = place, 1.0 - (1.0 - self._met) * math.exp(-way_m / MEETS_M)

    def _turn_below(self, turned_rad: float) -> None:
        """Turn hand and ladder alike in the table frame, since the table has turned below them."""
        if turned_rad == self.turned_rad:
            return
        back = quat_from_axis_angle((0.0, 0.0, 1.0), self.turned_rad - turned_rad)
        round_it = Pose((0.0, 0.0, 0.0), back)
        self._ladder_at_grab = pose_compose(round_it, self._ladder_at_grab)
        self._grip_at_grab = pose_compose(round_it, self._grip_at_grab)
        self._anchor = quat_rotate(back, self._anchor)
        self._seen_at = quat_rotate(back, self._seen_at)
        self.turned_rad = turned_rad

    def _target_for(self, grip: Pose) -> Pose:
        turn = quat_multiply(grip.rotation, quat_inverse(self._grip_at_grab.rotation))
        ax, ay, az = self._anchor
        gx, gy, gz = self._grip_at_grab.position
        px, py, pz = self._ladder_at_grab.position
        rx, ry, rz = quat_rotate(turn, (px - ax, py - ay, pz - az))
        hx, hy, hz = grip.position
        position = (ax + hx - gx + rx, ay + hy - gy + ry, az + hz - gz + rz)
        if self._met:
            x, y, z = position
            met = self._met
            position = (x + met * (gx - ax), y + met * (gy - ay), z + met * (gz - az))
        return Pose(position, quat(quat_multiply(turn, self._ladder_at_grab.rotation)))


def _seen_along(intent: GripIntent) -> Vec3 | None:
    if intent.source in CARRIED:
        return None
    x, y, z = intent.view_axis
    length = math.sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length)


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
