"""The parts of a picture with bodies: without a graphics card, every multisampled pixel costs time."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from armoon.geometry import Array

#: Left, lowest row, width and height of a part of the picture, drawn pixels.
Part = tuple[int, int, int, int]
#: Distance from the camera below which a thing may be anywhere in the picture, metres.
_NEAR_M = 0.06
#: Distance from the picture beyond which likewise, in squares.
_FAR = 1000.0
#: Width of the hulls around a mesh, metres.
_HULL_M = 0.03
#: Parts are put together from squares of this side. Mesa draws by larger ones, each several of these wide: what is
#: copied is cut by those, since each copy costs as much as many pixels.
_TILE_PX, _LARGE_TILES = 16, 4
_AROUND = np.ones((3, 3), np.uint8)
#: Which of a hull's corners (8, 3) lie at its greatest coordinates.
_SIDES = (np.arange(8)[:, None] >> np.arange(3)) & 1 == 1


def parts_of(hulls: Array | None, clip_from_table: Array, width: int, height: int) -> list[Part]:
    """Parts of a picture of this size that hold all hulls (n, corners, 3: table frame, metres), none twice.

    Few and large ones, to be copied. None, or one at the lens: the whole picture.
    """
    return as_parts(tiles_of(hulls, clip_from_table, width, height), width, height, large=True)


def tiles_of(hulls: Array | None, clip_from_table: Array, width: int, height: int) -> npt.NDArray[np.bool_]:
    """Return the picture's squares (up from the lowest, across) that hold all hulls, see ``parts_of``."""
    everything = np.ones((-(-height // _TILE_PX), -(-width // _TILE_PX)), bool)
    if hulls is None or not len(hulls):
        return everything if hulls is None else ~everything
    clip = hulls @ clip_from_table[:, :3].T + clip_from_table[:, 3]
    if clip[..., 3].min() < _NEAR_M:
        return everything
    tiles = (clip[..., :2] / clip[..., 3:] * 0.5 + 0.5) * [width / _TILE_PX, height / _TILE_PX] - 0.5
    if np.abs(tiles).max() > _FAR:
        return everything
    covered = np.zeros(everything.shape, np.uint8)
    # Squares that only an edge or corner touches may be missed, but for those around them.
    for corners in tiles.astype(np.float32):
        outline = np.round(cv2.convexHull(corners) * 16.0).astype(np.int32)
        cv2.fillConvexPoly(covered, outline, (1,), shift=4)
    return np.asarray(cv2.dilate(covered, _AROUND) > 0)


def tiles_in(box: tuple[float, float, float, float], width: int, height: int) -> npt.NDArray[np.bool_]:
    """Return the squares that hold a box (left, lower, right, upper edge in parts of a picture)."""
    covered = np.zeros((-(-height // _TILE_PX), -(-width // _TILE_PX)), bool)
    left, low, right, top = np.array(box) * [width, height, width, height] / _TILE_PX
    covered[max(0, int(low)) : max(0, int(top) + 1), max(0, int(left)) : max(0, int(right) + 1)] = True
    return covered


def as_parts(covered: npt.NDArray[np.bool_], width: int, height: int, *, large: bool = False) -> list[Part]:
    """Return the squares of ``tiles_of`` as parts of a picture of this size; ``large``: in few ones that hold more."""
    tile_px = _TILE_PX
    if large:
        tile_px *= _LARGE_TILES
        rows, columns = covered.shape
        covered = np.pad(covered, ((0, -rows % _LARGE_TILES), (0, -columns % _LARGE_TILES)))
        blocks = covered.reshape(covered.shape[0] // _LARGE_TILES, _LARGE_TILES, -1, _LARGE_TILES)
        covered = blocks.any(axis=(1, 3))
    return [
        (
            column * tile_px,
            row * tile_px,
            min(right * tile_px, width) - column * tile_px,
            min(top * tile_px, height) - row * tile_px,
        )
        for column, row, right, top in _rectangles(covered)
    ]


def _rectangles(covered: npt.NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """Return the covered squares as rectangles: first column and row, and those beyond."""
    found: list[tuple[int, int, int, int]] = []
    wide = covered.shape[1] + 2
    ends = np.flatnonzero(np.diff(np.pad(covered, ((0, 0), (1, 1))).ravel()))
    last: dict[tuple[int, int], int] = {}
    for left, right in ends.reshape(-1, 2).tolist():
        row, columns = left // wide, (left % wide, right % wide)
        above = last.get(columns)
        if above is not None and found[above][3] == row:
            found[above] = (*found[above][:3], row + 1)
        else:
            last[columns] = len(found)
            found.append((columns[0], row, columns[1], row + 1))
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
