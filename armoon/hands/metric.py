"""Computes metric hand poses from landmarks, the camera and the player's palm length.

Levenberg-Marquardt (OpenCV's ITERATIVE) from the last pose neither jumps like SQPNP nor flips like an unseeded start.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike

from armoon import geometry
from armoon.geometry import Array, CameraModel
from armoon.hands import landmarks
from armoon.values.poses import IDENTITY_QUAT, Quat, Vec2, Vec3

#: Distance from wrist to middle knuckle in a hand 187 mm long, midway between men's and women's hands.
DEFAULT_PALM_M = 0.0955
#: Lengths of the palm's bones in palm lengths (wrist to middle knuckle): medians over 416 test photographs.
PALM_BONES: tuple[tuple[int, int, float], ...] = (
    (landmarks.WRIST, landmarks.INDEX_KNUCKLE, 1.03),
    (landmarks.WRIST, landmarks.MIDDLE_KNUCKLE, 1.00),
    (landmarks.WRIST, landmarks.RING_KNUCKLE, 0.96),
    (landmarks.WRIST, landmarks.LITTLE_KNUCKLE, 0.85),
    (landmarks.INDEX_KNUCKLE, landmarks.MIDDLE_KNUCKLE, 0.25),
    (landmarks.MIDDLE_KNUCKLE, landmarks.RING_KNUCKLE, 0.22),
    (landmarks.RING_KNUCKLE, landmarks.LITTLE_KNUCKLE, 0.26),
    (landmarks.INDEX_KNUCKLE, landmarks.LITTLE_KNUCKLE, 0.67),
    (landmarks.THUMB_BASE, landmarks.INDEX_KNUCKLE, 0.74),
    (landmarks.WRIST, landmarks.THUMB_BASE, 0.40),
)
_BONE_STARTS = np.array([start for start, _, _ in PALM_BONES])
_BONE_ENDS = np.array([end for _, end, _ in PALM_BONES])
_BONE_LENGTHS = np.array([part for _, _, part in PALM_BONES])
_PALM = np.array(landmarks.PALM)
_PALM_CORNERS = np.array(
    [landmarks.WRIST, landmarks.INDEX_KNUCKLE, landmarks.MIDDLE_KNUCKLE, landmarks.LITTLE_KNUCKLE]
)
_TRIANGLE = np.array([landmarks.WRIST, landmarks.INDEX_KNUCKLE, landmarks.LITTLE_KNUCKLE])
_UNIT_CAMERA, _NO_DISTORTION = np.eye(3), np.zeros(5)
#: Twice the area of the triangle of wrist, index and little knuckle, in squared palm lengths, by the bones above.
PALM_AREA = 0.57
#: Range of distances of a playing hand; a solution outside of it is wrong.
NEAREST_M = 0.08
FARTHEST_M = 3.0
#: Minimum distance at which a hand that is too near to play is still tracked.
NEAREST_SEEN_M = 0.03
#: Maximum rotation from world landmarks to the camera frame: 5 to 15 degrees in recordings, more in mirrored solutions.
MAX_TURN_RAD = math.radians(50.0)
#: Visible shares of the palm's area, and relative standard deviations of the depth at these shares. Measured with two
#: calibrated cameras: hands of unknown size are estimated too near, by 6 to 12 % if they face the camera, by 16 % at a
#: visible share of 0.6, 23 % at 0.5 and 30 % at 0.3. Rendered hands: 3 % facing the camera, 10 % edge on.
DEPTH_SPREAD_FACINGS = (0.0, 0.4, 0.7, 0.85, 1.0)
DEPTH_SPREADS = (0.25, 0.20, 0.15, 0.09, 0.04)
#: Standard deviation of a landmark across the view: jitter in pixels, and shape error in palm lengths.
PIXEL_SPREAD_PX = 0.75
SHAPE_SPREAD = 0.02
#: Weight of the newest frame in the average of world landmarks, and the change (palm lengths, RMS) adopted at once.
#: Closing fingers change the landmarks by 0.1, a webcam's noise by 0.03, for 0.7 s: a short average would follow noise.
WORLD_WEIGHT, WORLD_CHANGE = 0.004, 0.08


@dataclass(frozen=True)
class MetricHand:
    """A hand in metres in front of the camera."""

    rays: Array
    """(21, 2): the landmarks in the plane one metre in front of the camera, without distortion."""
    points_m: Array
    """(21, 3): the landmarks in the camera frame."""
    palm_axes: Array
    """(3, 3), columns in the camera frame: x to the thumb's side, y from wrist to middle knuckle, z = x cross y."""
    palm_ray_length: float
    """Length of the palm in the units of ``rays``, if it were perpendicular to the view."""
    sigma_across_m: float
    sigma_along_m: float
    palm_depth_m: float
    """Mean depth of the palm's landmarks."""

    @property
    def camera_from_palm(self) -> Quat:
        return geometry.quat_from_matrix(self.palm_axes)

    @cached_property
    def palm_rays(self) -> tuple[Vec2, ...]:
        """The palm's landmarks (``PALM``) in the units of ``rays``."""
        rows = self.rays.tolist()
        return tuple([(rows[i][0], rows[i][1]) for i in landmarks.PALM])

    @cached_property
    def palm_ray(self) -> Vec2:
        return _find_middle(self.palm_rays)

    @cached_property
    def finger_line(self) -> Vec2:
        """Vector from the wrist to the centre of the knuckles, in the units of ``rays``."""
        (wrist_x, wrist_y), _, *knuckles = self.palm_rays
        x, y = _find_middle(knuckles)
        return (x - wrist_x, y - wrist_y)


class PoseSolver:
    """Solves one hand's pose from frame to frame; create a new one when the hand is acquired again."""

    def __init__(
        self, camera: CameraModel, palm_m: float = DEFAULT_PALM_M, nearest_m: float = NEAREST_M
    ) -> None:
        self._camera = camera
        self._nearest_m = nearest_m
        self._palm_m = palm_m
        self._average: Array = np.zeros((21, 3))
        self._average_count = 0.0
        self.shape_deviation = 0.0
        """Difference of the newest world landmarks from their average, palm lengths (RMS of a coordinate)."""
        self._last: tuple[Array, Array] | None = None

    def solve_pose(self, hand: landmarks.Hand, *, use_average: bool = False) -> MetricHand | None:
        """Return the hand in metres; None if degenerate or out of range. ``use_average``: use the averaged shape."""
        rays = undistort_pixels(self._camera, hand.points)
        self._average_count = self._average_count if use_average else 0.0
        shape = self._scale_to_palm(self._average_world(hand.world) if use_average else hand.world)
        if shape is None or not math.isfinite(rays.sum()):
            return None
        solution = None if self._last is None else self._refine(shape, rays, self._last)
        if solution is None:
            solution = self._place_unseeded(shape, rays)
        self._last = solution
        if solution is None:
            return None
        rotation, translation = solution
        points = shape @ cv2.Rodrigues(rotation)[0].T + translation
        if not points[:, 2].min() > self._nearest_m / 2.0:
            return None
        return self._build_hand(rays, points)

    def _average_world(self, world: Array) -> Array:
        """Return the averaged world landmarks, whose noise would otherwise become noise in the hand's distance."""
        if self._average_count == 0.0:
            self._average = world
        change = world - self._average
        self.shape_deviation = math.sqrt(float((change * change).sum()) / change.size) / DEFAULT_PALM_M
        weight = min(1.0, WORLD_WEIGHT + (self.shape_deviation / WORLD_CHANGE) ** 6)
        self._average_count = min(self._average_count + 1.0, 1.0 / weight)
        self._average = self._average + change / self._average_count
        return self._average

    def _scale_to_palm(self, world: Array) -> Array | None:
        bones = world[_BONE_STARTS] - world[_BONE_ENDS]
        lengths = np.sqrt((bones * bones).sum(axis=1))
        bone_lengths = self._palm_m * _BONE_LENGTHS
        total = float(lengths @ lengths)
        if not 1e-6 < total < math.inf:
            return None
        return np.asarray(world * float(bone_lengths @ lengths) / total, dtype=np.float64)

    def _place_unseeded(self, shape: Array, rays: Array) -> tuple[Array, Array] | None:
        """Return a solution that ignores the last one: by translation alone, refined only if there is no last one."""
        translation = _solve_translation(shape, rays)
        if translation is None:
            return None
        solution = (np.zeros(3), translation)
        if self._last is None:
            refined = self._refine(shape, rays, solution)
            if refined is not None:
                return refined
        return solution if self._nearest_m <= translation[2] <= FARTHEST_M else None

    def _refine(self, shape: Array, rays: Array, seed: tuple[Array, Array]) -> tuple[Array, Array] | None:
        try:
            solved, rotation, translation = cv2.solvePnP(
                shape,
                rays,
                _UNIT_CAMERA,
                _NO_DISTORTION,
                seed[0].reshape(3, 1).copy(),
                seed[1].reshape(3, 1).copy(),
                useExtrinsicGuess=True,
                flags=cv2.SOLVEPNP_ITERATIVE,
            )
        except cv2.error:
            return None
        rotation_vector: Array = np.asarray(rotation, dtype=np.float64).reshape(3)
        shift: Array = np.asarray(translation, dtype=np.float64).reshape(3)
        # NaN fails these comparisons.
        is_valid = (
            solved
            and math.isfinite(sum(shift.tolist()))
            and self._nearest_m <= shift[2] <= FARTHEST_M
            and math.sqrt(rotation_vector @ rotation_vector) <= MAX_TURN_RAD
        )
        return (rotation_vector, shift) if is_valid else None

    def _build_hand(self, rays: Array, points: Array) -> MetricHand | None:
        palm_axes = _find_palm_axes(points)
        if palm_axes is None:
            return None
        depth = float(points[_PALM, 2].sum()) / len(landmarks.PALM)
        palm_ray_length = self._palm_m / depth
        # Twice the area of the triangle of wrist, index and little knuckle, like ``PALM_AREA``.
        (x, y), (ax, ay), (bx, by) = rays[_TRIANGLE].tolist()
        area = abs((ax - x) * (by - y) - (ay - y) * (bx - x))
        facing = min(1.0, area / (PALM_AREA * palm_ray_length**2))
        jitter_m = PIXEL_SPREAD_PX / self._camera.fx * depth
        return MetricHand(
            rays=rays,
            points_m=points,
            palm_axes=palm_axes,
            palm_ray_length=palm_ray_length,
            sigma_across_m=math.hypot(jitter_m, SHAPE_SPREAD * self._palm_m),
            sigma_along_m=_get_depth_spread(facing) * depth,
            palm_depth_m=depth,
        )


def _get_depth_spread(facing: float) -> float:
    k = bisect_right(DEPTH_SPREAD_FACINGS, facing) - 1
    if k == len(DEPTH_SPREADS) - 1:
        return DEPTH_SPREADS[k]
    (from_facing, to_facing), (spread, to_spread) = DEPTH_SPREAD_FACINGS[k : k + 2], DEPTH_SPREADS[k : k + 2]
    return (to_spread - spread) / (to_facing - from_facing) * (facing - from_facing) + spread


def undistort_pixels(camera: CameraModel, points_px: ArrayLike) -> Array:
    """Return pixels (n, 2) as points (n, 2) of the plane one metre in front of the camera."""
    pixels = np.array(points_px, dtype=np.float64)
    if not any(camera.distortion):
        pixels -= (camera.cx, camera.cy)
        pixels /= (camera.fx, camera.fy)
        return pixels
    flat = cv2.undistortPoints(pixels[:, np.newaxis], camera.matrix(), np.array(camera.distortion))
    return np.asarray(flat[:, 0], dtype=np.float64)


def _find_palm_axes(points: Array) -> Array | None:
    """Return the palm's axes (3, 3) in columns, from landmarks (21, 3); None if the palm is a line or a point."""
    # Plain arithmetic: numpy's call overhead exceeds the work on three numbers.
    (wx, wy, wz), (ix, iy, iz), (mx, my, mz), (lx, ly, lz) = points[_PALM_CORNERS].tolist()
    along = (mx - wx, my - wy, mz - wz)
    normal = geometry.cross((ix - lx, iy - ly, iz - lz), along)
    long, wide = _measure_length(along), _measure_length(normal)
    if not (long >= 1e-4 and wide >= 1e-6):
        return None
    y = (along[0] / long, along[1] / long, along[2] / long)
    z = (normal[0] / wide, normal[1] / wide, normal[2] / wide)
    return np.array([geometry.cross(y, z), y, z]).T


def _measure_length(v: Vec3) -> float:
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


def _find_middle(points: Sequence[Vec2]) -> Vec2:
    x = y = 0.0
    for px, py in points:
        x, y = x + px, y + py
    return (x / len(points), y / len(points))


def _solve_translation(shape: Array, rays: Array) -> Array | None:
    """Return the shift (3,) of the unrotated shape that fits the rays best, by linear least squares."""
    count = len(shape)
    system = np.zeros((2 * count, 3))
    system[0::2, 0] = 1.0
    system[1::2, 1] = 1.0
    system[0::2, 2] = -rays[:, 0]
    system[1::2, 2] = -rays[:, 1]
    values = np.empty(2 * count)
    values[0::2] = rays[:, 0] * shape[:, 2] - shape[:, 0]
    values[1::2] = rays[:, 1] * shape[:, 2] - shape[:, 1]
    try:
        shift = np.linalg.lstsq(system, values, rcond=None)[0]
    except np.linalg.LinAlgError:
        return None
    return np.asarray(shift, dtype=np.float64) if bool(np.all(np.isfinite(shift))) else None


CAMERA_AXIS = (0.0, 0.0, 1.0)
#: Minimum visible share of the palm's length; a shorter palm points at the camera and has no angle in the picture.
SHORTEST_PALM = 0.15


class TurnAccumulator:
    """Sums one hand's rotations in the picture plane; create a new one when the hand is acquired again.

    Rotations out of that plane don't count, because one camera can't measure them well. In 21 carries with known
    rotations, 95 % of ladders were within 13 degrees over the table and 4 in the mirror; if 30 % of the other rotations
    counted, within 17 and 8, and if all counted, within 43 and 24. Summing also avoids a lasting tilt of a hand that
    turns at one place and turns back at another, where the line of sight differs.
    """

    def __init__(self) -> None:
        self._orientation: Quat = IDENTITY_QUAT
        self._last: MetricHand | None = None

    def add_hand(self, hand: MetricHand) -> Quat:
        """Return the orientation: camera_from_palm in the first frame, with all rotations since then."""
        if self._last is None:
            self._orientation = hand.camera_from_palm
        else:
            rotation = geometry.quat_from_axis_angle(CAMERA_AXIS, _measure_turn(self._last, hand))
            self._orientation = geometry.quat(geometry.quat_multiply(rotation, self._orientation))
        self._last = hand
        return self._orientation


def _measure_turn(before: MetricHand, after: MetricHand) -> float:
    (ax, ay), (bx, by) = before.finger_line, after.finger_line
    shortest = SHORTEST_PALM * min(before.palm_ray_length, after.palm_ray_length)
    if min(math.sqrt(ax * ax + ay * ay), math.sqrt(bx * bx + by * by)) < shortest:
        return 0.0
    return math.atan2(ax * by - ay * bx, ax * bx + ay * by)
