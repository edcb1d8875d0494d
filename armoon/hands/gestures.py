"""Gestures: shake a closed hand to roll, wave an open one to put a ladder back, wag the index finger for a hint.

They are recognised by the extension of the fingers and by swings in the picture, measured in palm lengths. A pointing
finger presses buttons by dwelling on them.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from armoon.hands.filters import OneEuro, PointFilter
from armoon.hands.fingers import is_fist, is_open, is_pointing, measure_reaches
from armoon.hands.landmarks import INDEX_TIP, Hand, HandBounds, Hands
from armoon.hands.tracked_hand import drop_duplicates, match_hands
from armoon.values.acts import Gesture
from armoon.values.poses import Vec2

#: Minimum swing to one side, in palm lengths: above tremor and noise (0.05), below a tracker's limit per frame.
SWING_PALMS = 0.35
#: Maximum duration of a swing, in seconds; moving a hand from one place to another takes longer.
MAX_SWING_S = 0.45
#: Number of swings in a gesture: back and forth twice.
SWINGS = 4
#: Maximum time from the last swing of a shake to the opening of the hand, seconds.
THROW_S = 0.8
#: Consecutive frames that confirm a hand shape, because a single frame may be misread.
SHAPE_FRAMES = 2
#: Maximum time for which a hand may be out of sight or misread; after a longer gap the count restarts.
GAP_S = 0.25
#: Dead time after a gesture, seconds: the end of one gesture could be read as the start of another.
PAUSE_S = 1.0


class SwingCounter:
    """Counts how often a value moves back or forth quickly, by at least ``SWING_PALMS``."""

    def __init__(self) -> None:
        self._turning_point: tuple[float, float] | None = None
        self._farthest = (0.0, 0.0)
        self._ends: deque[float] = deque(maxlen=SWINGS)
        self._is_rising = True

    def add_value(self, time_s: float, value: float) -> None:
        if self._turning_point is None:
            self._turning_point = self._farthest = (time_s, value)
            return
        is_farther = value > self._farthest[1] if self._is_rising else value < self._farthest[1]
        if is_farther:
            self._farthest = (time_s, value)
        elif abs(value - self._farthest[1]) >= SWING_PALMS:
            (start_s, start), (end_s, end) = self._turning_point, self._farthest
            if abs(end - start) >= SWING_PALMS and end_s - start_s <= MAX_SWING_S:
                self._ends.append(end_s)
            else:
                self._ends.clear()
            self._turning_point, self._farthest = self._farthest, (time_s, value)
            self._is_rising = not self._is_rising

    @property
    def last_s(self) -> float | None:
        """Time when the last of enough consecutive swings ended; None with too few."""
        return self._ends[-1] if len(self._ends) == SWINGS else None


class _Shape:
    """A hand shape held over some frames, and the swings made in it."""

    def __init__(self) -> None:
        self.frames = 0
        self.seen_s = -math.inf
        self.x = SwingCounter()
        self.y = SwingCounter()

    def add_frame(self, shown: bool, time_s: float, centre: Vec2) -> None:
        if self.seen_s > -math.inf and time_s - self.seen_s > GAP_S:
            self.x, self.y, self.seen_s = SwingCounter(), SwingCounter(), -math.inf
        self.frames = self.frames + 1 if shown else 0
        if shown:
            self.seen_s = time_s
            self.x.add_value(time_s, centre[0])
            self.y.add_value(time_s, centre[1])

    def has_waved(self, time_s: float) -> bool:
        """Return whether the hand has just moved from side to side and still has this shape."""
        last_swing_s = self.x.last_s
        return self.frames >= SHAPE_FRAMES and last_swing_s is not None and time_s - last_swing_s <= GAP_S


class _GestureHand:
    """The gesture state of one hand."""

    def __init__(self, bounds: HandBounds) -> None:
        self.bounds = bounds
        self.seen_s = -math.inf
        # Use one unit for the whole gesture, because a palm's length in the picture changes as the hand turns.
        self._palm_px = max(bounds.palm_px, 1.0)
        self._fist, self._open, self._finger = _Shape(), _Shape(), _Shape()

    def add_hand(self, hand: Hand, bounds: HandBounds, time_s: float) -> Gesture | None:
        self.bounds, self.seen_s = bounds, time_s
        reaches = measure_reaches(hand)
        if reaches is None:
            return None
        x, y = bounds.centre_px
        centre = (x / self._palm_px, y / self._palm_px)
        self._fist.add_frame(is_fist(reaches), time_s, centre)
        self._open.add_frame(is_open(reaches), time_s, centre)
        self._finger.add_frame(is_pointing(reaches), time_s, centre)
        if self._finger.has_waved(time_s):
            return Gesture.WAG
        if self._open.frames < SHAPE_FRAMES:
            return None
        last_shake_s = max(self._fist.x.last_s or -math.inf, self._fist.y.last_s or -math.inf)
        if time_s - last_shake_s <= THROW_S:
            return Gesture.SHAKE
        return Gesture.WAVE if self._open.has_waved(time_s) else None


class GestureReader:
    """Recognises gestures; call ``read_gesture`` once per frame."""

    def __init__(self) -> None:
        self._time_s = -math.inf
        self._quiet_until_s = -math.inf
        self._hands: list[_GestureHand] = []

    def read_gesture(self, hands: Hands, *, busy: bool = False) -> Gesture | None:
        """Return the gesture that a frame completes. ``busy``: a hand carries a ladder, so no gesture is meant."""
        time_s = hands.time_s
        if not math.isfinite(time_s) or time_s == self._time_s:
            return None
        if time_s < self._time_s:
            self._hands, self._quiet_until_s = [], -math.inf
        self._time_s = time_s
        if busy or time_s < self._quiet_until_s:
            self._hands = []
            return None
        self._hands = [hand for hand in self._hands if time_s - hand.seen_s <= GAP_S]
        plausible = drop_duplicates([hand for hand in hands.hands if hand.is_plausible])
        seen_bounds = [hand.bounds for hand in plausible]
        matched = match_hands(
            [hand.bounds for hand in self._hands], [time_s - hand.seen_s for hand in self._hands], seen_bounds
        )
        known_hands = {s: self._hands[k] for k, s in matched.items()}
        gesture = None
        for s, (hand, bounds) in enumerate(zip(plausible, seen_bounds, strict=True)):
            tracked = known_hands.get(s)
            if tracked is None:
                tracked = _GestureHand(bounds)
                self._hands.append(tracked)
            gesture = gesture or tracked.add_hand(hand, bounds, time_s)
        if gesture is not None:
            self._hands, self._quiet_until_s = [], time_s + PAUSE_S
        return gesture


Box = tuple[float, float, float, float]
"""Left, top, right and bottom as fractions of the picture's width and height."""

#: Filter of the pointer, in fractions of the picture; at rest as steady as a grip (``grip_settings.ACROSS``).
POINTER_FILTER = OneEuro(min_cutoff_hz=1.5, beta=35.0, speed_cutoff_hz=6.0)
#: Margin around a button while it is being pressed, so that trembling doesn't restart the dwell: 8 of 640 pixels.
PRESS_MARGIN = 0.012
#: Seconds for which a pointing finger may be misread or out of sight.
POINTING_GAP_S = 0.2
#: Consecutive frames after which a finger counts as pointing: hands pass through that shape as they open and close.
POINT_FRAMES = 3


@dataclass(frozen=True)
class FingerPointer:
    """The point at which a finger points, and how long it has dwelt there."""

    place: Vec2
    button: str | None = None
    progress: float = 0.0
    """Progress of the dwell on the button, 0 to 1."""
    pressed: bool = False
    """Whether the button was pressed in this frame; the finger must leave it before it can press it again."""


class DwellPointer:
    """Tracks a pointing finger; call ``add_hands`` once per frame."""

    def __init__(self, *, mirrored: bool, dwell_s: float = 0.8) -> None:
        """``mirrored``: the player sees the picture flipped left to right."""
        self._mirrored = mirrored
        self._dwell_s = dwell_s
        self._time_s = self._seen_s = -math.inf
        self._frames = 0
        self._reset()

    def add_hands(
        self, hands: Hands, buttons: Mapping[str, Box], *, busy: bool = False
    ) -> FingerPointer | None:
        """Return the pointer in this frame, or None; ``busy``: a hand carries a ladder, so it isn't pointing."""
        time_s = hands.time_s
        if not math.isfinite(time_s) or time_s == self._time_s:
            return None
        if busy or time_s < self._time_s or time_s - self._seen_s > POINTING_GAP_S:
            self._reset()
        self._time_s = time_s
        tip = None if busy else self._find_pointing_tip(hands)
        self._frames = self._frames + 1 if tip is not None else 0
        if tip is None:
            return None
        self._seen_s = time_s
        x, y = self._filter.add_value(time_s, tip)
        return None if self._frames < POINT_FRAMES else self._update_dwell((x, y), time_s, buttons)

    def _reset(self) -> None:
        self._filter = PointFilter(POINTER_FILTER)
        self._frames = 0
        self._button: str | None = None
        self._since_s = 0.0
        self._pressed = False

    def _find_pointing_tip(self, hands: Hands) -> Vec2 | None:
        """Return the tip of the first pointing finger, in fractions of the picture."""
        for hand in hands.hands:
            reaches = measure_reaches(hand) if hand.is_plausible else None
            if reaches is not None and is_pointing(reaches):
                x, y = hand.points_px[INDEX_TIP]
                across = (x + 0.5) / max(hands.width, 1)
                return (1.0 - across if self._mirrored else across, (y + 0.5) / max(hands.height, 1))
        return None

    def _update_dwell(self, place: Vec2, time_s: float, buttons: Mapping[str, Box]) -> FingerPointer:
        current = buttons.get(self._button) if self._button is not None else None
        if current is None or not _is_inside(place, current, PRESS_MARGIN):
            self._button = next((name for name, box in buttons.items() if _is_inside(place, box, 0.0)), None)
            self._since_s, self._pressed = time_s, False
        if self._button is None or self._pressed:
            return FingerPointer(place, self._button)
        dwelt_s = time_s - self._since_s
        progress = min(1.0, dwelt_s / self._dwell_s) if self._dwell_s > 0.0 else 1.0
        self._pressed = progress >= 1.0
        return FingerPointer(place, self._button, progress, self._pressed)


def _is_inside(place: Vec2, box: Box, margin: float) -> bool:
    left, top, right, bottom = box
    return left - margin <= place[0] <= right + margin and top - margin <= place[1] <= bottom + margin
