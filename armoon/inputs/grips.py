"""Grips by mouse and keys, and by keys or a gamepad alone.

The pointer moves a grip across the view and the wheel along it; without a mouse, keys or sticks move it. One click or
press closes the grip and the next one opens it; optionally, the mouse button must be held instead. A slow movement has
the same effect as a quick one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from armoon import geometry
from armoon.values.acts import MOVES, TILTS, Act
from armoon.values.pieces import MOUSE_SOURCE, GripIntent, GripPhase
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec2, Vec3

#: Delay before a held key repeats, in seconds; initial and maximum repeat rates, in steps per second; time from the
#: initial to the maximum rate, in seconds.
DELAY_S, SLOW_HZ, FAST_HZ, KEY_RAMP_S = 0.25, 8.0, 40.0, 1.2
#: Speed at which a tap's step is carried out, in steps per second.
TAP_HZ = 40.0
#: Length of a fine step, relative to a usual one.
FINE = 1.0 / 6.0


class HeldKeys:
    """Held keys, and the steps of taps that haven't been carried out yet."""

    def __init__(self) -> None:
        self._held_s: dict[Act, float] = {}
        self._pending: dict[Act, float] = {}

    @property
    def acts(self) -> frozenset[Act]:
        return frozenset(self._held_s) | frozenset(act for act, left in self._pending.items() if left > 0.0)

    def press(self, act: Act) -> None:
        self._held_s[act] = 0.0
        self._pending[act] = self._pending.get(act, 0.0) + 1.0

    def release(self, act: Act) -> None:
        self._held_s.pop(act, None)

    def clear(self) -> None:
        self._held_s.clear()
        self._pending.clear()

    def collect_steps(self, step_s: float, *, fine: bool = False) -> dict[Act, float]:
        """Advance by ``step_s`` seconds and return each act's steps."""
        steps: dict[Act, float] = {}
        for act in self.acts:
            tapped = min(self._pending.get(act, 0.0), TAP_HZ * step_s)
            self._pending[act] = self._pending.get(act, 0.0) - tapped
            held = 0.0
            if act in self._held_s:
                self._held_s[act] += step_s
                repeat_s = self._held_s[act] - DELAY_S
                if repeat_s > 0.0:
                    ramp = min(1.0, repeat_s / KEY_RAMP_S) ** 2
                    held = (SLOW_HZ + (FAST_HZ - SLOW_HZ) * ramp) * min(step_s, repeat_s)
            steps[act] = (tapped + held) * (FINE if fine else 1.0)
        return steps


#: Movement along the view per click of the wheel, in metres; rotation per step of a key, in radians.
WHEEL_M = 0.004
TURN_RAD = math.radians(3.0)
#: Limits of the grip's distance from the camera, in metres.
NEAREST_M, FARTHEST_M = 0.10, 1.4
#: Rotation of the held object by dragging across the whole picture with the right button down, in radians.
DRAG_RAD = math.radians(240.0)
#: Time after a click in which another one is ignored, in seconds, because a trembling finger may click twice.
DEBOUNCE_S = 0.25
#: Time after which a grip that took nothing opens again, in seconds.
EMPTY_S = 0.4
#: Maximum duration of a frame for held keys, in seconds, so that a delay in the loop can't cause a large rotation.
MAX_STEP_S = 0.1


class ManualGrip:
    """Base class of the grips moved by mouse or keys; keys rotate the held object."""

    def __init__(self, table_from_camera: Pose, mirrored: bool, source: str) -> None:
        self._table_from_camera, self._mirrored, self._source = table_from_camera, mirrored, source
        self._rotation: Quat = IDENTITY_QUAT
        self.is_closed = False
        self.is_fine = False
        self._keys = HeldKeys()
        self._last_s: float | None = None
        self._toggled_s = -math.inf

    def set_camera_pose(self, table_from_camera: Pose) -> None:
        self._table_from_camera = table_from_camera

    @property
    def _now_s(self) -> float:
        return 0.0 if self._last_s is None else self._last_s

    def _pass_time(self, time_s: float) -> float:
        """Return the seconds since the last call, at most ``MAX_STEP_S``; 0 at first."""
        last_s, self._last_s = self._last_s, time_s
        return 0.0 if last_s is None else min(max(0.0, time_s - last_s), MAX_STEP_S)

    def _turn(self, axis: int, angle_rad: float) -> None:
        """Rotate the grip about an axis of the picture (``Act.TILT``)."""
        if angle_rad < 0.0:
            axis, angle_rad = -axis, -angle_rad
        turn = geometry.quat_as_seen(axis, angle_rad, self._table_from_camera, self._mirrored)
        self._rotation = geometry.quat(geometry.quat_multiply(turn, self._rotation))

    def _make_intent(self, time_s: float, phase: GripPhase, position: Vec3) -> GripIntent:
        return GripIntent(
            time_s=time_s,
            source=self._source,
            phase=phase,
            pose=Pose(position, self._rotation),
            view_axis=geometry.line_of_sight(self._table_from_camera.position, position),
            closing=1.0 if self.is_closed else 0.0,
        )


class MouseGrip(ManualGrip):
    """Turns pointer and keys into grips: HOVER while open, HOLD while closed."""

    def __init__(
        self, camera: geometry.CameraModel, table_from_camera: Pose, mirrored: bool, *, clicks: bool = False
    ) -> None:
        """``clicks``: each click closes or opens the grip; otherwise it is closed while the button is held."""
        super().__init__(table_from_camera, mirrored, MOUSE_SOURCE)
        self._camera = camera
        self.clicks = clicks
        self._depth_m = geometry.pose_apply(geometry.pose_inverse(table_from_camera), (0.0, 0.0, 0.0))[2]
        self._place: Vec2 | None = None
        self._offset: Vec2 = (0.0, 0.0)
        """Offset of the grip from the pointer after turning the object; further movements reduce it."""
        self._pressed = False
        self._turning = False
        self._stays_closed = False
        """Whether the grip stays closed without the button, until the button is pressed again."""
        self._edges: list[GripPhase] = []

    def move_pointer(
        self,
        place: Vec2,
        pressed: bool,
        wheel: float = 0.0,
        *,
        turning: bool = False,
        about_other_axes: bool = False,
    ) -> None:
        """Handle the pointer's position (fractions of the picture from its upper left corner), button and wheel.

        ``turning``: the right button is down, so the movement turns the held object; ``about_other_axes``: about the
        other two axes.
        """
        if not all(math.isfinite(v) for v in (*place, wheel)):
            return
        if self._place is not None and self.is_closed and (turning or self._turning):
            across, down = (after - before for after, before in zip(place, self._place, strict=True))
            self._drag(across, down, about_other_axes)
            self._offset = (self._offset[0] - across, self._offset[1] - down)
        elif self._place is not None:
            length = math.hypot(*self._offset)
            share = max(0.0, 1.0 - math.dist(place, self._place) / length) if length > 0.0 else 0.0
            self._offset = (share * self._offset[0], share * self._offset[1])
        self._turning = turning
        self._place = place
        self._depth_m = min(FARTHEST_M, max(NEAREST_M, self._depth_m + wheel * WHEEL_M))
        before, self._pressed = self._pressed, pressed
        self._stays_closed = self._stays_closed and not pressed
        if not self.clicks:
            if pressed is not self.is_closed and not self._stays_closed:
                self._toggle()
        elif pressed and not before and self._now_s - self._toggled_s >= DEBOUNCE_S:
            self._toggle()

    def handle_act(self, act: Act, pressed: bool = True) -> bool:
        """Handle an act's key; return whether it rotates the grip."""
        if not pressed:
            self._keys.release(act)
        if act not in TILTS or not self.is_closed:
            return False
        if pressed:
            self._keys.press(act)
        return True

    def keep_closed(self) -> None:
        """Keep the grip closed when the button is released, because the window has lost the focus."""
        self._stays_closed = self.is_closed

    def collect_grips(
        self, time_s: float, offered: Vec3 | None = None, *, holding: bool | None = None
    ) -> tuple[GripIntent, ...]:
        """Return grips as ``GripDevice`` does; closing moves the grip to the depth of the offered object."""
        step_s = self._pass_time(time_s)
        if self._place is None:
            return ()
        if GripPhase.GRAB in self._edges:
            self._rotation, self._offset = IDENTITY_QUAT, (0.0, 0.0)
            self._keys.clear()
            if offered is not None:
                camera_from_table = geometry.pose_inverse(self._table_from_camera)
                self._depth_m = geometry.pose_apply(camera_from_table, offered)[2]
        elif self.clicks and self.is_closed and holding is False and time_s - self._toggled_s > EMPTY_S:
            self._toggle()
        for act, steps in self._keys.collect_steps(step_s, fine=self.is_fine).items():
            self._turn(TILTS[act], TURN_RAD * steps)
        grips = [self._make_grip(time_s, phase) for phase in self._edges]
        if not self.is_closed:
            self._offset = (0.0, 0.0)
        self._edges = []
        return (*grips, self._make_grip(time_s, GripPhase.HOLD if self.is_closed else GripPhase.HOVER))

    def _toggle(self) -> None:
        self.is_closed = not self.is_closed
        self._toggled_s = self._now_s
        self._edges.append(GripPhase.GRAB if self.is_closed else GripPhase.RELEASE)
        if not self.is_closed:
            self._keys.clear()

    def _drag(self, across: float, down: float, about_other_axes: bool) -> None:
        if about_other_axes:
            self._turn(3, across * DRAG_RAD)
            self._turn(2, -down * DRAG_RAD)
        else:
            self._turn(1, across * DRAG_RAD)

    def _make_grip(self, time_s: float, phase: GripPhase) -> GripIntent:
        assert self._place is not None
        across, down = (value + offset for value, offset in zip(self._place, self._offset, strict=True))
        if self._mirrored:
            across = 1.0 - across
        # Pixel centres have integer coordinates, so the picture's left edge is at -0.5.
        pixel = (across * self._camera.width - 0.5, down * self._camera.height - 0.5)
        ray = self._camera.ray(pixel)
        x, y, z = (float(v) / float(ray[2]) * self._depth_m for v in ray)
        return self._make_intent(time_s, phase, geometry.pose_apply(self._table_from_camera, (x, y, z)))


#: Movement by one tap of a key, in metres; three taps are the width of a ladder.
STEP_M = 0.006
#: Speeds of a stick at first and after RAMP_S.
SLOW_M_S, FAST_M_S, RAMP_S = 0.03, 0.16, 0.8
TURN_RAD_S = math.radians(60.0)
#: The box around the base within which the grip stays, table frame.
LOW_M: Vec3 = (-0.30, -0.25, 0.01)
HIGH_M: Vec3 = (0.30, 0.25, 0.60)
#: Initial position of the grip if nothing is offered, table frame.
START_M: Vec3 = (0.0, 0.0, 0.25)


class KeyGrip(ManualGrip):
    """Turns held keys and sticks into grips once one of them has been used.

    A tap is one step, a long press repeats and speeds up, and one button closes and opens the grip.
    """

    def __init__(self, table_from_camera: Pose, mirrored: bool, source: str) -> None:
        super().__init__(table_from_camera, mirrored, source)
        self._place = START_M
        self._used = False
        self._should_toggle = False
        self._deflections: Mapping[Act, float] = {}
        self._moving_s = 0.0

    def handle_act(self, act: Act, pressed: bool) -> bool:
        """Handle the key or button of ``TAKE``, a move or a tilt; return whether it affects the grip."""
        if act is Act.TAKE:
            if pressed:
                self.toggle()
            return True
        if not pressed:
            self._keys.release(act)
        if act in TILTS and not self.is_closed:
            return False
        if pressed:
            self._keys.press(act)
            self._used = True
        return True

    def push(self, shares: Mapping[Act, float]) -> None:
        self._deflections = {act: share for act, share in shares.items() if share}
        self._used = self._used or bool(self._deflections)

    def toggle(self) -> None:
        """Close or open the grip; ignore a second press caused by a tremor."""
        if self._now_s - self._toggled_s < DEBOUNCE_S:
            return
        self._toggled_s = self._now_s
        self._should_toggle = not self._should_toggle
        self._used = True

    def set_closed(self, closed: bool) -> None:
        self._should_toggle = closed is not self.is_closed
        self._used = True

    def hide(self) -> None:
        if not self.is_closed:
            self._used = False
            self._keys.clear()

    def collect_grips(
        self, time_s: float, offered: Vec3 | None = None, *, holding: bool | None = None
    ) -> tuple[GripIntent, ...]:
        """Return grips as ``GripDevice`` does; closing moves the grip to the offered object."""
        step_s = self._pass_time(time_s)
        if not self._used:
            return ()
        if self.is_closed and holding is False and time_s - self._toggled_s > EMPTY_S:
            self.toggle()
        self._move(step_s)
        edges: tuple[GripPhase, ...] = ()
        if self._should_toggle:
            self._should_toggle = False
            self.is_closed = not self.is_closed
            edges = (GripPhase.GRAB if self.is_closed else GripPhase.RELEASE,)
            if self.is_closed:
                self._rotation = IDENTITY_QUAT
                self._place = self._place if offered is None else offered
        phases = (*edges, GripPhase.HOLD if self.is_closed else GripPhase.HOVER)
        return tuple(self._make_intent(time_s, phase, self._place) for phase in phases)

    def _move(self, step_s: float) -> None:
        steps = self._keys.collect_steps(step_s, fine=self.is_fine)
        moves = {act: share for act, share in self._deflections.items() if act in MOVES}
        self._moving_s = self._moving_s + step_s if moves else 0.0
        speed_m_s = SLOW_M_S + (FAST_M_S - SLOW_M_S) * min(1.0, self._moving_s / RAMP_S) ** 2
        gain = FINE if self.is_fine else 1.0
        motion_m = [
            sum(MOVES[act][k] * share for act, share in moves.items()) * speed_m_s * step_s * gain
            + sum(MOVES[act][k] * count * STEP_M for act, count in steps.items() if act in MOVES)
            for k in range(3)
        ]
        right, away = geometry.table_axes_as_seen(self._table_from_camera, self._mirrored)
        goal = [self._place[k] + motion_m[0] * right[k] + motion_m[1] * away[k] for k in range(2)]
        goal.append(self._place[2] + motion_m[2])
        x, y, z = (min(HIGH_M[k], max(LOW_M[k], goal[k])) for k in range(3))
        self._place = (x, y, z)
        if not self.is_closed:
            return
        for act, count in steps.items():
            if act in TILTS:
                self._turn(TILTS[act], count * TURN_RAD)
        for act, share in self._deflections.items():
            if act in TILTS:
                self._turn(TILTS[act], share * TURN_RAD_S * step_s * gain)
