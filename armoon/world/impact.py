"""The number of substeps for a step in which a fast body is about to strike.

Bullet notices a contact only once bodies overlap, and pushes them apart with a speed that grows with the overlap: at
240 Hz a falling ladder passed up to 9 mm into another and came out with twice the energy. So while a
fast body is near enough to strike within the step, the step is divided into parts, in each of which the overlap stays
within its limit; a part needs fewer iterations, because it changes less.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from armoon.clock import TICK_S
from armoon.values.poses import Vec3
from armoon.world.bullet import GRAVITY_M_S2, STEP_S, Bullet
from armoon.world.contact import Solid

#: Maximum way of any point of a ladder in one part of a step, while it may strike something.
PART_WAY_M = 0.0007
#: Number of parts of the finest steps: 3 m/s go 0.8 mm in each.
MOST_PARTS = 16
#: A ladder that was no faster than this at the last tick can't become fast enough within the next one: it falls.
SLOW_M_S = PART_WAY_M / STEP_S - GRAVITY_M_S2 * TICK_S
#: Rest is measured at 50 mm from a ladder's middle; its ends are at most this much farther out.
END_SHARE = 1.7


def may_strike(speeds_m_s: Iterable[float]) -> bool:
    """Whether any loose ladder may become fast within the next tick: a cheap question, for towers at rest."""
    return any(END_SHARE * speed_m_s > SLOW_M_S for speed_m_s in speeds_m_s)


def parts(engine: Bullet, solids: Iterable[tuple[Solid, bool]], ground: Sequence[int]) -> int:
    """In how many parts the next step is to be taken.

    ``solids``: the ladders with a body, and whether each is free; ``ground``: the bodies of base and table.
    """
    # Plain numbers: this runs at every step while anything is fast.
    ladders = list(solids)
    ways_m = [_way_m(engine, solid) for solid, _ in ladders]
    # A held or standing ladder is only struck.
    strikers = [k for k, (_, free) in enumerate(ladders) if free and ways_m[k] > PART_WAY_M]
    if not strikers:
        return 1
    places = [engine.pose(solid.bodies[0]).position for solid, _ in ladders]
    needed = 1
    for k in sorted(strikers, key=lambda one: -ways_m[one]):
        wanted = min(MOST_PARTS, math.ceil(ways_m[k] / PART_WAY_M))
        if wanted > needed and _is_near(engine, k, [solid for solid, _ in ladders], ways_m, places, ground):
            needed = wanted
    return needed


def _way_m(engine: Bullet, solid: Solid) -> float:
    """No point of a ladder goes further in the next step."""
    linear, angular = engine.velocity(solid.bodies[0])
    speed = math.hypot(*linear) + solid.radius_m * math.hypot(*angular)
    return (speed + GRAVITY_M_S2 * STEP_S) * STEP_S if speed > 0.0 else 0.0


def _is_near(
    engine: Bullet,
    striker: int,
    solids: Sequence[Solid],
    ways_m: Sequence[float],
    places: Sequence[Vec3],
    ground: Sequence[int],
) -> bool:
    """Whether one of these ladders, by its number, may strike anything within the next step."""
    mover, place = solids[striker], places[striker]
    for other, (solid, there) in enumerate(zip(solids, places, strict=True)):
        way_m = ways_m[striker] + ways_m[other]
        apart_m = math.dist(place, there) - mover.radius_m - solid.radius_m
        if (
            other != striker
            and apart_m <= way_m
            and engine.closest(mover.bodies[0], solid.bodies[0], way_m) is not None
        ):
            return True
    return any(engine.closest(mover.bodies[0], body, ways_m[striker]) is not None for body in ground)
