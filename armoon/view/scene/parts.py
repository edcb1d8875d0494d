"""The parts of a picture with bodies: without a graphics card, every multisampled pixel costs time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array

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


def parts_of(hulls: Array | None, clip_from_table: Array, width: int, height: int) -> list[Part]:
    """Parts of a picture of this size that hold all hulls (n, corners, 3: table frame, metres), none twice.

    None, or one at the lens: the whole picture.
    """
    return as_parts(tiles_of(hulls, clip_from_table, width, height), width, height)


def tiles_of(hulls: Array | None, clip_from_table: Array, width: int, height: int) -> npt.NDArray[np.bool_]:
    """Return the picture's squares (down from the lowest, across) that hold all hulls, see ``parts_of``."""
    covered = np.zeros((-(-height // _TILE_PX), -(-width // _TILE_PX)), bool)
    if hulls is None:
        return ~covered
    if not len(hulls):
        return covered
    clip = hulls @ clip_from_table[:, :3].T + clip_from_table[:, 3]
    if clip[..., 3].min() < _NEAR_M:
        return ~covered
    places = (clip[..., :2] / clip[..., 3:] * 0.5 + 0.5) * [width, height]
    first = np.floor((places.min(axis=1) - _MARGIN_PX) / _TILE_PX).astype(int)
    beyond = np.floor((places.max(axis=1) + _MARGIN_PX) / _TILE_PX).astype(int) + 1
    for (column, row), (right, top) in zip(np.maximum(first, 0), np.maximum(beyond, 0), strict=True):
        covered[row:top, column:right] = True
    return covered


def tiles_in(box: tuple[float, float, float, float], width: int, height: int) -> npt.NDArray[np.bool_]:
    """Return the squares that hold a box (left, lower, right, upper edge in parts of a picture)."""
    covered = np.zeros((-(-height // _TILE_PX), -(-width // _TILE_PX)), bool)
    left, low, right, top = np.array(box) * [width, height, width, height] / _TILE_PX
    covered[max(0, int(low)) : int(top) + 1, max(0, int(left)) : int(right) + 1] = True
    return covered


def as_parts(covered: npt.NDArray[np.bool_], width: int, height: int) -> list[Part]:
    """Return the squares of ``tiles_of`` as parts of a picture of this size."""
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
    """Return the covered squares as rectangles: first column and row, and those beyond."""
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
    """Return the corners (8, 3) of what lies between these coordinates."""
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
