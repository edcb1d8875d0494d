"""The turned square of a picture in which the landmark network looks for a hand, as mediapipe places it.

It comes from a palm that was found, or else from the landmarks of the picture before. As in mediapipe, pixels run
from the picture's edge here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from armoon.geometry import Array
from armoon.hands.tracking.landmarks import INDEX_KNUCKLE, MIDDLE_KNUCKLE, RING_KNUCKLE, WRIST
from armoon.hands.tracking.palms import Palm

Image = npt.NDArray[np.uint8]

#: The square's side in lengths of what it is laid around, and how far it is moved towards the fingers.
PALM_SCALE, PALM_SHIFT = 2.6, -0.5
LANDMARKS_SCALE, LANDMARKS_SHIFT = 2.0, -0.1
#: The landmarks that it is laid around: none of the fingertips and of the joints before them.
AROUND = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]
#: By how much a palm's square is turned too far, radians: mediapipe means 90 degrees and says 90 radians, and what
#: the landmark network answers depends on it.
PALM_TURN = 90.0 - math.pi / 2.0


@dataclass(frozen=True)
class Square:
    """A square part of a picture, in pixels."""

    x: float
    """Of its middle."""
    y: float
    side: float
    angle: float
    """Radians from the picture's upright axis, clockwise as seen."""

    @property
    def turn(self) -> Array:
        """The matrix (2, 2) that turns the square's axes into the picture's."""
        sine, cosine = math.sin(self.angle), math.cos(self.angle)
        return np.array([[cosine, -sine], [sine, cosine]])

    def to_picture(self, points: Array) -> Array:
        """Return points (n, 2) of the square, whose sides are 1 long, in the picture's pixels."""
        placed: Array = (points - 0.5) * self.side @ self.turn.T + np.array([self.x, self.y])
        return placed

    def cut(self, picture: Image, pixels: int, border: int) -> npt.NDArray[np.float32]:
        """Return what is in it, upright, as (1, pixels, pixels, 3) from 0 to 1; ``border`` is one of OpenCV's."""
        matrix = np.eye(3)
        matrix[:2, :2] = self.turn.T * (pixels / self.side)
        matrix[:2, 2] = pixels / 2.0 - matrix[:2, :2] @ np.array([self.x, self.y])
        # Not warpAffine: between pixels this one rounds as mediapipe does.
        part = cv2.warpPerspective(
            picture, matrix, (pixels, pixels), flags=cv2.INTER_LINEAR, borderMode=border
        )
        return np.multiply(part[None], np.float32(1.0 / 255.0), dtype=np.float32)


def whole(width: int, height: int) -> Square:
    """Return the square around a whole picture."""
    return Square(width / 2.0, height / 2.0, float(max(width, height)), 0.0)


def around_palm(palm: Palm, looked_at: Square) -> Square:
    """Return the square of the hand of a palm, which was found in an upright square of the picture."""
    (left, top), (right, bottom), wrist, knuckle = looked_at.to_picture(
        np.array([palm.box[:2], palm.box[2:], palm.wrist, palm.middle_knuckle])
    )
    middle = np.array([(left + right) / 2.0, (top + bottom) / 2.0])
    size = max(right - left, bottom - top)
    angle = _angle(wrist, knuckle) + PALM_TURN
    return _moved(middle, bottom - top, size, angle, PALM_SHIFT, PALM_SCALE)


def around_landmarks(points: Array) -> Square:
    """Return the square where the hand of these landmarks (21, 2) is expected next."""
    knuckles = (points[INDEX_KNUCKLE] + 2.0 * points[MIDDLE_KNUCKLE] + points[RING_KNUCKLE]) / 4.0
    angle = _angle(points[WRIST], knuckles)
    turn = Square(0.0, 0.0, 1.0, angle).turn
    upright = points[AROUND] @ turn
    low, high = upright.min(axis=0), upright.max(axis=0)
    middle = turn @ ((low + high) / 2.0)
    width, height = high - low
    return _moved(middle, height, max(width, height), angle, LANDMARKS_SHIFT, LANDMARKS_SCALE)


def _angle(wrist: Array, fingers: Array) -> float:
    """Return by how much a hand is turned clockwise whose fingers would otherwise point up."""
    along = fingers - wrist
    return math.pi / 2.0 - math.atan2(-float(along[1]), float(along[0]))


def _moved(middle: Array, height: float, size: float, angle: float, shift: float, scale: float) -> Square:
    x, y = middle + Square(0.0, 0.0, 1.0, angle).turn @ np.array([0.0, shift * height])
    return Square(float(x), float(y), float(size * scale), angle)
