"""The piece below a point: the first one that a falling ladder would meet."""

from __future__ import annotations

import itertools

import numpy as np

from armoon.geometry import Array, mat_from_pose
from armoon.values.pieces import LadderSet, PieceId
from armoon.values.poses import Vec3
from armoon.values.scene import ScenePiece

#: A rail this near beside the plumb line is met by the held ladder's own width (metres).
REACH_M = 0.010
#: These are in the hand or in the lid, not in the structure.
_NOT_BELOW = frozenset({"held", "waiting", "offered", "hover"})


def ladder_lines(ladders: LadderSet | None) -> dict[PieceId, Array]:
    """Return the rails and rungs of every ladder as lines (n, 2, 3) in its own frame."""
    lines = {}
    for ladder in () if ladders is None else ladders.ladders:
        pairs = [pair for rail in ladder.rails for pair in itertools.pairwise(rail)]
        pairs += ladder.rungs
        if pairs:
            lines[ladder.piece] = np.array(pairs)
    return lines


class Below:
    """The rails and rungs of a set of ladders as lines."""

    def __init__(self, ladders: LadderSet | None) -> None:
        self.lines = ladder_lines(ladders)

    def under(self, point: Vec3, pieces: tuple[ScenePiece, ...]) -> Vec3 | None:
        """Return the highest place of a standing ladder that is under ``point`` (table frame); None if none is."""
        best: Vec3 | None = None
        spot = np.asarray(point[:2])
        for piece in pieces:
            lines = self.lines.get(piece.piece)
            if lines is None or piece.look in _NOT_BELOW:
                continue
            matrix = mat_from_pose(piece.pose)
            ends = lines @ matrix[:3, :3].T + matrix[:3, 3]
            start, along = ends[:, 0], ends[:, 1] - ends[:, 0]
            flat = np.maximum((along[:, :2] ** 2).sum(axis=1), 1e-12)
            part = np.clip(((spot - start[:, :2]) * along[:, :2]).sum(axis=1) / flat, 0.0, 1.0)
            nearest = start + part[:, None] * along
            aside = np.linalg.norm(nearest[:, :2] - spot, axis=1)
            heights = np.where((aside <= REACH_M) & (nearest[:, 2] < point[2]), nearest[:, 2], -1.0)
            i = int(np.argmax(heights))
            if heights[i] > (0.0 if best is None else best[2]):
                best = (point[0], point[1], float(heights[i]))
        return best
