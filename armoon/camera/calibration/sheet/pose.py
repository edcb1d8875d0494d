"""The table from a blank sheet, with or without a known focal length, and from four pointed corners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from armoon.camera.calibration.fitting import Fit, least_squares
from armoon.camera.calibration.plane_pose import (
    LEAST_SIGMA_PX,
    PlanePose,
    normalised,
    plane_pose,
    pose_vectors,
    project,
    sheet_places,
    solve_plane,
)
from armoon.camera.calibration.sheet.corners import find_sheet
from armoon.camera.calibration.unseen import Reason, Unseen
from armoon.camera.frame import Image
from armoon.geometry import Array, CameraModel
from armoon.printing.page import PAPERS

#: The four corners of a right sheet meet their places within this (pixels at any size up to 1280 width).
MOST_ERROR_PX = 2.0
#: Focal lengths of webcams, in picture widths: 106 to 28 degrees from edge to edge.
FOCAL_RANGE = (0.38, 2.0)
#: A focal length that is less sure than this (one sigma) is not taken from one sheet.
MOST_FOCAL_ERROR = 0.06
#: How far a webcam's optical axis is from the middle of its picture, as a share of the width (one sigma).
CENTRE_SIGMA = 0.01
#: Error of a corner that was pointed at by finger or mouse, in pixels (one sigma).
POINTING_SIGMA_PX = 2.0


@dataclass(frozen=True)
class SheetPose:
    """A sheet, the camera it was seen with, and how sure both are."""

    pose: PlanePose
    camera: CameraModel
    """The given camera, or one with the focal length that the sheet showed."""
    paper: str
    focal_error: float
    """One sigma as a fraction of the focal length; 0 where it was given."""


def sheet_pose(camera: CameraModel, image: Image, papers: Sequence[str] = ("a4",)) -> SheetPose | Unseen:
    """Where a blank sheet lies, for a calibrated camera. Several ``papers``: the one that fits best."""
    corners = find_sheet(camera, image)
    if isinstance(corners, Unseen):
        return corners
    found = []
    for paper in papers:
        for places in _ways_round(paper):
            pose = solve_plane(camera, places, corners.pixels)
            if pose is not None:
                found.append(SheetPose(pose, camera, paper, 0.0))
    best = min(found, key=lambda s: s.pose.error_px, default=None)
    if best is None or best.pose.error_px > MOST_ERROR_PX * max(1.0, camera.width / 1280.0):
        return Unseen(Reason.OUTLINE)
    return best


def sheet_pose_and_focal(
    camera: CameraModel, image: Image, papers: Sequence[str] = ("a4",)
) -> SheetPose | Unseen:
    """As ``sheet_pose`` where the focal length is unknown; ``camera`` gives size, middle and a first guess.

    Pixels are square and the optical axis goes through the picture's middle: then a rectangle of known sides
    has one number to spare for the focal length. Seen from straight above it says nothing about it: then the
    given camera is kept, and ``focal_error`` is large.
    """
    corners = find_sheet(camera, image)
    if isinstance(corners, Unseen):
        return corners
    found = [
        (paper, fit)
        for paper in papers
        for places in _ways_round(paper)
        for fit in [_fit_focal(camera, places, corners.pixels)]
        if fit is not None
    ]
    if not found:
        return Unseen(Reason.OUTLINE)
    paper, fit = min(found, key=lambda f: float(f[1].residuals @ f[1].residuals))
    sigma = float(np.sqrt(fit.covariance(max(LEAST_SIGMA_PX, corners.error_px / 4.0))[6, 6]))
    if sigma > MOST_FOCAL_ERROR:
        known = sheet_pose(camera, image, papers)
        return known if isinstance(known, Unseen) else replace(known, focal_error=sigma)
    if float(np.sqrt(2.0 * np.mean(fit.residuals**2))) > MOST_ERROR_PX * max(1.0, camera.width / 1280.0):
        return Unseen(Reason.OUTLINE)
    pose = _with_aside(plane_pose(fit), camera)
    return SheetPose(pose, _with_focal(camera, float(fit.parameters[6])), paper, sigma)


def pose_and_focal(
    camera: CameraModel, places: Array, pixels: Array
) -> tuple[PlanePose, CameraModel, float] | None:
    """Return a plane's pose, the camera with the focal length that its points show, and that one's sigma (a share).

    ``places`` (n, 2) on the plane are seen at ``pixels`` (n, 2). Where they don't settle the focal length
    (``MOST_FOCAL_ERROR``) the given one is kept; None where nothing fits.
    """
    fit = _fit_focal(camera, places, pixels)
    if fit is None:
        return None
    sigma = float(np.sqrt(fit.covariance(LEAST_SIGMA_PX)[6, 6]))
    if sigma > MOST_FOCAL_ERROR:
        known = solve_plane(camera, places, pixels)
        return None if known is None else (known, camera, sigma)
    pose = plane_pose(fit)
    return _with_aside(pose, camera), _with_focal(camera, float(fit.parameters[6])), sigma


def rectangle_pose(
    camera: CameraModel, pixels: Array, near_side_m: float
) -> tuple[PlanePose, float] | Unseen:
    """Return a rectangular table from its four corners as clicked or touched, and its depth in metres.

    ``pixels`` (4, 2): far left, far right, near right, near left; ``near_side_m`` is the length of the near
    side, the one known length. The depth is found together with the pose.
    """
    flat = normalised(camera, pixels)
    sides = np.roll(flat, -1, axis=0) - flat
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    if not np.all(turns > 1e-6) or not near_side_m > 0.0:
        return Unseen(Reason.SHAPE)
    square = sheet_places(1.0, 1.0)
    homography, _ = cv2.findHomography(square, flat)
    # Columns are the sides' directions in space, each times its length over the distance (Zhang, 2000).
    ratio = float(np.linalg.norm(homography[:, 1]) / np.linalg.norm(homography[:, 0]))
    start = solve_plane(camera, sheet_places(near_side_m, near_side_m * ratio), pixels)
    if start is None:
        return Unseen(Reason.SHAPE)
    rotation, position = pose_vectors(start.camera_from_sheet)

    def residuals(p: Array) -> Array:
        places = sheet_places(near_side_m, near_side_m * math.exp(p[6]))
        return np.asarray((project(camera, p, places) - pixels).ravel())

    fit = least_squares(residuals, np.concatenate([rotation, position, [math.log(ratio)]]))
    if float(np.sqrt(2.0 * np.mean(fit.residuals**2))) > 4.0 * POINTING_SIGMA_PX:
        return Unseen(Reason.SHAPE)
    return plane_pose(fit, POINTING_SIGMA_PX), near_side_m * math.exp(float(fit.parameters[6]))


def _with_aside(pose: PlanePose, camera: CameraModel) -> PlanePose:
    """Return the pose of an uncalibrated camera, whose optical axis may be off the picture's middle."""
    aside_mm = 1000.0 * pose.camera_from_sheet.position[2] * CENTRE_SIGMA * camera.width / camera.fx
    return replace(pose, error_mm=math.hypot(pose.error_mm, aside_mm))


def _ways_round(paper: str) -> list[Array]:
    """Return the sheet with its long side first or second; turned by half it looks the same."""
    width, height = PAPERS[paper]
    upright = sheet_places(width, height)
    return [upright, np.roll(upright, 1, axis=0)]


def _fit_focal(camera: CameraModel, places: Array, pixels: Array) -> Fit | None:
    """(rotation, position, log of the focal length over the given one) that fit best."""
    best: Fit | None = None
    low, high = (camera.width * share for share in FOCAL_RANGE)
    for focal in np.geomspace(low, high, 7):
        tried = _with_focal(camera, math.log(focal / camera.fx))
        start = solve_plane(tried, places, pixels)
        if start is None:
            continue
        rotation, position = pose_vectors(start.camera_from_sheet)

        def residuals(p: Array) -> Array:
            return np.asarray((project(_with_focal(camera, float(p[6])), p, places) - pixels).ravel())

        fit = least_squares(residuals, np.concatenate([rotation, position, [math.log(focal / camera.fx)]]))
        within = low <= camera.fx * math.exp(float(fit.parameters[6])) <= high
        if within and (best is None or fit.residuals @ fit.residuals < best.residuals @ best.residuals):
            best = fit
    return best


def _with_focal(camera: CameraModel, log_factor: float) -> CameraModel:
    factor = math.exp(min(3.0, max(-3.0, log_factor)))
    return replace(camera, fx=camera.fx * factor, fy=camera.fy * factor)
