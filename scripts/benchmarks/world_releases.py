"""Simulates ladders that are released over a tower, and measures their overlap, energy and time."""

from __future__ import annotations

import math
import random
import statistics
import time
from contextlib import closing
from dataclasses import dataclass

from armoon.clock import TICKS_PER_SECOND
from armoon.geometry import quat
from armoon.values.pieces import Place
from armoon.values.poses import Pose
from armoon.world.bullet import GRAVITY_M_S2, Bullet
from armoon.world.local import LocalWorld
from benchmarks.energy import compute_energy_j
from benchmarks.towers import load_tower

#: Simulated duration, in ticks, in which a ladder can fall onto the table.
FOLLOWED_TICKS = 3 * TICKS_PER_SECOND // 2
#: Maximum distance of the ladder's middle from the tower's along x and y.
SPREAD_M = 0.05
#: Limits of the ladder's height above the tower's top, in metres.
MIN_ABOVE_M, MAX_ABOVE_M = 0.075, 0.195


@dataclass(frozen=True)
class Release:
    deepest_mm: float
    """The deepest overlap in any step."""
    rise_percent: float
    """Maximum gain of mechanical energy above its minimum, as a share of the released energy."""
    mean_ms: float
    """Processor milliseconds per tick, without the measurement."""
    most_ms: float


class _OverlapEngine(Bullet):
    """Records the deepest overlap, and the time spent on measuring it."""

    deepest_m = measuring_s = 0.0

    def step(self) -> None:
        super().step()
        began_s = time.thread_time()
        self.deepest_m = max(self.deepest_m, self.measure_overlap_m())
        self.measuring_s += time.thread_time() - began_s


def release(seed: int, size: int = 12) -> Release:
    """Release a ladder with a random rotation over the stored tower of this size; equal seeds give equal releases."""
    rng = random.Random(seed)
    tower = load_tower(size)
    engine = _OverlapEngine()
    with closing(LocalWorld(tower.ladders, tower.base, engine=engine)) as world:
        world.rebuild(tower.standing, asleep=True)
        facts = world.tick(None)
        in_tower = {piece.piece for piece in facts.pieces}
        ladder = rng.choice([p for p in tower.ladders.ladders if p.piece not in in_tower])
        top_m = max(piece.highest_m for piece in facts.pieces)
        position = (
            rng.uniform(-SPREAD_M, SPREAD_M),
            rng.uniform(-SPREAD_M, SPREAD_M),
            top_m + rng.uniform(MIN_ABOVE_M, MAX_ABOVE_M),
        )
        world.apply(
            Place(ladder.piece, Pose(position, quat([rng.gauss(0.0, 1.0) for _ in range(4)])), fixed=False)
        )
        released_j = ladder.mass_kg * GRAVITY_M_S2 * position[2]
        engine.deepest_m = 0.0
        least_j, rise_j = compute_energy_j(world), 0.0
        times_ms: list[float] = []
        for _ in range(FOLLOWED_TICKS):
            began_s = time.thread_time() - engine.measuring_s
            world.tick(None)
            times_ms.append(1000.0 * (time.thread_time() - engine.measuring_s - began_s))
            energy_j = compute_energy_j(world)
            rise_j, least_j = max(rise_j, energy_j - least_j), min(least_j, energy_j)
    return Release(
        deepest_mm=1000.0 * engine.deepest_m,
        rise_percent=100.0 * rise_j / released_j,
        mean_ms=statistics.fmean(times_ms),
        most_ms=max(times_ms),
    )


def measure_releases(count: int) -> dict[str, float]:
    outcomes = [release(seed) for seed in range(count)]
    depths_mm = sorted(outcome.deepest_mm for outcome in outcomes)
    rises_percent = sorted(outcome.rise_percent for outcome in outcomes)
    p95 = math.ceil(0.95 * count) - 1
    return {
        "releases": count,
        "median_mm": statistics.median(depths_mm),
        "p95_mm": depths_mm[p95],
        "most_mm": depths_mm[-1],
        "p95_rise_percent": rises_percent[p95],
        "most_rise_percent": rises_percent[-1],
        "mean_ms": statistics.fmean(outcome.mean_ms for outcome in outcomes),
        "most_ms": max(outcome.most_ms for outcome in outcomes),
    }
