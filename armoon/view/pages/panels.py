"""Flat shapes of the head-up display, drawn sharp at any size from their distance functions."""

from __future__ import annotations

import numpy as np

from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import Mesh, quad_triangles
from armoon.gl.program import Program
from armoon.values.scene import DieFace
from armoon.view.scene.light import Rgba

PANEL, TEAR, CRESCENT, LADDER, DIE, DISC, TICK, CROSS = range(8)
#: A die before the roll shows a dot; see panel.frag for the faces.
DIE_FACES = {DieFace.LADDER: 1.0, DieFace.TWO_LADDERS: 2.0, DieFace.CRESCENT: 3.0, None: 4.0}
#: Room around a shape for its soft edge, pixels.
_MARGIN_PX = 2.0


class Panels:
    """A list of shapes that is drawn in one call; filled anew only when something changes."""

    def __init__(self) -> None:
        self._program = Program("panel.vert", "panel.frag")
        self._mesh = Mesh((2, 4, 4, 4, 4))
        self._rows: list[list[float]] = []

    def clear(self) -> None:
        """Forget all shapes."""
        self._rows = []

    def add(
        self,
        kind: int,
        centre: tuple[float, float],
        half_size: tuple[float, float],
        fill: Rgba,
        border: Rgba = (0.0, 0.0, 0.0, 0.0),
        *,
        radius: float = 0.0,
        line: float = 0.0,
        number: float = 0.0,
    ) -> None:
        """Add a shape; places and sizes in pixels from the lower left of the picture."""
        x, y = centre
        w, h = half_size[0] + _MARGIN_PX, half_size[1] + _MARGIN_PX
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            self._rows.append(
                [x + u * w, y + v * h, x, y, *half_size, kind, radius, line, number, *fill, *border]
            )

    def upload(self) -> None:
        """Send the shapes to the graphics card."""
        vertices = np.array(self._rows, dtype=np.float32).reshape(-1, 18)
        self._mesh.upload(vertices, quad_triangles(len(vertices) // 4))

    def draw(self) -> None:
        """Draw all shapes over the picture."""
        begin_pass(Blend.OVER)
        self._mesh.draw(self._program)
