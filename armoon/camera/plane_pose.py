"""Solves poses of flat objects of known shape, and their uncertainty.

Sheet frame: origin at its centre, x right, y up the page, z out of it. Pixels include lens distortion.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from armoon.geometry import Array, CameraModel, mat_from_quat, pose_from_mat, pose_inverse, quat_multiply
from armoon.messages import text
from armoon.values.poses import Pose, Quat

#: Relative step of numeric derivatives: near the cube root of the machine epsilon, which suits central differences.
_STEP = 1e-5
_MAX_ITERATIONS = 40
#: Relative decrease of the squared error below which the iteration stops.
_MIN_GAIN = 1e-10


@dataclass(frozen=True, eq=False)
class PlaneFit:
    """The best parameters (n,), the residuals (m,), and the inverse of the normal matrix (n, n)."""

    parameters: Array
    residuals: Array
    inverse_normal: Array

    @property
    def square_sum(self) -> float:
        return float(self.residuals @ self.residuals)

    def estimate_covariance(self, min_sigma: float) -> Array:
        """Return the parameters' covariance (n, n), for residuals with a sigma of at least ``min_sigma``."""
        freedom = max(1, len(self.residuals) - len(self.parameters))
        variance = self.square_sum / freedom
        return np.asarray(max(variance, min_sigma**2) * self.inverse_normal)


def fit_residuals(
    residuals: Callable[[Array], Array], start: Array, slopes: Callable[[Array], Array] | None = None
) -> PlaneFit:
    """Minimise the sum of squared ``residuals`` (m,) from ``start`` (n,). ``slopes``: their derivatives (m, n)."""
    parameters = np.asarray(start, dtype=np.float64)
    errors = residuals(parameters)
    damping = 1e-3
    slopes = slopes or (lambda point: _compute_jacobian(residuals, point))
    jacobian = slopes(parameters)
    for _ in range(_MAX_ITERATIONS):
        normal = jacobian.T @ jacobian
        scale = np.diag(np.diag(normal) + 1e-12)
        step = np.linalg.solve(normal + damping * scale, -jacobian.T @ errors)
        new_errors = residuals(parameters + step)
        old_sum, new_sum = float(errors @ errors), float(new_errors @ new_errors)
        if np.isfinite(new_sum) and new_sum <= old_sum:
            parameters, errors, damping = parameters + step, new_errors, damping / 5.0
            if old_sum - new_sum <= _MIN_GAIN * (old_sum + 1e-18):
                break
            jacobian = slopes(parameters)
        elif damping > 1e8:
            break
        else:
            damping *= 8.0
    normal = jacobian.T @ jacobian
    return PlaneFit(parameters, errors, np.linalg.pinv(normal))


def _compute_jacobian(residuals: Callable[[Array], Array], point: Array) -> Array:
    columns = []
    for index, value in enumerate(point):
        step = np.zeros_like(point)
        step[index] = _STEP * max(1.0, abs(float(value)))
        columns.append((residuals(point + step) - residuals(point - step)) / (2.0 * step[index]))
    return np.column_stack(columns)


#: Minimum assumed error of corners, even if they fit better by chance (pixels, one sigma).
MIN_SIGMA_PX = 0.05
#: Near the corners of the picture, webcam lenses need more than OpenCV's five iterations.
_UNDISTORT = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-10)
_ROOT = 0.5**0.5
#: Rotations by 0, 90, 180 and 270 degrees about z; ``_ROOT`` is the sine of 45 degrees.
_QUARTERS: tuple[Quat, ...] = ((0, 0, 0, 1.0), (0, 0, _ROOT, _ROOT), (0, 0, 1.0, 0), (0, 0, -_ROOT, _ROOT))


@dataclass(frozen=True)
class PlanePose:
    """A sheet's pose and its expected error (one sigma)."""

    camera_from_sheet: Pose
    error_px: float
    """Root mean square distance of the points from their projections."""
    error_mm: float
    """Error of the sheet's centre in the camera frame, assuming an exact size."""


def list_sheet_corners(width_m: float, height_m: float) -> Array:
    """Return corners (4, 2) clockwise from the top left, sheet frame."""
    x, y = width_m / 2.0, height_m / 2.0
    return np.array([[-x, y], [x, y], [x, -y], [-x, -y]])


def normalise_pixels(camera: CameraModel, pixels: Array) -> Array:
    """Return pixels (n, 2) as undistorted positions (n, 2) in the plane one metre in front of the camera."""
    points = np.asarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
    lens = np.array(camera.distortion)
    flat = cv2.undistortPointsIter(points, camera.matrix(), lens, np.eye(3), np.eye(3), _UNDISTORT)
    return np.asarray(flat, dtype=np.float64).reshape(-1, 2)


def distort_pixels(camera: CameraModel, pixels: Array) -> Array:
    """Return the camera pixels (n, 2) of undistorted ``pixels`` (n, 2) of the same camera."""
    flat = (np.asarray(pixels, dtype=np.float64) - (camera.cx, camera.cy)) / (camera.fx, camera.fy)
    return project(camera, np.zeros(6), np.column_stack([flat, np.ones(len(flat))]))


def split_pose(pose: Pose) -> tuple[Array, Array]:
    """Return the rotation vector (3,) and the position (3,) of a pose."""
    rotation, _ = cv2.Rodrigues(mat_from_quat(pose.rotation))
    return np.asarray(rotation, dtype=np.float64).ravel(), np.array(pose.position)


def project_sheet(camera: CameraModel, camera_from_sheet: Pose, places: Array) -> Array:
    """Return the camera pixels (n, 2), distortion included, of sheet points (n, 2) or (n, 3)."""
    return project(camera, np.concatenate(split_pose(camera_from_sheet)), places)


def project(camera: CameraModel, rotation_and_position: Array, places: Array) -> Array:
    """Like ``project_sheet``, for a rotation vector and a position (6,)."""
    points = to_points_3d(places)
    rotation, position = rotation_and_position[:3], rotation_and_position[3:6]
    lens = np.array(camera.distortion)
    pixels, _ = cv2.projectPoints(points, rotation, position, camera.matrix(), lens)
    return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)


def to_points_3d(places: Array) -> Array:
    """Return points of a plane (n, 2) with z = 0, and points (n, 3) unchanged."""
    points = np.asarray(places, dtype=np.float64)
    return points if points.shape[1] == 3 else np.column_stack([points, np.zeros(len(points))])


def solve_plane(camera: CameraModel, places: Array, pixels: Array) -> PlanePose | None:
    """Return the pose of plane points ``places`` (n >= 4, 2) seen at ``pixels`` (n, 2), or None if none fits.

    Two poses of a distant plane look alike (IPPE, Collins and Bartoli 2014). Return the one that faces the camera and
    fits better after refinement.
    """
    flat = normalise_pixels(camera, pixels)
    points = to_points_3d(places)
    try:
        _, rotations, positions, _ = cv2.solvePnPGeneric(
            points, flat[:, np.newaxis], np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_IPPE
        )
    except cv2.error:  # points on one line
        return None
    matrix, lens = camera.matrix(), np.array(camera.distortion)
    best: PlaneFit | None = None
    for rotation, position in zip(rotations, positions, strict=True):
        start = np.concatenate([np.ravel(rotation), np.ravel(position)])
        if not np.all(np.isfinite(start)):
            continue
        fit = fit_residuals(
            lambda p: (project(camera, p, points) - pixels).ravel(),
            start,
            lambda p: np.asarray(
                cv2.projectPoints(points, p[:3], p[3:6], matrix, lens)[1][:, :6], np.float64
            ),
        )
        place, normal = fit.parameters[3:6], cv2.Rodrigues(fit.parameters[:3])[0][:, 2]
        faces_camera = place[2] > 0.0 and normal @ place < 0.0
        if faces_camera and (best is None or fit.square_sum < best.square_sum):
            best = fit
    return None if best is None else make_plane_pose(best)


def make_plane_pose(fit: PlaneFit, min_sigma_px: float = MIN_SIGMA_PX) -> PlanePose:
    """Return the pose of a fit with parameters (rotation vector, position, ...) and residuals in pixels."""
    matrix = np.eye(4)
    matrix[:3, :3] = cv2.Rodrigues(fit.parameters[:3])[0]
    matrix[:3, 3] = fit.parameters[3:6]
    covariance = fit.estimate_covariance(min_sigma_px)
    return PlanePose(
        pose_from_mat(matrix),
        float(np.sqrt(2.0 * np.mean(fit.residuals**2))),
        1000.0 * float(np.sqrt(np.trace(covariance[3:6, 3:6]))),
    )


def table_from_sheet(camera_from_sheet: Pose) -> Pose:
    """Return ``table_from_camera``: origin at the sheet's centre, y along the edge that points away most directly."""
    # "Away" is the z axis of a level camera, but up in the picture of a camera that looks down: add both.
    x, y, _ = mat_from_quat(camera_from_sheet.rotation).T @ np.array([0.0, -1.0, 1.0])
    # The y axis after quarter turns 0, 1, 2, 3 in the sheet's axes: y, -x, -y, x.
    return pose_inverse(_apply_quarter_turn(camera_from_sheet, int(np.argmax([y, -x, -y, x]))))


def list_quarter_turns(table_from_camera: Pose) -> list[Pose]:
    camera_from_table = pose_inverse(table_from_camera)
    return [pose_inverse(_apply_quarter_turn(camera_from_table, quarter)) for quarter in range(4)]


def _apply_quarter_turn(camera_from_sheet: Pose, quarter: int) -> Pose:
    return Pose(camera_from_sheet.position, quat_multiply(camera_from_sheet.rotation, _QUARTERS[quarter]))


class PlaneFault(enum.Enum):
    """The likeliest reason why no plane was found; the value is part of a message's key."""

    DARK = "dark"
    GLARE = "glare"
    BLURRED = "blurred"
    COVERED = "covered"
    ABSENT = "absent"
    TWO = "two"
    NOT_FLAT = "not_flat"
    WRONG_BOARD = "wrong_board"
    MIRRORED = "mirrored"
    OUTLINE = "outline"
    SHAPE = "shape"

    @property
    def key(self) -> str:
        return f"table.unseen.{self.value}"

    def __str__(self) -> str:
        return text(self.key)
