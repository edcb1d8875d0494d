"""The filtered and predicted path of one hand's grip and of the object it carries, in the camera frame."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from armoon.geometry import quat, quat_inverse, quat_multiply, smooth_step
from armoon.hands.filters import OneEuro, Point, PointFilter, RotationFilter
from armoon.hands.grip_settings import GripSettings, Pace
from armoon.hands.metric import FARTHEST_M, NEAREST_M, MetricHand, TurnAccumulator
from armoon.hands.pinch import MAX_SLACK, Grip
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec2, Vec3

#: Multiple of ``fine_below_m_s`` at which the fine mode has faded out completely.
FINE_FADE_FACTOR = 3.0
#: Share of a fast hand's motion that may be used to undo the fine mode's offset.
FINE_RETURN_SHARE = 0.3


class HeldPath:
    """The path of a held object from the grab on."""

    def __init__(
        self,
        settings: GripSettings,
        across: Vec2,
        along_m: float,
        depth_m: float,
        offset: Vec2 = (0.0, 0.0),
        turn: Quat = IDENTITY_QUAT,
    ) -> None:
        """Hold an object at ``depth_m``; the hand is at ``across`` in the view, at the filtered depth ``along_m``.

        ``offset`` and ``turn``: position and rotation of the object, if it was parked, relative to the hand's.
        """
        self._settings = settings
        self._start = self._last = across
        self._last_along_m = along_m
        self._fine: Vec2 = (0.0, 0.0)
        self._motion_share = 1.0
        self._offset, self.turn = offset, turn
        self.depth_m = depth_m

    def restart(self, across: Vec2, along_m: float) -> None:
        """Restart after a loss, so that the hand's motion meanwhile doesn't count as depth."""
        self._last = across
        self._last_along_m = along_m

    def move_with_hand(
        self,
        across: Vec2,
        along_m: float,
        speed_m_s: float,
        trust: float = 1.0,
        play_m: float = 0.0,
        average_weight: float = 0.0,
    ) -> None:
        """Follow a hand's filtered position ``across`` the view, at the filtered depth ``along_m``, metres.

        ``trust``: share of the hand's motion in depth that counts, 0 to 1; ``play_m``: additional dead travel;
        ``average_weight``: weight of the newest depth in the average from which motion counts.
        """
        s = self._settings
        speed_ratio = speed_m_s / s.depth_halved_at_m_s
        travel_m = along_m - self._last_along_m
        counted_m = math.copysign(max(0.0, abs(travel_m) - s.depth_play_m - play_m), travel_m)
        step_m = trust * s.depth_gain / (1.0 + speed_ratio * speed_ratio) * counted_m
        self.depth_m = min(FARTHEST_M, max(NEAREST_M, self.depth_m + step_m))
        # Motion within the dead travel accumulates until it exceeds the dead travel, or until the hand turns back.
        self._last_along_m += counted_m + average_weight * (travel_m - counted_m)
        if s.fine_gain < 1.0:
            (x, y), (last_x, last_y) = across, self._last
            self._apply_fine_mode(((x - last_x) * s.gain, (y - last_y) * s.gain), speed_m_s)
        self._last = across

    def compute_held_position(self, hand: Vec2) -> Vec2:
        """Return the held object's position across the view for a measured or predicted position of the hand."""
        return (self._compute_on_axis(0, hand[0]), self._compute_on_axis(1, hand[1]))

    def _compute_on_axis(self, axis: int, hand: float) -> float:
        gain = self._settings.gain
        gain_offset = (gain - 1.0) * (hand - self._start[axis])
        # Scale the predicted motion beyond the newest frame like the motion of that frame.
        excess = (1.0 - self._motion_share) * gain * (hand - self._last[axis])
        return hand + gain_offset + self._fine[axis] - excess + self._offset[axis]

    def _apply_fine_mode(self, motion: Vec2, speed_m_s: float) -> None:
        s = self._settings
        blend = smooth_step((speed_m_s / s.fine_below_m_s - 1.0) / (FINE_FADE_FACTOR - 1.0))
        self._motion_share = s.fine_gain + (1.0 - s.fine_gain) * blend
        x = self._fine[0] - (1.0 - self._motion_share) * motion[0]
        y = self._fine[1] - (1.0 - self._motion_share) * motion[1]
        offset_m = float(np.hypot(x, y))
        return_m = blend * FINE_RETURN_SHARE * math.hypot(*motion)
        remaining = 1.0 if offset_m < 1e-12 else min(s.max_fine_m, max(0.0, offset_m - return_m)) / offset_m
        self._fine = (x * remaining, y * remaining)


#: Directions are filtered in metres at this distance, without depth noise, so that speeds are roughly in m/s.
REFERENCE_M = 0.5
#: A release uses a pose from before the fingers opened: its maximum age in seconds or, if frames are slow, in frames,
#: and the growth of the grip's gap that counts as opening (three times its jitter).
LOOK_BACK_S = 0.3
LOOK_BACK_FRAMES = 5
LOOK_BACK_GAP = 0.06
#: Additional time to look back, seconds: tips slide over each other before their gap grows (6 pixels in 0.07 s).
LOOK_BACK_FROM_S = 0.08
#: A pinch that opens within this many seconds, or this many slow frames, was a tap.
TAP_S, TAP_FRAMES = 0.3, 6.0
#: Maximum motion after a grab that is taken for the slip of closing fingers.
TAP_SLIP_M = 0.005
#: Motion after a grab from which the slip is zero and the object is exactly under the fingers.
CARRY_START_M = 0.020
#: A held object follows the palm at once, but follows the tips' offset from the palm slowly: opening tips slide 16 mm
#: in 0.13 s.
TIPS_OFFSET_FILTER = OneEuro(min_cutoff_hz=0.25, beta=0.0, speed_cutoff_hz=1.0)
#: Motion of the palm above which an opening hand still carries; freezing its ladder instead made it jerk by 7 cm.
CARRY_M = 0.012

#: Dead travel along the view, metres per palm length of noise in the world landmarks.
DEPTH_PLAY = 0.55
#: Cutoffs of a held object's filter along the view relative to an open hand's: at rest, and of the speed estimate.
HELD_CUTOFF, HELD_SPEED_CUTOFF = 0.35, 0.6
#: Speeds along the view between which dead travel shrinks to zero: noise is below the first, pushes are above.
PLAY_FROM_M_S, PLAY_TO_M_S = 0.025, 0.05
#: Seconds after a grab in which motion counts from the average depth, because the first frames' depth is inaccurate.
DEPTH_SETTLES_S = 3.0


@dataclass(frozen=True)
class _Moment:
    """A filtered grip at one time, and the grip's gap then."""

    time_s: float
    gap: float
    pose: Pose
    palm: Vec2
    """Position of the palm in the picture, in metres at ``REFERENCE_M``: opening fingers don't move it."""


class GripPath:
    """The path of a hand's grip, or of the object it holds. In every frame, call ``add_grip`` before other methods."""

    def __init__(self, settings: GripSettings, pace: Pace) -> None:
        self._settings = settings
        along = settings.along
        self._held_along = replace(
            along,
            min_cutoff_hz=HELD_CUTOFF * along.min_cutoff_hz,
            speed_cutoff_hz=HELD_SPEED_CUTOFF * along.speed_cutoff_hz,
        )
        self._pace = pace
        self._held_path: HeldPath | None = None
        self.parked: Pose | None = None
        self._slip: Vec3 = (0.0, 0.0, 0.0)
        """Offset of the hand from the held object, caused by the closing of the fingers."""
        self.restart()

    def restart(self) -> None:
        """Restart the filters for a hand that was out of sight; a held object continues from its own position."""
        self._across = PointFilter(self._settings.across)
        self._along = PointFilter(self._settings.along)
        self._rotation = RotationFilter(self._settings.rotation)
        self._tips_offset = PointFilter(TIPS_OFFSET_FILTER)
        self._turn = TurnAccumulator()
        self._raw_depth_m = 0.0
        self._hand_grip: tuple[Vec2, float, Quat] | None = None
        self._moments: deque[_Moment] = deque()
        self._grabbed: _Moment | None = None
        self._frozen_pose: Pose | None = None
        self._depth_from_s = -math.inf

    def add_grip(self, time_s: float, metric: MetricHand, grip: Grip, slack: float, noise: float) -> Vec2:
        """Filter a frame's grip; return its position across the view. ``noise``: see ``PoseSolver.shape_deviation``."""
        (ray_x, ray_y), self._raw_depth_m = self._steady_ray(time_s, metric, grip)
        across = _to_vec2(self._across.add_value(time_s, (ray_x * REFERENCE_M, ray_y * REFERENCE_M)))
        is_new_grab = self._grabbed is not None and self._is_within_tap(time_s)
        if is_new_grab:
            # Closing a hand changes its measured distance, even if the hand doesn't move.
            self._along = PointFilter(self._settings.along)
        self._along.parameters = self._held_along if self.is_holding else self._settings.along
        (along_m,) = self._along.add_value(time_s, (self._raw_depth_m,))
        rotation = self._rotation.add_value(time_s, self._turn.add_hand(metric))
        if self._held_path is not None and self.parked is None:
            if self._hand_grip is None:
                self._depth_from_s = time_s
            if self._hand_grip is None or is_new_grab:
                self._held_path.restart(across, along_m)
            push_share = (self._along.speed - PLAY_FROM_M_S) / (PLAY_TO_M_S - PLAY_FROM_M_S)
            play_m = DEPTH_PLAY * noise * min(1.0, max(0.0, 1.0 - push_share))
            # Initially, motion counts from the average depth; this is the newest frame's weight in it.
            age_s, frame_s = time_s - self._depth_from_s, self._pace.frame_s
            average_weight = frame_s / age_s if frame_s <= age_s < DEPTH_SETTLES_S else 0.0
            trust = 1.0 - slack / MAX_SLACK
            self._held_path.move_with_hand(across, along_m, self._across.speed, trust, play_m, average_weight)
        self._hand_grip = (across, along_m, rotation)
        palm = (metric.palm_ray[0] * REFERENCE_M, metric.palm_ray[1] * REFERENCE_M)
        held = self._compute_held_pose(across, along_m, rotation)
        if is_new_grab:
            self._update_slip(held)
        self._moments.append(_Moment(time_s, grip.gap, self._remove_slip(held), palm))
        look_back_s = self.look_back_s
        while self._moments[0].time_s < time_s - look_back_s:
            self._moments.popleft()
        return across

    def set_opening(self, opening: bool) -> None:
        """Freeze a still hand's grip while the hand may be opening; the next frames decide whether it is."""
        if not opening:
            self._frozen_pose = None
        elif self._frozen_pose is None:
            before = self._find_moment_before_opening()
            (x, y), (before_x, before_y) = self._moments[-1].palm, before.palm
            if math.hypot(x - before_x, y - before_y) <= CARRY_M:
                self._frozen_pose = before.pose

    @property
    def look_back_s(self) -> float:
        return max(LOOK_BACK_S, LOOK_BACK_FROM_S + LOOK_BACK_FRAMES * self._pace.frame_s)

    @property
    def hand_grip(self) -> tuple[Vec2, float, Quat]:
        """The filtered grip of the hand itself, not of the held object: across, along, rotation."""
        assert self._hand_grip is not None, "add_grip must be called first"
        return self._hand_grip

    @property
    def is_holding(self) -> bool:
        return self._held_path is not None and self.parked is None

    @property
    def newest_pose(self) -> Pose:
        """The grip in the newest frame, without prediction, for drawing on that frame."""
        return self._moments[-1].pose

    @property
    def depth_correction_m(self) -> float:
        """The grip's depth minus the newest frame's measured depth."""
        return self.newest_pose.position[2] - self._raw_depth_m

    @property
    def depth_share(self) -> float:
        return 1.0 if self._held_path is None else self._settings.depth_gain

    @property
    def pose_before_opening(self) -> Pose:
        if self._grabbed is not None and self._is_within_tap(self._moments[-1].time_s):
            return self._grabbed.pose
        return self._frozen_pose or self._find_moment_before_opening().pose

    def get_pose(self, time_s: float) -> Pose:
        """Return the predicted grip; while parked or beginning to open, the pose before that."""
        return self.parked or self._frozen_pose or self._predict(time_s)

    def start_holding(self, depth_m: float | None = None) -> None:
        """Hold an object at ``depth_m`` (None: the grip's depth); motion along the view counts from now on."""
        across, along_m, rotation = self.hand_grip
        self._held_path = HeldPath(self._settings, across, along_m, along_m if depth_m is None else depth_m)
        self._depth_from_s = self._moments[-1].time_s
        self._restart_history(self._compute_held_pose(across, along_m, rotation))
        self._grabbed = self._moments[-1]
        self._slip = (0.0, 0.0, 0.0)

    def stop_holding(self) -> None:
        self._held_path = self.parked = self._grabbed = None
        self._slip = (0.0, 0.0, 0.0)

    def park(self, time_s: float) -> None:
        """Leave the held object where it is, so that the hand is free until ``unpark``."""
        if self.parked is None:
            self.parked = self._frozen_pose or self._predict(time_s)

    def unpark(self, parked: Pose | None = None) -> None:
        """Hold a parked object, keeping its offset from the hand; ``parked``: the pose if another hand parked it."""
        parked = parked or self.parked
        if parked is None:
            return
        across, along_m, rotation = self.hand_grip
        x, y, z = parked.position
        depth_m = min(FARTHEST_M, max(NEAREST_M, z))
        offset = (x / depth_m * REFERENCE_M - across[0], y / depth_m * REFERENCE_M - across[1])
        turn = quat(quat_multiply(parked.rotation, quat_inverse(rotation)))
        self._held_path = HeldPath(self._settings, across, along_m, depth_m, offset, turn)
        self._depth_from_s = self._moments[-1].time_s
        self._restart_history(parked)
        self.parked = self._frozen_pose = self._grabbed = None
        self._slip = (0.0, 0.0, 0.0)

    def _restart_history(self, pose: Pose) -> None:
        newest = self._moments[-1]
        self._moments.clear()
        self._moments.append(_Moment(newest.time_s, newest.gap, pose, newest.palm))

    def _steady_ray(self, time_s: float, metric: MetricHand, grip: Grip) -> tuple[Vec2, float]:
        """Return the grip's ray and depth, steadied relative to the palm if the hand holds something."""
        x, y = grip.find_point(metric.rays).tolist()
        depth_m = float(grip.find_point(metric.points_m)[2])
        if self._held_path is None or self.parked is not None:
            self._tips_offset = PointFilter(TIPS_OFFSET_FILTER)
            return (x, y), depth_m
        (palm_x, palm_y), palm_m = metric.palm_ray, metric.palm_depth_m
        x, y, depth_m = self._tips_offset.add_value(time_s, (x - palm_x, y - palm_y, depth_m - palm_m))
        return (palm_x + x, palm_y + y), palm_m + depth_m

    def _compute_held_pose(self, across: Vec2, along_m: float, rotation: Quat) -> Pose:
        held = self._held_path
        if held is not None:
            across, along_m = held.compute_held_position(across), held.depth_m
            rotation = rotation if held.turn == IDENTITY_QUAT else quat(quat_multiply(held.turn, rotation))
        x, y = across
        return Pose((x / REFERENCE_M * along_m, y / REFERENCE_M * along_m, along_m), rotation)

    def _predict(self, time_s: float) -> Pose:
        s = self._settings
        (along_m,) = self._along.predict(time_s, horizon_s=s.prediction_s, overshoot=s.overshoot_m)
        depth_m = along_m if self._held_path is None else self._held_path.depth_m
        # Overshoot in metres at the object's own distance, converted to the reference distance.
        overshoot = s.overshoot_m * REFERENCE_M / max(depth_m, NEAREST_M)
        across = _to_vec2(self._across.predict(time_s, horizon_s=s.prediction_s, overshoot=overshoot))
        rotation = self._rotation.predict(time_s, horizon_s=s.prediction_s, overshoot=s.overshoot_rad)
        return self._remove_slip(self._compute_held_pose(across, along_m, rotation))

    def _update_slip(self, held: Pose) -> None:
        """Update the slip of closing fingers, an offset that remains unless the object is carried away at once."""
        assert self._grabbed is not None
        start = self._grabbed.pose.position
        x, y, z = (a - b for a, b in zip(held.position, start, strict=True))
        motion_m = math.hypot(x, y, z)
        slip_m = min(motion_m, TAP_SLIP_M, max(0.0, (CARRY_START_M - motion_m) / 3.0))
        fraction = slip_m / max(motion_m, 1e-9)
        self._slip = (fraction * x, fraction * y, fraction * z)

    def _remove_slip(self, pose: Pose) -> Pose:
        (x, y, z), (a, b, c) = pose.position, self._slip
        return Pose((x - a, y - b, z - c), pose.rotation)

    def _is_within_tap(self, time_s: float) -> bool:
        tap_s = max(TAP_S, TAP_FRAMES * self._pace.frame_s)
        return self._grabbed is not None and time_s - self._grabbed.time_s <= tap_s

    def _find_moment_before_opening(self) -> _Moment:
        min_gap = min([moment.gap for moment in self._moments])
        tight_s = max([m.time_s for m in self._moments if m.gap <= min_gap + LOOK_BACK_GAP])
        earlier = [m for m in self._moments if m.time_s <= tight_s - LOOK_BACK_FROM_S]
        return earlier[-1] if earlier else self._moments[0]


def _to_vec2(point: Point) -> Vec2:
    x, y = point
    return (x, y)
