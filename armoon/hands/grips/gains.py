"""From the hand's motion to the held object's: gains, the fine mode, and the clutch's offset.

Everything is in the camera frame: *across* is the picture plane, as metres at half a metre's distance (x to
the right, y down), *along* the distance from the camera. With the default settings a held object stays under the
fingers in the picture; the offset that an option adds is bounded, or ends at the release.

* **Gain** scales the motion since the grab, sideways and upwards each by its own factor.
* **Fine mode** scales a slow hand's motion down (PRISM: Frees, Kessler and Kay, ACM Trans. Computer-Human
  Interaction 14, 2007). The resulting offset from the fingers is bounded, and a hand that moves fast
  again removes it: by part of its motion, never more, so that nothing moves while the hand is still.
* **Clutch**: the object is parked in the air while the hand moves to a more comfortable position. The next grip
  takes it there, and moves it on.
"""

from __future__ import annotations

import math

import numpy as np

from armoon.geometry import quat, quat_inverse, quat_multiply
from armoon.hands.grips.settings import GripSettings
from armoon.hands.pose.metric import FARTHEST_M, NEAREST_M
from armoon.values.poses import IDENTITY_QUAT, Quat, Vec2

#: From the slow speed to this many times it the fine mode fades out.
FINE_FADES = 3.0
#: The part of a fast hand's way that may go into taking the fine mode's offset back.
TAKEN_BACK = 0.3


class HeldWay:
    """The way of one held thing, from the grab on."""

    def __init__(self, settings: GripSettings, across: Vec2, along_m: float, depth_m: float) -> None:
        """Grab at ``across`` and filtered depth ``along_m`` something at ``depth_m``, metres."""
        self._settings = settings
        self._gain = (settings.gain_across, settings.gain_up)
        self._start = self._last = across
        self._last_along_m = along_m
        self._fine: Vec2 = (0.0, 0.0)
        self._share = 1.0
        self._shift: Vec2 = (0.0, 0.0)
        self._turn: Quat = IDENTITY_QUAT
        self.depth_m = depth_m
        """Depth of the held thing."""

    def start_afresh(self, across: Vec2, along_m: float) -> None:
        """Restart after a loss: the hand's way meanwhile counts across the view, and not along it."""
        self._last = across
        self._last_along_m = along_m

    def follow(
        self,
        across: Vec2,
        along_m: float,
        speed_m_s: float,
        trust: float = 1.0,
        play_m: float = 0.0,
        settles: float = 0.0,
    ) -> None:
        """Take in where a frame finds the hand, filtered, and how fast it goes across the view.

        ``trust`` is how far its depth is to be believed, 0 to 1; ``play_m`` what noise adds to the dead travel;
        ``settles`` the part of what is within that travel that is taken to be where the hand began.
        """
        s = self._settings
        hurry = speed_m_s / s.depth_shy_m_s
        gone_m = along_m - self._last_along_m
        counting_m = math.copysign(max(0.0, abs(gone_m) - s.depth_play_m - play_m), gone_m)
        way_m = trust * s.depth_gain / (1.0 + hurry * hurry) * counting_m
        self.depth_m = min(FARTHEST_M, max(NEAREST_M, self.depth_m + way_m))
        # What is within the play waits there, for more of it or for the way back.
        self._last_along_m += counting_m + settles * (gone_m - counting_m)
        if s.fine_gain < 1.0:
            (x, y), (last_x, last_y), (gain_x, gain_y) = across, self._last, self._gain
            self._go_fine(((x - last_x) * gain_x, (y - last_y) * gain_y), speed_m_s)
        self._last = across

    def across(self, hand: Vec2) -> Vec2:
        """Where the held thing is while the hand is at ``hand``, which may be predicted."""
        return (self._along_axis(0, hand[0]), self._along_axis(1, hand[1]))

    def _along_axis(self, axis: int, hand: float) -> float:
        gain = self._gain[axis]
        stretched = (gain - 1.0) * (hand - self._start[axis])
        # A prediction beyond the newest frame counts by the same share as the next frame's way is going to.
        too_much = (1.0 - self._share) * gain * (hand - self._last[axis])
        return hand + stretched + self._fine[axis] - too_much + self._shift[axis]

    def turned(self, rotation: Quat) -> Quat:
        """How the held thing is turned while the hand is at ``rotation``."""
        return rotation if self._turn == IDENTITY_QUAT else quat(quat_multiply(self._turn, rotation))

    def take_up(self, hand: Vec2, rotation: Quat, at: tuple[Vec2, float, Quat]) -> None:
        """From now on the hand at ``hand`` and ``rotation`` holds what is parked ``at`` across, depth, turn."""
        (x, y), self.depth_m, turned = at
        (shift_x, shift_y), (now_x, now_y) = self._shift, self.across(hand)
        self._shift = (shift_x + x - now_x, shift_y + y - now_y)
        self._turn = quat(quat_multiply(turned, quat_inverse(rotation)))

    def _go_fine(self, way: Vec2, speed_m_s: float) -> None:
        s = self._settings
        fast = min(1.0, max(0.0, (speed_m_s / s.fine_below_m_s - 1.0) / (FINE_FADES - 1.0)))
        smooth = fast * fast * (3.0 - 2.0 * fast)
        self._share = s.fine_gain + (1.0 - s.fine_gain) * smooth
        x = self._fine[0] - (1.0 - self._share) * way[0]
        y = self._fine[1] - (1.0 - self._share) * way[1]
        away = float(np.hypot(x, y))
        back = smooth * TAKEN_BACK * math.hypot(*way)
        kept = 1.0 if away < 1e-12 else min(s.fine_most_m, max(0.0, away - back)) / away
        self._fine = (x * kept, y * kept)
