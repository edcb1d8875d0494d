"""Plates: a nearly flat ladder that rests on points of the structure as a tray does.

For a yaw and a middle, every crossing of wood in plan requires a minimum height there. The ladder rests in the lowest
plane over its middle that respects all: a linear programme in three unknowns, solved for hundreds of ladders at once
by the dual simplex method, from triangle to triangle of supports around the middle.
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
from armoon.placement.structure import DEPTH_M, UP, Ints, Known, Wood
from armoon.values.pieces import Ladder
from armoon.values.places import Demand, LadderPlace, PlaceKind
from armoon.values.poses import IDENTITY_POSE, Pose, Quat
from armoon.world.exact import PlacedBoxes

#: Wood slides at a slope of 21.8 degrees; a plate that slips a little must stay below.
STEEPEST = math.tan(math.radians(15.0))
#: Minimum distance of the middle inside its supports; a greater one is worth more, up to the second.
LEAST_MARGIN_M, AMPLE_MARGIN_M = 0.0012, 0.008
#: Wood this near under the plate is touched; other wood must be this far off, for supports sag.
TOUCHED_M, CLEAR_M = 0.0004, 0.0013
#: How much higher than everything a plate must be that has to be the highest.
LEAD_M = 0.002
#: Two supports are at least this far apart, and at most this share of the ladder's length.
NEAREST_M, FARTHEST = 0.008, 0.95
#: Number of ladders processed at once: more wouldn't stay in the processor's cache.
AT_ONCE = 200
#: Maximum number of steps from triangle to triangle; nearly all need fewer than ten.
MOST_STEPS = 24
#: Where the first triangle, of no wood, lies: farther out than any ladder, far below.
_FAR_M, _LOW_M = 1.2, -10.0


@dataclass(frozen=True)
class _PlateHeights:
    """Least heights (n, p) of the plate's plane at places (n, p) from its middle, and whose wood asks them."""

    x: Array
    y: Array
    height: Array
    owner: Ints


@dataclass(frozen=True)
class _Laid:
    """Ladders to be laid: middles (n, 2), directions of their length and width in plan (n, 2), which face is up."""

    middle: Array
    along: Array
    across: Array
    side: Array

    def part(self, rows: slice) -> _Laid:
        return _Laid(self.middle[rows], self.along[rows], self.across[rows], self.side[rows])


def plates(
    wood: Wood,
    ladder: Ladder,
    wanted: Demand,
    rng: np.random.Generator,
    count: int,
    yaws: Array | None = None,
) -> list[values.Candidate]:
    """Up to ``count`` plates that balance and touch as wanted; best first. ``yaws``: it may lie only so."""
    laid = _draw(wood, ladder, wanted, rng, count, yaws)
    found: list[values.Candidate] = []
    for first in range(0, len(laid.middle), AT_ONCE):
        found += _settle(wood, ladder, wanted, laid.part(slice(first, first + AT_ONCE)))
    return sorted(found, key=lambda candidate: -candidate.worth)


def _draw(
    wood: Wood, ladder: Ladder, wanted: Demand, rng: np.random.Generator, count: int, yaws: Array | None
) -> _Laid:
    """Ladders over two random points of wood that are about level."""
    (one, a), (other, b) = wood.draw(rng, count), wood.draw(rng, count)
    between = other - one
    flat = np.hypot(between[:, 0], between[:, 1])
    fits = (flat > NEAREST_M) & (flat < FARTHEST * ladder.length_m)
    fits &= np.abs(between[:, 2]) < STEEPEST * flat
    if wanted.most == 1:
        fits &= wood.owner[a] == wood.owner[b]
    elif wanted.least > 1:
        fits &= wood.owner[a] != wood.owner[b]
    one, between = one[fits], between[fits]
    n = len(one)
    middle = (one + between * rng.uniform(0.25, 0.75, (n, 1)))[:, :2] + rng.normal(0.0, 0.006, (n, 2))
    if yaws is None:
        yaw = np.arctan2(between[:, 1], between[:, 0]) + rng.normal(0.0, 0.25, n)
        yaw += rng.choice([0.0, 0.0, 0.0, 0.5], n) * math.pi + rng.choice([0.0, math.pi], n)
    else:
        yaw = rng.choice(yaws, n) if len(yaws) else np.zeros(n)
        middle = middle[: n if len(yaws) else 0]
        yaw = yaw[: len(middle)]
        n = len(middle)
    side = rng.choice([-1.0, 1.0], n)
    along = np.stack([np.cos(yaw), np.sin(yaw)], axis=1)
    across = side[:, None] * np.stack([-along[:, 1], along[:, 0]], axis=1)
    return _Laid(middle, along, across, side)


def _settle(wood: Wood, ladder: Ladder, wanted: Demand, laid: _Laid) -> list[values.Candidate]:
    """Those that come to rest as wanted."""
    own = PlacedBoxes(ladder.boxes, IDENTITY_POSE)
    asked = _asked(wood, own, laid)
    corner, share, plane = _rest(asked)
    rows = np.arange(len(corner))[:, None]
    slack = plane[:, :1] + plane[:, 1:2] * asked.x + plane[:, 2:] * asked.y - asked.height
    tilt = np.hypot(plane[:, 1], plane[:, 2])
    margin = _margin(asked.x[rows, corner], asked.y[rows, corner])
    good = (asked.owner[rows, corner] >= 0).all(axis=1) & (tilt < STEEPEST) & (margin > LEAST_MARGIN_M)
    points = own.corners().reshape(-1, 3)
    found = []
    for row in np.flatnonzero(good):
        owners, gaps = asked.owner[row], slack[row]
        touched = np.unique(owners[(gaps < TOUCHED_M) & (owners >= 0)])
        near = np.unique(owners[(gaps < CLEAR_M) & (owners >= 0)])
        if len(near) != len(touched) or not wanted.is_met_by(len(touched), highest=True):
            continue
        level, east, north = plane[row]
        flat = points[:, :1] * laid.across[row] + points[:, 2:] * laid.along[row]
        top = level + float((flat @ (east, north)).max()) + float(points[:, 1].max())
        if wanted.highest and top < wood.top_m + LEAD_M:
            continue
        others = gaps[~np.isin(owners, touched) & (owners >= 0)]
        worth = min(margin[row], AMPLE_MARGIN_M) + 0.5 * min(0.006, float(others.min(initial=0.006)))
        worth -= 0.01 * tilt[row]
        if wanted.highest:
            worth += 0.3 * min(0.01, top - wood.top_m - LEAD_M)
        pose = _pose(laid, int(row), plane[row])
        load = tuple(
            (
                wood.names[owners[k]],
                np.array(
                    [
                        laid.middle[row, 0] + asked.x[row, k],
                        laid.middle[row, 1] + asked.y[row, k],
                        asked.height[row, k],
                    ]
                ),
                float(part),
            )
            for k, part in zip(corner[row], share[row], strict=True)
        )
        found.append(values.Candidate("plate", pose, float(worth), load))
    return found


def _pose(laid: _Laid, row: int, plane: Array) -> Pose:
    """Return the ladder in that plane: its width along x, its face up or down along y, its length along z."""
    level, east, north = plane
    up = np.array([-east, -north, 1.0]) / math.sqrt(1.0 + east * east + north * north)
    length = np.append(laid.along[row], laid.along[row] @ (east, north))
    length /= np.linalg.norm(length)
    face = up * laid.side[row]
    matrix = np.stack([np.cross(face, length), face, length], axis=1)
    x, y = laid.middle[row]
    return Pose((float(x), float(y), float(level)), quat_from_matrix(matrix))


def _asked(wood: Wood, own: PlacedBoxes, laid: _Laid) -> _PlateHeights:
    """Every place where the ladders' wood (n, k) crosses the structure's (m) in plan, and free ends under it."""
    n = len(laid.middle)
    centre = _in_plan(own.centres, laid)
    way = _in_plan(own.axes[:, :, 2], laid)
    # centre + t way meets start + s span, for |t| within the half length and s from 0 to 1.
    off = (wood.start[None, :, :2] - laid.middle[:, None, :])[:, None] - centre[:, :, None]  # (n, k, m, 2)
    span = wood.span[None, None, :, :2]
    det = way[:, :, None, 1] * span[..., 0] - way[:, :, None, 0] * span[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (off[..., 1] * span[..., 0] - off[..., 0] * span[..., 1]) / det
        s = (way[:, :, None, 0] * off[..., 1] - way[:, :, None, 1] * off[..., 0]) / det
        crossing = (np.abs(t) <= own.halves[None, :, None, 2]) & (s >= 0.0) & (s <= 1.0)
    i, k, m = np.argwhere(crossing).T
    t, s = t[i, k, m], s[i, k, m]
    place = centre[i, k] + t[:, None] * way[i, k]
    height = wood.start[m, 2] + s * wood.span[m, 2] + _lift(wood, own, way[i, k], k, m)
    # Over wood that nearly stands a ladder lies on the upper end at most.
    level = np.hypot(wood.way[m, 0], wood.way[m, 1])
    height = np.minimum(height, wood.upper[m] + own.halves[k, 1] + level * wood.halves[m, 0])
    ends = _ends(wood, own, laid, centre, way)
    i, owner = np.concatenate([i, ends[0]]), np.concatenate([wood.owner[m], ends[1]])
    place, height = np.concatenate([place, ends[2]]), np.concatenate([height, ends[3]])
    return _as_table(n, i, place, height, owner)


def _in_plan(vectors: Array, laid: _Laid) -> Array:
    """Vectors (k, 3) of the ladder's frame as every laid ladder shows them from above (n, k, 2)."""
    across = np.multiply(vectors[None, :, :1], laid.across[:, None, :])
    return np.asarray(across + np.multiply(vectors[None, :, 2:], laid.along[:, None, :]), np.float64)


def _lift(wood: Wood, own: PlacedBoxes, way: Array, k: Ints, m: Ints) -> Array:
    """How far apart the axes of crossing wood are upright, when it touches (c,)."""
    level = np.concatenate([way, np.zeros((len(way), 1))], axis=1)
    normal = np.cross(level, wood.way[m])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-9)[:, None]
    upright = np.maximum(np.abs(normal[:, 2]), 0.05)
    reach = np.hypot(normal[:, 0], normal[:, 1]) * own.halves[k, 0] + upright * own.halves[k, 1]
    for axis in (0, 1):
        reach += np.abs((normal * wood.axes[m, :, axis]).sum(axis=1)) * wood.halves[m, axis]
    return np.asarray(reach / upright)


def _ends(
    wood: Wood, own: PlacedBoxes, laid: _Laid, centre: Array, way: Array
) -> tuple[Ints, Ints, Array, Array]:
    """Free rail ends that point up right under own wood: which ladder, whose, where and how high."""
    up = np.flatnonzero(wood.end_way[:, 2] > 0.3)
    there = wood.ends[None, up, :2] - laid.middle[:, None, :]  # (n, e, 2)
    off = there[:, None] - centre[:, :, None]
    t = (off * way[:, :, None]).sum(axis=-1)
    beside = off[..., 1] * way[:, :, None, 0] - off[..., 0] * way[:, :, None, 1]
    covers = (np.abs(t) <= own.halves[None, :, None, 2]) & (
        np.abs(beside) <= own.halves[None, :, None, 0] + 0.001
    )
    i, k, e = np.argwhere(covers).T
    lean = np.sqrt(np.maximum(0.0, 1.0 - wood.end_way[up[e], 2] ** 2))
    height = wood.ends[up[e], 2] + lean * 0.002 + own.halves[k, 1]
    return i, wood.end_owner[up[e]], there[i, e], height


def _as_table(n: int, row: Ints, place: Array, height: Array, owner: Ints) -> _PlateHeights:
    """Return the same by rows, after three corners of a triangle of no wood."""
    order = np.argsort(row, kind="stable")
    row = row[order]
    count = np.bincount(row, minlength=n)
    column = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + 3
    wide = int(count.max(initial=0)) + 3
    x, y = np.zeros((n, wide)), np.zeros((n, wide))
    heights, owners = np.full((n, wide), -np.inf), np.full((n, wide), -1, np.int64)
    x[:, :3] = (0.0, _FAR_M, -_FAR_M)
    y[:, :3] = (_FAR_M, -0.5 * _FAR_M, -0.5 * _FAR_M)
    heights[:, :3] = _LOW_M
    x[row, column], y[row, column] = place[order].T
    heights[row, column], owners[row, column] = height[order], owner[order]
    return _PlateHeights(x, y, heights, owners)


def _rest(asked: _PlateHeights) -> tuple[Ints, Array, Array]:
    """Return the supports' columns (n, 3), the share of the weight on each, and the planes a + b x + c y (n, 3)."""
    n = len(asked.x)
    corner = np.tile(np.arange(3), (n, 1))
    open_rows = np.arange(n)
    for _ in range(MOST_STEPS):
        plane = _plane(asked, open_rows, corner[open_rows])
        slack = plane[:, :1] + plane[:, 1:2] * asked.x[open_rows] + plane[:, 2:] * asked.y[open_rows]
        slack -= asked.height[open_rows]
        worst = slack.argmin(axis=1)
        above = slack[np.arange(len(open_rows)), worst] < -1e-7
        open_rows, worst = open_rows[above], worst[above]
        if not len(open_rows):
            break
        # The new support takes the place of the one without which the middle stays inside.
        least = np.full(len(open_rows), -np.inf)
        chosen = corner[open_rows].copy()
        for place in range(3):
            tried = corner[open_rows].copy()
            tried[:, place] = worst
            inside = _shares(asked, open_rows, tried).min(axis=1)
            better = inside > least
            least[better], chosen[better] = inside[better], tried[better]
        corner[open_rows] = chosen
    rows = np.arange(n)
    return corner, _shares(asked, rows, corner), _plane(asked, rows, corner)


def _plane(asked: _PlateHeights, rows: Ints, corner: Ints) -> Array:
    at = rows[:, None]
    x, y, h = asked.x[at, corner], asked.y[at, corner], asked.height[at, corner]
    dx1, dy1, dh1 = x[:, 1] - x[:, 0], y[:, 1] - y[:, 0], h[:, 1] - h[:, 0]
    dx2, dy2, dh2 = x[:, 2] - x[:, 0], y[:, 2] - y[:, 0], h[:, 2] - h[:, 0]
    det = dx1 * dy2 - dx2 * dy1
    det = np.where(np.abs(det) < 1e-12, 1e-12, det)
    east, north = (dh1 * dy2 - dh2 * dy1) / det, (dx1 * dh2 - dx2 * dh1) / det
    return np.stack([h[:, 0] - east * x[:, 0] - north * y[:, 0], east, north], axis=1)


def _shares(asked: _PlateHeights, rows: Ints, corner: Ints) -> Array:
    """Which share of a weight in the middle each corner bears (r, 3): negative where the middle is outside."""
    at = rows[:, None]
    x, y = asked.x[at, corner], asked.y[at, corner]
    x1, y1 = np.roll(x, -1, axis=1), np.roll(y, -1, axis=1)
    x2, y2 = np.roll(x, -2, axis=1), np.roll(y, -2, axis=1)
    area = x1 * y2 - x2 * y1
    whole = area.sum(axis=1, keepdims=True)
    return np.asarray(area / np.where(np.abs(whole) < 1e-12, 1e-12, whole))


def _margin(x: Array, y: Array) -> Array:
    """How far the middle is inside each triangle (n, 3), in metres; negative outside."""
    dx, dy = np.roll(x, -1, axis=1) - x, np.roll(y, -1, axis=1) - y
    turning = np.sign(dx[:, 0] * dy[:, 1] - dx[:, 1] * dy[:, 0])[:, None]
    return np.asarray((turning * (dy * x - dx * y) / np.maximum(np.hypot(dx, dy), 1e-9)).min(axis=1))


#: Maximum lean of the ladder's plane, from square to the end.
LEAST_LEAN_RAD, MOST_LEAN_RAD = math.radians(5.0), math.radians(55.0)
#: Maximum rise of a leaning ladder from level.
LEAST_RISE_RAD, MOST_RISE_RAD = math.radians(15.0), math.radians(85.0)
#: Tilt of a flat ladder, one standard deviation, and the share of those whose middle is over the wood.
TILT_RAD, BALANCED = math.radians(5.0), 0.6
#: Ends that point up by this sine can be hung on; the tangent by which a hanging ladder's face tilts (one deviation).
HANG_UP, HANG_TILT = 0.15, 0.25
#: Of a propped ladder: distance of the points under it, sines by which the upper is higher, pairs drawn for each.
NEAREST_HUNG_M, FARTHEST_HUNG, LEAST_PROP, MOST_PROP, DRAWN = 0.015, 0.9, 0.34, 0.95, 12
#: They start this far over everything, to be lowered.
ROOM_M = 0.1


def hooks(
    wood: Wood, ladder: Ladder, attitudes: values.Attitudes, rng: np.random.Generator, count: int
) -> list[values.Candidate]:
    """Up to ``count`` ladders whose opening is over a free end; none where no end is free."""
    free, openings = _free(wood, UP), _openings(ladder)
    if not len(free) or not openings:
        return []
    found = []
    for end in rng.choice(free, count, p=_share(wood.end_firm[free])):
        rotation = attitudes.draw(rng)
        if rotation is None:
            lean = math.tan(rng.uniform(LEAST_LEAN_RAD, MOST_LEAN_RAD))
            face = wood.end_way[end] + lean * _square_to(wood.end_way[end], rng)
            rotation = _facing(face * rng.choice([-1.0, 1.0]), rng)
        opening = openings[int(rng.integers(len(openings)))] + rng.normal(0.0, 0.002, 3) * (1.0, 0.0, 1.0)
        found.append(_over("hook", wood, wood.ends[end], opening, rotation))
    return found


def hangs(
    wood: Wood, ladder: Ladder, attitudes: values.Attitudes, rng: np.random.Generator, count: int
) -> list[values.Candidate]:
    """Up to ``count`` ladders about upright, one of the upper openings over an end that isn't quite upright."""
    free, openings = _free(wood, HANG_UP), _openings(ladder)
    if not len(free) or not openings:
        return []
    found = []
    for end in rng.choice(free, count, p=_share(wood.end_firm[free])):
        way = wood.end_way[end] * (1.0, 1.0, 0.0) + rng.normal(0.0, 0.05, 3)
        rotation = attitudes.draw(rng)
        if rotation is None:
            face = way / np.linalg.norm(way) + (0.0, 0.0, rng.normal(0.0, HANG_TILT))
            rotation = _rising_with(face, np.array((0.0, 0.0, 1.0)), rng)
        matrix = mat_from_quat(rotation)
        upper = sorted(openings, key=lambda opening: -float((matrix @ opening)[2]))[:2]
        opening = upper[int(rng.integers(len(upper)))] + rng.normal(0.0, 0.003, 3) * (1.0, 0.0, 1.0)
        found.append(_over("hang", wood, wood.ends[end], opening, rotation))
    return found


def props(
    wood: Wood, ladder: Ladder, attitudes: values.Attitudes, rng: np.random.Generator, count: int
) -> list[values.Candidate]:
    """Up to ``count`` ladders that lie over two points of wood, steeply, a rung just above the upper one."""
    (one, a), (other, b) = wood.draw(rng, DRAWN * count), wood.draw(rng, DRAWN * count)
    low = (one[:, 2] < other[:, 2])[:, None]
    lower, upper = np.where(low, one, other), np.where(low, other, one)
    rise, span = (upper - lower)[:, 2], np.linalg.norm(upper - lower, axis=1)
    fits = (a != b) & (span < FARTHEST_HUNG * ladder.length_m) & (span > NEAREST_HUNG_M)
    fits &= (rise > LEAST_PROP * span) & (rise < MOST_PROP * span)
    found = []
    for row in np.flatnonzero(fits)[:count]:
        axis = (upper - lower)[row] / span[row]
        rotation = attitudes.draw(rng)
        if rotation is None:
            face = np.array((0.0, 0.0, 1.0)) - axis * axis[2] + rng.normal(0.0, 0.1, 3)
            rotation = _rising_with(face, axis, rng)
        turn = mat_from_quat(rotation)
        rungs = np.asarray(ladder.rungs).mean(axis=1)
        below = rungs[(rungs[:, 2] * turn[2, 2] > span[row] - 0.5 * ladder.length_m)]
        rung = (below if len(below) else rungs)[int(rng.integers(len(below) or len(rungs)))]
        target = upper[row] + axis * rng.uniform(0.001, 0.006)
        found.append(
            _over("prop", wood, target, rung + rng.normal(0.0, 0.004, 3) * (1.0, 0.0, 0.0), rotation)
        )
    return found


def leans(
    wood: Wood, ladder: Ladder, attitudes: values.Attitudes, rng: np.random.Generator, count: int
) -> list[values.Candidate]:
    """``count`` ladders of which some part is over some wood."""
    return [
        _over("lean", wood, target, _part(ladder, rng), attitudes.draw(rng) or _rising(rng))
        for target in wood.draw(rng, count)[0]
    ]


def flats(
    wood: Wood, ladder: Ladder, attitudes: values.Attitudes, rng: np.random.Generator, count: int
) -> list[values.Candidate]:
    """``count`` ladders that are about level, mostly with the middle over some wood."""
    found = []
    for target in wood.draw(rng, count)[0]:
        part = np.zeros(3) if rng.random() < BALANCED else _part(ladder, rng)
        found.append(_over("flat", wood, target, part, attitudes.draw(rng) or _level(rng)))
    return found


def _free(wood: Wood, up: float) -> Ints:
    """Return the rail ends that point up by this sine and aren't deep in the structure."""
    return np.flatnonzero((wood.end_way[:, 2] > up) & (wood.ends[:, 2] > wood.top_m - DEPTH_M))


def _openings(ladder: Ladder) -> list[Array]:
    """Return the middles of the openings between two rungs, in the ladder's frame."""
    return [np.mean([*lower, *upper], axis=0) for lower, upper in itertools.pairwise(ladder.rungs)]


def _share(weights: Array) -> Array:
    return np.asarray(weights / weights.sum())


def _part(ladder: Ladder, rng: np.random.Generator) -> Array:
    """Return a random point of its wood, in its own frame."""
    box = ladder.boxes[int(rng.integers(len(ladder.boxes)))]
    way = mat_from_quat(box.rotation)[:, 2]
    return np.asarray(np.asarray(box.centre) + way * box.half_extents[2] * rng.uniform(-1.0, 1.0))


def _over(family: str, wood: Wood, target: Array, part: Array, rotation: Quat) -> values.Candidate:
    """Return the ladder with a part of it, in its own frame, straight over a point of the table."""
    x, y, _ = target - mat_from_quat(rotation) @ part
    return values.Candidate(family, Pose((float(x), float(y), wood.top_m + ROOM_M), rotation), 0.0)


def _rising(rng: np.random.Generator) -> Quat:
    rise = rng.uniform(LEAST_RISE_RAD, MOST_RISE_RAD)
    rotation = quat_from_axis_angle((0.0, 0.0, 1.0), rng.normal(0.0, 0.25))
    tip = rng.choice([-1.0, 1.0]) * (0.5 * math.pi - rise)
    rotation = quat_multiply(quat_from_axis_angle((1.0, 0.0, 0.0), tip), rotation)
    return quat_multiply(quat_from_axis_angle((0.0, 0.0, 1.0), rng.uniform(-math.pi, math.pi)), rotation)


def _level(rng: np.random.Generator) -> Quat:
    lying = quat_from_axis_angle((1.0, 0.0, 0.0), 0.5 * math.pi + rng.normal(0.0, TILT_RAD))
    return quat_multiply(quat_from_axis_angle((0.0, 0.0, 1.0), rng.uniform(-math.pi, math.pi)), lying)


def _square_to(axis: Array, rng: np.random.Generator) -> Array:
    vector = np.cross(axis, rng.normal(size=3))
    return np.asarray(vector / np.linalg.norm(vector))


def _rising_with(face: Array, axis: Array, rng: np.random.Generator) -> Quat:
    """Return a rotation with the face there and the long axis about along ``axis``; either end up, either side."""
    y = face / np.linalg.norm(face)
    z = axis - y * (axis @ y) + _square_to(y, rng) * rng.normal(0.0, 0.15)
    z *= rng.choice([-1.0, 1.0]) / np.linalg.norm(z)
    y *= rng.choice([-1.0, 1.0])
    return quat_from_matrix(np.stack([np.cross(y, z), y, z], axis=1))


def _facing(face: Array, rng: np.random.Generator) -> Quat:
    """Any rotation whose y axis, the ladder's face, points along ``face``."""
    y = face / np.linalg.norm(face)
    z = _square_to(y, rng)
    return quat_from_matrix(np.stack([np.cross(y, z), y, z], axis=1))


#: Ways of drawing them, and the kind that mostly comes of each.
WAYS = {
    hooks: PlaceKind.HOOK,
    hangs: PlaceKind.HOOK,
    leans: PlaceKind.LEAN,
    props: PlaceKind.LEAN,
}
#: Tries of a way of which one is taken to have held, before any was tried.
TRIED_BEFORE = 8.0
#: Share of tries next to what held.
NEAR = 0.65
#: How far a try is from what held (one deviation); how much these vary from try to try, as exponents.
NEAR_M, NEAR_RAD, VARIES = 0.004, 0.12, 0.6
#: Number laid on the frozen structure for one free drop; worth of a rest as wanted, and the discount if it is flat.
LAID, AS_WANTED, FLAT = 6, 0.6, 0.3


@dataclass
class Nest:
    """A rest that held, or a way of trying."""

    pose: Pose | None
    kind: PlaceKind
    """What it is, or is mostly come to from it."""
    worth: float
    """0 to 1 or more: what is left to wish for."""
    tries: float = 0.0
    wins: float = 0.0
    """Number of tries from here that came to as much."""

    @property
    def promise(self) -> float:
        return self.worth * (self.wins + 1.0) / (self.tries + 2.0)


class Nests:
    """What was tried in one search."""

    def __init__(
        self,
        known: Known,
        ladder: Ladder,
        question: values.Question,
        attitudes: values.Attitudes,
        rng: np.random.Generator,
    ) -> None:
        self._known, self._wood, self._ladder = known, known.wood, ladder
        self._question, self._attitudes, self._rng = question, attitudes, rng
        self._ways = {way: Nest(None, kind, 1.0, TRIED_BEFORE - 2.0) for way, kind in WAYS.items()}
        self._good = dict.fromkeys(PlaceKind, 0)
        """Number of good places known, by kind: the fewer, the more is tried."""
        self._nests: list[Nest] = []

    def lay(self) -> Generator[None, None, tuple[Nest, Pose, values.ReleaseOutcome] | None]:
        """Drop the best of a few frozen layings freely; return its nest, release and outcome, None unless all rest."""
        best: tuple[float, Nest, Pose] | None = None
        for _ in range(LAID):
            by, start = self._next()
            laid = None if start is None else self._let_go(start, self._known.frozen)
            if laid is not None and (best is None or self._worth(laid[1]) > best[0]):
                best = self._worth(laid[1]), by, laid[0]
            yield None
            if best is not None and best[0] >= AS_WANTED:
                break
        if best is None:
            return None
        _, by, release = best
        laid = self._let_go(over(release, self._wood), self._known.free)
        if laid is None or laid[1].turned_rad > self._attitudes.thrown_rad:
            return None
        worth = self._worth(laid[1])
        by.wins += 1.0 if by.pose is None else float(worth >= by.worth)
        nest = Nest(laid[1].pose, by.kind, worth)
        self._nests.append(nest)
        return nest, *laid

    def judge(self, nest: Nest, place: LadderPlace) -> None:
        """Note what became of one that was as wanted: the safer, and where height is liked the higher, the better."""
        taste, worth = self._question.taste, 0.5 + 0.5 * place.safety
        if values.is_good(place):
            worth += max(
                0.0,
                taste.height * place.reach_m / values.REACH_M + taste.rise * place.rise_deg / values.RISE_DEG,
            )
        nest.kind = place.kind
        self._good[place.kind] += values.is_good(place)
        nest.worth = worth * (FLAT if place.kind is PlaceKind.PLATE else 1.0)

    def _let_go(self, start: Pose, engine: Rehearsal) -> tuple[Pose, values.ReleaseOutcome] | None:
        """Lower and release it, then again as it came to lie. None unless all came to rest."""
        laid: tuple[Pose, values.ReleaseOutcome] | None = None
        for _ in range(2):
            release = self._known.frozen.lower(start, None)
            outcome = None if release is None else engine.drop(release)
            if release is None or outcome is None or not outcome.held:
                break
            laid, rest = (release, outcome), outcome.pose
            if outcome.turned_rad <= values.RELAY_RAD:
                break
            start = over(Pose(rest.position, self._attitudes.nearest(rest.rotation)), self._wood)
        return laid

    def _worth(self, outcome: values.ReleaseOutcome) -> float:
        """Return the worth of a rest that held: the less, the more is missing for the wanted rest."""
        lacks = outcome.lacks(self._question.wanted)
        return 0.5 * AS_WANTED / (1.0 + lacks) if lacks else AS_WANTED

    def _next(self) -> tuple[Nest, Pose | None]:
        """Return where the next try comes from, and its pose over everything; None where that way gives none."""
        if self._nests and self._rng.random() < NEAR:
            nest = self._one_of(self._nests)
            start: Pose | None = self._near(nest)
        else:
            nest = self._one_of(list(self._ways.values()))
            draw = next(draw for draw, way in self._ways.items() if way is nest)
            drawn = draw(self._wood, self._ladder, self._attitudes, self._rng, 1)
            start = drawn[0].pose if drawn else None
        nest.tries += 1.0
        return nest, start

    def _one_of(self, nests: list[Nest]) -> Nest:
        promise = np.array([nest.promise / (1.0 + self._good[nest.kind]) for nest in nests]) ** 2
        return nests[int(self._rng.choice(len(nests), p=promise / promise.sum()))]

    def _near(self, nest: Nest) -> Pose:
        assert nest.pose is not None
        rng = self._rng
        far = float(np.exp(rng.normal(0.0, VARIES)))
        turn = quat_from_axis_angle(rng.normal(size=3), float(rng.normal(0.0, far * NEAR_RAD)))
        rotation = self._attitudes.nearest(quat_multiply(turn, nest.pose.rotation))
        return over(Pose(vec3(rng.normal(nest.pose.position, far * NEAR_M)), rotation), self._wood)


def over(pose: Pose, wood: Wood) -> Pose:
    x, y, _ = pose.position
    return Pose((x, y, wood.top_m + ROOM_M), pose.rotation)
