"""Smooth edges where there are any: only the parts of a picture in which bodies stand have several samples a pixel.

Without a graphics card every sample costs, and four of five pixels show nothing but the camera's frame.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from armoon.errors import DisplayError
from armoon.geometry import Array
from armoon.gl.context import begin_pass, current
from armoon.gl.memory import (
    Mesh,
    Target,
    Texture,
    bind_textures,
    copy_colour,
    limit_to,
    quad_triangles,
    sampled_target,
)
from armoon.gl.program import Program

#: Left, lowest row, width and height of a part of the picture, drawn pixels.
Part = tuple[int, int, int, int]
#: Pixels around what is projected: samples lie beside a pixel's middle.
_MARGIN_PX = 2
#: What comes nearer to the camera than this, metres, may be anywhere in the picture.
_NEAR_M = 0.06
#: A mesh is held by hulls about so wide, metres.
_HULL_M = 0.03
#: Parts are put together from squares of this side, which are also those that Mesa draws one after the other.
_TILE_PX = 64
#: Of a hull's corners, which lie at its greatest coordinates.
_SIDES = (np.arange(8)[:, None] >> np.arange(3)) & 1 == 1


class Smooth:
    """Draws parts of a picture with several samples a pixel, over what is there already."""

    def __init__(self, width: int, height: int, samples: int) -> None:
        """Needs a current context; without multisampling edges are jagged and everything else goes on."""
        self._program = Program("ground.vert", "ground.frag", samplers=("ground",))
        self._mesh = Mesh((2,))
        self._samples = samples
        self._parts: list[Part] = []
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """Fit to a picture of ``width`` x ``height`` pixels."""
        try:
            self._sampled = sampled_target(width, height, self._samples)
        except DisplayError:  # a driver without multisampling still plays, with jagged edges
            self._sampled = sampled_target(width, height)

    def begin(self, ground: Texture, parts: Sequence[Part]) -> Target:
        """Draw into these parts of the given target from now on, over ``ground``."""
        self._parts = [part for part in parts if part[2] > 0 and part[3] > 0]
        self._sampled.use()
        # Colour and the farthest depth in one go, whatever was there.
        begin_pass(depth=True)
        current().depth_func = "1"
        bind_textures(ground)
        self._mesh.upload(*_quads(self._parts, self._sampled.size))
        self._mesh.draw(self._program)
        current().depth_func = "<"
        begin_pass()
        limit_to(_around_all(self._parts), self._sampled)
        return self._sampled

    def end(self, into: Target) -> None:
        """Put the parts into the picture that ``ground`` is of; ``into`` is open then."""
        limit_to(None, self._sampled)
        for part in self._parts:
            copy_colour(self._sampled, into, part=part)
        into.use()


def _quads(
    parts: Sequence[Part], size: tuple[int, int]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Corners in clip space (4 * parts, 2) and triangles."""
    left, low, width, height = np.array(parts, np.float64).reshape(-1, 4).T
    across, up = [left, left + width, left + width, left], [low, low, low + height, low + height]
    corners = np.stack([np.stack(across, axis=-1), np.stack(up, axis=-1)], axis=-1)
    places = corners.reshape(-1, 2) * 2.0 / np.array(size) - 1.0
    return places.astype(np.float32), quad_triangles(len(parts))


def _around_all(parts: Sequence[Part]) -> Part:
    if not parts:
        return (0, 0, 1, 1)
    left, low, width, height = np.array(parts).T
    x, y = int(left.min()), int(low.min())
    return (x, y, int((left + width).max()) - x, int((low + height).max()) - y)


def parts_of(hulls: Array | None, clip_from_table: Array, width: int, height: int) -> list[Part]:
    """Parts of a picture of this size that hold all hulls (n, 8, 3: corners, table frame, metres), none twice.

    None, or one at the lens: the whole picture.
    """
    if hulls is None:
        return [(0, 0, width, height)]
    if not len(hulls):
        return []
    clip = hulls @ clip_from_table[:, :3].T + clip_from_table[:, 3]
    if clip[..., 3].min() < _NEAR_M:
        return [(0, 0, width, height)]
    places = (clip[..., :2] / clip[..., 3:] * 0.5 + 0.5) * [width, height]
    covered = np.zeros((-(-height // _TILE_PX), -(-width // _TILE_PX)), bool)
    first = np.floor((places.min(axis=1) - _MARGIN_PX) / _TILE_PX).astype(int)
    beyond = np.floor((places.max(axis=1) + _MARGIN_PX) / _TILE_PX).astype(int) + 1
    for (column, row), (right, top) in zip(np.maximum(first, 0), np.maximum(beyond, 0), strict=True):
        covered[row:top, column:right] = True
    return [
        (
            column * _TILE_PX,
            row * _TILE_PX,
            min(right * _TILE_PX, width) - column * _TILE_PX,
            min(top * _TILE_PX, height) - row * _TILE_PX,
        )
        for column, row, right, top in _rectangles(covered)
    ]


def _rectangles(covered: npt.NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """The covered squares as rectangles: first column and row, and those beyond."""
    found: list[tuple[int, int, int, int]] = []
    left = covered.copy()
    for row, column in np.argwhere(covered).tolist():
        if not left[row, column]:
            continue
        right = column
        while right < left.shape[1] and left[row, right]:
            right += 1
        top = row
        while top < left.shape[0] and left[top, column:right].all():
            top += 1
        left[row:top, column:right] = False
        found.append((column, row, right, top))
    return found


def hull_of(least: Array, greatest: Array) -> Array:
    """The corners (8, 3) of what lies between these coordinates."""
    return np.where(_SIDES, greatest, least)


def hulls_over(vertices: npt.NDArray[np.float32], triangles: npt.NDArray[np.uint32]) -> Array:
    """Corners (n, 8, 3) of what holds a mesh: vertices (m, 3 and more) and triangles (k, 3)."""
    if not len(triangles):
        return np.zeros((0, 8, 3))
    corners = vertices[:, :3].astype(np.float64)[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    fields = np.floor((low + high)[:, :2] / (2.0 * _HULL_M)).astype(int)
    order = np.lexsort(fields.T)
    fields, low, high = fields[order], low[order], high[order]
    first = np.flatnonzero(np.append(True, (fields[1:] != fields[:-1]).any(axis=1)))
    low, high = np.minimum.reduceat(low, first), np.maximum.reduceat(high, first)
    return np.where(_SIDES, high[:, None], low[:, None])
