"""Makes the thirty ladders of one game from a seed: three straight, 27 crooked, all different (ruling M1)."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from armoon.errors import WorldError
from armoon.values.pieces import BASE, Base, Box, Facts, Ladder, LadderSet, PieceId, PieceStatus
from armoon.values.poses import IDENTITY_POSE, Quat, Vec2, Vec3
from armoon.world.checks import MAX_BOXES, StructurePoses
from armoon.world.exact import Ground, find_overlaps

#: Cross sections of laser-cut fibreboard, which are assumed, because the real game's are unknown (docs/physics.md).
RAIL_WIDTH_M = 0.004
RUNG_WIDTH_M = 0.003
THICKNESS_M = 0.0035
#: Density of the wood; fibreboard has 600 to 800 kg/m³ (docs/physics.md).
WOOD_DENSITY_KG_M3 = 700.0

#: Minimum length of a rail segment; a shorter one could vanish in its mitres.
MIN_SEGMENT_M = 0.008
MAX_BEND = math.radians(40.0)
#: Minimum distance between the rails' inner faces: another rail must fit between them.
MIN_OPENING_M = 0.006
#: Minimum distance of neighbouring rungs' centre lines.
MIN_RUNG_SPACING_M = 0.006
#: Depth of rungs in the rails, beyond the point where both corners of an end are inside.
RUNG_SEAT_M = 0.0002

Polyline = tuple[Vec2, ...]


@dataclass(frozen=True)
class LadderPlan:
    """A ladder's plan: the rails' centre lines, and the heights at which each rung meets them."""

    left: Polyline
    """Points (x, z) of the left rail's centre line, foot to head."""
    right: Polyline
    rungs: tuple[tuple[float, float], ...]
    """Heights z of each rung at the left and the right rail, lowest rung first."""


@dataclass(frozen=True)
class _Stick:
    """A straight piece of wood in the plan: its centre, direction and size."""

    centre: Vec2
    direction: Vec2
    length: float
    width: float
    role: str
    wood_centre: Vec2
    """Centre of its share of the wood, because the wood of a mitred joint is divided between its sticks."""
    wood_length: float


def build_ladder(piece: PieceId, plan: LadderPlan, *, straight: bool, tone: float) -> Ladder:
    """Return the rigid ladder of a plan. Raises WorldError if the plan is malformed or intersects itself."""
    _check_form(piece, plan)
    sticks = [*_make_rail_sticks(plan.left), *_make_rail_sticks(plan.right), *_make_rung_sticks(plan)]
    if len(sticks) > MAX_BOXES:
        raise _make_ladder_error(piece, f"has {len(sticks)} parts; the maximum is {MAX_BOXES}")
    mass, centre, angle, inertia = _compute_balance(sticks)
    cos, sin = math.cos(angle), math.sin(angle)

    def to_principal(point: Vec2) -> Vec3:
        x, z = point[0] - centre[0], point[1] - centre[1]
        return (cos * x - sin * z, 0.0, sin * x + cos * z)

    def make_principal_box(stick: _Stick) -> Box:
        angle_rad = math.atan2(stick.direction[0], stick.direction[1]) - angle
        rotation: Quat = (0.0, math.sin(angle_rad / 2.0), 0.0, math.cos(angle_rad / 2.0))
        half = (stick.width / 2.0, THICKNESS_M / 2.0, stick.length / 2.0)
        return Box(to_principal(stick.centre), rotation, half, stick.role)

    boxes = tuple(make_principal_box(stick) for stick in sticks)
    _check_apart(piece, plan, boxes)
    rungs = [(_find_point(plan.left, left), _find_point(plan.right, right)) for left, right in plan.rungs]
    return Ladder(
        piece=piece,
        straight=straight,
        boxes=boxes,
        mass_kg=mass,
        inertia_kg_m2=inertia,
        length_m=max(plan.left[-1][1], plan.right[-1][1]) - min(plan.left[0][1], plan.right[0][1]),
        tone=tone,
        rails=(tuple(map(to_principal, plan.left)), tuple(map(to_principal, plan.right))),
        rungs=tuple((to_principal(a), to_principal(b)) for a, b in rungs),
    )


def _make_ladder_error(piece: PieceId, what: str) -> WorldError:
    return WorldError(f"Ladder {piece} {what}.", remedy="Generate the set again, or correct its description.")


def find_foot(ladder: Ladder) -> Vec3:
    """Return the middle between the feet of the two rails, in the ladder's frame."""
    (ax, ay, az), (bx, by, bz) = ladder.rails[0][0], ladder.rails[1][0]
    return ((ax + bx) / 2.0, (ay + by) / 2.0, (az + bz) / 2.0)


def _check_form(piece: PieceId, plan: LadderPlan) -> None:
    for rail in (plan.left, plan.right):
        directions = []
        for (x0, z0), (x1, z1) in itertools.pairwise(rail):
            if z1 <= z0 or math.hypot(x1 - x0, z1 - z0) < MIN_SEGMENT_M:
                raise _make_ladder_error(piece, "has a rail that folds back or has too short a segment")
            directions.append(math.atan2(x1 - x0, z1 - z0))
        if any(abs(b - a) > MAX_BEND for a, b in itertools.pairwise(directions)):
            raise _make_ladder_error(piece, "has a rail that bends too sharply")
    low = max(plan.left[0][1], plan.right[0][1])
    high = min(plan.left[-1][1], plan.right[-1][1])
    heights = [low, high, *(z for _, z in (*plan.left, *plan.right) if low < z < high)]
    for z in heights:
        if _find_point(plan.right, z)[0] - _find_point(plan.left, z)[0] < MIN_OPENING_M + RAIL_WIDTH_M:
            raise _make_ladder_error(piece, "has rails that meet or cross")
    for side, rail in ((0, plan.left), (1, plan.right)):
        ends = [rung[side] for rung in plan.rungs]
        if not all(rail[0][1] + RUNG_WIDTH_M <= z <= rail[-1][1] - RUNG_WIDTH_M for z in ends):
            raise _make_ladder_error(piece, "has a rung that misses a rail")
        if any(b - a < MIN_RUNG_SPACING_M for a, b in itertools.pairwise(ends)):
            raise _make_ladder_error(piece, "has rungs that cross or touch")


def _check_apart(piece: PieceId, plan: LadderPlan, boxes: tuple[Box, ...]) -> None:
    left_parts, right_parts = len(plan.left) - 1, len(plan.right) - 1
    rails = left_parts + right_parts
    overlap = find_overlaps(boxes, boxes)
    # Only a rung's ends may enter the rails.
    rungs = [_trim_seats(rung) for rung in boxes[rails:]]
    overlap[:rails, rails:] = find_overlaps(boxes[:rails], rungs)
    for i in range(rails - 1):
        if i + 1 != left_parts:
            overlap[i, i + 1] = False  # consecutive segments of one rail share their mitre
    if np.triu(overlap, 1).any():
        raise _make_ladder_error(piece, "intersects itself")


def _trim_seats(rung: Box) -> Box:
    x, y, z = rung.half_extents
    return Box(rung.centre, rung.rotation, (x, y, max(1e-4, z - RAIL_WIDTH_M / 2.0)), rung.role)


def _find_point(rail: Polyline, z: float) -> Vec2:
    for (x0, z0), (x1, z1) in itertools.pairwise(rail):
        if z <= z1:
            return (x0 + (x1 - x0) * (z - z0) / (z1 - z0), z)
    return (rail[-1][0], z)


def _make_rail_sticks(rail: Polyline) -> list[_Stick]:
    """Make one stick for each segment, lengthened at bends so that the outer edges meet as in a mitred joint."""
    sticks = []
    pairs = list(itertools.pairwise(rail))
    angles = [math.atan2(b[0] - a[0], b[1] - a[1]) for a, b in pairs]
    for k, ((x0, z0), (x1, z1)) in enumerate(pairs):
        length = math.hypot(x1 - x0, z1 - z0)
        dx, dz = (x1 - x0) / length, (z1 - z0) / length
        before = RAIL_WIDTH_M / 2.0 * math.tan(abs(angles[k] - angles[k - 1]) / 2.0) if k > 0 else 0.0
        after = (
            RAIL_WIDTH_M / 2.0 * math.tan(abs(angles[k + 1] - angles[k]) / 2.0) if k + 1 < len(pairs) else 0.0
        )
        middle = ((x0 + x1) / 2.0, (z0 + z1) / 2.0)
        shift = (after - before) / 2.0
        centre = (middle[0] + dx * shift, middle[1] + dz * shift)
        sticks.append(_Stick(centre, (dx, dz), length + before + after, RAIL_WIDTH_M, "rail", middle, length))
    return sticks


def _make_rung_sticks(plan: LadderPlan) -> list[_Stick]:
    faces = (_make_inner_face(plan.left, 1.0), _make_inner_face(plan.right, -1.0))
    half = RUNG_WIDTH_M / 2.0
    sticks = []
    for left_z, right_z in plan.rungs:
        (x0, z0), (x1, z1) = _find_point(plan.left, left_z), _find_point(plan.right, right_z)
        length = math.hypot(x1 - x0, z1 - z0)
        dx, dz = (x1 - x0) / length, (z1 - z0) / length
        # Points where the rung's lower edge, centre line and upper edge leave the left rail and enter the right one.
        starts, ends = (
            [_find_crossing(face, x0 - dz * side, z0 + dx * side, dx, dz) for side in (-half, 0.0, half)]
            for face in faces
        )
        start, end = min(starts) - RUNG_SEAT_M, max(ends) + RUNG_SEAT_M
        sticks.append(
            _Stick(
                centre=_find_middle(x0, z0, dx, dz, start, end),
                direction=(dx, dz),
                length=end - start,
                width=RUNG_WIDTH_M,
                role="rung",
                wood_centre=_find_middle(x0, z0, dx, dz, starts[1], ends[1]),
                wood_length=ends[1] - starts[1],
            )
        )
    return sticks


def _make_inner_face(rail: Polyline, side: float) -> Polyline:
    """Return the edge of a rail towards x · side: its centre line, offset and mitred."""
    angles = [math.atan2(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(rail)]
    edge = []
    for k, (x, z) in enumerate(rail):
        before, after = angles[max(k - 1, 0)], angles[min(k, len(angles) - 1)]
        reach = side * RAIL_WIDTH_M / 2.0 / math.cos((after - before) / 2.0)
        middle = (before + after) / 2.0
        edge.append((x + reach * math.cos(middle), z - reach * math.sin(middle)))
    return tuple(edge)


def _find_crossing(edge: Polyline, x: float, z: float, dx: float, dz: float) -> float:
    last = len(edge) - 2
    for k, ((ax, az), (bx, bz)) in enumerate(itertools.pairwise(edge)):
        across = dx * (bz - az) - dz * (bx - ax)
        share = (dz * (ax - x) - dx * (az - z)) / across
        if (share >= 0.0 or k == 0) and (share <= 1.0 or k == last):
            return ((ax - x) * (bz - az) - (az - z) * (bx - ax)) / across
    raise AssertionError("a line across a ladder crosses both its rails")


def _find_middle(x: float, z: float, dx: float, dz: float, start: float, end: float) -> Vec2:
    middle = (start + end) / 2.0
    return (x + dx * middle, z + dz * middle)


def _compute_balance(sticks: list[_Stick]) -> tuple[float, Vec2, float, Vec3]:
    masses = [WOOD_DENSITY_KG_M3 * s.width * THICKNESS_M * s.wood_length for s in sticks]
    mass = math.fsum(masses)
    cx = math.fsum(m * s.wood_centre[0] for m, s in zip(masses, sticks, strict=True)) / mass
    cz = math.fsum(m * s.wood_centre[1] for m, s in zip(masses, sticks, strict=True)) / mass
    sxx = szz = sxz = 0.0  # second moments of mass about the centre
    for m, s in zip(masses, sticks, strict=True):
        (x, z), (dx, dz) = s.wood_centre, s.direction
        x, z = x - cx, z - cz
        along, across = m * s.wood_length**2 / 12.0, m * s.width**2 / 12.0
        sxx += m * x * x + along * dx * dx + across * dz * dz
        szz += m * z * z + along * dz * dz + across * dx * dx
        sxz += m * x * z + (along - across) * dx * dz
    syy = mass * THICKNESS_M**2 / 12.0
    angle = 0.5 * math.atan2(2.0 * sxz, szz - sxx)
    cos, sin = math.cos(angle), math.sin(angle)
    across2 = cos * cos * sxx - 2.0 * sin * cos * sxz + sin * sin * szz
    along2 = sin * sin * sxx + 2.0 * sin * cos * sxz + cos * cos * szz
    return mass, (cx, cz), angle, (syy + along2, across2 + along2, across2 + syy)


#: Seed of the 30 ladders that are the same in every game, as in the box.
BOX_SEED = 7
STRAIGHT_LADDERS = 3
LADDERS = 30

#: The straight ladder; in published photographs it is 3.6 times as high as wide and has five rungs.
STRAIGHT_LENGTH_M = 0.115
STRAIGHT_WIDTH_M = 0.032
STRAIGHT_RUNGS = 5
STRAIGHT_MARGIN_M = 0.016

#: Size of crooked ladders, before their rails' ends are cut unevenly (by up to UNEVEN_M each).
MIN_LENGTH_M, MAX_LENGTH_M = 0.086, 0.132
MIN_WIDTH_M, MAX_WIDTH_M = 0.023, 0.036
UNEVEN_M = 0.004
#: Maximum lean of a rail's segments from the ladder's axis.
MAX_LEAN = math.radians(13.0)
#: Maximum deviation of a single rail from the bends that both share.
MAX_DEVIATION_M = 0.0018
MAX_RUNG_TILT = math.radians(12.0)
#: Minimum root-mean-square distance between the outlines of two ladders of a set, at 14 heights.
MIN_DIFFERENCE_M = 0.0012
#: Maximum number of draws of a ladder: a draw that intersects itself or resembles another ladder is repeated.
MAX_DRAWS = 200

_OUTLINE_HEIGHTS = tuple(k * 0.01 for k in range(14))


# Drawing a set takes 50 ms; title, game and pages of one session use the same set.
@lru_cache(maxsize=4)
def make_ladder_set(seed: int) -> LadderSet:
    """Return the 30 ladders of a seed: L01 to L03 straight, L04 to L30 crooked; equal seeds give equal ladders."""
    ladders = []
    for n in range(1, STRAIGHT_LADDERS + 1):
        tone = random.Random(f"tone {seed} L{n:02d}").random()
        ladders.append(build_ladder(f"L{n:02d}", make_straight_plan(), straight=True, tone=tone))
    plans: list[LadderPlan] = []
    for n in range(STRAIGHT_LADDERS + 1, LADDERS + 1):
        plan, ladder = _make_crooked(f"L{n:02d}", seed, plans)
        plans.append(plan)
        ladders.append(ladder)
    return LadderSet(seed, tuple(ladders))


def make_straight_plan(
    length_m: float = STRAIGHT_LENGTH_M,
    width_m: float = STRAIGHT_WIDTH_M,
    rungs: int = STRAIGHT_RUNGS,
    left_out: tuple[int, ...] = (),
) -> LadderPlan:
    """Return a straight ladder, ``width_m`` over its rails' outer faces, with evenly spaced rungs, some left out."""
    x = (width_m - RAIL_WIDTH_M) / 2.0
    step = (length_m - 2.0 * STRAIGHT_MARGIN_M) / (rungs - 1)
    heights = [STRAIGHT_MARGIN_M + k * step for k in range(rungs) if k not in left_out]
    return LadderPlan(((-x, 0.0), (-x, length_m)), ((x, 0.0), (x, length_m)), tuple((z, z) for z in heights))


def _make_crooked(piece: PieceId, seed: int, others: list[LadderPlan]) -> tuple[LadderPlan, Ladder]:
    # Each piece has a random stream seeded with text: stable across Python versions, and independent of other pieces.
    rng = random.Random(f"ladder {seed} {piece}")
    for _ in range(MAX_DRAWS):
        plan = _draw_plan(rng)
        tone = rng.random()
        try:
            ladder = build_ladder(piece, plan, straight=False, tone=tone)
        except WorldError:
            continue
        if all(measure_difference_m(plan, other) >= MIN_DIFFERENCE_M for other in others):
            return plan, ladder
    raise WorldError(f"No valid ladder {piece} was found for seed {seed}.", remedy="Choose another seed.")


def _draw_plan(rng: random.Random) -> LadderPlan:
    """Draw a crooked ladder: rails bent, tapered or splayed; rungs straight or tilted, one perhaps missing."""
    length = rng.uniform(MIN_LENGTH_M, MAX_LENGTH_M)
    segments = rng.choice((2, 2, 3, 3, 4))
    foot_width = rng.uniform(MIN_WIDTH_M, MAX_WIDTH_M)
    # Below 1 the ladder tapers towards its head, above 1 it splays.
    head_width = min(MAX_WIDTH_M + 0.002, max(MIN_WIDTH_M - 0.004, foot_width * rng.uniform(0.62, 1.35)))
    shares = [rng.uniform(0.7, 1.3) for _ in range(segments)]
    heights = [length * sum(shares[:k]) / sum(shares) for k in range(segments + 1)]
    middle = [0.0]
    for low, high in itertools.pairwise(heights):
        middle.append(middle[-1] + (high - low) * math.tan(rng.uniform(-MAX_LEAN, MAX_LEAN)))
    rails: list[Polyline] = []
    for side in (-1.0, 1.0):
        points: list[Vec2] = []
        for k, (x, z) in enumerate(zip(middle, heights, strict=True)):
            width = foot_width + (head_width - foot_width) * z / length
            deviation = rng.uniform(-MAX_DEVIATION_M, MAX_DEVIATION_M)
            end_offset = rng.uniform(-UNEVEN_M, UNEVEN_M) if k in (0, segments) else 0.0
            points.append((x + side * (width - RAIL_WIDTH_M) / 2.0 + deviation, z + end_offset))
        rails.append(tuple(points))
    return LadderPlan(rails[0], rails[1], _draw_rungs(rng, length, (foot_width + head_width) / 2.0))


def _draw_rungs(rng: random.Random, length: float, width: float) -> tuple[tuple[float, float], ...]:
    # Plans with many rungs are rejected more often, so draw them more often.
    count = rng.choice((3, 4, 4, 5, 5, 5, 6, 6, 6))
    missing = rng.randrange(1, count - 1) if count >= 4 and rng.random() < 0.35 else None
    low, high = rng.uniform(0.011, 0.018), length - rng.uniform(0.011, 0.018)
    rungs = []
    for k in range(count):
        z = low + (high - low) * k / (count - 1) + rng.uniform(-0.0022, 0.0022)
        tilt = rng.uniform(-MAX_RUNG_TILT, MAX_RUNG_TILT) if rng.random() < 0.6 else 0.0
        rise = width / 2.0 * math.tan(tilt)
        if k != missing:
            rungs.append((z - rise, z + rise))
    return tuple(rungs)


def measure_difference_m(a: LadderPlan, b: LadderPlan) -> float:
    """Return the RMS distance of two centred plans' rails at 14 heights; a missing or extra rung adds 2 mm."""
    # Below its foot and above its head, a rail is extended vertically.
    lines_a, lines_b = (
        [
            _find_point(rail, max(z, rail[0][1]))[0]
            for rail in (plan.left, plan.right)
            for z in _OUTLINE_HEIGHTS
        ]
        for plan in (a, b)
    )
    offset = sum(x - y for x, y in zip(lines_a, lines_b, strict=True)) / len(lines_a)
    square = sum((x - y - offset) ** 2 for x, y in zip(lines_a, lines_b, strict=True)) / len(lines_a)
    return math.sqrt(square) + 0.002 * abs(len(a.rungs) - len(b.rungs))


STANDING_STATUSES = (PieceStatus.FREE, PieceStatus.FIXED)


def list_standing(facts: Facts) -> StructurePoses:
    """Return the ladders in play, starting ladders included, for ``World.rebuild``."""
    return [
        (piece.piece, piece.pose, piece.status is PieceStatus.FIXED)
        for piece in facts.pieces
        if piece.status in STANDING_STATUSES
    ]


def make_ground(standing: StructurePoses, ladders: LadderSet, base: Base) -> Ground:
    ladders_below = ((name, ladders[name].boxes, pose) for name, pose, _ in standing)
    return Ground([(BASE, base.boxes, IDENTITY_POSE), *ladders_below])
