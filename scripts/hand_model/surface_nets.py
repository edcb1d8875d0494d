"""Naive surface nets: a triangle mesh of the zero surface of a scalar grid (Gibson, MERL TR-99-24, 1999)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array

#: The corners of a cell, and its twelve edges as pairs of corners that differ along one axis.
_CORNERS = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
_EDGES = [
    (a, b)
    for n, a in enumerate(_CORNERS)
    for b in _CORNERS[n + 1 :]
    if sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 1
]


def surface_nets(values: Array, origin: Array, spacing: float) -> tuple[Array, npt.NDArray[np.int64]]:
    """Where ``values`` turns negative: vertices (n, 3) and triangles (m, 3), counter-clockwise from outside.

    ``values`` (nx, ny, nz) is negative inside; grid point (i, j, k) lies at ``origin + spacing * (i, j, k)``.
    The surface stays open where it leaves the grid.
    """
    cells = tuple(n - 1 for n in values.shape)

    def corner(offset: tuple[int, int, int]) -> Array:
        return values[tuple(slice(o, o + n) for o, n in zip(offset, cells, strict=True))]

    inside = np.sum([corner(c) < 0.0 for c in _CORNERS], axis=0)
    mixed = (inside > 0) & (inside < len(_CORNERS))
    index = np.full(cells, -1, dtype=np.int64)
    index[mixed] = np.arange(int(mixed.sum()))

    total = np.zeros((int(mixed.sum()), 3))
    crossings = np.zeros(len(total))
    for a, b in _EDGES:
        at_a, at_b = corner(a)[mixed], corner(b)[mixed]
        crossed = (at_a < 0.0) != (at_b < 0.0)
        share = np.where(crossed, at_a / np.where(crossed, at_a - at_b, 1.0), 0.0)
        point = np.asarray(a) + share[:, None] * np.subtract(b, a)
        total += np.where(crossed[:, None], point, 0.0)
        crossings += crossed
    vertices = origin + spacing * (np.argwhere(mixed) + total / crossings[:, None])
    return vertices, _faces(values, index)


def _faces(values: Array, index: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Two triangles around every inner grid edge that crosses the surface."""
    triangles = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        low, high = [slice(None)] * 3, [slice(None)] * 3
        low[axis], high[axis] = slice(0, -1), slice(1, None)
        for other in (u, v):  # edges on the grid's border have no four cells around them
            low[other] = high[other] = slice(1, -1)
        start, end = values[tuple(low)], values[tuple(high)]
        crossed = (start < 0.0) != (end < 0.0)
        first = np.argwhere(crossed)  # the cell at (-1, -1) of the edge in directions u and v
        step_u, step_v = np.eye(3, dtype=np.int64)[u], np.eye(3, dtype=np.int64)[v]
        ring = [first, first + step_u, first + step_u + step_v, first + step_v]
        a, b, c, d = (index[tuple(cell.T)] for cell in ring)
        outward = start[crossed] < 0.0
        b, d = np.where(outward, b, d), np.where(outward, d, b)
        triangles += [np.column_stack([a, b, c]), np.column_stack([a, c, d])]
    return np.concatenate(triangles)
