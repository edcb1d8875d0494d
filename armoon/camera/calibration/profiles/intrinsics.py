"""Focal length, centre and lens distortion from views of a board, checked on held-out views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from armoon.camera.calibration.board.finder import BoardSight
from armoon.camera.calibration.plane_pose import in_space, solve_plane
from armoon.errors import CameraError
from armoon.geometry import Array, CameraModel

#: Zhang's method needs three; the published example beside OpenCV's tutorial has four.
LEAST_VIEWS = 4
#: Number of views from which every fifth is held out to measure the error.
HOLD_OUT_FROM, HOLD_OUT_EVERY = 8, 5
#: A view whose error exceeds the median by this factor is a mistake: a moved board, a rolling shutter.
_STRAY_FACTOR, _STRAY_LEAST_PX = 3.0, 0.5
#: What a calibration must reach to be worth keeping: twice what a phone screen held in the hand gave.
MOST_ERROR_PX = 1.5
_REMEDY = "Calibrate again: tilt the board in all directions, fill the picture's corners, and hold still."


@dataclass(frozen=True)
class Calibration:
    """A camera and how well it explains the views."""

    camera: CameraModel
    error_px: float
    """Root mean square over the views it was made from."""
    held_out_px: float | None
    """The same over views that it was not made from; None with too few views."""
    views: int
    focal_sigma: float
    """One sigma as a fraction of the focal length, as the views allow."""


def calibrate(sights: Sequence[BoardSight], width: int, height: int) -> Calibration:
    """Return the camera behind ``sights`` of one board. Raises CameraError where they don't allow an answer."""
    if len(sights) < LEAST_VIEWS:
        raise CameraError(
            f"{len(sights)} views of the board are too few; {LEAST_VIEWS} are the least, 15 are good.",
            remedy="Show the board to the camera from more sides.",
        )
    kept = _without_strays(sights, width, height)
    camera, error_px, sigma, _ = _fit(kept, width, height)
    _check(camera, error_px)
    held_out_px = None
    if len(kept) >= HOLD_OUT_FROM:
        held_out = kept[HOLD_OUT_EVERY - 1 :: HOLD_OUT_EVERY]
        others = [sight for i, sight in enumerate(kept) if i % HOLD_OUT_EVERY != HOLD_OUT_EVERY - 1]
        held_out_px = view_error(_fit(others, width, height)[0], held_out)
    return Calibration(camera, error_px, held_out_px, len(kept), sigma / camera.fx)


def view_error(camera: CameraModel, sights: Sequence[BoardSight]) -> float:
    """Root mean square distance in pixels when only the board's pose is fitted to each view."""
    squares: list[float] = []
    for sight in sights:
        pose = solve_plane(camera, sight.places, sight.pixels)
        squares += [np.inf if pose is None else pose.error_px**2] * len(sight.ids)
    return float(np.sqrt(np.mean(squares)))


def _without_strays(sights: Sequence[BoardSight], width: int, height: int) -> list[BoardSight]:
    """Return the views that agree with each other."""
    kept = list(sights)
    while True:
        per_view = _fit(kept, width, height)[3]
        limit = max(_STRAY_FACTOR * float(np.median(per_view)), _STRAY_LEAST_PX)
        good = [sight for sight, error in zip(kept, per_view, strict=True) if error <= limit]
        if len(good) == len(kept) or len(good) < LEAST_VIEWS:
            return kept
        kept = good


def _fit(sights: Sequence[BoardSight], width: int, height: int) -> tuple[CameraModel, float, float, Array]:
    places = [in_space(s.places).astype(np.float32) for s in sights]
    pixels = [s.pixels.astype(np.float32)[:, np.newaxis] for s in sights]
    try:
        error_px, matrix, lens, _, _, spread, _, per_view = cv2.calibrateCameraExtended(
            places, pixels, (width, height), np.eye(3), np.zeros(5)
        )
    except cv2.error as error:
        raise CameraError("These views of the board allow no calibration.", remedy=_REMEDY) from error
    k1, k2, p1, p2, k3 = (float(v) for v in np.ravel(lens)[:5])
    camera = CameraModel(
        width,
        height,
        float(matrix[0, 0]),
        float(matrix[1, 1]),
        float(matrix[0, 2]),
        float(matrix[1, 2]),
        (k1, k2, p1, p2, k3),
    )
    return camera, float(error_px), float(np.ravel(spread)[0]), np.asarray(per_view, dtype=np.float64).ravel()


def _check(camera: CameraModel, error_px: float) -> None:
    numbers = [camera.fx, camera.fy, camera.cx, camera.cy, error_px, *camera.distortion]
    if not np.all(np.isfinite(numbers)) or not 0.2 < camera.fx / camera.width < 5.0:
        raise CameraError("These views of the board don't settle the focal length.", remedy=_REMEDY)
    if error_px > MOST_ERROR_PX:
        raise CameraError(
            f"The calibration leaves {error_px:.1f} px of error, where {MOST_ERROR_PX:g} px is the most.",
            remedy=f"Lay the board on something stiff, and see that it is the described one. {_REMEDY}",
        )
