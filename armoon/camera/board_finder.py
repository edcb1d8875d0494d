"""Finds a ChArUco board in a picture, or the reason why none is visible."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera import plane_pose
from armoon.camera.board import Board, draw_board, list_corners, make_opencv_board
from armoon.camera.plane_pose import PlaneFault, PlanePose
from armoon.camera.sources import Image, sample_levels, to_grey
from armoon.geometry import Array, CameraModel
from armoon.values.poses import Pose

#: Pixels per square of the drawn board, and its white margin in pixels.
_SQUARE_PX = 32
_MARGIN_PX = 16
#: Oversampling factor for squares below ``_SMALL_SQUARE_PX``, whose thin lines would alias.
_OVERSAMPLING, _SMALL_SQUARE_PX = 3, 40.0
#: Half the side of a compared patch: fraction of a square, and its minimum and maximum in pixels.
_REACH_SQUARES, _MIN_REACH_PX, _MAX_REACH_PX = 0.55, 4, 11
#: Blur of both pictures, pixels; it keeps their difference linear in shifts of one or two pixels.
_BLUR_PX = 0.8
#: Minimum correlation of a patch with the board; in the scripted scenes 0.93 if uncovered and 0.75 if half covered.
MIN_CORRELATION = 0.85
_MAX_ITERATIONS = 8
#: Minimum marker-free pixels around a corner for a saddle fit, and the fit's largest window. On OpenCV's tutorial
#: photographs the fit reduces the residual from 0.19 px to 0.15 px, closer to published values.
_CLEAR_PX, _MAX_CLEAR_PX = 8, 10
_ACCURATE_PX = 0.5
#: Minimum shorter side of a square in pixels; smaller squares merge with their neighbours.
_MIN_SQUARE_PX = 5.0
#: Maximum deviation of a marker's corners from the plane, in squares, and the minimum of this limit, in pixels;
#: misread markers exceed it.
_LIMIT_SQUARES, _MIN_LIMIT_PX = 0.15, 3.0
#: Maximum distance of a corner from its prediction, in squares; a farther one is a neighbour.
_MAX_SHIFT_SQUARES = 0.35

FloatImage = npt.NDArray[np.float32]


class CornerFinder:
    """Measures the corners of one board."""

    def __init__(self, board: Board) -> None:
        self._square_m = board.square_m
        self._clear_squares = (1.0 - board.marker_m / board.square_m) / 2.0
        self._places = list_corners(board)
        ink = draw_board(board, _SQUARE_PX)
        margin = (_MARGIN_PX,) * 4
        self._print = cv2.copyMakeBorder(ink, *margin, cv2.BORDER_CONSTANT, value=(255,))
        # Board frame to print pixels: the board's origin is its centre, y up; pixel centres are integers.
        per_m = _SQUARE_PX / board.square_m
        height, width = self._print.shape
        self._print_from_board = np.array(
            [[per_m, 0.0, width / 2.0 - 0.5], [0.0, -per_m, height / 2.0 - 0.5], [0.0, 0.0, 1.0]]
        )

    def find_corners(self, grey: Image, places: Array, pixels: Array) -> tuple[npt.NDArray[np.intp], Array]:
        """Return ids (n,) and pixels (n, 2) of corners, from marker corners ``places`` (m, 2) roughly at ``pixels``."""
        ids, px = self._measure_corners(grey, places, pixels)
        if len(ids) >= 4:
            # Corners known to half a pixel need no second pass.
            is_accurate = len(ids) == len(places) and np.abs(px - pixels).max() < _ACCURATE_PX
            # Repeat from the measured corners, which predict their neighbours better than markers do.
            new_ids, new_px = (ids, px) if is_accurate else self._measure_corners(grey, self._places[ids], px)
            if len(new_ids) >= len(ids):
                ids, px = new_ids, new_px
            clear_px = int(self._clear_squares * _measure_spacing(self._places[ids] / self._square_m, px))
            if clear_px >= _CLEAR_PX:
                window_px = min(clear_px, _MAX_CLEAR_PX)
                criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-3)
                start = px.astype(np.float32).reshape(-1, 1, 2)
                saddles = cv2.cornerSubPix(grey, start, (window_px, window_px), (-1, -1), criteria)
                px = np.asarray(saddles, dtype=np.float64).reshape(-1, 2)
        return ids, px

    def _measure_corners(
        self, grey: Image, places: Array, pixels: Array
    ) -> tuple[npt.NDArray[np.intp], Array]:
        empty = np.zeros(0, np.intp), np.zeros((0, 2))
        limit = max(_MIN_LIMIT_PX, _LIMIT_SQUARES * _measure_spacing(places / self._square_m, pixels))
        plane, _ = cv2.findHomography(places, pixels, cv2.RANSAC, limit)
        if plane is None:
            return empty
        homography = np.asarray(plane, dtype=np.float64)
        guess = _map_points(homography, self._places)
        # Add the lens's deviation from the homography, interpolated from the nearest known points.
        residuals = pixels - _map_points(homography, places)
        guess = guess + _interpolate_residuals(self._places, places, residuals, self._square_m)
        right, up = np.array([self._square_m, 0.0]), np.array([0.0, self._square_m])
        across = np.linalg.norm(_map_points(homography, self._places + right) - guess, axis=1)
        along = np.linalg.norm(_map_points(homography, self._places + up) - guess, axis=1)
        square_px = np.minimum(across, along)
        usual_px = float(np.median(square_px))
        reach = int(np.clip(round(_REACH_SQUARES * usual_px), _MIN_REACH_PX, _MAX_REACH_PX))
        height, width = grey.shape
        inside = np.all((guess > reach + 2) & (guess < np.array([width, height]) - reach - 3), axis=1)
        ids = np.flatnonzero(inside & np.isfinite(square_px) & (square_px > _MIN_SQUARE_PX))
        if not len(ids):
            return empty
        pattern_pixels = _map_points(homography, self._places[ids])
        top_left = np.floor(np.minimum(guess[ids], pattern_pixels).min(axis=0)).astype(int) - reach - 4
        size = np.ceil(np.maximum(guess[ids], pattern_pixels).max(axis=0)).astype(int) + reach + 5 - top_left
        pattern = self._draw_pattern(homography, top_left, size, usual_px)
        view = _blur_picture(_crop_picture(grey, top_left, size))
        drawn, expected = pattern_pixels - top_left, guess[ids] - top_left
        aligned, correlations = _align_patches(pattern, drawn, view, expected, reach)
        shift = np.linalg.norm(aligned - expected, axis=1)
        good = (correlations > MIN_CORRELATION) & (shift < _MAX_SHIFT_SQUARES * square_px[ids])
        return ids[good], (aligned + top_left)[good]

    def _draw_pattern(self, homography: Array, top_left: Array, size: Array, square_px: float) -> FloatImage:
        factor = _OVERSAMPLING if square_px < _SMALL_SQUARE_PX else 1
        # Print pixels to oversampled pixels: pixel centres are integers in both.
        scaling = np.array(
            [[factor, 0.0, (factor - 1) / 2.0], [0.0, factor, (factor - 1) / 2.0], [0.0, 0.0, 1.0]]
        )
        shift_matrix = np.array([[1.0, 0.0, -top_left[0]], [0.0, 1.0, -top_left[1]], [0.0, 0.0, 1.0]])
        matrix = scaling @ shift_matrix @ homography @ np.linalg.inv(self._print_from_board)
        size_px = (int(size[0]) * factor, int(size[1]) * factor)
        drawn = cv2.warpPerspective(self._print, matrix, size_px, flags=cv2.INTER_LINEAR, borderValue=(255,))
        return _blur_picture(cv2.resize(drawn, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA))


def _measure_spacing(squares: Array, pixels: Array) -> float:
    """Return a square's approximate size in pixels, from points in squares (n, 2) and in pixels (n, 2)."""
    spacing = np.linalg.norm(squares - np.roll(squares, 1, axis=0), axis=1)
    spacing_px = np.linalg.norm(pixels - np.roll(pixels, 1, axis=0), axis=1)
    return float(np.median(spacing_px / np.maximum(spacing, 1e-6)))


def _map_points(homography: Array, places: Array) -> Array:
    points = np.column_stack([places, np.ones(len(places))]) @ homography.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(points[:, :2] / np.where(points[:, 2:] > 1e-9, points[:, 2:], np.nan))


def _interpolate_residuals(targets: Array, places: Array, residuals: Array, square_m: float) -> Array:
    """Interpolate ``residuals`` (m, 2), known at ``places`` (m, 2), to ``targets`` (n, 2)."""
    lengths = np.linalg.norm(residuals, axis=1)
    reliable = lengths < 4.0 * max(1.0, float(np.median(lengths)))
    distances = np.linalg.norm(targets[:, np.newaxis] - places[reliable], axis=2) / square_m
    weight = 1.0 / (distances**4 + 0.05)
    return np.asarray(weight @ residuals[reliable] / weight.sum(axis=1, keepdims=True))


def _crop_picture(grey: Image, top_left: npt.NDArray[np.intp], size: npt.NDArray[np.intp]) -> Image:
    (left, top), (width, height) = top_left, size
    edge = max(0, -left, -top, left + width - grey.shape[1], top + height - grey.shape[0])
    if edge:
        grey = np.asarray(cv2.copyMakeBorder(grey, *(int(edge),) * 4, cv2.BORDER_REPLICATE), dtype=np.uint8)
    return grey[top + edge : top + edge + height, left + edge : left + edge + width]


def _blur_picture(picture: cv2.typing.MatLike) -> FloatImage:
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), _BLUR_PX), dtype=np.float32)


def _align_patches(
    pattern: FloatImage, drawn: Array, view: FloatImage, guess: Array, reach: int
) -> tuple[Array, Array]:
    """Return positions (n, 2) and correlations (n,) of ``pattern``'s patches around ``drawn`` in ``view``.

    Use Gauss-Newton from ``guess``, fitting contrast and brightness per patch (Lucas and Kanade 1981; Baker and
    Matthews 2004).
    """
    x, y = np.meshgrid(np.arange(-reach, reach + 1.0), np.arange(-reach, reach + 1.0))
    offsets = np.column_stack([x.ravel(), y.ravel()])
    expected = _sample_patches(pattern, drawn, offsets)
    slope_x, slope_y = (
        _sample_patches(pattern, drawn + half, offsets) - _sample_patches(pattern, drawn - half, offsets)
        for half in (np.array([0.5, 0.0]), np.array([0.0, 0.5]))
    )
    # Columns of the normal equations: shift in x and y, contrast, brightness. Outer pixels count less.
    weight = np.exp(-0.5 * (np.sum(offsets**2, axis=1) / (0.7 * reach) ** 2))
    columns = np.stack([slope_x, slope_y, expected, np.ones_like(expected)], axis=2)
    normal = np.einsum("nki,k,nkj->nij", columns, weight, columns) + 1e-6 * np.eye(4)
    inverse = np.linalg.inv(normal)
    refined = guess.copy()
    for _ in range(_MAX_ITERATIONS):
        observed = _sample_patches(view, refined, offsets)
        solution = np.einsum("nij,nj->ni", inverse, np.einsum("nki,k,nk->ni", columns, weight, observed))
        contrast = np.where(np.abs(solution[:, 2]) > 0.02, solution[:, 2], np.inf)
        # Shifting the picture by d gives the pattern minus d times its slope.
        step = np.clip(-solution[:, :2] / contrast[:, np.newaxis], -1.5, 1.5)
        refined = refined + step
        if float(np.abs(step).max()) < 2e-3:
            break
    share = weight / weight.sum()
    observed = _sample_patches(view, refined, offsets)
    a = expected - (expected @ share)[:, np.newaxis]
    b = observed - (observed @ share)[:, np.newaxis]
    return refined, np.asarray((a * b) @ share / np.sqrt((a * a) @ share * ((b * b) @ share) + 1e-9))


def _sample_patches(picture: FloatImage, centres: Array, offsets: Array) -> Array:
    """Return the grey levels (n, k) at ``centres`` (n, 2) plus ``offsets`` (k, 2)."""
    return sample_levels(picture, centres[:, np.newaxis] + offsets)


#: Minimum number of corners for a pose; they must not lie in a single row.
MIN_CORNERS = 6
#: Width from which pictures are searched for markers at half the size first: four times as fast.
_LARGE_WIDTH_PX = 960
#: Minimum number of markers for predicting neighbouring corners.
MIN_MARKERS = 2
#: Minimum number of misplaced markers that indicates another board; a single marker may be misread.
MIN_FOREIGN = 2
#: Maximum error of a flat board with the right profile; a bent sheet or a wrong profile exceeds it.
MAX_ERROR_PX = 1.0
#: Maximum arch of a flat sheet divided by its length (1 mm on A4 shifts the table by several mm), and the number of
#: standard deviations by which a larger arch must exceed zero to count.
_MAX_ARCH, _ARCH_SIGMAS = 0.006, 5.0
#: Error of a fitted plane below which the sheet isn't checked for bending, in pixels.
_CERTAINLY_FLAT_PX = 0.12
#: Minimum share of markers that lie where this board has them; with a smaller share it is another board.
_MIN_AGREEMENT = 0.6
#: Maximum distance of a marker from its place on the board, in marker diagonals.
_MAX_OFFSET = 0.35
#: Median grey level below which a webcam's noise exceeds the print's contrast.
_DARK_LEVEL = 28.0
_GLARE_LEVEL, _GLARE_SHARE = 250, 0.10
#: Variance of the Laplacian at about 640 pixels width below which a picture is blurred; wood in focus has more.
_BLURRED_VARIANCE = 7.0
#: Minimum spread of grey levels for judging blur: a uniformly grey picture isn't blurred.
_PLAIN_SPREAD = 12.0


@dataclass(frozen=True, eq=False)
class BoardView:
    ids: npt.NDArray[np.intp]
    """OpenCV's corner ids (n,)."""
    pixels: Array
    """Camera pixels (n, 2)."""
    places: Array
    """Places on the board (n, 2), board frame."""


class BoardFinder:
    """Finds one kind of board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        drawn = make_opencv_board(board)
        self._markers = cv2.aruco.ArucoDetector(drawn.getDictionary())
        self._corner_finder = CornerFinder(board)
        centre = np.array([board.width_m / 2.0, board.height_m / 2.0])
        self._marker_places = {
            int(number): (np.asarray(corners, dtype=np.float64)[:, :2] - centre) * (1.0, -1.0)
            for number, corners in zip(np.ravel(drawn.getIds()), drawn.getObjPoints(), strict=True)
        }

    def find_board(self, image: Image) -> BoardView | PlaneFault:
        """Return the board in ``image`` (BGR or grey); it may be rotated and partly covered."""
        grey = to_grey(image)
        markers = self._find_markers(grey)
        numbers = [number for number, _ in markers]
        if len(numbers) - len(set(numbers)) >= MIN_FOREIGN:
            return PlaneFault.TWO
        known = [(number, corners) for number, corners in markers if number in self._marker_places]
        offsets = self._measure_offsets(known)
        agreeing = [marker for marker, offset in zip(known, offsets, strict=True) if offset <= _MAX_OFFSET]
        foreign = [marker for marker, offset in zip(known, offsets, strict=True) if offset > _MAX_OFFSET]
        if len(foreign) >= MIN_FOREIGN:
            if len(agreeing) >= _MIN_AGREEMENT * len(known) and _are_mostly_outside(foreign, agreeing):
                return PlaneFault.TWO
            return PlaneFault.WRONG_BOARD
        if len(agreeing) < MIN_MARKERS:
            return self._explain_failure(grey, len(numbers))
        places = np.concatenate([self._marker_places[number] for number, _ in agreeing])
        ids, pixels = self._corner_finder.find_corners(
            grey, places, np.concatenate([corners for _, corners in agreeing])
        )
        if len(ids) < MIN_CORNERS:
            return self._explain_failure(grey, len(numbers))
        places_found = list_corners(self.board, ids.tolist())
        if np.linalg.matrix_rank(places_found - places_found.mean(axis=0), tol=0.5 * self.board.square_m) < 2:
            return PlaneFault.COVERED
        return BoardView(ids, pixels, places_found)

    def find_pose(self, camera: CameraModel, image: Image) -> PlanePose | PlaneFault:
        view = self.find_board(image)
        return view if isinstance(view, PlaneFault) else self.solve_pose(camera, view)

    def find_pose_near(self, camera: CameraModel, image: Image, near: Pose) -> PlanePose | PlaneFault:
        """Like ``find_pose``, but faster if the board is still close to ``near`` (``camera_from_sheet``)."""
        corners = list_corners(self.board)
        expected = plane_pose.project_sheet(camera, near, corners)
        ids, pixels = self._corner_finder.find_corners(to_grey(image), corners, expected)
        if 2 * len(ids) >= len(corners):
            pose = self.solve_pose(camera, BoardView(ids, pixels, corners[ids]))
            if not isinstance(pose, PlaneFault):
                return pose
        return self.find_pose(camera, image)

    def solve_pose(self, camera: CameraModel, view: BoardView) -> PlanePose | PlaneFault:
        pose = plane_pose.solve_plane(camera, view.places, view.pixels)
        if pose is None:
            return PlaneFault.COVERED
        if pose.error_px > MAX_ERROR_PX or self._is_bent(camera, view, pose):
            return PlaneFault.NOT_FLAT
        return pose

    def _is_bent(self, camera: CameraModel, view: BoardView, pose: PlanePose) -> bool:
        """Return whether the sheet is bent; its pose as a plane would be wrong by centimetres."""
        if pose.error_px < _CERTAINLY_FLAT_PX or len(view.ids) < 2 * MIN_CORNERS:
            return False
        x, y = view.places.T

        def compute_residuals(p: Array) -> Array:
            heights = p[6] * x * x + p[7] * y * y + p[8] * x * y
            pixels = plane_pose.project(camera, p, np.column_stack([x, y, heights]))
            return np.asarray((pixels - view.pixels).ravel())

        flat = [*plane_pose.split_pose(pose.camera_from_sheet), np.zeros(3)]
        fit = plane_pose.fit_residuals(compute_residuals, np.concatenate(flat))
        across, along = float(np.ptp(x)), float(np.ptp(y))
        # Convert curvatures to the height of the arc over the corners' span.
        reach = np.array([across**2, along**2, across * along]) / 4.0
        height = np.abs(fit.parameters[6:]) * reach
        sigma = np.sqrt(np.diag(fit.estimate_covariance(plane_pose.MIN_SIGMA_PX))[6:]) * reach
        is_bent = (height > _MAX_ARCH * max(across, along)) & (height > _ARCH_SIGMAS * sigma)
        return bool(is_bent.any())

    def _find_markers(self, grey: Image) -> list[tuple[int, Array]]:
        if grey.shape[1] >= _LARGE_WIDTH_PX:
            # Markers only give rough positions, for which a quarter of the pixels is enough on a large board.
            half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            markers = self._detect_markers(np.asarray(half, dtype=np.uint8))
            if len(markers) >= MIN_CORNERS:
                return [(number, 2.0 * corners + 0.5) for number, corners in markers]
        return self._detect_markers(grey)

    def _detect_markers(self, grey: Image) -> list[tuple[int, Array]]:
        markers, numbers, _ = self._markers.detectMarkers(grey)
        if numbers is None:
            return []
        quads = np.asarray(markers, dtype=np.float64).reshape(-1, 4, 2)
        return [(int(number), corners) for number, corners in zip(np.ravel(numbers), quads, strict=True)]

    def _measure_offsets(self, known: list[tuple[int, Array]]) -> Array:
        """Return the distance (n,) of each marker from the place that the majority predicts, in marker diagonals."""
        if len(known) < MIN_MARKERS:
            return np.zeros(len(known))
        places = np.concatenate([self._marker_places[number] for number, _ in known])
        pixels = np.concatenate([corners for _, corners in known])
        size = float(np.median([np.linalg.norm(corners[0] - corners[2]) for _, corners in known]))
        homography, _ = cv2.findHomography(places, pixels, cv2.RANSAC, _MAX_OFFSET * size)
        if homography is None:
            return np.full(len(known), np.inf)
        expected = cv2.perspectiveTransform(places[:, np.newaxis], homography).reshape(-1, 2)
        distances = np.linalg.norm(pixels - expected, axis=1).reshape(-1, 4).mean(axis=1)
        return np.asarray(distances / size, dtype=np.float64)

    def _explain_failure(self, grey: Image, marker_count: int) -> PlaneFault:
        if marker_count >= MIN_CORNERS:
            # The markers' corners don't form this board's chessboard.
            return PlaneFault.WRONG_BOARD
        if marker_count >= 4:
            return PlaneFault.COVERED
        reason = explain_absence(grey)
        if reason is not PlaneFault.ABSENT:
            return reason
        if marker_count:
            return PlaneFault.COVERED
        is_mirrored = len(self._detect_markers(np.ascontiguousarray(grey[:, ::-1]))) >= 4
        return PlaneFault.MIRRORED if is_mirrored else reason


def _are_mostly_outside(markers: list[tuple[int, Array]], others: list[tuple[int, Array]]) -> bool:
    outline = cv2.convexHull(np.concatenate([corners for _, corners in others]).astype(np.float32))
    middles = [corners.mean(axis=0) for _, corners in markers]
    outside = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) < 0 for x, y in middles]
    return 2 * sum(outside) > len(outside)


def measure_sharpness(grey: Image) -> float:
    """Return the variance of the Laplacian at about 640 pixels width: low in a blurred picture."""
    step = max(1, round(grey.shape[1] / 640))
    small = cv2.resize(grey, None, fx=1.0 / step, fy=1.0 / step, interpolation=cv2.INTER_AREA)
    # Blur slightly first, because sensor noise looks like sharpness.
    blurred = cv2.GaussianBlur(small, (0, 0), 1.0)
    return float(cv2.Laplacian(blurred, cv2.CV_64F).var())


def explain_absence(grey: Image) -> PlaneFault:
    if float(np.median(grey)) < _DARK_LEVEL:
        return PlaneFault.DARK
    if float(np.mean(grey >= _GLARE_LEVEL)) > _GLARE_SHARE:
        return PlaneFault.GLARE
    if float(np.std(grey)) > _PLAIN_SPREAD and measure_sharpness(grey) < _BLURRED_VARIANCE:
        return PlaneFault.BLURRED
    return PlaneFault.ABSENT
