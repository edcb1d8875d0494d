"""The pinch: thumb tip and index tip together, measured without scale, with hysteresis and guards.

The gap between the tips counts in palm lengths, once in the picture and once in the world landmarks: the
picture alone is fooled by hands seen edge on, the world landmarks alone by their own noise. Thresholds come
from photographs (41 pinches: picture at most 0.21, world at most 0.35; 333 open hands, fists and other signs:
picture at least 0.42) and from the rendered hand (mirror view, pinched: world up to 0.46).
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array
from armoon.hands.tracking.landmarks import (
    INDEX_KNUCKLE,
    INDEX_TIP,
    MIDDLE_KNUCKLE,
    THUMB_TIP,
    WRIST,
    Hand,
)

#: Closed below both.
CLOSED_PICTURE = 0.35
CLOSED_WORLD = 0.55
#: Open above either.
OPEN_PICTURE = 0.50
OPEN_WORLD = 0.70
#: Relative release: open as well when the picture's gap has grown this much over the smallest of the last
#: while (Meta's rule), but never before it has left the closed range.
RELEASE_MARGIN = 0.30
#: A gap that grows in the picture alone is a hand that turns: the rendered hand, carried pinched before the
#: mirror's camera, went from 0.05 to 0.36 there and from 0.38 to 0.27 in the world. Unless the picture's gap
#: is beyond doubt, the world's has to have grown this much too.
RELEASE_WORLD_MARGIN = 0.10
OPEN_BEYOND_DOUBT = 0.65
#: The fingers may be about to open when both gaps have grown this much: from there on a held thing waits.
#: With the release's own margin as the first sign, it was let go of 5 mm (median) beside its place.
WAVER_MARGIN, WAVER_WORLD_MARGIN = 0.10, 0.03
#: So many frames make the last while: 1 s at 30 Hz, slower than fingers and quicker than a turning wrist.
RECENT_FRAMES = 30
#: In a fist the index tip lies nearer to the wrist than its own knuckle; in the 41 photographed pinches the
#: smallest ratio of the two distances was 1.05, in the fists the largest 0.96.
FIST_REACH = 1.0
#: Frames in a row that make an edge: two at 30 Hz are 33 ms, and single frames flicker. A release costs a
#: player more than a late one (it takes its place from before the fingers opened), so it needs one more.
CLOSE_FRAMES = 2
OPEN_FRAMES = 3
#: The world's gap is noisier, so alone it needs one frame more.
OPEN_FRAMES_WORLD = 4
#: A hand has to be seen open for so many frames before it can grab: one that arrives pinched takes nothing.
ARM_FRAMES = 2
#: The picture's gap that shows as wide open, and the one that shows as closed.
SHOWN_OPEN = 1.0
SHOWN_CLOSED = 0.15


@dataclass(frozen=True)
class PinchMeasure:
    """How far a hand is from a pinch; gaps in palm lengths."""

    picture_gap: float
    world_gap: float
    index_reach: float
    """Wrist to index tip over wrist to index knuckle: below 1 the finger is curled in."""

    @property
    def closed(self) -> bool:
        """Whether this frame alone shows a pinch."""
        return (
            self.picture_gap < CLOSED_PICTURE
            and self.world_gap < CLOSED_WORLD
            and self.index_reach >= FIST_REACH
        )

    @property
    def open(self) -> bool:
        """Whether this frame alone shows no pinch at all."""
        return self.picture_gap > OPEN_PICTURE or self.world_gap > OPEN_WORLD

    @property
    def closing(self) -> float:
        """0 wide open to 1 closed, for the picture."""
        part = (SHOWN_OPEN - self.picture_gap) / (SHOWN_OPEN - SHOWN_CLOSED)
        return min(1.0, max(0.0, part))


def measure_pinch(hand: Hand) -> PinchMeasure | None:
    """The gap between thumb and index of a sound hand; None where its palm has no size."""
    points, world = np.array(hand.points_px), np.array(hand.world_m)
    palm_world = _distance(world, WRIST, MIDDLE_KNUCKLE)
    # Seen from the finger tips a palm's own pixels shrink; then the weak perspective's scale counts.
    palm_px = max(_distance(points, WRIST, MIDDLE_KNUCKLE), _scale(points, world) * palm_world)
    knuckle = _distance(world, WRIST, INDEX_KNUCKLE)
    if not (palm_px > 1e-3 and palm_world > 1e-4 and knuckle > 1e-4):
        return None
    measure = PinchMeasure(
        _distance(points, THUMB_TIP, INDEX_TIP) / palm_px,
        _distance(world, THUMB_TIP, INDEX_TIP) / palm_world,
        _distance(world, WRIST, INDEX_TIP) / knuckle,
    )
    return measure if math.isfinite(measure.picture_gap + measure.world_gap + measure.index_reach) else None


def looks_pinched(hand: Hand) -> bool:
    """Whether one frame alone shows a pinch."""
    measure = measure_pinch(hand)
    return measure is not None and measure.closed


class PinchDetector:
    """Turns measures, one a frame, into a steady closed or open."""

    def __init__(self, *, trusted: bool = False) -> None:
        """``trusted`` lets a hand close that arrives pinched: one that may go on with what it held before."""
        self.closed = False
        self.seen_open = False
        """Whether the hand was clearly open at any time since it came."""
        self._trusted = trusted
        self._frames_open = 0
        self._frames_closed = 0
        self._frames_past_release = 0
        self._frames_world_open = 0
        self._recent: deque[PinchMeasure] = deque(maxlen=RECENT_FRAMES)

    @property
    def opening(self) -> bool:
        """Whether a closed hand may have begun to open, which more frames have to confirm."""
        if not self.closed:
            return False
        picture, world = self._smallest()
        newest = self._recent[-1]
        wavers = newest.picture_gap > picture + WAVER_MARGIN and newest.world_gap > world + WAVER_WORLD_MARGIN
        return wavers or self._frames_past_release > 0 or self._frames_world_open > 0

    def see(self, measure: PinchMeasure, slack: float = 0.0) -> bool:
        """Take in one frame; True if the hand has just closed or just opened.

        ``slack`` widens the thresholds by so many palm lengths (``armoon.hands.grips.slack``): closer to close,
        further to open.
        """
        return self._see_closed(measure, slack) if self.closed else self._see_open(measure, slack)

    def _see_open(self, measure: PinchMeasure, slack: float) -> bool:
        self._frames_open = self._frames_open + 1 if measure.open else 0
        self.seen_open = self.seen_open or self._frames_open >= ARM_FRAMES
        tight = measure.closed and measure.picture_gap < CLOSED_PICTURE - slack / 2.0
        self._frames_closed = self._frames_closed + 1 if tight else 0
        if self._frames_closed < CLOSE_FRAMES or not (self.seen_open or self._trusted):
            return False
        self.closed = True
        self._recent.clear()
        self._recent.append(measure)
        self._frames_past_release = self._frames_world_open = 0
        return True

    def _see_closed(self, measure: PinchMeasure, slack: float) -> bool:
        self._recent.append(measure)
        past = self._is_past_release(measure, slack)
        self._frames_past_release = self._frames_past_release + 1 if past else 0
        world_open = measure.world_gap > OPEN_WORLD + slack
        self._frames_world_open = self._frames_world_open + 1 if world_open else 0
        if self._frames_past_release < OPEN_FRAMES and self._frames_world_open < OPEN_FRAMES_WORLD:
            return False
        self.closed = False
        self.seen_open = True
        self._frames_open = self._frames_closed = 0
        return True

    def _is_past_release(self, measure: PinchMeasure, slack: float) -> bool:
        picture, world = self._smallest()
        release = min(OPEN_PICTURE, max(CLOSED_PICTURE, picture + RELEASE_MARGIN))
        agreed = measure.world_gap > world + RELEASE_WORLD_MARGIN
        return measure.picture_gap > (release if agreed else OPEN_BEYOND_DOUBT) + slack

    def _smallest(self) -> tuple[float, float]:
        """The smallest gaps of the last while, in the picture and in the world."""
        recent = self._recent
        return min(m.picture_gap for m in recent), min(m.world_gap for m in recent)


def _distance(points: Array, a: int, b: int) -> float:
    return math.dist(points[a], points[b])


def _scale(points: Array, world: Array) -> float:
    """Pixels per metre of the weak perspective that fits world landmarks to the picture; 0 if none does."""
    flat = world[:, :2] - world[:, :2].mean(axis=0)
    spread = float((flat * flat).sum())
    if spread < 1e-9:
        return 0.0
    return float((flat * (points - points.mean(axis=0))).sum()) / spread
