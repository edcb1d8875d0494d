"""Locates the table by a blank sheet, with or without a known focal length, or by four corners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from armoon.camera import plane_pose
from armoon.camera.board_finder import explain_absence
from armoon.camera.plane_pose import PlaneFault, PlaneFit, PlanePose, solve_plane
from armoon.camera.sources import Image, sample_levels, to_grey
from armoon.geometry import Array, CameraModel
from armoon.printing import PAPERS
from armoon.values.poses import Pose

#: Approximate picture width for the search for outlines; edges are measured in the full picture.
_SEARCH_WIDTH_PX = 640
#: Limits of a sheet's share of the picture: smaller sheets give no pose within 3 mm, larger ones are cut off.
_MIN_AREA, _MAX_AREA = 0.012, 0.9
#: Minimum contrast of the sheet against the table, in grey levels.
_MIN_CONTRAST = 18.0
_SAMPLES = 72
#: Sampled part of a side, in fractions of its length; fingers, clips and dog-ears are at the ends.
_SIDE_FROM, _SIDE_TO = 0.06, 0.94
#: Search range across the outline (pixels at 640 width).
_SEARCH_PX = 6.0
#: Minimum share of a side's samples that must lie on one line.
_MIN_SHARE = 0.5
#: Maximum height of a side's arc divided by its length, for flat paper even through an uncalibrated webcam's lens.
_MAX_BOW = 0.004
_MIN_BOW_PX = 0.7
#: Minimum grey-level step across the extension of a side where its edge continues; wood grain has smaller steps.
_MIN_STEP_LEVELS = 14.0


def find_sheet(camera: CameraModel, image: Image) -> tuple[Array, float] | PlaneFault:
    """Return a blank sheet's corners (4, 2), clockwise, and the RMS misfit of its edges, both in camera pixels."""
    grey = to_grey(image)
    outlines = _find_outlines(grey)
    if not outlines:
        reason = explain_absence(grey)
        return PlaneFault.ABSENT if reason is PlaneFault.BLURRED else reason
    sheets: list[tuple[Array, float]] = []
    fault = PlaneFault.COVERED
    for outline in outlines:
        refined = _refine_corners(camera, grey, outline)
        if isinstance(refined, PlaneFault):
            fault = refined
        elif not any(_are_same_sheet(refined[0], other[0]) for other in sheets):
            sheets.append(refined)
    if len(sheets) > 1:
        return PlaneFault.TWO
    return sheets[0] if sheets else fault


def _find_outlines(grey: Image) -> list[Array]:
    """Return the corners (4, 2) of bright four-sided outlines in pixels, clockwise, the largest outline first."""
    step = max(1.0, grey.shape[1] / _SEARCH_WIDTH_PX)
    small = cv2.resize(grey, None, fx=1.0 / step, fy=1.0 / step, interpolation=cv2.INTER_AREA)
    blurred = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.2), dtype=np.uint8)
    otsu, _ = cv2.threshold(blurred, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    middle = float(np.median(blurred))
    levels = (otsu, 0.5 * (otsu + 255), middle + 25, middle + 50, otsu * 0.8)
    outlines: list[Array] = []
    for level in sorted(set(map(round, levels))):
        _, mask = cv2.threshold(blurred, level, 255, cv2.THRESH_BINARY)
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            corners = _find_quadrangle(contour, blurred)
            if corners is not None:
                full = (corners + 0.5) * step - 0.5
                if not any(_are_same_sheet(full, other) for other in outlines):
                    outlines.append(full)
    return sorted(outlines, key=lambda c: -abs(cv2.contourArea(c.astype(np.float32))))


def _find_quadrangle(contour: cv2.typing.MatLike, blurred: Image) -> Array | None:
    """Return the corners (4, 2) of a contour that is a bright convex quadrangle inside the picture."""
    height, width = blurred.shape
    area = cv2.contourArea(contour)
    if not _MIN_AREA * width * height <= area <= _MAX_AREA * width * height:
        return None
    hull = cv2.convexHull(contour)
    if area < 0.85 * cv2.contourArea(hull):  # partly covered
        return None
    perimeter = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.045, 0.06):
        polygon = cv2.approxPolyDP(hull, share * perimeter, True)
        if len(polygon) <= 4:
            break
    if len(polygon) != 4 or cv2.contourArea(polygon) < 0.9 * area:
        return None
    corners = np.asarray(polygon, dtype=np.float64).reshape(4, 2)
    x, y = corners.T
    if x.min() < 2 or y.min() < 2 or x.max() > width - 3 or y.max() > height - 3:
        return None
    if _measure_contrast(blurred, corners) < _MIN_CONTRAST:
        return None
    sides = np.roll(corners, -1, axis=0) - corners
    orientation = sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0]
    return corners if orientation > 0 else corners[::-1].copy()


def _measure_contrast(blurred: Image, corners: Array) -> float:
    inside = np.zeros_like(blurred)
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), (255,))
    kernel = np.ones((9, 9), np.uint8)
    core, rim = cv2.erode(inside, kernel), cv2.dilate(inside, kernel)
    outside = (rim > 0) & (cv2.dilate(inside, np.ones((3, 3), np.uint8)) == 0)
    if not core.any() or not outside.any():
        return 0.0
    return float(np.median(blurred[core > 0])) - float(np.median(blurred[outside]))


def _refine_corners(camera: CameraModel, grey: Image, outline: Array) -> tuple[Array, float] | PlaneFault:
    """Return the intersections (4, 2) of lines through the measured edges, and the RMS misfit, both in pixels."""
    step = max(1.0, grey.shape[1] / _SEARCH_WIDTH_PX)
    blurred = cv2.GaussianBlur(grey, (0, 0), 0.8 * step).astype(np.float32)
    scale = np.array([camera.fx, camera.fy])
    lines, residuals = [], []
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        edges = _find_edge_points(blurred, start, end, _SEARCH_PX * step)
        if len(edges) < _MIN_SHARE * _SAMPLES:
            return PlaneFault.COVERED
        # Undistort, then scale to pixels, so that residuals are in pixels.
        undistorted = plane_pose.normalise_pixels(camera, edges) * scale
        line, inliers, distance = _fit_line(undistorted)
        if np.count_nonzero(inliers) < _MIN_SHARE * _SAMPLES:
            return PlaneFault.NOT_FLAT if _is_bent(undistorted, step) else PlaneFault.COVERED
        if _is_bent(undistorted[inliers], step):
            return PlaneFault.NOT_FLAT
        lines.append(line)
        residuals.append(distance[inliers])
    corners = np.array([np.cross(lines[side - 1], lines[side]) for side in range(4)])
    flat = corners[:, :2] / corners[:, 2:] / scale
    error = float(np.sqrt(np.mean(np.concatenate(residuals) ** 2)))
    pixels = plane_pose.project(camera, np.zeros(6), np.column_stack([flat, np.ones(4)]))
    for start, end in zip(pixels, np.roll(pixels, -1, axis=0), strict=True):
        if _continues_beyond(blurred, start, end, step):
            return PlaneFault.COVERED
    return pixels, error


def _find_edge_points(blurred: cv2.typing.MatLike, start: Array, end: Array, reach: float) -> Array:
    """Return the points (n, 2) where brightness falls most steeply across a side, refined by a parabola."""
    along = (end - start) / np.linalg.norm(end - start)
    outwards = np.array([along[1], -along[0]])
    places = start + np.linspace(_SIDE_FROM, _SIDE_TO, _SAMPLES)[:, np.newaxis] * (end - start)
    offsets = np.arange(-reach, reach + 0.25, 0.5)
    grid = places[:, np.newaxis] + offsets[np.newaxis, :, np.newaxis] * outwards
    levels = cv2.remap(
        blurred, grid[..., 0].astype(np.float32), grid[..., 1].astype(np.float32), cv2.INTER_LINEAR
    )
    fall = np.asarray(levels[:, :-2] - levels[:, 2:], dtype=np.float64)
    peak = np.clip(np.argmax(fall, axis=1), 1, fall.shape[1] - 2)
    rows = np.arange(len(fall))
    fall_before, peak_fall, fall_after = fall[rows, peak - 1], fall[rows, peak], fall[rows, peak + 1]
    curvature = fall_before - 2.0 * peak_fall + fall_after
    shift = np.where(curvature < -1e-6, 0.5 * (fall_before - fall_after) / np.minimum(curvature, -1e-6), 0.0)
    is_edge = (peak_fall > 0.25 * np.median(peak_fall)) & (peak_fall > 3.0) & (np.abs(shift) <= 1.0)
    across = offsets[1 + peak] + 0.5 * shift
    return np.asarray((places + across[:, np.newaxis] * outwards)[is_edge], dtype=np.float64)


def _fit_line(points: Array) -> tuple[Array, Array, Array]:
    """Return a line (a, b, c) through most points, its inliers (n,) and all distances (n,); (a, b) is a unit vector."""
    inliers = np.ones(len(points), dtype=bool)
    for _ in range(6):
        centre = points[inliers].mean(axis=0)
        normal = np.linalg.svd(points[inliers] - centre, full_matrices=False)[2][1]
        distance = (points - centre) @ normal
        spread = max(0.15, 1.4826 * float(np.median(np.abs(distance[inliers]))))
        inliers = np.abs(distance) <= 2.5 * spread
        if not inliers.any():
            inliers[:] = True
            break
    return np.array([*normal, -normal @ centre]), inliers, distance


def _is_bent(points: Array, step: float) -> bool:
    centre = points.mean(axis=0)
    axes = np.linalg.svd(points - centre, full_matrices=False)[2]
    along, across = axes @ (points - centre).T
    curvature = np.polyfit(along, across, 2)[0]
    bow = abs(float(curvature)) * float(np.ptp(along)) / 4.0  # height of the arc divided by the side's length
    return bow > _MAX_BOW and bow * float(np.linalg.norm(np.ptp(points, axis=0))) > _MIN_BOW_PX * step


def _continues_beyond(blurred: cv2.typing.MatLike, start: Array, end: Array, step: float) -> bool:
    """Return whether the edge continues beyond both corners, as if it hid half of a sheet: half of A4 looks like A4."""
    along = end - start
    outwards = np.array([along[1], -along[0]]) / np.linalg.norm(along)
    steps = []
    for shares in (np.linspace(-0.22, -0.05, 24), np.linspace(1.05, 1.22, 24)):
        places = start + shares[:, np.newaxis] * along
        rows = np.stack([places + side * 3.0 * step * outwards for side in (-1.0, 1.0)])
        inner, outer = sample_levels(blurred, rows)
        steps.append(float(np.median(inner - outer)))
    return min(abs(v) for v in steps) > _MIN_STEP_LEVELS and steps[0] * steps[1] > 0.0


def _are_same_sheet(first: Array, other: Array) -> bool:
    size = np.linalg.norm(first[0] - first[2])
    return bool(np.linalg.norm(first.mean(axis=0) - other.mean(axis=0)) < 0.2 * size)


#: Maximum error of a real sheet's corners, pixels; larger in proportion for pictures wider than 1280.
MAX_ERROR_PX = 2.0
#: Focal lengths of webcams, in picture widths: 106 to 28 degrees from edge to edge.
FOCAL_RANGE = (0.38, 2.0)
#: Maximum relative error (one sigma) of a focal length measured with one sheet.
MAX_FOCAL_ERROR = 0.06
#: Distance of a webcam's optical axis from the middle of its picture, as a fraction of the width (one sigma).
CENTRE_SIGMA = 0.01
#: Error of a corner set by finger or mouse, in pixels (one sigma).
POINTING_SIGMA_PX = 2.0


@dataclass(frozen=True)
class LocatedTable:
    """A table located by a board or sheet, and the camera."""

    pose: PlanePose
    camera: CameraModel
    """The given camera; if uncalibrated, with the focal length measured from the board or sheet."""
    method: str
    """``"board"``, or the paper's name."""

    @property
    def table_from_camera(self) -> Pose:
        """The table's origin is the sheet's centre; y is along the edge that points away most directly."""
        return plane_pose.table_from_sheet(self.pose.camera_from_sheet)


def locate_sheet(
    camera: CameraModel, image: Image, papers: Sequence[str] = ("a4",), *, calibrated: bool = True
) -> LocatedTable | PlaneFault:
    """Locate the table by a blank sheet; with several ``papers``, the best fit counts.

    Unless ``calibrated``, also measure the focal length, assuming square pixels and a centred axis; that of ``camera``
    is only a first guess. A sheet seen from straight above leaves ``camera`` unchanged.
    """
    sheet = find_sheet(camera, image)
    if isinstance(sheet, PlaneFault):
        return sheet
    corners, error_px = sheet
    layouts = [(paper, places) for paper in papers for places in _list_orientations(paper)]
    table = None
    if not calibrated:
        fits = [(paper, fit) for paper, places in layouts if (fit := _fit_focal(camera, places, corners))]
        if not fits:
            return PlaneFault.OUTLINE
        paper, fit = min(fits, key=lambda candidate: candidate[1].square_sum)
        solution = _use_focal(camera, fit, max(plane_pose.MIN_SIGMA_PX, error_px / 4.0))
        table = None if solution is None else LocatedTable(*solution, paper)
    if table is None:
        poses = [(paper, solve_plane(camera, places, corners)) for paper, places in layouts]
        tables = [LocatedTable(pose, camera, paper) for paper, pose in poses if pose is not None]
        table = min(tables, key=lambda found: found.pose.error_px, default=None)
    if table is None or table.pose.error_px > MAX_ERROR_PX * max(1.0, camera.width / 1280.0):
        return PlaneFault.OUTLINE
    return table


def solve_pose_and_focal(
    camera: CameraModel, places: Array, pixels: Array
) -> tuple[PlanePose, CameraModel] | None:
    """Return a plane's pose, and the camera with the measured focal length; None if nothing fits.

    Points ``places`` (n, 2) of the plane are seen at ``pixels`` (n, 2). If the focal length is less certain than
    ``MAX_FOCAL_ERROR``, keep the camera's own.
    """
    fit = _fit_focal(camera, places, pixels)
    if fit is None:
        return None
    solution = _use_focal(camera, fit, plane_pose.MIN_SIGMA_PX)
    if solution is None and (pose := solve_plane(camera, places, pixels)):
        return pose, camera
    return solution


def _use_focal(
    camera: CameraModel, fit: PlaneFit, min_sigma_px: float
) -> tuple[PlanePose, CameraModel] | None:
    if float(np.sqrt(fit.estimate_covariance(min_sigma_px)[6, 6])) > MAX_FOCAL_ERROR:
        return None
    pose = plane_pose.make_plane_pose(fit)
    centre_mm = 1000.0 * pose.camera_from_sheet.position[2] * CENTRE_SIGMA * camera.width / camera.fx
    pose = replace(pose, error_mm=math.hypot(pose.error_mm, centre_mm))
    return pose, _scale_focal(camera, float(fit.parameters[6]))


def solve_rectangle(
    camera: CameraModel, pixels: Array, near_side_m: float
) -> tuple[PlanePose, float] | PlaneFault:
    """Return the pose and the depth, metres, of a rectangular table with clicked or touched corners.

    ``pixels`` (4, 2): far left, far right, near right, near left; ``near_side_m``: the one known length.
    """
    flat = plane_pose.normalise_pixels(camera, pixels)
    sides = np.roll(flat, -1, axis=0) - flat
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    if not np.all(turns > 1e-6) or not near_side_m > 0.0:
        return PlaneFault.SHAPE
    square = plane_pose.list_sheet_corners(1.0, 1.0)
    homography, _ = cv2.findHomography(square, flat)
    # The homography's columns are proportional to the sides in space (Zhang, 2000).
    ratio = float(np.linalg.norm(homography[:, 1]) / np.linalg.norm(homography[:, 0]))
    start = solve_plane(camera, plane_pose.list_sheet_corners(near_side_m, near_side_m * ratio), pixels)
    if start is None:
        return PlaneFault.SHAPE

    def compute_residuals(p: Array) -> Array:
        places = plane_pose.list_sheet_corners(near_side_m, near_side_m * math.exp(p[6]))
        return np.asarray((plane_pose.project(camera, p, places) - pixels).ravel())

    pose = plane_pose.split_pose(start.camera_from_sheet)
    fit = plane_pose.fit_residuals(compute_residuals, np.concatenate([*pose, [math.log(ratio)]]))
    if float(np.sqrt(2.0 * np.mean(fit.residuals**2))) > 4.0 * POINTING_SIGMA_PX:
        return PlaneFault.SHAPE
    depth_m = near_side_m * math.exp(float(fit.parameters[6]))
    return plane_pose.make_plane_pose(fit, POINTING_SIGMA_PX), depth_m


def _list_orientations(paper: str) -> list[Array]:
    """Return the sheet's corners in its two distinguishable layouts; a half turn looks the same."""
    width, height = PAPERS[paper]
    upright = plane_pose.list_sheet_corners(width, height)
    return [upright, np.roll(upright, 1, axis=0)]


def _fit_focal(camera: CameraModel, places: Array, pixels: Array) -> PlaneFit | None:
    best: PlaneFit | None = None
    low, high = (camera.width * share for share in FOCAL_RANGE)
    for focal in np.geomspace(low, high, 7):
        factor = math.log(focal / camera.fx)
        start = solve_plane(_scale_focal(camera, factor), places, pixels)
        if start is None:
            continue

        def compute_residuals(p: Array) -> Array:
            scaled = _scale_focal(camera, float(p[6]))
            return np.asarray((plane_pose.project(scaled, p, places) - pixels).ravel())

        pose = plane_pose.split_pose(start.camera_from_sheet)
        fit = plane_pose.fit_residuals(compute_residuals, np.concatenate([*pose, [factor]]))
        is_in_range = low <= camera.fx * math.exp(float(fit.parameters[6])) <= high
        if is_in_range and (best is None or fit.square_sum < best.square_sum):
            best = fit
    return best


def _scale_focal(camera: CameraModel, log_factor: float) -> CameraModel:
    factor = math.exp(min(3.0, max(-3.0, log_factor)))
    return replace(camera, fx=camera.fx * factor, fy=camera.fy * factor)
