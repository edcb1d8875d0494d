"""The base as a socle: overlapping round discs of pale wood.

Each disc represents one lobe of the base, with its height in physics; a dark line is turned round its shoulder.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array
from armoon.values.pieces import Base, Box
from armoon.values.poses import Vec3

#: Corners round a disc.
_ROUND = 40
#: Part of a disc's height up to which its wall is upright, and how far the shoulder then draws in.
_WALL, _SHOULDER_M = 0.50, 0.0065
#: Linear colours: maple, which tables are darker than, and the line.
_WALL_WOOD: Vec3 = (0.400, 0.240, 0.112)
_TOP_WOOD: Vec3 = (0.490, 0.315, 0.155)
_LINE: Vec3 = (0.150, 0.062, 0.024)
#: The line lies at the shoulder's upper end and is so wide.
_LINE_M = 0.0014
#: What lies so deep in another disc is never seen.
_HIDDEN_M = 0.0005
#: The lobes of physics have eight corners; a circle goes between those and their sides.
_BETWEEN = 1.035


def socle_mesh(base: Base, steps: int = 6) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Vertices (n, 9: position, normal, colour) in the table frame and triangles (m, 3).

    The shoulders are round in this many ``steps``: without a graphics card small triangles cost as much as large
    ones.
    """
    lobes = _lobes(base.boxes)
    vertices: list[Array] = []
    triangles: list[npt.NDArray[np.intp]] = []
    count = 0
    for lobe in lobes:
        points, faces = _disc(*lobe, steps)
        hidden = np.any([_inside(points[:, :3], other) for other in lobes if other != lobe], axis=0)
        faces = faces[~hidden[faces].all(axis=1)]
        vertices.append(points)
        triangles.append(faces + count)
        count += len(points)
    return np.concatenate(vertices).astype(np.float32), np.concatenate(triangles).astype(np.uint32)


def _lobes(boxes: tuple[Box, ...]) -> list[tuple[float, float, float, float]]:
    """Middle, radius and height of each lobe: boxes that stand about the same axis."""
    found: dict[tuple[float, float], tuple[float, float]] = {}
    for box in boxes:
        x, y, z = box.centre
        radius_m, height_m = found.get((x, y), (0.0, 0.0))
        found[x, y] = (max(radius_m, *box.half_extents[:2]), max(height_m, z + box.half_extents[2]))
    return [(x, y, radius_m, height_m) for (x, y), (radius_m, height_m) in found.items()]


def _inside(points: Array, lobe: tuple[float, float, float, float]) -> npt.NDArray[np.bool_]:
    """Which points (n, 3) lie within a disc, where it has its whole height."""
    x, y, radius_m, height_m = lobe
    away = np.hypot(points[:, 0] - x, points[:, 1] - y)
    core_m = radius_m * _BETWEEN * math.cos(math.pi / _ROUND) - _SHOULDER_M
    return np.asarray((away < core_m - _HIDDEN_M) & (points[:, 2] < height_m - _HIDDEN_M))


def _disc(
    x: float, y: float, radius_m: float, height_m: float, steps: int
) -> tuple[Array, npt.NDArray[np.intp]]:
    """One disc: its outline goes up the wall, over the shoulder and over the line; its top lies in that."""
    outline = _outline(radius_m * _BETWEEN, height_m, steps)
    angles = np.arange(_ROUND) * math.tau / _ROUND
    cos, sin = np.cos(angles), np.sin(angles)
    rings = []
    for (r, z), (out, up), colour in outline:
        places = np.column_stack([x + r * cos, y + r * sin, np.full(_ROUND, z)])
        normals = np.column_stack([out * cos, out * sin, np.full(_ROUND, up)])
        rings.append(np.hstack([places, normals, np.tile(colour, (_ROUND, 1))]))
    k = np.arange(_ROUND)
    after = (k + 1) % _ROUND
    faces = []
    for ring in range(len(outline) - 1):
        if outline[ring][0] == outline[ring + 1][0]:  # only the colour changes
            continue
        low, high = ring * _ROUND, (ring + 1) * _ROUND
        faces.append(np.column_stack([low + k, low + after, high + after]))
        faces.append(np.column_stack([low + k, high + after, high + k]))
    faces.append(_top(np.arange(_ROUND) + (len(outline) - 1) * _ROUND))
    return np.concatenate(rings), np.concatenate(faces)


def _top(ring: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return a flat face (m, 3) in a ring of corners, of triangles as thick as may be."""
    corners, faces = ring, []
    while len(corners) > 3:
        pairs = len(corners) // 2 * 2
        after = np.roll(corners, -2)[:pairs:2]
        faces.append(np.column_stack([corners[:pairs:2], corners[1:pairs:2], after]))
        corners = np.concatenate([corners[:pairs:2], corners[pairs:]])
    return np.concatenate([*faces, corners[None]] if len(corners) == 3 else faces)


def _outline(
    radius_m: float, height_m: float, steps: int
) -> list[tuple[tuple[float, float], tuple[float, float], Vec3]]:
    """Radius and height, the normal outwards and upwards, and the colour, from the table to the top's edge."""
    wall_m = _WALL * height_m
    rise_m = height_m - wall_m
    rows = [((radius_m, 0.0), (1.0, 0.0), _WALL_WOOD), ((radius_m, wall_m), (1.0, 0.0), _WALL_WOOD)]
    for step in range(1, steps + 1):
        angle = 0.5 * math.pi * step / steps
        place = (
            radius_m - _SHOULDER_M * (1.0 - math.cos(angle)),
            wall_m + rise_m * math.sin(angle),
        )
        out, up = math.cos(angle) / _SHOULDER_M, math.sin(angle) / rise_m
        length = math.hypot(out, up)
        rows.append((place, (out / length, up / length), _WALL_WOOD))
    edge_m = radius_m - _SHOULDER_M
    top = (0.0, 1.0)
    line = (edge_m, edge_m - _LINE_M)
    rows += [((r, height_m), top, _LINE) for r in line]
    rows.append(((line[1], height_m), top, _TOP_WOOD))
    return rows
