"""How a right hand is held before the camera in each seat."""

from __future__ import annotations

import math

from armoon.geometry import quat_from_axis_angle, quat_from_matrix, quat_multiply
from armoon.values.poses import Quat, Vec3


def rotated(rotation: Quat, axis: Vec3, angle: float) -> Quat:
    """Return a rotation taken further by ``angle`` radians about an axis of the table frame."""
    return quat_multiply(quat_from_axis_angle(axis, angle), rotation)


def _reaching_over_the_table() -> Quat:
    flat = quat_from_matrix([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]])  # fingers left, palm down
    showing_its_back = rotated(flat, (1.0, 0.0, 0.0), math.radians(30.0))
    rising = rotated(showing_its_back, (0.0, 1.0, 0.0), math.radians(10.0))
    return rotated(rising, (0.0, 0.0, 1.0), math.radians(-20.0))


#: A right hand that reaches over the table from the player's right: it rises to the fingers, shows the camera
#: its back, and points left and away. From here the tracker follows a pinch through 40 degrees either way
#: about any axis of the table (measured by slow sweeps in the table seat).
TABLE_ROTATION: Quat = _reaching_over_the_table()
#: A right hand raised towards the camera: fingers up, palm to the camera. The tracker follows a pinch through
#: 60 degrees, but only 20 where a negative rotation about z hides thumb and index behind the palm's edge.
MIRROR_ROTATION: Quat = quat_from_matrix([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
