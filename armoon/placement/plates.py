"""Plates: a nearly flat ladder that rests on points of the structure as a tray does.

Given a rotation about the upright axis and a position of the middle, every crossing of the ladder's wood with the
structure's in plan requires a minimum height there. The plane in which it comes to rest is the lowest over its middle
that lies over all of them: a linear programme in three unknowns, solved for hundreds of ladders at once by walking
from triangle to triangle of supports, each of which has the middle inside (the dual simplex method).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array, quat_from_matrix
from armoon.placement.values import Candidate
from armoon.placement.wood import Ints, Wood
from armoon.values.pieces import Ladder
from armoon.values.places import Wanted
from armoon.values.poses import IDENTITY_POSE, Pose
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
class _Asked:
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
    wanted: Wanted,
    rng: np.random.Generator,
    count: int,
    yaws: Array | None = None,
) -> list[Candidate]:
    """Up to ``count`` plates that balance and touch as wanted; best first. ``yaws``: it may lie only so."""
    laid = _draw(wood, ladder, wanted, rng, count, yaws)
    found: list[Candidate] = []
    for first in range(0, len(laid.middle), AT_ONCE):
        found += _settle(wood, ladder, wanted, laid.part(slice(first, first + AT_ONCE)))
    return sorted(found, key=lambda candidate: -candidate.worth)


def _draw(
    wood: Wood, ladder: Ladder, wanted: Wanted, rng: np.random.Generator, count: int, yaws: Array | None
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


def _settle(wood: Wood, ladder: Ladder, wanted: Wanted, laid: _Laid) -> list[Candidate]:
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
        if len(near) != len(touched) or not wanted.met_by(len(touched), highest=True):
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
        found.append(Candidate("plate", pose, float(worth), load))
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


def _asked(wood: Wood, own: PlacedBoxes, laid: _Laid) -> _Asked:
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


def _as_table(n: int, row: Ints, place: Array, height: Array, owner: Ints) -> _Asked:
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
    return _Asked(x, y, heights, owners)


def _rest(asked: _Asked) -> tuple[Ints, Array, Array]:
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


def _plane(asked: _Asked, rows: Ints, corner: Ints) -> Array:
    at = rows[:, None]
    x, y, h = asked.x[at, corner], asked.y[at, corner], asked.height[at, corner]
    dx1, dy1, dh1 = x[:, 1] - x[:, 0], y[:, 1] - y[:, 0], h[:, 1] - h[:, 0]
    dx2, dy2, dh2 = x[:, 2] - x[:, 0], y[:, 2] - y[:, 0], h[:, 2] - h[:, 0]
    det = dx1 * dy2 - dx2 * dy1
    det = np.where(np.abs(det) < 1e-12, 1e-12, det)
    east, north = (dh1 * dy2 - dh2 * dy1) / det, (dx1 * dh2 - dx2 * dh1) / det
    return np.stack([h[:, 0] - east * x[:, 0] - north * y[:, 0], east, north], axis=1)


def _shares(asked: _Asked, rows: Ints, corner: Ints) -> Array:
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
