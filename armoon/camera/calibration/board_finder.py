"""Finds a ChArUco board in a picture, or says why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.calibration.board import Board, corner_places, opencv_board
from armoon.camera.calibration.fitting import least_squares
from armoon.camera.calibration.plane_pose import (
    LEAST_SIGMA_PX,
    PlanePose,
    pose_vectors,
    project,
    solve_plane,
)
from armoon.camera.calibration.unseen import Reason, Unseen
from armoon.camera.frame import Image
from armoon.geometry import Array, CameraModel

#: Fewer corners, or corners in one row, fix no pose worth having.
LEAST_CORNERS = 6
#: One marker in the wrong place may be a misreading.
LEAST_STRANGERS = 2
#: A flat board with the right profile stays well below; a bent sheet or a foreign profile doesn't
#: (`scripts/bench calibration`, its scenes).
MOST_ERROR_PX = 1.0
#: A sheet that arches by more than this share of its length is bent: 1 mm on A4 puts the table some mm off.
_MOST_ARCH, _SURE_SIGMAS = 0.006, 5.0
#: A plane that fits so well needs no second look.
_SURELY_FLAT_PX = 0.12
#: OpenCV up to 4.12 reports ChArUco corners half a pixel too far right and down (opencv/opencv issue 25539).
_OPENCV_SHIFT_PX = 0.5
#: Where corners lie closer together, OpenCV leaves them unrefined: its window would reach into the markers.
_CLOSE_PX = 24.0
#: Of a median grey level: below, a webcam's noise is larger than the print's contrast.
_DARK_LEVEL = 28.0
_BURNT_LEVEL, _BURNT_SHARE = 250, 0.10
#: Variance of the Laplacian of the picture at about 640 pixels width; in focus even plain wood has more.
_BLURRED_VARIANCE = 7.0
#: A picture of one grey is no blurred picture: only grey levels that spread wider speak of blur.
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
        self._corners = cv2.aruco.CharucoDetector(made)
        self._middles = {
            int(number): np.asarray(corners)[:, :2].mean(axis=0) * (1.0, -1.0)
            + (-board.width_m / 2.0, board.height_m / 2.0)
            for number, corners in zip(np.ravel(made.getIds()), made.getObjPoints(), strict=True)
        }

    def find(self, image: Image) -> BoardSight | Unseen:
        """The board in ``image`` (BGR or grey), upright or not, partly covered or not."""
        grey = as_grey(image)
        markers, found, _ = self._markers.detectMarkers(grey)
        numbers: list[int] = [] if found is None else np.ravel(found).astype(int).tolist()
        if len(numbers) - len(set(numbers)) >= LEAST_STRANGERS:
            return Unseen(Reason.TWO)
        corners, ids = None, None
        if numbers:
            corners, ids, _, _ = self._corners.detectBoard(grey, None, None, markers, np.array(found))
        if ids is None or len(ids) < LEAST_CORNERS:
            return Unseen(self._why_not(grey, len(numbers)))
        chosen = np.ravel(ids).astype(np.intp)
        places = corner_places(self.board, chosen.tolist())
        if np.linalg.matrix_rank(places - places.mean(axis=0), tol=0.5 * self.board.square_m) < 2:
            return Unseen(Reason.COVERED)
        pixels = _refined(grey, np.asarray(corners, dtype=np.float64).reshape(-1, 2) - _OPENCV_SHIFT_PX)
        if self._strangers(markers, numbers, pixels, places) >= LEAST_STRANGERS:
            return Unseen(Reason.TWO)
        return BoardSight(chosen, pixels, places)

    def pose(self, camera: CameraModel, image: Image) -> PlanePose | Unseen:
        """Where the board lies, or why that can't be told."""
        sight = self.find(image)
        return sight if isinstance(sight, Unseen) else self.pose_of(camera, sight)

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

    def _strangers(
        self, markers: Sequence[cv2.typing.MatLike], numbers: list[int], pixels: Array, places: Array
    ) -> int:
        """How many of the board's markers stand where this board has none: on a second one."""
        homography, _ = cv2.findHomography(places, pixels)
        if homography is None:
            return 0
        strangers = 0
        for corners, number in zip(markers, numbers, strict=True):
            if number in self._middles:
                place = self._middles[number].reshape(1, 1, 2)
                expected = cv2.perspectiveTransform(place, homography).reshape(2)
                found = np.asarray(corners).reshape(4, 2)
                size = float(np.linalg.norm(found[0] - found[2]))
                strangers += bool(np.linalg.norm(found.mean(axis=0) - expected) > size)
        return strangers

    def _why_not(self, grey: Image, marker_count: int) -> Reason:
        if marker_count >= 4:
            # Markers by the handful, yet their corners don't make this board's chessboard.
            return Reason.WRONG_BOARD if marker_count >= LEAST_CORNERS else Reason.COVERED
        reason = why_nothing(grey)
        if reason is Reason.ABSENT and marker_count == 0:
            _, flipped, _ = self._markers.detectMarkers(np.ascontiguousarray(grey[:, ::-1]))
            if flipped is not None and len(flipped) >= 4:
                return Reason.MIRRORED
        return Reason.COVERED if marker_count and reason is Reason.ABSENT else reason


def _refined(grey: Image, pixels: Array) -> Array:
    """Corners (n, 2) of small squares, refined in a window that stays clear of the markers."""
    apart = np.linalg.norm(pixels[:, np.newaxis] - pixels, axis=2)
    np.fill_diagonal(apart, np.inf)
    if float(np.median(apart.min(axis=0))) >= _CLOSE_PX:
        return pixels
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-3)
    start = pixels.astype(np.float32).reshape(-1, 1, 2)
    refined = cv2.cornerSubPix(grey, start, (2, 2), (-1, -1), stop)
    return np.asarray(refined, dtype=np.float64).reshape(-1, 2)


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
    """The likeliest reason that a picture shows nothing of what was looked for."""
    if float(np.median(grey)) < _DARK_LEVEL:
        return Reason.DARK
    if float(np.mean(grey >= _BURNT_LEVEL)) > _BURNT_SHARE:
        return Reason.GLARE
    if float(np.std(grey)) > _PLAIN_SPREAD and sharpness(grey) < _BLURRED_VARIANCE:
        return Reason.BLURRED
    return Reason.ABSENT
