"""Finds a ChArUco board in a picture, or says why not."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera import plane_pose
from armoon.camera.board import Board, board_picture, corner_places, opencv_board
from armoon.camera.sources import Image
from armoon.geometry import Array, CameraModel
from armoon.values.poses import Pose

#: Pixels per square when drawing the print, and its white margin.
_SQUARE_PX = 32
_MARGIN_PX = 16
#: Pictures of the print are drawn finer by this factor where squares are small: thin lines would alias.
_FINE, _SMALL_SQUARE_PX = 3, 40.0
#: Half the side of the compared patch: a share of a square, with limits in pixels.
_REACH_SQUARES, _LEAST_REACH_PX, _MOST_REACH_PX = 0.55, 4, 11
#: Blur of both pictures, pixels: keeps a shift of a pixel or two in the linear range.
_SOFT_PX = 0.8
#: Correlation of a patch with the print: free ones have 0.93 and more in the scripted scenes, half covered 0.75.
LEAST_LIKENESS = 0.85
_ROUNDS = 8
#: Pixels around a corner that have to be clear of markers for its saddle, which beats the print alone on OpenCV's
#: tutorial photographs (0.15 against 0.19 px of residual, but nearer to what was published), and its widest window.
_CLEAR_PX, _MOST_CLEAR_PX = 8, 10
_KNOWN_PX = 0.5
#: Minimum size of a square, in pixels across its narrow side: below, it merges with its neighbours.
_LEAST_SQUARE_PX = 5.0
#: Maximum distance of known points from the plane, in squares, and at least in pixels; others are misread.
_LIMIT_SQUARES, _LEAST_LIMIT_PX = 0.15, 3.0
#: Maximum distance of a corner from its prediction, in squares; a farther one is the neighbour.
_MOST_SHIFT_SQUARES = 0.35

FloatImage = npt.NDArray[np.float32]


class CornerReader:
    """Measures the corners of one board."""

    def __init__(self, board: Board) -> None:
        self._square_m = board.square_m
        self._clear_squares = (1.0 - board.marker_m / board.square_m) / 2.0
        self._places = corner_places(board)
        ink = board_picture(board, _SQUARE_PX)
        margin = (_MARGIN_PX,) * 4
        self._print = cv2.copyMakeBorder(ink, *margin, cv2.BORDER_CONSTANT, value=(255,))
        # Print pixels of board places: the board's origin is its centre, y up; a pixel's middle is whole.
        per_m = _SQUARE_PX / board.square_m
        height, width = self._print.shape
        self._print_from_board = np.array(
            [[per_m, 0.0, width / 2.0 - 0.5], [0.0, -per_m, height / 2.0 - 0.5], [0.0, 0.0, 1.0]]
        )

    def read(self, grey: Image, places: Array, pixels: Array) -> tuple[npt.NDArray[np.intp], Array]:
        """Return ids (n,) and pixels (n, 2) of corners, from marker corners ``places`` (m, 2) roughly at ``pixels``."""
        ids, found = self._measured(grey, places, pixels)
        if len(ids) >= 4:
            # Corners that were known to half a pixel need no second look.
            near = len(ids) == len(places) and np.abs(found - pixels).max() < _KNOWN_PX
            # Once more from the measured corners: they predict their neighbours better than markers do.
            again, sharper = (ids, found) if near else self._measured(grey, self._places[ids], found)
            if len(again) >= len(ids):
                ids, found = again, sharper
            clear = int(self._clear_squares * _spacing(self._places[ids] / self._square_m, found))
            if clear >= _CLEAR_PX:
                found = _saddles(grey, found, min(clear, _MOST_CLEAR_PX))
        return ids, found

    def _measured(self, grey: Image, places: Array, pixels: Array) -> tuple[npt.NDArray[np.intp], Array]:
        none = np.zeros(0, np.intp), np.zeros((0, 2))
        limit = max(_LEAST_LIMIT_PX, _LIMIT_SQUARES * _spacing(places / self._square_m, pixels))
        plane, _ = cv2.findHomography(places, pixels, cv2.RANSAC, limit)
        if plane is None:
            return none
        homography = np.asarray(plane, dtype=np.float64)
        guess = _mapped(homography, self._places)
        # What the lens bends away from the homography, as the nearest known points tell it.
        guess = guess + _drift(self._places, places, pixels - _mapped(homography, places), self._square_m)
        right, up = np.array([self._square_m, 0.0]), np.array([0.0, self._square_m])
        across = np.linalg.norm(_mapped(homography, self._places + right) - guess, axis=1)
        along = np.linalg.norm(_mapped(homography, self._places + up) - guess, axis=1)
        square_px = np.minimum(across, along)
        reach = int(
            np.clip(round(_REACH_SQUARES * float(np.median(square_px))), _LEAST_REACH_PX, _MOST_REACH_PX)
        )
        height, width = grey.shape
        inside = np.all((guess > reach + 2) & (guess < np.array([width, height]) - reach - 3), axis=1)
        ids = np.flatnonzero(inside & np.isfinite(square_px) & (square_px > _LEAST_SQUARE_PX))
        if not len(ids):
            return none
        drawn = _mapped(homography, self._places[ids])
        top_left = np.floor(np.minimum(guess[ids], drawn).min(axis=0)).astype(int) - reach - 4
        size = np.ceil(np.maximum(guess[ids], drawn).max(axis=0)).astype(int) + reach + 5 - top_left
        pattern = self._pattern(homography, top_left, size, float(np.median(square_px)))
        view = _soft(_cut(grey, top_left, size))
        found, likeness = _aligned(pattern, drawn - top_left, view, guess[ids] - top_left, reach)
        shift = np.linalg.norm(found + top_left - guess[ids], axis=1)
        good = (likeness > LEAST_LIKENESS) & (shift < _MOST_SHIFT_SQUARES * square_px[ids])
        return ids[good], (found + top_left)[good]

    def _pattern(self, homography: Array, top_left: Array, size: Array, square_px: float) -> FloatImage:
        fine = _FINE if square_px < _SMALL_SQUARE_PX else 1
        # Fine pixels of print pixels: a pixel's middle is whole in both.
        zoom = np.array([[fine, 0.0, (fine - 1) / 2.0], [0.0, fine, (fine - 1) / 2.0], [0.0, 0.0, 1.0]])
        move = np.array([[1.0, 0.0, -top_left[0]], [0.0, 1.0, -top_left[1]], [0.0, 0.0, 1.0]])
        matrix = zoom @ move @ homography @ np.linalg.inv(self._print_from_board)
        wide = (int(size[0]) * fine, int(size[1]) * fine)
        drawn = cv2.warpPerspective(self._print, matrix, wide, flags=cv2.INTER_LINEAR, borderValue=(255,))
        return _soft(cv2.resize(drawn, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA))


def _spacing(squares: Array, pixels: Array) -> float:
    """Return a square's rough size in pixels, from points in squares (n, 2) and in pixels (n, 2)."""
    apart = np.linalg.norm(squares - np.roll(squares, 1, axis=0), axis=1)
    seen = np.linalg.norm(pixels - np.roll(pixels, 1, axis=0), axis=1)
    return float(np.median(seen / np.maximum(apart, 1e-6)))


def _saddles(grey: Image, pixels: Array, window_px: int) -> Array:
    """Return the points (n, 2) near ``pixels`` towards which no grey level slopes."""
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-3)
    start = pixels.astype(np.float32).reshape(-1, 1, 2)
    found = cv2.cornerSubPix(grey, start, (window_px, window_px), (-1, -1), stop)
    return np.asarray(found, dtype=np.float64).reshape(-1, 2)


def _mapped(homography: Array, places: Array) -> Array:
    points = np.column_stack([places, np.ones(len(places))]) @ homography.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(points[:, :2] / np.where(points[:, 2:] > 1e-9, points[:, 2:], np.nan))


def _drift(where: Array, places: Array, left: Array, square_m: float) -> Array:
    """Return the remainders ``left`` (m, 2) at ``places``, blended over ``where`` (n, 2)."""
    sound = np.linalg.norm(left, axis=1) < 4.0 * max(1.0, float(np.median(np.linalg.norm(left, axis=1))))
    apart = np.linalg.norm(where[:, np.newaxis] - places[sound], axis=2) / square_m
    weight = 1.0 / (apart**4 + 0.05)
    return np.asarray(weight @ left[sound] / weight.sum(axis=1, keepdims=True))


def _cut(grey: Image, top_left: npt.NDArray[np.intp], size: npt.NDArray[np.intp]) -> Image:
    """Return the rectangle of the picture; beyond the picture's edge its last pixels go on."""
    (left, top), (width, height) = top_left, size
    edge = max(0, -left, -top, left + width - grey.shape[1], top + height - grey.shape[0])
    if edge:
        grey = np.asarray(cv2.copyMakeBorder(grey, *(int(edge),) * 4, cv2.BORDER_REPLICATE), dtype=np.uint8)
    return grey[top + edge : top + edge + height, left + edge : left + edge + width]


def _soft(picture: cv2.typing.MatLike) -> FloatImage:
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), _SOFT_PX), dtype=np.float32)


def _aligned(
    pattern: FloatImage, drawn: Array, view: FloatImage, guess: Array, reach: int
) -> tuple[Array, Array]:
    """Where patches of ``pattern`` around ``drawn`` (n, 2) lie in ``view`` near ``guess``, and how alike.

    Gauss-Newton per patch with its own contrast and brightness (Lucas and Kanade 1981; Baker and Matthews 2004).
    """
    x, y = np.meshgrid(np.arange(-reach, reach + 1.0), np.arange(-reach, reach + 1.0))
    offsets = np.column_stack([x.ravel(), y.ravel()])
    wanted = _patches(pattern, drawn, offsets)
    ahead, behind = np.array([0.5, 0.0]), np.array([0.0, 0.5])
    slope_x = _patches(pattern, drawn + ahead, offsets) - _patches(pattern, drawn - ahead, offsets)
    slope_y = _patches(pattern, drawn + behind, offsets) - _patches(pattern, drawn - behind, offsets)
    # Columns of the normal equations: shift in x and y, contrast, brightness. Far pixels count less.
    weight = np.exp(-0.5 * (np.sum(offsets**2, axis=1) / (0.7 * reach) ** 2))
    columns = np.stack([slope_x, slope_y, wanted, np.ones_like(wanted)], axis=2)
    normal = np.einsum("nki,k,nkj->nij", columns, weight, columns) + 1e-6 * np.eye(4)
    inverse = np.linalg.inv(normal)
    found = guess.copy()
    for _ in range(_ROUNDS):
        seen = _patches(view, found, offsets)
        answer = np.einsum("nij,nj->ni", inverse, np.einsum("nki,k,nk->ni", columns, weight, seen))
        contrast = np.where(np.abs(answer[:, 2]) > 0.02, answer[:, 2], np.inf)
        # A shift of the picture by d makes it the pattern minus d times its slope.
        step = np.clip(-answer[:, :2] / contrast[:, np.newaxis], -1.5, 1.5)
        found = found + step
        if float(np.abs(step).max()) < 2e-3:
            break
    return found, _likeness(wanted, _patches(view, found, offsets), weight)


def _patches(picture: FloatImage, centres: Array, offsets: Array) -> Array:
    """Grey levels (n, k) at ``centres`` (n, 2) plus ``offsets`` (k, 2)."""
    places = (centres[:, np.newaxis] + offsets).astype(np.float32)
    levels = cv2.remap(
        picture, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(levels, dtype=np.float64)


def _likeness(wanted: Array, seen: Array, weight: Array) -> Array:
    """Weighted correlation (n,) of two sets of patches (n, k)."""
    share = weight / weight.sum()
    a = wanted - (wanted @ share)[:, np.newaxis]
    b = seen - (seen @ share)[:, np.newaxis]
    return np.asarray((a * b) @ share / np.sqrt((a * a) @ share * ((b * b) @ share) + 1e-9))


#: Minimum number of corners for a pose; corners in one row give none either.
LEAST_CORNERS = 6
#: Markers in pictures from this width on are looked for at half the size first: four times as fast.
_LARGE_WIDTH_PX = 960
#: Minimum number of markers from which neighbouring corners are predicted.
LEAST_MARKERS = 2
#: Number of misplaced markers that make another board; a single one may be misread.
LEAST_STRANGERS = 2
#: A flat board with the right profile stays below; a bent sheet or a foreign profile doesn't.
MOST_ERROR_PX = 1.0
#: A sheet that arches by more than this share of its length is bent: 1 mm on A4 puts the table some mm off.
_MOST_ARCH, _SURE_SIGMAS = 0.006, 5.0
#: Error of a plane below which it isn't checked for bending, in pixels.
_SURELY_FLAT_PX = 0.12
#: Minimum number of markers that must lie as this board has them; else it is another board.
_LEAST_AGREEMENT = 0.6
#: Maximum distance of a marker from its place on the board, in its diagonals.
_AGREE_SIZES = 0.35
#: Median grey level below which a webcam's noise is larger than the print's contrast.
_DARK_LEVEL = 28.0
_BURNT_LEVEL, _BURNT_SHARE = 250, 0.10
#: Variance of the Laplacian of the picture at about 640 pixels width; in focus even plain wood has more.
_BLURRED_VARIANCE = 7.0
#: Spread of grey levels from which blur is judged: a uniformly grey picture isn't blurred.
_PLAIN_SPREAD = 12.0


@dataclass(frozen=True, eq=False)
class BoardSight:
    """A board in one picture."""

    ids: npt.NDArray[np.intp]
    """(n,) OpenCV's numbers of the corners."""
    pixels: Array
    """(n, 2) where they are."""
    places: Array
    """(n, 2) where they are on the board, in its own frame."""


class BoardFinder:
    """Looks for one kind of board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        made = opencv_board(board)
        self._markers = cv2.aruco.ArucoDetector(made.getDictionary())
        self._reader = CornerReader(board)
        centre = np.array([board.width_m / 2.0, board.height_m / 2.0])
        self._marker_places = {
            int(number): (np.asarray(corners, dtype=np.float64)[:, :2] - centre) * (1.0, -1.0)
            for number, corners in zip(np.ravel(made.getIds()), made.getObjPoints(), strict=True)
        }

    def find(self, image: Image) -> BoardSight | plane_pose.Unseen:
        """Return the board in ``image`` (BGR or grey), upright or not, partly covered or not."""
        grey = as_grey(image)
        markers = self._markers_in(grey)
        numbers = [number for number, _ in markers]
        if len(numbers) - len(set(numbers)) >= LEAST_STRANGERS:
            return plane_pose.Unseen(plane_pose.PlaneFault.TWO)
        ours = [(number, corners) for number, corners in markers if number in self._marker_places]
        off = self._off_places(ours)
        agreeing = [marker for marker, away in zip(ours, off, strict=True) if away <= _AGREE_SIZES]
        strangers = [marker for marker, away in zip(ours, off, strict=True) if away > _AGREE_SIZES]
        if len(strangers) >= LEAST_STRANGERS:
            second = len(agreeing) >= _LEAST_AGREEMENT * len(ours) and _lie_beside(strangers, agreeing)
            return plane_pose.Unseen(
                plane_pose.PlaneFault.TWO if second else plane_pose.PlaneFault.WRONG_BOARD
            )
        if len(agreeing) < LEAST_MARKERS:
            return plane_pose.Unseen(self._why_not(grey, len(numbers)))
        places = np.concatenate([self._marker_places[number] for number, _ in agreeing])
        ids, pixels = self._reader.read(grey, places, np.concatenate([corners for _, corners in agreeing]))
        if len(ids) < LEAST_CORNERS:
            return plane_pose.Unseen(self._why_not(grey, len(numbers)))
        chosen = corner_places(self.board, ids.tolist())
        if np.linalg.matrix_rank(chosen - chosen.mean(axis=0), tol=0.5 * self.board.square_m) < 2:
            return plane_pose.Unseen(plane_pose.PlaneFault.COVERED)
        return BoardSight(ids, pixels, chosen)

    def pose(self, camera: CameraModel, image: Image) -> plane_pose.PlanePose | plane_pose.Unseen:
        sight = self.find(image)
        return sight if isinstance(sight, plane_pose.Unseen) else self.pose_of(camera, sight)

    def pose_near(
        self, camera: CameraModel, image: Image, near: Pose
    ) -> plane_pose.PlanePose | plane_pose.Unseen:
        """As ``pose``, cheaper where the board still lies about at ``near`` (``camera_from_sheet``)."""
        everywhere = corner_places(self.board)
        ids, pixels = self._reader.read(
            as_grey(image), everywhere, plane_pose.project_sheet(camera, near, everywhere)
        )
        if 2 * len(ids) >= len(everywhere):
            pose = self.pose_of(camera, BoardSight(ids, pixels, everywhere[ids]))
            if not isinstance(pose, plane_pose.Unseen):
                return pose
        return self.pose(camera, image)

    def pose_of(self, camera: CameraModel, sight: BoardSight) -> plane_pose.PlanePose | plane_pose.Unseen:
        pose = plane_pose.solve_plane(camera, sight.places, sight.pixels)
        if pose is None:
            return plane_pose.Unseen(plane_pose.PlaneFault.COVERED)
        if pose.error_px > MOST_ERROR_PX or self._is_bent(camera, sight, pose):
            return plane_pose.Unseen(plane_pose.PlaneFault.NOT_FLAT)
        return pose

    def _is_bent(self, camera: CameraModel, sight: BoardSight, pose: plane_pose.PlanePose) -> bool:
        """Whether the corners lie on a bent sheet: fitted as a plane its pose would be centimetres off."""
        if pose.error_px < _SURELY_FLAT_PX or len(sight.ids) < 2 * LEAST_CORNERS:
            return False
        x, y = sight.places.T

        def residuals(p: Array) -> Array:
            heights = p[6] * x * x + p[7] * y * y + p[8] * x * y
            return np.asarray(
                (plane_pose.project(camera, p, np.column_stack([x, y, heights])) - sight.pixels).ravel()
            )

        fit = plane_pose.least_squares(
            residuals, np.concatenate([*plane_pose.pose_vectors(pose.camera_from_sheet), np.zeros(3)])
        )
        across, along = float(np.ptp(x)), float(np.ptp(y))
        # Curvatures as the height of the arc over the corners' span.
        reach = np.array([across**2, along**2, across * along]) / 4.0
        height = np.abs(fit.parameters[6:]) * reach
        sigma = np.sqrt(np.diag(fit.covariance(plane_pose.LEAST_SIGMA_PX))[6:]) * reach
        bent = (height > _MOST_ARCH * max(across, along)) & (height > _SURE_SIGMAS * sigma)
        return bool(bent.any())

    def _markers_in(self, grey: Image) -> list[tuple[int, Array]]:
        """Numbers and corners (4, 2) of all markers of the dictionary."""
        if grey.shape[1] >= _LARGE_WIDTH_PX:
            # Markers only say where to look: a quarter of the pixels is enough, if the board is large enough.
            half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            markers = self._detected(np.asarray(half, dtype=np.uint8))
            if len(markers) >= LEAST_CORNERS:
                return [(number, 2.0 * corners + 0.5) for number, corners in markers]
        return self._detected(grey)

    def _detected(self, grey: Image) -> list[tuple[int, Array]]:
        found, numbers, _ = self._markers.detectMarkers(grey)
        if numbers is None:
            return []
        return [
            (int(number), np.asarray(corners, dtype=np.float64).reshape(4, 2))
            for number, corners in zip(np.ravel(numbers), found, strict=True)
        ]

    def _off_places(self, ours: list[tuple[int, Array]]) -> Array:
        """How far each marker (n,) lies from where most of them would have it, in markers' diagonals."""
        if len(ours) < LEAST_MARKERS:
            return np.zeros(len(ours))
        places = np.concatenate([self._marker_places[number] for number, _ in ours])
        pixels = np.concatenate([corners for _, corners in ours])
        size = float(np.median([np.linalg.norm(corners[0] - corners[2]) for _, corners in ours]))
        homography, _ = cv2.findHomography(places, pixels, cv2.RANSAC, _AGREE_SIZES * size)
        if homography is None:
            return np.full(len(ours), np.inf)
        expected = cv2.perspectiveTransform(places[:, np.newaxis], homography).reshape(-1, 2)
        apart = np.linalg.norm(pixels - expected, axis=1).reshape(-1, 4).mean(axis=1)
        return np.asarray(apart / size, dtype=np.float64)

    def _why_not(self, grey: Image, marker_count: int) -> plane_pose.PlaneFault:
        if marker_count >= 4:
            # Markers by the handful, yet their corners don't make this board's chessboard.
            return (
                plane_pose.PlaneFault.WRONG_BOARD
                if marker_count >= LEAST_CORNERS
                else plane_pose.PlaneFault.COVERED
            )
        reason = why_nothing(grey)
        nothing_here = reason is plane_pose.PlaneFault.ABSENT and marker_count == 0
        if nothing_here and len(self._detected(np.ascontiguousarray(grey[:, ::-1]))) >= 4:
            return plane_pose.PlaneFault.MIRRORED
        return (
            plane_pose.PlaneFault.COVERED
            if marker_count and reason is plane_pose.PlaneFault.ABSENT
            else reason
        )


def _lie_beside(some: list[tuple[int, Array]], others: list[tuple[int, Array]]) -> bool:
    outline = cv2.convexHull(np.concatenate([corners for _, corners in others]).astype(np.float32))
    middles = [corners.mean(axis=0) for _, corners in some]
    outside = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) < 0 for x, y in middles]
    return 2 * sum(outside) > len(outside)


def as_grey(image: Image) -> Image:
    """One channel (h, w) of a BGR or grey picture."""
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def sharpness(grey: Image) -> float:
    """Variance of the Laplacian at about 640 pixels width: low where the picture is blurred."""
    step = max(1, round(grey.shape[1] / 640))
    small = cv2.resize(grey, None, fx=1.0 / step, fy=1.0 / step, interpolation=cv2.INTER_AREA)
    # A little blur first: a sensor's noise would pass for sharpness.
    soft = cv2.GaussianBlur(small, (0, 0), 1.0)
    return float(cv2.Laplacian(soft, cv2.CV_64F).var())


def why_nothing(grey: Image) -> plane_pose.PlaneFault:
    if float(np.median(grey)) < _DARK_LEVEL:
        return plane_pose.PlaneFault.DARK
    if float(np.mean(grey >= _BURNT_LEVEL)) > _BURNT_SHARE:
        return plane_pose.PlaneFault.GLARE
    if float(np.std(grey)) > _PLAIN_SPREAD and sharpness(grey) < _BLURRED_VARIANCE:
        return plane_pose.PlaneFault.BLURRED
    return plane_pose.PlaneFault.ABSENT
