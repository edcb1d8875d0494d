"""The placement benchmark: its tables, its figures, and one trial through the real tracker in each seat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from armoon.bench import placement
from armoon.bench.placement import summary
from armoon.bench.placement_table import PlacementTable
from armoon.bench.placement_trial import Outcome, PlacementStage, Setting
from armoon.errors import DisplayError
from armoon.geometry import quat_angle
from armoon.world.trial import TrialTable

AWAY = (0.0, 1.0, 0.0)


def test_a_plan_lies_on_both_starting_ladders_and_is_found_again() -> None:
    plans = []
    for _ in range(2):
        table = PlacementTable(3, AWAY)
        plans.append(table.find_plan())
        offered = table.facts[table.piece].pose.rotation
        standing = tuple((p.piece, p.pose, True) for p in table.facts.pieces if p.piece != table.piece)
        ladders, base, piece = table.ladders, table.base, table.piece
        table.close()
    plan = plans[0]
    assert plan is not None
    assert plans[1] == plan
    assert quat_angle(plan.release.rotation, offered) < 0.3
    trials = TrialTable(ladders, base)
    result = trials.try_drop(standing, piece, plan.release)
    trials.close()
    assert result.contacts == plan.touched == tuple(sorted(name for name, _, _ in standing))


def outcome(placed: bool, error_m: float | None, grabbed: bool = True) -> Outcome:
    made = Outcome(("L01", "L02"), placed=placed, grabbed=grabbed, release_error_m=error_m)
    made.jitter_across_m, made.jitter_along_m = 0.0004, 0.0015
    return made


def test_the_summary_counts_and_takes_medians() -> None:
    figures = summary([outcome(True, 0.002), outcome(True, 0.004), outcome(False, None, grabbed=False)])
    assert (figures["trials"], figures["placed"], figures["grabbed"], figures["dropped"]) == (3, 2, 2, 0)
    assert figures["release_error_mm"] == pytest.approx(3.0)
    assert figures["jitter_mm"] == {"across": pytest.approx(0.4), "along": pytest.approx(1.5)}
    assert figures["lag_ms"] is None


def test_the_figures_are_written_for_every_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class NoStage:
        def __init__(self, setting: Setting, seed: int) -> None:
            self.setting = setting

        def run(self, seed: int) -> Outcome | None:
            return None if seed == 1 else outcome(self.setting.rate_hz > 20.0, 0.003)

        def close(self) -> None:
            """Nothing to free."""

    monkeypatch.setattr(placement, "PlacementStage", NoStage)
    monkeypatch.setenv("ARMOON_BENCH_TRIALS", "6")
    path = tmp_path / "placement.json"
    assert placement.run(path) == 0
    figures = json.loads(path.read_text(encoding="utf-8"))
    assert figures["middle"]["trials"] == figures["middle"]["placed"] == 6
    assert {"release_error_mm", "jitter_mm", "lag_ms", "grabbed", "dropped"} <= set(figures["middle"])
    by_name = {row["name"]: row for row in figures["settings"]}
    assert by_name["15 Hz"]["placed"] == 0
    assert by_name["15 Hz"]["setting"]["rate_hz"] == 15.0
    assert figures["all"]["trials"] == 6 + len(placement.VARIATIONS)


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize("seat", ["table", "mirror"])
def test_a_trial_grabs_once_carries_and_lets_go_once(seat: str) -> None:
    try:
        stage = PlacementStage(Setting(seat=seat), seed=1)
    except DisplayError as error:
        pytest.skip(str(error))
    try:
        result = stage.run(3)
    finally:
        stage.close()
    assert result is not None
    assert result.grabbed
    assert not result.dropped
    assert not result.unmeant_grab
    assert (result.grabs, result.releases) == (1, 1)
    assert result.release_error_m is not None
    assert result.release_error_m < 0.02
    assert result.jitter_across_m is not None
    assert result.jitter_across_m < 0.0015
