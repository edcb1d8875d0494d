"""The pose of a paper ladder at which its print agrees best with a picture, pixel by pixel.

A blurred corner is seen further inside than it is, which puts a card millimetres too far away. So the print itself,
blurred as the picture is, is laid over the picture until it fits: Lucas and Kanade's method with six unknowns, and a
gain and an offset for each tag.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, CameraModel
from armoon.hands.cards.prints import Prints

Image = npt.NDArray[np.uint8]

#: The blur of a usual webcam, its pixels and their interpolation included, and its limits (pixels, one sigma).
USUAL_BLUR_PX, LEAST_BLUR_PX, MOST_BLUR_PX = 0.9, 0.5, 6.0
_ROUNDS = 7
#: A step below these, in radians and metres, is the last one: the next would be a tenth of it.
_ENOUGH = np.array([1.6e-3, 1.6e-3, 1.6e-3, 8e-5, 8e-5, 1.6e-4])
#: A point that differs by more than this share of the contrast of ink on paper is covered or glossy, and counts less.
_OUTLIER = 0.2
#: Factor on the error, because neighbouring points share their noise and the model's errors.
_SHARED = 2.5
#: Minimum likeness of a tag to the picture.
LEAST_LIKENESS = 0.4
#: Blur of a picture, in cells; where it is less than this many pixels, none.
_SMOOTHED_CELLS, _HARDLY_PX = 0.13, 0.4
#: Limits of a card's distance from the camera, and the largest plausible step, metres.
_NEAREST_M, _FARTHEST_M, _LARGEST_STEP_M = 0.08, 3.0, 0.12


@dataclass(frozen=True, eq=False)
class Cut:
    """A part of a picture with its slopes."""

    left: int
    top: int
    values: npt.NDArray[np.float32]
    """(h, w, 3): brightness, and its slopes to the right and down per pixel."""
    smoothed_px: float
    """Standard deviation of the blur that was added, pixels: points are few, and each stands for many pixels."""


@dataclass(frozen=True, eq=False)
class CardFit:
    """A fitted pose, camera from card."""

    turn: Array
    """(3, 3)"""
    place: Array
    """(3,)"""
    likeness: Array
    """(tags,) from -1 to 1; 0 where one lies outside of the picture."""
    misfit: float
    """Root mean square of what remains, as a share of the contrast of ink on paper."""
    covariance: Array
    """(6, 6) of a small rotation about the card's origin and of its place, camera frame, radians and metres."""


def as_grey(image: Image) -> Image:
    """Return the brightness (h, w) of a picture, (h, w, 3) BGR or grey already."""
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def cut_out(image: Image, left: int, top: int, right: int, bottom: int, cell_px: float) -> Cut | None:
    """Return the part of a picture between these pixels; None if too little of it lies in the picture.

    ``image``: (h, w, 3) BGR or (h, w) grey. ``cell_px`` is about the size of a tag's cell there.
    """
    height, width = image.shape[:2]
    left, top, right, bottom = max(0, left), max(0, top), min(width, right), min(height, bottom)
    if right - left < 12 or bottom - top < 12:
        return None
    part = as_grey(image[top:bottom, left:right]).astype(np.float32)
    smoothed_px = _SMOOTHED_CELLS * cell_px
    if smoothed_px > _HARDLY_PX:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), smoothed_px), dtype=np.float32)
    else:
        smoothed_px = 0.0
    across = cv2.Scharr(part, cv2.CV_32F, 1, 0, scale=1.0 / 32.0)
    down = cv2.Scharr(part, cv2.CV_32F, 0, 1, scale=1.0 / 32.0)
    return Cut(left, top, np.asarray(cv2.merge([part, across, down]), dtype=np.float32), smoothed_px)


def project(camera: CameraModel, points: Array) -> Array:
    """Return the camera's own pixels (2, n), distortion included, of points (n, 3) before it."""
    x, y = points[:, 0] / points[:, 2], points[:, 1] / points[:, 2]
    if any(camera.distortion):
        k1, k2, p1, p2, k3 = camera.distortion
        r2, xy = x * x + y * y, x * y
        radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
        x, y = (
            x * radial + 2.0 * p1 * xy + p2 * (r2 + 2.0 * x * x),
            y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * xy,
        )
    return np.stack([camera.fx * x + camera.cx, camera.fy * y + camera.cy])


def levels_at(camera: CameraModel, prints: Prints, turn: Array, place: Array, blur_px: Array) -> Array:
    """Return the prints' levels (tags, n) as a camera sees them that blurs by ``blur_px``, a covariance (2, 2)."""
    middle = prints.corners.mean(axis=1)
    sides = prints.corners[:, (1, 3)] - prints.corners[:, :1]
    ends = np.concatenate([middle[:, np.newaxis], middle[:, np.newaxis] + sides / prints.across], axis=1)
    pixels = project(camera, ends.reshape(-1, 3) @ turn.T + place).T.reshape(-1, 3, 2)
    cell_px = pixels[:, 1:] - pixels[:, :1]  # rows: one cell across, one cell down
    (xx, xy), (_, yy) = blur_px
    right, down = cell_px[:, :, 0], cell_px[:, :, 1]
    area = right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0] + 1e-9
    # Across, an edge is blurred along its own normal: the other side's, rotated by a quarter.
    along_x = np.stack([down[:, 1], -right[:, 1]], axis=1)
    along_y = np.stack([-down[:, 0], right[:, 0]], axis=1)
    variance = along_x * along_x * xx + 2.0 * along_x * along_y * xy + along_y * along_y * yy
    return prints.levels(np.sqrt(variance) / abs(area[:, np.newaxis]))


def fitted(
    camera: CameraModel, cut: Cut, prints: Prints, turn: Array, place: Array, blur_px: Array
) -> CardFit | None:
    """Return the best pose near (``turn``, ``place``), by those of the prints that are seen there; None: no such.

    ``blur_px``: the picture's, a covariance (2, 2) in pixels.
    """
    levels = levels_at(camera, prints, turn, place, blur_px + np.eye(2) * cut.smoothed_px**2)
    for _ in range(_ROUNDS):
        step = _step(camera, cut, prints, levels, turn, place)
        if step is None:
            return None
        change, normal, misfit, likeness = step
        turn = cv2.Rodrigues(change[:3])[0] @ turn
        place = place + change[3:]
        if not _NEAREST_M < place[2] < _FARTHEST_M or float(abs(change[3:]).max()) > _LARGEST_STEP_M:
            return None
        if (abs(change) < _ENOUGH).all():
            break
    covariance = np.asarray(cv2.invert(normal)[1]) * (misfit * _SHARED) ** 2
    return CardFit(turn, place, likeness, misfit, covariance)


def _step(
    camera: CameraModel, cut: Cut, prints: Prints, levels: Array, turn: Array, place: Array
) -> tuple[Array, Array, float, Array] | None:
    """Return one step of Gauss and Newton (6,), the normal matrix, the misfit and the tags' likeness."""
    arms = prints.points @ turn.T
    points = arms + place
    sampled = _sampled(camera, cut, points, len(levels))
    if sampled is None:
        return None
    seen, inside = sampled
    bright, gain, likeness = _compared(seen[:, :, 0], levels)
    likeness = np.where(inside, likeness, 0.0)
    used = likeness >= LEAST_LIKENESS
    if not used.any():
        return None
    contrast = np.where(used, gain, 1.0)[:, np.newaxis] * math.sqrt(4.0 / levels.shape[1])
    left = (bright - gain[:, np.newaxis] * levels) / contrast
    weight = used[:, np.newaxis] / np.maximum(1.0, abs(left) / _OUTLIER)
    slopes = _slopes(camera, seen.reshape(-1, 3), arms, points).reshape(6, *levels.shape) / contrast
    # What a gain and an offset of a tag would explain says nothing about the pose.
    slopes -= slopes.mean(axis=2, keepdims=True)
    slopes -= (slopes * levels).sum(axis=2, keepdims=True) * levels
    weighed = (slopes * weight).reshape(6, -1)
    normal = weighed @ slopes.reshape(6, -1).T
    misfit = math.sqrt(float((weight * left * left).sum()) / float(weight.sum()))
    try:
        return np.linalg.solve(normal, -weighed @ left.ravel()), normal, misfit, likeness
    except np.linalg.LinAlgError:
        return None


def likeness_at(
    camera: CameraModel, cut: Cut, prints: Prints, turn: Array, place: Array, *blurs_px: Array
) -> Array:
    """Return how much each print agrees with the picture, -1 to 1; NaN if one isn't all in the cut.

    A row (tags,) for each of ``blurs_px``, covariances (2, 2) in pixels.
    """
    sampled = _sampled(camera, cut, prints.points @ turn.T + place, len(prints.tags))
    if sampled is None:
        return np.full((len(blurs_px), len(prints.tags)), np.nan)
    seen, inside = sampled
    smoothed = np.eye(2) * cut.smoothed_px**2
    alike = [
        _compared(seen[:, :, 0], levels_at(camera, prints, turn, place, blur_px + smoothed))[2]
        for blur_px in blurs_px
    ]
    return np.where(inside, np.array(alike), np.nan)


def _compared(seen: Array, levels: Array) -> tuple[Array, Array, Array]:
    """Return the brightness (tags, n) about its mean, and each tag's gain and likeness (tags,)."""
    bright = seen - seen.mean(axis=1, keepdims=True)
    gain = (bright * levels).sum(axis=1)
    return bright, gain, gain / np.sqrt((bright * bright).sum(axis=1) + 1e-9)


def _slopes(camera: CameraModel, seen: Array, arms: Array, points: Array) -> Array:
    """How the brightness (6, n) changes with a small rotation about the card's origin and a shift, camera frame."""
    along_x, along_y = seen[:, 1] * (camera.fx / points[:, 2]), seen[:, 2] * (camera.fy / points[:, 2])
    along_z = -(along_x * points[:, 0] + along_y * points[:, 1]) / points[:, 2]
    x, y, z = arms.T
    return np.stack(
        [
            y * along_z - z * along_y,
            z * along_x - x * along_z,
            x * along_y - y * along_x,
            along_x,
            along_y,
            along_z,
        ]
    )


def _sampled(
    camera: CameraModel, cut: Cut, points: Array, tags: int
) -> tuple[Array, npt.NDArray[np.bool_]] | None:
    """Return brightness and slopes (tags, n, 3) where the points are seen, and which tags (tags,) lie in the cut."""
    if points[:, 2].min() < _NEAREST_M:
        return None
    u, v = project(camera, points) - [[cut.left], [cut.top]]
    height, width = cut.values.shape[:2]
    outside = (u < 0.0) | (v < 0.0) | (u > width - 1) | (v > height - 1)
    inside = ~outside.reshape(tags, -1).any(axis=1)
    if not inside.any():
        return None
    values = cv2.remap(
        cut.values,
        u.astype(np.float32),
        v.astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(values, dtype=np.float64).reshape(tags, -1, 3), inside
