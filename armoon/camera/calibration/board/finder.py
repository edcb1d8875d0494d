"""Finds a ChArUco board in a picture, or says why not."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.calibration.board.board import Board, corner_places, opencv_board
from armoon.camera.calibration.board.corners import CornerReader
from armoon.camera.calibration.fitting import least_squares
from armoon.camera.calibration.plane_pose import (
    LEAST_SIGMA_PX,
    PlanePose,
    pose_vectors,
    project,
    project_sheet,
    solve_plane,
)
from armoon.camera.calibration.unseen import Reason, Unseen
from armoon.camera.frame import Image
from armoon.geometry import Array, CameraModel
from armoon.values.poses import Pose

#: Minimum number of corners for a pose; corners in one row give none either.
LEAST_CORNERS = 6
#: Markers in pictures from this width on are looked for at half the size first: four times as fast.
_LARGE_WIDTH_PX = 960
#: Minimum number of markers from which neighbouring corners are predicted.
LEAST_MARKERS = 2
#: Number of misplaced markers that make another board; a single one may be misread.
LEAST_STRANGERS = 2
#: A flat board with the right profile stays well below; a bent sheet or a foreign profile doesn't
#: (`scripts/bench calibration`, its scenes).
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

    def find(self, image: Image) -> BoardSight | Unseen:
        """Return the board in ``image`` (BGR or grey), upright or not, partly covered or not."""
        grey = as_grey(image)
        markers = self._markers_in(grey)
        numbers = [number for number, _ in markers]
        if len(numbers) - len(set(numbers)) >= LEAST_STRANGERS:
            return Unseen(Reason.TWO)
        ours = [(number, corners) for number, corners in markers if number in self._marker_places]
        off = self._off_places(ours)
        agreeing = [marker for marker, away in zip(ours, off, strict=True) if away <= _AGREE_SIZES]
        strangers = [marker for marker, away in zip(ours, off, strict=True) if away > _AGREE_SIZES]
        if len(strangers) >= LEAST_STRANGERS:
            second = len(agreeing) >= _LEAST_AGREEMENT * len(ours) and _lie_beside(strangers, agreeing)
            return Unseen(Reason.TWO if second else Reason.WRONG_BOARD)
        if len(agreeing) < LEAST_MARKERS:
            return Unseen(self._why_not(grey, len(numbers)))
        places = np.concatenate([self._marker_places[number] for number, _ in agreeing])
        ids, pixels = self._reader.read(grey, places, np.concatenate([corners for _, corners in agreeing]))
        if len(ids) < LEAST_CORNERS:
            return Unseen(self._why_not(grey, len(numbers)))
        chosen = corner_places(self.board, ids.tolist())
        if np.linalg.matrix_rank(chosen - chosen.mean(axis=0), tol=0.5 * self.board.square_m) < 2:
            return Unseen(Reason.COVERED)
        return BoardSight(ids, pixels, chosen)

    def pose(self, camera: CameraModel, image: Image) -> PlanePose | Unseen:
        """Where the board lies, or why that can't be told."""
        sight = self.find(image)
        return sight if isinstance(sight, Unseen) else self.pose_of(camera, sight)

    def pose_near(self, camera: CameraModel, image: Image, near: Pose) -> PlanePose | Unseen:
        """As ``pose``, cheaper where the board still lies about at ``near`` (``camera_from_sheet``)."""
        everywhere = corner_places(self.board)
        ids, pixels = self._reader.read(as_grey(image), everywhere, project_sheet(camera, near, everywhere))
        if 2 * len(ids) >= len(everywhere):
            pose = self.pose_of(camera, BoardSight(ids, pixels, everywhere[ids]))
            if not isinstance(pose, Unseen):
                return pose
        return self.pose(camera, image)

    def pose_of(self, camera: CameraModel, sight: BoardSight) -> PlanePose | Unseen:
        """Where a found board lies."""
        pose = solve_plane(camera, sight.places, sight.pixels)
        if pose is None:
            return Unseen(Reason.COVERED)
        if pose.error_px > MOST_ERROR_PX or self._is_bent(camera, sight, pose):
            return Unseen(Reason.NOT_FLAT)
        return pose

    def _is_bent(self, camera: CameraModel, sight: BoardSight, pose: PlanePose) -> bool:
        """Whether a parabola through the board explains its corners better than a plane.

        Few corners of an arched sheet fit a tilted plane within a pixel, and its pose is centimetres off.
        """
        if pose.error_px < _SURELY_FLAT_PX or len(sight.ids) < 2 * LEAST_CORNERS:
            return False
        x, y = sight.places.T

        def residuals(p: Array) -> Array:
            heights = p[6] * x * x + p[7] * y * y + p[8] * x * y
            return np.asarray((project(camera, p, np.column_stack([x, y, heights])) - sight.pixels).ravel())

        fit = least_squares(residuals, np.concatenate([*pose_vectors(pose.camera_from_sheet), np.zeros(3)]))
        across, along = float(np.ptp(x)), float(np.ptp(y))
        # Curvatures as the height of the arc over the corners' span.
        reach = np.array([across**2, along**2, across * along]) / 4.0
        height = np.abs(fit.parameters[6:]) * reach
        sigma = np.sqrt(np.diag(fit.covariance(LEAST_SIGMA_PX))[6:]) * reach
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

    def _why_not(self, grey: Image, marker_count: int) -> Reason:
        if marker_count >= 4:
            # Markers by the handful, yet their corners don't make this board's chessboard.
            return Reason.WRONG_BOARD if marker_count >= LEAST_CORNERS else Reason.COVERED
        reason = why_nothing(grey)
        nothing_here = reason is Reason.ABSENT and marker_count == 0
        if nothing_here and len(self._detected(np.ascontiguousarray(grey[:, ::-1]))) >= 4:
            return Reason.MIRRORED
        return Reason.COVERED if marker_count and reason is Reason.ABSENT else reason


def _lie_beside(some: list[tuple[int, Array]], others: list[tuple[int, Array]]) -> bool:
    """Whether most of some markers lie outside the outline of the others, as on a sheet of their own."""
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


def why_nothing(grey: Image) -> Reason:
    """Return the likeliest reason that a picture doesn't show the board."""
    if float(np.median(grey)) < _DARK_LEVEL:
        return Reason.DARK
    if float(np.mean(grey >= _BURNT_LEVEL)) > _BURNT_SHARE:
        return Reason.GLARE
    if float(np.std(grey)) > _PLAIN_SPREAD and sharpness(grey) < _BLURRED_VARIANCE:
        return Reason.BLURRED
    return Reason.ABSENT
