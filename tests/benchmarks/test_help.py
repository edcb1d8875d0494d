"""The benchmark of the faint ladder: how its colours are counted, and one structure measured."""

from __future__ import annotations

import pytest
from benchmarks import help as faint
from benchmarks.help import Row
from benchmarks.towers import LiveTable, starting_structure


def row(first: str, honoured: bool, kept: str = "holds") -> Row:
    return Row(1, 2, False, "hook", "ONE", first, kept, honoured, 0.01)


def test_each_colour_is_compared_with_its_outcome() -> None:
    rows = [row("holds", True), row("holds", False), row("doubtful", True), row("fails", False)]
    figures = faint._figures(rows)
    assert (figures["releases"], figures["green"], figures["red"]) == (4, 2, 1)
    assert (figures["green_honoured"], figures["green_share"], figures["red_honoured"]) == (0.5, 0.5, 0.0)
    assert faint._figures([row("doubtful", False)])["green_honoured"] is None


def test_a_few_releases_over_two_ladders_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faint, "RELEASES", 5)
    monkeypatch.setattr(faint, "PATIENCE_S", 0.5)
    live = LiveTable(starting_structure(2))
    rows = list(faint._rows(live, False, 3))
    live.close()
    assert [one.way for one in rows] == list(faint.WAYS)
    assert faint._figures(rows)["stands"] == 1.0
