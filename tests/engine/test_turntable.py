"""The turntable is turned by commands and by a hand at its rim, and converts grips to the table frame."""

from __future__ import annotations

import itertools
import math

import pytest

from armoon.clock import TICK_S
from armoon.engine.turntable import MAX_SPEED_RAD_S, Rim, RimGrip, Turntable, crosses_click
from armoon.geometry import quat_angle
from armoon.values.pieces import GripIntent, GripPhase
from armoon.values.poses import IDENTITY_QUAT, Pose, Vec3

EYE: Vec3 = (0.0, -0.6, 0.3)
RIM = Rim(0.08, 0.01)


def grip_at(place: Vec3, phase: GripPhase = GripPhase.HOLD) -> GripIntent:
    away = [a - e for a, e in zip(place, EYE, strict=True)]
    x, y, z = (a / math.hypot(*away) for a in away)
    return GripIntent(0.0, "mouse", phase, Pose(place, IDENTITY_QUAT), (x, y, z))


def settle_table(table: Turntable) -> list[float]:
    turned = [table.turned_rad]
    while table.is_turning or len(turned) == 1:
        table.advance()
        turned.append(table.turned_rad)
        assert len(turned) < 600
    return turned


def test_a_quarter_turn_takes_at_least_600_milliseconds_and_ends_exactly() -> None:
    table = Turntable()
    table.turn_by(math.radians(90.0))
    turned = settle_table(table)
    assert turned[-1] == math.radians(90.0)
    assert 0.6 <= len(turned) * TICK_S < 1.2
    assert max(b - a for a, b in itertools.pairwise(turned)) <= MAX_SPEED_RAD_S * TICK_S + 1e-12
    table.go_home()
    assert settle_table(table)[-1] == 0.0


def test_full_turns_end_exactly_at_home() -> None:
    table = Turntable()
    for _ in range(8):
        table.turn_by(math.radians(45.0))
        settle_table(table)
    assert table.turned_rad == pytest.approx(0.0, abs=1e-12)


def test_the_table_jumps_with_reduced_motion() -> None:
    table = Turntable(at_once=True)
    table.turn_by(math.radians(90.0))
    assert table.advance()
    assert table.turned_rad == math.radians(90.0)
    assert not table.advance()


def test_a_grip_is_converted_to_the_turned_tables_frame_and_back() -> None:
    table = Turntable((0.05, 0.10), math.radians(90.0))
    at_home = grip_at((0.05, 0.0, 0.1))
    on_table = table.to_table_frame(at_home)
    assert on_table.pose.position == pytest.approx((-0.05, 0.10, 0.1))
    assert table.to_home_frame(on_table.pose.position) == pytest.approx(at_home.pose.position)
    assert quat_angle(on_table.pose.rotation, IDENTITY_QUAT) == pytest.approx(math.radians(90.0))
    assert on_table.turned_rad == table.turned_rad


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_a_hand_at_the_rim_turns_the_table(direction: float) -> None:
    table = Turntable()
    hand = RimGrip(table)
    front = grip_at((0.0, -0.08, 0.01), GripPhase.GRAB)
    assert hand.try_grab(front, RIM, EYE, 0)
    for tick in range(1, 60):
        hand.follow_grip(grip_at((direction * 0.04 * tick / 60, -0.08, 0.01)), tick)
        table.advance()
    assert table.turned_rad == pytest.approx(direction * 0.04 / 0.08, rel=0.15)
    hand.follow_grip(grip_at((direction * 0.04, -0.08, 0.01), GripPhase.RELEASE), 60)
    assert not hand.is_turning


def test_two_pinches_turn_the_table_home() -> None:
    table = Turntable((0.0, 0.0), 0.7)
    hand = RimGrip(table)
    for tick in (0, 20):
        assert hand.try_grab(grip_at((0.0, -0.08, 0.01), GripPhase.GRAB), RIM, EYE, tick)
        for later in range(1, 8):
            hand.follow_grip(grip_at((0.0005, -0.08, 0.01)), tick + later)
            table.advance()
        hand.follow_grip(grip_at((0.0005, -0.08, 0.01), GripPhase.RELEASE), tick + 8)
    assert settle_table(table)[-1] == 0.0


@pytest.mark.parametrize(
    ("before", "now", "clicks"), [(0.1, 0.2, False), (0.7, 0.8, True), (-0.1, 0.1, True), (3.1, -3.1, False)]
)
def test_the_table_clicks_at_every_eighth(before: float, now: float, clicks: bool) -> None:
    assert crosses_click(before, now) is clicks
