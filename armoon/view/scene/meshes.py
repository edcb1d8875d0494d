"""The drawn form of the base: a puffy cloud over the boxes that carry the starting ladders.

The cloud is a smooth union of round-cornered boxes with bulges on them, star-shaped: every ray from its heart
leaves it once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, mat_from_quat
from armoon.values.pieces import Base, Box
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import SceneDie, SceneMoth

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
#: Subdivisions in the plain and in the full tier. Each makes four triangles of one and takes four times as long:
#: 3 are 0.1 s.
SUBDIVISIONS = (3, 4)


def cloud_mesh(
    base: Base, subdivisions: int = SUBDIVISIONS[0]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Vertices (n, 9: position, normal, colour) in the table frame and triangles (m, 3).

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


#: Outer half extents of the tray, metres: room for the widest ladder (36 mm) and fingers.
HALF_WIDTH_M, HALF_DEPTH_M = 0.045, 0.028
WALL_HEIGHT_M = 0.024
#: Of the lid that stands upright: narrow enough to stand beside the base.
UPRIGHT_HALF_WIDTH_M = 0.055
WALL_M = 0.0022
#: Raised floor: the offered ladder's foot stands on it, just above.
FLOOR_M = 0.0195
LACQUER: Vec3 = (0.020, 0.034, 0.115)
LACQUER_INSIDE: Vec3 = (0.050, 0.075, 0.200)
GOLD_RIM: Vec3 = (0.62, 0.46, 0.20)


def lid_mesh(lid: Pose) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Vertices (n, 9: position, normal, colour) in the table frame and triangles (m, 3)."""
    w, d, t = HALF_WIDTH_M, HALF_DEPTH_M, WALL_M
    rim = WALL_HEIGHT_M - 0.0015
    parts: list[tuple[Vec3, Vec3, Vec3]] = [
        ((0.0, 0.0, FLOOR_M / 2), (w - t, d - t, FLOOR_M / 2), LACQUER_INSIDE)
    ]
    for low, high, colour in ((0.0, rim, LACQUER), (rim, WALL_HEIGHT_M, GOLD_RIM)):
        z, half = (low + high) / 2.0, (high - low) / 2.0
        for side in (-1.0, 1.0):
            parts.append(((side * (w - t / 2), 0.0, z), (t / 2, d, half), colour))
            parts.append(((0.0, side * (d - t / 2), z), (w - t, t / 2, half), colour))
    return _lid_mesh(parts, lid)


def _lid_mesh(
    parts: list[tuple[Vec3, Vec3, Vec3]], lid: Pose
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    blocks = [_box(centre, half, colour) for centre, half, colour in parts]
    vertices = np.concatenate(blocks)
    rotation = mat_from_quat(lid.rotation)
    vertices[:, 0:3] = vertices[:, 0:3] @ rotation.T + np.asarray(lid.position)
    vertices[:, 3:6] = vertices[:, 3:6] @ rotation.T
    corner = np.arange(len(vertices) // 4)[:, None] * 4
    triangles = (corner + np.array([[0, 1, 2, 0, 2, 3]])).reshape(-1, 3)
    return vertices.astype(np.float32), triangles.astype(np.uint32)


def upright_lid_mesh(foot: Pose, height_m: float) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Return the same of a lid that stands on its edge, its open side to the front; ``height_m`` is its upper edge."""
    w, d, t, half = UPRIGHT_HALF_WIDTH_M, WALL_HEIGHT_M / 2.0, WALL_M, height_m / 2.0
    parts: list[tuple[Vec3, Vec3, Vec3]] = [((0.0, d - t / 2, half), (w, t / 2, half), LACQUER_INSIDE)]
    for side in (-1.0, 1.0):
        parts.append(((side * (w - t / 2), -t / 2, half), (t / 2, d - t / 2, half), LACQUER))
        edge = half + side * (half - t / 2)
        parts.append(((0.0, -t / 2, edge), (w - t, d - t / 2, t / 2), GOLD_RIM if side > 0 else LACQUER))
    return _lid_mesh(parts, foot)


def _box(centre: Vec3, half: Vec3, colour: Vec3) -> npt.NDArray[np.float64]:
    """Six faces of four vertices (24, 9), counter-clockwise from outside."""
    faces = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1.0, 1.0):
            for a, b in (
                ((-1, -1), (1, -1), (1, 1), (-1, 1)) if side > 0 else ((-1, -1), (-1, 1), (1, 1), (1, -1))
            ):
                point, normal = np.array(centre, dtype=np.float64), np.zeros(3)
                point[axis] += side * half[axis]
                point[u] += a * half[u]
                point[v] += b * half[v]
                normal[axis] = side
                faces.append(np.concatenate([point, normal, colour]))
    return np.array(faces)


#: Linear colour of the die's bone.
_BONE: Vec3 = (0.86, 0.78, 0.60)
#: How much paler the sides are of a die that lies; a normal that is less upright belongs to one.
_PALE, _UPWARD = 0.88, 0.9


@cache
def _shapes() -> dict[str, npt.NDArray[Any]]:
    """Return the shapes that are kept in a file, in rows of 9: position, normal, colour.

    ``die_vertices`` half an edge long with ``die_triangles``; of a moth, in centimetres and three rows for each
    triangle, ``moth_body`` and its right ``moth_wing`` from above, with the strength of its player's colour in every
    row as ``moth_dye``: 0 for none.
    """
    with np.load(Path(__file__).with_name("meshes.npz")) as kept:
        return dict(kept)


def die_mesh(die: SceneDie) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Vertices (n, 9: position, normal, colour) in the table frame and triangles (m, 3).

    Once it lies, all pales that is painted on its sides: from the front they are seen better than what came up.
    """
    vertices, triangles = _shapes()["die_vertices"], _shapes()["die_triangles"]
    turn = mat_from_quat(die.pose.rotation).T
    placed = vertices.copy()
    placed[:, :3] = vertices[:, :3] @ turn * (die.edge_m / 2.0) + np.array(die.pose.position)
    placed[:, 3:6] = vertices[:, 3:6] @ turn
    if not die.rolls:
        aside = placed[:, 5:6] < _UPWARD
        placed[:, 6:] += np.where(aside, _PALE, 0.0) * (np.array(_BONE) - placed[:, 6:])
    return placed.astype(np.float32), triangles


_LEGS: Vec3 = (0.30, 0.10, 0.10)
#: Its player's own colour, where it has a player.
_GOLD: Vec3 = (0.80, 0.55, 0.10)
#: Beats a second: slow for a moth, quick enough to carry something.
BEAT_HZ = 5.0
#: How far the wings swing about the level, and where that lies (raised is positive).
SWING_RAD, RAISED_RAD = math.radians(38.0), math.radians(14.0)
#: Height of hovering above what its feet hold.
ABOVE_M = 0.030
#: Its body leans from the upright towards the far side, so that its back is seen.
LEAN_RAD = math.radians(28.0)
#: Life size: a span of nine centimetres.
SIZE = 1.0

Rows = npt.NDArray[np.float64]


def moths_mesh(
    moths: Sequence[SceneMoth], time_s: float
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Vertices (n, 9: position, normal, colour) in the table frame and triangles (m, 3)."""
    corners = [_moth(moth, time_s) for moth in moths]
    if not corners:
        return np.empty((0, 9), dtype=np.float32), np.empty((0, 3), dtype=np.uint32)
    vertices = np.concatenate(corners).astype(np.float32)
    return vertices, np.arange(len(vertices), dtype=np.uint32).reshape(-1, 3)


def _moth(moth: SceneMoth, time_s: float) -> Rows:
    """Three rows for each triangle."""
    beat = math.sin(math.tau * BEAT_HZ * time_s)
    wings = [_wing(moth.colour or _GOLD, side, RAISED_RAD + SWING_RAD * beat) for side in (1.0, -1.0)]
    parts = np.concatenate([*wings, _shapes()["moth_body"]])
    lean: Rows = np.array(
        [
            [1.0, 0.0, 0.0],
            [0.0, math.sin(LEAN_RAD), -math.cos(LEAN_RAD)],
            [0.0, math.cos(LEAN_RAD), math.sin(LEAN_RAD)],
        ]
    )
    placed = parts.copy()
    bob = 0.003 * math.sin(math.tau * BEAT_HZ * time_s + 2.0)
    x, y, z = moth.place
    placed[:, 0:3] = parts[:, 0:3] @ lean.T * (SIZE * 0.01) + np.array([x, y, z + ABOVE_M + bob])
    placed[:, 3:6] = parts[:, 3:6] @ lean.T
    return np.concatenate([placed, _legs(np.array(moth.place), bob)])


def _wing(colour: Vec3, side: float, raised_rad: float) -> Rows:
    """One side's pair of wings, seen from both sides, turned about the body."""
    top, dye = _shapes()["moth_wing"].copy(), _shapes()["moth_dye"]
    top[dye > 0.0, 6:] = np.minimum(1.0, dye[dye > 0.0, None] * colour)
    below = top.copy()
    below[:, 2] *= -1.0
    below[:, 5] *= -1.0
    # The other face of a triangle goes round the other way; and so does the left wing's.
    below = below.reshape(-1, 3, 9)[:, ::-1].reshape(-1, 9)
    both: Rows = np.concatenate([top, below])
    c, s = math.cos(raised_rad), math.sin(raised_rad)
    turn = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
    both[:, 0:3] = both[:, 0:3] @ turn.T
    both[:, 3:6] = both[:, 3:6] @ turn.T
    if side < 0.0:
        both[:, 0] *= -1.0
        both[:, 3] *= -1.0
        both = both.reshape(-1, 3, 9)[:, ::-1].reshape(-1, 9)
    return both


def _legs(holds: Rows, bob: float) -> Rows:
    """Return two thin legs from the body down to the held ladder, turned to a viewer in front."""
    rows = []
    top = holds + np.array([0.0, 0.0, ABOVE_M + bob])
    for side in (-1.0, 1.0):
        a = top + np.array([0.004 * side, 0.0, -0.002])
        b = holds + np.array([0.0025 * side, 0.0, 0.0])
        wide = np.array([0.0007, 0.0, 0.0])
        for ring in ((a - wide, b - wide, b + wide), (a - wide, b + wide, a + wide)):
            rows += [[*point, 0.0, -1.0, 0.0, *_LEGS] for point in ring]
    made: Rows = np.array(rows)
    return made
