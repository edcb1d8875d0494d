"""The placement benchmark with a paper ladder: how the card is held, and one whole trial."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from benchmarks.placement_card import (
    SWAYS_M_S,
    TAP_RAD,
    WAYS,
    PaperPlacingHand,
    PaperStage,
    PaperTable,
    PaperTrial,
    half_way_back,
    run_card_trial,
    taps_to_easiest,
)
from benchmarks.placement_hand import Doing, Faint, Surroundings
from benchmarks.placement_people import ExactEye
from benchmarks.placement_tables import cases_of, read_tables
from benchmarks.placement_trial import EXACT, Setting
from benchmarks.towers import starting_structure

from armoon.camera.profiles import SEATS
from armoon.games.moon.choosing.foretelling import Foretold
from armoon.games.moon.player.placer import PlacementPlan
from armoon.games.moon.table.match import ATTITUDES
from armoon.geometry import quat_angle, quat_from_axis_angle, quat_multiply, quat_rotate
from armoon.players.demo import facing, paper_habits
from armoon.values.choices import SeatName
from armoon.values.pieces import BASE, TABLE, Facts, PieceFacts, PieceStatus
from armoon.values.poses import IDENTITY_POSE, IDENTITY_QUAT, Pose
from armoon.values.scene import Fate

SEED = 1001


@pytest.mark.parametrize("seat", sorted(SEATS))
def test_a_card_faces_the_camera_as_well_as_it_can_at_both_ends(seat: str) -> None:
    where = SEATS[seat](640, 360)
    view = quat_rotate(where.table_from_camera.rotation, (0.0, 0.0, 1.0))
    easy = facing(where)
    assert quat_rotate(easy, (0.0, 0.0, 1.0)) == pytest.approx([-one for one in view])
    turn = quat_from_axis_angle((0.3, 0.9, 0.1), 1.6)
    taking = quat_multiply(half_way_back(turn), easy)
    assert quat_angle(taking, easy) == pytest.approx(0.8)
    assert quat_angle(quat_multiply(turn, taking), easy) == pytest.approx(0.8)
    assert quat_angle(half_way_back(IDENTITY_QUAT), IDENTITY_QUAT) < 1e-6


def test_the_lid_is_tapped_to_a_side_that_spares_more_turning_than_the_taps_are_worth() -> None:
    assert taps_to_easiest(ATTITUDES, ATTITUDES[0]) == 0
    assert taps_to_easiest(ATTITUDES, ATTITUDES[3]) == 3
    a_little = quat_from_axis_angle((0.0, 1.0, 0.0), 2.0 * TAP_RAD)
    assert taps_to_easiest(ATTITUDES, a_little) == 0


def told(fate: Fate, *numbers: int) -> Foretold:
    """What the faint ladder shows, with how many others the ladder would touch."""
    return Foretold(fate, None, (), (), numbers, fate is Fate.HOLDS, "")


def standing(speed_m_s: float) -> Facts:
    """Return one ladder that stands, or sways."""
    piece = PieceFacts("L01", PieceStatus.FREE, Pose((0.0, 0.0, 0.1)), 0.2, 0.0, speed_m_s)
    return Facts(0, (piece,), (), "L09", held_frozen=False, grip_gap_m=None, at_rest=False)


class LateEye(ExactEye):
    late_s = 0.25


def heeds(shown: Foretold | None, facts: Facts, seconds: float) -> tuple[Doing, int]:
    """Hold a ladder that is meant to touch one other, and come back to it each time; how that ends, after how many."""
    seat = SEATS["table"](640, 360)
    ladders, habits = starting_structure(2).ladders, paper_habits(seat)
    around = Surroundings(ladders, "L09", habits, lambda way, by: IDENTITY_QUAT, lambda _: Faint())
    hand = PaperPlacingHand(
        around, PlacementPlan(IDENTITY_POSE, ("L01",)), LateEye(), 0.0, habits.rest.rotation, 0, lambda: shown
    )
    hand.doing = Doing.HEEDING
    for frame in range(round(30 * seconds)):
        hand._see_colour(frame / 30)
        if hand.doing is Doing.LINING_UP:
            hand._begin(Doing.HEEDING, frame / 30)
        if hand.doing is Doing.HEEDING:
            hand._heeding(facts, frame / 30, frame / 30 - hand.since_s, 1 / 30)
    return hand.doing, hand.looks


@pytest.mark.parametrize(
    ("shown", "speed_m_s", "seconds", "ends", "looks"),
    [
        (told(Fate.HOLDS, 1), 0.0, 0.2, Doing.HEEDING, 0),
        (told(Fate.HOLDS, 1), 0.0, 0.6, Doing.OPENING, 0),
        (told(Fate.HOLDS, 1), 2 * SWAYS_M_S, 2.0, Doing.HEEDING, 0),
        (told(Fate.HOLDS, 1), 2 * SWAYS_M_S, 4.0, Doing.OPENING, 0),
        (told(Fate.FAILS), 0.0, 1.4, Doing.HEEDING, 1),
        (told(Fate.HOLDS, 1, 2), 0.0, 9.0, Doing.OPENING, len(WAYS)),
        (told(Fate.DOUBTFUL, 1), 0.0, 9.0, Doing.OPENING, len(WAYS)),
        (None, 0.0, 0.9, Doing.HEEDING, 0),
        (None, 0.0, 1.4, Doing.OPENING, 0),
    ],
)
def test_a_person_lets_go_at_green_and_tries_again_where_it_isnt_a_few_times(
    shown: Foretold | None, speed_m_s: float, seconds: float, ends: Doing, looks: int
) -> None:
    assert heeds(shown, standing(speed_m_s), seconds) == (ends, looks)


@pytest.mark.slow
def test_a_card_turns_a_ladder_by_a_third_and_lays_it_over_others_without_a_key() -> None:
    stage = PaperStage(Setting(player=EXACT), SEED)
    table = PaperTable(SEED, stage.seat)
    try:
        offered, rotation = table.facts[table.piece], ATTITUDES[2]
        above = table.match.landing_under(replace(offered, pose=Pose((0.0, 0.0, 0.30), rotation)))
        touched = tuple(name for name in above.touched if name not in (BASE, TABLE))
        assert touched
        release = Pose((0.0, 0.0, 0.30 - above.fall_m + 0.002), rotation)
        outcome = PaperTrial(stage, table, PlacementPlan(release, touched), SEED).run()
    finally:
        table.close()
    assert quat_angle(offered.pose.rotation, rotation) > 2.0
    assert outcome.grabbed
    assert not outcome.dropped
    assert outcome.release_error_m is not None
    assert outcome.release_error_m < 0.005
    assert outcome.release_error_rad is not None
    assert outcome.release_error_rad < math.radians(2.0)


@pytest.mark.slow
def test_taps_of_the_thumb_turn_the_ladder_in_the_lid_and_arent_counted_as_taking() -> None:
    case = next(case for case in cases_of(read_tables(), 8) if case.kind == "flat")
    outcome = run_card_trial(Setting(SeatName(case.seat), standing=8), case)
    assert (outcome.grabbed, outcome.dropped, outcome.releases) == (True, False, 1)
