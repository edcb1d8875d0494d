"""The moon behind the table: it rises with the structure and keeps the tears that are left beside it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from armoon.geometry import Array
from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import Mesh, Texture, bind_textures, quad_triangles, texture
from armoon.gl.program import Program
from armoon.values.scene import Scene
from armoon.view.pages.panels import TEAR, Panels
from armoon.view.scene.painted import MOON_DISC, moon_picture

#: Its shaders lie beside it.
_HERE = Path(__file__).parent
#: Radius of the disc in heights of the picture.
_RADIUS = 0.062
#: Where the moon stands across the picture: left of the structure and of a player's face, clear of the score.
_ACROSS = 0.285
#: Lowest and highest place of its centre, in heights from the bottom.
_LOWEST, _HIGHEST = 0.60, 0.885
#: The moon stands this far above the structure's top, metres; it stays out of reach.
_AHEAD_M = 0.07
_TEAR_TOP = (0.62, 0.80, 1.0, 0.95)
_TEAR_LOW = (0.22, 0.42, 0.92, 0.95)


class RisingMoon:
    """The moon of one picture, through the renderer's hook for what stands behind the table."""

    def __init__(self) -> None:
        """Needs a current context, and ``fit`` before the first picture."""
        self._program = Program(_HERE / "sky.vert", _HERE / "sky.frag", samplers=("moon", "hand_mask"))
        picture = moon_picture()
        self._texture = texture(picture.shape[1], picture.shape[0], 4, picture, mipmaps=3)
        self._mesh = Mesh((2, 2))
        self._tears = Panels()
        self._drawn: tuple[float, int] | None = None

    def fit(self, clip_from_table: Array, width: int, height: int) -> None:
        """The table is seen through this matrix (4, 4) in pictures of this size (pixels) from now on."""
        self._clip_from_table = clip_from_table
        self._width, self._picture_height = width, height
        self._drawn = None

    def draw(self, scene: Scene, hand_mask: Texture) -> None:
        """Draw the moon at its height, and one drop for each tear that is left."""
        tears_left = scene.hud.tears_left
        y = round(self._centre(scene.structure_top_m) * self._picture_height, 1)
        if self._drawn != (y, tears_left):
            self._arrange(y, tears_left)
            self._drawn = (y, tears_left)
        begin_pass(Blend.OVER)
        bind_textures(self._texture, hand_mask)
        self._mesh.draw(self._program)
        self._tears.draw()

    def _centre(self, structure_top_m: float) -> float:
        """Height of the moon's centre, in heights of the picture from the bottom."""
        clip = self._clip_from_table @ np.array([0.0, 0.0, structure_top_m + _AHEAD_M, 1.0])
        return float(np.clip(clip[1] / clip[3] * 0.5 + 0.5, _LOWEST, _HIGHEST))

    def _arrange(self, y: float, tears_left: int) -> None:
        """Place the quad, and the drops in an arc under the disc."""
        radius = _RADIUS * self._picture_height
        x = _ACROSS * self._width
        reach = radius / MOON_DISC
        square = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        quad = [[x + u * reach, y + v * reach, u, v] for u, v in square]
        self._mesh.upload(np.array(quad, dtype=np.float32), quad_triangles(1))
        self._tears.clear()
        drop = radius * 0.24
        for i in range(tears_left):
            angle = np.radians((i - (tears_left - 1) / 2.0) * 21.0)
            place = (x + np.sin(angle) * radius * 1.42, y - np.cos(angle) * radius * 1.42)
            self._tears.add(TEAR, place, (drop, drop), _TEAR_LOW, _TEAR_TOP)
        self._tears.upload()
