"""The three kinds of grip: pinch, fist, and dwell for hands that can't close.

A pinch of thumb and index tip is measured in palm lengths, with hysteresis and safeguards.

The gap between the tips must be small in the picture and in the world landmarks, and so must the gap between the end
joints in the world. That excludes OK signs, relaxed hands seen edge on, and hands around a mug. In photographs of 41
pinches, the picture gap plus half of the world gap is at most 0.33, the end joints' gap 0.55; 41 OK signs all fail.
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array
from armoon.hands import fingers, landmarks
from armoon.hands.grip_settings import SAME_MOMENT_S, FrameSpan, Pace, RecentValues, Streak
from armoon.hands.metric import PALM_AREA, MetricHand
from armoon.values.choices import GripKind
from armoon.values.poses import Vec2, Vec3

THUMB_END_JOINT, INDEX_END_JOINT = 3, 7
#: Maximum gaps of a closed pinch: in the picture, in the world, and picture gap plus half of the world gap.
CLOSED_PICTURE = 0.27
CLOSED_WORLD = 0.55
CLOSED_SUM = 0.36
#: Maximum gap between the end joints of thumb and index in a closed pinch: for a palm edge on, and well visible.
MAX_JOINTS_GAP = (0.46, 0.58)
#: Minimum reach of the index finger in a pinch: for a palm edge on, and well visible. Less is a fist.
MIN_INDEX_REACH = (1.10, 0.96)
#: Weight of the world gap in its sum with the picture gap, which decides whether a hand opens.
WORLD_GAP_WEIGHT = 0.5
#: Limits of the sum when both gaps have grown: a hand never opens below the first, and always opens above the second.
RELEASE_LIMITS = (0.30, 0.75)
#: Growth of the sum, in addition to its jitter, that opens a hand between these limits.
RELEASE_MARGIN = 0.12
#: Minimum growth of the picture gap and of the world gap; when a hand turns, only the picture gap grows.
RELEASE_MARGINS = (0.05, 0.03)
#: Number of standard deviations of the sum's jitter that are added to the margin.
JITTER_SIGMAS = 3.0
#: Span for which a hand must be seen open before it can grab, so that a hand that arrives pinched takes nothing.
OPEN_FIRST = FrameSpan(2, 0.03)
#: Span for which a pinch must be seen closed: usually, and if the hand's shape is ambiguous.
CLOSE = FrameSpan(2, 0.06)
CLOSE_AMBIGUOUS = FrameSpan(2, 0.12)
#: Frame interval (15 and 10 Hz) from which two frames confirm an ambiguous pinch and one wide open frame releases.
SLOW_FRAME_S = 0.06
#: Maximum gap of the end joints in both of these frames; at 10 Hz, short pinches rarely appear in three frames.
CERTAIN_JOINTS_GAP = 0.40
#: Difference of the fingers' reaches up to which a curling index means a fist (noise 0.1; pinches have at least 0.39).
SIMILAR_REACHES = 0.25
#: Difference of the fingers' reaches up to which a hand pinches only if it stays closed for this long.
EQUAL_REACHES = 0.15
CLOSE_IF_EQUAL = FrameSpan(2, 0.25)
#: Maximum speed of the tips relative to the wrist: tips that have met are still, faster tips are passing each other.
REST_PALMS_PER_S = 4.0
#: Span for which an opening hand must be seen open: usually, and if only the noisier world gap shows it.
OPEN = FrameSpan(2, 0.03)
OPEN_BY_WORLD = FrameSpan(2, 0.09)
#: Longer span just after a grab and over the lid, where pinches are misread as open for 2 to 4 frames (in 10 of 142
#: trials).
OPEN_CAREFULLY = FrameSpan(2, 0.13)
CAREFUL_S = 0.6
#: Seconds after a grab from which a wide open hand releases at once; without this a tap was released 0.17 s late.
CAREFUL_IF_WIDE_S = 0.5
#: Growth of the picture gap in one frame after which an opening must last longer or be certain: in front of a bright
#: lamp, a gap once seemed to grow by 0.32 in one frame and to close over the next six.
JUMP, OPEN_AFTER_JUMP = 0.28, FrameSpan(2, 0.25)
#: Minimum gaps of a wide open hand, in the picture and in the world, and minimum growth of both.
WIDE_OPEN = (0.40, 0.45)
WIDE_GROWTH = (0.30, 0.25)
#: The recent period: longer than fingers take to open, shorter than a wrist takes to turn.
RECENT = FrameSpan(1000, 1.0)
#: Quantile of the recent gaps from which the growth of a gap is measured.
RECENT_QUANTILE = 0.5
#: Maximum gaps of a closed hand, in the picture and in the world; a hand that exceeds either of them is open.
OPEN_PICTURE = 0.50
OPEN_WORLD = 0.70
#: Picture gap above which a hand is open, whatever the world gap is.
CERTAINLY_OPEN_GAP = 0.65
#: Growth of both gaps that stops a held object; with the release's margins, objects were released 5 mm off (median).
WAVER_MARGIN, WAVER_WORLD_MARGIN = 0.10, 0.03
#: Visible share of the palm's area up to which it is edge on, and from which it is well visible, as in all photographed
#: pinches.
EDGE_ON, WELL_VISIBLE = 0.40, 0.55
#: Gap between thumb tip and middle tip above which the index finger is certainly the one that pinches.
MIN_MIDDLE_GAP = 0.50
#: Decrease of the index finger's reach that shows it is curling.
MIN_CURL = 0.06
#: Picture gaps displayed as wide open and as closed.
SHOWN_OPEN = 1.0
SHOWN_CLOSED = 0.15
#: Standard deviation over the median of absolute second differences: 0.6745 is a normal quartile; 1 + 4 + 1 = 6.
SIGMA_OF_SECOND_DIFFERENCE = 1.0 / (0.6745 * math.sqrt(6.0))


@dataclass(frozen=True)
class PinchMeasure:
    """Measures of how far a hand is from a pinch; gaps in palm lengths."""

    picture_gap: float
    world_gap: float
    index_reach: float
    """Wrist to index tip over wrist to index knuckle: below 1 the finger is curled in."""
    joints_gap: float = 0.0
    """Gap between the end joints of thumb and index, in the world."""
    middle_gap: float = 1.0
    """Gap between thumb tip and middle tip, in the world."""
    facing: float = 1.0
    """Visible share of the palm's area."""
    tips: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Thumb tip (x, y) and index tip (x, y) relative to the wrist, in the picture."""
    finger_difference: float = 1.0
    """Maximum difference between the reaches of the index and another finger; small in a closing fist."""

    def is_closed(self, slack: float = 0.0) -> bool:
        """Return whether the pinch is closed; a larger ``slack`` requires a tighter pinch."""
        visibility = min(1.0, max(0.0, (self.facing - EDGE_ON) / (WELL_VISIBLE - EDGE_ON)))
        return (
            self.picture_gap < CLOSED_PICTURE - slack / 2.0
            and self.world_gap < CLOSED_WORLD
            and self.gap_sum < CLOSED_SUM
            and self.joints_gap < _interpolate(MAX_JOINTS_GAP, visibility)
            and self.index_reach >= _interpolate(MIN_INDEX_REACH, visibility)
        )

    @property
    def is_ambiguous(self) -> bool:
        """Whether an unpinched hand could look the same: edge on, or with the middle finger near the thumb."""
        return self.facing < EDGE_ON or self.middle_gap < MIN_MIDDLE_GAP

    @property
    def gap_sum(self) -> float:
        return self.picture_gap + WORLD_GAP_WEIGHT * self.world_gap

    @property
    def is_open(self) -> bool:
        return self.picture_gap > OPEN_PICTURE or self.world_gap > OPEN_WORLD

    @property
    def closing(self) -> float:
        """0 (wide open) to 1 (closed), for the picture."""
        share = (SHOWN_OPEN - self.picture_gap) / (SHOWN_OPEN - SHOWN_CLOSED)
        return min(1.0, max(0.0, share))


def measure_pinch(hand: landmarks.Hand) -> PinchMeasure | None:
    """Measure the pinch of a plausible hand; return None if its palm has no size."""
    points, world = hand.points_px, hand.world_m
    palm_world = math.dist(world[landmarks.WRIST], world[landmarks.MIDDLE_KNUCKLE])
    # A palm seen from the finger tips looks short in the picture; then use the scale of the whole hand.
    across_px = _measure_scale(hand.points, hand.world) * palm_world
    palm_px = max(math.dist(points[landmarks.WRIST], points[landmarks.MIDDLE_KNUCKLE]), across_px)
    knuckle = math.dist(world[landmarks.WRIST], world[landmarks.INDEX_KNUCKLE])
    if not (palm_px > 1e-3 and palm_world > 1e-4 and knuckle > 1e-4):
        return None
    (x, y), (a, b), (c, d) = points[landmarks.WRIST], points[landmarks.THUMB_TIP], points[landmarks.INDEX_TIP]
    gap = math.dist((a, b), (c, d)) / palm_px
    measure = PinchMeasure(
        gap,
        math.dist(world[landmarks.THUMB_TIP], world[landmarks.INDEX_TIP]) / palm_world,
        math.dist(world[landmarks.WRIST], world[landmarks.INDEX_TIP]) / knuckle,
        math.dist(world[THUMB_END_JOINT], world[INDEX_END_JOINT]) / palm_world,
        math.dist(world[landmarks.THUMB_TIP], world[landmarks.MIDDLE_TIP]) / palm_world,
        _measure_facing(points, max(across_px, 1e-3)),
        ((a - x) / palm_px, (b - y) / palm_px, (c - x) / palm_px, (d - y) / palm_px),
        _compare_fingers(world) if gap < CLOSED_PICTURE else 1.0,
    )
    return measure if math.isfinite(measure.picture_gap + measure.world_gap + measure.index_reach) else None


def is_pinched(hand: landmarks.Hand) -> bool:
    measure = measure_pinch(hand)
    return measure is not None and measure.is_closed()


class PinchGrip:
    """Thumb and index tip together. As for other grips, call ``measure_hand`` and ``update_grip`` in every frame."""

    def __init__(self, *, trusted: bool = False) -> None:
        """``trusted``: a hand that arrives pinched may close, because it may continue an earlier grip."""
        self._measure: PinchMeasure | None = None
        self.closing = 0.0
        """0 (wide open) to 1 (closed), for the picture."""
        self.gap = math.inf
        """A measure that grows as the hand opens, in the newest frame."""
        self.is_closed = False
        self.was_open = False
        """Whether the hand was clearly open at any time since it appeared."""
        self._trusted = trusted
        self._has_separated = True
        self._open, self._closed, self._past_release, self._world_open = (Streak() for _ in range(4))
        self._recent: RecentValues[PinchMeasure] = RecentValues(RECENT)
        self._reaches: RecentValues[float] = RecentValues(FrameSpan(1000, CLOSE_IF_EQUAL.seconds))
        self._min_finger_difference, self._max_joints_gap = math.inf, 0.0
        """Minimum ``finger_difference`` and maximum ``joints_gap`` in the current streak of closed frames."""
        self._jumped = False
        """Whether the current streak of open frames began with a jump of the gap."""
        self._newest: PinchMeasure | None = None
        self._newest_s = self._closed_s = -math.inf

    @property
    def is_opening(self) -> bool:
        """Whether a closed hand may have begun to open; more frames must confirm it."""
        if not self.is_closed or self._newest is None:
            return False
        # Compare with the smallest gaps: stopping a ladder for a frame is harmless, but opening fingers would move it.
        picture = min([measure.picture_gap for measure in self._recent])
        world = min([measure.world_gap for measure in self._recent])
        is_wavering = (
            self._newest.picture_gap > picture + WAVER_MARGIN
            and self._newest.world_gap > world + WAVER_WORLD_MARGIN
        )
        return is_wavering or self._past_release.frames > 0 or self._world_open.frames > 0

    def measure_hand(self, hand: landmarks.Hand) -> bool:
        """Measure a plausible hand; if that is impossible, return False and keep the last measure."""
        measure = measure_pinch(hand)
        if measure is not None:
            self._measure, self.closing, self.gap = measure, measure.closing, measure.picture_gap
        return measure is not None

    def find_point(self, points: Array) -> Array:
        """Return the measured hand's grip point (n,), given its landmarks (21, n)."""
        return fingers.find_grip_point(points, self.closing)

    def update_grip(self, time_s: float, place: Vec2, near: bool, slack: float) -> bool:
        """Add the measured hand; return True if the grip has just closed or opened.

        ``place``: position in the picture, in metres at a distance of 0.5 m; ``near``: whether the offered ladder
        (while closed: the place where one was last offered) is near; ``slack``: palm lengths by which thresholds widen.
        """
        return self._measure is not None and self.add_measure(time_s, self._measure, slack, over_lid=near)

    def add_measure(
        self, time_s: float, measure: PinchMeasure, slack: float = 0.0, *, over_lid: bool = False
    ) -> bool:
        """Add one frame; return True if the hand has just closed or opened.

        ``slack``: palm lengths by which open hands must be wider, and pinches tighter by half of that; ``over_lid``:
        whether the hand is where it took its object.
        """
        if self.is_closed:
            changed = self._update_closed(time_s, measure, slack, over_lid)
        else:
            changed = self._update_open(time_s, measure, slack)
        self._newest, self._newest_s = measure, time_s
        return changed

    def _update_open(self, time_s: float, measure: PinchMeasure, slack: float) -> bool:
        self._open.add_frame(measure.is_open, time_s)
        self.was_open = self.was_open or self._open.has_lasted(OPEN_FIRST)
        tight = measure.is_closed(slack)
        self._has_separated = self._has_separated or not tight
        self._closed.add_frame(tight and self._has_separated, time_s)
        self._reaches.add_value(measure.index_reach, time_s)
        if not tight:
            self._min_finger_difference, self._max_joints_gap = math.inf, 0.0
            return False
        self._min_finger_difference = min(self._min_finger_difference, measure.finger_difference)
        self._max_joints_gap = max(self._max_joints_gap, measure.joints_gap)
        is_slow = time_s - self._newest_s >= SLOW_FRAME_S - SAME_MOMENT_S
        is_doubtful = measure.is_ambiguous and not (is_slow and self._max_joints_gap <= CERTAIN_JOINTS_GAP)
        span = CLOSE_AMBIGUOUS if is_doubtful else CLOSE
        if not (self._closed.has_lasted(span) and self._is_at_rest(time_s, measure)) or self._is_curling(
            measure
        ):
            return False
        if not (self.was_open or self._trusted):
            return False
        self.is_closed, self._closed_s = True, time_s
        self._recent.clear()
        self._recent.add_value(measure, time_s)
        self._past_release, self._world_open = Streak(), Streak()
        return True

    def _is_wide_open(self, time_s: float, measure: PinchMeasure, slack: float) -> bool:
        """Return whether the hand is wide open; a single slow frame is enough, because the next may show no hand."""
        is_slow = time_s - self._newest_s >= SLOW_FRAME_S - SAME_MOMENT_S
        if not (is_slow or self._past_release.has_lasted(OPEN)):
            return False
        (min_picture, min_world), (growth, world_growth) = WIDE_OPEN, WIDE_GROWTH
        limit = self._get_picture_level() + growth + self._compute_jitter_margin()
        return (
            measure.picture_gap > max(min_picture, limit) + slack
            and measure.world_gap > max(min_world, self._get_world_level() + world_growth) + slack
        )

    def _is_curling(self, measure: PinchMeasure) -> bool:
        """Return whether the hand may be making a fist: its fingers' reaches are similar, and its index is curling."""
        if self._min_finger_difference > SIMILAR_REACHES:
            return False
        is_curling = max(self._reaches) - measure.index_reach > MIN_CURL
        return is_curling or (
            self._min_finger_difference <= EQUAL_REACHES and not self._closed.has_lasted(CLOSE_IF_EQUAL)
        )

    def _is_at_rest(self, time_s: float, measure: PinchMeasure) -> bool:
        if self._newest is None:
            return True
        a, b = self._newest.tips, measure.tips
        moved = max(math.dist(a[:2], b[:2]), math.dist(a[2:], b[2:]))
        return moved <= REST_PALMS_PER_S * (time_s - self._newest_s)

    def _update_closed(self, time_s: float, measure: PinchMeasure, slack: float, over_lid: bool) -> bool:
        held_s = time_s - self._closed_s + SAME_MOMENT_S
        is_careful, wide_counts = over_lid or held_s < CAREFUL_S, not over_lid and held_s >= CAREFUL_IF_WIDE_S
        if not self._past_release.frames:
            self._jumped = self._is_jump(time_s, measure)
        self._recent.add_value(measure, time_s)
        self._past_release.add_frame(self._is_past_release(measure, slack), time_s)
        self._world_open.add_frame(measure.world_gap > OPEN_WORLD + slack, time_s)
        is_doubtful = self._jumped and measure.picture_gap <= CERTAINLY_OPEN_GAP + slack
        span = OPEN_AFTER_JUMP if is_doubtful else OPEN_CAREFULLY if is_careful else OPEN
        if not (
            (wide_counts and not is_doubtful and self._is_wide_open(time_s, measure, slack))
            or self._past_release.has_lasted(span)
            or self._world_open.has_lasted(OPEN_CAREFULLY if is_careful else OPEN_BY_WORLD)
        ):
            return False
        self.is_closed = False
        self.was_open = True
        # Fingers that have just separated may still be as close as those of a pinch.
        self._has_separated = not measure.is_closed()
        self._open, self._closed = Streak(), Streak()
        return True

    def _is_jump(self, time_s: float, measure: PinchMeasure) -> bool:
        if self._newest is None or time_s - self._newest_s >= SLOW_FRAME_S - SAME_MOMENT_S:
            return False
        return measure.picture_gap > self._newest.picture_gap + JUMP

    def _is_past_release(self, measure: PinchMeasure, slack: float) -> bool:
        picture_growth, world_growth = RELEASE_MARGINS
        # The levels are rarely exceeded: compute the world's only if the picture's is, and the rest only if both are.
        if not (
            measure.picture_gap > self._get_picture_level() + picture_growth
            and measure.world_gap > self._get_world_level() + world_growth
        ):
            return measure.picture_gap > CERTAINLY_OPEN_GAP + slack
        lower, upper = RELEASE_LIMITS
        usual_gap = _get_level([measure.gap_sum for measure in self._recent])
        release = min(upper, max(lower, usual_gap + RELEASE_MARGIN + self._compute_jitter_margin()))
        return measure.gap_sum > release + slack

    def _get_picture_level(self) -> float:
        return _get_level([measure.picture_gap for measure in self._recent])

    def _get_world_level(self) -> float:
        return _get_level([measure.world_gap for measure in self._recent])

    def _compute_jitter_margin(self) -> float:
        gaps = [measure.gap_sum for measure in self._recent]
        if len(gaps) < 5:
            return 0.0
        steps = [abs(a - 2.0 * b + c) for a, b, c in zip(gaps, gaps[1:], gaps[2:], strict=False)]
        return JITTER_SIGMAS * SIGMA_OF_SECOND_DIFFERENCE * statistics.median_low(steps)


def _get_level(gaps: Sequence[float]) -> float:
    return sorted(gaps)[int(RECENT_QUANTILE * (len(gaps) - 1))]


def _interpolate(ends: tuple[float, float], fraction: float) -> float:
    first, second = ends
    return first + fraction * (second - first)


def _compare_fingers(world: Sequence[Vec3]) -> float:
    wrist = world[landmarks.WRIST]
    index, *others = [
        math.dist(wrist, world[tip]) / max(math.dist(wrist, world[knuckle]), 1e-4)
        for knuckle, tip in fingers.FINGERS
    ]
    return max([abs(other - index) for other in others])


def _measure_facing(points: Sequence[Vec2], palm_px: float) -> float:
    (x, y), (a, b), (c, d) = (
        points[landmarks.WRIST],
        points[landmarks.INDEX_KNUCKLE],
        points[landmarks.LITTLE_KNUCKLE],
    )
    return min(1.0, abs((a - x) * (d - y) - (b - y) * (c - x)) / (PALM_AREA * palm_px * palm_px))


def _measure_scale(points: Array, world: Array) -> float:
    """Return the pixels per metre that fit the world landmarks to the picture (weak perspective); 0 if impossible."""
    flat = world[:, :2] - world[:, :2].sum(axis=0) / len(world)
    spread = float((flat * flat).sum())
    if spread < 1e-9:
        return 0.0
    return float((flat * (points - points.sum(axis=0) / len(points))).sum()) / spread


#: Mean reach above which a fist is open in any case; rise above the last second's minimum that opens it earlier; and
#: rise that may be the beginning of opening.
FIST_OPEN_MEAN = 1.45
FIST_RELEASE_MARGIN = 0.30
FIST_WAVER_MARGIN = 0.10
#: Mean reaches displayed as wide open and as closed.
FIST_SHOWN_OPEN, FIST_SHOWN_CLOSED = 1.70, 1.00
#: Radius in which a dwelling hand stays, in metres at a distance of 0.5 m: wider than a strong tremor (1.5 mm RMS).
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
        self._recent: RecentValues[float] = RecentValues(RECENT)

    @property
    def is_opening(self) -> bool:
        return self.is_closed and self.gap > min(self._recent) + FIST_WAVER_MARGIN

    @property
    def closing(self) -> float:
        share = (FIST_SHOWN_OPEN - self.gap) / (FIST_SHOWN_OPEN - FIST_SHOWN_CLOSED)
        return max(0.0, min(1.0, share))

    def measure_hand(self, hand: landmarks.Hand) -> bool:
        reaches = fingers.measure_reaches(hand)
        if reaches is not None:
            self.gap = fingers.average_reaches(reaches)
        return reaches is not None

    def find_point(self, points: Array) -> Array:
        return fingers.find_palm_point(points)

    def update_grip(self, time_s: float, place: Vec2, near: bool, slack: float) -> bool:
        if self.is_closed:
            self._recent.add_value(self.gap, time_s)
            rising_limit = max(fingers.FIST_MEAN, min(self._recent) + FIST_RELEASE_MARGIN)
            limit = min(FIST_OPEN_MEAN, rising_limit) + slack
            self._open.add_frame(self.gap > limit, time_s)
            changed = self._open.has_lasted(OPEN)
        else:
            self._open.add_frame(self.gap > FIST_OPEN_MEAN, time_s)
            self._closed.add_frame(self.gap < fingers.FIST_MEAN, time_s)
            self.was_open = self.was_open or self._open.has_lasted(OPEN_FIRST)
            changed = self._closed.has_lasted(CLOSE) and (self.was_open or self._trusted)
        if changed:
            self.is_closed = not self.is_closed
            self.was_open = self.was_open or not self.is_closed
            self._open, self._closed = Streak(), Streak()
            self._recent.clear()
            self._recent.add_value(self.gap, time_s)
        return changed


class DwellGrip:
    """An open hand held still: at the offered ladder to take it, and anywhere to release it."""

    #: A dwelling hand is still when it releases, so its newest position is right.
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

    def measure_hand(self, hand: landmarks.Hand) -> bool:
        return True

    def find_point(self, points: Array) -> Array:
        return fingers.find_grip_point(points, 0.0)

    def update_grip(self, time_s: float, place: Vec2, near: bool, slack: float) -> bool:
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


#: Averaging time of the jitter, seconds.
NOISE_S = 0.5
#: The tracker's usual jitter, palm lengths (RMS of a coordinate): 0.003 to 0.012 in placement trials at both seats.
USUAL_NOISE = 0.013
#: Slack per palm length of additional jitter: three standard deviations of the gap between two tips, each of which
#: jitters 1.5 times as much as the palm.
SLACK_PER_NOISE = 6.0
#: Visible share of the palm's length from which the view adds no slack, and up to which it adds ``VIEW_SLACK``.
SEEN_WELL, END_ON = 0.45, 0.20
VIEW_SLACK = 0.10
#: Maximum slack; with more of it, a hand would be hard to open.
MAX_SLACK = 0.15
#: Ratio of white noise's second differences to the noise itself: the root of 1 + 4 + 1.
SECOND_DIFFERENCE = math.sqrt(6.0)
_PALM = list(landmarks.PALM)


class SlackEstimator:
    """Estimates the slack that a hand's noise and view require; create a new one when the hand is acquired again."""

    def __init__(self) -> None:
        self._shapes: deque[Array] = deque(maxlen=3)
        self._squares: deque[float] = deque()
        self.noise = 0.0

    def add_hand(self, hand: MetricHand, pace: Pace | None = None) -> float:
        """Add a frame and return the slack, in palm lengths. ``pace``: the frames' pace; None: 30 Hz."""
        palm = hand.rays[_PALM] / hand.palm_ray_length
        self._shapes.append(palm - palm.sum(axis=0) / len(palm))
        if len(self._shapes) == 3:
            first, second, third = self._shapes
            jitter = first - 2.0 * second + third
            self._squares.append(float((jitter * jitter).sum()) / jitter.size)
            while len(self._squares) > (pace or Pace()).count_frames(NOISE_S):
                self._squares.popleft()
            self.noise = math.sqrt(sum(self._squares) / len(self._squares)) / SECOND_DIFFERENCE
        from_noise = SLACK_PER_NOISE * max(0.0, self.noise - USUAL_NOISE)
        shown_length = float(np.hypot(*hand.finger_line)) / hand.palm_ray_length
        from_view = VIEW_SLACK * min(1.0, max(0.0, (SEEN_WELL - shown_length) / (SEEN_WELL - END_ON)))
        return min(MAX_SLACK, from_noise + from_view)
