"""The kit's single tags in a picture: corners unharmed by blur, and the poses that they allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from armoon.geometry import Array, CameraModel
from armoon.hands.cards.fit import Image
from armoon.hands.cards.prints import dictionary

#: Pixels around the tags that are looked at again.
_AROUND_PX = 24
#: Factor of error below which the other one of a tag's two poses is taken.
_BETTER = 1.5


class TagReader:
    """Reads some tags; use it from one thread."""

    def __init__(self, corners: Mapping[int, Array]) -> None:
        """``corners`` (4, 3) of each number's tag, in OpenCV's order and one frame."""
        self._corners = corners
        # Refined by edges, which blur doesn't draw inwards as it does corners; slow, so only around the tags.
        self._finds, self._refines = (
            _detector(how) for how in (cv2.aruco.CORNER_REFINE_NONE, cv2.aruco.CORNER_REFINE_APRILTAG)
        )

    def read(self, grey: Image) -> dict[int, Array]:
        """Return the pixels (4, 2) of each tag that is seen, by its number."""
        seen = self._found(self._finds, grey)
        if not seen:
            return {}
        around = np.concatenate(list(seen.values()))
        left, top = np.maximum(around.min(axis=0).astype(int) - _AROUND_PX, 0)
        right, bottom = around.max(axis=0).astype(int) + _AROUND_PX
        part = np.ascontiguousarray(grey[top:bottom, left:right])
        sharper = {n: c + np.array([left, top]) for n, c in self._found(self._refines, part).items()}
        return {**seen, **sharper}

    def points(self, numbers: Iterable[int]) -> Array:
        """Return the corners (n * 4, 3) of these tags, one after the other."""
        return np.concatenate([self._corners[number] for number in numbers])

    def _found(self, detector: cv2.aruco.ArucoDetector, grey: Image) -> dict[int, Array]:
        corners, numbers, _ = detector.detectMarkers(grey)
        return {
            int(number): np.asarray(four, np.float64).reshape(4, 2)
            for number, four in zip(np.ravel([] if numbers is None else numbers), corners, strict=False)
            if int(number) in self._corners
        }


def poses_of(camera: CameraModel, points: Array, pixels: Array) -> list[tuple[Array, Array]]:
    """Return the poses (turn, place), camera frame, that these corners allow: one, or two for a single tag."""
    method = cv2.SOLVEPNP_IPPE if len(points) == 4 else cv2.SOLVEPNP_SQPNP
    try:
        _, turns, places, left = cv2.solvePnPGeneric(
            points, pixels, camera.matrix(), np.array(camera.distortion), flags=method
        )
    except cv2.error:
        return []
    found = [
        (
            float(np.ravel(error)[0]),
            np.asarray(cv2.Rodrigues(turn)[0], np.float64),
            np.ravel(place).astype(np.float64),
        )
        for error, turn, place in zip(np.ravel(left), turns, places, strict=True)
        if float(np.ravel(place)[2]) > 0.0
    ]
    best = min((error for error, _, _ in found), default=0.0)
    return [(turn, place) for error, turn, place in found if error <= _BETTER * best + 1e-9]


def _detector(refinement: int) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    # A misread tag is worse than none.
    parameters.errorCorrectionRate = 0.0
    parameters.cornerRefinementMethod = refinement
    return cv2.aruco.ArucoDetector(dictionary(), parameters)
