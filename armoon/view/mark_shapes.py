"""Quads for the mark shader: dots, rings and lines, in the table frame or in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from armoon.geometry import Array
from armoon.values.look import USUAL_LOOK, Look
from armoon.values.poses import Vec2, Vec3
from armoon.view.scene.light import Rgba

#: Kinds of marks, numbered as in the mark shader.
DOT, RING, LINE, STROKE, DISC, PUFF = 0.0, 1.0, 2.0, 3.0, 4.0, 5.0
#: Number of floats of each vertex attribute: place in clip space; corner (2) and kind; colour; shape.
MARK_LAYOUT = (4, 3, 4, 2)
_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
#: A stroke's corners: end (0 or 1) and side.
_STROKE_CORNERS = ((0, -1), (1, -1), (1, 1), (0, 1))
#: Minimum width of lines and rings, in pixels of a picture 720 px high.
_MIN_LINE_PX = 2.6
#: Width factor of lines in high contrast, and opacity above which marks become opaque there.
_CONTRAST_WIDTH, _TRANSPARENT_BELOW = 1.6, 0.5


@dataclass(frozen=True, eq=False)
class MarkShapes:
    """Makes quads (4, 13) for one picture."""

    clip_from_table: Array
    width: int
    height: int
    look: Look = USUAL_LOOK

    def make_facing(
        self, point: Vec3, radius_m: float, colour: Rgba, kind: float, shape: Vec2 = (0.0, 1.0)
    ) -> Array:
        """Return a dot or ring facing the viewer, with a radius of ``radius_m`` at its distance."""
        # Use plain floats, because numpy's call overhead exceeds the work on four corners.
        x, y, z, w = self._to_clip(*point)
        across, up = self._clip_per_metre
        right, high = max(radius_m * across, 4.0 * w / self.width), max(radius_m * up, 4.0 * w / self.height)
        corners = [(x + u * right, y + v * high, z, w) for u, v in _SQUARE]
        return self._make_quad(corners, kind, colour, shape)

    @cached_property
    def _clip_per_metre(self) -> Vec2:
        """Clip space x and y per metre, times w; off-centre optics change them by less than 1 %."""
        x, y = np.linalg.norm(self.clip_from_table[:2, :3], axis=1)
        return (float(x), float(y))

    def make_flat(
        self, centre: Vec3, across: Vec3, along: Vec3, colour: Rgba, kind: float, shape: Vec2 = (0.0, 1.0)
    ) -> Array:
        """Return a dot, ring or ellipse in the plane spanned by its two half axes (metres)."""
        (x, y, z), (a, b, c), (d, e, f) = centre, across, along
        corners = [self._to_clip(x + u * a + v * d, y + u * b + v * e, z + u * c + v * f) for u, v in _SQUARE]
        return self._make_quad(corners, kind, colour, shape)

    def make_line(self, start: Vec3, end: Vec3, colour: Rgba, *, dashes: float = 0.0) -> Array:
        return self.make_lines(np.array([[start, end]]), colour, None if not dashes else np.array([dashes]))

    def make_lines(self, ends: Array, colour: Rgba, dashes: Array | None = None) -> Array:
        """Return quads (4 n, 13) of lines between points (n, 2, 3); ``dashes``: dash counts (n,), or None if solid."""
        placed = np.concatenate([ends, np.ones((len(ends), 2, 1))], axis=2) @ self.clip_from_table.T
        return self._make_strokes(placed, colour, dashes)

    def make_pixel_line(self, start: Vec2, end: Vec2, colour: Rgba) -> Array:
        """Return a line between two drawn pixels, counted from the lower left."""
        places = [
            [2.0 * x / self.width - 1.0, 2.0 * y / self.height - 1.0, 0.0, 1.0] for x, y in (start, end)
        ]
        return self._make_strokes(np.array([places]), colour, None)

    def _to_clip(self, x: float, y: float, z: float) -> Sequence[float]:
        place: list[float] = (self.clip_from_table @ np.array((x, y, z, 1.0))).tolist()
        return place

    def to_pixel(self, point: Vec3) -> Vec2:
        x, y = self.to_pixels(np.array([point]))[0]
        return (float(x), float(y))

    def to_pixels(self, points: Array) -> Array:
        placed = np.column_stack([points, np.ones(len(points))]) @ self.clip_from_table.T
        return np.asarray((placed[:, :2] / placed[:, 3:] * 0.5 + 0.5) * (self.width, self.height))

    def _make_strokes(self, ends: Array, colour: Rgba, dashes: Array | None) -> Array:
        size = np.array([self.width, self.height])
        flat = ends[:, :, :2] / ends[:, :, 3:]
        along = (flat[:, 1] - flat[:, 0]) * size
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
        width_factor = _CONTRAST_WIDTH if self.look.contrast else 1.0
        half = width_factor * max(1.4, _MIN_LINE_PX * self.height / 720.0) / 2.0 + 0.5
        across = np.stack([-along[:, 1], along[:, 0]], axis=1) * half / size * 2.0
        quads = np.empty((len(ends), 4, 13))
        for corner, (end, side) in enumerate(_STROKE_CORNERS):
            quads[:, corner, :4] = ends[:, end]
            quads[:, corner, :2] += side * across * ends[:, end, 3:]
            quads[:, corner, 4:6] = side, 2 * end - 1
        quads[:, :, 6] = STROKE if dashes is None else LINE
        quads[:, :, 7:11] = self._adapt_colour(colour)
        quads[:, :, 11] = 0.0 if dashes is None else dashes[:, None]
        quads[:, :, 12] = 0.0
        return quads.reshape(-1, 13)

    def _adapt_colour(self, colour: Rgba) -> Rgba:
        red, green, blue, opacity = self.look.adapt_rgba(colour)
        return (red, green, blue, 1.0 if self.look.contrast and opacity > _TRANSPARENT_BELOW else opacity)

    def _make_quad(self, corners: Sequence[Sequence[float]], kind: float, colour: Rgba, shape: Vec2) -> Array:
        adapted = self._adapt_colour(colour)
        return np.array(
            [[*corner, u, v, kind, *adapted, *shape] for corner, (u, v) in zip(corners, _SQUARE, strict=True)]
        )
