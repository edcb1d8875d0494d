"""One hand tracked from frame to frame: its identity, its metric pose, and whether its grip is closed."""

from __future__ import annotations

import math

import numpy as np

from armoon.geometry import Array, CameraModel
from armoon.hands.grips.identity import SettledLabel, SettledShape
from armoon.hands.grips.kinds import make_grip
from armoon.hands.grips.path import REFERENCE_M, GripPath
from armoon.hands.grips.reading import Pace
from armoon.hands.grips.settings import GripSettings
from armoon.hands.grips.slack import MOST_SLACK, Doubt
from armoon.hands.grips.view import Refusal
from armoon.hands.pose.metric import NEAREST_SEEN_M, MetricHand, PoseSolver
from armoon.hands.tracking.landmarks import Hand, Whereabouts
from armoon.values.poses import Vec2, Vec3

#: Maximum gap between two sights of a hand, in seconds or in slow frames; after it the hand's filters and solver
#: start anew.
FRESH_AFTER_S = 0.1
FRESH_AFTER_FRAMES = 2.5


class FollowedHand:
    """A hand with an identity. ``see`` it in every frame that has it; after the first, ask where it grips."""

    hand: Hand
    """The newest frame's landmarks."""
    _metric: MetricHand
    """Where they are; of the last frame that allowed a pose."""
    _slack: float

    def __init__(
        self,
        identity: int,
        camera: CameraModel,
        settings: GripSettings,
        pace: Pace,
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
        self.grip = make_grip(settings.grip, settings.dwell_s, settings.reading, trusted=trusted)
        self.label = SettledLabel()
        """Which hand its frames agree that it is."""
        self._shape = SettledShape()
        self.path = GripPath(settings, pace)
        """Where it grips, in the camera frame."""
        self._pace = pace
        self._camera = camera
        self._settings = settings
        self._place: Whereabouts | None = None
        self._start_afresh(self._new_solver())

    def see(self, hand: Hand, time_s: float, offered: Vec3 | None = None) -> bool:
        """Take in a frame; True if the grip has just closed or opened. ``offered``: what may be taken, camera frame.

        A frame that allows no pose or no measure of the grip is passed over: ``seen_s`` stays as it was.
        """
        mirrored = (
            self.grip.closed and self._settings.reading.knows_mirrored and self._shape.doubts(hand, time_s)
        )
        if self.label.doubts(hand.side, self._pace.weight) or mirrored:
            # Taken for the other hand, all its landmarks are wrong by up to a palm's length: the hand is
            # there, but this frame says nothing about it.
            self.seen_s = time_s if self._place is not None else self.seen_s
            return False
        fresh_after_s = self._fresh_after_s
        fresh = time_s - self.seen_s > fresh_after_s
        solver = self._new_solver() if fresh else self._solver
        steadied = self.grip.closed and self.path.holds and self._settings.reading.depth_play > 0.0
        metric = solver.solve(hand, steadied=steadied)
        self.too_near = metric is None
        if metric is None and self._place is not None:
            # Too near for a pose: its place is kept, and its fingers alone are read.
            self._note_place(hand, time_s, fresh_after_s)
            return self.grip.read(hand) and self.grip.judge(time_s, self.path.own[0], False, self._slack)
        if metric is None or not self.grip.read(hand):
            return False
        if fresh:
            # Only now that there is a value to start from: what was said of the hand stands until then.
            self._start_afresh(solver)
        self._note_place(hand, time_s, fresh_after_s)
        self._metric = metric
        self._slack = self._doubt.see(metric, self._pace)
        across = self.path.note(time_s, metric, self.grip, self._slack, self._solver.unsteadiness)
        changed = self.grip.judge(time_s, across, self._is_near(across, offered), self._slack)
        if self.grip.closed or not changed:
            self.path.keep(self.grip.closed and self.grip.opening)
        return changed

    def expected(self, time_s: float) -> Whereabouts | None:
        """Where it should be in the picture at a time, from its last motion; None before it was ever seen."""
        if self._place is None:
            return None
        ahead_s = min(max(time_s - self.seen_s, 0.0), self._fresh_after_s)
        (x, y), (vx, vy) = self._place.centre_px, self._drift_px_s
        return Whereabouts((x + vx * ahead_s, y + vy * ahead_s), self._place.palm_px)

    @property
    def points_m(self) -> Array:
        """The newest frame's landmarks (21, 3), camera frame, moved to the filtered depth."""
        points: Array = np.empty_like(self._metric.points_m)
        depths = np.maximum(self._metric.points_m[:, 2:] + self.path.unfiltered_m, 0.01)
        points[:, :2], points[:, 2:] = self._metric.rays * depths, depths
        return points

    @property
    def sigmas_m(self) -> tuple[float, float]:
        """One standard deviation of the grip across and along the view, measured trembling and doubt included."""
        across_m = math.hypot(self._metric.sigma_across_m, self._doubt.noise * self._settings.palm_m)
        doubt = 1.0 + self._slack / MOST_SLACK
        return across_m, max(across_m, self.path.depth_share * self._metric.sigma_along_m * doubt)

    @property
    def _fresh_after_s(self) -> float:
        return max(FRESH_AFTER_S, FRESH_AFTER_FRAMES * self._pace.frame_s)

    def _new_solver(self) -> PoseSolver:
        return PoseSolver(self._camera, self._settings.palm_m, NEAREST_SEEN_M)

    def _start_afresh(self, solver: PoseSolver) -> None:
        self._solver = solver
        self._doubt = Doubt()
        self._slack = 0.0
        self._drift_px_s = (0.0, 0.0)
        self.path.start_afresh()

    def _note_place(self, hand: Hand, time_s: float, fresh_after_s: float) -> None:
        place = hand.whereabouts
        step_s = time_s - self.seen_s
        if self._place is not None and 0.0 < step_s <= fresh_after_s:
            (x, y), (last_x, last_y) = place.centre_px, self._place.centre_px
            self._drift_px_s = ((x - last_x) / step_s, (y - last_y) / step_s)
        self._place, self.hand, self.seen_s = place, hand, time_s

    def _is_near(self, across: Vec2, offered: Vec3 | None) -> bool:
        if offered is None:
            return False
        x, y, z = offered
        away = math.hypot(across[0] - x / z * REFERENCE_M, across[1] - y / z * REFERENCE_M)
        return away <= self._settings.dwell_reach_m
