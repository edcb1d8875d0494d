"""Kinds of grip: pinch, fist, and dwell: hands that can't close take and release a ladder by holding still."""

from __future__ import annotations

import math

from armoon.geometry import Array
from armoon.hands.fingers import FIST_MEAN, finger_reaches, grip_point, mean_reach, palm_point
from armoon.hands.grip_settings import Recent, Streak
from armoon.hands.landmarks import Hand
from armoon.hands.pinch import ARM, CLOSE, OPEN, RECENT, PinchGrip
from armoon.values.choices import GripKind
from armoon.values.poses import Vec2

#: Mean reach above which a fist is open in any case; rise above the last second's minimum that opens it earlier; and
#: rise that may be the beginning of opening.
FIST_OPEN_MEAN = 1.45
FIST_RELEASE_MARGIN = 0.30
FIST_WAVER_MARGIN = 0.10
#: Mean reaches displayed as wide open and as closed.
FIST_SHOWN_OPEN, FIST_SHOWN_CLOSED = 1.70, 1.00
#: Radius in which a dwelling hand stays, in metres as seen from 0.5 m: wider than a strong tremor (1.5 mm RMS).
DWELL_RADIUS_M = 0.012
#: Distance that a hand must travel before it can dwell again, so that nothing is released where it was taken.
DWELL_APART_M = 0.03


class FistGrip:
    """All fingers curled in; the grip point is the palm, which doesn't move as the fingers close."""

    def __init__(self, *, trusted: bool = False) -> None:
        self.is_closed = False
        self.was_open = False
        self.gap = math.inf
        """The mean reach of the fingers (``armoon.hands.fingers``)."""
        self._trusted = trusted
        self._open, self._closed = Streak(), Streak()
        self._recent: Recent[float] = Recent(RECENT)

    @property
    def is_opening(self) -> bool:
        return self.is_closed and self.gap > min(self._recent) + FIST_WAVER_MARGIN

    @property
    def closing(self) -> float:
        share = (FIST_SHOWN_OPEN - self.gap) / (FIST_SHOWN_OPEN - FIST_SHOWN_CLOSED)
        return min(1.0, max(0.0, share))

    def measure_hand(self, hand: Hand) -> bool:
        reaches = finger_reaches(hand)
        if reaches is not None:
            self.gap = mean_reach(reaches)
        return reaches is not None

    def point(self, points: Array) -> Array:
        return palm_point(points)

    def update(self, time_s: float, place: Vec2, near: bool, slack: float) -> bool:
        if self.is_closed:
            self._recent.add_value(self.gap, time_s)
            smallest = min(self._recent)
            limit = min(FIST_OPEN_MEAN, max(FIST_MEAN, smallest + FIST_RELEASE_MARGIN)) + slack
            self._open.add_frame(self.gap > limit, time_s)
            changed = self._open.lasts(OPEN)
        else:
            self._open.add_frame(self.gap > FIST_OPEN_MEAN, time_s)
            self._closed.add_frame(self.gap < FIST_MEAN, time_s)
            self.was_open = self.was_open or self._open.lasts(ARM)
            changed = self._closed.lasts(CLOSE) and (self.was_open or self._trusted)
        if changed:
            self.is_closed = not self.is_closed
            self.was_open = self.was_open or not self.is_closed
            self._open, self._closed = Streak(), Streak()
            self._recent.clear()
            self._recent.add_value(self.gap, time_s)
        return changed


class DwellGrip:
    """An open hand held still: at the offered ladder to take it, and anywhere to release it."""

    #: A hand is still when it releases, so its last position is right.
    is_opening = False
    #: The fingers don't open, so a release uses the newest position.
    gap = 0.0

    def __init__(self, dwell_s: float, *, trusted: bool = False) -> None:
        self.is_closed = False
        self.was_open = not trusted
        """True for a dwelling hand, except a trusted one, which continues an earlier grip without dwelling again."""
        self._dwell_s = dwell_s
        self._trusted = trusted
        self._since_s: float | None = None
        self._rest: Vec2 = (0.0, 0.0)
        self._changed_at: Vec2 | None = None
        self._progress = 0.0

    @property
    def closing(self) -> float:
        """The elapsed share of the dwell while open; the remaining share while closed."""
        return 1.0 - self._progress if self.is_closed else self._progress

    def measure_hand(self, hand: Hand) -> bool:
        return True

    def point(self, points: Array) -> Array:
        return grip_point(points, 0.0)

    def update(self, time_s: float, place: Vec2, near: bool, slack: float) -> bool:
        """Close or open once the hand has been still for long enough, away from the place of the last change."""
        if self._trusted and not self.is_closed:
            self._trusted = False
            self._change(place)
            return True
        if self._changed_at is not None and math.dist(place, self._changed_at) > DWELL_APART_M:
            self._changed_at = None
        can_dwell = self._changed_at is None and (near or self.is_closed)
        if not can_dwell or self._since_s is None or math.dist(place, self._rest) > DWELL_RADIUS_M:
            self._since_s, self._rest = (time_s if can_dwell else None), place
        still_s = 0.0 if self._since_s is None else time_s - self._since_s
        self._progress = (
            min(1.0, max(0.0, still_s / self._dwell_s)) if self._dwell_s > 0.0 else float(can_dwell)
        )
        if not can_dwell or self._progress < 1.0:
            return False
        self._change(place)
        return True

    def _change(self, place: Vec2) -> None:
        self.is_closed = not self.is_closed
        self._since_s, self._changed_at, self._progress = None, place, 0.0


Grip = PinchGrip | FistGrip | DwellGrip


def make_grip(kind: GripKind, dwell_s: float, *, trusted: bool) -> Grip:
    """Return the grip of a new hand; ``trusted``: the hand may continue the grip of one that is out of sight."""
    if kind == GripKind.FIST:
        return FistGrip(trusted=trusted)
    if kind == GripKind.DWELL:
        return DwellGrip(dwell_s, trusted=trusted)
    return PinchGrip(trusted=trusted)
