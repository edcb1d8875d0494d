"""The table from a blank sheet, with or without a known focal length, and from four pointed corners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from armoon.camera.board_finder import as_grey, why_nothing
from armoon.camera.plane_pose import (
    LEAST_SIGMA_PX,
    Fit,
    PlaneFault,
    PlanePose,
    Unseen,
    least_squares,
    normalised,
    plane_pose,
    pose_vectors,
    project,
    sheet_places,
    solve_plane,
)
from armoon.camera.sources import Image
from armoon.geometry import Array, CameraModel
from armoon.printing.page import PAPERS

#: The outline is searched at about this width; edges are measured in the full picture.
_SEARCH_WIDTH_PX = 640
#: Limits of a sheet's share of the picture's area: a smaller one gives no pose within 3 mm, a larger one is cut off.
_LEAST_AREA, _MOST_AREA = 0.012, 0.9
#: Minimum contrast of the sheet against the table, in grey levels.
_LEAST_CONTRAST = 18.0
_SAMPLES = 72
#: Sides are sampled between these fractions: fingers, clips and dog-ears are at the ends.
_FROM, _TO = 0.06, 0.94
#: How far across the outline an edge is looked for (pixels of the full picture at 640 width).
_ACROSS_PX = 6.0
#: Minimum share of a side's samples on one line.
_LEAST_SHARE = 0.5
#: Height of a side's bow over its length: flat paper stays below, even with an uncalibrated webcam's lens.
_MOST_BOW = 0.004
_LEAST_BOW_PX = 0.7
#: A table's own grain has smaller steps of grey level along the prolongation of a side.
_GOES_ON_LEVELS = 14.0


def find_sheet(camera: CameraModel, image: Image) -> tuple[Array, float] | Unseen:
    """Return the blank sheet's corners (4, 2), clockwise distorted pixels, and its edges' RMS misfit, pixels."""
    grey = as_grey(image)
    outlines = _outlines(grey)
    if not outlines:
        reason = why_nothing(grey)
        return Unseen(PlaneFault.ABSENT if reason is PlaneFault.BLURRED else reason)
    found: list[tuple[Array, float]] = []
    refusal = Unseen(PlaneFault.COVERED)
    for outline in outlines:
        refined = _refined(camera, grey, outline)
        if isinstance(refined, Unseen):
            refusal = refined
        elif not any(_same(refined[0], other[0]) for other in found):
            found.append(refined)
    if len(found) > 1:
        return Unseen(PlaneFault.TWO)
    return found[0] if found else refusal


def _outlines(grey: Image) -> list[Array]:
    """Bright four-sided outlines (4, 2) in full pixels, clockwise, largest first."""
    step = max(1.0, grey.shape[1] / _SEARCH_WIDTH_PX)
    small = cv2.resize(grey, None, fx=1.0 / step, fy=1.0 / step, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.2), dtype=np.uint8)
    otsu, _ = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    middle = float(np.median(soft))
    levels = {
        round(otsu),
        round(0.5 * (otsu + 255)),
        round(middle + 25),
        round(middle + 50),
        round(otsu * 0.8),
    }
    outlines: list[Array] = []
    for level in sorted(levels):
        _, mask = cv2.threshold(soft, level, 255, cv2.THRESH_BINARY)
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            corners = _four_sided(contour, soft)
            if corners is not None:
                full = (corners + 0.5) * step - 0.5
                if not any(_same(full, other) for other in outlines):
                    outlines.append(full)
    return sorted(outlines, key=lambda c: -abs(cv2.contourArea(c.astype(np.float32))))


def _four_sided(contour: cv2.typing.MatLike, soft: Image) -> Array | None:
    """Return the corners (4, 2) of a contour that is a bright convex quadrangle inside the picture."""
    height, width = soft.shape
    area = cv2.contourArea(contour)
    if not _LEAST_AREA * width * height <= area <= _MOST_AREA * width * height:
        return None
    hull = cv2.convexHull(contour)
    if area < 0.85 * cv2.contourArea(hull):  # something bites into it
        return None
    around = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.045, 0.06):
        polygon = cv2.approxPolyDP(hull, share * around, True)
        if len(polygon) <= 4:
            break
    if len(polygon) != 4 or cv2.contourArea(polygon) < 0.9 * area:
        return None
    corners = np.asarray(polygon, dtype=np.float64).reshape(4, 2)
    x, y = corners.T
    if x.min() < 2 or y.min() < 2 or x.max() > width - 3 or y.max() > height - 3:
        return None
    if _contrast(soft, corners) < _LEAST_CONTRAST:
        return None
    sides = np.roll(corners, -1, axis=0) - corners
    turn = sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0]
    return corners if turn > 0 else corners[::-1].copy()


def _contrast(soft: Image, corners: Array) -> float:
    """Median grey level just inside minus just outside."""
    inside = np.zeros_like(soft)
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), (255,))
    kernel = np.ones((9, 9), np.uint8)
    core, rim = cv2.erode(inside, kernel), cv2.dilate(inside, kernel)
    around = (rim > 0) & (cv2.dilate(inside, np.ones((3, 3), np.uint8)) == 0)
    if not core.any() or not around.any():
        return 0.0
    return float(np.median(soft[core > 0])) - float(np.median(soft[around]))


def _refined(camera: CameraModel, grey: Image, outline: Array) -> tuple[Array, float] | Unseen:
    """Corners from lines through the measured edges."""
    step = max(1.0, grey.shape[1] / _SEARCH_WIDTH_PX)
    soft = cv2.GaussianBlur(grey, (0, 0), 0.8 * step).astype(np.float32)
    scale = np.array([camera.fx, camera.fy])
    lines, left = [], []
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        edges = _edge_points(soft, start, end, _ACROSS_PX * step)
        if len(edges) < _LEAST_SHARE * _SAMPLES:
            return Unseen(PlaneFault.COVERED)
        # Undistorted, then back in pixels, so that residuals are pixels.
        straight = normalised(camera, edges) * scale
        line, kept, distance = _fit_line(straight)
        if np.count_nonzero(kept) < _LEAST_SHARE * _SAMPLES:
            return Unseen(PlaneFault.NOT_FLAT if _is_bent(straight, step) else PlaneFault.COVERED)
        if _is_bent(straight[kept], step):
            return Unseen(PlaneFault.NOT_FLAT)
        lines.append(line)
        left.append(distance[kept])
    corners = np.array([np.cross(lines[side - 1], lines[side]) for side in range(4)])
    flat = corners[:, :2] / corners[:, 2:] / scale
    lens = np.array(camera.distortion)
    seen, _ = cv2.projectPoints(
        np.column_stack([flat, np.ones(4)]), np.zeros(3), np.zeros(3), camera.matrix(), lens
    )
    error = float(np.sqrt(np.mean(np.concatenate(left) ** 2)))
    pixels = np.asarray(seen, dtype=np.float64).reshape(4, 2)
    for start, end in zip(pixels, np.roll(pixels, -1, axis=0), strict=True):
        if _goes_on(soft, start, end, step):
            return Unseen(PlaneFault.COVERED)
    return pixels, error


def _edge_points(soft: cv2.typing.MatLike, start: Array, end: Array, reach: float) -> Array:
    """Where the picture falls off most steeply across a side (n, 2), between samples by a parabola."""
    along = (end - start) / np.linalg.norm(end - start)
    outwards = np.array([along[1], -along[0]])
    places = start + np.linspace(_FROM, _TO, _SAMPLES)[:, np.newaxis] * (end - start)
    offsets = np.arange(-reach, reach + 0.25, 0.5)
    grid = places[:, np.newaxis] + offsets[np.newaxis, :, np.newaxis] * outwards
    levels = cv2.remap(
        soft, grid[..., 0].astype(np.float32), grid[..., 1].astype(np.float32), cv2.INTER_LINEAR
    )
    fall = np.asarray(levels[:, :-2] - levels[:, 2:], dtype=np.float64)
    peak = np.clip(np.argmax(fall, axis=1), 1, fall.shape[1] - 2)
    rows = np.arange(len(fall))
    before, at, after = fall[rows, peak - 1], fall[rows, peak], fall[rows, peak + 1]
    bend = before - 2.0 * at + after
    shift = np.where(bend < -1e-6, 0.5 * (before - after) / np.minimum(bend, -1e-6), 0.0)
    good = (at > 0.25 * np.median(at)) & (at > 3.0) & (np.abs(shift) <= 1.0)
    across = offsets[1 + peak] + 0.5 * shift
    return np.asarray((places + across[:, np.newaxis] * outwards)[good], dtype=np.float64)


def _fit_line(points: Array) -> tuple[Array, Array, Array]:
    """Return a line (3,) a x + b y + c = 0 with unit normal through most points; which (n,) and how far off (n,)."""
    kept = np.ones(len(points), dtype=bool)
    for _ in range(6):
        middle = points[kept].mean(axis=0)
        normal = np.linalg.svd(points[kept] - middle, full_matrices=False)[2][1]
        distance = (points - middle) @ normal
        spread = max(0.15, 1.4826 * float(np.median(np.abs(distance[kept]))))
        kept = np.abs(distance) <= 2.5 * spread
        if not kept.any():
            kept[:] = True
            break
    return np.array([*normal, -normal @ middle]), kept, distance


def _bow(points: Array) -> float:
    """Return the height of the arc through points (n, 2) along a side, over the side's length."""
    middle = points.mean(axis=0)
    axes = np.linalg.svd(points - middle, full_matrices=False)[2]
    along, across = axes @ (points - middle).T
    length = float(np.ptp(along))
    bend = np.polyfit(along, across, 2)[0]
    return abs(float(bend)) * length / 4.0


def _is_bent(points: Array, step: float) -> bool:
    """Whether a side is an arc: in proportion, and by more than a short side's noise."""
    bow = _bow(points)
    return bow > _MOST_BOW and bow * float(np.linalg.norm(np.ptp(points, axis=0))) > _LEAST_BOW_PX * step


def _goes_on(soft: cv2.typing.MatLike, start: Array, end: Array, step: float) -> bool:
    """Whether an edge continues beyond both corners, so something covers the sheet: half an A4 has an A4's shape."""
    along = end - start
    outwards = np.array([along[1], -along[0]]) / np.linalg.norm(along)
    steps = []
    for shares in (np.linspace(-0.22, -0.05, 24), np.linspace(1.05, 1.22, 24)):
        places = start + shares[:, np.newaxis] * along
        rows = [places + side * 3.0 * step * outwards for side in (-1.0, 1.0)]
        inner, outer = (
            cv2.remap(
                soft,
                r[:, :1].astype(np.float32),
                r[:, 1:].astype(np.float32),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            for r in rows
        )
        steps.append(float(np.median(inner - outer)))
    return min(abs(v) for v in steps) > _GOES_ON_LEVELS and steps[0] * steps[1] > 0.0


def _same(one: Array, other: Array) -> bool:
    size = np.linalg.norm(one[0] - one[2])
    return bool(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) < 0.2 * size)


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
    sheet = find_sheet(camera, image)
    if isinstance(sheet, Unseen):
        return sheet
    corners, _ = sheet
    found = []
    for paper in papers:
        for places in _ways_round(paper):
            pose = solve_plane(camera, places, corners)
            if pose is not None:
                found.append(SheetPose(pose, camera, paper, 0.0))
    best = min(found, key=lambda s: s.pose.error_px, default=None)
    if best is None or best.pose.error_px > MOST_ERROR_PX * max(1.0, camera.width / 1280.0):
        return Unseen(PlaneFault.OUTLINE)
    return best


def sheet_pose_and_focal(
    camera: CameraModel, image: Image, papers: Sequence[str] = ("a4",)
) -> SheetPose | Unseen:
    """As ``sheet_pose`` with unknown focal length; ``camera`` gives size, middle and a first guess.

    Assumes square pixels and a centred axis. Seen from straight above, the given camera is kept and ``focal_error``
    is large.
    """
    sheet = find_sheet(camera, image)
    if isinstance(sheet, Unseen):
        return sheet
    corners, error_px = sheet
    found = [
        (paper, fit)
        for paper in papers
        for places in _ways_round(paper)
        for fit in [_fit_focal(camera, places, corners)]
        if fit is not None
    ]
    if not found:
        return Unseen(PlaneFault.OUTLINE)
    paper, fit = min(found, key=lambda f: float(f[1].residuals @ f[1].residuals))
    sigma = float(np.sqrt(fit.covariance(max(LEAST_SIGMA_PX, error_px / 4.0))[6, 6]))
    if sigma > MOST_FOCAL_ERROR:
        known = sheet_pose(camera, image, papers)
        return known if isinstance(known, Unseen) else replace(known, focal_error=sigma)
    if float(np.sqrt(2.0 * np.mean(fit.residuals**2))) > MOST_ERROR_PX * max(1.0, camera.width / 1280.0):
        return Unseen(PlaneFault.OUTLINE)
    pose = _with_aside(plane_pose(fit), camera)
    return SheetPose(pose, _with_focal(camera, float(fit.parameters[6])), paper, sigma)


def pose_and_focal(
    camera: CameraModel, places: Array, pixels: Array
) -> tuple[PlanePose, CameraModel, float] | None:
    """Return a plane's pose, the camera with the focal length found, and its relative sigma; None if nothing fits.

    ``places`` (n, 2) on the plane are seen at ``pixels`` (n, 2). Above ``MOST_FOCAL_ERROR`` the focal length stays.
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
    """Return a rectangular table from its corners as clicked or touched, and its depth in metres.

    ``pixels`` (4, 2): far left, far right, near right, near left; ``near_side_m``: the one known length.
    """
    flat = normalised(camera, pixels)
    sides = np.roll(flat, -1, axis=0) - flat
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    if not np.all(turns > 1e-6) or not near_side_m > 0.0:
        return Unseen(PlaneFault.SHAPE)
    square = sheet_places(1.0, 1.0)
    homography, _ = cv2.findHomography(square, flat)
    # Columns are the sides' directions in space, each times its length over the distance (Zhang, 2000).
    ratio = float(np.linalg.norm(homography[:, 1]) / np.linalg.norm(homography[:, 0]))
    start = solve_plane(camera, sheet_places(near_side_m, near_side_m * ratio), pixels)
    if start is None:
        return Unseen(PlaneFault.SHAPE)
    rotation, position = pose_vectors(start.camera_from_sheet)

    def residuals(p: Array) -> Array:
        places = sheet_places(near_side_m, near_side_m * math.exp(p[6]))
        return np.asarray((project(camera, p, places) - pixels).ravel())

    fit = least_squares(residuals, np.concatenate([rotation, position, [math.log(ratio)]]))
    if float(np.sqrt(2.0 * np.mean(fit.residuals**2))) > 4.0 * POINTING_SIGMA_PX:
        return Unseen(PlaneFault.SHAPE)
    return plane_pose(fit, POINTING_SIGMA_PX), near_side_m * math.exp(float(fit.parameters[6]))


def _with_aside(pose: PlanePose, camera: CameraModel) -> PlanePose:
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
