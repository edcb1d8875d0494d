"""Detects camera motion from the picture's background: a hand moves a part of it, a bump all of it."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.sources import Image
from armoon.geometry import Array

#: Pictures are compared at about this width: a tenth of its pixel is well below what the eye sees drawn.
WORK_WIDTH_PX = 480
_POINTS = 220
#: Minimum number of comparable points.
LEAST_POINTS = 16
#: A camera that stays gives a smaller median (working pixels); following is ten times finer.
STILL_PX = 0.4
#: Points agree with a common motion within this (working pixels).
_AGREE_PX = 1.2
#: Share of the followed points that must agree before the whole picture counts as moved.
_LEAST_AGREEMENT = 0.5
#: There and back again, a followed point must end where it began (working pixels).
_RETURN_PX = 0.5
#: A larger part of the points lost than this, and nothing is said.
_LEAST_FOLLOWED = 0.2
#: Number of points that a glance follows, one way only, and its picture's width in pixels.
_GLANCE_POINTS, _GLANCE_WIDTH_PX = 60, 240
#: A camera that stays gives a smaller median at a glance (its own pixels): 1.9 pixels at 1280 width.
_GLANCE_STILL_PX = 0.35
#: Around landmarks of a hand everything is left out (share of the picture's width).
_HAND_RADIUS = 0.06
_LEAST_MATCHES = 20
#: The follower's window, and its pyramids one after the other. Four levels follow shifts of 80 working pixels;
#: but where the picture's middle changes, as when another sheet is laid down, the coarse ones drag all along.
_WINDOW, _LEVELS = (21, 21), (2, 4)
_GLANCE_WINDOW, _GLANCE_LEVELS = (13, 13), 2


class Motion(enum.Enum):
    """The camera's motion, according to the background."""

    STILL = "still"
    MOVED = "moved"
    UNKNOWN = "unknown"
    """Too little of it is in view to tell."""


@dataclass(frozen=True, eq=False)
class BackgroundMotion:
    """The camera since the reference picture."""

    motion: Motion
    shift_px: float
    """Median shift in pixels of the full picture."""
    before: Array
    """(n, 2) full pixels of background points in the reference picture that agree with the motion."""
    now: Array
    """(n, 2) the same points in the present picture."""


class Background:
    """Remembers corners of one reference picture and looks for them in later ones."""

    def __init__(self, grey: Image, hands_px: Iterable[Array] = (), movable_px: Array | None = None) -> None:
        """``hands_px``: landmarks (n, 2) of each hand in the picture, whose surroundings don't count.

        ``movable_px``: the outline (n, 2) of something that may be pushed on its own, such as the sheet.
        """
        self._step = max(1.0, grey.shape[1] / WORK_WIDTH_PX)
        self._reference = self._small(grey)
        self._orb = cv2.ORB_create(500)  # type: ignore[attr-defined]
        mask = self._without_hands(self._reference.shape, hands_px)
        if movable_px is not None:
            cv2.fillConvexPoly(mask, cv2.convexHull(self._small_places(movable_px)), (0,))
        self._keys, self._looks = self._orb.detectAndCompute(self._reference, mask)
        corners = cv2.goodFeaturesToTrack(self._reference, _POINTS, 0.01, 9.0, mask=mask)
        self._points = np.zeros((0, 1, 2), np.float32) if corners is None else np.asarray(corners, np.float32)
        self._tiny_step = max(1.0, grey.shape[1] / _GLANCE_WIDTH_PX)
        self._tiny = _shrunk(grey, self._tiny_step)
        # Good corners come first: at a glance only they count.
        share = self._tiny_step / self._step
        self._tiny_points = ((self._points[:_GLANCE_POINTS] + 0.5) / share - 0.5).astype(np.float32)

    @property
    def has_points(self) -> bool:
        """Whether there is anything to hold on to: a bare table may show nothing."""
        return len(self._points) >= LEAST_POINTS

    def glance(self, grey: Image, hands_px: Iterable[Array] = ()) -> bool:
        """Whether all seems to stand still; False where it doesn't, or where too little is in view to tell."""
        points = self._tiny_points
        for hand in hands_px:
            x, y = ((np.asarray(hand, dtype=np.float64) + 0.5) / self._tiny_step - 0.5).T
            margin = _HAND_RADIUS * _GLANCE_WIDTH_PX
            column, row = points[:, 0, 0], points[:, 0, 1]
            beside = (column < x.min() - margin) | (column > x.max() + margin)
            points = points[beside | (row < y.min() - margin) | (row > y.max() + margin)]
        if len(points) < LEAST_POINTS:
            return False
        tiny = _shrunk(grey, self._tiny_step)
        there, found, _ = _follow(self._tiny, tiny, points, _GLANCE_WINDOW, _GLANCE_LEVELS)
        shifts = np.linalg.norm((there - points).reshape(-1, 2), axis=1)
        shifts[found.ravel() != 1] = np.inf
        return float(np.median(shifts)) < _GLANCE_STILL_PX

    def compare(self, grey: Image, hands_px: Iterable[Array] = ()) -> BackgroundMotion:
        """Return the camera's motion between the reference picture and this one."""
        small = self._small(grey)
        usable = self._without_hands(small.shape, hands_px)
        for levels in _LEVELS:
            before, now = self._followed(small, usable, levels)
            answer = self._judge(before, now, len(self._points))
            if answer.motion is not Motion.UNKNOWN:
                break
        else:
            # A jolt can be too wide to follow: then the points are recognised by their looks.
            before, now = self._recognised(small, usable)
            matched = self._judge(before, now, 0)
            if matched.motion is not Motion.UNKNOWN:
                return matched
        return answer

    def _followed(self, small: Image, usable: npt.NDArray[np.uint8], levels: int) -> tuple[Array, Array]:
        none = np.zeros((0, 2))
        if len(self._points) < LEAST_POINTS:
            return none, none
        there, found, _ = _follow(self._reference, small, self._points, _WINDOW, levels)
        back, returned, _ = _follow(small, self._reference, there, _WINDOW, levels)
        apart = np.linalg.norm((back - self._points).reshape(-1, 2), axis=1)
        good = (found.ravel() == 1) & (returned.ravel() == 1) & (apart < _RETURN_PX)
        ends = there.reshape(-1, 2)
        height, width = small.shape
        column = np.clip(np.nan_to_num(ends[:, 0]), 0, width - 1).astype(int)
        row = np.clip(np.nan_to_num(ends[:, 1]), 0, height - 1).astype(int)
        good &= usable[row, column] > 0
        return self._points.reshape(-1, 2)[good].astype(np.float64), ends[good].astype(np.float64)

    def _recognised(self, small: Image, usable: npt.NDArray[np.uint8]) -> tuple[Array, Array]:
        none = np.zeros((0, 2))
        keys, looks = self._keys, self._looks
        new_keys, new_looks = self._orb.detectAndCompute(small, usable)
        if looks is None or new_looks is None:
            return none, none
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(looks, new_looks)
        if len(pairs) < _LEAST_MATCHES:
            return none, none
        before = np.array([keys[p.queryIdx].pt for p in pairs])
        now = np.array([new_keys[p.trainIdx].pt for p in pairs])
        _, inside = cv2.findHomography(before, now, cv2.RANSAC, 2.0)
        if inside is None or int(inside.sum()) < max(_LEAST_MATCHES, 0.25 * len(pairs)):
            return none, none
        kept = inside.ravel() == 1
        return before[kept], now[kept]

    def _judge(self, before: Array, now: Array, asked: int) -> BackgroundMotion:
        unknown = BackgroundMotion(Motion.UNKNOWN, 0.0, np.zeros((0, 2)), np.zeros((0, 2)))
        if len(before) < max(LEAST_POINTS, _LEAST_FOLLOWED * asked):
            return unknown
        shifts = np.linalg.norm(now - before, axis=1)
        still = shifts < _AGREE_PX
        if np.mean(still) >= _LEAST_AGREEMENT and float(np.median(shifts)) < STILL_PX:
            return self._answer(Motion.STILL, before[still], now[still])
        homography, inside = cv2.findHomography(before, now, cv2.RANSAC, _AGREE_PX)
        if homography is None or float(np.mean(inside)) < _LEAST_AGREEMENT:
            return unknown
        kept = inside.ravel() == 1
        return self._answer(Motion.MOVED, before[kept], now[kept])

    def _answer(self, motion: Motion, before: Array, now: Array) -> BackgroundMotion:
        shift = float(np.median(np.linalg.norm(now - before, axis=1))) * self._step
        full = [(points + 0.5) * self._step - 0.5 for points in (before, now)]
        return BackgroundMotion(motion, shift, full[0], full[1])

    def _small(self, grey: Image) -> Image:
        return _shrunk(grey, self._step)

    def _small_places(self, pixels: Array) -> npt.NDArray[np.int32]:
        places = (np.asarray(pixels, dtype=np.float64) + 0.5) / self._step - 0.5
        return np.asarray(np.clip(np.round(places), -10_000, 10_000), dtype=np.int32)

    def _without_hands(self, shape: tuple[int, ...], hands_px: Iterable[Array]) -> npt.NDArray[np.uint8]:
        mask = np.full(shape, 255, np.uint8)
        for hand in hands_px:
            hull = cv2.convexHull(self._small_places(hand))
            radius = round(_HAND_RADIUS * shape[1])
            cv2.fillConvexPoly(mask, hull, (0,))
            cv2.polylines(mask, [hull], True, (0,), 2 * radius)
        return mask


def _shrunk(grey: Image, step: float) -> Image:
    if step == 1.0:
        return np.array(grey)
    size = (round(grey.shape[1] / step), round(grey.shape[0] / step))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _follow(
    start: Image,
    end: Image,
    points: npt.NDArray[np.float32],
    window: tuple[int, int],
    levels: int,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Where points (n, 1, 2) of one picture are in another, which were found, and how unlike they look."""
    where = cv2.calcOpticalFlowPyrLK(
        start, end, points, np.zeros_like(points), winSize=window, maxLevel=levels
    )
    places, found, unlike = (np.asarray(part) for part in where)
    return places.astype(np.float32), found.astype(np.uint8), unlike.astype(np.float32)
