"""Draws candidate places: plates, hooks, hanging, leaning, propped and flat ladders.

A plate is a nearly flat ladder that rests on points of the structure like a tray. For a yaw and a middle, every
crossing of wood in plan requires a minimum height. The ladder rests in the plane that meets these requirements and is
lowest at its middle. This linear programme in three unknowns is solved for hundreds of ladders at once by the dual
simplex method.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array, mat_from_quat, quat_from_axis_angle, quat_from_matrix, quat_multiply, vec3
from armoon.placement import values
from armoon.placement.rehearsal import Rehearsal
from armoon.placement.structure import HOOK_DEPTH_M, HOOK_SINE, IntArray, StructureModel, Wood
from armoon.values.pieces import Ladder
from armoon.values.places import LadderPlace, PlaceKind, Requirement
from armoon.values.poses import IDENTITY_POSE, Pose, Quat
from armoon.world.exact import PlacedBoxes

#: Maximum slope of a plate. Wood slides at 21.8 degrees, and a slightly misplaced plate must not slide.
MAX_SLOPE = math.tan(math.radians(15.0))
#: Minimum distance of the middle from the supporting triangle's edge, and distance beyond which worth stays equal; m.
MIN_MARGIN_M, AMPLE_MARGIN_M = 0.0012, 0.008
#: Maximum gap to wood below that counts as touched, and minimum gap to other wood, because supports sag; metres.
TOUCHED_M, CLEAR_M = 0.0004, 0.0013
#: Height by which a plate that must be the highest has to exceed the structure, metres.
LEAD_M = 0.002
#: Minimum distance of two supports, in metres, and maximum distance, as a share of the ladder's length.
MIN_SPAN_M, MAX_SPAN_SHARE = 0.008, 0.95
#: Number of ladders processed at once; more wouldn't fit into the processor's cache.
BATCH = 200
#: Maximum number of steps from triangle to triangle; nearly all ladders need fewer than ten.
MAX_STEPS = 24
#: Distance of the artificial first triangle's corners from the origin (beyond any ladder) and their height (far below).
_CORNER_M, _CORNER_HEIGHT_M = 1.2, -10.0


@dataclass(frozen=True)
class _PlateHeights:
    """Minimum heights (n, p) of the plates' planes at points relative to their middles, and the supporting ladders."""

    x: Array
    y: Array
    height: Array
    owner: IntArray


@dataclass(frozen=True)
class _PlateBatch:
    """Ladders to lay down: middles, directions of length and of width in plan (n, 2 each), and the upper faces (n,)."""

    middle: Array
    along: Array
    across: Array
    side: Array

    def select_rows(self, rows: slice) -> _PlateBatch:
        return _PlateBatch(self.middle[rows], self.along[rows], self.across[rows], self.side[rows])


def draw_plates(
    wood: Wood,
    ladder: Ladder,
    wanted: Requirement,
    rng: np.random.Generator,
    count: int,
    yaws: Array | None = None,
) -> list[values.Candidate]:
    """Draw up to ``count`` balanced plates that meet the requirement, best first. ``yaws``: allowed yaws; None: all."""
    batch = _draw_batch(wood, ladder, wanted, rng, count, yaws)
    candidates: list[values.Candidate] = []
    for first in range(0, len(batch.middle), BATCH):
        candidates += _find_resting(wood, ladder, wanted, batch.select_rows(slice(first, first + BATCH)))
    return sorted(candidates, key=lambda candidate: -candidate.worth)


def _draw_batch(
    wood: Wood, ladder: Ladder, wanted: Requirement, rng: np.random.Generator, count: int, yaws: Array | None
) -> _PlateBatch:
    (point, a), (other_point, b) = wood.draw_points(rng, count), wood.draw_points(rng, count)
    offset = other_point - point
    level_m = np.hypot(offset[:, 0], offset[:, 1])
    fits = (level_m > MIN_SPAN_M) & (level_m < MAX_SPAN_SHARE * ladder.length_m)
    fits &= np.abs(offset[:, 2]) < MAX_SLOPE * level_m
    if wanted.most == 1:
        fits &= wood.owner[a] == wood.owner[b]
    elif wanted.least > 1:
        fits &= wood.owner[a] != wood.owner[b]
    point, offset = point[fits], offset[fits]
    n = len(point)
    middle = (point + offset * rng.uniform(0.25, 0.75, (n, 1)))[:, :2] + rng.normal(0.0, 0.006, (n, 2))
    if yaws is None:
        yaw = np.arctan2(offset[:, 1], offset[:, 0]) + rng.normal(0.0, 0.25, n)
        yaw += rng.choice([0.0, 0.0, 0.0, 0.5], n) * math.pi + rng.choice([0.0, math.pi], n)
    else:
        yaw = rng.choice(yaws, n) if len(yaws) else np.zeros(n)
        middle = middle[: n if len(yaws) else 0]
        yaw = yaw[: len(middle)]
        n = len(middle)
    side = rng.choice([-1.0, 1.0], n)
    along = np.stack([np.cos(yaw), np.sin(yaw)], axis=1)
    across = side[:, None] * np.stack([-along[:, 1], along[:, 0]], axis=1)
    return _PlateBatch(middle, along, across, side)


def _find_resting(
    wood: Wood, ladder: Ladder, wanted: Requirement, batch: _PlateBatch
) -> list[values.Candidate]:
    own = PlacedBoxes(ladder.boxes, IDENTITY_POSE)
    heights = _find_crossings(wood, own, batch)
    corner, share, plane = _find_supports(heights)
    rows = np.arange(len(corner))[:, None]
    slack = plane[:, :1] + plane[:, 1:2] * heights.x + plane[:, 2:] * heights.y - heights.height
    tilt = np.hypot(plane[:, 1], plane[:, 2])
    margin = _measure_margin(heights.x[rows, corner], heights.y[rows, corner])
    is_stable = (heights.owner[rows, corner] >= 0).all(axis=1) & (tilt < MAX_SLOPE) & (margin > MIN_MARGIN_M)
    points = own.corners().reshape(-1, 3)
    candidates = []
    for row in np.flatnonzero(is_stable):
        owners, gaps = heights.owner[row], slack[row]
        touched = np.unique(owners[(gaps < TOUCHED_M) & (owners >= 0)])
        near = np.unique(owners[(gaps < CLEAR_M) & (owners >= 0)])
        if len(near) != len(touched) or not wanted.is_met_by(len(touched), highest=True):
            continue
        level, east, north = plane[row]
        flat_points = points[:, :1] * batch.across[row] + points[:, 2:] * batch.along[row]
        top = level + float((flat_points @ (east, north)).max()) + float(points[:, 1].max())
        if wanted.highest and top < wood.top_m + LEAD_M:
            continue
        other_gaps = gaps[~np.isin(owners, touched) & (owners >= 0)]
        worth = min(margin[row], AMPLE_MARGIN_M) + 0.5 * min(0.006, float(other_gaps.min(initial=0.006)))
        worth -= 0.01 * tilt[row]
        if wanted.highest:
            worth += 0.3 * min(0.01, top - wood.top_m - LEAD_M)
        pose = _make_pose(batch, int(row), plane[row])
        load = tuple(
            (
                wood.names[owners[k]],
                np.array(
                    [
                        batch.middle[row, 0] + heights.x[row, k],
                        batch.middle[row, 1] + heights.y[row, k],
                        heights.height[row, k],
                    ]
                ),
                float(load_share),
            )
            for k, load_share in zip(corner[row], share[row], strict=True)
        )
        candidates.append(values.Candidate("plate", pose, float(worth), load))
    return candidates


def _make_pose(batch: _PlateBatch, row: int, plane: Array) -> Pose:
    """Return the ladder's pose in that plane: width along x, face up or down along y, length along z."""
    level, east, north = plane
    up = np.array([-east, -north, 1.0]) / math.sqrt(1.0 + east * east + north * north)
    length = np.append(batch.along[row], batch.along[row] @ (east, north))
    length /= np.linalg.norm(length)
    face = up * batch.side[row]
    matrix = np.stack([np.cross(face, length), face, length], axis=1)
    x, y = batch.middle[row]
    return Pose((float(x), float(y), float(level)), quat_from_matrix(matrix))


def _find_crossings(wood: Wood, own: PlacedBoxes, batch: _PlateBatch) -> _PlateHeights:
    """Find where the ladders' wood (n, k) crosses the structure's (m) in plan, and free ends under it."""
    n = len(batch.middle)
    centre = _project_to_plan(own.centres, batch)
    direction = _project_to_plan(own.axes[:, :, 2], batch)
    # centre + t direction meets start + s span, for |t| up to the half length and s from 0 to 1.
    offset = (wood.start[None, :, :2] - batch.middle[:, None, :])[:, None] - centre[
        :, :, None
    ]  # (n, k, m, 2)
    span = wood.span[None, None, :, :2]
    det = direction[:, :, None, 1] * span[..., 0] - direction[:, :, None, 0] * span[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (offset[..., 1] * span[..., 0] - offset[..., 0] * span[..., 1]) / det
        s = (direction[:, :, None, 0] * offset[..., 1] - direction[:, :, None, 1] * offset[..., 0]) / det
        crossing = (np.abs(t) <= own.halves[None, :, None, 2]) & (s >= 0.0) & (s <= 1.0)
    i, k, m = np.argwhere(crossing).T
    t, s = t[i, k, m], s[i, k, m]
    points = centre[i, k] + t[:, None] * direction[i, k]
    height = wood.start[m, 2] + s * wood.span[m, 2] + _measure_lift(wood, own, direction[i, k], k, m)
    # On nearly upright wood a ladder can lie only on the upper end.
    level = np.hypot(wood.directions[m, 0], wood.directions[m, 1])
    height = np.minimum(height, wood.upper[m] + own.halves[k, 1] + level * wood.halves[m, 0])
    ends = _find_ends_below(wood, own, batch, centre, direction)
    i, owner = np.concatenate([i, ends[0]]), np.concatenate([wood.owner[m], ends[1]])
    points, height = np.concatenate([points, ends[2]]), np.concatenate([height, ends[3]])
    return _make_table(n, i, points, height, owner)


def _project_to_plan(vectors: Array, batch: _PlateBatch) -> Array:
    """Project vectors (k, 3) of the ladder's frame onto the table for every ladder of the batch (n, k, 2)."""
    across = np.multiply(vectors[None, :, :1], batch.across[:, None, :])
    return np.asarray(across + np.multiply(vectors[None, :, 2:], batch.along[:, None, :]), np.float64)


def _measure_lift(wood: Wood, own: PlacedBoxes, direction: Array, k: IntArray, m: IntArray) -> Array:
    """Return the vertical distance (c,) between the axes of crossing pieces that touch."""
    level = np.concatenate([direction, np.zeros((len(direction), 1))], axis=1)
    normal = np.cross(level, wood.directions[m])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-9)[:, None]
    vertical = np.maximum(np.abs(normal[:, 2]), 0.05)
    reach = np.hypot(normal[:, 0], normal[:, 1]) * own.halves[k, 0] + vertical * own.halves[k, 1]
    for axis in (0, 1):
        reach += np.abs((normal * wood.axes[m, :, axis]).sum(axis=1)) * wood.halves[m, axis]
    return np.asarray(reach / vertical)


def _find_ends_below(
    wood: Wood, own: PlacedBoxes, batch: _PlateBatch, centre: Array, direction: Array
) -> tuple[IntArray, IntArray, Array, Array]:
    """Find rail ends that point up right under the ladders' wood: row, owner, point in plan, minimum height."""
    up = np.flatnonzero(wood.end_directions[:, 2] > 0.3)
    end_points = wood.ends[None, up, :2] - batch.middle[:, None, :]  # (n, e, 2)
    offset = end_points[:, None] - centre[:, :, None]
    t = (offset * direction[:, :, None]).sum(axis=-1)
    aside_m = offset[..., 1] * direction[:, :, None, 0] - offset[..., 0] * direction[:, :, None, 1]
    covers = (np.abs(t) <= own.halves[None, :, None, 2]) & (
        np.abs(aside_m) <= own.halves[None, :, None, 0] + 0.001
    )
    i, k, e = np.argwhere(covers).T
    lean = np.sqrt(np.maximum(0.0, 1.0 - wood.end_directions[up[e], 2] ** 2))
    height = wood.ends[up[e], 2] + lean * 0.002 + own.halves[k, 1]
    return i, wood.end_owner[up[e]], end_points[i, e], height


def _make_table(n: int, row: IntArray, points: Array, height: Array, owner: IntArray) -> _PlateHeights:
    order = np.argsort(row, kind="stable")
    row = row[order]
    count = np.bincount(row, minlength=n)
    column = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + 3
    width = int(count.max(initial=0)) + 3
    x, y = np.zeros((n, width)), np.zeros((n, width))
    heights, owners = np.full((n, width), -np.inf), np.full((n, width), -1, np.int64)
    x[:, :3] = (0.0, _CORNER_M, -_CORNER_M)
    y[:, :3] = (_CORNER_M, -0.5 * _CORNER_M, -0.5 * _CORNER_M)
    heights[:, :3] = _CORNER_HEIGHT_M
    x[row, column], y[row, column] = points[order].T
    heights[row, column], owners[row, column] = height[order], owner[order]
    return _PlateHeights(x, y, heights, owners)


def _find_supports(heights: _PlateHeights) -> tuple[IntArray, Array, Array]:
    """Return the supports' columns (n, 3), the share of the weight on each, and the planes a + b x + c y (n, 3)."""
    n = len(heights.x)
    corner = np.tile(np.arange(3), (n, 1))
    open_rows = np.arange(n)
    for _ in range(MAX_STEPS):
        plane = _fit_planes(heights, open_rows, corner[open_rows])
        slack = plane[:, :1] + plane[:, 1:2] * heights.x[open_rows] + plane[:, 2:] * heights.y[open_rows]
        slack -= heights.height[open_rows]
        worst = slack.argmin(axis=1)
        above = slack[np.arange(len(open_rows)), worst] < -1e-7
        open_rows, worst = open_rows[above], worst[above]
        if not len(open_rows):
            break
        # The new support replaces the one without which the middle stays inside the triangle.
        best = np.full(len(open_rows), -np.inf)
        chosen = corner[open_rows].copy()
        for position in range(3):
            tried = corner[open_rows].copy()
            tried[:, position] = worst
            inside = _share_weight(heights, open_rows, tried).min(axis=1)
            better = inside > best
            best[better], chosen[better] = inside[better], tried[better]
        corner[open_rows] = chosen
    rows = np.arange(n)
    return corner, _share_weight(heights, rows, corner), _fit_planes(heights, rows, corner)


def _fit_planes(heights: _PlateHeights, rows: IntArray, corner: IntArray) -> Array:
    row_index = rows[:, None]
    x, y, h = heights.x[row_index, corner], heights.y[row_index, corner], heights.height[row_index, corner]
    dx1, dy1, dh1 = x[:, 1] - x[:, 0], y[:, 1] - y[:, 0], h[:, 1] - h[:, 0]
    dx2, dy2, dh2 = x[:, 2] - x[:, 0], y[:, 2] - y[:, 0], h[:, 2] - h[:, 0]
    det = dx1 * dy2 - dx2 * dy1
    det = np.where(np.abs(det) < 1e-12, 1e-12, det)
    east, north = (dh1 * dy2 - dh2 * dy1) / det, (dx1 * dh2 - dx2 * dh1) / det
    return np.stack([h[:, 0] - east * x[:, 0] - north * y[:, 0], east, north], axis=1)


def _share_weight(heights: _PlateHeights, rows: IntArray, corner: IntArray) -> Array:
    """Return the share of a weight in the middle on each corner (r, 3): negative if the middle is outside."""
    row_index = rows[:, None]
    x, y = heights.x[row_index, corner], heights.y[row_index, corner]
    x1, y1 = np.roll(x, -1, axis=1), np.roll(y, -1, axis=1)
    x2, y2 = np.roll(x, -2, axis=1), np.roll(y, -2, axis=1)
    area = x1 * y2 - x2 * y1
    total = area.sum(axis=1, keepdims=True)
    return np.asarray(area / np.where(np.abs(total) < 1e-12, 1e-12, total))


def _measure_margin(x: Array, y: Array) -> Array:
    """Return the distance of the middle inside each triangle (n, 3), in metres; negative outside."""
    dx, dy = np.roll(x, -1, axis=1) - x, np.roll(y, -1, axis=1) - y
    orientation = np.sign(dx[:, 0] * dy[:, 1] - dx[:, 1] * dy[:, 0])[:, None]
    return np.asarray((orientation * (dy * x - dx * y) / np.maximum(np.hypot(dx, dy), 1e-9)).min(axis=1))


#: Range of the angle between a hooked ladder's normal and the rail end's direction.
MIN_LEAN_RAD, MAX_LEAN_RAD = math.radians(5.0), math.radians(55.0)
#: Range of a leaning ladder's angle above the horizontal.
MIN_RISE_RAD, MAX_RISE_RAD = math.radians(15.0), math.radians(85.0)
#: Standard deviation of a flat ladder's tilt, and the share of flat ladders with the middle over wood.
TILT_RAD, BALANCED_SHARE = math.radians(5.0), 0.6
#: Minimum sine of the upward angle of an end to hang a ladder on; standard deviation of the tangent of the face's tilt.
HANG_SINE, HANG_TILT = 0.15, 0.25
#: Propped ladders: minimum distance of the two supporting points (m), maximum distance (share of the ladder's length),
#: minimum and maximum sine of their slope, and number of pairs drawn for each ladder.
MIN_PROP_SPAN_M, MAX_PROP_SPAN, MIN_PROP_SINE, MAX_PROP_SINE, PAIRS = 0.015, 0.9, 0.34, 0.95, 12
#: Height of starting poses above everything, metres.
START_CLEARANCE_M = 0.1


def draw_hooks(
    wood: Wood, ladder: Ladder, attitudes: values.Attitudes, rng: np.random.Generator, count: int
) -> list[values.Candidate]:
    """Draw ``count`` ladders with an opening over an end that points up; none if no end does."""
    ends, openings = np.flatnonzero(wood.end_directions[:, 2] > HOOK_SINE), _find_openings(ladder)
    if not len(ends) or not openings:
        return []
    candidates = []
    for end in rng.choice(ends, count, p=_weigh_ends(wood, ends)):
        rotation = attitudes.draw(rng)
        if rotation is None:
            lean = math.tan(rng.uniform(MIN_LEAN_RAD, MAX_LEAN_RAD))
            face = wood.end_directions[end] + lean * _draw_perpendicular(wood.end_directions[end], rng)
            rotation = _draw_facing(face * rng.choice([-1.0, 1.0]), rng)
        opening = openings[int(rng.integers(len(openings)))] + rng.normal(0.0, 0.002, 3) * (1.0, 0.0, 1.0)
        candidates.append(_place_over("hook", wood, wood.ends[end], opening, rotation))
    return candidates


def draw_hangs(
    wood: Wood, ladder: Ladder, attitudes: values.Attitudes, rng: np.random.Generator, count: int
) -> list[values.Candidate]:
    """Draw ``count`` nearly upright ladders with one of the upper openings over an end."""
    ends, openings = np.flatnonzero(wood.end_directions[:, 2] > HANG_SINE), _find_openings(ladder)
    if not len(ends) or not openings:
        return []
    candidates = []
    for end in rng.choice(ends, count, p=_weigh_ends(wood, ends)):
        direction = wood.end_directions[end] * (1.0, 1.0, 0.0) + rng.normal(0.0, 0.05, 3)
        rotation = attitudes.draw(rng)
        if rotation is None:
            face = direction / np.linalg.norm(direction) + (0.0, 0.0, rng.normal(0.0, HANG_TILT))
            rotation = _draw_along(face, np.array((0.0, 0.0, 1.0)), rng)
        matrix = mat_from_quat(rotation)
        upper = sorted(openings, key=lambda opening: -float((matrix @ opening)[2]))[:2]
        opening = upper[int(rng.integers(len(upper)))] + rng.normal(0.0, 0.003, 3) * (1.0, 0.0, 1.0)
        candidates.append(_place_over("hang", wood, wood.ends[end], opening, rotation))
    return candidates


def draw_props(
    wood: Wood, ladder: Ladder, attitudes: values.Attitudes, rng: np.random.Generator, count: int
) -> list[values.Candidate]:
    """Draw up to ``count`` steep ladders over two points of wood, with a rung just above the upper one."""
    (point, a), (other_point, b) = wood.draw_points(rng, PAIRS * count), wood.draw_points(rng, PAIRS * count)
    low = (point[:, 2] < other_point[:, 2])[:, None]
    lower, upper = np.where(low, point, other_point), np.where(low, other_point, point)
    rise, span = (upper - lower)[:, 2], np.linalg.norm(upper - lower, axis=1)
    fits = (a != b) & (span < MAX_PROP_SPAN * ladder.length_m) & (span > MIN_PROP_SPAN_M)
    fits &= (rise > MIN_PROP_SINE * span) & (rise < MAX_PROP_SINE * span)
    candidates = []
    for row in np.flatnonzero(fits)[:count]:
        axis = (upper - lower)[row] / span[row]
        rotation = attitudes.draw(rng)
        if rotation is None:
            face = np.array((0.0, 0.0, 1.0)) - axis * axis[2] + rng.normal(0.0, 0.1, 3)
            rotation = _draw_along(face, axis, rng)
        matrix = mat_from_quat(rotation)
        rungs = np.asarray(ladder.rungs).mean(axis=1)
        below = rungs[(rungs[:, 2] * matrix[2, 2] > span[row] - 0.5 * ladder.length_m)]
        rung = (below if len(below) else rungs)[int(rng.integers(len(below) or len(rungs)))]
        target = upper[row] + axis * rng.uniform(0.001, 0.006)
        candidates.append(
            _place_over("prop", wood, target, rung + rng.normal(0.0, 0.004, 3) * (1.0, 0.0, 0.0), rotation)
        )
    return candidates


def draw_leans(
    wood: Wood, ladder: Ladder, attitudes: values.Attitudes, rng: np.random.Generator, count: int
) -> list[values.Candidate]:
    """Draw ``count`` rising ladders with a random point over a random point of wood."""
    return [
        _place_over("lean", wood, target, _draw_point(ladder, rng), attitudes.draw(rng) or _draw_rising(rng))
        for target in wood.draw_points(rng, count)[0]
    ]


def draw_flats(
    wood: Wood, ladder: Ladder, attitudes: values.Attitudes, rng: np.random.Generator, count: int
) -> list[values.Candidate]:
    """Draw ``count`` nearly level ladders, mostly with the middle over wood."""
    candidates = []
    for target in wood.draw_points(rng, count)[0]:
        point = np.zeros(3) if rng.random() < BALANCED_SHARE else _draw_point(ladder, rng)
        candidates.append(_place_over("flat", wood, target, point, attitudes.draw(rng) or _draw_level(rng)))
    return candidates


def _weigh_ends(wood: Wood, ends: IntArray) -> Array:
    """Return the probabilities of drawing these ends, mostly high and firm ones."""
    weights = wood.end_firmness[ends] * np.exp((wood.ends[ends, 2] - wood.top_m) / HOOK_DEPTH_M)
    return np.asarray(weights / weights.sum())


def _find_openings(ladder: Ladder) -> list[Array]:
    return [np.mean([*lower, *upper], axis=0) for lower, upper in itertools.pairwise(ladder.rungs)]


def _draw_point(ladder: Ladder, rng: np.random.Generator) -> Array:
    box = ladder.boxes[int(rng.integers(len(ladder.boxes)))]
    axis = mat_from_quat(box.rotation)[:, 2]
    return np.asarray(np.asarray(box.centre) + axis * box.half_extents[2] * rng.uniform(-1.0, 1.0))


def _place_over(family: str, wood: Wood, target: Array, point: Array, rotation: Quat) -> values.Candidate:
    x, y, _ = target - mat_from_quat(rotation) @ point
    return values.Candidate(family, Pose((float(x), float(y), wood.top_m + START_CLEARANCE_M), rotation), 0.0)


def _draw_rising(rng: np.random.Generator) -> Quat:
    rise = rng.uniform(MIN_RISE_RAD, MAX_RISE_RAD)
    rotation = quat_from_axis_angle((0.0, 0.0, 1.0), rng.normal(0.0, 0.25))
    tilt = rng.choice([-1.0, 1.0]) * (0.5 * math.pi - rise)
    rotation = quat_multiply(quat_from_axis_angle((1.0, 0.0, 0.0), tilt), rotation)
    return quat_multiply(quat_from_axis_angle((0.0, 0.0, 1.0), rng.uniform(-math.pi, math.pi)), rotation)


def _draw_level(rng: np.random.Generator) -> Quat:
    tilt = quat_from_axis_angle((1.0, 0.0, 0.0), 0.5 * math.pi + rng.normal(0.0, TILT_RAD))
    return quat_multiply(quat_from_axis_angle((0.0, 0.0, 1.0), rng.uniform(-math.pi, math.pi)), tilt)


def _draw_perpendicular(axis: Array, rng: np.random.Generator) -> Array:
    vector = np.cross(axis, rng.normal(size=3))
    return np.asarray(vector / np.linalg.norm(vector))


def _draw_along(face: Array, axis: Array, rng: np.random.Generator) -> Quat:
    """Draw a rotation with this face and the long axis roughly along ``axis``, either end up, either side."""
    y = face / np.linalg.norm(face)
    z = axis - y * (axis @ y) + _draw_perpendicular(y, rng) * rng.normal(0.0, 0.15)
    z *= rng.choice([-1.0, 1.0]) / np.linalg.norm(z)
    y *= rng.choice([-1.0, 1.0])
    return quat_from_matrix(np.stack([np.cross(y, z), y, z], axis=1))


def _draw_facing(face: Array, rng: np.random.Generator) -> Quat:
    y = face / np.linalg.norm(face)
    z = _draw_perpendicular(y, rng)
    return quat_from_matrix(np.stack([np.cross(y, z), y, z], axis=1))


#: Functions that draw candidates, and the kind of place that mostly results.
SAMPLERS = {
    draw_hooks: PlaceKind.HOOK,
    draw_hangs: PlaceKind.HOOK,
    draw_leans: PlaceKind.LEAN,
    draw_props: PlaceKind.LEAN,
}
#: Prior number of draws from each function, one of them successful.
PRIOR_TRIES = 8.0
#: Share of tries close to earlier successes.
NEARBY_SHARE = 0.65
#: Standard deviations of the offset and rotation of such a try, and of the logarithm of their scale.
NEARBY_M, NEARBY_RAD, NEARBY_SPREAD = 0.004, 0.12, 0.6
#: Frozen tries for each free drop; worth of an outcome that meets the requirement; factor for a flat ladder.
FROZEN_TRIES, MET_WORTH, FLAT_DISCOUNT = 6, 0.6, 0.3


@dataclass
class TrialSource:
    """An earlier success, or a function that draws candidates."""

    pose: Pose | None
    kind: PlaceKind
    """The kind of place, or the usual one from this function."""
    worth: float
    """Value of similar tries, from 0 to 1 or more."""
    tries: float = 0.0
    wins: float = 0.0
    """Number of tries from here that were at least as good."""

    @property
    def expected_worth(self) -> float:
        return self.worth * (self.wins + 1.0) / (self.tries + 2.0)


class TrialSampler:
    """Draws hanging and leaning ladders in one search, mostly near earlier successes."""

    def __init__(
        self,
        model: StructureModel,
        ladder: Ladder,
        question: values.Question,
        attitudes: values.Attitudes,
        rng: np.random.Generator,
    ) -> None:
        self._model, self._wood, self._ladder = model, model.wood, ladder
        self._question, self._attitudes, self._rng = question, attitudes, rng
        tries = PRIOR_TRIES - 2.0
        self._samplers = {draw: TrialSource(None, kind, 1.0, tries) for draw, kind in SAMPLERS.items()}
        self._good = dict.fromkeys(PlaceKind, 0)
        """Number of known good places by kind; rarer kinds are tried more."""
        self._found_sources: list[TrialSource] = []

    def try_next(self) -> Generator[None, None, tuple[TrialSource, Pose, values.ReleaseOutcome] | None]:
        """Drop the best of a few frozen tries with everything free; return its source, release and outcome, if any."""
        best: tuple[float, TrialSource, Pose] | None = None
        for _ in range(FROZEN_TRIES):
            source, start = self._draw_start()
            result = None if start is None else self._release(start, self._model.frozen)
            if result is not None and (best is None or self._rate(result[1]) > best[0]):
                best = self._rate(result[1]), source, result[0]
            yield None
            if best is not None and best[0] >= MET_WORTH:
                break
        if best is None:
            return None
        _, origin, release = best
        result = self._release(lift_over(release, self._wood), self._model.free)
        if result is None or result[1].turned_rad > self._attitudes.max_turn_rad:
            return None
        worth = self._rate(result[1])
        origin.wins += 1.0 if origin.pose is None else float(worth >= origin.worth)
        source = TrialSource(result[1].pose, origin.kind, worth)
        self._found_sources.append(source)
        return source, *result

    def record_place(self, source: TrialSource, place: LadderPlace) -> None:
        """Update a source from its tested place: safer places, and higher ones if height counts, are worth more."""
        weights, worth = self._question.weights, 0.5 + 0.5 * place.safety
        if values.is_good(place):
            worth += max(
                0.0,
                weights.height * place.reach_m / values.REACH_M
                + weights.rise * place.rise_deg / values.RISE_DEG,
            )
        source.kind = place.kind
        self._good[place.kind] += values.is_good(place)
        source.worth = worth * (FLAT_DISCOUNT if place.kind is PlaceKind.PLATE else 1.0)

    def _release(self, start: Pose, engine: Rehearsal) -> tuple[Pose, values.ReleaseOutcome] | None:
        """Lower and release a ladder; if it turned, repeat this from its attitude at rest. None unless it held."""
        result: tuple[Pose, values.ReleaseOutcome] | None = None
        for _ in range(2):
            release = self._model.frozen.lower(start, None)
            outcome = None if release is None else engine.drop(release)
            if release is None or outcome is None or not outcome.held:
                break
            result, rest = (release, outcome), outcome.pose
            if outcome.turned_rad <= values.RETRY_TURN_RAD:
                break
            start = lift_over(Pose(rest.position, self._attitudes.find_nearest(rest.rotation)), self._wood)
        return result

    def _rate(self, outcome: values.ReleaseOutcome) -> float:
        shortfall = outcome.count_shortfall(self._question.wanted)
        return 0.5 * MET_WORTH / (1.0 + shortfall) if shortfall else MET_WORTH

    def _draw_start(self) -> tuple[TrialSource, Pose | None]:
        """Draw a source and a starting pose above everything; None if the source has no candidate."""
        if self._found_sources and self._rng.random() < NEARBY_SHARE:
            source = self._choose(self._found_sources)
            start: Pose | None = self._draw_near(source)
        else:
            source = self._choose(list(self._samplers.values()))
            draw = next(draw for draw, other in self._samplers.items() if other is source)
            drawn = draw(self._wood, self._ladder, self._attitudes, self._rng, 1)
            start = drawn[0].pose if drawn else None
        source.tries += 1.0
        return source, start

    def _choose(self, sources: list[TrialSource]) -> TrialSource:
        worths = [source.expected_worth / (1.0 + self._good[source.kind]) for source in sources]
        weights = np.array(worths) ** 2
        return sources[int(self._rng.choice(len(sources), p=weights / weights.sum()))]

    def _draw_near(self, source: TrialSource) -> Pose:
        assert source.pose is not None
        rng = self._rng
        scale = float(np.exp(rng.normal(0.0, NEARBY_SPREAD)))
        change = quat_from_axis_angle(rng.normal(size=3), float(rng.normal(0.0, scale * NEARBY_RAD)))
        rotation = self._attitudes.find_nearest(quat_multiply(change, source.pose.rotation))
        return lift_over(Pose(vec3(rng.normal(source.pose.position, scale * NEARBY_M)), rotation), self._wood)


def lift_over(pose: Pose, wood: Wood) -> Pose:
    x, y, _ = pose.position
    return Pose((x, y, wood.top_m + START_CLEARANCE_M), pose.rotation)
