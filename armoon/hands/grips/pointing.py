"""Pointing at buttons: only the index finger extended, its tip held on a button until it is pressed.

The pointer is in coordinates of the picture as the player sees it: (0, 0) its top left corner, (1, 1) its bottom
right, for a mirrored picture too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from armoon.hands.pose.filters import OneEuro, PointFilter
from armoon.hands.pose.fingers import finger_reaches, is_pointing
from armoon.hands.tracking.landmarks import INDEX_TIP, Hand, Hands
from armoon.values.poses import Vec2

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in parts of the picture's width and height."""

#: In parts of the picture: at rest as steady as a grip (``armoon.hands.grips.settings.ACROSS``), whose reference
#: metre is about one and a half pictures wide.
STEADYING = OneEuro(min_cutoff_hz=1.5, beta=35.0, speed_cutoff_hz=6.0)
#: A button that is being pressed reaches further by this much, so that trembling at its rim doesn't start the
#: dwell anew: 8 pixels of 640.
RIM = 0.012
#: Seconds for which the finger may be misread or out of sight.
GAP_S = 0.2
#: Frames in a row before a finger points: hands pass through the shape as they open and close.
POINT_FRAMES = 3


@dataclass(frozen=True)
class Pointer:
    """Where a finger points, and the progress of its dwell there."""

    place: Vec2
    button: str | None = None
    progress: float = 0.0
    """Progress of the dwell on the button, 0 to 1."""
    pressed: bool = False
    """In this very frame; the finger has to leave the button before it can press it again."""


class DwellPointer:
    """Follows a pointing finger; call ``see`` once a frame."""

    def __init__(self, *, mirrored: bool, dwell_s: float = 0.8) -> None:
        """``mirrored``: the player sees the picture flipped left to right."""
        self._mirrored = mirrored
        self._dwell_s = dwell_s
        self._time_s = self._seen_s = -math.inf
        self._frames = 0
        self._forget()

    def see(self, hands: Hands, buttons: Mapping[str, Box], *, busy: bool = False) -> Pointer | None:
        """Return the pointer in this frame, None without; ``busy``: a hand carries a ladder, and nothing is meant."""
        time_s = hands.time_s
        if not math.isfinite(time_s) or time_s == self._time_s:
            return None
        if busy or time_s < self._time_s or time_s - self._seen_s > GAP_S:
            self._forget()
        self._time_s = time_s
        tip = None if busy else self._pointing_tip(hands)
        self._frames = self._frames + 1 if tip is not None else 0
        if tip is None:
            return None
        self._seen_s = time_s
        x, y = self._steady.update(time_s, tip)
        place = (x, y)
        if self._frames < POINT_FRAMES:
            return None
        return self._dwell(place, time_s, buttons)

    def _forget(self) -> None:
        self._steady = PointFilter(STEADYING)
        self._frames = 0
        self._button: str | None = None
        self._since_s = 0.0
        self._done = False

    def _pointing_tip(self, hands: Hands) -> Vec2 | None:
        """Return the first pointing finger's tip; hands keep their order from frame to frame."""
        for hand in hands.hands:
            if hand.plausible and _points(hand):
                x, y = hand.points_px[INDEX_TIP]
                across = (x + 0.5) / max(hands.width, 1)
                return (1.0 - across if self._mirrored else across, (y + 0.5) / max(hands.height, 1))
        return None

    def _dwell(self, place: Vec2, time_s: float, buttons: Mapping[str, Box]) -> Pointer:
        kept = buttons.get(self._button) if self._button is not None else None
        if kept is None or not _inside(place, kept, RIM):
            self._button = next((name for name, box in buttons.items() if _inside(place, box, 0.0)), None)
            self._since_s, self._done = time_s, False
        if self._button is None or self._done:
            return Pointer(place, self._button)
        dwelt_s = time_s - self._since_s
        progress = min(1.0, dwelt_s / self._dwell_s) if self._dwell_s > 0.0 else 1.0
        self._done = progress >= 1.0
        return Pointer(place, self._button, progress, self._done)


def _points(hand: Hand) -> bool:
    reaches = finger_reaches(hand)
    return reaches is not None and is_pointing(reaches)


def _inside(place: Vec2, box: Box, rim: float) -> bool:
    left, top, right, bottom = box
    return left - rim <= place[0] <= right + rim and top - rim <= place[1] <= bottom + rim
