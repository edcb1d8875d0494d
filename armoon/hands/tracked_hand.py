"""Tracks hands from frame to frame: their identities, metric poses, and whether their grips are closed."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array, CameraModel
from armoon.hands import landmarks
from armoon.hands.filters import SHORTEST_STEP_S
from armoon.hands.grip_path import REFERENCE_M, GripPath
from armoon.hands.grip_settings import GripSettings, Pace
from armoon.hands.metric import NEAREST_SEEN_M, MetricHand, PoseSolver
from armoon.hands.pinch import MAX_SLACK, SlackEstimator, make_grip
from armoon.values.poses import Vec2, Vec3

#: Mean distance of two hands' landmarks, in palm lengths, below which they are one hand found twice.
SAME_HAND_PALMS = 0.4
#: Maximum distance of a hand from its predicted position, in palm lengths: initially, growth per second out of sight,
#: and upper limit. Trackers lose hands that move 0.7 palm lengths in a frame.
REACH_PALMS = 1.0
REACH_PALMS_PER_S = 10.0
MAX_REACH_PALMS = 3.0


def drop_duplicates(hands: Sequence[landmarks.Hand]) -> tuple[landmarks.Hand, ...]:
    distinct: list[landmarks.Hand] = []
    for hand in hands:
        if not any(_is_same_hand(hand, other) for other in distinct):
            distinct.append(hand)
    return tuple(distinct)


def match_hands(
    known: Sequence[landmarks.HandBounds], unseen_s: Sequence[float], visible: Sequence[landmarks.HandBounds]
) -> dict[int, int]:
    """Return the index of the visible hand by that of the known hand (out of sight for ``unseen_s``), nearest first."""
    pairs = []
    for k, (expected, unseen) in enumerate(zip(known, unseen_s, strict=True)):
        reach = min(MAX_REACH_PALMS, REACH_PALMS + REACH_PALMS_PER_S * unseen)
        for s, place in enumerate(visible):
            palm = max(expected.palm_px, place.palm_px, 1.0)
            distance = math.dist(expected.centre_px, place.centre_px) / palm
            if distance <= reach:
                pairs.append((distance, k, s))
    matched: dict[int, int] = {}
    used: set[int] = set()
    for _, k, s in sorted(pairs):
        if k not in matched and s not in used:
            matched[k] = s
            used.add(s)
    return matched


def _is_same_hand(a: landmarks.Hand, b: landmarks.Hand) -> bool:
    distance_px = np.linalg.norm(a.points - b.points, axis=1).mean()
    return bool(distance_px < SAME_HAND_PALMS * max(a.bounds.palm_px, b.bounds.palm_px))


#: Lead of one label over the other, in frames at 30 Hz, from which the label is settled (0.13 s).
SETTLED_LEAD = 4
#: Maximum lead; 12 contrary frames unsettle a wrong label with this lead.
MAX_LEAD = 15


class HandednessVote:
    """Decides a hand's side by a majority of the labels in many frames."""

    def __init__(self) -> None:
        self._lead = 0.0

    @property
    def side(self) -> landmarks.Side | None:
        if abs(self._lead) < SETTLED_LEAD:
            return None
        return "right" if self._lead > 0 else "left"

    def add_label(self, side: landmarks.Side, weight: float = 1.0) -> bool:
        """Add a frame's label; return whether it contradicts the settled one. ``weight``: in frames at 30 Hz."""
        signed_weight = weight if side == "right" else -weight
        is_contrary = abs(self._lead) >= SETTLED_LEAD and self._lead * signed_weight < 0.0
        self._lead = max(-MAX_LEAD, min(MAX_LEAD, self._lead + signed_weight))
        return is_contrary


#: Seconds after which a persistent mirrored shape is accepted as the true one.
MIRRORED_S = 0.8
#: Minimum visible area of a palm, in squared palm lengths, that distinguishes its front from its back.
MIN_SHOWN_AREA = 0.15


class MirrorFilter:
    """Detects mirrored landmarks of a closed hand: the tips are on the wrong side of the palm."""

    def __init__(self) -> None:
        self._tips_palms = 0.0
        """Average signed distance of the tips in front of the palm, from the world landmarks, in palm lengths."""
        self._true_s: float | None = None

    def add_shape(self, hand: landmarks.Hand, time_s: float) -> bool:
        """Add a frame of a closed hand; return True if the frame should be ignored."""
        tips_palms, palm_area = _measure_palm_side(hand)
        is_mirrored = palm_area < -MIN_SHOWN_AREA or (
            self._tips_palms * tips_palms < 0.0 and abs(self._tips_palms - tips_palms) > abs(self._tips_palms)
        )
        is_recent = self._true_s is not None and 0.0 <= time_s - self._true_s <= MIRRORED_S
        if is_mirrored and is_recent:
            return True
        average = self._tips_palms + 0.1 * (tips_palms - self._tips_palms)
        self._tips_palms = average if is_recent else tips_palms
        self._true_s = time_s
        return False


def _measure_palm_side(hand: landmarks.Hand) -> tuple[float, float]:
    """Return the tips' signed distance in front of the palm, and the palm's signed area in the picture.

    The distance, in palm lengths, changes sign if the world landmarks are mirrored. The area, in squared palm lengths,
    is negative if picture and world show different sides of the palm.
    """
    # Plain arithmetic: numpy's call overhead exceeds the work on three numbers.
    world, pixels = hand.world_m, hand.points_px
    corners = (landmarks.WRIST, landmarks.INDEX_KNUCKLE, landmarks.LITTLE_KNUCKLE)
    (x, y, z), (ix, iy, iz), (lx, ly, lz) = [world[landmark] for landmark in corners]
    (tx, ty, tz), (sx, sy, sz) = world[landmarks.THUMB_TIP], world[landmarks.INDEX_TIP]
    ax, ay, az, bx, by, bz = ix - x, iy - y, iz - z, lx - x, ly - y, lz - z
    ox, oy, oz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    out = ((tx + sx) / 2.0 - x) * ox + ((ty + sy) / 2.0 - y) * oy + ((tz + sz) / 2.0 - z) * oz
    palm_m = max(math.dist(world[landmarks.WRIST], world[landmarks.MIDDLE_KNUCKLE]), 1e-6)
    (x, y), (ix, iy), (lx, ly) = [pixels[landmark] for landmark in corners]
    palm_px = max(math.dist(pixels[landmarks.WRIST], pixels[landmarks.MIDDLE_KNUCKLE]), 1e-3)
    area = ((ix - x) * (ly - y) - (iy - y) * (lx - x)) / (palm_px * palm_px)
    world_area = oz / (palm_m * palm_m)
    shown = math.copysign(min(abs(area), abs(world_area)), area * world_area)
    return out / (max(math.hypot(ox, oy, oz), 1e-9) * palm_m), shown


class GripRefusal(enum.Enum):
    """Reasons why a hand that closed takes nothing."""

    OTHER_HAND = "other_hand"
    """The player prefers the other hand, which is also in view."""
    NOTHING = "nothing"
    """Nothing can be taken: it is another player's turn, or no ladder is in the lid."""
    TOO_FAR = "too_far"
    """The object to take is elsewhere in the picture."""


@dataclass(frozen=True)
class HandView:
    """A hand as seen in the newest frame, for the picture and the one-hand watch."""

    identity: int
    side: landmarks.Side
    points_px: tuple[Vec2, ...]
    """21 landmarks in camera pixels."""
    depths_m: tuple[float, ...]
    """Distance of each landmark from the camera along the optical axis."""
    points_table: tuple[Vec3, ...]
    """The landmarks in the table frame."""
    grip_point: Vec3
    """Table frame."""
    closing: float
    """0 (wide open) to 1 (closed)."""
    is_closed: bool
    is_owner: bool
    sigma_along_m: float
    """Standard deviation of the grip's depth."""
    hand_depth_m: float | None = None
    """Distance of the hand itself, not of the held object, along the optical axis; None if unknown."""
    refusal: GripRefusal | None = None
    """Why the hand took nothing when it closed; kept while it stays closed."""


#: Maximum distance of a hand over the lid from the offered ladder, in metres at a distance of 0.5 m: half the
#: ladder's width and a finger.
OVER_LID_M = 0.06
#: Gap between two sightings of a hand after which its filters and solver restart: this many seconds or frames,
#: whichever is longer.
RESTART_AFTER_S = 0.1
RESTART_AFTER_FRAMES = 2.5


class TrackedHand:
    """A hand with an identity. In a frame that shows it, call ``add_hand`` first; ``predict_bounds`` may precede it."""

    hand: landmarks.Hand
    _metric: MetricHand
    """Pose in the last frame for which one was found."""
    _slack: float

    def __init__(
        self, identity: int, camera: CameraModel, settings: GripSettings, pace: Pace, *, trusted: bool = False
    ) -> None:
        """``pace``: measures the frame interval; ``trusted``: it may continue the grip of a hand out of sight."""
        self.identity = identity
        self.trusted = trusted
        self.seen_s = -math.inf
        self.refusal: GripRefusal | None = None
        self.is_too_near = False
        """Whether the newest frame shows the hand, but too near for a pose."""
        self.grip = make_grip(settings.grip, settings.dwell_s, trusted=trusted)
        self.label = HandednessVote()
        self._shape = MirrorFilter()
        self.path = GripPath(settings, pace)
        self._pace = pace
        self._camera = camera
        self._settings = settings
        self._bounds: landmarks.HandBounds | None = None
        self._restart(self._make_solver())

    def add_hand(
        self, hand: landmarks.Hand, time_s: float, offered: Vec3 | None = None, lid: Vec3 | None = None
    ) -> bool:
        """Add a frame; return True if the grip has just closed or opened.

        ``offered``: the offered ladder in the camera frame; ``lid``: the last position where one was offered.
        ``seen_s`` stays unchanged until the hand's first pose, and in frames with a pose but no measurable grip.
        """
        is_mirrored = self.grip.is_closed and self._shape.add_shape(hand, time_s)
        if self.label.add_label(hand.side, self._pace.weight) or is_mirrored:
            # With a wrong label all landmarks are off by up to a palm, so only record that the hand is present.
            self.seen_s = time_s if self._bounds is not None else self.seen_s
            return False
        restart_after_s = self._restart_after_s
        is_new_start = time_s - self.seen_s > restart_after_s
        solver = self._make_solver() if is_new_start else self._solver
        metric = solver.solve_pose(hand, use_average=self.grip.is_closed and self.path.is_holding)
        self.is_too_near = metric is None
        if metric is None and self._bounds is not None:
            # The hand is too near for a pose: keep its position, and only read its fingers.
            self._update_bounds(hand, time_s, restart_after_s)
            return self.grip.measure_hand(hand) and self.grip.update_grip(
                time_s, self.path.hand_grip[0], False, self._slack
            )
        if metric is None or not self.grip.measure_hand(hand):
            return False
        if is_new_start:
            # Restart only once there is a new value to start from.
            self._restart(solver)
        self._update_bounds(hand, time_s, restart_after_s)
        self._metric = metric
        self._slack = self._slack_meter.add_hand(metric, self._pace)
        across = self.path.add_grip(time_s, metric, self.grip, self._slack, self._solver.shape_deviation)
        reach_m = OVER_LID_M if self.grip.is_closed else self._settings.dwell_reach_m
        is_near = self._is_near(across, lid if self.grip.is_closed else offered, reach_m)
        changed = self.grip.update_grip(time_s, across, is_near, self._slack)
        if self.grip.is_closed or not changed:
            self.path.set_opening(self.grip.is_closed and self.grip.is_opening)
        return changed

    def predict_bounds(self, time_s: float) -> landmarks.HandBounds | None:
        """Return the position in the picture predicted by the last motion; None before the first sighting."""
        if self._bounds is None:
            return None
        ahead_s = min(max(time_s - self.seen_s, 0.0), self._restart_after_s)
        (x, y), (vx, vy) = self._bounds.centre_px, self._drift_px_s
        return landmarks.HandBounds((x + vx * ahead_s, y + vy * ahead_s), self._bounds.palm_px)

    @property
    def points_m(self) -> Array:
        """The newest frame's landmarks (21, 3), camera frame, moved to the filtered depth."""
        points: Array = np.empty_like(self._metric.points_m)
        depths = np.maximum(self._metric.points_m[:, 2:] + self.path.depth_correction_m, 0.01)
        points[:, :2], points[:, 2:] = self._metric.rays * depths, depths
        return points

    @property
    def sigmas_m(self) -> tuple[float, float]:
        across_m = math.hypot(self._metric.sigma_across_m, self._slack_meter.noise * self._settings.palm_m)
        factor = 1.0 + self._slack / MAX_SLACK
        return across_m, max(across_m, self.path.depth_share * self._metric.sigma_along_m * factor)

    @property
    def _restart_after_s(self) -> float:
        return max(RESTART_AFTER_S, RESTART_AFTER_FRAMES * self._pace.frame_s)

    def _make_solver(self) -> PoseSolver:
        return PoseSolver(self._camera, self._settings.palm_m, NEAREST_SEEN_M)

    def _restart(self, solver: PoseSolver) -> None:
        self._solver = solver
        self._slack_meter = SlackEstimator()
        self._slack = 0.0
        self._drift_px_s = (0.0, 0.0)
        self.path.restart()

    def _update_bounds(self, hand: landmarks.Hand, time_s: float, restart_after_s: float) -> None:
        bounds = hand.bounds
        step_s = time_s - self.seen_s
        if self._bounds is not None and 0.0 < step_s <= restart_after_s:
            (x, y), (last_x, last_y) = bounds.centre_px, self._bounds.centre_px
            self._drift_px_s = ((x - last_x) / step_s, (y - last_y) / step_s)
        self._bounds, self.hand, self.seen_s = bounds, hand, time_s

    def _is_near(self, across: Vec2, place: Vec3 | None, reach_m: float) -> bool:
        if place is None:
            return False
        x, y, z = place
        distance_m = math.hypot(across[0] - x / z * REFERENCE_M, across[1] - y / z * REFERENCE_M)
        return distance_m <= reach_m


#: If a frame is this much earlier than the last one, the source has restarted; otherwise frames were reordered.
RESTART_S = 1.0
#: Ratio of palm length to the picture's short side above which a hand is too near (28 cm at 640×360). This is reported
#: after ``TOO_NEAR_AFTER_S``.
TOO_NEAR_SHARE = 0.45
TOO_NEAR_AFTER_S = 0.3
#: Seconds for which a hand still counts as too near if it was lost while too near.
TOO_NEAR_STAYS_S = 2.0
#: Frame interval (11 Hz) from which a pinch of 0.3 s may be visible in only two frames.
SLOW_FRAME_S = 0.09


#: Number of odd frames within ``ODD_WITHIN_S`` that indicates two hands, and duration of the notice in seconds.
ODD_FRAMES, ODD_WITHIN_S, MERGED_STAYS_S = 3, 1.0, 2.0
#: A frame is odd at this jump, if the hand then returns within this distance, in palm lengths; at this ratio of sizes;
#: or at this motion of the palm while its label flips (the label of a single turning hand flips six times in 0.3 s, but
#: its palm moves by 0.12 at most).
JUMP_PALMS, RETURN_PALMS, JUMP_SIZE_RATIO, FLIP_PALMS = 0.5, 0.25, 1.5, 0.2


class MergedHands:
    """Detects two hands held together, which the tracker reports as one hand that switches between the two."""

    def __init__(self) -> None:
        self._last_hands: list[landmarks.Hand] = []
        """The hands of the last two frames; empty after a frame without exactly one hand."""
        self._odd_s: list[float] = []
        self._until_s = -math.inf

    def add_hands(
        self, hands: Sequence[landmarks.Hand], time_s: float, size_px: Vec2 = (math.inf, math.inf)
    ) -> bool:
        """Add a frame of this size; return whether two hands look like one.

        Hands partly outside the frame are never odd, because the tracker guesses their landmarks.
        """
        previous = self._last_hands
        self._last_hands = [*previous[-1:], *hands] if len(hands) == 1 else []
        if self._last_hands and previous and _is_odd(hands[0], previous) and _is_inside(hands[0], size_px):
            self._odd_s.append(time_s)
        self._odd_s = [odd_s for odd_s in self._odd_s if 0.0 <= time_s - odd_s <= ODD_WITHIN_S]
        if len(self._odd_s) >= ODD_FRAMES:
            self._until_s = time_s + MERGED_STAYS_S
        return 0.0 <= self._until_s - time_s <= MERGED_STAYS_S


def _is_odd(hand: landmarks.Hand, previous: Sequence[landmarks.Hand]) -> bool:
    current, last = hand.bounds, previous[-1].bounds
    palm_px = max(current.palm_px, last.palm_px, 1.0)
    moved_px = math.dist(current.centre_px, last.centre_px)
    has_flipped = hand.side != previous[-1].side and moved_px > FLIP_PALMS * palm_px
    if has_flipped or palm_px > JUMP_SIZE_RATIO * min(current.palm_px, last.palm_px):
        return True
    returned_px = math.dist(current.centre_px, previous[0].bounds.centre_px)
    return len(previous) > 1 and moved_px > JUMP_PALMS * palm_px and returned_px < RETURN_PALMS * palm_px


def _is_inside(hand: landmarks.Hand, size_px: Vec2) -> bool:
    return all(0.0 <= x < size_px[0] and 0.0 <= y < size_px[1] for x, y in hand.points_px)


class HandTracks:
    """Tracks hands from frame to frame: ``start_frame``, then ``update_hands``."""

    def __init__(self, camera: CameraModel, settings: GripSettings) -> None:
        self.settings = settings
        """Settings for hands that appear from now on."""
        self.time_s = -math.inf
        self.hands: list[TrackedHand] = []
        self.visible_hands: tuple[TrackedHand, ...] = ()
        """Hands in the newest frame, the longest known first."""
        self._camera = camera
        self._pace = Pace()
        self._next_identity = 1
        self._lid: Vec3 | None = None
        self.has_merged = False
        """Whether two hands held together are tracked as one."""
        self._merged = MergedHands()
        self._near_s: float | None = None
        self._seen_near_s = -math.inf

    def start_frame(self, time_s: float) -> bool:
        """Start a frame; return False if it isn't newer than the last, unless the source has restarted."""
        if not math.isfinite(time_s):
            return False
        if time_s < self.time_s + SHORTEST_STEP_S:
            if time_s > self.time_s - RESTART_S:
                return False
            self.hands = []
        self._pace.add_step(time_s - self.time_s)
        self.time_s = time_s
        self.hands = [hand for hand in self.hands if not self.is_gone(hand)]
        return True

    def update_hands(
        self, hands: landmarks.Hands, offered: Vec3 | None, awaits_hand: Callable[[], bool]
    ) -> Iterator[TrackedHand]:
        """Yield the hands with a changed grip; ``awaits_hand``: whether a lost hand still holds a ladder."""
        plausible = drop_duplicates([hand for hand in hands.hands if hand.is_plausible])
        self.has_merged = self._merged.add_hands(
            plausible, self.time_s, (self._camera.width, self._camera.height)
        )
        expected = [(hand, place) for hand in self.hands if (place := hand.predict_bounds(self.time_s))]
        matched = match_hands(
            [place for _, place in expected],
            [self.time_s - hand.seen_s for hand, _ in expected],
            [hand.bounds for hand in plausible],
        )
        known_hands = {s: expected[k][0] for k, s in matched.items()}
        visible_hands, is_too_near = [], hands.is_filled
        self._lid = offered or self._lid
        max_palm_px = TOO_NEAR_SHARE * min(self._camera.width, self._camera.height)
        for s, hand in enumerate(plausible):
            tracked = known_hands.get(s)
            if tracked is None:
                identity, self._next_identity = self._next_identity, self._next_identity + 1
                trusted = awaits_hand()
                tracked = TrackedHand(identity, self._camera, self.settings, self._pace, trusted=trusted)
            changed = tracked.add_hand(hand, self.time_s, offered, self._lid)
            is_too_near = is_too_near or tracked.is_too_near or hand.bounds.palm_px > max_palm_px
            if tracked.seen_s != self.time_s:
                continue
            if tracked not in self.hands:
                self.hands.append(tracked)
            visible_hands.append(tracked)
            if changed:
                yield tracked
        self.visible_hands = tuple(sorted(visible_hands, key=lambda hand: hand.identity))
        if is_too_near:
            self._near_s = self.time_s if self._near_s is None else self._near_s
            self._seen_near_s = self.time_s
        elif visible_hands or self.time_s - self._seen_near_s > TOO_NEAR_STAYS_S:
            self._near_s = None

    def is_gone(self, hand: TrackedHand) -> bool:
        bridged_s = max(self.settings.lost_after_s, RESTART_AFTER_FRAMES * self._pace.frame_s)
        return self.time_s - hand.seen_s > bridged_s

    @property
    def is_too_near(self) -> bool:
        """Whether a hand has been too near to the camera for some time, and should move back."""
        return self._near_s is not None and self.time_s - self._near_s >= TOO_NEAR_AFTER_S

    @property
    def is_slow(self) -> bool:
        """Whether frames are so rare that a short pinch may be missed."""
        return self._pace.frame_s >= SLOW_FRAME_S
