"""A fallen ladder is out of the game at once; its picture falls to the end, then vanishes.

The rules take a ladder away in the tick in which it touches the table (ruling F2), so physics has it no longer. Here
it continues its fall, settles flat, stays red while the verdict is read, and shrinks away.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from armoon.geometry import quat, quat_from_axis_angle, quat_multiply, quat_rotate, quat_slerp
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, Quat, Vec3

#: A tick of 1/60 s (armoon.clock).
_TICK_S = 1.0 / 60.0
#: It comes to lie within this time, sliding on by this part of a second of its speed; lying, its middle is this high.
LIE_TICKS, _SLIDE_S, _LYING_M = 24, 0.10, 0.003
#: Slower than this it leans on something and stays as it is.
_LEANING_M_S = 0.15
#: The fastest that anything is seen to slide.
_FASTEST_M_S = 1.5
#: Ticks in which a read verdict fades.
READ_TICKS, GO_TICKS = 130, 24


@dataclass(frozen=True)
class Fallen:
    """A ladder where it was when it was taken away."""

    piece: PieceId
    pose: Pose
    velocity_m_s: Vec3

    def at(self, ticks: float) -> tuple[Pose, float] | None:
        """Return pose and size this long after it was taken away; None once it is gone."""
        if ticks >= READ_TICKS + GO_TICKS:
            return None
        size = 1.0 if ticks <= READ_TICKS else 1.0 - _eased((ticks - READ_TICKS) / GO_TICKS)
        speed = math.hypot(*self.velocity_m_s)
        if speed < _LEANING_M_S:
            return self.pose, size
        part = _eased(ticks / LIE_TICKS)
        x, y, z = self.pose.position
        slide = _SLIDE_S * min(1.0, _FASTEST_M_S / speed) * part
        place = (
            x + slide * self.velocity_m_s[0],
            y + slide * self.velocity_m_s[1],
            z + (_LYING_M - z) * part * part,
        )
        return Pose(place, quat_slerp(self.pose.rotation, lying(self.pose.rotation), part)), size


def fallen_from(piece: PieceId, before: Pose, now: Pose) -> Fallen:
    """Return a ladder by its last two poses, a tick apart."""
    x, y, z = ((b - a) / _TICK_S for a, b in zip(before.position, now.position, strict=True))
    return Fallen(piece, now, (x, y, z))


def lying(rotation: Quat) -> Quat:
    """Return the nearest attitude in which a ladder lies flat: its thickness, its y axis, upright."""
    x, y, z = quat_rotate(rotation, (0.0, 1.0, 0.0))
    way = 1.0 if z >= 0.0 else -1.0
    level = math.hypot(x, y)
    if level < 1e-9:
        return rotation
    about = (way * y / level, -way * x / level, 0.0)
    return quat(quat_multiply(quat_from_axis_angle(about, math.atan2(level, way * z)), rotation))


def _eased(part: float) -> float:
    part = min(1.0, max(0.0, part))
    return part * part * (3.0 - 2.0 * part)
