"""Exact geometry of boxes, independent of the physics engine: signed distances, contacts, heights.

Two boxes apart: the distance is the least over all vertex–box and edge–edge pairs. Overlapping: the negated
least depth over the 15 separating axes (Gottschalk, Lin, Manocha: OBBTree, 1996). Segment–segment
distance after Ericson, Real-Time Collision Detection, 5.1.9.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, mat_from_quat
from armoon.values.pieces import Box
from armoon.values.poses import Pose

_SIGNS = np.array([[sx, sy, sz] for sx in (-1.0, 1.0) for sy in (-1.0, 1.0) for sz in (-1.0, 1.0)])
BOX_EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1])
#: Cross products of nearly parallel edges are no axes.
_PARALLEL = 1e-9


class PlacedBoxes:
    """Boxes in the table frame: centres (n, 3), axes (n, 3, 3) as columns, half extents (n, 3)."""

    def __init__(self, boxes: Sequence[Box], pose: Pose) -> None:
        turn = mat_from_quat(pose.rotation)
        centres, axes, halves = _own(tuple(boxes))
        self.centres: Array = centres @ turn.T + np.asarray(pose.position)
        self.axes: Array = turn @ axes
        self.halves: Array = halves

    def corners(self) -> Array:
        """All corners (n, 8, 3)."""
        offsets = _SIGNS[None, :, :] * self.halves[:, None, :]
        return np.asarray(self.centres[:, None, :] + offsets @ self.axes.transpose(0, 2, 1))


@lru_cache(maxsize=64)
def _own(boxes: tuple[Box, ...]) -> tuple[Array, Array, Array]:
    """Return centres (n, 3), axes (n, 3, 3) and half extents (n, 3) in the piece's own frame; not to be changed."""
    axes = np.array([mat_from_quat(box.rotation) for box in boxes])
    return np.array([box.centre for box in boxes]), axes, np.array([box.half_extents for box in boxes])


def highest_point(boxes: Sequence[Box], pose: Pose) -> float:
    """Return the greatest z of any corner: a box's extreme points are its corners."""
    return float(PlacedBoxes(boxes, pose).corners()[:, :, 2].max())


def lowest_point(boxes: Sequence[Box], pose: Pose) -> float:
    """Return the least z of any corner."""
    return float(PlacedBoxes(boxes, pose).corners()[:, :, 2].min())


def boxes_overlap(
    boxes_a: Sequence[Box], pose_a: Pose, boxes_b: Sequence[Box], pose_b: Pose
) -> npt.NDArray[np.bool_]:
    """Return which boxes (n, m) share volume; boxes that merely touch don't."""
    return np.asarray(_separation(PlacedBoxes(boxes_a, pose_a), PlacedBoxes(boxes_b, pose_b)) < -1e-9)


def pieces_distance(
    boxes_a: Sequence[Box], pose_a: Pose, boxes_b: Sequence[Box], pose_b: Pose, within_m: float = 0.02
) -> float:
    """Return the signed distance in metres of two pieces, or ``within_m`` if they are farther apart.

    Overlap is the deepest of any pair of their boxes, negative.
    """
    a, b = PlacedBoxes(boxes_a, pose_a), PlacedBoxes(boxes_b, pose_b)
    bounds = _separation(a, b)
    best = float(bounds.min())
    if best <= 0.0:
        return best
    best = within_m
    # The separation along any axis is a lower bound, so pairs are tried nearest first until no bound can win.
    for flat in np.argsort(bounds, axis=None, kind="stable"):
        i, j = divmod(int(flat), bounds.shape[1])
        if bounds[i, j] >= best:
            break
        best = min(best, _gap(a, i, b, j))
    return best


def _separation(a: PlacedBoxes, b: PlacedBoxes) -> Array:
    """Return the greatest separation (n, m) along any of the 15 axes of every pair of boxes; negative is overlap."""
    between = b.centres[None, :, :] - a.centres[:, None, :]
    # All axes of all pairs at once (n, m, 15, 3): numpy's calls cost more than their work.
    own_a, own_b = a.axes.transpose(0, 2, 1), b.axes.transpose(0, 2, 1)
    crossed = np.cross(own_a[:, None, :, None], own_b[None, :, None]).reshape(*between.shape[:2], 9, 3)
    wide = (*between.shape[:2], 3, 3)
    faces = np.broadcast_to(own_a[:, None], wide), np.broadcast_to(own_b[None], wide)
    axes = np.concatenate((*faces, crossed), axis=2)
    length = np.linalg.norm(axes, axis=-1)
    usable = length > _PARALLEL
    n = axes / np.where(usable, length, 1.0)[..., None]
    reach_a = (np.abs(np.einsum("nmsk,nlk->nmsl", n, own_a)) * a.halves[:, None, None, :]).sum(-1)
    reach_b = (np.abs(np.einsum("nmsk,mlk->nmsl", n, own_b)) * b.halves[None, :, None, :]).sum(-1)
    gaps = np.abs((n * between[:, :, None, :]).sum(-1)) - reach_a - reach_b
    return np.asarray(np.where(usable, gaps, -np.inf).max(-1))


def _gap(a: PlacedBoxes, i: int, b: PlacedBoxes, j: int) -> float:
    """Return the exact distance of two boxes that don't overlap."""
    corners_a = a.centres[i] + (_SIGNS * a.halves[i]) @ a.axes[i].T
    corners_b = b.centres[j] + (_SIGNS * b.halves[j]) @ b.axes[j].T
    return min(
        _points_to_box(corners_a, b.centres[j], b.axes[j], b.halves[j]),
        _points_to_box(corners_b, a.centres[i], a.axes[i], a.halves[i]),
        _edges_to_edges(corners_a, corners_b),
    )


def _points_to_box(points: Array, centre: Array, axes: Array, half: Array) -> float:
    """Return the least distance of points (k, 3) to a box."""
    outside = np.maximum(np.abs((points - centre) @ axes) - half, 0.0)
    return float(np.sqrt((outside * outside).sum(1)).min())


def _edges_to_edges(corners_a: Array, corners_b: Array) -> float:
    """Return the least distance between any edge of one box and any edge of another."""
    p, q = corners_a[BOX_EDGES[:, 0]], corners_b[BOX_EDGES[:, 0]]
    d, e = corners_a[BOX_EDGES[:, 1]] - p, corners_b[BOX_EDGES[:, 1]] - q
    r = p[:, None, :] - q[None, :, :]
    dd, ee = (d * d).sum(1)[:, None], (e * e).sum(1)[None, :]
    de = d @ e.T
    dr, er = np.einsum("ik,ijk->ij", d, r), np.einsum("jk,ijk->ij", e, r)
    denominator = dd * ee - de * de
    skew = denominator > 1e-18 * dd * ee
    s = np.where(skew, np.clip((de * er - dr * ee) / np.where(skew, denominator, 1.0), 0.0, 1.0), 0.0)
    t = (de * s + er) / ee
    s = np.where(
        t < 0.0, np.clip(-dr / dd, 0.0, 1.0), np.where(t > 1.0, np.clip((de - dr) / dd, 0.0, 1.0), s)
    )
    t = np.clip(t, 0.0, 1.0)
    v = r + d[:, None, :] * s[..., None] - e[None, :, :] * t[..., None]
    return float(np.sqrt((v * v).sum(-1)).min())
