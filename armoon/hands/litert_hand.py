"""Tracks one hand with LiteRT, using mediapipe's two networks in the same way as mediapipe's hand task.

The palm network searches the whole picture for a hand; the landmark network then follows the square around the hand.
"""

from __future__ import annotations

import ctypes
import functools
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.errors import TrackerError
from armoon.hands import landmarks
from armoon.hands.model import PARTS, read_checked_part

Floats = npt.NDArray[np.float32]

#: Side length of the palm network's input, in pixels.
SIDE = 192
#: Grids of anchors: step in pixels, and number of anchors at each grid point.
GRIDS = ((8, 2), (16, 6))
#: Indices of the two of seven points that give the palm's direction, from the wrist to the middle knuckle.
PALM_WRIST, PALM_MIDDLE_KNUCKLE = 0, 2
POINTS = 7
#: Minimum intersection over union of a box with the likeliest one, if both show the same palm.
SAME_PALM = 0.3
#: Limit of the logits, because the exponential of a higher one exceeds single precision.
MAX_LOGIT = 80.0


@functools.cache
def list_anchors() -> Floats:
    """Return the anchors' positions (2016, 2) in the input as a unit square, in the network's order."""
    rows = []
    for step, anchors_per_point in GRIDS:
        count = SIDE // step
        positions = (np.arange(count, dtype=np.float32) + 0.5) / count
        grid = np.stack(np.meshgrid(positions, positions), axis=-1).reshape(-1, 2)
        rows.append(np.repeat(grid, anchors_per_point, axis=0))
    return np.concatenate(rows)


def find_likeliest_palm(numbers: Floats, logits: Floats, confidence: float) -> Floats | None:
    """Return a palm (4, 2) from the network's output (2016, 18) and (2016,); None if no palm is likely enough.

    The four points are the upper left and lower right corner of its box, wrist and middle knuckle, in the input as a
    unit square: weighted means of all boxes that overlap the likeliest one.
    """
    odds = np.exp(np.clip(-logits.astype(np.float64), -MAX_LOGIT, MAX_LOGIT)).astype(np.float32)
    scores = np.float32(1.0) / (np.float32(1.0) + odds)
    candidates = np.flatnonzero(scores >= np.float32(confidence))
    if not len(candidates):
        return None
    candidates = candidates[np.argsort(-scores[candidates], kind="stable")]
    pairs = numbers[candidates].reshape(len(candidates), POINTS + 2, 2) / np.float32(SIDE)
    middles, halves = pairs[:, 0] + list_anchors()[candidates], pairs[:, 1] / np.float32(2.0)
    low, high = middles - halves, middles + halves
    high = low + (high - low)  # rounded as in mediapipe, which stores the size instead of this corner
    points = (pairs[:, 2:] + list_anchors()[candidates][:, None]).reshape(len(candidates), 2 * POINTS)
    boxes = np.concatenate([low, high], axis=1)
    overlapping = _measure_overlap(boxes, boxes[0]) > SAME_PALM
    if not overlapping.any():  # a box without area overlaps nothing
        return None
    weights = scores[candidates][overlapping][:, None]
    # Row by row, as mediapipe adds them; numpy would add a single column in another order.
    numbers = np.concatenate(
        [weights, boxes[overlapping] * weights, points[overlapping] * weights], axis=1
    ).sum(axis=0)
    low, high, *mean = (numbers[1:] / numbers[0]).reshape(-1, 2)
    return np.array([low, low + (high - low), mean[PALM_WRIST], mean[PALM_MIDDLE_KNUCKLE]])


def _measure_overlap(boxes: Floats, box: Floats) -> Floats:
    """Return the intersection over union (n,) of boxes (n, 4) with one box."""
    sides = np.minimum(boxes[:, 2:], box[2:]) - np.maximum(boxes[:, :2], box[:2])
    shared = np.prod(np.clip(sides, 0.0, None), axis=1)
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    union = areas + np.prod(box[2:] - box[:2]) - shared
    share: Floats = np.where(union > 0.0, shared / np.where(union > 0.0, union, 1.0), 0.0)
    return share


Single = np.float32

#: Side of the square relative to the box around palm or landmarks, and its shift, negative towards the fingers.
PALM_SCALE, PALM_SHIFT = Single(2.6), Single(-0.5)
LANDMARKS_SCALE, LANDMARKS_SHIFT = Single(2.0), Single(-0.1)
#: The square is fitted around these landmarks: all but the tips and, except for the thumb, the joints next to them.
SQUARE_LANDMARKS = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]
#: Direction of an upright hand, radians. For palms, mediapipe mistakes 90 degrees for radians; copy that to get the
#: same squares.
PALM_UPRIGHT, LANDMARKS_UPRIGHT = Single(90.0), Single(math.pi / 2.0)
HALF, TWO = Single(0.5), Single(2.0)


@dataclass(frozen=True)
class Square:
    """A rotated part of a picture, in fractions of the picture's width and height; in pixels it is a square."""

    x: Single
    """Horizontal centre."""
    y: Single
    width: Single
    height: Single
    angle: Single
    """Clockwise from upright, radians."""

    def to_picture(self, points: Floats) -> Floats:
        """Convert points (n, 2) of this unit square to fractions of the picture."""
        size, middle = np.array([self.width, self.height]), np.array([self.x, self.y])
        converted: Floats = _rotate(points - HALF, self.angle) * size + middle
        return converted

    def cut_out(self, picture: landmarks.Image, pixels: int) -> Floats:
        """Return the square turned upright, (1, pixels, pixels, 3) from 0 to 1; border pixels are repeated outside."""
        width, height = _make_sides(picture.shape[1], picture.shape[0])
        middle, size = (self.x * width, self.y * height), (self.width * width, self.height * height)
        degrees = Single(float(self.angle * Single(180.0)) / math.pi)
        return _cut_out(picture, (middle, size, degrees), pixels, cv2.BORDER_REPLICATE)


def make_palm_square(palm: Floats, width: int, height: int) -> Square:
    """Return the square around the hand with this palm (``find_likeliest_palm``); picture size in pixels."""
    sides = _make_sides(width, height)
    shares = Single(1.0) / sides
    scale, start = sides.max() * shares, (-HALF * sides.max() + HALF * sides) * shares
    low, high, wrist, knuckle = palm * scale + start
    angle = _measure_angle(wrist * sides, knuckle * sides, PALM_UPRIGHT)
    return _make_square(low + (high - low) / TWO, high - low, angle, sides, PALM_SHIFT, PALM_SCALE)


def make_landmarks_square(points: Floats, width: int, height: int) -> Square:
    """Return the square where the hand with these landmarks (21, 2), fractions of the picture, is expected next."""
    sides = _make_sides(width, height)
    outer = (points[landmarks.INDEX_KNUCKLE] + points[landmarks.RING_KNUCKLE]) / TWO
    knuckles = (outer + points[landmarks.MIDDLE_KNUCKLE]) / TWO
    angle = _measure_angle(points[landmarks.WRIST] * sides, knuckles * sides, LANDMARKS_UPRIGHT)
    around = points[SQUARE_LANDMARKS]
    middle = (around.max(axis=0) + around.min(axis=0)) / TWO
    upright = _rotate((around - middle) * sides, _wrap_angle(-angle))
    low, high = upright.min(axis=0), upright.max(axis=0)
    (centre,) = (_rotate(((high + low) / TWO)[None], angle) + sides * middle) / sides
    return _make_square(centre, (high - low) / sides, angle, sides, LANDMARKS_SHIFT, LANDMARKS_SCALE)


def _make_sides(width: int, height: int) -> Floats:
    return np.array([width, height], Single)


def _cut_out(
    picture: landmarks.Image,
    part: tuple[tuple[Single, Single], tuple[Single, Single], Single],
    pixels: int,
    border: int,
) -> Floats:
    """Cut out a part given by centre and size (pixels) and rotation (degrees); ``border`` is an OpenCV mode."""
    (x, y), (width, height), degrees = part
    corners = cv2.boxPoints(((float(x), float(y)), (float(width), float(height)), float(degrees)))
    matrix = cv2.getPerspectiveTransform(
        corners, np.array([[0, pixels], [0, 0], [pixels, 0], [pixels, pixels]], Single)
    )
    # Unlike warpAffine, this function interpolates between pixels as mediapipe does.
    cut = cv2.warpPerspective(picture, matrix, (pixels, pixels), flags=cv2.INTER_LINEAR, borderMode=border)
    return np.multiply(cut[None], Single(1.0 / 255.0), dtype=Single)


def _make_square(
    middle: Floats, size: Floats, angle: Single, sides: Floats, shift: Single, scale: Single
) -> Square:
    up_px = sides[1] * size[1] * shift
    x, y = middle + np.array([-up_px * _sine(angle), up_px * _cosine(angle)]) / sides
    width, height = (size * sides).max() / sides * scale
    return Square(x, y, width, height, angle)


def _measure_angle(wrist: Floats, fingers: Floats, upright: Single) -> Single:
    x, y = fingers - wrist
    return _wrap_angle(upright - _arctangent(-y, x))


def _wrap_angle(angle: Single) -> Single:
    turns = np.floor((float(angle) + math.pi) / (2.0 * math.pi))
    return Single(float(angle) - 2.0 * math.pi * turns)


def _rotate(points: Floats, angle: Single) -> Floats:
    x, y = points.T
    cosine, sine = _cosine(angle), _sine(angle)
    return np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=1)


def _load_libc(name: str, fallback: Callable[..., float], count: int = 1) -> Callable[..., Single]:
    """Return the C library's function, as used by mediapipe, or else Python's, which may differ slightly."""
    try:
        function = getattr(ctypes.CDLL(None), name)
    except (OSError, TypeError, AttributeError):  # Windows has no handle for all loaded libraries
        return lambda *numbers: Single(fallback(*map(float, numbers)))
    function.restype, function.argtypes = ctypes.c_float, [ctypes.c_float] * count
    return lambda *numbers: Single(function(*numbers))


_cosine, _sine = _load_libc("cosf", math.cos), _load_libc("sinf", math.sin)
_arctangent = _load_libc("atan2f", math.atan2, 2)


PACKAGE = "ai_edge_litert"
REMEDY = "fault.remedy.other_tracker"
#: Our copy of the networks, for platforms without a mediapipe package.
NETWORKS = Path(__file__).parent / "networks"
#: Side length of the landmark network's input, in pixels.
HAND_SIDE = 224
#: Minimum presence score of a hand, as in mediapipe.
PRESENCE = 0.5
#: Maximum number of threads; like mediapipe, use half of the cores, but at most four.
MAX_THREADS = 4


class LitertNetworks:
    """The palm and landmark networks, without state: all landmarkers of a thread can share them."""

    def __init__(self) -> None:
        """Load the networks. Raises TrackerError if LiteRT isn't installed, or if a network has another checksum."""
        self._palm, self._hand = (_Network(part) for part in read_networks())

    def run_palm_network(self, square: Floats) -> tuple[Floats, Floats]:
        """Return the palm network's output for a square (1, 192, 192, 3): (2016, 18) and (2016,)."""
        boxes, logits = self._palm.run_network(square)
        return boxes[0], logits[0, :, 0]

    def run_hand_network(self, square: Floats) -> tuple[Floats, float, float, Floats]:
        """Return landmarks (21, 3), presence, right-hand score and world landmarks for a square (1, 224, 224, 3)."""
        points, presence, right, world = self._hand.run_network(square)
        return points.reshape(-1, 3), float(presence[0, 0]), float(right[0, 0]), world.reshape(-1, 3)


def read_networks() -> tuple[bytes, bytes]:
    """Return the palm and the landmark network. Raises TrackerError if one has another checksum."""
    palm, hand = (
        read_checked_part(NETWORKS, replace(part, path=Path(part.path).name), remedy="fault.remedy.reinstall")
        for part in PARTS
    )
    return palm, hand


class _Network:
    def __init__(self, network: bytes) -> None:
        try:
            from ai_edge_litert.interpreter import Interpreter
        except ImportError as error:
            missing = find_spec(PACKAGE) is None
            raise TrackerError(
                "fault.tracker.no_litert" if missing else "fault.tracker.litert", remedy=REMEDY, why=error
            ) from error
        threads = max(1, min(MAX_THREADS, (os.cpu_count() or 1) // 2))
        try:
            self._interpreter: Any = Interpreter(model_content=network, num_threads=threads)
            self._interpreter.allocate_tensors()
        except (RuntimeError, ValueError) as error:
            raise TrackerError("fault.tracker.hand.start", remedy=REMEDY, why=error) from error
        self._input = self._interpreter.get_input_details()[0]["index"]
        outputs = sorted(self._interpreter.get_output_details(), key=lambda output: str(output["name"]))
        self._outputs = [output["index"] for output in outputs]

    def run_network(self, square: Floats) -> list[Any]:
        try:
            self._interpreter.set_tensor(self._input, square)
            self._interpreter.invoke()
        except (RuntimeError, ValueError) as error:
            raise TrackerError(
                "fault.tracker.hand.failed", remedy="fault.remedy.restart", why=error
            ) from error
        return [self._interpreter.get_tensor(output) for output in self._outputs]


class LitertLandmarker:
    """Finds one hand and tracks it from picture to picture."""

    def __init__(self, networks: LitertNetworks) -> None:
        self._networks: LitertNetworks | None = networks
        self._expected: Square | None = None

    def find_hand(self, picture_rgb: landmarks.Image, stamp_ms: int) -> landmarks.DetectedHand | None:
        networks = self._networks
        assert networks is not None, "the landmarker is closed"
        height, width = picture_rgb.shape[:2]
        square, self._expected = self._expected, None
        if square is None:
            longer = max(_make_sides(width, height))
            whole = ((Single(width) / TWO, Single(height) / TWO), (longer, longer), Single(0.0))
            boxes, logits = networks.run_palm_network(_cut_out(picture_rgb, whole, SIDE, cv2.BORDER_CONSTANT))
            palm = find_likeliest_palm(boxes, logits, landmarks.DETECTION_CONFIDENCE)
            if palm is None:
                return None
            square = make_palm_square(palm, width, height)
        points, presence, right, world = networks.run_hand_network(square.cut_out(picture_rgb, HAND_SIDE))
        if not presence > PRESENCE:
            return None
        picture_points = square.to_picture(points[:, :2] / np.float32(HAND_SIDE))
        self._expected = make_landmarks_square(picture_points, width, height)
        rotated_world = np.column_stack([_rotate(world[:, :2], square.angle), world[:, 2]]).astype(np.float64)
        side: landmarks.Side = "right" if right > 0.5 else "left"
        # Our coordinates start at the centre of the first pixel.
        points_px = picture_points.astype(np.float64) * [width, height] - 0.5
        return landmarks.DetectedHand(points_px, rotated_world, side, max(right, 1.0 - right))

    def close(self) -> None:
        self._networks = None
