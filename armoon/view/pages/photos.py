"""Photographs on a page's buttons: read when one is first shown, and kept in the size of its place."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import Texture, bind_textures, open_target, texture, whole_picture
from armoon.gl.program import Program

_FOLDER = Path(__file__).with_name("photos")
#: Radius of a photograph's corners, in parts of its height.
_ROUND = 0.09
#: Left and lower edge, width and height, whole pixels from the lower left corner of the page.
Place = tuple[int, int, int, int]


class Photos:
    """The photographs of a page; a name without one shows nothing."""

    def __init__(self) -> None:
        """Needs a current OpenGL context."""
        self._program = Program("feed.vert", "layer.frag", samplers=("layer",))
        self._whole = whole_picture()
        self._kept: dict[tuple[str, int, int], Texture] = {}
        self._shown: list[tuple[Texture, Place]] = []

    def clear(self) -> None:
        """Show none."""
        self._shown = []

    def add(self, name: str, place: tuple[float, float, float, float]) -> None:
        """Show one, cut to the shape of its place: left and lower edge, width and height, pixels."""
        x, y, width, height = (round(part) for part in place)
        path = _FOLDER / f"{name}.jpg"
        if min(width, height) < 1 or not path.is_file():
            return
        key = (name, width, height)
        if key not in self._kept:
            self._kept[key] = texture(width, height, 4, _cut(path, width, height))
        self._shown.append((self._kept[key], (x, y, width, height)))

    def forget(self) -> None:
        """Keep none any more: the window has another size."""
        self._kept = {}
        self.clear()

    def draw(self, origin: tuple[int, int]) -> None:
        """Draw all into the open target, whose page has its lower left corner at ``origin``."""
        into = open_target()
        viewport = into.viewport
        for picture, (x, y, width, height) in self._shown:
            corner = origin[0] + x, origin[1] + y
            into.viewport = (*corner, width, height)
            begin_pass(Blend.PREMULTIPLIED)
            bind_textures(picture)
            self._program.set("corner", *corner)
            self._whole.draw(self._program)
        into.viewport = viewport


def _cut(path: Path, width: int, height: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return the middle of a photograph in this shape (height, width, 4), from its lowest row, RGBA, premultiplied."""
    whole = cv2.imread(str(path))
    scale = max(width / whole.shape[1], height / whole.shape[0])
    high, wide = (
        min(side, round(part / scale)) for side, part in zip(whole.shape, (height, width), strict=False)
    )
    top, left = (whole.shape[0] - high) // 2, (whole.shape[1] - wide) // 2
    part = whole[top : top + high, left : left + wide]
    way = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_CUBIC
    picture = cv2.cvtColor(cv2.resize(part, (width, height), interpolation=way), cv2.COLOR_BGR2RGBA)
    radius = _ROUND * height
    y, x = np.indices((height, width), dtype=np.float32) + 0.5
    beyond = [np.maximum(radius - np.minimum(at, side - at), 0.0) for at, side in ((x, width), (y, height))]
    shown = np.clip(radius + 0.5 - np.hypot(*beyond), 0.0, 1.0)[..., None]
    return np.asarray(np.round(picture[::-1] * shown), np.uint8)
