"""Enforces the one-hand rule (F3): a second hand that stays at the structure causes a warning, then a fault."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from armoon.geometry import CameraModel, pose_apply, project_table_points
from armoon.hands.grip_settings import SAME_MOMENT_S, FrameSpan, RecentValues
from armoon.hands.landmarks import MIDDLE_KNUCKLE, WRIST, measure_palm
from armoon.hands.tracked_hand import SAME_HAND_PALMS, HandView
from armoon.values.paper import HELD_X_M, THUMB_X_M
from armoon.values.poses import Pose, Vec2, Vec3

#: Maximum distance between landmarks of a hand and of the holding hand beside it, in palm lengths.
BESIDE_PALMS = 1.15
#: Seconds for which a hand has to be beside the holding hand before it counts.
STAYS_S = 0.2
#: Maximum motion of a staying hand relative to the holding hand, palm lengths: constant, and per second. An arm passing
#: at 0.5 m/s is faster.
STEP_PALMS, STEP_PALMS_PER_S = 0.3, 4.0
#: Maximum ratio of two sizes of a staying hand's palm in the picture.
STEP_SIZE = 1.6
#: A detected "hand" that is really the holding hand's forearm: maximum distances behind and beside that hand's wrist in
#: palm lengths, and minimum cosine of the angle between both.
FOREARM_PALMS, FOREARM_ASIDE_PALMS, FOREARM_COSINE = 4.0, 0.7, 0.7
#: A sighting of a hand: its time in seconds, its wrist relative to the holding hand's, in that hand's palm lengths, and
#: its palm's size in pixels.
_Sighting = tuple[float, Vec2, float]


@dataclass
class _Track:
    """A period in which one hand stays beside the holding hand."""

    since_s: float
    seen_s: float
    sightings: RecentValues[_Sighting] = field(default_factory=lambda: RecentValues(FrameSpan(1000, STAYS_S)))


def _could_be_same_hand(earlier: _Sighting, later: _Sighting) -> bool:
    max_motion = STEP_PALMS + STEP_PALMS_PER_S * (later[0] - earlier[0])
    size_ratio = later[2] / earlier[2]
    return math.dist(earlier[1], later[1]) <= max_motion and 1.0 / STEP_SIZE <= size_ratio <= STEP_SIZE


def _is_forearm(view: HandView, owner: HandView, palm_px: float) -> bool:
    (x, y), (a, b) = owner.points_px[WRIST], owner.points_px[MIDDLE_KNUCKLE]
    (u, v), (c, d) = view.points_px[WRIST], view.points_px[MIDDLE_KNUCKLE]
    length, view_length = math.hypot(x - a, y - b), math.hypot(u - c, v - d)
    if length < 1.0 or view_length < 1.0:
        return False
    backwards = ((x - a) / length, (y - b) / length)
    offset = ((u + c) / 2.0 - x, (v + d) / 2.0 - y)
    distance_behind = offset[0] * backwards[0] + offset[1] * backwards[1]
    distance_aside = abs(offset[0] * backwards[1] - offset[1] * backwards[0])
    cosine = (backwards[0] * (u - c) + backwards[1] * (v - d)) / view_length
    return (
        0.0 <= distance_behind <= FOREARM_PALMS * palm_px
        and distance_aside <= FOREARM_ASIDE_PALMS * palm_px
        and cosine >= FOREARM_COSINE
    )


class WatchLevel(enum.Enum):
    """Severity of a second hand's presence."""

    CLEAR = "clear"
    NOTICED = "noticed"
    """A second hand is present, but too briefly to count."""
    WARNING = "warning"
    FAULT = "fault"


#: Seconds for which a second hand has to stay before the first warning.
PERSISTENCE_S = 0.4
#: Seconds for which a staying hand may be out of sight or out of the zone: one interval of the tracker's search.
GAP_S = 0.2
#: Seconds from the warning to the fault, if the hand stays.
GRACE_S = 1.0
#: Minimum number of a hand's 21 landmarks in the zone or beside the owner in the picture; fewer are noise.
MIN_LANDMARKS = 4
#: The zone closed to a second hand is an upright cylinder around the structure. Its radius is the base's (9 cm) plus a
#: hand's breadth minus the tracker's depth error. Hands under the virtual table are below its bottom.
ZONE_RADIUS_M, ZONE_BOTTOM_M, ZONE_TOP_M = 0.14, -0.05, 0.30
#: Radius of a ball around the owner's grip point, which is closed as well.
GRIP_ZONE_M = 0.10


def classify_points_in_zone(points: Iterable[Vec3], grip: Vec3, top_m: float = ZONE_TOP_M) -> list[bool]:
    """Return, for each point in a zone, True at the ladder held at ``grip`` and False at the structure."""
    within = []
    for x, y, z in points:
        if math.dist((x, y, z), grip) <= GRIP_ZONE_M:
            within.append(True)
        elif math.hypot(x, y) <= ZONE_RADIUS_M and ZONE_BOTTOM_M <= z <= top_m:
            within.append(False)
    return within


@dataclass(frozen=True)
class NearHand:
    """A hand that counts as a second hand, and its place."""

    identity: int
    at_ladder: bool
    """Whether most of its landmarks in the zone are at the ladder rather than at the structure."""
    landmarks: int
    """Number of its 21 landmarks in the zone."""


@dataclass(frozen=True)
class WatchReport:
    """The watch's report on one frame, for the picture, the log and the referee."""

    level: WatchLevel
    near: tuple[NearHand, ...] = ()
    """The second hands in this frame."""
    since_s: float | None = None
    warnings: int = 0
    """Number of warnings since the ladder was taken."""

    @cached_property
    def hands(self) -> tuple[int, ...]:
        return tuple([hand.identity for hand in self.near])

    @cached_property
    def warns(self) -> bool:
        return self.level in (WatchLevel.WARNING, WatchLevel.FAULT)

    def is_for_referee(self, *, warn_only: bool) -> bool:
        """Return whether the referee should act: on a warning if ``warn_only``, otherwise on a fault."""
        return self.warns if warn_only else self.level is WatchLevel.FAULT

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values for the log."""
        return {
            "level": self.level.value,
            "since_s": self.since_s,
            "warnings": self.warnings,
            "near": [
                [hand.identity, "ladder" if hand.at_ladder else "structure", hand.landmarks]
                for hand in self.near
            ],
        }


CLEAR = WatchReport(WatchLevel.CLEAR)
#: Minimum ratio of both hands' distances from the camera for a second hand that is nearer, or farther, than the owner.
NEARER, FARTHER = 0.5, 0.6


class OneHandWatch:
    """Watches the hands of every frame; restarts whenever a ladder is taken.

    A second hand causes a warning after ``PERSISTENCE_S``, and a fault if it stays ``GRACE_S`` longer or comes back for
    ``PERSISTENCE_S``.
    """

    def __init__(self) -> None:
        self._tracks: dict[int, _Track] = {}
        self._last_judged_s: float | None = None
        self._restart()

    def _restart(self) -> None:
        self._tracks.clear()
        self._since_s: float | None = None
        self._last_s: float | None = None
        self._has_warned = self._has_fault = False
        self._warnings = 0

    def add_frame(
        self, time_s: float, views: Iterable[HandView], is_held: bool, top_m: float = ZONE_TOP_M
    ) -> WatchReport:
        """Add one frame; ``is_held``: whether a ladder is held in an unfrozen match; ``top_m``: the zone's top."""
        views = tuple(views)
        if not is_held:
            # When a ladder is taken, a second hand's stay may start in the frame before.
            self._last_judged_s = time_s if math.isfinite(time_s) else None
            self._restart()
            return CLEAR
        owner = next((view for view in views if view.is_owner), None)
        if owner is None:
            # Don't judge, or count the time, while the tracker has lost the owner.
            self._since_s = self._last_s = self._last_judged_s = None
            self._tracks.clear()
            return self._report(())
        if not math.isfinite(time_s):
            return self._report(())
        # A hand first seen in this frame appeared after the frame before, so slow frames don't delay the warning.
        before_s = time_s if self._last_judged_s is None else self._last_judged_s
        appeared_s = since_s = before_s if 0.0 < time_s - before_s <= GAP_S else time_s
        near: tuple[NearHand, ...] = ()
        for view in views:
            if not view.is_owner and not _are_same_hand(view, owner):
                beside, stays_s = self._count_landmarks_beside(time_s, appeared_s, view, owner)
                within = classify_points_in_zone(view.points_table, owner.grip_point, top_m)
                if max(len(within), beside) >= MIN_LANDMARKS:
                    at_ladder = beside >= len(within) or 2 * sum(within) >= len(within)
                    near = (*near, NearHand(view.identity, at_ladder, max(len(within), beside)))
                    since_s = min(since_s, stays_s)
        if self._last_s is None or not 0.0 <= time_s - self._last_s <= GAP_S:
            self._since_s, self._has_warned = None, False
        if near:
            self._since_s = since_s if self._since_s is None else self._since_s
            self._last_s = time_s
        self._last_judged_s = time_s
        self._update_level(time_s, bool(near))
        return self._report(near)

    def _update_level(self, time_s: float, near: bool) -> None:
        if self._has_fault or not near or self._since_s is None:
            return
        # The tolerance makes twelve frames of 1/30 s last 0.4 s despite rounding.
        stayed_s = time_s - self._since_s + SAME_MOMENT_S
        if self._has_warned:
            self._has_fault = stayed_s >= PERSISTENCE_S + GRACE_S
        elif stayed_s >= PERSISTENCE_S:
            self._has_fault = self._warnings > 0
            self._warnings += 1
            self._has_warned = True

    def _report(self, near: tuple[NearHand, ...]) -> WatchReport:
        if self._has_fault:
            level = WatchLevel.FAULT
        elif self._since_s is None:
            level = WatchLevel.CLEAR
        else:
            level = WatchLevel.WARNING if self._has_warned else WatchLevel.NOTICED
        return WatchReport(level, near, self._since_s, self._warnings)

    def _count_landmarks_beside(
        self, time_s: float, appeared_s: float, view: HandView, owner: HandView
    ) -> tuple[int, float]:
        """Return the number of landmarks beside the owner's in the picture (0 until the hand stays), and since when."""
        reach = BESIDE_PALMS * measure_palm(owner.points_px)
        beside = sum(
            any(math.dist(point, other) <= reach for other in owner.points_px) for point in view.points_px
        )
        # An arm that crosses the owner's arm counts by its wrist alone, because its fingers may be far away.
        if math.dist(view.points_px[WRIST], owner.points_px[WRIST]) <= reach:
            beside = max(beside, MIN_LANDMARKS)
        if beside < MIN_LANDMARKS or not _are_depths_compatible(view.hand_depth_m, owner.hand_depth_m):
            return 0, appeared_s
        palm_px = max(measure_palm(owner.points_px), 1.0)
        (x, y), (a, b) = owner.points_px[WRIST], view.points_px[WRIST]
        sighting = (time_s, ((a - x) / palm_px, (b - y) / palm_px), max(measure_palm(view.points_px), 1.0))
        track = self._tracks.get(view.identity)
        if track is None or not 0.0 <= time_s - track.seen_s <= GAP_S:
            track = _Track(appeared_s, time_s)
        elif not all(_could_be_same_hand(earlier, sighting) for earlier in track.sightings):
            track = _Track(time_s, time_s)
        if _is_forearm(view, owner, palm_px):
            track.since_s = time_s
        track.seen_s = time_s
        track.sightings.add_value(sighting, time_s)
        self._tracks[view.identity] = track
        has_stayed = time_s - track.since_s >= STAYS_S - SAME_MOMENT_S
        return (beside, track.since_s) if has_stayed else (0, appeared_s)


def _are_depths_compatible(view_m: float | None, owner_m: float | None) -> bool:
    if view_m is None or owner_m is None:
        return False
    return view_m >= NEARER * owner_m and owner_m >= FARTHER * view_m


def _are_same_hand(a: HandView, b: HandView) -> bool:
    """Return whether two hands are the same one: their landmarks, or at least their palms, nearly coincide."""
    palm_px = max(measure_palm(a.points_px), measure_palm(b.points_px), 1.0)
    pairs = zip(a.points_px, b.points_px, strict=True)
    mean_px = sum(math.dist(p, q) for p, q in pairs) / len(a.points_px)
    palms_px = math.dist(a.points_px[MIDDLE_KNUCKLE], b.points_px[MIDDLE_KNUCKLE]) + math.dist(
        a.points_px[WRIST], b.points_px[WRIST]
    )
    return mean_px < SAME_HAND_PALMS * palm_px or palms_px / 2.0 < SAME_HAND_PALMS * palm_px


#: Maximum distance of a paper ladder's holding hand from the thumb's position, in palm lengths.
NEAR_PALMS = 1.5


def mark_prop_owner(
    views: Sequence[HandView], grip: Pose, camera: CameraModel, table_from_camera: Pose
) -> tuple[HandView, ...]:
    """Mark the hand at ``grip`` (table frame), if there is one, as the only owner."""
    thumb = pose_apply(grip, (THUMB_X_M - HELD_X_M, 0.0, 0.0))
    x, y = project_table_points(camera, table_from_camera, [thumb])[0]
    near = min(views, key=lambda view: _measure_distance_palms(view, (x, y)), default=None)
    if near is not None and _measure_distance_palms(near, (x, y)) > NEAR_PALMS:
        near = None
    return tuple(
        replace(view, is_owner=view is near, grip_point=grip.position if view is near else view.grip_point)
        for view in views
    )


def _measure_distance_palms(view: HandView, place: Vec2) -> float:
    points = view.points_px
    distance_px = min(math.dist(points[landmark], place) for landmark in (WRIST, MIDDLE_KNUCKLE))
    return distance_px / max(1.0, measure_palm(points))
