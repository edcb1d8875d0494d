"""How often the picture of a logged game flashes: its film at 30 pictures a second, by the definition of WCAG 2.3.1.

A general flash is a pair of opposing changes of relative luminance by at least 0.1, the darker below 0.8; a red one a
pair of opposing changes to or from a saturated red. They count where, within one second, they cover a quarter of any
field of 341 x 256 pixels of a picture 1024 wide, about 10 degrees of sight; three in a second are allowed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from armoon.errors import LogError

#: Maximum flashes in any second.
MOST = 3
#: Pictures a second, and the size at which a film is drawn; the size at which it is measured, and a field of it.
RATE_HZ, DRAWN = 30, "1024x576"
SIZE, FIELD, PART = (256, 144), (85, 64), 0.25
#: Minimum change of relative luminance, its darker limit, and minimum change of a saturated red.
STEP, DARK = 0.1, 0.8
RED_STEP, RED_SHARE, RED_SCALE = 20.0, 0.8, 320.0

Picture = NDArray[np.uint8]
Plane = NDArray[np.float32]

_LEVELS = np.arange(256) / 255.0
#: sRGB's levels as linear light.
_LINEAR = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4).astype(np.float32)


class Changes:
    """Follows a quantity (h, w) from picture to picture, and finds where it turns by at least ``step``."""

    def __init__(self, step: float, dark: float) -> None:
        """Count changes whose lower end is below ``dark``."""
        self._step, self._dark = step, dark
        self._low: Plane | None = None

    def see(self, now: Plane) -> NDArray[np.bool_]:
        """Return where, with this picture, an opposing change is complete (h, w)."""
        if self._low is None:
            self._low, self._high = now, now
            self._way = np.zeros(now.shape, np.int8)
        self._low, self._high = np.minimum(self._low, now), np.maximum(self._high, now)
        up = (self._way <= 0) & (now - self._low >= self._step) & (self._low < self._dark)
        down = (self._way >= 0) & (self._high - now >= self._step) & (now < self._dark)
        turned = up | down
        self._way = np.where(up, 1, np.where(down, -1, self._way)).astype(np.int8)
        self._low, self._high = np.where(turned, now, self._low), np.where(turned, now, self._high)
        return turned


@dataclass(frozen=True)
class Flashes:
    """The most in any second, and when that second ended."""

    general: int = 0
    general_s: float = 0.0
    red: int = 0
    red_s: float = 0.0
    pictures: int = 0


def flashes_of(pictures: Iterable[Picture]) -> Flashes:
    """Return the most flashes in any second of pictures (h, w, 3), BGR, ``RATE_HZ`` of them a second."""
    kinds = {"general": Changes(STEP, DARK), "red": Changes(RED_STEP, np.inf)}
    seconds: dict[str, deque[NDArray[np.bool_]]] = {name: deque(maxlen=RATE_HZ) for name in kinds}
    most, when, count = dict.fromkeys(kinds, 0), dict.fromkeys(kinds, 0.0), 0
    for count, picture in enumerate(pictures, start=1):
        for name, plane in zip(kinds, _planes(picture), strict=True):
            seconds[name].append(kinds[name].see(plane))
            worst = _worst(np.sum(seconds[name], axis=0) // 2)
            if worst > most[name]:
                most[name], when[name] = worst, count / RATE_HZ
    return Flashes(most["general"], when["general"], most["red"], when["red"], count)


def _planes(picture: Picture) -> tuple[Plane, Plane]:
    """Return relative luminance and saturated red of a picture, at the size at which it is measured."""
    small = cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA)
    blue, green, red = np.moveaxis(_LINEAR[small], 2, 0)
    saturated = red >= RED_SHARE * np.maximum(red + green + blue, 1e-6)
    redness = np.where(saturated, np.maximum(0.0, (red - green - blue) * RED_SCALE), 0.0)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue, redness.astype(np.float32)


def _worst(flashes: NDArray[np.int_]) -> int:
    """Return how many flashes cover a quarter of some field; ``flashes`` says how many each place (h, w) had."""
    for number in range(int(flashes.max()), 0, -1):
        there = (flashes >= number).astype(np.float32)
        if cv2.boxFilter(there, -1, FIELD, borderType=cv2.BORDER_CONSTANT).max() >= PART:
            return number
    return 0


def pictures_of(film: Path) -> Iterator[Picture]:
    """Yield a film's pictures (h, w, 3), BGR."""
    reader = cv2.VideoCapture(str(film))
    while True:
        there, picture = reader.read()
        if not there:
            return
        yield np.asarray(picture, np.uint8)


def run(json_path: Path | None, log: Path | None = None) -> int:
    """Draw the game of a log, count its flashes, and print them; 1 where there are more than allowed."""
    if log is None:
        raise LogError("There is no game to draw.", remedy="Name its log with --log FILE.jsonl.")
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "film.mp4"
        drawing = [
            sys.executable,
            "-m",
            "armoon",
            "film",
            str(log),
            str(film),
            "--size",
            DRAWN,
            "--tier",
            "low",
        ]
        subprocess.run(drawing, check=True, stdout=subprocess.DEVNULL)
        found = flashes_of(pictures_of(film))
    Console().print(
        f"{found.pictures} pictures: at most {found.general} flashes in a second (until {found.general_s:.1f} s), "
        f"{found.red} red ones; {MOST} are allowed."
    )
    if json_path is not None:
        json_path.write_text(json.dumps({"general": found.general, "red": found.red}), encoding="utf-8")
    return int(max(found.general, found.red) > MOST)
