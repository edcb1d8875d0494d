"""Flat shapes of the head-up display, drawn sharp at any size from their distance functions."""

from __future__ import annotations

import numpy as np

from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import Mesh, quad_triangles
from armoon.gl.program import Program
from armoon.values.scene import DieFace
from armoon.view.scene.light import Rgba

PANEL, TEAR, CRESCENT, LADDER, DIE, DISC, TICK, CROSS, _STROKE = range(9)
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
        around = _MARGIN_PX + (radius if kind == _STROKE else 0.0)
        w, h = half_size[0] + around, half_size[1] + around
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            self._rows.append(
                [x + u * w, y + v * h, x, y, *half_size, kind, radius, line, number, *fill, *border]
            )

    def stroke(
        self,
        a: tuple[float, float],
        b: tuple[float, float],
        radius: float,
        fill: Rgba,
        border: Rgba,
        line: float,
    ) -> None:
        """Add a stroke with round ends from a to b, pixels, with a ``border`` of the width ``line`` inside it."""
        half = (max(abs(b[0] - a[0]) / 2.0, 0.01), abs(b[1] - a[1]) / 2.0)
        rising = 1.0 if (b[0] - a[0]) * (b[1] - a[1]) >= 0.0 else -1.0
        centre = ((a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0)
        self.add(_STROKE, centre, half, fill, border, radius=radius, line=line, number=rising)

    def upload(self) -> None:
        """Send the shapes to the graphics card."""
        vertices = np.array(self._rows, dtype=np.float32).reshape(-1, 18)
        self._mesh.upload(vertices, quad_triangles(len(vertices) // 4))

    def draw(self) -> None:
        """Draw all shapes over the picture."""
        begin_pass(Blend.OVER)
        self._mesh.draw(self._program)
