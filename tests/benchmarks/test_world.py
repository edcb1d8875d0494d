"""The world's benchmark gives plausible figures."""

from __future__ import annotations

import pytest
from benchmarks import world as bench


def test_a_row_of_two_ladders_is_plausible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SETTLE_S", 2.5)
    monkeypatch.setattr(bench, "SLICES", 1)
    monkeypatch.setattr(bench, "SLICE_TICKS", 5)
    row = bench.measure(2, drift_s=0.5)
    assert (row.ladders, row.stands, row.contacts) == (2, True, 1)
    assert row.drift_mm < 0.5
    assert row.penetration_mm < 0.2
