"""The lid of the game's box: a shallow tray on the table in which the next ladder stands."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from armoon.geometry import mat_from_quat
from armoon.values.poses import Pose, Vec3

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
    return _mesh(parts, lid)


def _mesh(
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
    return _mesh(parts, foot)


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
