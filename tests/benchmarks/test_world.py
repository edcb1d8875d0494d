"""The world's benchmark: rows that make sense, and the figures of every part."""

from __future__ import annotations

from typing import Any

import pytest
from benchmarks import world as bench
from benchmarks.towers import SIZES


def test_a_row_of_two_ladders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SETTLE_S", 2.5)
    monkeypatch.setattr(bench, "SLICES", 1)
    monkeypatch.setattr(bench, "SLICE_TICKS", 5)
    row = bench.measure(2, drift_s=0.5)
    assert (row.ladders, row.stands) == (2, True)
    assert row.drift_mm < 0.5
    assert row.penetration_mm < 0.2
    assert row.contacts == 1
    assert row.realtime_rest == pytest.approx(1000.0 / 60.0 / row.ms_rest)
    assert row.realtime_awake == pytest.approx(1000.0 / 60.0 / row.ms_awake)
    assert row.memory_mib > 10.0


def test_the_figures_of_every_part_are_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "RELEASES", 1)
    monkeypatch.setattr(bench, "PUSHES", 1)
    monkeypatch.setattr(
        bench,
        "in_a_process",
        lambda size: bench.Row(size, 0.0, 0.001, 0.01, 0.5, 10.0, 33.3, 1.67, 100.0, 10, True),
    )
    written: dict[str, Any] = {}
    bench.run(written.update)
    assert [row["ladders"] for row in written["towers"]] == list(SIZES)
    assert written["awake_28"] == 1.67
    assert written["releases"]["mean_ms"] > 0.0
    assert written["compliance"]["pushes"] == 1
