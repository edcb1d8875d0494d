"""From OpenCV's camera to OpenGL's clip space, so that drawn pixels fall where the camera model says."""

from __future__ import annotations

import numpy as np

from armoon.geometry import Array, CameraModel, mat_from_pose, pose_inverse
from armoon.values.poses import Pose

#: Distances of the near and far clipping planes from the camera (metres).
NEAR_M, FAR_M = 0.05, 5.0


def clip_from_camera(camera: CameraModel, mirrored: bool) -> Array:
    """Return the matrix (4, 4) from OpenCV camera axes to clip space.

    OpenCV's pixel centres are whole numbers, OpenGL's are halves: hence the half pixel on (cx, cy). Mirroring
    flips x in clip space, after everything else.
    """
    w, h = camera.width, camera.height
    near, far = NEAR_M, FAR_M
    side = -1.0 if mirrored else 1.0
    return np.array(
        [
            [side * 2.0 * camera.fx / w, 0.0, side * (2.0 * (camera.cx + 0.5) / w - 1.0), 0.0],
            [0.0, -2.0 * camera.fy / h, 1.0 - 2.0 * (camera.cy + 0.5) / h, 0.0],
            [0.0, 0.0, (far + near) / (far - near), -2.0 * far * near / (far - near)],
            [0.0, 0.0, 1.0, 0.0],
        ]
    )


def lens_matrix(camera: CameraModel, width: int, height: int) -> Array:
    """Return the matrix (3, 3) of the camera for its picture in this size."""
    across, down = width / camera.width, height / camera.height
    x, y = (camera.cx + 0.5) * across - 0.5, (camera.cy + 0.5) * down - 0.5
    return np.array([[camera.fx * across, 0.0, x], [0.0, camera.fy * down, y], [0.0, 0.0, 1.0]])


def clip_from_table(camera: CameraModel, table_from_camera: Pose, mirrored: bool) -> Array:
    """Return the matrix (4, 4) from the table frame to clip space."""
    return clip_from_camera(camera, mirrored) @ mat_from_pose(pose_inverse(table_from_camera))


def undistort(camera: CameraModel, pixels: Array) -> Array:
    """Undistorted pixels (n, 2) of pixels as the lens shows them (n, 2).

    Fixed-point iteration on OpenCV's model, as cv2.undistortPoints does; five rounds leave less than 0.01 px
    for webcams.
    """
    k1, k2, p1, p2, k3 = camera.distortion
    points = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
    if not any(camera.distortion):
        return points
    focal = np.array([camera.fx, camera.fy])
    centre = np.array([camera.cx, camera.cy])
    seen = (points - centre) / focal
    guess = seen.copy()
    for _ in range(5):
        x, y = guess[:, 0], guess[:, 1]
        r2 = x * x + y * y
        radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
        shift = np.column_stack(
            [2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x), p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y]
        )
        guess = (seen - shift) / radial[:, None]
    return np.asarray(guess * focal + centre, dtype=np.float64)
