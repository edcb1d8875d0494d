"""Films a one-hand scene: rendered hands, the real tracker, the interpreter, the watch; and keeps the truth."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from armoon.camera.seat import SEATS, Seat
from armoon.geometry import mat_from_pose, pose_inverse
from armoon.hands.grips.interpret import Interpreter
from armoon.hands.pose.metric import NEAREST_M
from armoon.hands.tracking.landmarks import Hand, Hands, hand_from_arrays
from armoon.hands.tracking.tracker import HandTracker
from armoon.hands.watch.onehand import OneHandWatch, WatchLevel, WatchReport, Zone
from armoon.synthetic_camera.anatomy import landmarks
from armoon.synthetic_camera.look import StageLook
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.intents import GripPhase
from benchmarks.onehand_parts.scenes import MUST_CATCH_S, OneHandScene, violations
from benchmarks.placement_parts.skeleton import PIXELS, SCORE, WORLD_M

WIDTH, HEIGHT = 640, 360
#: How far aside a false second detection lies: well inside the hand.
TWICE_ASIDE_PX = 6.0
#: Number of landmarks in the picture by which a hand counts as seen.
LEAST_IN_PICTURE = 12
#: Maximum delay of a warning after the second hand has gone.
LATE_S = 0.1


@dataclass(frozen=True)
class Filmed:
    """The outcome of a scene, frame by frame."""

    scene: OneHandScene
    times_s: tuple[float, ...]
    violated: tuple[bool, ...]
    """Whether the truth is a violation."""
    held: tuple[bool, ...]
    """Whether the interpreter has a hand hold."""
    seen: tuple[int, ...]
    """How many hands the interpreter followed."""
    reports: tuple[WatchReport, ...]
    hands: tuple[Hands, ...]

    @property
    def violations(self) -> tuple[tuple[float, float], ...]:
        """Begin and end of each true violation."""
        return violations(self.times_s, self.violated)

    @property
    def must_be_caught(self) -> tuple[tuple[float, float], ...]:
        """The true violations that last long enough."""
        return tuple((begin, end) for begin, end in self.violations if end - begin > MUST_CATCH_S)

    @property
    def warned_s(self) -> tuple[float, ...]:
        """Every frame at which the watch began to warn or to fault."""
        said = [report.level in (WatchLevel.WARNING, WatchLevel.FAULT) for report in self.reports]
        return tuple(t for k, t in enumerate(self.times_s) if said[k] and not (k > 0 and said[k - 1]))

    @property
    def delays_s(self) -> tuple[float | None, ...]:
        """For every violation that must be caught, the time to its warning; None for one that was missed."""
        return tuple(
            next((t - begin for t in self.warned_s if begin <= t <= end + LATE_S), None)
            for begin, end in self.must_be_caught
        )

    @property
    def false_alarms_s(self) -> tuple[float, ...]:
        """Warnings outside every true violation, however short."""
        return tuple(
            t for t in self.warned_s if not any(begin <= t <= end + LATE_S for begin, end in self.violations)
        )

    @property
    def level(self) -> WatchLevel:
        """The highest level that was reached."""
        order = list(WatchLevel)
        return max((report.level for report in self.reports), key=order.index)


def film(scene: OneHandScene, *, rate_hz: float = 30.0, look: StageLook | None = None) -> Filmed:
    """Film a scene from its seat; equal arguments give equal results."""
    look = look or StageLook(skin="tan")
    seat = SEATS[scene.seat](WIDTH, HEIGHT)
    camera = RenderedCamera(seat.camera, seat.table_from_camera, look)
    try:
        with HandTracker() as tracker:

            def track(now_s: float, index: int) -> Hands:
                return tracker.track(camera.render(scene.states(now_s)), now_s, index)

            return _watched(scene, seat, rate_hz, look, track)
    finally:
        camera.close()


def skeletons(scene: OneHandScene, *, rate_hz: float, look: StageLook) -> Filmed:
    """Return the same without pictures.

    Every hand that is in the picture is seen, at once and where it is, but for noise.
    """
    seat = SEATS[scene.seat](WIDTH, HEIGHT)
    rng = np.random.default_rng(look.seed)
    camera_from_table = mat_from_pose(pose_inverse(seat.table_from_camera))

    def track(now_s: float, index: int) -> Hands:
        found = []
        for state in scene.states(now_s):
            there = landmarks(state, look.hand_scale) @ camera_from_table[:3, :3].T + camera_from_table[:3, 3]
            if there[:, 2].min() < NEAREST_M:
                continue
            seen = seat.camera.project(there)
            if ((seen >= 0.0) & (seen < (WIDTH, HEIGHT))).all(axis=1).sum() < LEAST_IN_PICTURE:
                continue
            world = there - there.mean(axis=0) + rng.normal(0.0, WORLD_M, there.shape)
            seen = seen + rng.normal(0.0, PIXELS, seen.shape)
            found.append(hand_from_arrays(seen.tolist(), world.tolist(), state.side, SCORE))
        return Hands(now_s, index, WIDTH, HEIGHT, tuple(found))

    return _watched(scene, seat, rate_hz, look, track)


def _watched(
    scene: OneHandScene, seat: Seat, rate_hz: float, look: StageLook, track: Callable[[float, int], Hands]
) -> Filmed:
    """Return interpreter's and watch's view of the tracked hands at each frame's time and number."""
    interpreter = Interpreter(seat.camera, seat.table_from_camera)
    watch, zone = OneHandWatch(), Zone()
    times: list[float] = []
    violated, held, seen, reports, kept = [], [], [], [], []
    for index in range(math.floor(scene.duration_s * rate_hz)):
        now_s = index / rate_hz
        hands = track(now_s, index)
        if scene.seen_twice:
            hands = replace(hands, hands=(*hands.hands, *(_aside(hand) for hand in hands.hands)))
        interpreter.see(hands)
        views = interpreter.views()
        intent = interpreter.intent(now_s)
        holds = intent is not None and intent.phase in (GripPhase.GRAB, GripPhase.HOLD)
        times.append(now_s)
        violated.append(scene.is_violated(now_s, look.hand_scale))
        held.append(holds)
        seen.append(len(views))
        reports.append(watch.see(now_s, views, holds, zone))
        kept.append(hands)
    return Filmed(scene, tuple(times), tuple(violated), tuple(held), tuple(seen), tuple(reports), tuple(kept))


def _aside(hand: Hand) -> Hand:
    return replace(hand, points_px=tuple((x + TWICE_ASIDE_PX, y + TWICE_ASIDE_PX) for x, y in hand.points_px))
