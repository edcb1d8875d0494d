"""How far towers shift when they are set up again as in a resumed game, and when they are woken after that."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from armoon.clock import TICKS_PER_SECOND
from armoon.geometry import quat_angle
from armoon.values.facts import Facts
from armoon.values.orders import Place, Remove
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose
from armoon.world.checks import Standing
from armoon.world.local import LocalWorld
from armoon.world.standing import standing_of
from benchmarks.structures.towers import STAGE, load_tower

#: Number of ladders of the tower of 24 that are used.
RESUMED = (4, 8, 12, 16, 20, 24)
#: Seconds for which a resumed game stands before the next ladder is offered.
WAIT_TICKS = 2 * TICKS_PER_SECOND // 3
#: Distance of a ladder's ends from its middle.
END_M = 0.07
#: Maximum time to come to rest.
MOST_TICKS = 15 * TICKS_PER_SECOND
#: A pose away from everything.
ASIDE = Pose((0.5, 0.5, 0.3))


@dataclass(frozen=True)
class Resume:
    """One tower; the ladder that moved most, at its ends."""

    ladders: int
    asleep_mm: float
    """Before anything touches it."""
    woken_mm: float
    """Once it has been woken and is at rest again."""
    uninterrupted_mm: float
    """The same of the tower that wasn't set up again."""


def resume(ladders: int) -> Resume:
    """Let a tower stand, set it up again, and wake both."""
    tower = load_tower(STAGE)
    world = LocalWorld(tower.ladders, tower.base)
    again = LocalWorld(tower.ladders, tower.base)
    spare = next(
        one.piece for one in tower.ladders.ladders if one.piece not in {n for n, _, _ in tower.standing}
    )
    try:
        world.rebuild(tower.standing[:ladders])
        _rest(world)
        stood = standing_of(_wake(world, spare))
        again.rebuild(stood, asleep=True)
        for _ in range(WAIT_TICKS):
            facts = again.tick(None)
        asleep_mm = _shift_mm(stood, facts)
        return Resume(
            ladders=ladders,
            asleep_mm=asleep_mm,
            woken_mm=_shift_mm(stood, _wake(again, spare)),
            uninterrupted_mm=_shift_mm(stood, _wake(world, spare)),
        )
    finally:
        world.close()
        again.close()


def _wake(world: LocalWorld, spare: PieceId) -> Facts:
    """Put a ladder far away and take it off again: all wakes, and nothing is touched."""
    world.apply(Place(spare, ASIDE, fixed=False))
    world.apply(Remove(spare))
    return _rest(world)


def _rest(world: LocalWorld) -> Facts:
    facts = world.tick(None)
    for _ in range(MOST_TICKS):
        if facts.at_rest:
            break
        facts = world.tick(None)
    return facts


def _shift_mm(stood: Standing, facts: Facts) -> float:
    poses: Mapping[PieceId, Pose] = {piece.piece: piece.pose for piece in facts.pieces}
    return 1000.0 * max(
        math.dist(pose.position, poses[name].position)
        + END_M * quat_angle(pose.rotation, poses[name].rotation)
        for name, pose, _ in stood
    )
