"""The placement benchmark: its cases and eyes, its schedule and figures, and one whole trial in each seat."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks import placement
from benchmarks.hand_script import HandScript, Keyframe
from benchmarks.placement_parts.cases import Case, is_deep, is_laid
from benchmarks.placement_parts.eye import ExactEye, ScreenEye
from benchmarks.placement_parts.figures import summary
from benchmarks.placement_parts.outcomes import VARIATIONS, Plan, Results
from benchmarks.placement_parts.people import PEOPLE, PersonEye, manner_of
from benchmarks.placement_parts.pressing import run_pressed
from benchmarks.placement_parts.setting import EYES, HELPS, KEYS, SWITCH, Setting, seat_at, tremor_of
from benchmarks.placement_parts.skill import presses_at_lid
from benchmarks.placement_parts.stages import RenderedStage
from benchmarks.placement_parts.table import PlacementTable
from benchmarks.placement_parts.tables import SHA256_FIRST, SHA256_V1, cases_of, read_tables
from benchmarks.placement_parts.trial import Outcome, Trial
from support.app_kit import ideal_hands

from armoon.errors import DisplayError, SettingsError
from armoon.games.moon.player.placer import Plan as TurnPlan
from armoon.games.moon.rules.values import face_of_turn
from armoon.games.moon.table.lid import ATTITUDES
from armoon.geometry import quat_angle, quat_from_axis_angle
from armoon.hands.tracking.landmarks import Hands
from armoon.hands.tracking.tracker import HandTracker
from armoon.values.choices import Steadiness
from armoon.values.facts import PieceStatus
from armoon.values.pieces import BASE, TABLE
from armoon.values.poses import IDENTITY_POSE, Pose
from armoon.world.ladders import BOX_SEED, make_ladder_set

SEED = 8
SEATS = ("table", "mirror")


FLAT = quat_from_axis_angle((1.0, 0.0, 0.0), math.pi / 2.0)


def test_a_place_is_deep_or_laid_as_its_player_sees_it() -> None:
    aside = Pose((0.03, 0.0, 0.13))
    assert not is_deep(aside, 0.0)
    assert is_deep(aside, math.pi / 2.0)
    assert not is_laid(aside, 0.0)
    assert is_laid(aside, math.pi / 2.0), "seen edge on"
    assert is_laid(Pose(aside.position, FLAT), 0.4)


@pytest.mark.parametrize("standing", [2, 8])
def test_a_tables_structure_stands_and_its_ladder_is_offered(standing: int) -> None:
    case = cases_of(read_tables(), standing)[3]
    table = PlacementTable(case.seed, seat_at(Setting()), case)
    try:
        assert table.piece == case.state().supply[0]
        assert len([p for p in table.facts.pieces if p.status is not PieceStatus.OFFERED]) == standing
        assert table.match.turned_rad == pytest.approx(case.turned_rad)
        assert table.match.state.die is face_of_turn(case.game_seed, case.state().turn)
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


def test_a_hand_that_shakes_goes_as_far_as_it_is_told_4_to_12_times_a_second() -> None:
    case = Setting(shaking_m=0.005)
    script = HandScript([Keyframe(IDENTITY_POSE, 0.0, 0.0)], tremor=tremor_of(case, 3))
    times = np.arange(0.0, 20.0, 1.0 / 120.0)
    places = np.array([script.state(float(t)).palm.position for t in times])
    assert places.std() == pytest.approx(0.005 / math.sqrt(2.0), rel=0.1)
    power = np.abs(np.fft.rfft(places[:, 0])) ** 2
    rates = np.fft.rfftfreq(len(times), 1.0 / 120.0)
    assert power[(rates > 3.5) & (rates < 12.5)].sum() > 0.98 * power.sum()


def test_the_main_settings_come_first_and_the_others_take_turns() -> None:
    results = Results(Plan(trials=2))
    order = []
    while (key := results.next_key()) is not None:
        order.append(key)
        seed = results.next_seed(key)
        results.tried[key][seed] = outcome(True, 0.001, seed=seed)
    sizes = [key for key, cases in results.cases.items() if cases]
    main = len(EYES) * len(sizes)
    assert len(set(order[:main])) == main
    twice = sum(results.wanted[key] for key in set(order[:main]))
    assert {results.settings[key].without for key in order[:twice]} == {""}
    others = [results.settings[key] for key in order[twice:]]
    assert {setting.eye for setting in others if not setting.shaking_m} == {"screen"}
    shaken = [setting for setting in others if setting.shaking_m]
    assert {setting.eye for setting in shaken} == {"exact"}, "by an exact eye, for it is about the hand"
    assert {(s.shaking_m, s.steadiness) for s in shaken} == set(product((0.002, 0.005, 0.01), Steadiness))
    assert len(order) == twice + 2 * (len(HELPS) + len(VARIATIONS) + 9)
    assert {len(tried) for tried in results.tried.values()} - {0} == {1, 2}, "of sizes that have tables"


class NoTrial:
    """Needs no graphics: only who sees exactly places anything."""

    def __init__(self) -> None:
        self.made: list[tuple[Setting, int]] = []
        self.breaks_at: int | None = None

    def run(self, setting: Setting, case: Case, log: Path | None = None) -> Outcome | None:
        if len(self.made) == self.breaks_at:
            raise KeyboardInterrupt
        self.made.append((setting, case.seed))
        made = outcome(setting.eye == "exact", 0.003, seed=case.seed)
        return replace(made, kind=case.kind, builder=case.builder, tower=case.tower, hand=case.hand)


def in_seat(standing: int, seat: str) -> int:
    return sum(case.seat == seat for case in cases_of(read_tables(), standing))


@pytest.fixture
def no_trial(monkeypatch: pytest.MonkeyPatch) -> NoTrial:
    made = NoTrial()
    monkeypatch.setattr(placement, "run_trial", made.run)
    return made


def test_the_figures_are_written_by_eye_size_and_help(no_trial: NoTrial, tmp_path: Path) -> None:
    path = tmp_path / "placement.json"
    assert placement.run(path, trials=6) == 0
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert set(figures["eyes"]) == {"novice", "practised", "screen", "exact", "chance"}
    assert figures["tables"] == SHA256_V1
    for eye, placed in (("screen", 0), ("exact", 12)):
        by_size = figures["eyes"][eye]["standing"]
        assert set(by_size) == {"2", "8", "16", "24"}
        for standing, row in by_size.items():
            there = sum(min(6, in_seat(int(standing), seat)) for seat in SEATS)
            assert row["trials"] == there
            assert row["placed"] == (there if placed else 0)
            assert {"honoured", "grabbed", "dropped", "time_s"} <= set(row)
            assert set(row["by_seat"]) == set(SEATS)
    rows = {(row["name"], row["standing"]): row for row in figures["rows"]}
    for split in ("by_kind", "by_builder", "by_tower", "by_hand", "by_seat"):
        parts = rows["exact", 8][split].values()
        assert sum(part["trials"] for part in parts) == rows["exact", 8]["trials"], split
    assert rows["exact", 8]["placed_95"][1] == pytest.approx(1.0)
    assert rows["screen", 8]["placed_95"][0] == pytest.approx(0.0, abs=1e-9)
    helps = figures["eyes"]["screen"]["helps"]
    assert set(helps) == set(HELPS)
    assert helps["inset"]["without"]["trials"] == helps["inset"]["with"]["trials"] == 4
    assert helps["inset"]["adds"] == 0.0
    assert "helps" not in figures["eyes"]["exact"]
    assert {setting.without for setting, _ in no_trial.made} == {"", *HELPS}


def test_a_quick_run_leaves_nothing_out_and_varies_nothing(no_trial: NoTrial, tmp_path: Path) -> None:
    path = tmp_path / "placement.json"
    chosen: dict[str, Any] = {"seat": "mirror", "eye": "exact", "tracker": "skeleton"}
    assert placement.run(path, quick=True, first_seed=1, **chosen) == 0
    figures = json.loads(path.read_text(encoding="utf-8"))
    there = {standing: in_seat(standing, "mirror") - 1 for standing in (2, 8, 16, 24)}
    assert figures["all"]["trials"] == sum(min(placement.QUICK_TRIALS, max(0, n)) for n in there.values())
    assert {setting.standing for setting, _ in no_trial.made} == {size for size, n in there.items() if n > 0}
    assert {(s.seat, s.eye, s.tracker) for s, _ in no_trial.made} == {("mirror", "exact", "skeleton")}


def test_an_interrupted_run_keeps_its_figures_and_is_gone_on_with(no_trial: NoTrial, tmp_path: Path) -> None:
    path = tmp_path / "placement.json"
    no_trial.breaks_at = 4
    assert placement.run(path, trials=2, quick=True) == 130
    assert len(json.loads(path.read_text(encoding="utf-8"))["trials"]) == 4
    no_trial.breaks_at = None
    assert placement.run(path, trials=2, quick=True) == 0
    assert json.loads(path.read_text(encoding="utf-8"))["all"]["trials"] == len(EYES) * sum(
        min(2, in_seat(standing, seat)) for standing in (2, 8, 16, 24) for seat in SEATS
    )
    assert len(no_trial.made) == len(set(no_trial.made))


@pytest.mark.parametrize(("tables", "again"), [(SHA256_V1, 0), (SHA256_FIRST, 0), ("another", 4)])
def test_only_trials_of_the_same_goals_are_taken_over(
    no_trial: NoTrial, tables: str, again: int, tmp_path: Path
) -> None:
    path = tmp_path / "placement.json"
    asked: dict[str, Any] = {"trials": 1, "quick": True, "eye": "exact", "seat": "mirror"}
    placement.run(path, **asked)
    figures = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**figures, "tables": tables}), encoding="utf-8")
    no_trial.made.clear()
    placement.run(path, **asked)
    assert len(no_trial.made) == again, "one a size"


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "placement.json"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"placement\.json"):
        placement.run(path)


@pytest.mark.parametrize(("by", "standing"), [(KEYS, 8), (SWITCH, 2)])
def test_a_ladder_is_placed_without_a_hand_on_a_turned_table_too(by: str, standing: int) -> None:
    case = next(c for c in cases_of(read_tables(), standing) if c.turned_rad != 0.0)
    made = run_pressed(Setting(seat=case.seat, eye="exact", standing=standing, tracker=by), case)
    assert (made.placed, made.dropped, made.grabs, made.releases) == (True, False, 1, 1)
    assert made.touched == made.wanted
    assert made.seconds is not None


@pytest.mark.parametrize(
    "wrong",
    [{"seat": "sofa"}, {"eye": "sofa"}, {"tracker": "sofa"}, {"tracker": "keys", "eye": "screen"}],
)
def test_a_word_that_isnt_known_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=r"sofa|screen"):
        placement.run(None, **wrong)


class IdealStage:
    """No graphics: its pictures are the hand's true pose, which ``track`` reads without error."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.seat = setting, seat_at(setting)

    def picture(self, grip: Pose, closing: float) -> tuple[Pose, float]:
        return grip, closing

    def track(self, picture: tuple[Pose, float], time_s: float, frame_index: int) -> Hands:
        return ideal_hands(self.seat, *picture, time_s)


def plan_over(table: PlacementTable, x_m: float = 0.0) -> TurnPlan:
    """Straight down onto whatever stands there, flat; ``x_m`` beside the middle."""
    offered = table.facts[table.piece]
    over = Pose((x_m, 0.0, 0.30), ATTITUDES[2])
    landing = table.match.landing_under(replace(offered, pose=over))
    touched = tuple(name for name in landing.touched if name not in (BASE, TABLE))
    return TurnPlan(Pose((x_m, 0.0, 0.30 - landing.fall_m + 0.0008), over.rotation), touched)


class MisreadStage(IdealStage):
    """A fifth of a second of the way up is read as open fingers."""

    frames = 0

    def picture(self, grip: Pose, closing: float) -> tuple[Pose, float]:
        self.frames += self.frames > 0 or (closing == 1.0 and grip.position[2] > 0.15)
        return grip, 0.0 if 0 < self.frames <= 6 else closing


def ideal_trial(
    setting: Setting, x_m: float = 0.0, stage_of: Callable[[Setting], IdealStage] = IdealStage
) -> Outcome:
    stage = stage_of(setting)
    table = PlacementTable(SEED, stage.seat)
    try:
        return Trial(stage, table, plan_over(table, x_m), stage, SEED).run()
    finally:
        table.close()


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("eye", ["screen", "exact"])
def test_before_an_ideal_tracker_the_ladder_is_laid_and_the_referee_says_so(seat: str, eye: str) -> None:
    result = ideal_trial(Setting(seat=seat, eye=eye, tremor_m=0.0))
    assert (result.grabbed, result.dropped, result.unmeant_grab) == (True, False, False)
    assert (result.grabs, result.releases) == (1, 1)
    assert result.judged
    assert set(result.wanted) <= set(result.touched)
    assert result.release_error_m is not None
    assert result.release_error_m < (0.003 if eye == "exact" else 0.012)
    assert result.lag_ms is not None
    assert abs(result.lag_ms) < 20.0


@pytest.mark.parametrize("seat", SEATS)
def test_who_sees_that_the_ladder_stays_behind_in_the_air_goes_for_it_again(seat: str) -> None:
    result = ideal_trial(Setting(seat=seat, eye="exact", tremor_m=0.0), stage_of=MisreadStage)
    assert (result.tries, result.dropped, result.judged) == (2, False, True)
    assert set(result.wanted) <= set(result.touched)


def test_a_ladder_that_touches_something_else_is_not_placed() -> None:
    result = ideal_trial(Setting(eye="exact", tremor_m=0.0), x_m=-0.12)
    assert result.grabbed
    assert not result.honoured
    assert not result.placed


def test_the_honest_eye_learns_depth_from_the_side_view_and_the_exact_one_knows_it() -> None:
    seat, ladder = seat_at(Setting(seat="mirror")), make_ladder_set(BOX_SEED).ladders[0]
    goal, true = Pose((0.0, 0.0, 0.15)), Pose((0.0, 0.02, 0.16))
    errors: dict[str, float] = {}
    for without in ("", "inset"):
        found = []
        for seed in range(8):
            eye = ScreenEye(seat, ladder, goal, without, 1.0 / 30.0, np.random.default_rng(seed))
            eye.begin(true)
            for _ in range(60):
                seen = eye.look(true, IDENTITY_POSE, 0.15)
                eye.felt((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
            found.append(abs(seen.pose.position[1] - true.position[1]))
        errors[without] = float(np.mean(found))
    assert errors[""] < 0.003
    assert errors["inset"] > 1.5 * errors[""]
    assert ExactEye().look(true, IDENTITY_POSE, 0.15).pose == true


@pytest.mark.parametrize("seat", SEATS)
def test_a_person_sees_worse_than_the_honest_eye_and_never_surer_by_waiting(seat: str) -> None:
    at, ladder = seat_at(Setting(seat=seat)), make_ladder_set(BOX_SEED).ladders[0]
    goal, true = Pose((0.0, 0.0, 0.15)), Pose((0.0, 0.02, 0.16))
    found: dict[str, list[float]] = {}
    for name, person in PEOPLE.items():
        for without in ("", "inset"):
            for seed in range(20):
                eye = PersonEye(person, at, ladder, goal, without, 1.0 / 30.0, np.random.default_rng(seed))
                eye.begin(true)
                sigmas = []
                for _ in range(150):
                    seen = eye.look(true, IDENTITY_POSE, 0.15)
                    eye.felt((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
                    sigmas.append(seen.along_sigma_m)
                error = abs(seen.pose.position[1] - true.position[1])
                found.setdefault(name + without, []).append(error)
                assert sigmas[-1] > 0.9 * sigmas[60], "a lasting error is not averaged away"
    means = {name: float(np.mean(errors)) for name, errors in found.items()}
    assert 0.001 < means["practised"] < means["novice"] < 0.008
    assert means["noviceinset"] > 1.2 * means["novice"], "depth is in the side view"


def test_people_are_not_alike_from_trial_to_trial_and_press_wrong_keys() -> None:
    manners = [manner_of(PEOPLE["novice"], seed) for seed in range(200)]
    depths = np.abs([manner.free_depth_m for manner in manners])
    assert 0.03 <= depths.min() < 0.04 < 0.09 < depths.max() <= 0.10
    assert {manner.free_depth_m > 0.0 for manner in manners} == {True, False}
    skilled = manner_of(PEOPLE["practised"], 1)
    assert skilled.gain_per_s is not None
    assert manners[0].gain_per_s is not None
    assert skilled.gain_per_s > manners[0].gain_per_s
    assert skilled.wrong_keys < manners[0].wrong_keys


def test_presses_at_the_lid_bring_any_attitude_within_reach() -> None:
    table = PlacementTable(SEED, seat_at(Setting()))
    try:
        goal = quat_from_axis_angle((0.3, 0.8, -0.5), 2.1)
        step_rad = math.radians(15.0)
        presses = presses_at_lid(IDENTITY_POSE, goal, table.match.tilted, step_rad, tilts=True)
        for press in presses:
            table.tick(table.time_s + 1.0 / 60.0, None, (press,))
        for _ in range(3):
            table.tick(table.time_s + 1.0 / 60.0, None)
        assert 0 < len(presses) < 20
        assert quat_angle(table.facts[table.piece].pose.rotation, goal) < math.radians(13.0)
    finally:
        table.close()


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize("seat", SEATS)
def test_a_trial_grabs_once_carries_lets_go_once_and_is_judged(seat: str) -> None:
    try:
        stage = RenderedStage(Setting(seat=seat), seed=1)
    except DisplayError as error:
        pytest.skip(str(error))
    table = PlacementTable(SEED, stage.seat)
    try:
        with HandTracker(watch_second_hand=False) as tracker:
            result = Trial(stage, table, plan_over(table), tracker, SEED).run()
    finally:
        table.close()
        stage.close()
    assert result.grabbed
    assert not result.dropped
    assert not result.unmeant_grab
    assert (result.grabs, result.releases) == (1, 1)
    assert result.judged
    assert result.release_error_m is not None
    assert result.release_error_m < 0.012
    assert result.jitter_across_m is not None
    assert result.jitter_across_m < 0.0015
