"""Benchmarks of few seconds give plausible figures."""

from __future__ import annotations

import pytest
from benchmarks import card, world
from benchmarks import help as ghosts
from benchmarks.towers import LiveTable, make_structure


@pytest.fixture(autouse=True)
def limit_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card, "CARRIES", 1)
    monkeypatch.setattr(card, "PICTURES", 33)
    monkeypatch.setattr(ghosts, "RELEASES", 5)
    monkeypatch.setattr(ghosts, "PATIENCE_S", 0.5)
    monkeypatch.setattr(world, "SETTLE_S", 2.5)
    monkeypatch.setattr(world, "SLICES", 1)
    monkeypatch.setattr(world, "SLICE_TICKS", 5)


def test_a_few_releases_over_two_ladders_are_measured() -> None:
    live = LiveTable(make_structure(2))
    rows = list(ghosts._measure_rows(live, False, 3))
    live.close()
    assert [row.way for row in rows] == list(ghosts.WAYS)
    assert ghosts._summarise(rows)["stands"] == 1.0


def test_a_row_of_two_ladders_is_plausible() -> None:
    row = world.measure(2, drift_s=0.5)
    assert (row.ladders, row.stands, row.contacts) == (2, True, 1)
    assert row.drift_mm < 0.5
    assert row.penetration_mm < 0.2


def test_a_slow_card_is_located_within_the_targets() -> None:
    row = card.measure_row(640, 0.5, 0.1, 60)
    assert row.lost == 0
    assert sorted(row.tip_mm)[len(row.tip_mm) // 2] < 2.0
    assert max(row.jump_mm) < 3.0


@pytest.mark.slow
def test_only_the_thumb_grabs_and_releases() -> None:
    figures = card.measure_grips(2, 640)
    assert figures["false_grab"] == figures["false_release"] == figures["missed_release"] == 0.0
    assert figures["released"] == 100.0
