"""What a simulated player sees of the ladder in its hand, and the exact reference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from armoon.camera.seat import Seat
from armoon.geometry import (
    Array,
    mat_from_quat,
    quat,
    quat_from_axis_angle,
    quat_inverse,
    quat_multiply,
    rotation_vector,
    vec3,
)
from armoon.values.poses import Pose, Quat, Vec3

#: The picture is shown so large: a window's first size.
SHOWN_HEIGHT_PX = 720
#: Passing error of each drawn point, in pixels, and how long it lasts, in seconds.
PASSING_PX, PASSING_S = 0.87, 0.5
#: What is known of a ladder that was just taken from the lid: along the view, otherwise, and how it is rotated.
ALONG_M, ASIDE_M, ROTATED_RAD = 0.023, 0.006, math.radians(6.0)
#: The ladder's own way beside what the hand is felt to do, per root second.
DRIFT_M, DRIFT_RAD = 0.005, math.radians(2.0)


@dataclass(frozen=True)
class Seen:
    """A held ladder as it is taken to be, table frame."""

    pose: Pose
    along_sigma_m: float
    """How far it may be from there along the view (one standard deviation)."""
    rotated_sigma_rad: float


class Eye(Protocol):
    """Looks at the held ladder once for every frame."""

    def begin(self, pose: Pose) -> None:
        """Begin with the ladder just taken."""

    def look(self, pose: Pose, home_from_table: Pose, top_m: float) -> Seen:
        """Return the next frame, of the ladder at its true pose in the table frame.

        ``top_m`` is what stands highest.
        """

    def felt(self, moved: Vec3, rotated: Vec3) -> None:
        """Feel the hand's move and turn since, which the ladder should have followed.

        Rotation vector, both table frame.
        """


class ExactEye:
    """Reads the truth: an upper bound beside the honest one."""

    late_s = 0.0

    def begin(self, pose: Pose) -> None:
        """Nothing is to be remembered."""

    def look(self, pose: Pose, home_from_table: Pose, top_m: float) -> Seen:
        """As it is."""
        return Seen(pose, 0.0, 0.0)

    def felt(self, moved: Vec3, rotated: Vec3) -> None:
        """See the result of that."""


def view_of(seat: Seat) -> Array:
    """Return the unit vector (3,) along the camera's axis, at home."""
    return np.asarray(mat_from_quat(seat.table_from_camera.rotation)[:, 2])


def offset(goal: Pose, pose: Pose) -> Array:
    """Return a pose against a goal: shift (3,) and rotation vector (3,), table frame."""
    turn = rotation_vector(quat_multiply(pose.rotation, quat_inverse(goal.rotation)))
    return np.array([*(p - g for p, g in zip(pose.position, goal.position, strict=True)), *turn])


def shifted(goal: Pose, x: Array) -> Pose:
    """Return the goal moved by a state (6,)."""
    return Pose(vec3(np.array(goal.position) + x[:3]), turned(goal.rotation, vec3(x[3:])))


def turned(rotation: Quat, by: Vec3) -> Quat:
    """Return a rotation turned by a rotation vector."""
    angle = math.hypot(*by)
    return quat(quat_multiply(quat_from_axis_angle(by, angle), rotation)) if angle > 1e-9 else rotation
