"""Keys or a gamepad alone: they grab, carry, rotate and place a ladder, and step through the lake's moves."""

from __future__ import annotations

import math

import pytest
from support.app_kit import HEIGHT, WIDTH

from armoon.camera.profiles import SEATS
from armoon.clock import TICK_S
from armoon.games.lake.layout import MoveCursor
from armoon.games.lake.rules import create_state, legal_moves
from armoon.geometry import quat_angle
from armoon.inputs import grips
from armoon.inputs.controls import Controls
from armoon.inputs.grips import START_M, KeyGrip
from armoon.values.acts import Act
from armoon.values.pieces import Command, GripPhase
from armoon.values.poses import IDENTITY_QUAT, Vec3
from armoon.view.gamepads import Gamepads

SEATS_HERE = pytest.mark.parametrize("seat", sorted(SEATS))


def make_grip(seat: str = "table") -> KeyGrip:
    profile = SEATS[seat](WIDTH, HEIGHT)
    return KeyGrip(profile.table_from_camera, profile.mirrored, "keys")


def hold_for(grip: KeyGrip, seconds: float, *acts: Act, since_s: float = 0.0) -> Vec3:
    for act in acts:
        assert grip.handle_act(act, True)
    place = START_M
    for k in range(round(seconds / TICK_S) + 1):
        place = grip.collect_grips(since_s + k * TICK_S)[-1].pose.position
    for act in acts:
        grip.handle_act(act, False)
    return place


@SEATS_HERE
def test_arrows_move_a_ladder_as_seen_from_the_camera(seat: str) -> None:
    profile = SEATS[seat](WIDTH, HEIGHT)
    eye = profile.table_from_camera.position
    right, away = hold_for(make_grip(seat), 1.0, Act.RIGHT), hold_for(make_grip(seat), 1.0, Act.AWAY)
    assert (-right[0] if profile.mirrored else right[0]) > 0.03
    assert abs(right[1]) < 0.02
    assert math.dist(away[:2], eye[:2]) > math.dist(START_M[:2], eye[:2]) + 0.03
    assert hold_for(make_grip(seat), 1.0, Act.LIFT)[2] > START_M[2] + 0.03


def test_a_tap_moves_by_millimetres_and_a_long_press_quickly_to_the_end_of_the_table() -> None:
    assert hold_for(make_grip(), 0.05, Act.RIGHT)[0] == pytest.approx(grips.STEP_M, rel=0.05)
    fine = make_grip()
    fine.is_fine = True
    assert hold_for(fine, 0.05, Act.RIGHT)[0] == pytest.approx(grips.STEP_M / 6.0, rel=0.05)
    assert hold_for(make_grip(), 20.0, Act.RIGHT)[0] == pytest.approx(grips.HIGH_M[0])


def push_for(grip: KeyGrip, seconds: float, far: float = 1.0) -> Vec3:
    grip.push({Act.RIGHT: far})
    return [grip.collect_grips(k * TICK_S)[-1].pose.position for k in range(round(seconds / TICK_S) + 1)][-1]


def test_a_stick_begins_slowly_and_moves_a_sixth_as_far_in_fine_steps() -> None:
    coarse, fine = make_grip(), make_grip()
    fine.is_fine = True
    distance = push_for(coarse, 0.4)[0] - START_M[0]
    assert (
        grips.SLOW_M_S * 0.4 < distance < (grips.SLOW_M_S + (grips.FAST_M_S - grips.SLOW_M_S) * 0.12) * 0.4
    ), "the speed grows too fast at first"
    assert push_for(fine, 0.4)[0] - START_M[0] == pytest.approx(distance * grips.FINE)


def test_a_stick_rotates_a_held_ladder_and_less_in_fine_steps() -> None:
    angles = []
    for is_fine in (False, True):
        grip = make_grip()
        grip.is_fine = is_fine
        grip.set_closed(True)
        grip.collect_grips(0.0)
        grip.push({Act.ROLL_LEFT: 1.0})
        turned = [grip.collect_grips(k * TICK_S)[-1].pose.rotation for k in range(1, 31)][-1]
        angles.append(quat_angle(IDENTITY_QUAT, turned))
    assert angles[0] == pytest.approx(grips.TURN_RAD_S * 30 * TICK_S, rel=0.01)
    assert angles[1] == pytest.approx(angles[0] * grips.FINE, rel=0.01)


def test_the_grip_closes_at_the_offered_ladder_and_opens_in_place() -> None:
    grip, offered = make_grip(), (0.17, 0.0, 0.1)
    grip.collect_grips(0.0)
    grip.handle_act(Act.TAKE, True)
    edge, hold = grip.collect_grips(0.1, offered)
    assert (edge.phase, hold.phase) == (GripPhase.GRAB, GripPhase.HOLD)
    assert edge.pose.position == offered
    assert edge.pose.rotation == IDENTITY_QUAT
    grip.handle_act(Act.ROLL_LEFT, True)
    grip.handle_act(Act.ROLL_LEFT, False)
    turned = [grip.collect_grips(0.1 + k * TICK_S)[-1] for k in range(1, 31)][-1]
    assert quat_angle(IDENTITY_QUAT, turned.pose.rotation) == pytest.approx(grips.TURN_RAD, rel=0.05)
    grip.handle_act(Act.TAKE, True)
    edge, _ = grip.collect_grips(1.0, None)
    assert edge.phase is GripPhase.RELEASE
    assert edge.pose.position == turned.pose.position


def test_sticks_move_a_grip_and_a_centred_stick_stops_it() -> None:
    grip, presses = make_grip(), []
    controls = Controls(key_grip=grip)
    pads = Gamepads(lambda name, pressed: presses.append((name, pressed)), controls.handle_sticks)
    pads.handle_stick("leftstick", 0.1, -0.1)
    assert grip.collect_grips(0.0) == ()
    pads.handle_stick("leftstick", 1.0, 0.0)
    pads.handle_stick("rightstick", 0.0, 1.0)
    place = START_M
    for k in range(60):
        place = grip.collect_grips(k * TICK_S)[-1].pose.position
    assert place[0] > START_M[0] + 0.03
    assert place[2] > START_M[2] + 0.03
    pads.handle_stick("leftstick", 0.02, 0.0)
    pads.handle_stick("rightstick", 0.0, 0.0)
    still = grip.collect_grips(1.0)[-1].pose.position
    assert grip.collect_grips(1.1)[-1].pose.position == still
    pads.handle_dpad(1.0, 0.0)
    pads.handle_dpad(0.0, 0.0)
    pads.handle_button("a", True)
    assert presses == [("right", True), ("right", False), ("a", True)]


def test_enter_alone_plays_at_the_lake() -> None:
    state = create_state(("Ann", "Ben"), seed=5)
    cursor = MoveCursor()
    assert cursor.handle_act(Act.TAKE, state) is None
    assert cursor.find_move(state) == legal_moves(state)[0]
    assert cursor.handle_act(Act.TAKE, state) == Command(Act.CHOOSE, "keys", 0)
    cursor.handle_act(Act.RIGHT, state)
    assert cursor.find_move(state) == legal_moves(state)[1]


def test_a_hidden_open_grip_reappears_in_place_when_it_is_used_again() -> None:
    grip = make_grip()
    grip.handle_act(Act.RIGHT, pressed=True)
    grip.collect_grips(0.0)
    grip.hide()
    assert grip.collect_grips(0.1) == ()
    grip.toggle()
    first = grip.collect_grips(1.0)
    later = [intent for k in range(1, 30) for intent in grip.collect_grips(1.0 + 0.05 * k)]
    assert first
    assert {intent.pose for intent in (*first, *later)} == {first[0].pose}
