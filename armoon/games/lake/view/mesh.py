"""The meshes of the lake: dome-pawns, with as many lobes and knobs as their strength, and the flat parts round them."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from armoon.games.lake.table.scene import DOME_RADIUS_M, LakeScene, SceneMark
from armoon.geometry import Array
from armoon.gl.memory import quad_triangles
from armoon.view.scene.light import GOLD, MOONLIGHT, Rgba

#: Around: 32 domes are then 4,900 triangles, for which software drawing takes 6 ms at 640x360; twice as many
#: look no rounder there.
AROUND = 18
#: The wall: share of the radius, height in metres, share of the lobes' depth.
PROFILE = (
    (1.00, 0.0000, 1.0),
    (0.99, 0.0048, 1.0),
    (0.86, 0.0108, 0.8),
    (0.56, 0.0148, 0.4),
)
CROWN_M = 0.0164
#: How deep the wall goes in between lobes, by strength, as a share of the radius; a single lobe is a circle.
LOBES = (0.0, 0.0, 0.20, 0.24, 0.22)
#: The first lobe's direction, radians from x towards y: with two, one either side; with three, one to the
#: viewer; with four, none, so that two are seen side by side.
FIRST = (0.0, 0.0, 0.0, -math.pi / 2.0, math.pi / 4.0)
#: The knobs: how far from the middle, how large and how high they stand.
KNOB_RING_M, KNOB_M, KNOB_HIGH_M = 0.0050, 0.0024, 0.0152
LONE_KNOB_M = 0.0034


@cache
def dome_mesh(strength: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Vertices (n, 6): position over the middle of the rim and normal; and triangles (m, 3)."""
    angles = 2.0 * np.pi * np.arange(AROUND) / AROUND
    rings = []
    for share, height, lobed in PROFILE:
        dent = LOBES[strength] * lobed * 0.5 * (1.0 - np.cos(strength * (angles - FIRST[strength])))
        radius = DOME_RADIUS_M * share * (1.0 - dent)
        rings.append(
            np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.full(AROUND, height)])
        )
    wall = np.concatenate([*rings, [[0.0, 0.0, CROWN_M]]])
    faces = [_band(i * AROUND, (i + 1) * AROUND) for i in range(len(PROFILE) - 1)]
    faces.append(_fan(len(wall) - 1, (len(PROFILE) - 1) * AROUND, up=True))
    parts = [_with_normals(wall, np.concatenate(faces))]
    floor = np.concatenate([rings[0], [[0.0, 0.0, 0.0]]])
    parts.append(_with_normals(floor, _fan(AROUND, 0, up=False)))
    parts += [_knob(strength, number) for number in range(strength)]
    vertices, triangles, count = [], [], 0
    for points, sides in parts:
        vertices.append(points)
        triangles.append(sides + np.uint32(count))
        count += len(points)
    return np.concatenate(vertices).astype(np.float32), np.concatenate(triangles).astype(np.uint32)


def _band(low: int, high: int) -> npt.NDArray[np.uint32]:
    """Triangles between two rings of vertices, the outside in front."""
    here = np.arange(AROUND)
    after = (here + 1) % AROUND
    first = np.column_stack([low + here, low + after, high + after])
    second = np.column_stack([low + here, high + after, high + here])
    return np.concatenate([first, second]).astype(np.uint32)


def _fan(middle: int, ring: int, *, up: bool) -> npt.NDArray[np.uint32]:
    here = np.arange(AROUND)
    after = (here + 1) % AROUND
    a, b = (here, after) if up else (after, here)
    return np.column_stack([np.full(AROUND, middle), ring + a, ring + b]).astype(np.uint32)


def _knob(strength: int, number: int) -> tuple[Array, npt.NDArray[np.uint32]]:
    """Return an octahedron with round normals: three pixels don't show more."""
    angle = FIRST[strength] + 2.0 * math.pi * number / strength
    away = KNOB_RING_M if strength > 1 else 0.0
    size = KNOB_M if strength > 1 else LONE_KNOB_M
    middle = np.array([away * math.cos(angle), away * math.sin(angle), KNOB_HIGH_M])
    outwards = np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0], [0, 0, 1.0]])
    faces = np.array([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]], dtype=np.uint32)
    return np.column_stack([middle + size * outwards * (1.0, 1.0, 1.25), outwards]), faces


def _with_normals(points: Array, faces: npt.NDArray[np.uint32]) -> tuple[Array, npt.NDArray[np.uint32]]:
    """Return the same points with the mean normals of the faces that meet in them."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    normals = np.zeros_like(points)
    for k in range(3):
        np.add.at(normals, faces[:, k], flat)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return np.column_stack([points, normals]), faces


#: position 3; corner 2 and kind; colour 4
FLAT_LAYOUT = (3, 3, 4)
_WATER = 0.0
_KINDS = {"star": 1.0, "counted": 2.0, "target": 3.0, "chevron": 4.0, "sign": 5.0}
#: Clear of the table, and each other, by less than can be seen.
_WATER_M, _MARK_M = 0.0003, 0.0007
_WATER_COLOUR: Rgba = (0.05, 0.13, 0.27, 0.80)
#: Gold leads clockwise, moonlight counter-clockwise; chevrons say it without colours.
_LEADS: dict[int, Rgba] = {
    0: (0.93, 0.90, 0.80, 0.55),
    1: (*GOLD, 1.0),
    -1: (*MOONLIGHT, 1.0),
}


def flat_mesh(lake: LakeScene) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Vertices (n, 10) and triangles (m, 3), the water first."""
    water, faces = _water(lake)
    quads = [_quad(mark) for mark in lake.marks if mark.kind in _KINDS]
    if quads:
        faces = np.concatenate([faces, quad_triangles(len(quads)) + np.uint32(len(water))])
    return np.concatenate([water, *quads]).astype(np.float32), faces


def _water(lake: LakeScene) -> tuple[Array, npt.NDArray[np.uint32]]:
    """Return a fan; its corner says how far out a point is, 0 in the middle and 1 at the shore."""
    outline = np.array(lake.shore)
    count = len(outline)
    rows = np.zeros((count + 1, 10))
    rows[:count, :3] = outline
    rows[count, :3] = outline.mean(axis=0)
    rows[:, 2] = _WATER_M
    rows[:count, 3] = 1.0
    rows[:, 5] = _WATER
    rows[:, 6:] = _WATER_COLOUR
    here = np.arange(count)
    return rows, np.column_stack([np.full(count, count), here, (here + 1) % count]).astype(np.uint32)


def _quad(mark: SceneMark) -> Array:
    c, s = math.cos(mark.heading) * mark.size_m, math.sin(mark.heading) * mark.size_m
    x, y, _ = mark.place
    colour = _LEADS[mark.way]
    kind = _KINDS[mark.kind]
    return np.array(
        [
            [x + u * c - v * s, y + u * s + v * c, _MARK_M, u, v, kind, *colour]
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
    )
