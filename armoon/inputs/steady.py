"""A grip by keys or a gamepad alone: a key or stick moves it, and one button closes and opens it.

Neither speed nor long presses are needed: a tap is one step, a long press repeats and speeds up, and a ladder stays
held until the button is pressed again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from armoon.geometry import table_axes_as_seen
from armoon.inputs.mouse import DEBOUNCE_S, EMPTY_S, FINE, TURN_RAD, KeyedGrip
from armoon.values.acts import MOVES, TILTS, Act
from armoon.values.pieces import GripIntent, GripPhase
from armoon.values.poses import IDENTITY_QUAT, Pose, Vec3

#: Distance of a key's tap, metres; three taps are the width of a ladder.
STEP_M = 0.006
#: Speed of a stick at first and after RAMP_S.
SLOW_M_S, FAST_M_S, RAMP_S = 0.03, 0.16, 0.8
TURN_RAD_S = math.radians(60.0)
#: The box around the base within which the grip stays, table frame.
LOW_M: Vec3 = (-0.30, -0.25, 0.01)
HIGH_M: Vec3 = (0.30, 0.25, 0.60)
#: Start of the grip if nothing is offered.
START_M: Vec3 = (0.0, 0.0, 0.25)


class SteadyGrip(KeyedGrip):
    """Turns held keys and sticks into grips once one of them has been used."""

    def __init__(self, table_from_camera: Pose, mirrored: bool, source: str) -> None:
        super().__init__(table_from_camera, mirrored, source)
        self._place = START_M
        self._used = False
        self._should_toggle = False
        self._pushed: Mapping[Act, float] = {}
        self._moving_s = 0.0

    def handle_act(self, act: Act, pressed: bool) -> bool:
        """Handle an act's key or button; return whether it belongs to this grip."""
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
        self._pushed = {act: share for act, share in shares.items() if share}
        self._used = self._used or bool(self._pushed)

    def toggle(self) -> None:
        """Close or open the grip; ignore a press repeated by a tremor."""
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
        """Return grips as ``GripDevice`` does; a grip closes at the offered object, because keys don't set a depth."""
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
        steps = self._keys.collect_steps(step_s, fine=self.fine)
        moves = {act: share for act, share in self._pushed.items() if act in MOVES}
        self._moving_s = self._moving_s + step_s if moves else 0.0
        speed_m_s = SLOW_M_S + (FAST_M_S - SLOW_M_S) * min(1.0, self._moving_s / RAMP_S) ** 2
        gain = FINE if self.fine else 1.0
        motion_m = [
            sum(MOVES[act][k] * share for act, share in moves.items()) * speed_m_s * step_s * gain
            + sum(MOVES[act][k] * count * STEP_M for act, count in steps.items() if act in MOVES)
            for k in range(3)
        ]
        right, away = table_axes_as_seen(self._table_from_camera, self._mirrored)
        goal = [self._place[k] + motion_m[0] * right[k] + motion_m[1] * away[k] for k in range(2)]
        goal.append(self._place[2] + motion_m[2])
        x, y, z = (min(HIGH_M[k], max(LOW_M[k], goal[k])) for k in range(3))
        self._place = (x, y, z)
        if not self.is_closed:
            return
        for act, count in steps.items():
            if act in TILTS:
                self._turn(TILTS[act], count * TURN_RAD)
        for act, share in self._pushed.items():
            if act in TILTS:
                self._turn(TILTS[act], share * TURN_RAD_S * step_s * gain)
