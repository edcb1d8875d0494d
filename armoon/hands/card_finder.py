"""Finds cards (paper ladders) in pictures by their printed tags, and fits their poses to the whole print."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.sources import Image, sample_levels, to_grey
from armoon.geometry import Array, CameraModel
from armoon.values.paper import DICTIONARY, TAG_CELLS, PaperLadder, Tag

#: Points per cell at which brightness is compared, along each side, and the white border that they include, in cells.
_POINTS_PER_CELL, _MARGIN_CELLS = 2.0, 0.25
#: Width of the white border around a tag in the model of its brightness, in cells.
_BORDER_CELLS = 6
#: Table of the error function, which describes blurred edges.
_ERF_AT = np.linspace(-4.0, 4.0, 801)
_ERF = np.array([math.erf(x) for x in _ERF_AT])


@dataclass(frozen=True, eq=False)
class PrintedTags:
    """Tags of one ladder, and the points at which the model's brightness is compared with the picture's."""

    tags: tuple[Tag, ...]
    points: Array
    """(tags * n, 3) card frame."""
    corners: Array
    """(tags, 4, 3) card frame, in OpenCV's order."""
    cells: Array
    """(tags, cells, cells) with a white border: paper 1 and ink 0."""

    @property
    def side_cells(self) -> int:
        return self.cells.shape[1] - 2 * _BORDER_CELLS

    def compute_levels(self, sigma_cells: Array) -> Array:
        """Return the expected brightness (tags, n), mean 0 and length 1 per tag; ``sigma_cells``: (tags, 2) blur."""
        across, down = (_weigh_cells(sigma_cells[:, k], self.side_cells) for k in (0, 1))
        brightness = (down @ self.cells @ across.transpose(0, 2, 1)).reshape(len(self.tags), -1)
        brightness -= brightness.mean(axis=1, keepdims=True)
        return np.asarray(brightness / np.sqrt((brightness * brightness).sum(axis=1, keepdims=True)))

    def select_tags(self, indices: Sequence[int]) -> PrintedTags:
        points = self.points.reshape(len(self.tags), -1, 3)[list(indices)].reshape(-1, 3)
        tags = tuple([self.tags[k] for k in indices])
        return PrintedTags(tags, points, self.corners[list(indices)], self.cells[list(indices)])


@cache
def _compute_point_positions(cells: int) -> Array:
    count = round((cells + 2 * _MARGIN_CELLS) * _POINTS_PER_CELL)
    return np.asarray((np.arange(count) - (count - 1) / 2.0) / _POINTS_PER_CELL + cells / 2.0)


def _weigh_cells(sigma: Array, cells: int) -> Array:
    """Return each cell's share of the brightness at each point (tags, points, cells) along one axis."""
    edges = np.arange(-_BORDER_CELLS, cells + _BORDER_CELLS + 1.0)
    scaled = (edges - _compute_point_positions(cells)[:, np.newaxis]) / (
        math.sqrt(2.0) * sigma[:, np.newaxis, np.newaxis]
    )
    return np.asarray(np.diff(np.interp(scaled, _ERF_AT, _ERF), axis=2) / 2.0)


@cache
def get_printed_tags(ladder: PaperLadder, *, front: bool) -> PrintedTags:
    return make_prints([tag for tag in ladder.tags if tag.front is front])


@cache
def get_thumb_tag(ladder: PaperLadder) -> PrintedTags:
    return make_prints([ladder.thumb])


def make_prints(tags: Sequence[Tag], markers: cv2.aruco.Dictionary | None = None) -> PrintedTags:
    """Return the prints of tags; ``markers``: their ArUco dictionary, by default the kit's."""
    markers = markers or get_dictionary()
    count = markers.markerSize + 2
    cells = [cv2.aruco.generateImageMarker(markers, tag.number, count) / 255.0 for tag in tags]
    corners = np.array([tag.corners for tag in tags])
    positions = _compute_point_positions(count)
    column, row = (grid.ravel()[:, np.newaxis] / count for grid in np.meshgrid(positions, positions))
    points = [c[0] + column * (c[1] - c[0]) + row * (c[3] - c[0]) for c in corners]
    framed = [np.pad(tag_cells, _BORDER_CELLS, constant_values=1.0) for tag_cells in cells]
    return PrintedTags(tuple(tags), np.concatenate(points), corners, np.array(framed))


def get_dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))


#: Blur of a usual webcam, including sampling by pixels, and limits of its estimate (pixels, one sigma).
USUAL_BLUR_PX, MIN_BLUR_PX, MAX_BLUR_PX = 0.9, 0.5, 6.0
_MAX_ITERATIONS = 7
#: Step (three rotations in radians, three shifts in metres) that ends the fit: the next one would be ten times smaller.
_LAST_STEP = np.array([1.6e-3, 1.6e-3, 1.6e-3, 8e-5, 8e-5, 1.6e-4])
#: Difference, as a fraction of the contrast of ink on paper, above which a point (covered or glossy) counts less.
_OUTLIER = 0.2
#: Factor applied to the error, because neighbouring points share noise and model errors.
_ERROR_FACTOR = 2.5
#: Minimum score of a tag: the correlation of its print with the picture.
MIN_SCORE = 0.4
#: Blur added to a picture, in cells of a tag, and the minimum in pixels below which none is added.
_SMOOTHED_CELLS, _MIN_SMOOTHING_PX = 0.13, 0.4
#: Limits of a card's distance from the camera, and maximum plausible step of the fit, metres.
_NEAREST_M, _FARTHEST_M, _MAX_STEP_M = 0.08, 3.0, 0.12


@dataclass(frozen=True, eq=False)
class PicturePart:
    """A part of a picture with its gradients."""

    left: int
    top: int
    values: npt.NDArray[np.float32]
    """(h, w, 3): brightness, and its gradients to the right and down per pixel."""
    smoothed_px: float
    """Standard deviation, pixels, of the added blur; it makes each compared point represent many pixels."""


@dataclass(frozen=True, eq=False)
class CardFit:
    """A fitted pose: camera_from_card."""

    rotation: Array
    """(3, 3)"""
    origin: Array
    """(3,)"""
    scores: Array
    """(tags,), correlations from -1 to 1; 0 for tags outside the picture."""
    misfit: float
    """Root mean square residual, as a fraction of the contrast of ink on paper."""
    covariance: Array
    """(6, 6), for a small rotation about the card's origin and a shift; camera frame, radians and metres."""


def crop_picture(image: Image, box: tuple[int, int, int, int], cell_px: float) -> PicturePart | None:
    """Return a part of a BGR or grey picture; None if too small.

    ``box``: left, top, right and bottom, pixels; ``cell_px``: approximate size of a tag's cell.
    """
    height, width = image.shape[:2]
    left, top, right, bottom = max(0, box[0]), max(0, box[1]), min(width, box[2]), min(height, box[3])
    if right - left < 12 or bottom - top < 12:
        return None
    part = to_grey(image[top:bottom, left:right]).astype(np.float32)
    smoothed_px = _SMOOTHED_CELLS * cell_px
    if smoothed_px > _MIN_SMOOTHING_PX:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), smoothed_px), dtype=np.float32)
    else:
        smoothed_px = 0.0
    across = cv2.Scharr(part, cv2.CV_32F, 1, 0, scale=1.0 / 32.0)
    down = cv2.Scharr(part, cv2.CV_32F, 0, 1, scale=1.0 / 32.0)
    return PicturePart(left, top, np.asarray(cv2.merge([part, across, down]), dtype=np.float32), smoothed_px)


def project(camera: CameraModel, points: Array) -> Array:
    """Return the camera pixels (2, n), including distortion, of points (n, 3) in front of it."""
    x, y = points[:, 0] / points[:, 2], points[:, 1] / points[:, 2]
    if any(camera.distortion):
        k1, k2, p1, p2, k3 = camera.distortion
        r2, xy = x * x + y * y, x * y
        radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
        x, y = (
            x * radial + 2.0 * p1 * xy + p2 * (r2 + 2.0 * x * x),
            y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * xy,
        )
    return np.stack([camera.fx * x + camera.cx, camera.fy * y + camera.cy])


def predict_levels(
    camera: CameraModel, prints: PrintedTags, rotation: Array, origin: Array, blur_px: Array
) -> Array:
    """Return the prints' expected brightness (tags, n), seen with a blur of covariance ``blur_px`` (2, 2)."""
    middle = prints.corners.mean(axis=1)
    sides = prints.corners[:, (1, 3)] - prints.corners[:, :1]
    ends = np.concatenate([middle[:, np.newaxis], middle[:, np.newaxis] + sides / prints.side_cells], axis=1)
    pixels = project(camera, ends.reshape(-1, 3) @ rotation.T + origin).T.reshape(-1, 3, 2)
    cell_px = pixels[:, 1:] - pixels[:, :1]  # rows: one cell across, one cell down
    (xx, xy), (_, yy) = blur_px
    right, down = cell_px[:, :, 0], cell_px[:, :, 1]
    area = right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0] + 1e-9
    # Only blur along an edge's normal matters; the normal is the cell's other side, rotated by 90 degrees.
    along_x = np.stack([down[:, 1], -right[:, 1]], axis=1)
    along_y = np.stack([-down[:, 0], right[:, 0]], axis=1)
    variance = along_x * along_x * xx + 2.0 * along_x * along_y * xy + along_y * along_y * yy
    return prints.compute_levels(np.sqrt(variance) / abs(area[:, np.newaxis]))


def fit_pose(
    camera: CameraModel,
    crop: PicturePart,
    prints: PrintedTags,
    rotation: Array,
    origin: Array,
    blur_px: Array,
) -> CardFit | None:
    """Return the pose near the given one that fits the visible prints best, or None. ``blur_px``: covariance (2, 2)."""
    levels = predict_levels(camera, prints, rotation, origin, blur_px + np.eye(2) * crop.smoothed_px**2)
    for _ in range(_MAX_ITERATIONS):
        step = _compute_step(camera, crop, prints, levels, rotation, origin)
        if step is None:
            return None
        change, normal, misfit, scores = step
        rotation = cv2.Rodrigues(change[:3])[0] @ rotation
        origin = origin + change[3:]
        if not _NEAREST_M < origin[2] < _FARTHEST_M or float(abs(change[3:]).max()) > _MAX_STEP_M:
            return None
        if (abs(change) < _LAST_STEP).all():
            break
    covariance = np.asarray(cv2.invert(normal)[1]) * (misfit * _ERROR_FACTOR) ** 2
    return CardFit(rotation, origin, scores, misfit, covariance)


def _compute_step(
    camera: CameraModel, crop: PicturePart, prints: PrintedTags, levels: Array, rotation: Array, origin: Array
) -> tuple[Array, Array, float, Array] | None:
    """Return a Gauss-Newton step (6,), the normal matrix (6, 6), the misfit and the tags' scores (tags,)."""
    offsets = prints.points @ rotation.T
    points = offsets + origin
    sampled = _sample_points(camera, crop, points, len(levels))
    if sampled is None:
        return None
    samples, inside = sampled
    centred, gain, scores = _compare_with_levels(samples[:, :, 0], levels)
    scores = np.where(inside, scores, 0.0)
    used = scores >= MIN_SCORE
    if not used.any():
        return None
    contrast = np.where(used, gain, 1.0)[:, np.newaxis] * math.sqrt(4.0 / levels.shape[1])
    residual = (centred - gain[:, np.newaxis] * levels) / contrast
    weight = used[:, np.newaxis] / np.maximum(1.0, abs(residual) / _OUTLIER)
    slopes = _compute_slopes(camera, samples.reshape(-1, 3), offsets, points)
    slopes = slopes.reshape(6, *levels.shape) / contrast
    # Remove variation that a tag's own gain and offset explain, because it says nothing about the pose.
    slopes -= slopes.mean(axis=2, keepdims=True)
    slopes -= (slopes * levels).sum(axis=2, keepdims=True) * levels
    weighted_slopes = (slopes * weight).reshape(6, -1)
    normal = weighted_slopes @ slopes.reshape(6, -1).T
    misfit = math.sqrt(float((weight * residual * residual).sum()) / float(weight.sum()))
    try:
        return np.linalg.solve(normal, -weighted_slopes @ residual.ravel()), normal, misfit, scores
    except np.linalg.LinAlgError:
        return None


def measure_scores(
    camera: CameraModel, crop: PicturePart, prints: PrintedTags, rotation: Array, origin: Array, *blurs: Array
) -> Array:
    """Return scores (blurs, tags), -1 to 1, for blurs of these covariances (2, 2); NaN for tags outside the crop."""
    sampled = _sample_points(camera, crop, prints.points @ rotation.T + origin, len(prints.tags))
    if sampled is None:
        return np.full((len(blurs), len(prints.tags)), np.nan)
    samples, inside = sampled
    scores = []
    for blur_px in blurs:
        levels = predict_levels(camera, prints, rotation, origin, blur_px + np.eye(2) * crop.smoothed_px**2)
        scores.append(_compare_with_levels(samples[:, :, 0], levels)[2])
    return np.where(inside, np.array(scores), np.nan)


def _compare_with_levels(samples: Array, levels: Array) -> tuple[Array, Array, Array]:
    """Return the brightness (tags, n) minus each tag's mean, and the tags' gains and scores (tags,)."""
    centred = samples - samples.mean(axis=1, keepdims=True)
    gain = (centred * levels).sum(axis=1)
    return centred, gain, gain / np.sqrt((centred * centred).sum(axis=1) + 1e-9)


def _compute_slopes(camera: CameraModel, samples: Array, offsets: Array, points: Array) -> Array:
    """Return the derivatives (6, n) of brightness with respect to a rotation about the card's origin and a shift."""
    along_x, along_y = samples[:, 1] * (camera.fx / points[:, 2]), samples[:, 2] * (camera.fy / points[:, 2])
    along_z = -(along_x * points[:, 0] + along_y * points[:, 1]) / points[:, 2]
    x, y, z = offsets.T
    turns = [y * along_z - z * along_y, z * along_x - x * along_z, x * along_y - y * along_x]
    return np.stack([*turns, along_x, along_y, along_z])


def _sample_points(
    camera: CameraModel, crop: PicturePart, points: Array, tags: int
) -> tuple[Array, npt.NDArray[np.bool_]] | None:
    """Return brightness and gradients (tags, n, 3) at the points, and which tags (tags,) are inside the crop."""
    if points[:, 2].min() < _NEAREST_M:
        return None
    u, v = project(camera, points) - [[crop.left], [crop.top]]
    height, width = crop.values.shape[:2]
    outside = (u < 0.0) | (v < 0.0) | (u > width - 1) | (v > height - 1)
    inside = ~outside.reshape(tags, -1).any(axis=1)
    if not inside.any():
        return None
    return sample_levels(crop.values, np.stack([u, v], axis=-1).reshape(tags, -1, 2)), inside


#: Minimum number of tags of one face that identify a new card, and their minimum score.
_MIN_TAGS, _MIN_TAG_SCORE = 2, 0.75
#: Maximum distance of a card with a single visible tag, which may be misread, from its last position.
_NEAR_M = 0.1
#: Minimum ratio of two poses' errors for choosing the better one; otherwise the pose nearer to the last one is chosen.
_CLEAR_ERROR_RATIO = 1.15
#: Angle below which two poses count as one, because tracking will resolve the difference.
_SAME_POSE_RAD = 0.25
#: Margin around a card's picture, pixels.
MARGIN_PX = 14


@dataclass(frozen=True, eq=False)
class FoundCard:
    ladder: PaperLadder
    front: bool
    fit: CardFit

    @property
    def prints(self) -> PrintedTags:
        """The tags of the visible face."""
        return get_printed_tags(self.ladder, front=self.front)


class CardFinder:
    """Finds paper ladders by their tags, although each tag allows two poses; use it from one thread."""

    def __init__(self, camera: CameraModel, ladders: Sequence[PaperLadder]) -> None:
        self._camera, self._ladders = camera, tuple(ladders)
        parameters = _make_parameters(cv2.aruco.CORNER_REFINE_NONE)
        # A single threshold is enough for ink on paper.
        parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 17
        parameters.minMarkerPerimeterRate = 0.02
        self._detector = cv2.aruco.ArucoDetector(get_dictionary(), parameters)

    def find_card(self, grey: Image, left: int, top: int, last: FoundCard | None = None) -> FoundCard | None:
        """Return the ladder in a crop whose corner is at (left, top); the ladder of ``last`` needs only one tag."""
        visible = _detect_tags(self._detector, grey)
        best: FoundCard | None = None
        for ladder, front in itertools.product(self._ladders, (True, False)):
            face = get_printed_tags(ladder, front=front)
            indices = [k for k, tag in enumerate(face.tags) if tag.number in visible]
            previous = last if last is not None and last.ladder is ladder else None
            if len(indices) < (_MIN_TAGS if previous is None else 1):
                continue
            prints = face.select_tags(indices)
            pixels = np.array([visible[tag.number] for tag in prints.tags])
            fits = self._fit_poses(grey, left, top, prints, pixels)
            # Two tags can be ambiguous; a third one, even partly covered or in shadow, often decides.
            fit = _choose_fit(fits, previous)
            fit = fit or _choose_fit(self._fit_whole_face(grey, left, top, face, fits), previous)
            if fit is None:
                continue
            if previous and len(indices) == 1 and math.dist(fit.origin, previous.fit.origin) > _NEAR_M:
                continue
            if best is None or len(fit.scores) > len(best.fit.scores):
                best = FoundCard(ladder, front, fit)
        return best

    def has_card(self, grey: Image) -> bool:
        visible = _detect_tags(self._detector, grey)
        return any(
            sum(tag.number in visible for tag in ladder.tags if tag.front is front) >= _MIN_TAGS
            for ladder, front in itertools.product(self._ladders, (True, False))
        )

    def _fit_poses(
        self, grey: Image, left: int, top: int, prints: PrintedTags, pixels: Array
    ) -> list[CardFit]:
        """Return up to two poses of the face, fitted to the corners of its tags; ``pixels``: (tags, 4, 2)."""
        camera = self._camera
        points = prints.corners.reshape(-1, 3)
        flat_points = points * (1.0, 1.0, 0.0)
        corners_px = np.ascontiguousarray((pixels + np.array([left, top])).reshape(-1, 1, 2))
        undistorted = cv2.undistortPoints(corners_px, camera.matrix(), np.array(camera.distortion))
        try:
            _, rotations, translations, _ = cv2.solvePnPGeneric(
                flat_points, undistorted, np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_IPPE
            )
        except cv2.error:
            return []
        low, high = pixels.min(axis=(0, 1)) - MARGIN_PX, pixels.max(axis=(0, 1)) + MARGIN_PX
        cell_px = float(np.linalg.norm(pixels[:, 1] - pixels[:, 0], axis=1).mean()) / TAG_CELLS
        (x0, y0), (x1, y1) = low.astype(int), high.astype(int)
        crop = crop_picture(grey, (int(x0), int(y0), int(x1), int(y1)), cell_px)
        if crop is None:
            return []
        shifted = offset_camera(camera, left, top)
        fits = []
        for rotation, shift in zip(rotations, translations, strict=True):
            matrix: Array = np.asarray(cv2.Rodrigues(rotation)[0], dtype=np.float64)
            origin: Array = np.ravel(shift).astype(np.float64)
            faces_camera = float(matrix[:, 2] @ origin) * (1.0 if prints.tags[0].front else -1.0) < 0.0
            if not faces_camera or origin[2] <= 0.0:
                continue
            fit = fit_pose(shifted, crop, prints, matrix, origin, np.eye(2) * USUAL_BLUR_PX**2)
            if fit is not None and (fit.scores > _MIN_TAG_SCORE).all():
                fits.append(fit)
        return fits

    def _fit_whole_face(
        self, grey: Image, left: int, top: int, prints: PrintedTags, fits: list[CardFit]
    ) -> list[CardFit]:
        shifted, blur_px = offset_camera(self._camera, left, top), np.eye(2) * USUAL_BLUR_PX**2
        refitted = []
        for fit in fits:
            crop = crop_around(shifted, grey, prints, fit.rotation, fit.origin)
            if crop and (better := fit_pose(shifted, crop, prints, fit.rotation, fit.origin, blur_px)):
                refitted.append(better)
        return refitted


def offset_camera(camera: CameraModel, left: int, top: int) -> CameraModel:
    return replace(camera, cx=camera.cx - left, cy=camera.cy - top)


def _choose_fit(fits: list[CardFit], last: FoundCard | None) -> CardFit | None:
    """Return the clearly better of two poses, or else the one nearer to ``last``; None without ``last``."""
    fits = sorted(fits, key=lambda fit: fit.misfit)
    if len(fits) < 2 or _measure_angle(fits[0].rotation, fits[1].rotation) < _SAME_POSE_RAD:
        return fits[0] if fits else None
    if fits[1].misfit > _CLEAR_ERROR_RATIO * fits[0].misfit:
        return fits[0]
    if last is None:
        return None
    return min(fits, key=lambda fit: _measure_angle(fit.rotation, last.fit.rotation))


def _measure_angle(a: Array, b: Array) -> float:
    return float(np.arccos(np.clip((np.trace(a.T @ b) - 1.0) / 2.0, -1.0, 1.0)))


def find_bounding_box(
    camera: CameraModel, prints: PrintedTags, rotation: Array, origin: Array
) -> tuple[int, int, int, int] | None:
    """Return left, top, right and bottom of a face, pixels; None if it isn't in front of the camera."""
    points = prints.corners.reshape(-1, 3) @ rotation.T + origin
    if points[:, 2].min() < 0.05:
        return None
    u, v = project(camera, points)
    low, high = (min(u), min(v)), (max(u), max(v))
    return int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1


def crop_around(
    camera: CameraModel,
    image: Image,
    prints: PrintedTags,
    rotation: Array,
    origin: Array,
    margin_px: int = MARGIN_PX,
) -> PicturePart | None:
    """Return the part of a picture (``crop_picture``) where a face is expected; None if too little is visible."""
    box = find_bounding_box(camera, prints, rotation, origin)
    if box is None:
        return None
    left, top, right, bottom = box
    cell_px = camera.fx * prints.tags[0].side_m / TAG_CELLS / max(0.05, float(origin[2]))
    around = (left - margin_px, top - margin_px, right + margin_px, bottom + margin_px)
    return crop_picture(image, around, cell_px)


#: Margin around the tags within which they are detected again to refine their corners, pixels.
_REFINE_MARGIN_PX = 24
#: Maximum ratio of errors at which the second pose of a single tag is also returned.
_MAX_ERROR_RATIO = 1.5


class TagReader:
    """Locates an object by its tags; use it from one thread."""

    def __init__(self, corners: Mapping[int, Array]) -> None:
        """``corners``: tag number to corners (4, 3), in OpenCV's order and a common frame."""
        self._corners = corners
        # Blur shifts corners but not edges, so refine corners by their edges; only near the tags, because that is slow.
        self._detector, self._refiner = (
            cv2.aruco.ArucoDetector(get_dictionary(), _make_parameters(method))
            for method in (cv2.aruco.CORNER_REFINE_NONE, cv2.aruco.CORNER_REFINE_APRILTAG)
        )

    def find_poses(self, grey: Image, camera: CameraModel) -> list[tuple[Array, Array]]:
        """Return the poses (rotation, position) of the common frame in the camera's: up to two for a single tag."""
        tags = self._detect(self._detector, grey)
        if not tags:
            return []
        around = np.concatenate(list(tags.values()))
        left, top = np.maximum(around.min(axis=0).astype(int) - _REFINE_MARGIN_PX, 0)
        right, bottom = around.max(axis=0).astype(int) + _REFINE_MARGIN_PX
        part = np.ascontiguousarray(grey[top:bottom, left:right])
        tags |= {n: c + np.array([left, top]) for n, c in self._detect(self._refiner, part).items()}
        points = np.concatenate([self._corners[number] for number in tags])
        method = cv2.SOLVEPNP_IPPE if len(tags) == 1 else cv2.SOLVEPNP_SQPNP
        try:
            pixels, lens = np.concatenate(list(tags.values())), np.array(camera.distortion)
            _, rotations, translations, errors = cv2.solvePnPGeneric(
                points, pixels, camera.matrix(), lens, flags=method
            )
        except cv2.error:
            return []
        solutions = [
            (float(error), np.asarray(cv2.Rodrigues(rotation)[0], np.float64), np.ravel(origin).astype(float))
            for error, rotation, origin in zip(np.ravel(errors), rotations, translations, strict=True)
        ]
        visible = [solution for solution in solutions if solution[2][2] > 0.0]
        max_error = _MAX_ERROR_RATIO * min((error for error, _, _ in visible), default=0.0) + 1e-9
        return [(rotation, origin) for error, rotation, origin in visible if error <= max_error]

    def _detect(self, detector: cv2.aruco.ArucoDetector, grey: Image) -> dict[int, Array]:
        tags = _detect_tags(detector, grey)
        return {number: quad for number, quad in tags.items() if number in self._corners}


def _make_parameters(refinement: int) -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    # A misread tag is worse than none.
    parameters.errorCorrectionRate = 0.0
    parameters.cornerRefinementMethod = refinement
    return parameters


def _detect_tags(detector: cv2.aruco.ArucoDetector, grey: Image) -> dict[int, Array]:
    """Return the corners (4, 2), pixels, of all tags in a picture, by tag number."""
    corners, numbers, _ = detector.detectMarkers(grey)
    return {
        int(number): np.asarray(quad, np.float64).reshape(4, 2)
        for number, quad in zip(np.ravel([] if numbers is None else numbers), corners, strict=False)
    }
