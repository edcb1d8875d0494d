"""The placement benchmark with a paper ladder: one whole trial."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from benchmarks.placement_card import HEIGHT, WIDTH, card_trial
from benchmarks.placement_tables import PlacementTable
from benchmarks.placement_trial import EXACT, Setting

from armoon.camera.profiles import SEATS
from armoon.games.moon.player.placer import PlacementPlan
from armoon.games.moon.table.match import ATTITUDES
from armoon.geometry import quat_angle
from armoon.values.pieces import BASE, TABLE
from armoon.values.poses import Pose

SEED = 1001


@pytest.mark.long
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
