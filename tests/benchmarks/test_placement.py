"""The placement benchmark: its goals and people, and one whole trial in each seat."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from benchmarks import placement
from benchmarks.hand_script import NO_NOISE
from benchmarks.placement_mouse import run_mouse_trial
from benchmarks.placement_people import PEOPLE, PersonEye
from benchmarks.placement_tables import STANDING, PlacementTable, list_cases, read_tables
from benchmarks.placement_trial import EXACT, HEIGHT, WIDTH, Outcome, Setting, SkeletonHand, make_hand_trial
from benchmarks.towers import LiveTable, make_structure

from armoon.camera import profiles
from armoon.errors import SettingsError
from armoon.games.moon.editions import roll_seeded_face
from armoon.games.moon.match import ATTITUDES
from armoon.games.moon.plan_search import PlacementPlan as TurnPlan
from armoon.hands.landmarks import Hands
from armoon.values.choices import SeatName
from armoon.values.pieces import BASE, TABLE, PieceStatus
from armoon.values.poses import IDENTITY_POSE, Pose
from armoon.world.ladders import BOX_SEED, make_ladder_set

SEED = 8
SEAT = profiles.SEATS["table"](WIDTH, HEIGHT)


def test_a_tables_structure_stands_and_its_ladder_is_offered() -> None:
    standing = 8
    case = list_cases(read_tables(), standing)[3]
    with closing(PlacementTable(case.seed, SEAT, case)) as table:
        assert table.piece == case.state().supply[0]
        assert len([p for p in table.facts.pieces if p.status is not PieceStatus.OFFERED]) == standing
        assert table.match.turned_rad == pytest.approx(case.turned_rad)
        assert table.match.state.die is roll_seeded_face(case.game_seed, case.state().turn)


@pytest.mark.parametrize("wrong", [{"seat": "sofa"}, {"person": "sofa"}, {"way": "sofa"}])
def test_an_unknown_option_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="sofa"):
        placement.run(dict[str, Any]().update, **wrong)


def test_every_size_has_at_most_26_goals_with_the_die_of_their_games() -> None:
    for standing in STANDING:
        cases = list_cases(read_tables(), standing)
        assert len(cases) <= 26
        assert abs(2 * sum(case.seat == "table" for case in cases) - len(cases)) <= 1
        for case in cases:
            assert len(case.placed) + 2 == standing
            assert case.release is not None
            assert roll_seeded_face(case.game_seed, case.state().turn).value == case.die


def test_a_ladder_released_at_its_goal_honours_the_die() -> None:
    start = make_structure(2)
    for case in list_cases(read_tables(), 8)[:2]:
        assert case.release is not None
        state = case.state()
        standing = (*start.standing, *((name, pose, False) for name, pose in case.placed))
        with closing(LiveTable(replace(start, standing=standing))) as live:
            die = roll_seeded_face(case.game_seed, state.turn)
            assert live.honours(state.supply[0], case.release, die), case


def test_a_ladder_is_placed_by_mouse_on_a_turned_table_too() -> None:
    standing = 8
    case = next(c for c in list_cases(read_tables(), standing) if c.turned_rad != 0.0)
    trial = run_mouse_trial(Setting(SeatName(case.seat), EXACT, standing), case)
    assert (trial.placed, trial.dropped, trial.grabs, trial.releases) == (True, False, 1, 1)
    assert trial.touched == trial.wanted
    assert trial.seconds is not None


def make_plan(table: PlacementTable, x_m: float = 0.0) -> TurnPlan:
    """Return a plan to release the ladder flat above the structure, ``x_m`` beside the middle."""
    offered = table.facts[table.piece]
    over = Pose((x_m, 0.0, 0.30), ATTITUDES[2])
    landing = table.match.find_landing(replace(offered, pose=over))
    touched = tuple(name for name in landing.touched if name not in (BASE, TABLE))
    return TurnPlan(Pose((x_m, 0.0, 0.30 - landing.fall_m + 0.0008), over.rotation), touched)


class MisreadHand(SkeletonHand):
    frames = 0

    def show(self, grip: Pose, closing: float, time_s: float, index: int) -> Hands:
        self.frames += self.frames > 0 or (closing == 1.0 and grip.position[2] > 0.15)
        return super().show(grip, 0.0 if 0 < self.frames <= 6 else closing, time_s, index)


def run_ideal_trial(setting: Setting, x_m: float = 0.0, device: type[SkeletonHand] = SkeletonHand) -> Outcome:
    seat = profiles.SEATS[setting.seat](WIDTH, HEIGHT)
    with closing(PlacementTable(SEED, seat)) as table:
        hand, plan = device(seat, SEED, noise=NO_NOISE), make_plan(table, x_m)
        return make_hand_trial(hand, seat, table, plan, setting, SEED).run()


@pytest.mark.parametrize(("seat", "player"), [("table", "practised"), ("mirror", EXACT)])
def test_with_an_ideal_tracker_the_ladder_is_placed_and_accepted(seat: str, player: str) -> None:
    result = run_ideal_trial(Setting(SeatName(seat), player, tremor_m=0.0))
    assert (result.grabbed, result.dropped) == (True, False)
    assert (result.grabs, result.releases) == (1, 1)
    assert result.judged
    assert set(result.wanted) <= set(result.touched)
    assert result.release_error_m is not None
    assert result.release_error_m < (0.003 if player == EXACT else 0.012)


def test_a_ladder_left_behind_in_the_air_is_taken_again() -> None:
    result = run_ideal_trial(Setting(player=EXACT, tremor_m=0.0), device=MisreadHand)
    assert (result.tries, result.dropped, result.judged) == (2, False, True)
    assert set(result.wanted) <= set(result.touched)


def test_a_ladder_that_touches_something_else_is_not_placed() -> None:
    result = run_ideal_trial(Setting(player=EXACT, tremor_m=0.0), x_m=-0.12)
    assert result.grabbed
    assert not result.honoured
    assert not result.placed


def test_a_person_halves_the_depth_error_by_looking_but_not_by_waiting() -> None:
    seat, ladder = SEAT, make_ladder_set(BOX_SEED).ladders[0]
    goal, true = Pose((0.0, 0.0, 0.15)), Pose((0.0, 0.02, 0.16))
    errors_m: dict[str, list[float]] = {}
    for name, person in PEOPLE.items():
        for seed in range(12):
            eye = PersonEye(person, seat, ladder, goal, 1.0 / 30.0, np.random.default_rng(seed))
            eye.begin(true)
            sigmas = []
            for _ in range(90):
                sight = eye.look(true, IDENTITY_POSE, 0.15)
                eye.move_estimate((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
                sigmas.append(sight.along_sigma_m)
            errors_m.setdefault(name, []).append(abs(sight.pose.position[1] - true.position[1]))
            assert sigmas[-1] > 0.9 * sigmas[45], "a lasting error is not averaged away"
    means = {name: float(np.mean(errors)) for name, errors in errors_m.items()}
    assert 0.001 < means["practised"] < means["novice"] < 0.008
