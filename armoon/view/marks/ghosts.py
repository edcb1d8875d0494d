"""Ghosts of ladders: rails and rungs at their pose, dashed by what becomes of them, dots at their contacts."""

from __future__ import annotations

import numpy as np

from armoon.geometry import Array, mat_from_pose
from armoon.values.poses import Vec3
from armoon.values.scene import Fate, Ghost
from armoon.view.marks.mark_shapes import DOT, RING, MarkShapes
from armoon.view.scene.light import FAULT, GOLD, GOOD, MOONLIGHT, Rgba

#: Colour of a ghost, and how long its dashes are: what says how it ends says it without colours as well.
_COLOURS: dict[Fate | None, Vec3] = {Fate.HOLDS: GOOD, Fate.DOUBTFUL: GOLD, Fate.FAILS: FAULT}
_DASHES_M: dict[Fate | None, float] = {Fate.DOUBTFUL: 0.016, Fate.FAILS: 0.003}
_DASH_M = 0.006
_TOUCH_M = 0.006
#: Opacity of a place that isn't considered.
_FAINT = 0.35
_SHADE: Rgba = (0.10, 0.08, 0.20, 0.45)
#: Distance of the dark line below the bright one: a ghost has to be seen over wood and over the white cloud.
_BELOW_M = 0.0008


class Ghosts:
    """Draws the ghosts of one set of ladders."""

    def __init__(self, lines: dict[str, Array]) -> None:
        self._lines = lines

    def draw(self, ghosts: tuple[Ghost, ...], shapes: MarkShapes) -> list[Array]:
        """Quads for the mark shader."""
        quads: list[Array] = []
        for ghost in ghosts:
            bright = ghost_colour(ghost)
            ends = self.ends(ghost).reshape(-1, 2, 3)
            dash_m = _DASHES_M.get(ghost.fate, _DASH_M)
            dashes = np.maximum(1.0, np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) / dash_m)
            whole = ghost.landing and ghost.fate is Fate.HOLDS  # as of a ladder that is there
            if not ghost.faint:
                quads.append(shapes.lines(ends - [0.0, 0.0, _BELOW_M], _SHADE))
            quads.append(shapes.lines(ends, bright, None if whole else dashes))
            for point in () if ghost.faint else ghost.points:
                quads.append(shapes.facing(point, _TOUCH_M, (*bright[:3], 0.95), DOT))
                quads.append(shapes.facing(point, 1.4 * _TOUCH_M, (*_SHADE[:3], 0.8), RING, (0.75, 1.0)))
        return quads

    def ends(self, ghost: Ghost) -> Array:
        """Return the ends of its rails' parts and rungs (n, 3), two for each; none for an unknown ladder."""
        lines = self._lines.get(ghost.piece, np.zeros((0, 2, 3)))
        matrix = mat_from_pose(ghost.pose)
        return np.asarray(lines.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])


def ghost_colour(ghost: Ghost) -> Rgba:
    """Return its colour; pale where it isn't known how it ends."""
    return (*_COLOURS.get(ghost.fate, MOONLIGHT), _FAINT if ghost.faint else 0.9)
