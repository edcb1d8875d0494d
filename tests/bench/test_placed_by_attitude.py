"""A rendered hand, filmed and tracked as any, brings ladders in as the lid has turned them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from armoon.bench.placement_parts.table import PlacementTable
from armoon.bench.placement_parts.target import Target
from armoon.bench.placement_parts.trial import Outcome, PlacementStage, Setting, Trial
from armoon.clock import TICK_S
from armoon.engine.intake import Intake
from armoon.games.moon.player.placer import Plan
from armoon.geometry import quat_rotate
from armoon.hands.tracking.tracker import HandTracker
from armoon.values.intents import Command, CommandKind
from armoon.values.pieces import BASE, TABLE
from armoon.values.poses import Pose

SEED = 1001
#: Let go of so far above the first touch.
ABOVE_M = 0.002
#: Sideways, where it is tried whether a ladder stands below: the middle first.
STARTS_X_M = (0.0, 0.02, -0.02, 0.03, -0.03, 0.04, -0.04)
FLAT, EDGE_ON = 2, 3


def brought(seat: str, attitude: int) -> tuple[Outcome, Pose]:
    """What came of it, and where the ladder was to be let go of: over another, as the lid has turned it."""
    stage = PlacementStage(Setting(seat=seat), SEED)
    table = PlacementTable(SEED, stage.seat)
    try:
        table.time_s += TICK_S
        next_side = Command(CommandKind.ATTITUDE, value=attitude)
        table.match.advance(Intake(table.time_s, 1, None, (next_side,)))
        table.tick(table.time_s + TICK_S, None)
        offered = table.facts[table.piece]
        for x in STARTS_X_M:
            over = Pose((x, 0.0, 0.30), offered.pose.rotation)
            landing = table.match.landing_under(replace(offered, pose=over))
            release = Pose((x, 0.0, 0.30 - landing.fall_m + ABOVE_M), over.rotation)
            touched = tuple(name for name in landing.touched if name not in (BASE, TABLE))
            if touched:
                break
        assert touched
        with HandTracker(watch_second_hand=False) as tracker:
            return Trial(stage, table, Target(Plan(release, touched), 8, 0.0), tracker, SEED).run(), release
    finally:
        table.close()
        stage.close()


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["table", "mirror"])
@pytest.mark.parametrize("attitude", [FLAT, EDGE_ON], ids=["flat", "edge on"])
def test_a_rendered_hand_brings_a_ladder_in_as_the_lid_has_turned_it(seat: str, attitude: int) -> None:
    outcome, release = brought(seat, attitude)
    along, through = (quat_rotate(release.rotation, axis) for axis in ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)))
    level = attitude == FLAT
    assert abs(along[2]) == pytest.approx(0.0 if level else 1.0, abs=1e-9)
    assert abs(through[2] if level else through[0]) == pytest.approx(1.0)
    assert outcome.grabbed
    assert not outcome.dropped
    assert outcome.release_error_m is not None
    assert outcome.release_error_m < 0.012
    assert outcome.release_error_rad is not None
    assert outcome.release_error_rad < math.radians(8.0)
    assert outcome.seconds is not None
    assert outcome.seconds < 15.0
