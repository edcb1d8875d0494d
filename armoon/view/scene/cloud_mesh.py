"""The drawn form of the base: a puffy cloud over the boxes that carry the starting ladders.

The cloud is a smooth union of round-cornered boxes with bulges on them, star-shaped: every ray from its heart
leaves it once.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, mat_from_quat
from armoon.values.pieces import Base, Box

#: Blending radius between the boxes, metres.
BLEND_M = 0.010
#: Depth of the bulges, metres; half of it stands out of the boxes and half is cut into them.
BULGE_M = 0.014
#: Bulges per metre.
BULGE_RATE = 31.0
#: Linear colours: moonlit white on the crests, blue in the creases where less light comes in.
_CREST = (0.39, 0.425, 0.49)
_CREASE = (0.22, 0.27, 0.39)
_MARCH_STEPS = 26
_FARTHEST_M = 0.14


def cloud_mesh(base: Base, subdivisions: int = 3) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Vertices (n, 9: position, normal, colour) in the table frame and triangles (m, 3).

    Each of the ``subdivisions`` makes four triangles of one, and takes four times as long: 3 are 0.1 s.
    Kept for the next tier or game, wherever its ladders stand; don't write to the arrays.
    """
    return _mesh(base.boxes, base.height_m, subdivisions)


@lru_cache(maxsize=4)
def _mesh(
    boxes: tuple[Box, ...], height_m: float, subdivisions: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    directions, triangles = _icosphere(subdivisions)
    heart = np.array([0.0, 0.0, 0.35 * height_m])
    spread = directions * np.array([1.0, 1.0, 0.6])  # more vertices where a flat body bends most
    spread /= np.linalg.norm(spread, axis=1, keepdims=True)
    reach = np.full(len(spread), _FARTHEST_M)
    for _ in range(_MARCH_STEPS):
        gap = _distance(boxes, heart + spread * reach[:, None])
        reach = np.maximum(reach - np.maximum(gap, 0.0) * 0.9, 0.002)
    points = heart + spread * reach[:, None]
    step = 2e-4
    normals = np.stack(
        [_distance(boxes, points + e) - _distance(boxes, points - e) for e in np.eye(3) * step], axis=1
    )
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    crease = _bulges(points)[:, None]
    colour = np.array(_CREASE) + (np.array(_CREST) - np.array(_CREASE)) * np.clip(crease * 1.25, 0.0, 1.0)
    points[:, 2] = np.maximum(points[:, 2], 0.0)
    above = (points[triangles][:, :, 2] > 1e-6).any(axis=1)
    return np.hstack([points, normals, colour]).astype(np.float32), triangles[above]


def _distance(boxes: tuple[Box, ...], points: Array) -> Array:
    """Signed distance (n,) to the cloud's skin, negative inside; good near the skin."""
    gaps = []
    for box in boxes:
        half = np.asarray(box.half_extents)
        round_by = 0.8 * float(half.min())
        local = (points - np.asarray(box.centre)) @ mat_from_quat(box.rotation)
        q = np.abs(local) - (half - round_by)
        outside = np.linalg.norm(np.maximum(q, 0.0), axis=1)
        inside = np.minimum(q.max(axis=1), 0.0)
        gaps.append(outside + inside - round_by)
    sharpness = 2.2 / BLEND_M
    nearest = np.min(gaps, axis=0)
    union = nearest - np.log(sum(np.exp(-(gap - nearest) * sharpness) for gap in gaps)) / sharpness
    return np.asarray(union - BULGE_M * (_bulges(points) - 0.5), dtype=np.float64)


def _bulges(points: Array) -> Array:
    """Return rounded bumps (n,), 0 in the creases to 1: distance to the nearest of jittered lattice points."""
    scaled = points * BULGE_RATE
    cell = np.floor(scaled)
    nearest = np.full(len(points), 9.0)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            for dz in (-1, 0, 1):
                corner = cell + np.array([dx, dy, dz])
                jitter = np.stack([_hash(corner + shift) for shift in (0.0, 17.0, 43.0)], axis=1)
                gap = np.sum((scaled - corner - 0.25 - 0.5 * jitter) ** 2, axis=1)
                nearest = np.minimum(nearest, gap)
    return np.asarray(np.sqrt(np.maximum(1.0 - nearest, 0.0)))


def _hash(cell: Array) -> Array:
    """Return a fixed number (n,) in 0..1 for each whole-numbered cell (n, 3)."""
    wave = np.sin(cell @ np.array([12.9898, 78.233, 37.719])) * 43758.5453
    return np.asarray(wave - np.floor(wave))


def _icosphere(subdivisions: int) -> tuple[Array, npt.NDArray[np.uint32]]:
    """Return unit vectors (n, 3) and triangles (m, 3) of an icosahedron, its faces split ``subdivisions`` times."""
    golden = (1.0 + 5.0**0.5) / 2.0
    points = [
        unit_pair
        for s in (-1, 1)
        for t in (-golden, golden)
        for unit_pair in ((0, s, t), (s, t, 0), (t, 0, s))
    ]
    vertices = np.array(points, dtype=np.float64)
    vertices /= np.linalg.norm(vertices, axis=1, keepdims=True)
    edge = np.min([np.linalg.norm(vertices[0] - v) for v in vertices[1:]]) * 1.01
    near = np.linalg.norm(vertices[:, None] - vertices[None], axis=2) < edge
    triangles = np.array(
        [
            (i, j, k)
            for i in range(12)
            for j in range(i + 1, 12)
            for k in range(j + 1, 12)
            if near[i, j] and near[j, k] and near[i, k]
        ]
    )
    a, b, c = (vertices[triangles[:, n]] for n in range(3))
    inwards = np.einsum("ij,ij->i", np.cross(b - a, c - a), a) < 0.0
    triangles[inwards] = triangles[inwards][:, ::-1]
    for _ in range(subdivisions):
        edges = np.sort(
            np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1
        )
        unique, inverse = np.unique(edges, axis=0, return_inverse=True)
        middles = vertices[unique].mean(axis=1)
        middles /= np.linalg.norm(middles, axis=1, keepdims=True)
        new = len(vertices) + inverse.reshape(3, -1).T
        vertices = np.vstack([vertices, middles])
        ab, bc, ca = new[:, 0], new[:, 1], new[:, 2]
        triangles = np.concatenate(
            [
                np.column_stack([triangles[:, 0], ab, ca]),
                np.column_stack([triangles[:, 1], bc, ab]),
                np.column_stack([triangles[:, 2], ca, bc]),
                np.column_stack([ab, bc, ca]),
            ]
        )
    return vertices, triangles.astype(np.uint32)
