"""A released ladder strikes others without penetrating them, and an impact adds no energy."""

from __future__ import annotations

import math

import pytest
from benchmarks.energy import compute_energy_j
from benchmarks.world_releases import release
from support.world_kit import base, ladders

from armoon.values.pieces import Place
from armoon.values.poses import Pose
from armoon.world.local import LocalWorld

#: Maximum rise of mechanical energy after a release, in percent of the released ladder's.
MAX_RISE_PERCENT = 2.0
#: Maximum depth of an overlap, in millimetres.
MAX_OVERLAP_MM = 1.0
#: Seed of a release that, in undivided steps, would strike 10.9 mm deep and raise the energy by 226 %.
WORST_SEED = 10


def test_a_ladder_released_over_a_tower_strikes_it_without_gaining_energy() -> None:
    fall = release(WORST_SEED)
    assert fall.deepest_mm < MAX_OVERLAP_MM
    assert fall.rise_percent < MAX_RISE_PERCENT


def test_the_benchmark_notices_the_energy_gained_in_undivided_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armoon.world.local.can_strike", lambda pieces: False)
    undivided = release(9)
    assert undivided.deepest_mm > 4.0
    assert undivided.rise_percent > 10.0 * MAX_RISE_PERCENT


@pytest.mark.long
def test_none_of_60_releases_gains_energy() -> None:
    for seed in range(60):
        fall = release(seed)
        assert fall.deepest_mm < MAX_OVERLAP_MM, seed
        assert fall.rise_percent < MAX_RISE_PERCENT, seed


def test_the_speed_of_a_long_fall_is_not_capped() -> None:
    world = LocalWorld(ladders(), base())
    world.apply(Place("L05", Pose((0.4, 0.3, 1.2)), fixed=False))
    energy_j = compute_energy_j(world)
    fastest_m_s = 0.0
    while not (facts := world.tick(None)).touching("L05"):
        fastest_m_s = max(fastest_m_s, facts["L05"].speed_m_s)
        assert compute_energy_j(world) < energy_j + 1e-9
        energy_j = compute_energy_j(world)
    world.close()
    height_m = 1.2 - ladders()["L05"].length_m / 2.0
    assert fastest_m_s == pytest.approx(math.sqrt(2.0 * 9.81 * height_m), rel=0.05), (
        "the fall was slowed down"
    )
