"""The turned square of a picture in which the landmark network looks for a hand, as mediapipe places it.

It comes from a palm that was found, or else from the landmarks of the picture before. Since each square follows from
the last one, and pixels are cut out with rounded positions, a difference in the last bit grows from picture to picture.
So all is reckoned as mediapipe does it: in single floats and in its order. Places are shares of the picture's width and
height, from edge to edge.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from armoon.hands.tracking.landmarks import INDEX_KNUCKLE, MIDDLE_KNUCKLE, RING_KNUCKLE, WRIST
from armoon.hands.tracking.palms import Floats, Palm

Image = npt.NDArray[np.uint8]
Single = np.float32

#: The square's side in lengths of what it is laid around, and how far it is moved towards the fingers.
PALM_SCALE, PALM_SHIFT = Single(2.6), Single(-0.5)
LANDMARKS_SCALE, LANDMARKS_SHIFT = Single(2.0), Single(-0.1)
#: The landmarks that it is laid around: none of the fingertips and of the joints before them.
AROUND = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]
#: The direction of a hand that isn't turned, in radians. mediapipe means 90 degrees for a palm and says 90 radians, and
#: what the landmark network answers depends on it.
PALM_UPRIGHT, LANDMARKS_UPRIGHT = Single(90.0), Single(math.pi / 2.0)
HALF, TWO = Single(0.5), Single(2.0)


@dataclass(frozen=True)
class Square:
    """A turned part of a picture; it is a square in the picture's pixels."""

    x: Single
    """Of its middle."""
    y: Single
    width: Single
    height: Single
    angle: Single
    """Radians from the picture's upright axis, clockwise as seen."""

    def to_picture(self, points: Floats) -> Floats:
        """Return points (n, 2) of the square, whose sides are 1 long, as shares of the picture."""
        size, middle = np.array([self.width, self.height]), np.array([self.x, self.y])
        placed: Floats = self.turned(points - HALF) * size + middle
        return placed

    def turned(self, points: Floats) -> Floats:
        """Return points (n, 2) turned about the origin as the square is."""
        return _turned(points, self.angle)

    def cut(self, picture: Image, pixels: int) -> Floats:
        """Return what is in it, upright, as (1, pixels, pixels, 3) from 0 to 1. The picture's edge is continued."""
        width, height = _sides(picture.shape[1], picture.shape[0])
        middle, size = (self.x * width, self.y * height), (self.width * width, self.height * height)
        degrees = Single(float(self.angle * Single(180.0)) / math.pi)
        return _cut(picture, (middle, size, degrees), pixels, cv2.BORDER_REPLICATE)


def cut_whole(picture: Image, pixels: int) -> Floats:
    """Return a whole picture in the middle of a black square, as (1, pixels, pixels, 3) from 0 to 1."""
    width, height = _sides(picture.shape[1], picture.shape[0])
    side = max(width, height)
    return _cut(
        picture, ((width / TWO, height / TWO), (side, side), Single(0.0)), pixels, cv2.BORDER_CONSTANT
    )


def around_palm(palm: Palm, width: int, height: int) -> Square:
    """Return the square of the hand of a palm, which was found in the whole picture of this size in pixels."""
    sides = _sides(width, height)
    shares = Single(1.0) / sides
    scale, start = sides.max() * shares, (-HALF * sides.max() + HALF * sides) * shares
    box = np.array([palm.box[:2], palm.box[2:], palm.wrist, palm.middle_knuckle], Single)
    low, high, wrist, knuckle = box * scale + start
    angle = _angle(wrist * sides, knuckle * sides, PALM_UPRIGHT)
    return _moved(low + (high - low) / TWO, high - low, angle, sides, PALM_SHIFT, PALM_SCALE)


def around_landmarks(points: Floats, width: int, height: int) -> Square:
    """Return the square where the hand of these landmarks (21, 2), shares of the picture, is expected next."""
    sides = _sides(width, height)
    knuckles = ((points[INDEX_KNUCKLE] + points[RING_KNUCKLE]) / TWO + points[MIDDLE_KNUCKLE]) / TWO
    angle = _angle(points[WRIST] * sides, knuckles * sides, LANDMARKS_UPRIGHT)
    around = points[AROUND]
    middle = (around.max(axis=0) + around.min(axis=0)) / TWO
    upright = _turned((around - middle) * sides, _from_minus_pi(-angle))
    low, high = upright.min(axis=0), upright.max(axis=0)
    (moved,) = _turned(((high + low) / TWO)[None], angle)
    return _moved(
        (moved + sides * middle) / sides, (high - low) / sides, angle, sides, LANDMARKS_SHIFT, LANDMARKS_SCALE
    )


def _sides(width: int, height: int) -> Floats:
    return np.array([width, height], Single)


def _cut(
    picture: Image,
    part: tuple[tuple[Single, Single], tuple[Single, Single], Single],
    pixels: int,
    border: int,
) -> Floats:
    """Cut out a part given by its middle and size in pixels and its turn in degrees; ``border`` is one of OpenCV's."""
    (x, y), (width, height), degrees = part
    corners = cv2.boxPoints(((float(x), float(y)), (float(width), float(height)), float(degrees)))
    matrix = cv2.getPerspectiveTransform(
        corners, np.array([[0, pixels], [0, 0], [pixels, 0], [pixels, pixels]], Single)
    )
    # Not warpAffine: between pixels this one rounds as mediapipe does.
    cut = cv2.warpPerspective(picture, matrix, (pixels, pixels), flags=cv2.INTER_LINEAR, borderMode=border)
    return np.multiply(cut[None], Single(1.0 / 255.0), dtype=Single)


def _moved(
    middle: Floats, size: Floats, angle: Single, sides: Floats, shift: Single, scale: Single
) -> Square:
    """Return the square around a part of this middle and size, moved along its upright axis."""
    up_px = sides[1] * size[1] * shift
    x, y = middle + np.array([-up_px * _sine(angle), up_px * _cosine(angle)]) / sides
    width, height = (size * sides).max() / sides * scale
    return Square(x, y, width, height, angle)


def _angle(wrist: Floats, fingers: Floats, upright: Single) -> Single:
    """Return by how much a hand is turned clockwise whose fingers would otherwise point up."""
    x, y = fingers - wrist
    return _from_minus_pi(upright - _arc(-y, x))


def _from_minus_pi(angle: Single) -> Single:
    """Return the same angle between minus and plus pi."""
    turns = np.floor((float(angle) + math.pi) / (2.0 * math.pi))
    return Single(float(angle) - 2.0 * math.pi * turns)


def _turned(points: Floats, angle: Single) -> Floats:
    x, y = points.T
    cosine, sine = _cosine(angle), _sine(angle)
    return np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=1)


def _of_c(name: str, otherwise: Callable[..., float], count: int = 1) -> Callable[..., Single]:
    """Return the C library's function of single floats, as mediapipe calls it; else Python's, at times a bit off."""
    try:
        found = getattr(ctypes.CDLL(None), name)
    except (OSError, TypeError, AttributeError):  # Windows has no such set of all libraries
        return lambda *numbers: Single(otherwise(*map(float, numbers)))
    found.restype, found.argtypes = ctypes.c_float, [ctypes.c_float] * count
    return lambda *numbers: Single(found(*numbers))


_cosine, _sine, _arc = _of_c("cosf", math.cos), _of_c("sinf", math.sin), _of_c("atan2f", math.atan2, 2)
