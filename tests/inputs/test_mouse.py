"""The mouse as a grip: it grabs a ladder, moves it with the pointer and the wheel, and rotates it."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from support.app_kit import HEIGHT, WIDTH
from support.table_kit import screen_place

from armoon.camera.profiles import SEATS
from armoon.geometry import pose_apply, pose_inverse, quat_angle
from armoon.inputs.grips import DRAG_RAD, FARTHEST_M, NEAREST_M, TURN_RAD, WHEEL_M, KeyGrip, MouseGrip
from armoon.values.acts import Act
from armoon.values.pieces import GripPhase
from armoon.values.poses import IDENTITY_QUAT, Vec2, Vec3


def make_mouse(seat: str) -> MouseGrip:
    profile = SEATS[seat](WIDTH, HEIGHT)
    return MouseGrip(profile.camera, profile.table_from_camera, profile.mirrored)


def project_point(seat: str, point: Vec3) -> Vec2:
    return screen_place(SEATS[seat](WIDTH, HEIGHT), point)


@pytest.mark.parametrize("seat", ["table", "mirror"])
def test_the_mouse_grips_the_ladder_it_points_at_and_begins_at_its_depth(seat: str) -> None:
    grip, goal = make_mouse(seat), (0.11, 0.02, 0.13)
    grip.move_pointer(project_point(seat, goal), True)
    edge, hold = grip.collect_grips(0.0, goal)
    assert (edge.phase, hold.phase) == (GripPhase.GRAB, GripPhase.HOLD)
    assert math.dist(edge.pose.position, goal) < 1e-6
    assert edge.pose.rotation == IDENTITY_QUAT
    grip.move_pointer(project_point(seat, goal), False)
    assert [g.phase for g in grip.collect_grips(0.1)] == [GripPhase.RELEASE, GripPhase.HOVER]


def make_clicking_mouse(seat: str = "table") -> MouseGrip:
    profile = SEATS[seat](WIDTH, HEIGHT)
    return MouseGrip(profile.camera, profile.table_from_camera, profile.mirrored, clicks=True)


def list_phases(grip: MouseGrip | KeyGrip, time_s: float, *, holding: bool | None = None) -> list[GripPhase]:
    return [g.phase for g in grip.collect_grips(time_s, holding=holding)]


def test_a_click_grabs_and_another_releases_but_not_the_buttons_release() -> None:
    grip = make_clicking_mouse()
    list_phases(grip, 0.0)
    grip.move_pointer((0.5, 0.5), True)
    assert list_phases(grip, 1.0) == [GripPhase.GRAB, GripPhase.HOLD]
    grip.move_pointer((0.5, 0.5), False)
    assert list_phases(grip, 2.0, holding=True) == [GripPhase.HOLD]
    grip.move_pointer((0.7, 0.5), True)
    assert list_phases(grip, 3.0, holding=True) == [GripPhase.RELEASE, GripPhase.HOVER]


def make_keyed_grip() -> KeyGrip:
    profile = SEATS["table"](WIDTH, HEIGHT)
    return KeyGrip(profile.table_from_camera, profile.mirrored, "keys")


def press_grip(grip: MouseGrip | KeyGrip, pressed: bool) -> None:
    if isinstance(grip, MouseGrip):
        grip.move_pointer((0.5, 0.5), pressed)
    else:
        grip.handle_act(Act.TAKE, pressed)


@pytest.mark.parametrize("make", [make_clicking_mouse, make_keyed_grip])
def test_a_trembling_press_counts_once_and_a_grip_on_nothing_ends(
    make: Callable[[], MouseGrip | KeyGrip],
) -> None:
    grip = make()
    press_grip(grip, False)
    list_phases(grip, 1.0)
    for pressed in (True, False, True, False):
        press_grip(grip, pressed)
    assert list_phases(grip, 1.1) == [GripPhase.GRAB, GripPhase.HOLD]
    assert list_phases(grip, 1.2, holding=False) == [GripPhase.HOLD]
    assert list_phases(grip, 1.6, holding=False) == [GripPhase.RELEASE, GripPhase.HOVER]


@pytest.mark.parametrize(("wheel", "depth_m"), [(1e6, FARTHEST_M), (-1e6, NEAREST_M)])
def test_the_wheel_stops_at_the_limit_of_reach(wheel: float, depth_m: float) -> None:
    grip, profile = make_clicking_mouse(), SEATS["table"](WIDTH, HEIGHT)
    grip.move_pointer((0.5, 0.5), False, wheel)
    place = grip.collect_grips(0.0)[-1].pose.position
    assert pose_apply(pose_inverse(profile.table_from_camera), place)[2] == pytest.approx(depth_m)


def test_the_right_button_rotates_the_ladder_in_place_until_the_pointer_is_back() -> None:
    grip, goal = make_clicking_mouse(), (0.0, 0.0, 0.1)
    place = project_point("table", goal)
    grip.move_pointer(place, True)
    before = grip.collect_grips(0.0, goal)[-1]
    grip.move_pointer(place, False)
    grip.move_pointer(place, False, turning=True)
    grip.move_pointer((place[0] + 0.1, place[1] + 0.05), False, turning=True)
    turned = grip.collect_grips(0.1)[-1]
    assert math.dist(turned.pose.position, before.pose.position) < 1e-9
    assert quat_angle(before.pose.rotation, turned.pose.rotation) == pytest.approx(0.1 * DRAG_RAD, rel=0.01)
    grip.move_pointer((place[0] + 0.1, place[1] + 0.05), False)
    after = grip.collect_grips(0.2)[-1]
    assert math.dist(after.pose.position, before.pose.position) < 1e-9
    grip.move_pointer((place[0] + 0.05, place[1] + 0.025), False)
    back = grip.collect_grips(0.3)[-1]
    assert math.dist(back.pose.position, before.pose.position) < 1e-9, (
        "the grip moves before the pointer is back"
    )
    grip.move_pointer((place[0] + 0.15, place[1] + 0.025), False)
    under = make_clicking_mouse()
    under.move_pointer((place[0] + 0.15, place[1] + 0.025), True)
    assert (
        math.dist(grip.collect_grips(0.4)[-1].pose.position, under.collect_grips(0.0, goal)[-1].pose.position)
        < 1e-9
    )


def test_with_shift_the_right_button_rotates_about_the_other_axes() -> None:
    angles = []
    for about_others in (False, True):
        grip = make_clicking_mouse()
        grip.move_pointer((0.5, 0.5), True)
        grip.collect_grips(0.0)
        grip.move_pointer((0.5, 0.5), False, turning=True, about_other_axes=about_others)
        grip.move_pointer((0.6, 0.5), False, turning=True, about_other_axes=about_others)
        angles.append(grip.collect_grips(0.1)[-1].pose.rotation)
    assert quat_angle(angles[0], angles[1]) > 0.2


@pytest.mark.parametrize("seat", ["table", "mirror"])
@pytest.mark.parametrize(("down", "key"), [(0.05, Act.NOD_BACK), (-0.05, Act.NOD)])
def test_dragging_up_or_down_with_shift_rotates_like_the_keys_w_and_s(
    seat: str, down: float, key: Act
) -> None:
    dragged, keyed = make_clicking_mouse(seat), make_clicking_mouse(seat)
    for grip in (dragged, keyed):
        grip.move_pointer((0.5, 0.5), True)
        grip.collect_grips(0.0)
    dragged.move_pointer((0.5, 0.5), False, turning=True, about_other_axes=True)
    dragged.move_pointer((0.5, 0.5 + down), False, turning=True, about_other_axes=True)
    assert keyed.handle_act(key)
    dragged_to, keyed_to = (grip.collect_grips(0.1)[-1].pose.rotation for grip in (dragged, keyed))
    angles = quat_angle(IDENTITY_QUAT, dragged_to), quat_angle(IDENTITY_QUAT, keyed_to)
    assert angles[0] == pytest.approx(0.05 * DRAG_RAD)
    assert quat_angle(dragged_to, keyed_to) == pytest.approx(abs(angles[0] - angles[1]), abs=1e-6)


def test_the_wheel_moves_a_ladder_along_the_view_and_keys_rotate_it() -> None:
    grip, goal = make_mouse("table"), (0.0, 0.0, 0.1)
    grip.move_pointer(project_point("table", goal), True)
    before = grip.collect_grips(0.0, goal)[-1]
    grip.move_pointer(project_point("table", goal), True, wheel=5.0)
    for act in (Act.ROLL_LEFT, Act.NOD):
        assert grip.handle_act(act)
        grip.handle_act(act, False)
    after = grip.collect_grips(0.1)[-1]
    motion = [b - a for a, b in zip(before.pose.position, after.pose.position, strict=True)]
    along = sum(w * a for w, a in zip(motion, before.view_axis, strict=True))
    assert along == pytest.approx(math.hypot(*motion))
    assert along == pytest.approx(5.0 * WHEEL_M, rel=0.2)
    assert quat_angle(IDENTITY_QUAT, after.pose.rotation) == pytest.approx(
        math.sqrt(2.0) * TURN_RAD, rel=0.02
    )
    assert not grip.handle_act(Act.FINE)


def test_there_is_no_grip_without_a_valid_pointer_position() -> None:
    grip = make_mouse("table")
    assert grip.collect_grips(0.0) == ()
    grip.move_pointer((math.nan, 0.5), True)
    assert grip.collect_grips(0.0) == ()
