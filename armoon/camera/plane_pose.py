"""Poses of flat things of known shape, and their uncertainty.

A sheet's own frame: origin at its centre, x right, y up the page, z out of it. Pixels include lens distortion.
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

#: Relative step of the derivative: near the cube root of double precision, as central differences want.
_STEP = 1e-5
_ROUNDS = 40
#: Relative gain below which no further round is made.
_ENOUGH = 1e-10


@dataclass(frozen=True, eq=False)
class Fit:
    """The best parameters (n,), what remains (m,), and the inverse of the normal matrix (n, n)."""

    parameters: Array
    residuals: Array
    inverse_normal: Array

    def covariance(self, least_sigma: float) -> Array:
        """Of the parameters (n, n); the residuals' spread is taken as at least ``least_sigma``."""
        spare = max(1, len(self.residuals) - len(self.parameters))
        variance = float(self.residuals @ self.residuals) / spare
        return np.asarray(max(variance, least_sigma**2) * self.inverse_normal)


def least_squares(
    residuals: Callable[[Array], Array], start: Array, slopes: Callable[[Array], Array] | None = None
) -> Fit:
    """Minimise the squared ``residuals`` (m,) near ``start`` (n,). ``slopes``: their derivatives (m, n), if known."""
    parameters = np.asarray(start, dtype=np.float64)
    left = residuals(parameters)
    damping = 1e-3
    slopes = slopes or (lambda at: _jacobian(residuals, at))
    jacobian = slopes(parameters)
    for _ in range(_ROUNDS):
        normal = jacobian.T @ jacobian
        scale = np.diag(np.diag(normal) + 1e-12)
        step = np.linalg.solve(normal + damping * scale, -jacobian.T @ left)
        tried = residuals(parameters + step)
        before, after = float(left @ left), float(tried @ tried)
        if np.isfinite(after) and after <= before:
            parameters, left, damping = parameters + step, tried, damping / 5.0
            if before - after <= _ENOUGH * (before + 1e-18):
                break
            jacobian = slopes(parameters)
        elif damping > 1e8:
            break
        else:
            damping *= 8.0
    normal = jacobian.T @ jacobian
    return Fit(parameters, left, np.linalg.pinv(normal))


def _jacobian(residuals: Callable[[Array], Array], at: Array) -> Array:
    columns = []
    for index, value in enumerate(at):
        step = np.zeros_like(at)
        step[index] = _STEP * max(1.0, abs(float(value)))
        columns.append((residuals(at + step) - residuals(at - step)) / (2.0 * step[index]))
    return np.column_stack(columns)


#: Corners are not trusted to be better than this, however well they happen to fit (pixels, one sigma).
LEAST_SIGMA_PX = 0.05
#: Webcam lenses need more than OpenCV's five rounds near the corners of the picture.
_UNDISTORT = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-10)
_HALF = 0.5**0.5
#: Turns of 0, 90, 180 and 270 degrees about z.
_QUARTERS: tuple[Quat, ...] = ((0, 0, 0, 1.0), (0, 0, _HALF, _HALF), (0, 0, 1.0, 0), (0, 0, -_HALF, _HALF))


@dataclass(frozen=True)
class PlanePose:
    """A found sheet: its pose and the error to be expected (one sigma)."""

    camera_from_sheet: Pose
    error_px: float
    """Root mean square distance between where the points are and where they should be."""
    error_mm: float
    """Error of the sheet's centre in the camera's frame; sizes taken as exact."""


def sheet_places(width_m: float, height_m: float) -> Array:
    """Corners (4, 2) clockwise from the top left, in the sheet's own frame."""
    x, y = width_m / 2.0, height_m / 2.0
    return np.array([[-x, y], [x, y], [x, -y], [-x, -y]])


def normalised(camera: CameraModel, pixels: Array) -> Array:
    """Where pixels (n, 2) lie in the plane one metre before the camera (n, 2), distortion removed."""
    points = np.asarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
    lens = np.array(camera.distortion)
    flat = cv2.undistortPointsIter(points, camera.matrix(), lens, np.eye(3), np.eye(3), _UNDISTORT)
    return np.asarray(flat, dtype=np.float64).reshape(-1, 2)


def distorted(camera: CameraModel, pixels: Array) -> Array:
    """Where the lens shows (n, 2) what an undistorted picture of the same camera has at ``pixels`` (n, 2)."""
    flat = (np.asarray(pixels, dtype=np.float64) - (camera.cx, camera.cy)) / (camera.fx, camera.fy)
    return project(camera, np.zeros(6), np.column_stack([flat, np.ones(len(flat))]))


def pose_vectors(pose: Pose) -> tuple[Array, Array]:
    """Return the rotation vector (3,) and the position (3,) of a pose."""
    rotation, _ = cv2.Rodrigues(mat_from_quat(pose.rotation))
    return np.asarray(rotation, dtype=np.float64).ravel(), np.array(pose.position)


def project_sheet(camera: CameraModel, camera_from_sheet: Pose, places: Array) -> Array:
    """Camera pixels (n, 2), distortion included, of sheet points (n, 2) or (n, 3)."""
    return project(camera, np.concatenate(pose_vectors(camera_from_sheet)), places)


def project(camera: CameraModel, rotation_and_position: Array, places: Array) -> Array:
    """As ``project_sheet``, for a rotation vector and a position (6,)."""
    points = in_space(places)
    rotation, position = rotation_and_position[:3], rotation_and_position[3:6]
    lens = np.array(camera.distortion)
    pixels, _ = cv2.projectPoints(points, rotation, position, camera.matrix(), lens)
    return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)


def _slopes(camera: CameraModel, rotation_and_position: Array, points: Array) -> Array:
    """How the pixels of ``project``, one after another (2n,), change with its six numbers (2n, 6)."""
    lens = np.array(camera.distortion)
    rotation, position = rotation_and_position[:3], rotation_and_position[3:6]
    _, slopes = cv2.projectPoints(points, rotation, position, camera.matrix(), lens)
    return np.asarray(slopes[:, :6], dtype=np.float64)


def in_space(places: Array) -> Array:
    """Points of a plane (n, 2) with z = 0; points (n, 3) as they are."""
    points = np.asarray(places, dtype=np.float64)
    return points if points.shape[1] == 3 else np.column_stack([points, np.zeros(len(points))])


def solve_plane(camera: CameraModel, places: Array, pixels: Array) -> PlanePose | None:
    """Return the pose of plane points ``places`` (n >= 4, 2) seen at ``pixels`` (n, 2), face to the camera; or None.

    Of a distant plane's two poses (IPPE, Collins and Bartoli 2014) the better one after refinement.
    """
    flat = normalised(camera, pixels)
    points = in_space(places)
    try:
        _, rotations, positions, _ = cv2.solvePnPGeneric(
            points, flat[:, np.newaxis], np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_IPPE
        )
    except cv2.error:  # points on one line
        return None
    best: Fit | None = None
    for rotation, position in zip(rotations, positions, strict=True):
        start = np.concatenate([np.ravel(rotation), np.ravel(position)])
        if not np.all(np.isfinite(start)):
            continue
        fit = least_squares(
            lambda p: (project(camera, p, points) - pixels).ravel(),
            start,
            lambda p: _slopes(camera, p, points),
        )
        place, normal = fit.parameters[3:6], cv2.Rodrigues(fit.parameters[:3])[0][:, 2]
        faces_camera = place[2] > 0.0 and normal @ place < 0.0
        if faces_camera and (best is None or _cost(fit) < _cost(best)):
            best = fit
    return None if best is None else plane_pose(best)


def plane_pose(fit: Fit, least_sigma_px: float = LEAST_SIGMA_PX) -> PlanePose:
    """Return the plane of a fit (rotation vector, position, ...), with its residual in pixels."""
    matrix = np.eye(4)
    matrix[:3, :3] = cv2.Rodrigues(fit.parameters[:3])[0]
    matrix[:3, 3] = fit.parameters[3:6]
    covariance = fit.covariance(least_sigma_px)
    return PlanePose(
        pose_from_mat(matrix),
        float(np.sqrt(2.0 * np.mean(fit.residuals**2))),
        1000.0 * float(np.sqrt(np.trace(covariance[3:6, 3:6]))),
    )


def table_from_sheet(camera_from_sheet: Pose) -> Pose:
    """``table_from_camera`` of a frame at the sheet's centre, y away along the nearest of its edges."""
    return pose_inverse(_turned(camera_from_sheet, _quarter_away(camera_from_sheet)))


def quarter_turns(table_from_camera: Pose) -> list[Pose]:
    camera_from_table = pose_inverse(table_from_camera)
    return [pose_inverse(_turned(camera_from_table, quarter)) for quarter in range(4)]


def _turned(camera_from_sheet: Pose, quarter: int) -> Pose:
    turn = _QUARTERS[quarter]
    return Pose(camera_from_sheet.position, quat_multiply(camera_from_sheet.rotation, turn))


def _quarter_away(camera_from_sheet: Pose) -> int:
    """Which quarter turn points y away from a camera that looks level (by its view) or down (by its upward axis)."""
    camera_from_axes = mat_from_quat(camera_from_sheet.rotation)
    away = camera_from_axes.T @ np.array([0.0, -1.0, 1.0])
    # The y axis after quarter turns 0, 1, 2, 3 in the sheet's own axes: y, -x, -y, x.
    return int(np.argmax([away[1], -away[0], -away[1], away[0]]))


def _cost(fit: Fit) -> float:
    return float(fit.residuals @ fit.residuals)


class PlaneFault(enum.Enum):
    """The obstacle; the value is the key of a message as well."""

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


@dataclass(frozen=True)
class Unseen:
    """Nothing was found, and the likeliest reason."""

    reason: PlaneFault

    @property
    def key(self) -> str:
        return f"table.unseen.{self.reason.value}"

    def __str__(self) -> str:
        return text(self.key)
