"""The number of substeps for a step in which a fast body is about to strike.

Bullet notices a contact only once bodies overlap, and pushes them apart with a speed that grows with the overlap: at
240 Hz a falling ladder passed up to 9 mm into another and came out with twice the energy. So while a
fast body is near enough to strike within the step, the step is divided into parts, in each of which the overlap stays
within its limit; a part needs fewer iterations, because it changes less.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from armoon.clock import TICK_S
from armoon.values.poses import Vec3
from armoon.world.bullet import GRAVITY_M_S2, STEP_S, Bullet
from armoon.world.contact import Solid

#: No point of a ladder goes further in one part of a step, while it may strike something.
PART_WAY_M = 0.0007
#: Number of parts of the finest steps: 3 m/s go 0.8 mm in each.
MOST_PARTS = 16
#: A ladder that was no faster than this at the last tick can't become fast enough within the next one: it falls.
SLOW_M_S = PART_WAY_M / STEP_S - GRAVITY_M_S2 * TICK_S
#: Rest is measured at 50 mm from a ladder's middle; its ends are at most this much farther out.
END_SHARE = 1.7


@dataclass(frozen=True)
class _Mover:
    """A ladder that something may strike, or that may strike."""

    body: int
    radius_m: float
    way_m: float
    """No point of it goes further in the next step."""
    strikes: bool
    """It is free; a held or standing ladder is only struck."""


def may_strike(speeds_m_s: Iterable[float]) -> bool:
    """Whether any loose ladder may become fast within the next tick: a cheap question, for towers at rest."""
    return any(END_SHARE * speed_m_s > SLOW_M_S for speed_m_s in speeds_m_s)


def parts(engine: Bullet, solids: Iterable[tuple[Solid, bool]], ground: Sequence[int]) -> int:
    """In how many parts the next step is to be taken.

    ``solids``: the ladders with a body, and whether each is free; ``ground``: the bodies of base and table.
    """
    movers = [_mover(engine, solid, free) for solid, free in solids]
    if not any(mover.strikes and mover.way_m > PART_WAY_M for mover in movers):
        return 1
    places = {mover.body: engine.pose(mover.body).position for mover in movers}
    needed = 1
    for mover in sorted(movers, key=lambda one: -one.way_m):
        wanted = min(MOST_PARTS, math.ceil(mover.way_m / PART_WAY_M))
        if mover.strikes and wanted > needed and _is_near(engine, mover, movers, places, ground):
            needed = wanted
    return needed


def _mover(engine: Bullet, solid: Solid, free: bool) -> _Mover:
    (body, *_), radius_m = solid.bodies, solid.radius_m
    linear, angular = engine.velocity(body)
    speed = math.hypot(*linear) + radius_m * math.hypot(*angular)
    way_m = (speed + GRAVITY_M_S2 * STEP_S) * STEP_S if speed > 0.0 else 0.0
    return _Mover(body, radius_m, way_m, free)


def _is_near(
    engine: Bullet,
    mover: _Mover,
    movers: Sequence[_Mover],
    places: Mapping[int, Vec3],
    ground: Sequence[int],
) -> bool:
    """Whether it may strike anything within the next step."""
    for other in movers:
        way_m = mover.way_m + other.way_m
        apart_m = math.dist(places[mover.body], places[other.body]) - mover.radius_m - other.radius_m
        if (
            other is not mover
            and apart_m <= way_m
            and engine.closest(mover.body, other.body, way_m) is not None
        ):
            return True
    return any(engine.closest(mover.body, body, mover.way_m) is not None for body in ground)
