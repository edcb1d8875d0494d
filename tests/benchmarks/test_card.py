"""The paper ladder's benchmark on a few of its pictures; `scripts/bench card` measures all."""

from __future__ import annotations

import pytest
from benchmarks import card


@pytest.fixture(autouse=True)
def limit_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card, "CARRIES", 1)
    monkeypatch.setattr(card, "PICTURES", 33)


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
