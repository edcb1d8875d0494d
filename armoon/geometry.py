"""Poses, rays and the camera model, and the project's conventions.

* **Table frame**: right-handed, origin at the centre of the base on the table plane, x to the right and
  y away as the camera sees it, z up.
* **Camera frame**: as in OpenCV, x right, y down, z forward along the optical axis.
* **Pixels**: as in OpenCV, the centre of the top-left pixel is (0, 0).
* Units are metres, seconds, radians and kilograms; names of values in other units end with the unit.
* Quaternions are xyzw. ``a_from_b`` maps points of frame b into frame a.
* Names: ``quat_`` works on (4,) rotations, ``mat_`` on (3, 3) or (4, 4) matrices, ``pose_`` on ``Pose``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec2, Vec3

Array = npt.NDArray[np.float64]
#: Axes in the camera frame by their number in ``quat_as_seen``.
_SEEN_AXES: dict[int, Vec3] = {1: (0.0, 0.0, 1.0), 2: (1.0, 0.0, 0.0), 3: (0.0, 1.0, 0.0)}


def vec3(values: Any) -> Vec3:
    x, y, z = values
    return (float(x), float(y), float(z))


def quat(values: Any) -> Quat:
    """Return four numbers xyzw as a unit quaternion."""
    # Plain arithmetic is faster than numpy for four numbers.
    x, y, z, w = map(float, values)
    norm = math.sqrt(x * x + y * y + z * z + w * w)
    return (x / norm, y / norm, z / norm, w / norm)


def unit(values: Any) -> Array:
    """Return the vector (n,) scaled to length 1."""
    v = np.asarray(values, dtype=np.float64)
    return np.asarray(v / math.sqrt(v @ v), dtype=np.float64)


def cross(a: Vec3, b: Vec3) -> Vec3:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def smooth_step(fraction: float) -> float:
    """Return the smoothstep of a fraction, which is clamped to 0 to 1; its slope is zero at both ends."""
    fraction = min(1.0, max(0.0, fraction))
    return fraction * fraction * (3.0 - 2.0 * fraction)


def quat_multiply(a: Quat, b: Quat) -> Quat:
    """Return the rotation that applies b first, then a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def quat_inverse(q: Quat) -> Quat:
    return (-q[0], -q[1], -q[2], q[3])


def quat_rotate(q: Quat, v: Vec3) -> Vec3:
    x, y, z, w = q
    tx = 2.0 * (y * v[2] - z * v[1])
    ty = 2.0 * (z * v[0] - x * v[2])
    tz = 2.0 * (x * v[1] - y * v[0])
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx)


def quat_from_axis_angle(axis: Any, angle: float) -> Quat:
    """Return a rotation by ``angle`` radians about ``axis`` (right-hand rule)."""
    x, y, z = vec3(axis)
    length = math.sqrt(x * x + y * y + z * z)
    s = math.sin(angle / 2.0)
    return (x / length * s, y / length * s, z / length * s, math.cos(angle / 2.0))


def quat_as_seen(axis_number: int, angle: float, table_from_camera: Pose, mirrored: bool) -> Quat:
    """Return a rotation in the table frame by an angle in radians about an axis of the camera.

    ``axis_number`` is ±1 for a rotation within the picture, ±2 for nodding, ±3 about the picture's vertical; any other
    number causes no rotation. ``mirrored`` reverses it.
    """
    axis = _SEEN_AXES.get(abs(axis_number))
    if axis is None:
        return IDENTITY_QUAT
    sign = math.copysign(1.0, axis_number) * (-1.0 if mirrored else 1.0)
    return quat_from_axis_angle(quat_rotate(table_from_camera.rotation, axis), sign * angle)


def line_of_sight(eye: Vec3, place: Vec3) -> Vec3:
    """Return the unit vector from an eye to a place."""
    (a, b, c), (x, y, z) = eye, place
    x, y, z = x - a, y - b, z - c
    length = math.sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length)


def table_axes_as_seen(table_from_camera: Pose, mirrored: bool) -> tuple[Vec2, Vec2]:
    """Return the directions right and away in the picture as unit vectors (x, y) along the table."""
    rotation = table_from_camera.rotation
    right = quat_rotate(rotation, (-1.0 if mirrored else 1.0, 0.0, 0.0))
    away = quat_rotate(rotation, (0.0, 0.0, 1.0))
    return _project_to_table(right), _project_to_table(away)


def _project_to_table(direction: Vec3) -> Vec2:
    length = math.hypot(direction[0], direction[1]) or 1.0
    return (direction[0] / length, direction[1] / length)


def quat_from_matrix(matrix: Any) -> Quat:
    """Return the rotation of a proper orthonormal matrix (3, 3) (Shepperd's method)."""
    m = np.asarray(matrix, dtype=np.float64).tolist()
    a, b, c = m[0][0], m[1][1], m[2][2]
    squared = [1.0 + a - b - c, 1.0 - a + b - c, 1.0 - a - b + c, 1.0 + a + b + c]
    largest = squared.index(max(squared))
    if largest == 3:
        return quat((m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], squared[3]))
    i, j, k = largest, (largest + 1) % 3, (largest + 2) % 3
    q = [0.0, 0.0, 0.0, m[k][j] - m[j][k]]
    q[i] = squared[i]
    q[j] = m[j][i] + m[i][j]
    q[k] = m[k][i] + m[i][k]
    return quat(q)


def quat_angle(a: Quat, b: Quat) -> float:
    """Return the angle in radians, 0 to pi, between two rotations."""
    x, y, z, w = quat_multiply(quat_inverse(a), b)
    return 2.0 * math.atan2(math.sqrt(x * x + y * y + z * z), abs(w))


def rotation_vector(q: Quat) -> Vec3:
    """Return a rotation's axis times its angle in radians, which is at most pi."""
    x, y, z, w = q if q[3] >= 0.0 else (-q[0], -q[1], -q[2], -q[3])
    sine = math.sqrt(x * x + y * y + z * z)
    if sine < 1e-12:
        return (0.0, 0.0, 0.0)
    scale = 2.0 * math.atan2(sine, w) / sine
    return (x * scale, y * scale, z * scale)


def quat_slerp(a: Quat, b: Quat, t: float) -> Quat:
    """Return the rotation at a fraction t of the shorter rotation from a to b."""
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    dot = ax * bx + ay * by + az * bz + aw * bw
    sign = -1.0 if dot < 0.0 else 1.0
    dot = min(1.0, abs(dot))
    angle = math.acos(dot)
    if angle < 1e-6:
        wa, wb = 1.0 - t, t * sign
    else:
        wa = math.sin((1.0 - t) * angle) / math.sin(angle)
        wb = math.sin(t * angle) / math.sin(angle) * sign
    return quat((wa * ax + wb * bx, wa * ay + wb * by, wa * az + wb * bz, wa * aw + wb * bw))


def are_near(a: Pose, b: Pose, max_m: float, max_rad: float) -> bool:
    """Return whether two poses differ by less than ``max_m`` and by less than ``max_rad``."""
    return math.dist(a.position, b.position) < max_m and quat_angle(a.rotation, b.rotation) < max_rad


def pose_between(a: Pose, b: Pose, fraction: float) -> Pose:
    """Return the pose at a fraction of the way from a to b, along a straight line and the shorter rotation."""
    x, y, z = (i + (j - i) * fraction for i, j in zip(a.position, b.position, strict=True))
    return Pose((x, y, z), quat_slerp(a.rotation, b.rotation, fraction))


def mat_from_quat(q: Quat) -> Array:
    """Return the rotation matrix (3, 3) of a unit quaternion."""
    x, y, z, w = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def mat_from_pose(pose: Pose) -> Array:
    """Return the homogeneous matrix (4, 4) of a pose."""
    matrix = np.eye(4)
    matrix[:3, :3] = mat_from_quat(pose.rotation)
    matrix[:3, 3] = pose.position
    return matrix


def pose_from_mat(matrix: Any) -> Pose:
    """Return the pose of a rigid homogeneous matrix (4, 4)."""
    m = np.asarray(matrix, dtype=np.float64)
    return Pose(vec3(m[:3, 3]), quat_from_matrix(m[:3, :3]))


def pose_compose(a_from_b: Pose, b_from_c: Pose) -> Pose:
    x, y, z = quat_rotate(a_from_b.rotation, b_from_c.position)
    px, py, pz = a_from_b.position
    return Pose((px + x, py + y, pz + z), quat_multiply(a_from_b.rotation, b_from_c.rotation))


def pose_inverse(a_from_b: Pose) -> Pose:
    back = quat_inverse(a_from_b.rotation)
    x, y, z = quat_rotate(back, a_from_b.position)
    return Pose((-x, -y, -z), back)


def pose_apply(a_from_b: Pose, point_b: Vec3) -> Vec3:
    """Convert a point of frame b to frame a."""
    x, y, z = quat_rotate(a_from_b.rotation, point_b)
    px, py, pz = a_from_b.position
    return (px + x, py + y, pz + z)


def rise_deg(pose: Pose) -> float:
    """Return the angle, 0 to 90 degrees, between a ladder's long axis (its z) and the horizontal."""
    _, _, up = quat_rotate(pose.rotation, (0.0, 0.0, 1.0))
    return math.degrees(math.asin(min(1.0, abs(up))))


def pose_looking_at(eye: Any, target: Any, up: Any = (0.0, 0.0, 1.0)) -> Pose:
    """Return world_from_camera of a camera (OpenCV axes) at ``eye`` that looks at ``target``."""
    e = np.asarray(eye, dtype=np.float64)
    forward = unit(np.asarray(target, dtype=np.float64) - e)
    right = unit(np.cross(forward, np.asarray(up, dtype=np.float64)))
    down = np.cross(forward, right)
    return Pose(vec3(e), quat_from_matrix(np.column_stack([right, down, forward])))


@dataclass(frozen=True)
class CameraModel:
    """A pinhole camera with OpenCV's distortion (k1, k2, p1, p2, k3), for one picture size in pixels."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)

    @staticmethod
    def from_field_of_view(width: int, height: int, horizontal: float) -> CameraModel:
        """Return a camera without distortion whose picture spans ``horizontal`` radians from edge to edge."""
        focal = width / 2.0 / math.tan(horizontal / 2.0)
        return CameraModel(width, height, focal, focal, (width - 1) / 2.0, (height - 1) / 2.0)

    def matrix(self) -> Array:
        """Return the intrinsic matrix (3, 3)."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    def project(self, points_camera: Any) -> Array:
        """Return undistorted pixels (n, 2) of camera-frame points (n, 3); points behind the camera give NaN."""
        p = np.asarray(points_camera, dtype=np.float64).reshape(-1, 3)
        depth = np.where(p[:, 2] > 1e-6, p[:, 2], np.nan)
        return np.column_stack([self.fx * p[:, 0] / depth + self.cx, self.fy * p[:, 1] / depth + self.cy])

    def ray(self, pixel: Any) -> Array:
        """Return the unit direction (3,) in the camera frame of an undistorted pixel (2,)."""
        u, v = (float(x) for x in pixel)
        return unit([(u - self.cx) / self.fx, (v - self.cy) / self.fy, 1.0])


def project_table_points(camera: CameraModel, table_from_camera: Pose, points_table: Any) -> Array:
    """Return undistorted pixels (n, 2) of table-frame points (n, 3)."""
    camera_from_table = mat_from_pose(pose_inverse(table_from_camera))
    p = np.asarray(points_table, dtype=np.float64).reshape(-1, 3)
    return camera.project(p @ camera_from_table[:3, :3].T + camera_from_table[:3, 3])
