"""The moth that carries a bot's ladder: a luna moth, its wings beating, in the table frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from armoon.values.poses import Vec3
from armoon.values.scene import SceneMoth

#: Half a right wing's outline each, in centimetres: across the body, and along it towards the head.
_FORE = ((0.15, 1.0), (1.5, 2.1), (3.2, 2.75), (4.3, 2.6), (4.0, 1.85), (3.35, 1.05), (2.3, 0.3), (0.2, 0.0))
_HIND = (
    *((0.2, 0.25), (2.1, 0.35), (2.65, -0.5), (2.3, -1.35), (1.65, -1.95)),
    *((1.5, -3.0), (1.75, -4.1), (1.4, -4.7), (1.0, -4.1), (0.95, -3.0), (0.8, -1.9), (0.2, -0.9)),
)
#: The dark edge that leads the wing.
_EDGE = ((0.15, 1.0), (1.5, 2.1), (3.2, 2.75), (4.3, 2.6), (3.2, 2.52), (1.5, 1.85), (0.2, 0.8))
#: An eye on each wing: place and radius.
_EYES = ((2.55, 1.65, 0.33), (1.75, -0.5, 0.27))
_GREEN: Vec3 = (0.36, 0.66, 0.30)
_PALE: Vec3 = (0.50, 0.76, 0.42)
_MAROON: Vec3 = (0.26, 0.04, 0.10)
_FUR: Vec3 = (0.82, 0.80, 0.70)
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
    parts = np.concatenate([*wings, _body()])
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
    flat = np.concatenate(
        [_flat_wing(_FORE, _PALE), _flat_wing(_HIND, _GREEN), _flat_wing(_EDGE, _MAROON, 0.03)]
    )
    eyes = [_disc(x, y, r, _MAROON, 0.04) for x, y, r in _EYES] + [
        _disc(x, y, 0.6 * r, colour, 0.06) for x, y, r in _EYES
    ]
    top = np.concatenate([flat, *eyes])
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


@cache
def _flat_wing(outline: tuple[tuple[float, float], ...], colour: Vec3, above: float = 0.0) -> Rows:
    """Return a right wing in its own plane as a fan; it bows a little and pales towards the body."""
    points = np.array(outline)
    middle = points.mean(axis=0)
    rows = []
    for a, b in zip(points, np.roll(points, -1, axis=0), strict=True):
        ab, am = b - a, middle - a
        ring = (a, b, middle) if ab[0] * am[1] - ab[1] * am[0] > 0.0 else (b, a, middle)
        for px, py in ring:
            pale = 1.0 + 0.35 * max(0.0, 1.0 - px / 2.5)
            normal = np.array([-0.10 * px, 0.0, 1.0])
            rows.append(
                [
                    px,
                    py,
                    above - 0.05 * px**2 * 0.4,
                    *normal / np.linalg.norm(normal),
                    *(min(1.0, pale * v) for v in colour),
                ]
            )
    made: Rows = np.array(rows)
    return made


@cache
def _disc(x: float, y: float, radius: float, colour: Vec3, above: float) -> Rows:
    steps = [math.tau * k / 10 for k in range(10)]
    return _flat_wing(
        tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in steps), colour, above
    )


@cache
def _body() -> Rows:
    """Return a furry spindle along the body, and two feelers."""
    rows = []
    rings, sides = 7, 8
    for k in range(rings):
        for j in range(sides):
            quad = [_spindle(k + dk, j + dj, rings, sides) for dk, dj in ((0, 0), (0, 1), (1, 1), (1, 0))]
            for corner in (0, 1, 2, 0, 2, 3):
                rows.append(quad[corner])
    for side in (1.0, -1.0):
        tips = ((0.08 * side, 1.35), (1.0 * side, 2.0), (0.75 * side, 2.15))
        for ring, up in ((tips, 1.0), (tips[::-1], -1.0)):
            rows += [[px, py, 0.12 * up, 0.0, 0.0, up, *_FUR] for px, py in ring]
    made: Rows = np.array(rows)
    return made


def _spindle(k: int, j: int, rings: int, sides: int) -> list[float]:
    along, round_ = k / rings, math.tau * j / sides
    width = 0.34 * math.sin(math.pi * min(1.0, along * 0.94 + 0.06)) ** 0.6
    nx, nz = math.cos(round_), math.sin(round_)
    shade = 0.85 + 0.15 * math.cos(6.0 * math.pi * along)
    return [width * nx, 1.45 - 2.6 * along, width * nz, nx, 0.0, nz, *(shade * v for v in _FUR)]


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
