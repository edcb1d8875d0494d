"""The placement benchmark with a paper ladder: how the card is held, and one whole trial."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from benchmarks.placement_card import HEIGHT, TAP_RAD, WIDTH, card_trial, half_way_back, taps_to_easiest
from benchmarks.placement_tables import PlacementTable
from benchmarks.placement_trial import EXACT, Setting

from armoon.camera.profiles import SEATS
from armoon.games.moon.player.placer import PlacementPlan
from armoon.games.moon.table.match import ATTITUDES
from armoon.geometry import quat_angle, quat_from_axis_angle, quat_multiply, quat_rotate
from armoon.players.demo import facing
from armoon.values.pieces import BASE, TABLE
from armoon.values.poses import IDENTITY_QUAT, Pose

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


@pytest.mark.slow
def test_a_card_turns_a_ladder_by_a_third_and_lays_it_over_others_without_a_key() -> None:
    seat = SEATS["table"](WIDTH, HEIGHT)
    table = PlacementTable(SEED, seat, watches=True)
    try:
        offered, rotation = table.facts[table.piece], ATTITUDES[2]
        above = table.match.landing_under(replace(offered, pose=Pose((0.0, 0.0, 0.30), rotation)))
        touched = tuple(name for name in above.touched if name not in (BASE, TABLE))
        assert touched
        release = Pose((0.0, 0.0, 0.30 - above.fall_m + 0.002), rotation)
        plan = PlacementPlan(release, touched)
        outcome = card_trial(seat, table, plan, Setting(player=EXACT), SEED).run()
    finally:
        table.close()
    assert quat_angle(offered.pose.rotation, rotation) > 2.0
    assert outcome.grabbed
    assert not outcome.dropped
    assert outcome.release_error_m is not None
    assert outcome.release_error_m < 0.005
    assert outcome.release_error_rad is not None
    assert outcome.release_error_rad < math.radians(2.0)
