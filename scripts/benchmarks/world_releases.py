"""Measure ladders released over a tower, the search for a landing, and towers that are set up again."""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from armoon.clock import TICKS_PER_SECOND
from armoon.geometry import quat, quat_angle, quat_from_axis_angle
from armoon.values.pieces import BASE, Facts, PieceId, Place, Remove
from armoon.values.poses import IDENTITY_POSE, Pose, Quat
from armoon.world.bullet import GRAVITY_M_S2, Bullet
from armoon.world.checks import Standing
from armoon.world.exact import Ground
from armoon.world.ladders import standing_of
from armoon.world.local import LocalWorld
from benchmarks.towers import STAGE, load_tower

#: Time for which a release is followed, until it has fallen on the table.
FOLLOWED_TICKS = 3 * TICKS_PER_SECOND // 2
#: Maximum distance of the ladder's middle from the tower's, seen from above.
SPREAD_M = 0.05
#: Limits of its height above the tower's top: half its length, and up to a hand's breadth and a half more.
LEAST_ABOVE_M, MOST_ABOVE_M = 0.075, 0.195


@dataclass(frozen=True)
class Release:
    """The outcome of one release."""

    deepest_mm: float
    """The deepest overlap in any step."""
    rise_percent: float
    """The most by which mechanical energy rose above the least it had been, in parts of what was let go of."""
    mean_ms: float
    """Processor milliseconds of a tick, without those of the watch over it."""
    most_ms: float


class _Watched(Bullet):
    """Records the deepest overlap, and the time spent on measuring it."""

    deepest_seen_m = looking_s = 0.0

    def step(self) -> None:
        """Advance, and look."""
        super().step()
        began_s = time.thread_time()
        self.deepest_seen_m = max(self.deepest_seen_m, self.deepest_m())
        self.looking_s += time.thread_time() - began_s


def release(seed: int, size: int = 12) -> Release:
    """Let a ladder go, at a random turn, over the kept tower of so many; equal seeds give equal releases."""
    dice = random.Random(seed)
    tower = load_tower(size)
    engine = _Watched()
    world = LocalWorld(tower.ladders, tower.base, engine=engine)
    try:
        world.rebuild(tower.standing, asleep=True)
        facts = world.tick(None)
        there = {piece.piece for piece in facts.pieces}
        ladder = dice.choice([one for one in tower.ladders.ladders if one.piece not in there])
        top_m = max(piece.highest_m for piece in facts.pieces)
        at = (
            dice.uniform(-SPREAD_M, SPREAD_M),
            dice.uniform(-SPREAD_M, SPREAD_M),
            top_m + dice.uniform(LEAST_ABOVE_M, MOST_ABOVE_M),
        )
        world.apply(Place(ladder.piece, Pose(at, _any_turn(dice)), fixed=False))
        let_go_j = ladder.mass_kg * GRAVITY_M_S2 * at[2]
        engine.deepest_seen_m = 0.0
        least_j, rise_j = world.energy_j(), 0.0
        times_ms: list[float] = []
        for _ in range(FOLLOWED_TICKS):
            began_s = time.thread_time() - engine.looking_s
            world.tick(None)
            times_ms.append(1000.0 * (time.thread_time() - engine.looking_s - began_s))
            energy_j = world.energy_j()
            rise_j, least_j = max(rise_j, energy_j - least_j), min(least_j, energy_j)
    finally:
        world.close()
    return Release(
        deepest_mm=1000.0 * engine.deepest_seen_m,
        rise_percent=100.0 * rise_j / let_go_j,
        mean_ms=statistics.fmean(times_ms),
        most_ms=max(times_ms),
    )


@dataclass(frozen=True)
class Releases:
    """The outcomes of many releases."""

    releases: int
    median_mm: float
    p95_mm: float
    most_mm: float
    p95_rise_percent: float
    most_rise_percent: float
    mean_ms: float
    most_ms: float


def releases(count: int) -> Releases:
    """Release this many ladders over the tower of 12."""
    all_of = [release(seed) for seed in range(count)]
    deep = sorted(one.deepest_mm for one in all_of)
    rises = sorted(one.rise_percent for one in all_of)
    p95 = min(count - 1, math.ceil(0.95 * count) - 1)
    return Releases(
        releases=count,
        median_mm=statistics.median(deep),
        p95_mm=deep[p95],
        most_mm=deep[-1],
        p95_rise_percent=rises[p95],
        most_rise_percent=rises[-1],
        mean_ms=statistics.fmean(one.mean_ms for one in all_of),
        most_ms=max(one.most_ms for one in all_of),
    )


def _any_turn(dice: random.Random) -> Quat:
    return quat([dice.gauss(0.0, 1.0) for _ in range(4)])


#: Attitudes and places that are tried over a tower.
TURNS, ASIDE_M, OVER_M = 40, (-0.03, 0.0, 0.03), 0.35


def landing_ms(size: int) -> dict[str, float]:
    """Milliseconds over the kept tower of this many ladders: the median, and nine of ten."""
    tower = load_tower(size)
    standing = [(name, tower.ladders[name].boxes, pose) for name, pose, _ in tower.standing]
    ground = Ground([(BASE, tower.base.boxes, IDENTITY_POSE), *standing])
    used = {name for name, _, _ in tower.standing}
    held = next(ladder for ladder in tower.ladders.ladders if ladder.piece not in used)
    taken_s = []
    for k in range(TURNS):
        level = k / math.sqrt(2.0)
        axis = (math.cos(level), math.sin(level), 0.0)
        rotation = quat_from_axis_angle(axis, math.pi * k / TURNS)
        for x in ASIDE_M:
            begun_s = time.thread_time()
            ground.under(held, Pose((x, 0.0, OVER_M), rotation))
            taken_s.append(time.thread_time() - begun_s)
    taken_s.sort()
    return {"median": 1000.0 * median(taken_s), "nine_of_ten": 1000.0 * taken_s[len(taken_s) * 9 // 10]}


#: Number of ladders of the tower of 24 that are used.
RESUMED = (4, 8, 12, 16, 20, 24)
#: Seconds for which a resumed game stands before the next ladder is offered.
WAIT_TICKS = 2 * TICKS_PER_SECOND // 3
#: Distance of a ladder's ends from its middle.
END_M = 0.07
#: Maximum time to come to rest.
RESUMED_TICKS = 15 * TICKS_PER_SECOND
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
    for _ in range(RESUMED_TICKS):
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
