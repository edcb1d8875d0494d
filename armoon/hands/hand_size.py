"""Measures a player's hand in ten seconds: flat on the table, or beside a bank card (ISO/IEC 7810 ID-1).

The palm's length follows from the distance of table or card, to within 2 % with a card and 5 % on the table.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, CameraModel, mat_from_pose, pose_inverse
from armoon.hands.fingers import is_open, measure_reaches
from armoon.hands.landmarks import PALM, Hands
from armoon.hands.metric import DEFAULT_PALM_M, MetricHand, PoseSolver, undistort_pixels
from armoon.values.poses import Pose

CARD_LONG_M, CARD_SHORT_M = 0.08560, 0.05398
#: Minimum length of a card's long side, in pixels.
MIN_CARD_PX = 50.0
#: Maximum share of the picture that a card may fill.
MAX_SHARE = 0.4
#: Maximum deviation of a card's sides from straight lines, as a fraction of their length.
STRAIGHTNESS = 0.02
#: Minimum sine of the angle between two neighbouring sides.
MIN_CROSSING = 0.1
#: Maximum distance between the detected corners and those of the fitted pose, as a fraction of the long side.
MAX_MISFIT = 0.03
#: Canny thresholds for outlines; a card may be lighter or darker than its background.
EDGE_LOW, EDGE_HIGH = 40, 120

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Corners in camera pixels, in order around the card; the first side is a long one."""

_CORNERS_M = np.array(
    [(0.0, 0.0, 0.0), (CARD_LONG_M, 0.0, 0.0), (CARD_LONG_M, CARD_SHORT_M, 0.0), (0.0, CARD_SHORT_M, 0.0)]
)


def find_card(camera: CameraModel, image_bgr: npt.NDArray[np.uint8]) -> Quad | None:
    """Return the card in a picture (h, w, 3): the largest outline with a card's shape, or None."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    edges = cv2.morphologyEx(cv2.Canny(grey, EDGE_LOW, EDGE_HIGH), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    max_area_px = MAX_SHARE * grey.shape[0] * grey.shape[1]
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True):
        area = cv2.contourArea(outline)
        if area < MIN_CARD_PX**2 / 3.0:
            return None
        quad = _find_quad(outline) if area <= max_area_px else None
        if quad is not None and find_card_plane(camera, quad) is not None:
            return quad
    return None


def find_card_plane(camera: CameraModel, quad: Quad) -> tuple[Array, float] | None:
    """Return a card's plane in the camera frame: unit normal away from the camera, and distance in metres."""
    rays = undistort_pixels(camera, quad)
    if not bool(np.all(np.isfinite(rays))):
        return None
    is_solved, rotations, translations, errors = cv2.solvePnPGeneric(
        _CORNERS_M, rays, np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_IPPE
    )
    if not is_solved:
        return None
    rotation, translation = cv2.Rodrigues(rotations[0])[0], np.ravel(translations[0])
    depth_m = float(translation[2])
    # The error is measured in the plane one metre away, in which the card appears 1 / depth times as large.
    if depth_m <= 0.0 or not float(np.ravel(errors)[0]) <= MAX_MISFIT * CARD_LONG_M / depth_m:
        return None
    normal: Array = np.asarray(rotation[:, 2], dtype=np.float64)
    distance_m = float(normal @ translation)
    return (normal, distance_m) if distance_m > 0.0 else (-normal, -distance_m)


def _find_quad(outline: npt.NDArray[Any]) -> Quad | None:
    rough = cv2.approxPolyDP(outline, 0.03 * cv2.arcLength(outline, True), True)
    if len(rough) != 4 or not cv2.isContourConvex(rough):
        return None
    corners = np.array(rough[:, 0], dtype=np.float64)
    points = np.array(outline[:, 0], dtype=np.float64)
    lines = [_fit_side(points, corners[k], corners[(k + 1) % 4]) for k in range(4)]
    sides = [line for line in lines if line is not None]
    if len(sides) < 4:
        return None
    crossings = np.array([np.cross(sides[k - 1], sides[k]) for k in range(4)])
    if np.abs(crossings[:, 2]).min() < MIN_CROSSING:
        return None
    places = crossings[:, :2] / crossings[:, 2:]
    lengths = np.linalg.norm(np.roll(places, -1, axis=0) - places, axis=1)
    if lengths.max() < MIN_CARD_PX:
        return None
    first = 0 if lengths[0] + lengths[2] >= lengths[1] + lengths[3] else 1
    (a, b), (c, d), (e, f), (g, h) = np.roll(places, -first, axis=0).tolist()
    return ((a, b), (c, d), (e, f), (g, h))


def _fit_side(points: Array, start: Array, end: Array) -> Array | None:
    """Return the line (a, b, c) of one side of an outline, with a unit vector (a, b); None if it isn't straight."""
    direction = end - start
    length = float(np.hypot(*direction))
    if length < 1.0:
        return None
    along = (points - start) @ direction / length
    across = (points - start) @ np.array([-direction[1], direction[0]]) / length
    # Use only the middle four fifths, because the corners are round.
    inliers = points[(np.abs(across) < 0.05 * length) & (along > 0.1 * length) & (along < 0.9 * length)]
    if len(inliers) < 5:
        return None
    middle = inliers.mean(axis=0)
    _, spread, (_, normal) = np.linalg.svd(inliers - middle, full_matrices=False)
    if spread[1] / math.sqrt(len(inliers)) > STRAIGHTNESS * length:
        return None
    return np.array([*normal, -normal @ middle])


#: Height above the table, in palm lengths, of a flat hand's palm landmarks, which are inside the hand.
INSIDE_PALMS = 0.12
#: Range of human palm lengths, with a margin: 6 to 13 cm.
MIN_PALM_M, MAX_PALM_M = 0.060, 0.130
#: Minimum palm length in the picture; for a shorter palm, an error of one pixel would exceed 2.5 %.
MIN_PALM_PX = 40.0
#: Maximum relative deviation between landmarks' depths by the plane and by the solver; a tilted hand exceeds it.
#: Rendered hands have 0.06 (card) and 0.14 (table).
MAX_TILT = 0.16
#: Minimum sine of the angle between the line of sight and the plane; flatter views magnify errors.
MIN_VIEW_SINE = 0.25
#: Maximum motion of a still hand since the last frame, in palm lengths.
STILL_PALMS = 0.08
#: Sufficient number of good frames: three of the player's ten seconds at 15 Hz.
ENOUGH_FRAMES = 45
#: Relative error that more frames don't reduce, because the tracker misplaces landmarks (1 to 5 % in rendered hands).
SYSTEMATIC_SPREAD = 0.04
#: Ratio of a normal distribution's standard deviation to its median absolute deviation.
SIGMA_OF_MAD = 1.4826


class SizeProblem(enum.Enum):
    """Reasons why a frame, or the whole measurement, yields no size."""

    NO_HAND = "no_hand"
    NOT_FLAT = "not_flat"
    """The fingers are curled, the palm is arched or tilted, or the hand isn't on the table."""
    MOVING = "moving"
    TOO_FAR = "too_far"
    NO_CARD = "no_card"
    TABLE_TOO_SHALLOW = "table_too_shallow"
    """The camera looks along the table, so a card is needed."""
    UNLIKELY = "unlikely"
    """The palm would be longer or shorter than human ones; the hand is probably not on the table."""


class HandSizeMeter:
    """Collects frames until ``is_done``, or until the caller's time is up; ``get_result`` returns the outcome."""

    def __init__(self, camera: CameraModel, table_from_camera: Pose) -> None:
        self._camera = camera
        self._table_plane = _find_table_plane(table_from_camera)
        self._samples: list[float] = []
        self._problems: Counter[SizeProblem] = Counter()
        self._last: Array | None = None

    def add_frame_on_table(self, hands: Hands) -> SizeProblem | None:
        """Add a frame of a hand flat on the table; return the problem to report to the player, if any."""
        return self._add_result(self._measure_palm(hands, self._table_plane, above=1.0))

    def add_frame_with_card(self, hands: Hands, card: Quad | None) -> SizeProblem | None:
        """Add a frame of a hand beside a card (from ``find_card``) that is level with the palm."""
        plane = None if card is None else find_card_plane(self._camera, card)
        if plane is None:
            return self._add_result(SizeProblem.NO_CARD)
        return self._add_result(self._measure_palm(hands, plane, above=0.0))

    @property
    def progress(self) -> float:
        return min(1.0, len(self._samples) / ENOUGH_FRAMES)

    @property
    def is_done(self) -> bool:
        return len(self._samples) >= ENOUGH_FRAMES

    def get_result(self) -> tuple[float, float] | SizeProblem:
        """Return the palm's length and its standard deviation, metres; with too few frames, the commonest problem."""
        if not self.is_done:
            return self._problems.most_common(1)[0][0] if self._problems else SizeProblem.NO_HAND
        samples = np.array(self._samples)
        median = float(np.median(samples))
        spread = SIGMA_OF_MAD * float(np.median(np.abs(samples - median)))
        standard_error = spread / math.sqrt(len(samples))
        return median, math.hypot(standard_error, SYSTEMATIC_SPREAD * median)

    def _add_result(self, measured: float | SizeProblem) -> SizeProblem | None:
        if isinstance(measured, SizeProblem):
            self._problems[measured] += 1
            return measured
        self._samples.append(measured)
        return None

    def _measure_palm(self, hands: Hands, plane: tuple[Array, float], *, above: float) -> float | SizeProblem:
        hand = hands.hands[0] if hands.hands else None
        if hand is None or not hand.is_plausible:
            self._last = None
            return SizeProblem.NO_HAND
        pixels = hand.points[list(PALM)]
        palm_px = hand.bounds.palm_px
        moved_px = None if self._last is None else float(np.abs(pixels - self._last).max())
        self._last = pixels
        reaches = measure_reaches(hand)
        if reaches is None or not is_open(reaches):
            return SizeProblem.NOT_FLAT
        if palm_px < MIN_PALM_PX:
            return SizeProblem.TOO_FAR
        if moved_px is None or moved_px > STILL_PALMS * palm_px:
            return SizeProblem.MOVING
        metric = PoseSolver(self._camera).solve_pose(hand)
        return SizeProblem.NOT_FLAT if metric is None else _measure_palm_on_plane(metric, plane, above)


def _measure_palm_on_plane(hand: MetricHand, plane: tuple[Array, float], above: float) -> float | SizeProblem:
    """Return the palm length, metres, that places the palm in the plane (``above``: 0) or flat on top of it (1)."""
    normal, distance_m = plane
    directions = np.column_stack([hand.rays, np.ones(len(hand.rays))])[list(PALM)]
    facing = directions @ normal
    if not bool(np.all(np.isfinite(facing))) or float(facing.min()) <= 1e-6:
        return SizeProblem.NOT_FLAT
    if float((facing / np.linalg.norm(directions, axis=1)).mean()) < MIN_VIEW_SINE:
        return SizeProblem.TABLE_TOO_SHALLOW
    # Ratios of the plane's depths to the solver's, which are proportional to the palm length that it assumes.
    scales = distance_m / facing / hand.points_m[list(PALM), 2]
    scale = float(np.median(scales))
    if float(np.abs(scales / scale - 1.0).max()) > MAX_TILT:
        return SizeProblem.NOT_FLAT
    # A palm on the plane is nearer: palm = scale · default · (1 - above · INSIDE_PALMS · palm / distance).
    palm_m = scale * DEFAULT_PALM_M
    palm_m /= 1.0 + above * INSIDE_PALMS * palm_m / distance_m
    return palm_m if MIN_PALM_M <= palm_m <= MAX_PALM_M else SizeProblem.UNLIKELY


def _find_table_plane(table_from_camera: Pose) -> tuple[Array, float]:
    """Return the table's plane in the camera frame: unit normal (3,) away from the camera, and distance in metres."""
    camera_from_table = mat_from_pose(pose_inverse(table_from_camera))
    normal = -camera_from_table[:3, 2]
    return normal, float(normal @ camera_from_table[:3, 3])
