"""Shapes of the base, the lid, the die and moths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from armoon.geometry import mat_from_quat
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import SceneDie, SceneMoth


@cache
def _shapes() -> dict[str, npt.NDArray[Any]]:
    """Return the shapes in rows of 9: position, normal, colour.

    Vertices and triangles of base and die by name (the die half an edge long); of a moth, in centimetres and three rows
    a triangle, ``moth_body``, its right ``moth_wing`` from above, and ``moth_dye``, its player's colour's strength.
    """
    with np.load(Path(__file__).with_name("meshes.npz")) as kept:
        return dict(kept)


def base_mesh(*, socle: bool, full: bool) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Return vertices (n, 9: position, normal, colour) in the table frame and triangles (m, 3); don't write to them."""
    name = f"{'socle' if socle else 'cloud'}_{'full' if full else 'plain'}"
    return _shapes()[f"{name}_vertices"], _shapes()[f"{name}_triangles"]


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
    """Return the same of a lid on its edge, open to the front; ``height_m``: its upper edge."""
    w, d, t, half = UPRIGHT_HALF_WIDTH_M, WALL_HEIGHT_M / 2.0, WALL_M, height_m / 2.0
    parts: list[tuple[Vec3, Vec3, Vec3]] = [((0.0, d - t / 2, half), (w, t / 2, half), LACQUER_INSIDE)]
    for side in (-1.0, 1.0):
        parts.append(((side * (w - t / 2), -t / 2, half), (t / 2, d - t / 2, half), LACQUER))
        edge = half + side * (half - t / 2)
        parts.append(((0.0, -t / 2, edge), (w - t, d - t / 2, t / 2), GOLD_RIM if side > 0 else LACQUER))
    return _lid_mesh(parts, foot)


def _box(centre: Vec3, half: Vec3, colour: Vec3) -> npt.NDArray[np.float64]:
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
#: Paleness of the sides of a die at rest; z of normals below which they are sides'.
_PALE, _UPWARD = 0.88, 0.9


def die_mesh(die: SceneDie) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Return vertices (n, 9) in the table frame and triangles (m, 3); the sides of a die at rest are paler."""
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
    """Return vertices (n, 9: position, normal, colour) in the table frame and triangles (m, 3)."""
    corners = [_moth(moth, time_s) for moth in moths]
    if not corners:
        return np.empty((0, 9), dtype=np.float32), np.empty((0, 3), dtype=np.uint32)
    vertices = np.concatenate(corners).astype(np.float32)
    return vertices, np.arange(len(vertices), dtype=np.uint32).reshape(-1, 3)


def _moth(moth: SceneMoth, time_s: float) -> Rows:
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
