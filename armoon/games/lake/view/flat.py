"""The flat parts round the lake: the water, stars, rings and chevrons, as one mesh of quads."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from armoon.games.lake.table.scene import LakeScene, SceneMark
from armoon.geometry import Array
from armoon.gl.memory import quad_triangles
from armoon.view.scene.light import GOLD, MOONLIGHT, Rgba

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
