"""How the lid presents the drawn ladder: in its player's choice of attitude, at the player's side of any table."""

from __future__ import annotations

import math

from armoon.geometry import pose_compose, pose_inverse, quat, quat_from_axis_angle, quat_multiply
from armoon.values.pieces import Ladder, PieceId
from armoon.values.poses import IDENTITY_POSE, IDENTITY_QUAT, Pose, Quat
from armoon.world.layout import offered_pose

_QUARTER = math.pi / 2.0
_ON_ITS_SIDE = quat_from_axis_angle((0.0, 1.0, 0.0), _QUARTER)
#: One after the other, as the player sees them: upright, on its side, flat, edge on, leaning away, upside down.
ATTITUDES: tuple[Quat, ...] = (
    IDENTITY_QUAT,
    _ON_ITS_SIDE,
    quat(quat_multiply(quat_from_axis_angle((1.0, 0.0, 0.0), _QUARTER), _ON_ITS_SIDE)),
    quat_from_axis_angle((0.0, 0.0, 1.0), _QUARTER),
    quat_from_axis_angle((1.0, 0.0, 0.0), -_QUARTER / 2.0),
    quat_from_axis_angle((0.0, 1.0, 0.0), 2.0 * _QUARTER),
)
#: Maximum ticks between taking and letting go in the lid that count as a tap.
TAP_TICKS = 36


class Lid:
    """The attitude of the ladder that is offered, and what has become of it."""

    def __init__(self, lid_x_m: float) -> None:
        """``lid_x_m``: where the lid lies beside the base."""
        self._lid_x_m = lid_x_m
        self._piece: PieceId | None = None
        self._upright = IDENTITY_POSE
        self._step = 0
        self.rotation: Quat = IDENTITY_QUAT
        """As seen from home, against upright."""
        self._taken_tick: int | None = None

    def offers(self, ladder: Ladder) -> None:
        """Stand this ladder upright in the lid."""
        if ladder.piece != self._piece:
            self._piece, self._step, self.rotation = ladder.piece, 0, IDENTITY_QUAT
            self._upright = offered_pose(ladder, self._lid_x_m)

    def step(self, by: int) -> None:
        """Show the next attitude, or one several steps on."""
        self._step = (self._step + by) % len(ATTITUDES)
        self.rotation = ATTITUDES[self._step]

    def tilt(self, rotation: Quat) -> None:
        """Rotate it by hand, as seen from home."""
        self.rotation = quat(quat_multiply(rotation, self.rotation))

    def taken(self, tick: int) -> None:
        """Note that a grip took the ladder."""
        self._taken_tick = tick

    def is_back(self, tick: int) -> None:
        """Offer the ladder again; one that was only tapped shows its next side."""
        if self._taken_tick is not None and tick - self._taken_tick <= TAP_TICKS:
            self.step(1)
        self._taken_tick = None

    def pose(self, home_from_table: Pose) -> Pose:
        """Where it is presented, table frame."""
        at_home = Pose(self._upright.position, self.rotation)
        if home_from_table == IDENTITY_POSE:
            return at_home
        return pose_compose(pose_inverse(home_from_table), at_home)
