"""The attack tools themselves: do they find planted faults?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import armoon
from attacks.mutate import AREAS, TESTS, find_planted
from attacks.planted import ROWS
from attacks.slopes import estimate_slope
from attacks.soak import LIMITS_PER_HOUR, judge_growth

HOUR_S = np.arange(0.0, 3600.0, 5.0)


def make_series(slope_per_hour: float) -> list[float]:
    chance = np.random.default_rng(1)
    steps = 5.0 * (HOUR_S // 300.0 % 2)
    return list(300.0 + steps + chance.normal(0.0, 1.0, len(HOUR_S)) + slope_per_hour * HOUR_S / 3600.0)


@pytest.mark.parametrize("slope", [-30.0, 0.0, 6.0, 60.0])
def test_a_slope_is_found_through_noise_and_steps(slope: float) -> None:
    measured = estimate_slope(list(HOUR_S), make_series(slope))
    assert abs(measured.per_hour - slope) < 3.0
    assert measured.noise_per_hour < 3.0


def test_a_leak_is_found_and_noise_is_not_mistaken_for_one() -> None:
    name = "memory of the game, MB"
    limit = LIMITS_PER_HOUR[name]
    for slope, leaks in ((0.0, False), (limit + 10.0, True)):
        _, faults = judge_growth({"series": {name: [list(HOUR_S), make_series(slope)]}})
        assert bool(faults) == leaks


def test_a_short_soak_has_no_result() -> None:
    rows, faults = judge_growth({"series": {"threads": [[0.0, 5.0], [7.0, 7.0]]}})
    assert "too few samples" in rows[0]
    assert faults == []


@pytest.mark.parametrize("name", [test for _, tests in AREAS.values() for test in tests])
def test_every_area_names_existing_tests(name: str) -> None:
    assert (TESTS / name).is_file()


def test_every_bug_of_the_table_can_be_planted() -> None:
    missing = [row for row in ROWS if find_planted(row, Path(armoon.__file__).parent) is None]
    assert missing == [], "the code has changed: correct the row, or remove it with its subject"
    assert all((TESTS / test).exists() for row in ROWS for test in row.tests)
