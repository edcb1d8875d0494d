"""Simulated hands, moved step by step or through keyframes along minimum-jerk paths, and a simulated tracker.

People move a hand from rest to rest along the path of least jerk (Flash and Hogan, J. Neurosci. 5, 1985).
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from armoon.camera.profiles import CameraSeat
from armoon.clock import TICK_S
from armoon.geometry import (
    Array,
    mat_from_pose,
    pose_between,
    pose_inverse,
    quat,
    quat_from_axis_angle,
    quat_multiply,
    quat_slerp,
)
from armoon.hands.landmarks import Hands, make_hand
from armoon.synthetic_camera.anatomy import HandState, Side, get_landmarks
from armoon.values.pieces import GripIntent, GripPhase
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec3


@dataclass(frozen=True)
class Keyframe:
    """A pose at which the hand rests, and the duration of the motion to that pose."""

    palm: Pose
    """table_from_hand."""
    grip: float
    """0 open to 1 pinched."""
    duration_s: float
    """Time since the previous keyframe; at the first keyframe, waiting time."""


#: Bands of a tremor, each with its share of the variance and its frequencies in Hz.
Bands = tuple[tuple[float, float, float], ...]
#: Drift of arm and posture, and physiological tremor, small at the fingertips of an unsupported hand (Elble and Koller,
#: Tremor, 1990).
USUAL_BANDS: Bands = ((0.85, 0.3, 2.0), (0.15, 8.0, 12.0))
_WAVES_PER_BAND = 4


@dataclass(frozen=True)
class Tremor:
    """Involuntary motion: a slow drift and physiological tremor of 8 to 12 Hz."""

    position_m: float = 0.0004
    """Standard deviation along each axis."""
    rotation_rad: float = 0.004
    """Standard deviation about each axis."""
    seed: int = 0
    bands: Bands = USUAL_BANDS


ResultT = TypeVar("ResultT")


@dataclass
class SimulatedHand(Generic[ResultT]):
    """A hand that moves step by step; ``play`` plays one frame with the hand's grip and returns the result."""

    play: Callable[[GripIntent], ResultT]
    position: Vec3
    rotation: Quat = IDENTITY_QUAT
    source: str = "hand:1"
    view_axis: Vec3 = (0.0, 0.9, -0.43)
    tremble: Callable[[Pose], Pose] = lambda pose: pose
    """Returns the actual pose for an intended pose."""
    played: list[ResultT] = field(default_factory=list)

    def do(self, phase: GripPhase, position: Vec3 | None = None, rotation: Quat | None = None) -> ResultT:
        self.position = self.position if position is None else position
        self.rotation = self.rotation if rotation is None else rotation
        pose = self.tremble(Pose(self.position, self.rotation))
        self.played.append(self.play(GripIntent(0.0, self.source, phase, pose, self.view_axis)))
        return self.played[-1]

    def grab(self) -> ResultT:
        return self.do(GripPhase.GRAB)

    def release(self) -> ResultT:
        return self.do(GripPhase.RELEASE)

    def hold(self, frames: int) -> ResultT:
        for _ in range(frames):
            result = self.do(GripPhase.HOLD)
        return result

    def move_by(self, way: Vec3, frames: int, to: Quat | None = None) -> ResultT:
        """Move straight at constant speed; ``to``: the final rotation."""
        start, turn = self.position, self.rotation
        for k in range(1, frames + 1):
            x, y, z = (a + b * k / frames for a, b in zip(start, way, strict=True))
            result = self.do(GripPhase.HOLD, (x, y, z), to and quat_slerp(turn, to, k / frames))
        return result

    def move_to(self, position: Vec3, speed_m_s: float = 0.3) -> ResultT:
        x, y, z = (b - a for a, b in zip(self.position, position, strict=True))
        return self.move_by((x, y, z), max(1, math.ceil(math.hypot(x, y, z) / (speed_m_s * TICK_S))))


class HandScript:
    """A hand's motion through keyframes; ``state(t)`` can be called for any time in any order."""

    def __init__(
        self, keyframes: Sequence[Keyframe], side: Side = "right", tremor: Tremor | None = None
    ) -> None:
        self._keys = tuple(keyframes)
        self._side: Side = side
        self._ends_s = [float(end) for end in np.cumsum([key.duration_s for key in keyframes])]
        self._shake = _Shake(tremor) if tremor else None

    @property
    def duration_s(self) -> float:
        return self._ends_s[-1]

    def state(self, time_s: float) -> HandState:
        """Return the hand at a time since the start; before and after the script only the tremor moves it."""
        arriving = min(bisect.bisect_right(self._ends_s, time_s), len(self._keys) - 1)
        goal, start = self._keys[arriving], self._keys[max(arriving - 1, 0)]
        fraction = 1.0
        if goal.duration_s > 0.0:
            fraction = 1.0 - (self._ends_s[arriving] - time_s) / goal.duration_s
        fraction = min(max(fraction, 0.0), 1.0)
        progress = fraction * fraction * fraction * (10.0 + fraction * (-15.0 + 6.0 * fraction))
        palm = pose_between(start.palm, goal.palm, progress)
        if self._shake:
            palm = self._shake.apply(palm, time_s)
        return HandState(palm, start.grip + (goal.grip - start.grip) * progress, self._side)


class _Shake:
    """Sums of sines with seeded frequencies and phases: smooth, and dependent on time alone."""

    def __init__(self, tremor: Tremor) -> None:
        random = np.random.default_rng(tremor.seed)
        shape = (6, _WAVES_PER_BAND)
        self._rates = np.concatenate(
            [2.0 * math.pi * random.uniform(low, high, shape) for _, low, high in tremor.bands], axis=1
        )
        self._phases = random.uniform(0.0, 2.0 * math.pi, self._rates.shape)
        sizes = np.array([tremor.position_m] * 3 + [tremor.rotation_rad] * 3)
        # A sine's variance is half its squared amplitude.
        shares = np.repeat(
            [math.sqrt(2.0 * fraction / _WAVES_PER_BAND) for fraction, _, _ in tremor.bands], _WAVES_PER_BAND
        )
        self._amplitudes = sizes[:, None] * shares

    def apply(self, palm: Pose, time_s: float) -> Pose:
        offset = (self._amplitudes * np.sin(self._rates * time_s + self._phases)).sum(axis=1)
        x, y, z = (float(v) for v in offset[:3])
        px, py, pz = palm.position
        rotation = palm.rotation
        angle = float(np.linalg.norm(offset[3:]))
        if angle > 0.0:
            rotation = quat(quat_multiply(quat_from_axis_angle(offset[3:], angle), rotation))
        return Pose((px + x, py + y, pz + z), rotation)


#: Names of the trackers with which a demo can be played.
REAL, SKELETON = "real", "skeleton"
#: Noise of landmarks: fast and slow in the picture (pixels), fast and slow in the world landmarks (metres).
Noise = tuple[float, float, float, float]
PIXELS, WORLD_M = 0.15, 0.0005
NO_NOISE: Noise = (0.0, 0.0, 0.0, 0.0)
TRACKER_NOISE: Noise = (PIXELS, 0.10, WORLD_M, 0.0005)
#: Noise with a typical webcam: 0.8 pixels and 3 mm; its correlation after 0.1 s is 0.7 (in recordings 0.65 to 0.94).
WEBCAM_NOISE: Noise = (0.36, 0.72, 0.0013, 0.0027)
#: Correlation time of slow noise, seconds.
SLOW_S = 0.7
SCORE = 0.97


class SkeletonTracker:
    """Replaces ``HandTracker``; takes simulated hands instead of pictures."""

    def __init__(
        self, seat: CameraSeat, seed: int, rate_hz: float, hand_scale: float, noise: Noise = TRACKER_NOISE
    ) -> None:
        self._seat, self._scale, self._sizes = seat, hand_scale, noise
        self._rng = np.random.default_rng([seed, 79])
        self._keep = math.exp(-1.0 / (rate_hz * SLOW_S))
        self._slow = [self._rng.normal(size=shape) for shape in ((21, 2), (21, 3))]

    def track(self, hand: HandState, time_s: float, frame_index: int) -> Hands:
        joints = get_landmarks(hand, self._scale)
        camera_from_table = mat_from_pose(pose_inverse(self._seat.table_from_camera))
        camera_joints = joints @ camera_from_table[:3, :3].T + camera_from_table[:3, 3]
        fraction = math.sqrt(1.0 - self._keep * self._keep)
        self._slow = [self._keep * slow + fraction * self._rng.normal(size=slow.shape) for slow in self._slow]
        camera = self._seat.camera
        pixels = camera.project(camera_joints) + self._draw_noise(0)
        world = camera_joints - camera_joints.mean(axis=0) + self._draw_noise(1)
        one = make_hand(pixels.tolist(), world.tolist(), "right", SCORE)
        return Hands(time_s, frame_index, camera.width, camera.height, (one,))

    def _draw_noise(self, which: int) -> Array:
        fast, slow = self._sizes[2 * which : 2 * which + 2]
        return np.asarray(fast * self._rng.normal(size=self._slow[which].shape) + slow * self._slow[which])
