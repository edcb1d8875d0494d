"""The speed limit of a held grip: a jump of the landmarks can't tear a held object away."""

from __future__ import annotations

import math

from armoon.geometry import quat_angle, quat_slerp
from armoon.values.poses import Pose

#: Rounding may ask for this much more than the limit; it isn't worth a correction.
SLACK = 1e-9


def leashed(before: Pose, wanted: Pose, step_s: float, *, most_m_s: float, most_rad_s: float) -> Pose:
    """Return the pose nearest to ``wanted`` that can be reached from ``before`` within ``step_s``, on the way there.

    The very same ``wanted`` where that is within reach.
    """
    step_s = max(step_s, 0.0)
    metres, radians = (
        math.dist(before.position, wanted.position),
        quat_angle(before.rotation, wanted.rotation),
    )
    far, twisted = metres > most_m_s * step_s + SLACK, radians > most_rad_s * step_s + SLACK
    if not (far or twisted):
        return wanted
    position, rotation = wanted.position, wanted.rotation
    if far:
        part = most_m_s * step_s / metres
        x, y, z = (a + part * (b - a) for a, b in zip(before.position, position, strict=True))
        position = (x, y, z)
    if twisted:
        rotation = quat_slerp(before.rotation, rotation, most_rad_s * step_s / radians)
    return Pose(position, rotation)
