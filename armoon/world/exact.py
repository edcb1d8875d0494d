"""Computes exact geometry of boxes, independently of the physics engine: signed distances, contacts, heights.

For separate boxes, the distance is the minimum vertex-box or edge-edge distance (Ericson, Real-Time Collision
Detection, 5.1.9), for overlapping ones the negated minimum depth over the 15 separating axes (Gottschalk, Lin, Manocha:
OBBTree, 1996).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, mat_from_quat, quat_angle
from armoon.values.pieces import TABLE, Box, Ladder, PieceId
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3

_SIGNS = np.array([[sx, sy, sz] for sx in (-1.0, 1.0) for sy in (-1.0, 1.0) for sz in (-1.0, 1.0)])
BOX_EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1])
#: Minimum length of a cross product used as an axis; cross products of nearly parallel edges are shorter.
_PARALLEL = 1e-9


class PlacedBoxes:
    """Boxes in the table frame: centres (n, 3), axes (n, 3, 3) as columns, half extents (n, 3)."""

    def __init__(self, boxes: Sequence[Box], pose: Pose) -> None:
        rotation = mat_from_quat(pose.rotation)
        centres, axes, halves = _make_own_boxes(tuple(boxes))
        self.centres: Array = centres @ rotation.T + np.asarray(pose.position)
        self.axes: Array = rotation @ axes
        self.halves: Array = halves

    def corners(self) -> Array:
        """Return all corners (n, 8, 3)."""
        offsets = _SIGNS[None, :, :] * self.halves[:, None, :]
        return np.asarray(self.centres[:, None, :] + offsets @ self.axes.transpose(0, 2, 1))


@lru_cache(maxsize=64)
def _make_own_boxes(boxes: tuple[Box, ...]) -> tuple[Array, Array, Array]:
    """Return centres (n, 3), axes (n, 3, 3) and half extents (n, 3) in the piece's own frame; cached, so read-only."""
    axes = np.array([mat_from_quat(box.rotation) for box in boxes])
    return np.array([box.centre for box in boxes]), axes, np.array([box.half_extents for box in boxes])


def find_highest_m(boxes: Sequence[Box], pose: Pose) -> float:
    return float(PlacedBoxes(boxes, pose).corners()[:, :, 2].max())


def find_lowest_m(boxes: Sequence[Box], pose: Pose) -> float:
    return float(PlacedBoxes(boxes, pose).corners()[:, :, 2].min())


def find_overlaps(boxes_a: Sequence[Box], boxes_b: Sequence[Box]) -> npt.NDArray[np.bool_]:
    """Return which pairs of boxes (n, m) in one frame share volume; touching boxes don't."""
    a, b = PlacedBoxes(boxes_a, IDENTITY_POSE), PlacedBoxes(boxes_b, IDENTITY_POSE)
    return np.asarray(_measure_separations(a, b) < -1e-9)


def find_distance_m(
    boxes_a: Sequence[Box], pose_a: Pose, boxes_b: Sequence[Box], pose_b: Pose, within_m: float = 0.02
) -> float:
    """Return two pieces' signed distance, metres, at most ``within_m``; negative: the deepest overlap of boxes."""
    a, b = PlacedBoxes(boxes_a, pose_a), PlacedBoxes(boxes_b, pose_b)
    bounds = _measure_separations(a, b)
    best = float(bounds.min())
    if best <= 0.0:
        return best
    best = within_m
    # The separation along any axis is a lower bound: measure the nearest pairs first until no bound is smaller.
    for flat_index in np.argsort(bounds, axis=None, kind="stable"):
        i, j = divmod(int(flat_index), bounds.shape[1])
        if bounds[i, j] >= best:
            break
        best = min(best, _measure_gap(a, i, b, j))
    return best


def _measure_separations(a: PlacedBoxes, b: PlacedBoxes) -> Array:
    """Return the maximum separation (n, m) of every pair of boxes along the 15 axes; negative: overlap."""
    offsets = b.centres[None, :, :] - a.centres[:, None, :]
    # Compute all axes of all pairs together (n, m, 15, 3), because numpy's call overhead exceeds the work.
    own_a, own_b = a.axes.transpose(0, 2, 1), b.axes.transpose(0, 2, 1)
    crossed = np.cross(own_a[:, None, :, None], own_b[None, :, None]).reshape(*offsets.shape[:2], 9, 3)
    shape = (*offsets.shape[:2], 3, 3)
    faces = np.broadcast_to(own_a[:, None], shape), np.broadcast_to(own_b[None], shape)
    axes = np.concatenate((*faces, crossed), axis=2)
    length = np.linalg.norm(axes, axis=-1)
    usable = length > _PARALLEL
    n = axes / np.where(usable, length, 1.0)[..., None]
    reach_a = (np.abs(np.einsum("nmsk,nlk->nmsl", n, own_a)) * a.halves[:, None, None, :]).sum(-1)
    reach_b = (np.abs(np.einsum("nmsk,mlk->nmsl", n, own_b)) * b.halves[None, :, None, :]).sum(-1)
    gaps = np.abs((n * offsets[:, :, None, :]).sum(-1)) - reach_a - reach_b
    return np.asarray(np.where(usable, gaps, -np.inf).max(-1))


def _measure_gap(a: PlacedBoxes, i: int, b: PlacedBoxes, j: int) -> float:
    corners_a = a.centres[i] + (_SIGNS * a.halves[i]) @ a.axes[i].T
    corners_b = b.centres[j] + (_SIGNS * b.halves[j]) @ b.axes[j].T
    return min(
        _measure_points_to_box(corners_a, b.centres[j], b.axes[j], b.halves[j]),
        _measure_points_to_box(corners_b, a.centres[i], a.axes[i], a.halves[i]),
        _measure_edges_to_edges(corners_a, corners_b),
    )


def _measure_points_to_box(points: Array, centre: Array, axes: Array, half: Array) -> float:
    outside = np.maximum(np.abs((points - centre) @ axes) - half, 0.0)
    return float(np.sqrt((outside * outside).sum(1)).min())


def _measure_edges_to_edges(corners_a: Array, corners_b: Array) -> float:
    """Return the minimum distance between the edges of two boxes, given by their corners (8, 3)."""
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


#: Further fall after the first touch within which contacts count as simultaneous.
SIMULTANEOUS_M = 0.0015
#: Motion of a ladder's ends up to which a landing is reused, and their distance from its middle.
CACHED_M, ARM_M = 0.001, 0.1
#: Maximum fall, in metres: more than the height of any tower.
MAX_FALL_M = 1.0
#: Maximum vertical overlap of touching boxes; boxes that overlap by more are beside each other or in reverse order.
OVERLAP_M = 0.002
_LANDING_PARALLEL = 1e-12
#: Number of pairs computed together.
_BATCH = 8


@dataclass(frozen=True)
class Landing:
    """The place where a piece would land if it fell straight down without turning."""

    fall_m: float
    """Fall until the first touch; 0 if it touches already."""
    touched: tuple[PieceId, ...]
    """Names of the ladders, base or table that it touches first, sorted."""
    points: tuple[Vec3, ...]
    """Touched points, table frame, one for each of ``touched``."""


class Ground:
    """Everything that a piece can land on, for many queries; make a new one after anything has moved."""

    def __init__(self, standing: Sequence[tuple[PieceId, Sequence[Box], Pose]]) -> None:
        """``standing``: name, boxes and pose of ladders and base. The table's top is the plane z = 0."""
        self._names: list[PieceId] = [name for name, boxes, _ in standing for _ in boxes]
        self._below = _Boxes([PlacedBoxes(boxes, pose) for _, boxes, pose in standing])
        self._cached: tuple[Ladder, Pose, Landing] | None = None

    def find_landing_cached(self, ladder: Ladder, pose: Pose) -> Landing:
        """Like ``find_landing``, but recompute only after the ladder has moved by ``CACHED_M``; for pictures."""
        cached = self._cached
        if cached is None or cached[0] is not ladder or _measure_motion_m(cached[1], pose) > CACHED_M:
            self._cached = cached = (ladder, pose, self.find_landing(ladder, pose))
        _, before, landing = cached
        return replace(landing, fall_m=max(0.0, landing.fall_m + (pose.position[2] - before.position[2])))

    def find_landing(self, ladder: Ladder, pose: Pose) -> Landing:
        """Return where the ladder would land from this pose."""
        above = _Boxes([PlacedBoxes(ladder.boxes, pose)])
        lowest = above.corners.reshape(-1, 3)[int(np.argmin(above.corners[:, :, 2]))]
        falls: dict[PieceId, tuple[float, Vec3]] = {
            TABLE: (max(0.0, float(lowest[2])), (float(lowest[0]), float(lowest[1]), 0.0))
        }
        for j, fall_m, point in _find_falls(above, self._below):
            name = self._names[j]
            if name not in falls or fall_m < falls[name][0]:
                falls[name] = (fall_m, point)
        fall_m = min(fall for fall, _ in falls.values())
        touched = sorted(name for name, (fall, _) in falls.items() if fall <= fall_m + SIMULTANEOUS_M)
        return Landing(fall_m, tuple(touched), tuple(falls[name][1] for name in touched))


def _measure_motion_m(before: Pose, after: Pose) -> float:
    return math.dist(before.position, after.position) + ARM_M * quat_angle(before.rotation, after.rotation)


class _Boxes:
    """The boxes of some pieces, with their outlines in plan."""

    def __init__(self, placed: Sequence[PlacedBoxes]) -> None:
        self.centres = centres = np.concatenate([boxes.centres for boxes in placed])
        self.axes = axes = np.concatenate([boxes.axes for boxes in placed])
        self.halves = halves = np.concatenate([boxes.halves for boxes in placed])
        self.corners = centres[:, None, :] + (_SIGNS * halves[:, None, :]) @ axes.transpose(0, 2, 1)
        self.low, self.high = self.corners.min(axis=1), self.corners.max(axis=1)
        self.spread = self.axes[:, :2, :] * self.halves[:, None, :]
        """Half edges in plan (n, 2, 3)."""
        longest = self.spread[np.arange(len(self.halves)), :, (self.spread**2).sum(axis=1).argmax(axis=1)]
        self.across = np.column_stack([-longest[:, 1], longest[:, 0]])
        """Vectors of any length perpendicular to the longest edge, in plan (n, 2)."""
        self.half_width = np.abs((self.across[:, :, None] * self.spread).sum(axis=1)).sum(axis=1)
        """Half the width along ``across``, times the length of ``across`` (n,)."""


Indices = npt.NDArray[np.intp]


def _find_pairs(above: _Boxes, below: _Boxes) -> tuple[Indices, Indices]:
    """Return the pairs (k,), (k,) that may lie above each other and overlap in plan."""
    (ax, ay, _), (bx, by, bz) = above.low.T[..., None], above.high.T[..., None]
    (cx, cy, cz), (dx, dy, _) = below.low.T, below.high.T
    i, j = np.nonzero((cx <= bx) & (dx >= ax) & (cy <= by) & (dy >= ay) & (cz < bz))
    over = ~(_are_beside(above, i, below, j) | _are_beside(below, j, above, i))
    return i[over], j[over]


def _are_beside(one: _Boxes, i: Indices, other: _Boxes, j: Indices) -> npt.NDArray[np.bool_]:
    across = one.across[i]
    distance = np.abs((across * (other.centres[j, :2] - one.centres[i, :2])).sum(axis=1))
    other_half_width = np.abs((across[:, :, None] * other.spread[j]).sum(axis=1)).sum(axis=1)
    return np.asarray(distance > one.half_width[i] + other_half_width)


def _find_falls(above: _Boxes, below: _Boxes) -> list[tuple[int, float, Vec3]]:
    """Return lower box, fall and point of pairs above each other, the pair with the minimum fall among them."""
    i, j = _find_pairs(above, below)
    min_fall_m = above.low[i, 2] - below.high[j, 2]
    order = np.argsort(min_fall_m, kind="stable")
    best, touches = MAX_FALL_M, []
    for start in range(0, order.size, _BATCH):
        batch = order[start : start + _BATCH]
        batch = batch[min_fall_m[batch] <= best + SIMULTANEOUS_M]
        if batch.size == 0:
            break
        falls_m, points = _measure_heights(above, i[batch], below, j[batch])
        for k in np.nonzero(np.isfinite(falls_m) & (falls_m >= -OVERLAP_M))[0]:
            fall = max(0.0, float(falls_m[k]))
            best = min(best, fall)
            x, y, z = points[k]
            touches.append((int(j[batch[k]]), fall, (float(x), float(y), float(z))))
    return touches


def _measure_heights(upper: _Boxes, i: Indices, lower: _Boxes, j: Indices) -> tuple[Array, Array]:
    """Return the minimum heights (k,) of boxes ``i`` above ``j``, infinite if not above, and points (k, 3) on ``j``."""
    corners_u, corners_l = upper.corners[i], lower.corners[j]
    _, top = _measure_spans(corners_u, lower.centres[j], lower.axes[j], lower.halves[j])
    bottom, _ = _measure_spans(corners_l, upper.centres[i], upper.axes[i], upper.halves[i])
    on_top = corners_u[:, :, 2] - top
    from_below = bottom - corners_l[:, :, 2]
    crossing, crossed = _measure_edge_heights(corners_u, corners_l)
    heights = np.concatenate([on_top, from_below, crossing], axis=1)
    points = np.concatenate([np.dstack([corners_u[:, :, :2], top]), corners_l, crossed], axis=1)
    heights = np.where(np.isnan(heights), np.inf, heights)
    best = heights.argmin(axis=1)
    rows = np.arange(best.size)
    return heights[rows, best], points[rows, best]


def _measure_spans(points: Array, centres: Array, axes: Array, halves: Array) -> tuple[Array, Array]:
    """Return the heights (k, p) between which the vertical line through a point (k, p, 3) is in its box, or NaN."""
    local = np.einsum("kpi,kij->kpj", points - centres[:, None, :], axes)
    rise = axes[:, 2, :][:, None, :]
    level = np.abs(rise) < _LANDING_PARALLEL
    steep = np.where(level, 1.0, rise)
    a, b = (-halves[:, None, :] - local) / steep, (halves[:, None, :] - local) / steep
    outside = level & (np.abs(local) > halves[:, None, :])
    low = np.where(level, -np.inf, np.minimum(a, b)).max(axis=2)
    high = np.where(level, np.inf, np.maximum(a, b)).min(axis=2)
    missed = outside.any(axis=2) | (low > high)
    height = points[:, :, 2]
    return np.where(missed, np.nan, height + low), np.where(missed, np.nan, height + high)


def _measure_edge_heights(corners_u: Array, corners_l: Array) -> tuple[Array, Array]:
    """Return the heights (k, 144) between edges that cross in plan, NaN for others, and points on the lower edge."""
    p, q = corners_u[:, BOX_EDGES[:, 0]], corners_l[:, BOX_EDGES[:, 0]]
    d, e = corners_u[:, BOX_EDGES[:, 1]] - p, corners_l[:, BOX_EDGES[:, 1]] - q
    rx = q[:, None, :, 0] - p[:, :, None, 0]
    ry = q[:, None, :, 1] - p[:, :, None, 1]
    dx, dy = d[:, :, None, 0], d[:, :, None, 1]
    ex, ey = e[:, None, :, 0], e[:, None, :, 1]
    cross = dx * ey - dy * ex
    crosses = np.abs(cross) > _LANDING_PARALLEL
    divisor = np.where(crosses, cross, 1.0)
    s, t = (rx * ey - ry * ex) / divisor, (rx * dy - ry * dx) / divisor
    inside = crosses & (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0)
    z_upper = p[:, :, None, 2] + s * d[:, :, None, 2]
    places = q[:, None, :, :] + t[..., None] * e[:, None, :, :]
    heights = np.where(inside, z_upper - places[..., 2], np.nan)
    count = corners_u.shape[0]
    return heights.reshape(count, -1), places.reshape(count, -1, 3)
