"""The placement benchmark: its targets, its schedule and figures, and one whole trial in each seat."""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from support.app_kit import ideal_hands

from armoon.bench import placement
from armoon.bench.placement import MIDDLE, Plan, Results, summary
from armoon.bench.placement_parts import target as placement_target
from armoon.bench.placement_parts.table import PlacementTable
from armoon.bench.placement_parts.target import FEWEST_FORGIVEN, TUMBLED_RAD, Target, TargetFinder
from armoon.bench.placement_parts.trial import Outcome, PlacementStage, Setting, Trial, seat_at
from armoon.errors import DisplayError, SettingsError
from armoon.geometry import quat_angle, quat_rotate
from armoon.hands.tracking.landmarks import Hands
from armoon.players.hand import WRIST_RAD
from armoon.values.facts import PieceStatus
from armoon.values.poses import Pose
from armoon.world.structures.copying import standing_of
from armoon.world.structures.trial import TrialTable

AWAY = (0.0, 1.0, 0.0)
SEED = 8
"""A table with a place that forgives all slips, found soon."""


def test_a_target_honours_the_die_within_the_wrists_reach_and_is_found_again() -> None:
    targets = []
    for _ in range(2):
        table = PlacementTable(SEED, seat_at(Setting()))
        targets.append(table.find_target(AWAY, SEED))
        facts, piece = table.facts, table.piece
        die, ladders, base = table.match.status.die, table.match.ladders, table.match.base
        table.close()
    target = targets[0]
    assert target is not None
    assert targets[1] == target
    assert facts[piece].status is PieceStatus.OFFERED
    assert die is not None
    assert die.value == "TWO"
    assert len(target.plan.touched) == 2
    assert FEWEST_FORGIVEN <= target.forgiven <= 8
    assert target.turned_rad <= TUMBLED_RAD
    assert quat_angle(target.plan.release.rotation, facts[piece].pose.rotation) < WRIST_RAD
    trials = TrialTable(ladders, base)
    result = trials.try_drop(standing_of(facts), piece, target.plan.release)
    trials.close()
    assert result.settled
    assert result.contacts == target.plan.touched


def test_a_place_is_called_forgiving_only_if_slips_end_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TargetFinder, "_ends_as", lambda self, plan, start: False)
    monkeypatch.setattr(placement_target, "MOST_TRIES", 150)
    table = PlacementTable(SEED, seat_at(Setting()))
    try:
        assert table.find_target(AWAY, SEED) is None
    finally:
        table.close()


def outcome(placed: bool, error_m: float | None, grabbed: bool = True, seed: int = 1) -> Outcome:
    made = Outcome(seed, ("L01", "L02"), placed=placed, grabbed=grabbed, release_error_m=error_m)
    made.jitter_across_m, made.jitter_along_m = 0.0004, 0.0015
    return made


def test_the_summary_counts_and_takes_medians() -> None:
    figures = summary([outcome(True, 0.002), outcome(True, 0.004), outcome(False, None, grabbed=False)])
    assert (figures["trials"], figures["placed"], figures["grabbed"], figures["dropped"]) == (3, 2, 2, 0)
    assert figures["release_error_mm"] == pytest.approx(3.0)
    assert figures["jitter_mm"] == {"across": pytest.approx(0.4), "along": pytest.approx(1.5)}
    assert figures["lag_ms"] is None
    assert figures["unjudged"] == 3


def test_middle_settings_come_first_and_the_others_take_turns() -> None:
    results = Results(Plan(middle_trials=2, other_trials=2, first_seed=5))
    order = []
    while (key := results.next_key()) is not None:
        order.append(key)
        seed = results.next_seed(key)
        results.tried[key][seed] = outcome(True, 0.001, seed=seed)
    others = len(placement.VARIATIONS) * 2
    assert all(name == MIDDLE for name, _ in order[:4])
    assert len(set(order[4 : 4 + others])) == others
    assert len(order) == 4 + 2 * others
    assert all(sorted(tried) == [5, 6] for tried in results.tried.values())


class NoStage:
    """Needs no graphics: every table whose seed is a multiple of five has no place."""

    made: ClassVar[list[tuple[str, int]]] = []

    def __init__(self, setting: Setting, seed: int, targets: dict[int, Target | None]) -> None:
        self.setting = setting

    def run(self, seed: int) -> Outcome | None:
        self.made.append((self.setting.seat, seed))
        return None if seed % 5 == 0 else outcome(self.setting.rate_hz > 20.0, 0.003, seed=seed)

    def close(self) -> None:
        """Nothing to free."""


@pytest.fixture
def no_stage(monkeypatch: pytest.MonkeyPatch) -> type[NoStage]:
    NoStage.made.clear()
    monkeypatch.setattr(placement, "PlacementStage", NoStage)
    return NoStage


def test_the_figures_are_written_for_every_setting(no_stage: type[NoStage], tmp_path: Path) -> None:
    path = tmp_path / "placement.json"
    assert placement.run(path, trials=6) == 0
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert figures["middle"]["trials"] == figures["middle"]["placed"] == 12
    assert figures["middle_by_seat"]["mirror"]["trials"] == 6
    assert {"release_error_mm", "jitter_mm", "lag_ms", "grabbed", "dropped", "time_s"} <= set(
        figures["middle"]
    )
    slow = [row for row in figures["settings"] if row["name"] == "15 Hz"]
    assert [row["placed"] for row in slow] == [0, 0]
    assert {row["setting"]["seat"] for row in slow} == {"table", "mirror"}
    assert figures["all"]["trials"] == 12 + 2 * len(placement.VARIATIONS)
    middle = next(row for row in figures["settings"] if row["name"] == MIDDLE)
    assert middle["passed_over"] == 1


def test_a_quick_run_has_the_middle_setting_alone(no_stage: type[NoStage], tmp_path: Path) -> None:
    path = tmp_path / "placement.json"
    assert placement.run(path, seat="mirror", quick=True, first_seed=21) == 0
    figures = json.loads(path.read_text(encoding="utf-8"))
    assert figures["all"]["trials"] == placement.QUICK_TRIALS
    assert no_stage.made == [("mirror", 21 + k) for k in range(placement.QUICK_TRIALS)]


def test_an_interrupted_run_keeps_its_figures_and_is_gone_on_with(
    no_stage: type[NoStage], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "placement.json"
    whole = no_stage.run

    def interrupted(self: NoStage, seed: int) -> Outcome | None:
        if len(no_stage.made) == 3:
            raise KeyboardInterrupt
        return whole(self, seed)

    monkeypatch.setattr(no_stage, "run", interrupted)
    assert placement.run(path, trials=4, quick=True) == 130
    assert json.loads(path.read_text(encoding="utf-8"))["all"]["trials"] == 3
    monkeypatch.setattr(no_stage, "run", whole)
    assert placement.run(path, trials=4, quick=True) == 0
    figures = json.loads(path.read_text(encoding="utf-8"))
    assert figures["all"]["trials"] == 8
    assert len(no_stage.made) == len(set(no_stage.made))


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "placement.json"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"placement\.json"):
        placement.run(path)
    with pytest.raises(SettingsError, match="sofa"):
        placement.run(None, seat="sofa")


class IdealStage:
    """No graphics: its pictures are the hand's true pose, which ``track`` reads without error."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.seat = setting, seat_at(setting)

    def picture(self, grip: Pose, closing: float) -> tuple[Pose, float]:
        return grip, closing

    def track(self, picture: tuple[Pose, float], time_s: float, frame_index: int) -> Hands:
        return ideal_hands(self.seat, *picture, time_s)


@functools.cache
def target_of(seat: str) -> Target:
    here = seat_at(Setting(seat=seat))
    table = PlacementTable(SEED, here)
    target = table.find_target(quat_rotate(here.table_from_camera.rotation, (0.0, 0.0, 1.0)), SEED)
    table.close()
    assert target is not None
    return target


def ideal_trial(setting: Setting, target: Target) -> Outcome:
    stage = IdealStage(setting)
    table = PlacementTable(SEED, stage.seat)
    try:
        return Trial(stage, table, target, stage, SEED).run()  # type: ignore[arg-type]
    finally:
        table.close()


@pytest.mark.parametrize("seat", ["table", "mirror"])
def test_before_an_ideal_tracker_the_ladder_is_placed_and_the_referee_says_so(seat: str) -> None:
    result = ideal_trial(Setting(seat=seat, tremor_m=0.0), target_of(seat))
    assert (result.grabbed, result.dropped, result.unmeant_grab) == (True, False, False)
    assert (result.grabs, result.releases) == (1, 1)
    assert result.placed
    assert result.honoured
    assert result.touched == result.wanted
    assert result.release_error_m is not None
    assert result.release_error_m < 0.003
    assert result.lag_ms is not None
    assert abs(result.lag_ms) < 20.0


def test_a_ladder_that_touches_something_else_is_not_placed() -> None:
    target = target_of("table")
    x, y, z = target.plan.release.position
    beside = replace(target.plan, release=Pose((x - 0.12, y, z), target.plan.release.rotation))
    result = ideal_trial(Setting(tremor_m=0.0), replace(target, plan=beside))
    assert result.grabbed
    assert result.judged
    assert not result.honoured
    assert not result.placed


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize("seat", ["table", "mirror"])
def test_a_trial_grabs_once_carries_lets_go_once_and_is_judged(seat: str) -> None:
    try:
        stage = PlacementStage(Setting(seat=seat), seed=1)
    except DisplayError as error:
        pytest.skip(str(error))
    try:
        result = stage.run(SEED)
    finally:
        stage.close()
    assert result is not None
    assert result.grabbed
    assert not result.dropped
    assert not result.unmeant_grab
    assert (result.grabs, result.releases) == (1, 1)
    assert result.judged
    assert result.placed is (result.touched == result.wanted)
    assert result.release_error_m is not None
    assert result.release_error_m < 0.01
    assert result.jitter_across_m is not None
    assert result.jitter_across_m < 0.0015
