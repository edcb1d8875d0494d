"""How the lid presents the drawn ladder: in its player's choice of attitude, at the player's side of any table."""

from __future__ import annotations

import math
from collections.abc import Mapping

from armoon.geometry import pose_compose, pose_inverse, quat, quat_from_axis_angle, quat_multiply
from armoon.values.pieces import Ladder, PieceId
from armoon.values.poses import IDENTITY_POSE, IDENTITY_QUAT, Pose, Quat, Vec3
from armoon.world.layout import offered_pose
from armoon.world.physics import PHYSICS

_QUARTER = math.pi / 2.0
_ACROSS, _AWAY = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
_ON_ITS_SIDE = quat_from_axis_angle(_AWAY, _QUARTER)


def _leaning(axis: Vec3, degrees: float) -> Quat:
    return quat_from_axis_angle(axis, math.radians(degrees))


#: How every ladder is offered first.
UPRIGHT = "upright"
#: One after the other, by their names in the catalogues, as a player at the table sees them.
SIDES: Mapping[str, Quat] = {
    UPRIGHT: IDENTITY_QUAT,
    "on_its_side": _ON_ITS_SIDE,
    "flat": quat(quat_multiply(quat_from_axis_angle(_ACROSS, _QUARTER), _ON_ITS_SIDE)),
    "edge_on": quat_from_axis_angle((0.0, 0.0, 1.0), _QUARTER),
    "away": quat_from_axis_angle(_ACROSS, -_QUARTER / 2.0),
    "upside_down": quat_from_axis_angle(_AWAY, 2.0 * _QUARTER),
    "right_30": _leaning(_AWAY, 30.0),
    "right_60": _leaning(_AWAY, 60.0),
    "away_30": _leaning(_ACROSS, -30.0),
    "away_60": _leaning(_ACROSS, -60.0),
    "towards_60": _leaning(_ACROSS, 60.0),
    "towards_30": _leaning(_ACROSS, 30.0),
    "left_60": _leaning(_AWAY, -60.0),
    "left_30": _leaning(_AWAY, -30.0),
}
ATTITUDES: tuple[Quat, ...] = tuple(SIDES.values())
#: The physics that first has leaning sides, and the number of sides before it, round which old logs' requests go.
LEANS_SINCE, FEWER_SIDES = 6, 6
#: Maximum ticks between taking and letting go in the lid that count as a tap.
TAP_TICKS = 36


class Lid:
    """The attitude of the ladder that is offered, and what has become of it."""

    def __init__(self, lid_x_m: float, physics: int = PHYSICS, *, mirrored: bool = False) -> None:
        """``lid_x_m``: where the lid lies; ``mirrored``: left and right change places in the picture."""
        self._lid_x_m = lid_x_m
        names = tuple(SIDES)[: None if physics >= LEANS_SINCE else FEWER_SIDES]
        self.sides = {name: SIDES[_mirrored(name) if mirrored else name] for name in names}
        """What it shows one after the other, by name."""
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
        self._step = (self._step + by) % len(self.sides)
        self.rotation = self.sides[self.side]

    @property
    def side(self) -> str:
        """The name of the side that was chosen last; it may be tilted since."""
        return tuple(self.sides)[self._step]

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


def _mirrored(name: str) -> str:
    way, _, angle = name.partition("_")
    return {"left": f"right_{angle}", "right": f"left_{angle}"}.get(way, name)
