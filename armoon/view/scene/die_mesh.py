"""The die as a mesh: a rounded cube of bone with its faces inlaid, in the table frame."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, mat_from_quat
from armoon.values.poses import Vec3
from armoon.values.scene import DieFace, SceneDie

#: Radius of the rounded edges, and the grid of a face, whose middle is flat; all lengths in half edges.
_ROUND = 0.24
_GRID = (-1.0, -1.0 + 0.35 * _ROUND, -1.0 + _ROUND, 1.0 - _ROUND, 1.0 - 0.35 * _ROUND, 1.0)
#: Height of the painted signs above the face.
_RAISED = 0.014
#: Linear colours of bone, of painted wood and of the moon.
_BONE: Vec3 = (0.86, 0.78, 0.60)
_INK: Vec3 = (0.030, 0.034, 0.10)
_MOON: Vec3 = (0.78, 0.38, 0.03)
#: How much paler the sides are of a die that lies; a normal that is less upright belongs to one.
_PALE, _UPWARD = 0.88, 0.9
#: The crescent: its disc, and the one that is cut out of it (middle across and up, radius); corners along each.
_DISC, _CUT, _STEPS = (-0.06, 0.0, 0.60), (0.22, 0.10, 0.50), 16


def die_mesh(die: SceneDie) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Vertices (n, 9: position, normal, colour) in the table frame and triangles (m, 3).

    Once it lies, all pales that is painted on its sides: from the front they are seen better than what came up.
    """
    vertices, triangles = _cube(die.faces)
    turn = mat_from_quat(die.pose.rotation).T
    placed = vertices.copy()
    placed[:, :3] = vertices[:, :3] @ turn * (die.edge_m / 2.0) + np.array(die.pose.position)
    placed[:, 3:6] = vertices[:, 3:6] @ turn
    if not die.rolls:
        aside = placed[:, 5:6] < _UPWARD
        placed[:, 6:] += np.where(aside, _PALE, 0.0) * (np.array(_BONE) - placed[:, 6:])
    return placed.astype(np.float32), triangles


@lru_cache(maxsize=2)
def _cube(faces: tuple[DieFace, DieFace, DieFace]) -> tuple[Array, npt.NDArray[np.uint32]]:
    """Vertices (n, 9) in the die's own frame, half an edge long, and triangles (m, 3)."""
    vertices: list[Array] = []
    triangles: list[npt.NDArray[np.int_]] = []
    count = 0
    for axis, face in enumerate(faces):
        for side in (-1.0, 1.0):
            outward, up = side * np.eye(3)[axis], np.eye(3)[(axis + 1) % 3]
            frame = np.array([np.cross(up, outward), up, outward])
            for flat, colour, corners in (_side(), *_painted(face)):
                points = flat @ frame
                inner = np.clip(points, _ROUND - 1.0, 1.0 - _ROUND)
                normals = points - inner
                normals /= np.linalg.norm(normals, axis=1, keepdims=True)
                # What is painted lies on the flat middle.
                raised = _RAISED if colour != _BONE else 0.0
                places = inner + normals * (_ROUND + raised)
                vertices.append(np.column_stack([places, normals, np.tile(colour, (len(points), 1))]))
                triangles.append(corners + count)
                count += len(points)
    return np.concatenate(vertices), np.concatenate(triangles).astype(np.uint32)


_Part = tuple[Array, Vec3, npt.NDArray[np.int_]]


def _side() -> _Part:
    """Return one side of the cube before it is rounded: points (n, 3) across, up and outward, and triangles."""
    up, across = np.meshgrid(_GRID, _GRID, indexing="ij")
    points = np.column_stack([across.ravel(), up.ravel(), np.ones(across.size)])
    wide = len(_GRID)
    first = np.arange(wide - 1)[:, None] * wide + np.arange(wide - 1)
    return points, _BONE, _between_rows(first, wide)


def _between_rows(first: npt.NDArray[np.int_], wide: int) -> npt.NDArray[np.int_]:
    """Return two triangles for each of these corners, the next one, and those as many as ``wide`` further."""
    corners = np.array([[0, 1, wide + 1], [0, wide + 1, wide]])
    return np.asarray(first.reshape(-1, 1, 1) + corners).reshape(-1, 3)


def _painted(face: DieFace) -> list[_Part]:
    if face is DieFace.CRESCENT:
        return [_crescent()]
    if face is DieFace.LADDER:
        return _ladder(0.0, 0.30, 0.0)
    return [*_ladder(-0.33, 0.18, 0.10), *_ladder(0.33, 0.18, -0.10)]


def _ladder(across: float, half: float, lean_rad: float) -> list[_Part]:
    """Return two rails and four rungs as boxes; ``lean_rad`` to the right."""
    boxes = [(side * half, 0.0, 0.055, 0.64) for side in (-1.0, 1.0)]
    boxes += [(0.0, up, half, 0.05) for up in (-0.44, -0.15, 0.15, 0.44)]
    c, s = math.cos(lean_rad), math.sin(lean_rad)
    made: list[_Part] = []
    for x, y, w, h in boxes:
        corners = [(x + u * w, y + v * h) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        points = np.array([(across + c * a + s * b, c * b - s * a, 1.0) for a, b in corners])
        made.append((points, _INK, np.array([[0, 1, 2], [0, 2, 3]])))
    return made


def _crescent() -> _Part:
    """Return a strip between two arcs that meet at both horns."""
    (ax, ay, a), (bx, by, b) = _DISC, _CUT
    apart = math.hypot(bx - ax, by - ay)
    towards = math.atan2(by - ay, bx - ax)
    # Of each disc, the angle from the line between their middles to a horn.
    outer = math.acos((apart**2 + a**2 - b**2) / (2.0 * apart * a))
    inner = math.pi - math.acos((apart**2 + b**2 - a**2) / (2.0 * apart * b))
    along = np.linspace(0.0, 1.0, _STEPS + 1)
    wide = towards + outer + along * (2.0 * math.pi - 2.0 * outer)
    narrow = towards + inner + along * (2.0 * math.pi - 2.0 * inner)
    rim = np.column_stack([ax + a * np.cos(wide), ay + a * np.sin(wide), np.ones_like(along)])
    edge = np.column_stack([bx + b * np.cos(narrow), by + b * np.sin(narrow), np.ones_like(along)])
    return np.concatenate([rim, edge]), _MOON, _between_rows(np.arange(_STEPS), _STEPS + 1)
