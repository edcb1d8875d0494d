"""One hand tracked from frame to frame: its metric grip, filtered and predicted, and whether it is closed."""

from __future__ import annotations

import enum
import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array, CameraModel, pose_compose, pose_inverse
from armoon.hands.grips.gains import HeldWay
from armoon.hands.grips.identity import SettledLabel
from armoon.hands.grips.kinds import make_grip
from armoon.hands.grips.reading import Pace
from armoon.hands.grips.settings import GripSettings
from armoon.hands.grips.slack import MOST_SLACK, Doubt
from armoon.hands.grips.view import Refusal
from armoon.hands.pose.filters import OneEuro, Point, PointFilter, RotationFilter
from armoon.hands.pose.metric import FARTHEST_M, NEAREST_M, NEAREST_SEEN_M, MetricHand, PoseSolver
from armoon.hands.pose.palm_rotation import TurnFollower
from armoon.hands.tracking.landmarks import Hand, Side, Whereabouts
from armoon.values.poses import Pose, Quat, Vec2, Vec3

#: Directions are filtered as metres at this distance, so that depth noise stays out of them and the filter's
#: speeds are about metres per second.
REFERENCE_M = 0.5
#: Maximum gap between two sights of a hand, in seconds or in slow frames; after it the hand's filters and solver
#: start anew.
FRESH_AFTER_S = 0.1
FRESH_AFTER_FRAMES = 2.5
#: How far a release looks back for the pose before the fingers opened, how many slow frames are added to what it
#: skips, and how much the gap may have grown by then (palm lengths or a finger's reach, three times its jitter).
LOOK_BACK_S = 0.3
LOOK_BACK_FRAMES = 5
LOOK_BACK_GAP = 0.06
#: Before the gap grows the tips slide over each other: over the table by 6 pixels in 0.07 s.
LOOK_BACK_FROM_S = 0.08
#: A held thing goes at once where the palm goes, and only this slowly where the finger tips go beside it: tips
#: that begin to open slide over each other by 16 mm in 0.13 s, while the gap says that they are closed.
BESIDE_PALM = OneEuro(min_cutoff_hz=0.25, beta=0.0, speed_cutoff_hz=1.0)
#: A hand that has gone further since is carrying: to stay back for a doubt would jerk the held ladder to and fro
#: (placement trials: by up to 7 cm, in 10 of 21 carries), and hurrying hands don't open.
CARRIED_ON_M = 0.012


class Edge(enum.Enum):
    """The change of a grip in one frame."""

    CLOSED = "closed"
    OPENED = "opened"


@dataclass(frozen=True)
class _Sight:
    """One frame's observation of a hand."""

    hand: Hand
    metric: MetricHand


@dataclass(frozen=True)
class _Moment:
    """A filtered grip in the camera frame, and the grip's gap then."""

    time_s: float
    gap: float
    pose: Pose
    palm: Vec2
    """Where the palm was in the picture, as metres at ``REFERENCE_M``: opening fingers don't move it."""


class FollowedHand:
    """A hand with an identity. ``see`` it in every frame that has it; after the first, ask where it grips."""

    def __init__(
        self,
        identity: int,
        camera: CameraModel,
        table_from_camera: Pose,
        settings: GripSettings,
        pace: Pace | None = None,
        *,
        trusted: bool = False,
    ) -> None:
        """``pace``: the frames'; ``trusted``: it may go on with what a hand out of sight held."""
        self.identity = identity
        self.trusted = trusted
        self.seen_s = -math.inf
        """When it was last seen."""
        self.refused: Refusal | None = None
        """Why it has closed in vain."""
        self.too_near = False
        """Whether the newest frame shows it, but too near for a pose."""
        self.grip = make_grip(settings.grip, settings.dwell_s, trusted=trusted)
        self._pace = pace or Pace()
        self._camera = camera
        self._table_from_camera = table_from_camera
        self._settings = settings
        self._sight: _Sight | None = None
        self._place: Whereabouts | None = None
        self._kept: Pose | None = None
        self._parked: Pose | None = None
        self._way: HeldWay | None = None
        self._label = SettledLabel()
        self._start_afresh(self._new_solver())

    def see(self, hand: Hand, time_s: float, offered: Vec3 | None = None) -> Edge | None:
        """Take in a frame; the edge it makes, if any. ``offered`` is what may be taken, in the camera frame.

        A frame that allows no pose or no measure of the grip is passed over: ``seen_s`` stays as it was.
        """
        if self._label.doubts(hand.side, self._pace.weight):
            # Taken for the other hand, all its landmarks are wrong by up to a palm's length: the hand is
            # there, but this frame says nothing about it.
            self.seen_s = time_s if self._sight is not None else self.seen_s
            return None
        fresh = time_s - self.seen_s > self._fresh_after_s
        solver = self._new_solver() if fresh else self._solver
        metric = solver.solve(hand)
        self.too_near = metric is None
        if metric is None and self.too_near and self._sight is not None:
            return self._see_without_pose(hand, time_s)
        if metric is None or not self.grip.read(hand):
            return None
        if fresh:
            # Only now that there is a value to start from: what was said of the hand stands until then.
            self._start_afresh(solver)
        self._note_place(hand, time_s)
        self._sight = _Sight(hand, metric)
        self.seen_s = time_s
        self._slack = self._doubt.see(metric, self._pace)
        across = self._note_pose(metric, time_s)
        changed = self.grip.judge(time_s, across, self._is_near(across, offered), self._slack)
        if changed and not self.grip.closed:
            return Edge.OPENED
        self._keep_while_opening()
        return Edge.CLOSED if changed else None

    @property
    def look_back_s(self) -> float:
        """How far a release looks back."""
        return max(LOOK_BACK_S, LOOK_BACK_FROM_S + LOOK_BACK_FRAMES * self._pace.frame_s)

    @property
    def _fresh_after_s(self) -> float:
        return max(FRESH_AFTER_S, FRESH_AFTER_FRAMES * self._pace.frame_s)

    def _new_solver(self) -> PoseSolver:
        return PoseSolver(self._camera, self._settings.palm_m, NEAREST_SEEN_M)

    def _see_without_pose(self, hand: Hand, time_s: float) -> Edge | None:
        """Follow a hand too near for a pose: keep its place, and read its fingers alone."""
        self._note_place(hand, time_s)
        self._sight = _Sight(hand, self._newest().metric)
        self.seen_s = time_s
        across, _, _ = self._newest_grip()
        if not (self.grip.read(hand) and self.grip.judge(time_s, across, False, self._slack)):
            return None
        return Edge.CLOSED if self.grip.closed else Edge.OPENED

    def expected(self, time_s: float) -> Whereabouts | None:
        """Where it should be in the picture at a time, from its last motion; None before it was ever seen."""
        if self._place is None:
            return None
        ahead_s = min(max(time_s - self.seen_s, 0.0), self._fresh_after_s)
        (x, y), (vx, vy) = self._place.centre_px, self._drift_px_s
        return Whereabouts((x + vx * ahead_s, y + vy * ahead_s), self._place.palm_px)

    def pose(self, time_s: float) -> Pose:
        """Return the grip in the table frame, predicted; while the fingers begin to open, where it was before.

        While what it holds is parked, where that hangs.
        """
        return self._in_table(self._parked or self._kept or self._predicted(time_s))

    def pose_before_opening(self) -> Pose:
        """Return the grip in the table frame from just before the fingers opened."""
        return self._in_table(self._kept or self._before_opening().pose)

    def grip_in_picture(self) -> Vec3:
        """Return the grip point in the table frame at the newest frame itself, for drawing on that frame."""
        return self._in_table(self._moments[-1].pose).position

    def take_hold(self, depth_m: float | None = None) -> None:
        """From now on it holds something, which is at ``depth_m`` or where the grip is.

        Its own way along the view counts from there, by ``GripSettings.depth_gain``.
        """
        across, along_m, _ = self._newest_grip()
        self._way = HeldWay(self._settings, across, along_m, along_m if depth_m is None else depth_m)

    def move_table(self, table_from_camera: Pose) -> None:
        """Move the table to another place before the camera."""
        self._table_from_camera = table_from_camera

    def let_loose(self) -> None:
        """Let go of everything."""
        self._way = self._parked = None

    def park(self, time_s: float) -> None:
        """Leave what is held where it is and free the hand, until ``take_up``."""
        if self._parked is None:
            self._parked = self._kept or self._predicted(time_s)

    @property
    def parked(self) -> bool:
        """Whether what it holds is parked."""
        return self._parked is not None

    def take_up(self, table_pose: Pose | None = None) -> None:
        """Hold what is parked, by this hand or at ``table_pose`` by another, from where the hand is now."""
        if table_pose is not None:
            self._parked = pose_compose(pose_inverse(self._table_from_camera), table_pose)
        if self._parked is None:
            return
        across, along_m, rotation = self._newest_grip()
        x, y, z = self._parked.position
        depth_m = min(FARTHEST_M, max(NEAREST_M, z))
        self._way = HeldWay(self._settings, across, along_m, depth_m)
        there = (x / depth_m * REFERENCE_M, y / depth_m * REFERENCE_M)
        self._way.take_up(across, rotation, (there, depth_m, self._parked.rotation))
        newest = self._moments[-1]
        self._moments.clear()
        self._moments.append(_Moment(newest.time_s, newest.gap, self._parked, newest.palm))
        self._parked = self._kept = None

    def view_axis(self, pose: Pose) -> Vec3:
        """Return the unit vector from the camera to a pose of the table frame."""
        (px, py, pz), (cx, cy, cz) = pose.position, self._table_from_camera.position
        x, y, z = px - cx, py - cy, pz - cz
        length = math.sqrt(x * x + y * y + z * z)
        return (x / length, y / length, z / length)

    @property
    def points_px(self) -> tuple[Vec2, ...]:
        """The newest frame's landmarks, in camera pixels."""
        return self._newest().hand.points_px

    @property
    def points_m(self) -> Array:
        """The newest frame's landmarks (21, 3), camera frame, moved to the filtered depth."""
        metric = self._newest().metric
        shift = self._moments[-1].pose.position[2] - self._raw_depth
        depths = np.maximum(metric.points_m[:, 2] + shift, 0.01)
        return np.column_stack([metric.rays * depths[:, np.newaxis], depths])

    @property
    def own_depth_m(self) -> float:
        """The hand's own distance from the camera, filtered, wherever what it holds may be."""
        return self._newest_grip()[1]

    @property
    def side(self) -> Side:
        """The tracker's label in the newest frame."""
        return self._newest().hand.side

    @property
    def settled_side(self) -> Side | None:
        """Which hand its frames agree that it is; None while they don't."""
        return self._label.settled

    @property
    def closing(self) -> float:
        """0 wide open to 1 closed."""
        self._newest()
        return self.grip.closing

    @property
    def sigmas_m(self) -> tuple[float, float]:
        """One standard deviation of the grip across and along the view, measured trembling and doubt included."""
        metric = self._newest().metric
        across_m = math.hypot(metric.sigma_across_m, self._doubt.noise * self._settings.palm_m)
        # Gain of the hand's way along the view, and of that way's error.
        share = 1.0 if self._way is None else self._settings.depth_gain
        return across_m, max(across_m, share * metric.sigma_along_m * (1.0 + self._slack / MOST_SLACK))

    def _newest(self) -> _Sight:
        if self._sight is None:
            raise ValueError("a hand that was never seen has no landmarks")
        return self._sight

    def _newest_grip(self) -> tuple[Vec2, float, Quat]:
        """Return the hand's own filtered grip: across, along, rotation."""
        if self._own is None:
            raise ValueError("a hand that was never seen has no grip")
        return self._own

    def _start_afresh(self, solver: PoseSolver) -> None:
        self._solver = solver
        self._across = PointFilter(self._settings.across)
        self._along = PointFilter(self._settings.along)
        self._rotation = RotationFilter(self._settings.rotation)
        self._beside = PointFilter(BESIDE_PALM)
        self._turn = TurnFollower(self._settings.out_of_picture_gain)
        self._doubt = Doubt()
        self._slack = 0.0
        self._raw_depth = 0.0
        self._own: tuple[Vec2, float, Quat] | None = None
        self._drift_px_s = (0.0, 0.0)
        self._moments: deque[_Moment] = deque()
        self._kept = None

    def _note_place(self, hand: Hand, time_s: float) -> None:
        place = hand.whereabouts
        step_s = time_s - self.seen_s
        if self._place is not None and 0.0 < step_s <= self._fresh_after_s:
            (x, y), (last_x, last_y) = place.centre_px, self._place.centre_px
            self._drift_px_s = ((x - last_x) / step_s, (y - last_y) / step_s)
        self._place = place

    def _note_pose(self, metric: MetricHand, time_s: float) -> Vec2:
        """Filter where the frame finds the grip; gives its place across the view."""
        (ray_x, ray_y), self._raw_depth = self._steadied(time_s, metric)
        across = _two(self._across.update(time_s, (ray_x * REFERENCE_M, ray_y * REFERENCE_M)))
        (along_m,) = self._along.update(time_s, (self._raw_depth,))
        rotation = self._rotation.update(time_s, self._turn.follow(metric))
        if self._way is not None and self._parked is None:
            if self._own is None:
                self._way.start_afresh(across, along_m)
            self._way.follow(across, along_m, self._across.speed, 1.0 - self._slack / MOST_SLACK)
        self._own = (across, along_m, rotation)
        palm = (metric.palm_ray[0] * REFERENCE_M, metric.palm_ray[1] * REFERENCE_M)
        self._moments.append(_Moment(time_s, self.grip.gap, self._held(across, along_m, rotation), palm))
        while self._moments[0].time_s < time_s - self.look_back_s:
            self._moments.popleft()
        return across

    def _steadied(self, time_s: float, metric: MetricHand) -> tuple[Vec2, float]:
        """Return the grip's ray and depth; a holding hand's are steadied beside its palm."""
        x, y = self.grip.point(metric.rays).tolist()
        depth_m = float(self.grip.point(metric.points_m)[2])
        if self._way is None or self._parked is not None:
            self._beside = PointFilter(BESIDE_PALM)
            return (x, y), depth_m
        (palm_x, palm_y), palm_m = metric.palm_ray, metric.palm_depth_m
        x, y, depth_m = self._beside.update(time_s, (x - palm_x, y - palm_y, depth_m - palm_m))
        return (palm_x + x, palm_y + y), palm_m + depth_m

    def _is_near(self, across: Vec2, offered: Vec3 | None) -> bool:
        if offered is None:
            return False
        x, y, z = offered
        away = math.hypot(across[0] - x / z * REFERENCE_M, across[1] - y / z * REFERENCE_M)
        return away <= self._settings.dwell_reach_m

    def _held(self, across: Vec2, along_m: float, rotation: Quat) -> Pose:
        """Return the grip in the camera frame for the hand's own."""
        if self._way is None:
            return _camera_pose(across, along_m, rotation)
        return _camera_pose(self._way.across(across), self._way.depth_m, self._way.turned(rotation))

    def _in_table(self, camera_pose: Pose) -> Pose:
        return pose_compose(self._table_from_camera, camera_pose)

    def _predicted(self, time_s: float) -> Pose:
        s = self._settings
        (along_m,) = self._along.predict(time_s, horizon_s=s.prediction_s, overshoot=s.overshoot_m)
        depth_m = along_m if self._way is None else self._way.depth_m
        # Gain by which something beyond the reference moves and overshoots.
        overshoot = s.overshoot_m * REFERENCE_M / max(depth_m, NEAREST_M)
        across = _two(self._across.predict(time_s, horizon_s=s.prediction_s, overshoot=overshoot))
        rotation = self._rotation.predict(time_s, horizon_s=s.prediction_s, overshoot=s.overshoot_rad)
        return self._held(across, along_m, rotation)

    def _keep_while_opening(self) -> None:
        """While a still hand begins to open its grip stays; the frames that follow tell whether it means it."""
        if not self.grip.opening:
            self._kept = None
        elif self._kept is None:
            before = self._before_opening()
            (x, y), (before_x, before_y) = self._moments[-1].palm, before.palm
            if math.hypot(x - before_x, y - before_y) <= CARRIED_ON_M:
                self._kept = before.pose

    def _before_opening(self) -> _Moment:
        """Return the moment a little before the gap between the tips was last about the smallest."""
        smallest = min(moment.gap for moment in self._moments)
        tight_s = max(m.time_s for m in self._moments if m.gap <= smallest + LOOK_BACK_GAP)
        earlier = [m for m in self._moments if m.time_s <= tight_s - LOOK_BACK_FROM_S]
        return earlier[-1] if earlier else self._moments[0]


def _camera_pose(direction: Vec2, depth_m: float, rotation: Quat) -> Pose:
    x, y = direction
    return Pose((x / REFERENCE_M * depth_m, y / REFERENCE_M * depth_m, depth_m), rotation)


def _two(point: Point) -> Vec2:
    x, y = point
    return (x, y)
