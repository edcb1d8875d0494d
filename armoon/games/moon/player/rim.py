"""The demo's hand at the cloud's rim: it pinches it, drags it round, and lets go."""

from __future__ import annotations

import math

from armoon.players.hand import SteeredHand
from armoon.players.sight import Habits
from armoon.values.poses import Pose, Vec3

#: From where to where round the rim, counter-clockwise from the right as seen from above, and how far out and up.
FROM_RAD, TO_RAD, RADIUS_M, HEIGHT_M = math.radians(-40.0), math.radians(-140.0), 0.078, 0.010
#: It is dragged so fast, and held still before the fingers open, so that it stays where it was brought.
DRAG_M_S, STILL_S = 0.13, 0.25


class RimHand:
    """Moves a hand through it; call ``move`` once for every frame until it is done."""

    def __init__(self, hand: SteeredHand, habits: Habits, closing_s: float) -> None:
        self._hand, self._habits, self._closing_s = hand, habits, closing_s
        self._closing = 0.0
        self._waited_s = 0.0
        self._step = 0
        self.done = False

    def move(self, dt_s: float) -> float:
        """One frame; gives how far the fingers are closed."""
        if self._step == 0 and self._towards(_on_rim(FROM_RAD), 0.45, dt_s):
            self._step = 1
        elif self._step == 1:
            self._closing = min(1.0, self._closing + dt_s / self._closing_s)
            self._wait(dt_s, self._closing_s + STILL_S)
        elif self._step == 2 and self._towards(_on_rim(TO_RAD), DRAG_M_S, dt_s):
            self._step = 3
        elif self._step == 3:
            self._wait(dt_s, STILL_S)
        elif self._step == 4:
            self._closing = max(0.0, self._closing - dt_s / self._closing_s)
            self._wait(dt_s, self._closing_s + 0.1)
            self.done = self._step == 5
        return self._closing

    def _towards(self, place: Vec3, speed_m_s: float, dt_s: float) -> bool:
        goal = Pose(place, self._habits.reach_rotation.rotation)
        return self._hand.move_towards(goal, speed_m_s, dt_s)

    def _wait(self, dt_s: float, seconds: float) -> None:
        self._waited_s += dt_s
        if self._waited_s > seconds:
            self._waited_s, self._step = 0.0, self._step + 1


def _on_rim(angle_rad: float) -> Vec3:
    return (RADIUS_M * math.cos(angle_rad), RADIUS_M * math.sin(angle_rad), HEIGHT_M)
