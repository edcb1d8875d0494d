"""Placement by mouse: the pointer and the wheel move the ladder, keys and drags rotate it."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np

from armoon.camera.profiles import SEATS, CameraSeat
from armoon.geometry import (
    pose_apply,
    pose_inverse,
    project_table_points,
    quat_as_seen,
    quat_inverse,
    quat_multiply,
    rotation_vector,
    vec3,
)
from armoon.inputs.grips import DRAG_RAD, WHEEL_M, MouseGrip
from armoon.players.hand import Skill
from armoon.values.poses import Pose, Vec2
from benchmarks.placement_hand import PlacingHand
from benchmarks.placement_tables import Case, PlacementTable
from benchmarks.placement_trial import Outcome, Setting, Trial, make_eye, make_hand_setup

WIDTH, HEIGHT = 1280, 720


class Mouse:
    """Moves a mouse to make its grip follow a pose, and passes the grips to the table."""

    def __init__(self, seat: CameraSeat, table: PlacementTable) -> None:
        self.seat, self._table = seat, table
        self._mouse = MouseGrip(seat.camera, seat.table_from_camera, seat.mirrored)
        self._camera_from_table = pose_inverse(self.seat.table_from_camera)
        self._pointer: Vec2 = (0.5, 0.5)
        self._shift = 0.0
        """Distance by which drags have moved the pointer from the grip, relative to the picture."""
        self._last: Pose | None = None
        self._depth_m = self._find_depth_m(Pose((0.0, 0.0, 0.0)))

    def show(self, grip: Pose, closing: float, time_s: float, index: int) -> None:
        """Move the mouse for one frame; the button is down while the hand is at least half closed."""
        pressed = closing >= 0.5
        last, self._last = self._last or grip, grip
        if pressed:
            self._drag(last, grip)
        else:
            self._shift = 0.0
        seat = self.seat
        pixels = project_table_points(seat.camera, seat.table_from_camera, [grip.position])
        across, down = ((float(px) + 0.5) / size for px, size in zip(pixels[0], (WIDTH, HEIGHT), strict=True))
        self._pointer = ((1.0 - across if seat.mirrored else across) + self._shift, down)
        wheel = round((self._find_depth_m(grip) - self._depth_m) / WHEEL_M)
        self._mouse.move_pointer(self._pointer, pressed, float(wheel))
        match = self._table.match
        grips = self._mouse.collect_grips(time_s, match.offered_at_home, holding=match.holding)
        self._depth_m = self._find_depth_m(grips[-1].pose)
        self._table.grips += grips

    def _drag(self, last: Pose, grip: Pose) -> None:
        """Rotate the held ladder in the picture plane by a drag with the right button."""
        turn = rotation_vector(quat_multiply(grip.rotation, quat_inverse(last.rotation)))
        axis = rotation_vector(quat_as_seen(1, 1.0, self.seat.table_from_camera, self.seat.mirrored))
        across = float(np.dot(turn, axis)) / DRAG_RAD
        if across != 0.0:
            self._shift += across
            self._pointer = (self._pointer[0] + across, self._pointer[1])
            self._mouse.move_pointer(self._pointer, True, turning=True)
            self._mouse.move_pointer(self._pointer, True)

    def _find_depth_m(self, pose: Pose) -> float:
        return pose_apply(self._camera_from_table, pose.position)[2]


class MousePlacingHand(PlacingHand):
    """A person's hand on a mouse. The ladder follows the mouse at once, also in depth."""

    def _follow_hand(self, before: Pose, dt_s: float) -> None:
        motion = np.array(self.pose.position) - np.array(before.position)
        turn = np.array(rotation_vector(quat_multiply(self.pose.rotation, quat_inverse(before.rotation))))
        self._sight.move_estimate(vec3(motion), vec3(turn + np.array(self._keys.pop_tilt())))


def run_mouse_trial(setting: Setting, case: Case) -> Outcome:
    seat, plan = SEATS[setting.seat](WIDTH, HEIGHT), case.plan
    with contextlib.closing(PlacementTable(case.seed, seat, case, guidance=setting.guidance)) as table:
        setup = make_hand_setup(setting, seat, table, case.seed)
        setup = replace(setup, style=replace(setup.style, free_depth_m=0.0))
        eye = make_eye(setting, seat, table.match.ladders[table.piece], plan.release, case.seed)
        skill = Skill(setup.habits.view_axis, 1.0)
        player = MousePlacingHand(setup, plan, eye, table.time_s, skill)
        return Trial(Mouse(seat, table), table, player, case.seed).run()
