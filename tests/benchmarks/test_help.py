"""The benchmark of the ghost, the faint ladder that shows a landing, with one structure."""

from __future__ import annotations

import pytest
from benchmarks import help as faint
from benchmarks.towers import LiveTable, make_structure


def test_a_few_releases_over_two_ladders_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faint, "RELEASES", 5)
    monkeypatch.setattr(faint, "PATIENCE_S", 0.5)
    live = LiveTable(make_structure(2))
    rows = list(faint._measure_rows(live, False, 3))
    live.close()
    assert [row.way for row in rows] == list(faint.WAYS)
    assert faint._summarise(rows)["stands"] == 1.0
