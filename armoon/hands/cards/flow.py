"""A card whose tags can't be read for a moment, carried over by the picture's flow: its old corners, found again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from armoon.geometry import Array, CameraModel
from armoon.hands.cards.find import Found, box_of
from armoon.hands.cards.fit import Image, project
from armoon.hands.cards.prints import prints_of
from armoon.values.paper import TAG_CELLS, PaperLadder

#: Pixels around the card that are kept of a picture: as far as it may move until the next.
_AROUND_PX = 64
_WINDOW_PX, _LEVELS = 21, 2
#: Maximum error of a corner followed there and back, in pixels, and minimum likeness of the picture around it.
_BACK_PX, _ALIKE = 1.5, 0.6
#: Smoothing of both pictures, in pixels: one may be blurred, and the other not.
_SMOOTHED_PX = 2.5
#: Corners that must agree on a pose: their least number, their maximum error in pixels, their least share.
_LEAST, _AGREE_PX, _PART = 8, 2.0, 0.3
#: Error of a corner that is found again, in pixels, and its factor because neighbours err alike.
_ERROR_PX, _SHARED = 0.7, 3.0


@dataclass(frozen=True, eq=False)
class _Before:
    """A part of the last picture, and the card's pose in it."""

    grey: Image
    left: int
    top: int
    found: Found


class Flow:
    """Keeps the last picture of one camera's card."""

    def __init__(self, camera: CameraModel) -> None:
        self._camera = camera
        self._before: _Before | None = None

    def note(self, grey: Image, left: int, top: int, found: Found) -> None:
        """Remember a picture's part, which begins at (left, top), and where the card is in it."""
        self._before = _Before(grey, left, top, found)

    def area(self, found: Found, shape: tuple[int, ...]) -> tuple[int, int, int, int] | None:
        """Return left, top, right and bottom of what is to be kept of a picture (h, w, ...); None if nothing is."""
        face = prints_of(found.ladder, front=found.front)
        box = box_of(self._camera, face, found.fit.turn, found.fit.place)
        if box is None:
            return None
        left, top = max(0, box[0] - _AROUND_PX), max(0, box[1] - _AROUND_PX)
        right, bottom = min(shape[1], box[2] + _AROUND_PX), min(shape[0], box[3] + _AROUND_PX)
        return (
            None
            if right - left < 2 * _WINDOW_PX or bottom - top < 2 * _WINDOW_PX
            else (left, top, right, bottom)
        )

    def carried(self, grey: Image, turn: Array, place: Array) -> Found | None:
        """Return the card in the next picture, grey, where it is expected at this pose; None if it can't be told."""
        before = self._before
        if before is None:
            return None
        height, width = before.grey.shape
        now = grey[before.top : before.top + height, before.left : before.left + width]
        if now.shape != before.grey.shape:
            return None
        # Smoothed only now: most pictures are never asked.
        past, now = _smoothed(before.grey), _smoothed(now)
        corners = _corners(before.found.ladder, before.found.front)
        offset = np.array([before.left, before.top])
        was, guess = (
            (project(self._camera, corners @ at[0].T + at[1]).T - offset).astype(np.float32)
            for at in ((before.found.fit.turn, before.found.fit.place), (turn, place))
        )
        inside = ((was > 2) & (was < (width - 3, height - 3))).all(axis=1)
        if inside.sum() < _LEAST:
            return None
        corners, was, guess = corners[inside], was[inside], guess[inside]
        there = _followed(past, now, was, guess)
        back = _followed(now, past, there, was)
        steady = (np.linalg.norm(back - was, axis=1) < _BACK_PX) & (_alike(past, now, was, there) > _ALIKE)
        if steady.sum() < max(_LEAST, _PART * len(corners)):
            return None
        return self._posed(before.found, corners[steady], there[steady] + offset, turn, place)

    def _posed(self, last: Found, corners: Array, pixels: Array, turn: Array, place: Array) -> Found | None:
        """Return the pose on which most of the corners (n, 3) and their pixels (n, 2) agree."""
        camera = self._camera
        matrix, lens = camera.matrix(), np.array(camera.distortion)
        start = cv2.Rodrigues(turn)[0], place.reshape(3, 1).copy()
        try:
            solved, spun, moved, agree = cv2.solvePnPRansac(
                corners,
                pixels,
                matrix,
                lens,
                *start,
                useExtrinsicGuess=True,
                iterationsCount=30,
                reprojectionError=_AGREE_PX,
                flags=cv2.SOLVEPNP_ITERATIVE,
            )
        except cv2.error:
            return None
        if not solved or agree is None or len(agree) < max(_LEAST, len(corners) // 2):
            return None
        turned: Array = np.asarray(cv2.Rodrigues(spun)[0], dtype=np.float64)
        arms = corners[agree.ravel()] @ turned.T
        points = arms + np.ravel(moved)
        left = project(camera, points).T - pixels[agree.ravel()]
        error_px = max(_ERROR_PX, float(np.sqrt((left * left).mean()))) * _SHARED
        covariance = _uncertain(camera, arms, points) * error_px**2 + last.fit.covariance
        fit = replace(
            last.fit,
            turn=turned,
            place=np.ravel(moved).astype(np.float64),
            likeness=np.zeros(3),
            covariance=covariance,
        )
        return replace(last, fit=fit)


def _uncertain(camera: CameraModel, arms: Array, points: Array) -> Array:
    """Return the covariance (6, 6) of a pose by points (n, 3) seen with an error of one pixel."""
    x, y, z = points.T
    none = np.zeros_like(z)
    ways = np.concatenate(
        [
            np.stack([camera.fx / z, none, -camera.fx * x / z**2], axis=1),
            np.stack([none, camera.fy / z, -camera.fy * y / z**2], axis=1),
        ]
    )
    slopes = np.concatenate([np.cross(np.tile(arms, (2, 1)), ways), ways], axis=1)
    return np.asarray(cv2.invert(slopes.T @ slopes)[1])


@cache
def _corners(ladder: PaperLadder, front: bool) -> Array:
    """Return where ink and paper meet at a corner (n, 3), card frame, on one face's tags."""
    prints = prints_of(ladder, front=front)
    found = []
    for four, cells in zip(prints.corners, prints.cells, strict=True):
        spare = (len(cells) - TAG_CELLS) // 2
        for row in range(TAG_CELLS + 1):
            for column in range(TAG_CELLS + 1):
                around = cells[spare + row - 1 : spare + row + 1, spare + column - 1 : spare + column + 1]
                if round(float(around.sum())) % 2:
                    across, down = four[1] - four[0], four[3] - four[0]
                    found.append(four[0] + (across * column + down * row) / TAG_CELLS)
    return np.array(found)


def _smoothed(grey: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), _SMOOTHED_PX), dtype=np.uint8)


def _followed(one: Image, other: Image, was: Array, guess: Array) -> Array:
    """Return where pixels (n, 2) of one picture are in another; NaN where they aren't found."""
    there, known, _ = cv2.calcOpticalFlowPyrLK(
        one,
        other,
        np.ascontiguousarray(was),
        np.ascontiguousarray(guess).copy(),
        winSize=(_WINDOW_PX, _WINDOW_PX),
        maxLevel=_LEVELS,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    return np.where(known.reshape(-1, 1) > 0, there, np.float32(-1e3)).astype(np.float32)


def _alike(one: Image, other: Image, was: Array, there: Array) -> Array:
    """Return how alike the surroundings of pixels (n, 2) are in two pictures (n,), -1 to 1."""
    side = np.arange(_WINDOW_PX, dtype=np.float32) - _WINDOW_PX // 2
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(1, -1, 2)
    patches = []
    for picture, at in ((one, was), (other, there)):
        u, v = np.moveaxis((at[:, np.newaxis] + grid).astype(np.float32), 2, 0)
        level = np.asarray(
            cv2.remap(
                picture,
                np.ascontiguousarray(u),
                np.ascontiguousarray(v),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            ),
            dtype=np.float64,
        )
        patches.append(level - level.mean(axis=1, keepdims=True))
    a, b = patches
    return np.asarray((a * b).sum(axis=1) / np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1) + 1e-9))
