"""What lies about in a room and might be taken for a paper ladder: printed, woven, keyed; and none of it is one."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.calibration.board.board import board_picture, standard_board
from armoon.camera.frame import Image
from armoon.geometry import CameraModel
from armoon.values.paper import DICTIONARY, DIE_TAGS, LID_TAG
from benchmarks.card_parts.stage import clutter

_WORDS = (
    "the",
    "moon",
    "ladder",
    "of",
    "wood",
    "1984",
    "ISBN 978-3",
    "QWERTZ",
    "lorem",
    "No.",
    "$%",
    "@#",
    "&",
    "lune",
)
Random = np.random.Generator
#: A thing's own picture, pixels high and wide.
_HIGH, _WIDE = 420, 600


def _sheet(level: int) -> Image:
    return np.full((_HIGH, _WIDE), level, np.uint8)


def _written(random: Random) -> Image:
    """Return a page of text."""
    page, y = _sheet(int(random.integers(190, 250))), 20
    while y < _HIGH:
        size = float(random.uniform(0.4, 1.6))
        line = " ".join(random.choice(_WORDS, 9))
        cv2.putText(page, line, (12, y), int(random.integers(0, 8)), size, (30,), int(random.integers(1, 4)))
        y += int(18 + 26 * size)
    return page


def _books(random: Random) -> Image:
    """Return a shelf: spines with bars, boxes and titles."""
    shelf, x = _sheet(60), 0
    while x < _WIDE:
        wide = int(random.integers(18, 70))
        back, ink = (int(level) for level in random.choice([25, 60, 110, 170, 230], 2, replace=False))
        cv2.rectangle(shelf, (x, int(random.integers(0, 60))), (x + wide, _HIGH), (back,), -1)
        for _ in range(3):
            y = int(random.integers(60, _HIGH - 30))
            size = random.integers(6, wide, 2) if wide > 6 else (6, 6)
            cv2.rectangle(shelf, (x + 4, y), (x + int(size[0]), y + int(size[1])), (ink,), -1)
        title = np.full((wide, 260), back, np.uint8)
        cv2.putText(title, str(random.choice(_WORDS)), (8, wide - 6), 0, wide / 34.0, (ink,), 2)
        left = min(wide, _WIDE - x)
        shelf[80:340, x : x + left] = cv2.rotate(title, cv2.ROTATE_90_CLOCKWISE)[:, :left]
        x += wide
    return shelf


def _checkered(random: Random) -> Image:
    """Return a shirt: checks or tartan, creased."""
    step = int(random.integers(8, 60))
    rows, columns = np.mgrid[:_HIGH, :_WIDE]
    crease = random.uniform(0.0, 6.0) * np.sin(
        rows / random.uniform(20, 60) + columns / random.uniform(30, 90)
    )
    across, down = ((one + crease) // step % 2 for one in (columns, rows))
    mixed = (across + down) % 2 if random.random() < 0.5 else (across + down) / 2.0
    dark, bright = random.uniform(20, 90), random.uniform(140, 240)
    return np.asarray(dark + mixed * (bright - dark), dtype=np.uint8)


def _keyboard(random: Random) -> Image:
    """Return keys, black on white or white on black."""
    dark = random.random() < 0.5
    back, key, ink = (25, 50, 220) if dark else (215, 245, 40)
    board, side = _sheet(back), int(random.integers(32, 62))
    for row, y in enumerate(range(4, _HIGH, side)):
        for x in range(4 + 9 * (row % 3), _WIDE, side):
            cv2.rectangle(board, (x, y), (x + side - 6, y + side - 6), (key,), -1)
            letter = chr(int(random.integers(33, 91)))
            cv2.putText(board, letter, (x + 5, y + side // 2), 0, side / 60.0, (ink,), 2)
    return board


def _board(random: Random) -> Image:
    """Return the calibration board."""
    return board_picture(standard_board(), int(random.integers(30, 80)))


def _blobs(random: Random) -> Image:
    """Return black and white spots of all sizes."""
    noise = cv2.GaussianBlur(random.normal(size=(_HIGH, _WIDE)), (0, 0), float(random.uniform(2.0, 14.0)))
    return np.where(noise > 0.0, np.uint8(225), np.uint8(30))


def _cells(random: Random) -> Image:
    """Return black frames round cells drawn by lot, as codes have them."""
    page, side = _sheet(225), int(random.integers(30, 90))
    for y in range(12, _HIGH - side, side + side // 3):
        for x in range(12, _WIDE - side, side + side // 3):
            count = int(random.choice([3, 4, 5, 6, 7, 21]))
            inside = np.pad(random.integers(0, 2, (count, count)), 1).astype(np.uint8) * 190 + 30
            page[y : y + side, x : x + side] = cv2.resize(
                inside, (side, side), interpolation=cv2.INTER_NEAREST
            )
    return page


def _other_tags(random: Random) -> Image:
    """Return real tags that are on no paper ladder: other dictionaries', the die's and the lid's."""
    page, side = _sheet(230), int(random.integers(40, 90))
    names = ("DICT_5X5_50", "DICT_6X6_50", "DICT_APRILTAG_36h11", "DICT_ARUCO_ORIGINAL", DICTIONARY)
    for y in range(12, _HIGH - side, side + side // 3):
        for x in range(12, _WIDE - side, side + side // 3):
            name = str(random.choice(names))
            number = int(
                random.choice([*DIE_TAGS, LID_TAG]) if name == DICTIONARY else random.integers(0, 50)
            )
            book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
            page[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(book, number, side)
    return page


KINDS: dict[str, Callable[[Random], Image]] = {
    "text": _written,
    "books": _books,
    "checkered shirts": _checkered,
    "keyboards": _keyboard,
    "calibration board": _board,
    "blobs": _blobs,
    "random codes": _cells,
    "other tags": _other_tags,
}


class RubbishStage:
    """A few things of one kind before a cluttered room; they drift and turn from picture to picture."""

    def __init__(self, camera: CameraModel, kind: str, seed: int) -> None:
        self._camera, self._random = camera, np.random.default_rng([seed, 5])
        self._behind = clutter(camera, self._random)
        self._things = [KINDS[kind](self._random) for _ in range(2)]
        self._ways = [self._random.uniform(-1.0, 1.0, 14) for _ in self._things]
        self._blur_px = float(self._random.uniform(0.4, 1.4))
        self._grain = self._random.normal(0.0, 3.0, (camera.height + 31, camera.width + 31)).astype(
            np.float32
        )

    def frame(self, time_s: float) -> Image:
        """Return a grey picture (h, w)."""
        seen = self._behind
        for thing, way in zip(self._things, self._ways, strict=True):
            seen = self._laid(seen, thing, way, time_s)
        y, x = self._random.integers(0, 31, 2)
        soft = cv2.GaussianBlur(seen, (0, 0), self._blur_px)
        noisy: npt.NDArray[np.float32] = soft + self._grain[y : y + seen.shape[0], x : x + seen.shape[1]]
        return np.clip(noisy, 0, 255).astype(np.uint8)

    def _laid(self, seen: Image, thing: Image, way: npt.NDArray[np.float64], time_s: float) -> Image:
        """Return the picture with a thing before it, in perspective."""
        width, height = self._camera.width, self._camera.height
        size = width * (0.35 + 0.25 * abs(way[0])) * (1.0 + 0.2 * way[1] * math.sin(0.7 * time_s))
        turn = math.pi * way[2] + 0.5 * way[3] * time_s
        x = width * (0.5 + 0.25 * way[4]) + 0.1 * width * way[5] * math.sin(0.9 * time_s)
        y = height * (0.5 + 0.25 * way[6]) + 0.1 * height * math.cos(way[7] + 0.8 * time_s)
        high, wide = thing.shape
        corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        about = (corners - (wide / 2.0, high / 2.0)) * (size / wide)
        # Nearer on one side, as a tilted sheet is.
        about *= 1.0 + 0.25 * (about @ way[8:10] / size)[:, np.newaxis]
        spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        there = (about * (1.0, 0.6 + 0.4 * abs(way[10])) @ spin.T + (x, y)).astype(np.float32)
        lies = cv2.getPerspectiveTransform(corners, there)
        laid = seen.copy()
        cv2.warpPerspective(
            thing, lies, (width, height), dst=laid, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
        )
        return laid
