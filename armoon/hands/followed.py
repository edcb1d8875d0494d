"""One hand followed from frame to frame: its metric grip, filtered and predicted, and its pinch."""

from __future__ import annotations

import enum
import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array, CameraModel, pose_compose, unit, vec3
from armoon.hands.filters import PointFilter, RotationFilter
from armoon.hands.grip_point import grip_point
from armoon.hands.identity import Whereabouts, whereabouts
from armoon.hands.label import SettledLabel
from armoon.hands.landmarks import Hand, Side
from armoon.hands.metric import FARTHEST_M, NEAREST_M, MetricHand, PoseSolver
from armoon.hands.pinch import PinchDetector, PinchMeasure, measure_pinch
from armoon.hands.settings import GripSettings
from armoon.hands.turn import TurnFollower
from armoon.values import Pose, Quat, Vec2, Vec3

#: Directions are filtered as metres at this distance, so that depth noise stays out of them and the filter's
#: speeds are about metres per second.
REFERENCE_M = 0.5
#: After a longer gap between two sights of a hand its filters and solver start anew.
FRESH_AFTER_S = 0.1
#: How far a release looks back for the pose before the fingers opened, and how much the gap may have grown by
#: then (palm lengths, three times its jitter).
LOOK_BACK_S = 0.3
LOOK_BACK_GAP = 0.06
#: Before the gap grows the tips slide over each other: over the table by 6 pixels in 0.07 s.
LOOK_BACK_FROM_S = 0.08


class Edge(enum.Enum):
    """What a frame has changed about a pinch."""

    CLOSED = "closed"
    OPENED = "opened"


@dataclass(frozen=True)
class _Sight:
    """What one frame says about a hand."""

    hand: Hand
    metric: MetricHand
    pinch: PinchMeasure


@dataclass(frozen=True)
class _Moment:
    """A filtered grip in the camera frame, and the gap between the tips then."""

    time_s: float
    gap: float
    pose: Pose


class FollowedHand:
    """A hand with an identity. ``see`` it in every frame that has it; after the first, ask where it grips."""

    def __init__(
        self,
        identity: int,
        camera: CameraModel,
        table_from_camera: Pose,
        settings: GripSettings,
        *,
        trusted: bool = False,
    ) -> None:
        """``trusted``: it may go on with a pinch that a hand out of sight began."""
        self.identity = identity
        self.trusted = trusted
        self.seen_s = -math.inf
        """When it was last seen."""
        self.detector = PinchDetector(trusted=trusted)
        self._camera = camera
        self._table_from_camera = table_from_camera
        self._settings = settings
        self._sight: _Sight | None = None
        self._place: Whereabouts | None = None
        self._kept: Pose | None = None
        self._held_m: float | None = None
        self._last_along_m: float | None = None
        self._label = SettledLabel()
        self._start_afresh()

    def see(self, hand: Hand, time_s: float) -> Edge | None:
        """Take in a frame; the edge it makes, if any.

        A frame that allows no pose or no measure of the pinch is passed over: ``seen_s`` stays as it was.
        """
        if self._label.doubts(hand.side):
            # Taken for the other hand, all its landmarks are wrong by up to a palm's length: the hand is
            # there, but this frame says nothing about it.
            self.seen_s = time_s if self._sight is not None else self.seen_s
            return None
        if time_s - self.seen_s > FRESH_AFTER_S:
            self._start_afresh()
        metric = self._solver.solve(hand)
        pinch = measure_pinch(hand)
        if metric is None or pinch is None:
            return None
        self._note_place(hand, time_s)
        self._sight = _Sight(hand, metric, pinch)
        self.seen_s = time_s
        self._note_pose(metric, pinch, time_s)
        changed = self.detector.see(pinch)
        if changed and not self.detector.closed:
            return Edge.OPENED
        # While a held hand begins to open its grip stays; the frames that follow tell whether it means it.
        self._kept = (self._kept or self._pose_before_opening()) if self.detector.opening else None
        return Edge.CLOSED if changed else None

    def expected(self, time_s: float) -> Whereabouts | None:
        """Where it should be in the picture at a time, from its last motion; None before it was ever seen."""
        if self._place is None:
            return None
        ahead_s = min(max(time_s - self.seen_s, 0.0), FRESH_AFTER_S)
        (x, y), (vx, vy) = self._place.centre_px, self._drift_px_s
        return Whereabouts((x + vx * ahead_s, y + vy * ahead_s), self._place.palm_px)

    def pose(self, time_s: float) -> Pose:
        """The grip in the table frame, predicted; while the fingers begin to open, where it was before."""
        return self._in_table(self._kept or self._predicted(time_s))

    def pose_before_opening(self) -> Pose:
        """The grip in the table frame from just before the fingers opened."""
        return self._in_table(self._kept or self._pose_before_opening())

    def grip_in_picture(self) -> Vec3:
        """The grip point in the table frame at the newest frame itself, for drawing on that frame."""
        return self._in_table(self._moments[-1].pose).position

    def take_hold(self, depth_m: float | None = None) -> None:
        """From now on it holds something, which is at ``depth_m`` or where the grip is.

        Its own way along the view counts from there, by ``GripSettings.depth_gain``.
        """
        self._held_m = self._moments[-1].pose.position[2] if depth_m is None else depth_m

    def let_loose(self) -> None:
        """It holds nothing any more."""
        self._held_m = None

    def view_axis(self, pose: Pose) -> Vec3:
        """The unit vector from the camera to a pose of the table frame."""
        return vec3(unit(np.array(pose.position) - np.array(self._table_from_camera.position)))

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
    def side(self) -> Side:
        """The tracker's label in the newest frame."""
        return self._newest().hand.side

    @property
    def closing(self) -> float:
        """0 wide open to 1 closed."""
        return self._newest().pinch.closing

    @property
    def sigmas_m(self) -> tuple[float, float]:
        """One standard deviation of the grip across and along the view."""
        metric = self._newest().metric
        return metric.sigma_across_m, metric.sigma_along_m

    def _newest(self) -> _Sight:
        if self._sight is None:
            raise ValueError("a hand that was never seen has no landmarks")
        return self._sight

    def _start_afresh(self) -> None:
        self._solver = PoseSolver(self._camera, self._settings.palm_m)
        self._across = PointFilter(self._settings.across)
        self._along = PointFilter(self._settings.along)
        self._rotation = RotationFilter(self._settings.rotation)
        self._turn = TurnFollower(self._settings.out_of_picture_gain)
        self._raw_depth = 0.0
        self._last_along_m = None
        self._drift_px_s = (0.0, 0.0)
        self._moments: deque[_Moment] = deque()
        self._kept = None

    def _note_place(self, hand: Hand, time_s: float) -> None:
        place = whereabouts(hand)
        step_s = time_s - self.seen_s
        if self._place is not None and 0.0 < step_s <= FRESH_AFTER_S:
            (x, y), (last_x, last_y) = place.centre_px, self._place.centre_px
            self._drift_px_s = ((x - last_x) / step_s, (y - last_y) / step_s)
        self._place = place

    def _note_pose(self, metric: MetricHand, pinch: PinchMeasure, time_s: float) -> None:
        ray = grip_point(metric.rays, pinch.closing)
        depth = grip_point(metric.points_m, pinch.closing)[2:]
        self._raw_depth = float(depth[0])
        across = self._across.update(time_s, ray * REFERENCE_M)
        self._go_along(float(self._along.update(time_s, depth)[0]))
        pose = _camera_pose(
            across,
            self._depth(self._last_along_m or 0.0),
            self._rotation.update(time_s, self._turn.follow(metric)),
        )
        self._moments.append(_Moment(time_s, pinch.picture_gap, pose))
        while self._moments[0].time_s < time_s - LOOK_BACK_S:
            self._moments.popleft()

    def _go_along(self, along_m: float) -> None:
        """Take the filtered depth's way since the last frame, as far as it counts, to what is held."""
        if self._held_m is not None and self._last_along_m is not None:
            hurry = self._across.speed / self._settings.depth_shy_m_s
            way_m = self._settings.depth_gain / (1.0 + hurry * hurry) * (along_m - self._last_along_m)
            self._held_m = min(FARTHEST_M, max(NEAREST_M, self._held_m + way_m))
        self._last_along_m = along_m

    def _depth(self, along_m: float) -> float:
        return along_m if self._held_m is None else self._held_m

    def _in_table(self, camera_pose: Pose) -> Pose:
        return pose_compose(self._table_from_camera, camera_pose)

    def _predicted(self, time_s: float) -> Pose:
        s = self._settings
        along = self._along.predict(time_s, horizon_s=s.prediction_s, overshoot=s.overshoot_m)
        return _camera_pose(
            self._across.predict(time_s, horizon_s=s.prediction_s, overshoot=s.overshoot_m),
            self._depth(float(along[0])),
            self._rotation.predict(time_s, horizon_s=s.prediction_s, overshoot=s.overshoot_rad),
        )

    def _pose_before_opening(self) -> Pose:
        """The pose from a little before the gap between the tips was last about the smallest."""
        smallest = min(moment.gap for moment in self._moments)
        tight_s = max(m.time_s for m in self._moments if m.gap <= smallest + LOOK_BACK_GAP)
        earlier = [m.pose for m in self._moments if m.time_s <= tight_s - LOOK_BACK_FROM_S]
        return earlier[-1] if earlier else self._moments[0].pose


def _camera_pose(direction: Array, depth_m: float, rotation: Quat) -> Pose:
    x, y = (float(v) / REFERENCE_M * depth_m for v in direction)
    return Pose((x, y, depth_m), rotation)
