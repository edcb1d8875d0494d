"""The world's benchmark: rows that make sense, engines that are missing, and the JSON that it writes."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import world as bench
from benchmarks.towers import SIZES
from benchmarks.world_engines import ENGINES
from benchmarks.world_releases import COMPARED


def a_row(engine: str = "armoon", size: int = 2) -> bench.Row:
    return bench.Row(engine, size, 0.0, 0.001, 0.01, 0.5, 10.0, 33.3, 1.67, 100.0, 10, True)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SETTLE_S", 2.5)
    monkeypatch.setattr(bench, "SLICES", 1)
    monkeypatch.setattr(bench, "SLICE_TICKS", 5)
    monkeypatch.setattr(bench, "RELEASES", 1)
    monkeypatch.setattr(bench, "PUSHES", 1)
    monkeypatch.setattr(bench, "RESUMED", (4,))
    monkeypatch.setattr(bench, "LAID", {2: 1})
    monkeypatch.setattr(bench, "awake_realtime", lambda size: dict(zip(COMPARED, (1.0, 2.0), strict=True)))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_row_of_two_ladders(engine: str) -> None:
    package = bench.PACKAGES.get(engine)
    if package is not None and importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} isn't installed; only this benchmark needs it")
    row = bench.measure(engine, 2, drift_s=0.5)
    assert (row.engine, row.ladders, row.stands) == (engine, 2, True)
    assert row.drift_mm < 0.5
    assert row.penetration_mm < 0.2
    assert row.contacts == 1
    assert row.realtime_rest == pytest.approx(1000.0 / 60.0 / row.ms_rest)
    assert row.realtime_awake == pytest.approx(1000.0 / 60.0 / row.ms_awake)
    assert row.memory_mib > 10.0


def test_missing_engines_are_said_and_left_out_and_the_json_has_the_rows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def fake(engine: str, size: int) -> bench.Row:
        asked.append((engine, size))
        return a_row(engine, size)

    monkeypatch.setattr(bench, "in_a_process", fake)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert bench.run(tmp_path / "world.json") == 0
    assert asked == [("armoon", size) for size in SIZES]
    said = capsys.readouterr().out
    assert "mujoco is not installed" in said
    assert "rapier3d" in said
    written = json.loads((tmp_path / "world.json").read_text())
    assert [row["physics"] for row in written["releases"]] == list(COMPARED)
    assert written["awake_28"] == 2.0
    assert written["strike_12_ms"] == written["releases"][1]["mean_ms"] > 0.0
    assert [row["releases"] for row in written["laid"]] == [1]
    assert written["laid"][0]["otherwise"]["3"] == 0
    assert [row["ladders"] for row in written["resumes"]] == [4]
    assert [(row["physics"], row["pushes"]) for row in written["compliance"]] == [(5, 1), (COMPARED[1], 1)]
    rows = written["towers"]
    assert [row["ladders"] for row in rows] == list(SIZES)
    wanted = {"engine", "ladders", "drift_mm", "penetration_mm", "ms_rest", "ms_awake"}
    assert wanted | {"realtime_rest", "realtime_awake"} <= set(rows[0])


def test_the_table_shows_ratios_to_armoon() -> None:
    other = replace(a_row("mujoco"), ms_awake=20.0)
    table = bench._table([a_row(), other])
    assert table.row_count == 2
    assert list(table.columns[8].cells) == ["10.00 (1.0)", "20.00 (2.0)"]
