"""Random stable placements: ladders dropped one after another, without a figure in mind."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from armoon.geometry import quat, quat_from_axis_angle, quat_multiply
from armoon.values.pieces import LadderSet, PieceId
from armoon.values.poses import Pose, Quat
from armoon.world.base import CONFIGURATION_NAMES
from armoon.world.checks import Standing
from benchmarks.figure_parts.scene import Placement, Table
from benchmarks.structures.towers import above_something

#: Number of ladder sets, used in turn.
SETS = 12
#: Number of ladders, or of failed drops, after which a structure is left for a new one.
MOST_LADDERS = 7
MOST_DROPS = 60
#: How people hold ladders: flat (as towers grow), upright as offered and twisted by so much, or anyhow.
STYLES = ("flat", "upright", "any")
UPRIGHT_TWIST_RAD = math.radians(25.0)


@dataclass(frozen=True)
class RandomPlacement:
    """A ladder that came to stand somewhere, and the way it was held."""

    style: str
    placement: Placement
    before: tuple[Placement, ...]
    """The earlier placements on the same table, oldest first."""


def random_placements(seed: int) -> Iterator[RandomPlacement]:
    """Endless random stable placements, equal for equal seeds: all base configurations, sets and styles."""
    dice = random.Random(f"random placements {seed}")
    sets = [dice.randrange(1000) for _ in range(SETS)]
    while True:
        style = dice.choice(STYLES)
        before: list[Placement] = []
        table = Table(dice.choice(sets), dice.choice(CONFIGURATION_NAMES), dice.choice((2, 2, 3)))
        try:
            for _ in range(MOST_DROPS):
                piece = dice.choice(table.supply())
                start = _start(table.ladders, table.standing, piece, style, dice)
                placement = table.drop(piece, start)
                if placement is not None:
                    yield RandomPlacement(style, placement, tuple(before))
                    before.append(placement)
                if len(table.standing) >= MOST_LADDERS:
                    break
        finally:
            table.close()


def _start(ladders: LadderSet, standing: Standing, piece: PieceId, style: str, dice: random.Random) -> Pose:
    """Somewhere above the structure, in this style."""
    above = above_something(ladders, standing, piece, dice)
    if style == "flat":
        return above
    x, y, z = above.position
    return Pose((x, y, z + 0.5 * ladders[piece].length_m), _turn(style, dice))


def _turn(style: str, dice: random.Random) -> Quat:
    if style == "any":
        return quat([dice.gauss(0.0, 1.0) for _ in range(4)])
    yaw = quat_from_axis_angle((0.0, 0.0, 1.0), dice.uniform(-math.pi, math.pi))
    tilts = [dice.gauss(0.0, UPRIGHT_TWIST_RAD) for _ in range(2)]
    twist = quat_from_axis_angle((0.0, 1.0, 0.0), tilts[0])
    lean = quat_from_axis_angle((1.0, 0.0, 0.0), tilts[1])
    return quat_multiply(yaw, quat_multiply(lean, twist))
