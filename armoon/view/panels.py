"""Flat shapes of head-up display and pages, drawn from distance functions and so sharp at any size."""

from __future__ import annotations

import numpy as np

from armoon.gl import Blend, Mesh, ShaderProgram, begin_pass, quad_triangles
from armoon.values.look import USUAL_LOOK
from armoon.values.scene import DieFace
from armoon.view.scene.light import Rgba

PANEL, TEAR, CRESCENT, LADDER, DIE, DISC, TICK, CROSS, _STROKE, _BADGE = range(10)
#: Numbers of faces in panel.frag; before the roll a die shows a dot.
DIE_FACES = {DieFace.LADDER: 1.0, DieFace.TWO_LADDERS: 2.0, DieFace.CRESCENT: 3.0, None: 4.0}
#: Colours of patterns on light and on dark discs, and the luma from which a disc is light.
_INK: Rgba = (0.02, 0.02, 0.06, 1.0)
_CHALK: Rgba = (1.0, 1.0, 1.0, 1.0)
_LIGHT_LUMA = 0.40
#: High contrast: colours of plates, raised plates and lines.
_BLACK: Rgba = (0.0, 0.0, 0.02, 1.0)
_RAISED: Rgba = (0.10, 0.10, 0.20, 1.0)
_BRIGHT: Rgba = (0.86, 0.90, 1.0, 1.0)
#: Brightness up to which a colour counts as a background's.
_DARK_BELOW = 0.30
#: Margin around a shape for its soft edge, in pixels.
_MARGIN_PX = 2.0


class Panels:
    """A list of shapes drawn in one call, rebuilt only when something changes."""

    def __init__(self, *, hands: bool = False) -> None:
        """``hands``: hide shapes behind hands; the hand mask must then be the bound texture."""
        self._program = ShaderProgram("panel.vert", "panel.frag", samplers=("hand_mask",), hands=hands)
        self._mesh = Mesh((2, 4, 4, 4, 4))
        self._rows: list[list[float]] = []
        self.look = USUAL_LOOK
        self.mirror_width_px: float | None = None
        """Width of the picture in which to mirror shapes, if any."""

    def clear(self) -> None:
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
        """Add a shape; places in pixels from the picture's lower left corner, sizes in pixels."""
        x, y = centre
        if self.mirror_width_px is not None:
            x = self.mirror_width_px - x
            number = -number if kind == _STROKE else number
        pattern = self.look.pattern(fill[:3]) if kind == DISC else 0
        fill, border = self.look.adapt_rgba(fill), self.look.adapt_rgba(border)
        if pattern:
            luma = 0.30 * fill[0] + 0.59 * fill[1] + 0.11 * fill[2]
            border = _INK if luma > _LIGHT_LUMA else _CHALK
            kind, number = _BADGE, float(pattern)
        if kind == PANEL and self.look.contrast:
            fill, border, number = _contrast_fill(fill), _contrast_line(border), 0.0
            line = 1.4 * line
        around = _MARGIN_PX + (radius if kind == _STROKE else 0.0)
        w, h = half_size[0] + around, half_size[1] + around
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            self._rows.append(
                [x + u * w, y + v * h, x, y, *half_size, kind, radius, line, number, *fill, *border]
            )

    def add_stroke(
        self,
        a: tuple[float, float],
        b: tuple[float, float],
        radius: float,
        fill: Rgba,
        border: Rgba,
        line: float,
    ) -> None:
        """Add a stroke with round ends from a to b, pixels, with an inner ``border`` of width ``line``."""
        half = (max(abs(b[0] - a[0]) / 2.0, 0.01), abs(b[1] - a[1]) / 2.0)
        rising = 1.0 if (b[0] - a[0]) * (b[1] - a[1]) >= 0.0 else -1.0
        centre = ((a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0)
        self.add(_STROKE, centre, half, fill, border, radius=radius, line=line, number=rising)

    @property
    def boxes(self) -> list[tuple[float, float, float, float]]:
        """Left, lower, right and upper edge of every shape, including its soft edge."""
        corners = zip(self._rows[::4], self._rows[2::4], strict=True)
        return [(low[0], low[1], high[0], high[1]) for low, high in corners]

    def upload(self) -> None:
        vertices = np.array(self._rows, dtype=np.float32).reshape(-1, 18)
        self._mesh.upload(vertices, quad_triangles(len(vertices) // 4))

    def draw(self) -> None:
        begin_pass(Blend.LAYERED)
        self._mesh.draw(self._program)


def _contrast_fill(fill: Rgba) -> Rgba:
    """Return a plate's colour in high contrast: black, dark blue if raised, unchanged for bright bars."""
    if max(fill[:3]) > _DARK_BELOW:
        return fill
    return _RAISED if fill[3] > 0.9 else _BLACK


def _contrast_line(line: Rgba) -> Rgba:
    """Return a border's colour in high contrast: bright instead of bluish. A transparent one stays transparent."""
    if line[3] <= 0.0:
        return line
    bluish = line[2] > line[0] and line[2] > line[1]
    return _BRIGHT if bluish else (*line[:3], 1.0)
