"""The number of substeps for a step in which a fast body is about to strike.

Bullet notices a contact only once bodies overlap, and pushes them apart with a speed that grows with the overlap: at
240 Hz a falling ladder passed up to 9 mm into another and came out with twice the energy. So while a
fast body is near enough to strike within the step, the step is divided into parts, in each of which the overlap stays
within its limit; a part needs fewer iterations, because it changes less.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from armoon.clock import TICK_S
from armoon.values.facts import PieceStatus
from armoon.values.poses import Vec3
from armoon.world.bullet import GRAVITY_M_S2, STEP_S, Bullet
from armoon.world.piece import Piece

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
    position: Vec3
    radius_m: float
    way_m: float
    """No point of it goes further in the next step."""
    strikes: bool
    """It is free; a held or standing ladder is only struck."""


def may_strike(pieces: Iterable[Piece]) -> bool:
    """Whether any ladder may become fast within the next tick: a cheap question, for towers at rest."""
    return any(piece.loose and END_SHARE * piece.speed_m_s > SLOW_M_S for piece in pieces)


def parts(engine: Bullet, pieces: Iterable[Piece], ground: Sequence[int]) -> int:
    """In how many parts the next step is to be taken; ``ground``: the bodies of base and table."""
    movers = [_mover(engine, piece, piece.body) for piece in pieces if piece.body is not None]
    needed = 1
    for mover in sorted(movers, key=lambda one: -one.way_m):
        wanted = min(MOST_PARTS, math.ceil(mover.way_m / PART_WAY_M))
        if mover.strikes and wanted > needed and _is_near(engine, mover, movers, ground):
            needed = wanted
    return needed


def _mover(engine: Bullet, piece: Piece, body: int) -> _Mover:
    linear, angular = engine.velocity(body)
    radius_m = piece.solid.radius_m
    speed = math.hypot(*linear) + radius_m * math.hypot(*angular)
    free = piece.status is PieceStatus.FREE
    way_m = (speed + GRAVITY_M_S2 * STEP_S) * STEP_S if speed > 0.0 else 0.0
    return _Mover(body, engine.pose(body).position, radius_m, way_m, free)


def _is_near(engine: Bullet, mover: _Mover, movers: Sequence[_Mover], ground: Sequence[int]) -> bool:
    """Whether it may strike anything within the next step."""
    for other in movers:
        way_m = mover.way_m + other.way_m
        apart_m = math.dist(mover.position, other.position) - mover.radius_m - other.radius_m
        if (
            other is not mover
            and apart_m <= way_m
            and engine.closest(mover.body, other.body, way_m) is not None
        ):
            return True
    return any(engine.closest(mover.body, body, mover.way_m) is not None for body in ground)
