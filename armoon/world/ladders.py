"""The thirty ladders of one game, made from a seed: three straight, 27 crooked, all different (ruling M1)."""

from __future__ import annotations

import itertools
import math
import random
from functools import lru_cache

from armoon.errors import WorldError
from armoon.values.pieces import Ladder, LadderSet, PieceId
from armoon.values.poses import Vec2
from armoon.world.wood import RAIL_WIDTH_M, Plan, Polyline, build_ladder

#: The 30 ladders are the same in every game, as in a box; they were generated from this seed.
BOX_SEED = 7
STRAIGHT_LADDERS = 3
LADDERS = 30

#: The straight ladder: published photographs show it 3.6 times as high as wide, with five rungs.
STRAIGHT_LENGTH_M = 0.115
STRAIGHT_WIDTH_M = 0.032
STRAIGHT_RUNGS = 5
STRAIGHT_MARGIN_M = 0.016

#: Crooked ladders, before their rails' ends are cut unevenly (by up to UNEVEN_M each).
SHORTEST_M, LONGEST_M = 0.086, 0.132
NARROWEST_M, WIDEST_M = 0.023, 0.036
UNEVEN_M = 0.004
#: Segments of a rail lean at most this much from the ladder's axis.
MOST_LEAN = math.radians(13.0)
#: Both rails bend together; each strays by itself at most this much.
STRAY_M = 0.0018
MOST_RUNG_TILT = math.radians(12.0)
#: The least root-mean-square distance between the outlines of two ladders of a set, taken at 14 heights.
LEAST_DIFFERENCE_M = 0.0012
#: A draw that intersects itself or resembles another ladder is drawn again.
MOST_DRAWS = 200

_OUTLINE_HEIGHTS = tuple(k * 0.01 for k in range(14))


# Drawing a set takes 50 ms; title, game and pages of one evening show the same one.
@lru_cache(maxsize=4)
def make_ladder_set(seed: int) -> LadderSet:
    """Return the 30 ladders of a seed: L01 to L03 straight, L04 to L30 crooked; equal seeds give equal ladders."""
    ladders = [_straight(f"L{n:02d}", seed) for n in range(1, STRAIGHT_LADDERS + 1)]
    plans: list[Plan] = []
    for n in range(STRAIGHT_LADDERS + 1, LADDERS + 1):
        plan, ladder = _crooked(f"L{n:02d}", seed, plans)
        plans.append(plan)
        ladders.append(ladder)
    return LadderSet(seed, tuple(ladders))


def straight_plan(
    length_m: float = STRAIGHT_LENGTH_M,
    width_m: float = STRAIGHT_WIDTH_M,
    rungs: int = STRAIGHT_RUNGS,
    without: tuple[int, ...] = (),
) -> Plan:
    """Return a straight ladder: ``width_m`` over its rails' outer faces, rungs evenly spaced, some left out."""
    x = (width_m - RAIL_WIDTH_M) / 2.0
    step = (length_m - 2.0 * STRAIGHT_MARGIN_M) / (rungs - 1)
    heights = [STRAIGHT_MARGIN_M + k * step for k in range(rungs) if k not in without]
    return Plan(((-x, 0.0), (-x, length_m)), ((x, 0.0), (x, length_m)), tuple((z, z) for z in heights))


def _straight(piece: PieceId, seed: int) -> Ladder:
    tone = random.Random(f"tone {seed} {piece}").random()
    return build_ladder(piece, straight_plan(), straight=True, tone=tone)


def _crooked(piece: PieceId, seed: int, others: list[Plan]) -> tuple[Plan, Ladder]:
    """Return the first draw of this piece that is sound and unlike the others."""
    # A stream per piece, from text: stable across Python versions and independent of the other pieces' draws.
    dice = random.Random(f"ladder {seed} {piece}")
    for _ in range(MOST_DRAWS):
        plan = _draw_plan(dice)
        tone = dice.random()
        try:
            ladder = build_ladder(piece, plan, straight=False, tone=tone)
        except WorldError:
            continue
        if all(plan_difference_m(plan, other) >= LEAST_DIFFERENCE_M for other in others):
            return plan, ladder
    raise WorldError(f"Seed {seed} gives no sound ladder {piece}.", remedy="Choose another seed.")


def _draw_plan(dice: random.Random) -> Plan:
    """Return a crooked ladder: rails bent, tapered or splayed; rungs straight or tilted, one perhaps missing."""
    length = dice.uniform(SHORTEST_M, LONGEST_M)
    segments = dice.choice((2, 2, 3, 3, 4))
    foot_width = dice.uniform(NARROWEST_M, WIDEST_M)
    # Below 1 the ladder tapers towards its head, above 1 it splays.
    head_width = min(WIDEST_M + 0.002, max(NARROWEST_M - 0.004, foot_width * dice.uniform(0.62, 1.35)))
    shares = [dice.uniform(0.7, 1.3) for _ in range(segments)]
    heights = [length * sum(shares[:k]) / sum(shares) for k in range(segments + 1)]
    middle = [0.0]
    for low, high in itertools.pairwise(heights):
        middle.append(middle[-1] + (high - low) * math.tan(dice.uniform(-MOST_LEAN, MOST_LEAN)))
    rails: list[Polyline] = []
    for side in (-1.0, 1.0):
        points: list[Vec2] = []
        for k, (x, z) in enumerate(zip(middle, heights, strict=True)):
            width = foot_width + (head_width - foot_width) * z / length
            stray = dice.uniform(-STRAY_M, STRAY_M)
            uneven = dice.uniform(-UNEVEN_M, UNEVEN_M) if k in (0, segments) else 0.0
            points.append((x + side * (width - RAIL_WIDTH_M) / 2.0 + stray, z + uneven))
        rails.append(tuple(points))
    return Plan(rails[0], rails[1], _draw_rungs(dice, length, (foot_width + head_width) / 2.0))


def _draw_rungs(dice: random.Random, length: float, width: float) -> tuple[tuple[float, float], ...]:
    """Where 3 to 6 rungs meet the two rails."""
    # Crowded draws are refused more often: they are drawn more often.
    count = dice.choice((3, 4, 4, 5, 5, 5, 6, 6, 6))
    missing = dice.randrange(1, count - 1) if count >= 4 and dice.random() < 0.35 else None
    low, high = dice.uniform(0.011, 0.018), length - dice.uniform(0.011, 0.018)
    rungs = []
    for k in range(count):
        z = low + (high - low) * k / (count - 1) + dice.uniform(-0.0022, 0.0022)
        tilt = dice.uniform(-MOST_RUNG_TILT, MOST_RUNG_TILT) if dice.random() < 0.6 else 0.0
        rise = width / 2.0 * math.tan(tilt)
        if k != missing:
            rungs.append((z - rise, z + rise))
    return tuple(rungs)


def plan_difference_m(a: Plan, b: Plan) -> float:
    """How unlike two plans are: the root mean square of their rails' distances at 14 heights, once centred.

    A missing or additional rung counts as two millimetres.
    """
    lines_a, lines_b = _outline(a), _outline(b)
    shift = sum(x - y for x, y in zip(lines_a, lines_b, strict=True)) / len(lines_a)
    square = sum((x - y - shift) ** 2 for x, y in zip(lines_a, lines_b, strict=True)) / len(lines_a)
    return math.sqrt(square) + 0.002 * abs(len(a.rungs) - len(b.rungs))


def _outline(plan: Plan) -> list[float]:
    """Both rails' x at fixed heights; beyond a rail's end, its end's x."""
    return [_x_at(rail, z) for rail in (plan.left, plan.right) for z in _OUTLINE_HEIGHTS]


def _x_at(rail: Polyline, z: float) -> float:
    if z <= rail[0][1]:
        return rail[0][0]
    for (x0, z0), (x1, z1) in itertools.pairwise(rail):
        if z <= z1:
            return x0 + (x1 - x0) * (z - z0) / (z1 - z0)
    return rail[-1][0]
