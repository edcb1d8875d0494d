"""Where standing ladders meet, by their centre lines: for display, not for judging."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from armoon.geometry import pose_apply, vec3
from armoon.values.pieces import Ladder, PieceId
from armoon.values.poses import Pose, Vec3

#: Centre lines of wood that touches are nearer than this.
TOUCHING_M = 0.0085


def lines_of(ladder: Ladder) -> tuple[tuple[Vec3, Vec3], ...]:
    """Return the straight parts of its rails, and its rungs, in its own frame."""
    return tuple(pair for rail in ladder.rails for pair in itertools.pairwise(rail)) + ladder.rungs


def spots_of(ladder: Ladder, pose: Pose) -> npt.NDArray[np.float64]:
    """Points along every rail and rung, table frame, (n, 3)."""
    ends = [np.array([pose_apply(pose, a), pose_apply(pose, b)]) for a, b in lines_of(ladder)]
    along = np.linspace(0.0, 1.0, 24)[:, None]
    return np.concatenate([a + along * (b - a) for a, b in ends])


def meeting(
    ladders: Mapping[PieceId, Ladder], poses: Mapping[PieceId, Pose], piece: PieceId
) -> dict[PieceId, Vec3]:
    """Where a ladder touches each of the others that it touches, table frame."""
    mine = spots_of(ladders[piece], poses[piece])
    found: dict[PieceId, Vec3] = {}
    for other in poses:
        theirs = spots_of(ladders[other], poses[other])
        apart = np.linalg.norm(mine[:, None, :] - theirs[None, :, :], axis=2)
        a, b = np.unravel_index(int(apart.argmin()), apart.shape)
        if other != piece and apart[a, b] < TOUCHING_M:
            found[other] = vec3((mine[a] + theirs[b]) / 2.0)
    return found
