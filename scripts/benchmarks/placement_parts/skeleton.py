"""In the place of picture and tracker: the rendered hand's own landmarks, with the noise of the real ones.

Thirty times as fast, for many trials on towers. Its noise is that of a still hand before the real tracker; what that
makes of turned palms, blur and hidden fingers it doesn't know, so the real tracker has the last word.
"""

from __future__ import annotations

import math

import numpy as np

from armoon.camera.seat import Seat
from armoon.geometry import Array, mat_from_pose, pose_inverse
from armoon.hands.tracking.landmarks import Hands, hand_from_arrays
from armoon.synthetic_camera.anatomy import HandState, landmarks

#: Names of the trackers that a demo can be played through.
REAL, SKELETON = "real", "skeleton"
#: Of each landmark: in the picture, passing and slow; in the world landmarks, likewise; how long the slow lasts.
PIXELS, SLOW_PIXELS = 0.15, 0.10
WORLD_M, SLOW_WORLD_M = 0.0005, 0.0005
SLOW_S = 0.7
SCORE = 0.97


class SkeletonTracker:
    """Stands where ``HandTracker`` stands, and is shown hands instead of pictures."""

    def __init__(self, seat: Seat, seed: int, rate_hz: float, hand_scale: float) -> None:
        self._seat, self._scale = seat, hand_scale
        self._rng = np.random.default_rng([seed, 79])
        self._keep = math.exp(-1.0 / (rate_hz * SLOW_S))
        self._slow = [self._rng.normal(size=shape) for shape in ((21, 2), (21, 3))]

    def track(self, hand: HandState, time_s: float, frame_index: int) -> Hands:
        """Return a tracker's result for this hand."""
        joints = landmarks(hand, self._scale)
        camera_from_table = mat_from_pose(pose_inverse(self._seat.table_from_camera))
        there = joints @ camera_from_table[:3, :3].T + camera_from_table[:3, 3]
        fresh = math.sqrt(1.0 - self._keep * self._keep)
        self._slow = [self._keep * slow + fresh * self._rng.normal(size=slow.shape) for slow in self._slow]
        camera = self._seat.camera
        seen = camera.project(there) + self._noise(0, PIXELS, SLOW_PIXELS)
        world = there - there.mean(axis=0) + self._noise(1, WORLD_M, SLOW_WORLD_M)
        one = hand_from_arrays(seen.tolist(), world.tolist(), "right", SCORE)
        return Hands(time_s, frame_index, camera.width, camera.height, (one,))

    def _noise(self, which: int, passing: float, slow: float) -> Array:
        return np.asarray(passing * self._rng.normal(size=self._slow[which].shape) + slow * self._slow[which])
