"""One pick-and-place trial, all the way: rendered hand, real tracker, grip, physics, touches after rest."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from armoon.bench.placement_table import PlacementTable
from armoon.bench.placing_hand import STILL_MEASURED_S, STILL_S, Doing, PlacingHand
from armoon.camera.frame import Image
from armoon.camera.seat import SEATS, Seat
from armoon.clock import TICK_S, FixedStep
from armoon.demo import hand_habits
from armoon.facts import Facts, PieceStatus
from armoon.geometry import Array, mat_from_quat, vec3
from armoon.hands.filters import OneEuro
from armoon.hands.interpret import Interpreter
from armoon.hands.landmarks import Hands
from armoon.hands.settings import GripSettings
from armoon.hands.tracker import HandTracker
from armoon.intents import GripIntent, GripPhase
from armoon.pieces import PieceId
from armoon.players.hand import pose_distance
from armoon.players.placer import Plan
from armoon.settings import cache_folder
from armoon.stage.anatomy import HandState, palm_for_grip
from armoon.stage.look import SkinTone, StageLook
from armoon.stage.motion import HandScript, Keyframe, Tremor
from armoon.stage.rendered_camera import RenderedCamera
from armoon.values import IDENTITY_POSE, Pose

WIDTH, HEIGHT = 640, 360
#: A tremor's turns: radians for every metre of its shifts.
TREMOR_RAD_PER_M = 10.0
#: How long the structure may take to come to rest after the hand has left, and a whole trial.
SETTLE_PATIENCE_S = 8.0
TRIAL_PATIENCE_S = 40.0
#: Slower than this across the view a lag can't be told from noise.
LAG_FROM_M_S = 0.08
#: A move of fewer frames tells nothing about lag.
MOVE_FRAMES = 8
#: Filters that let everything pass, to tell what the real ones add.
_OPEN = OneEuro(min_cutoff_hz=1e4, beta=0.0, speed_cutoff_hz=1e4)
UNFILTERED = GripSettings(across=_OPEN, along=_OPEN, rotation=_OPEN, prediction_s=0.0)


@dataclass(frozen=True)
class Setting:
    """What is varied from trial to trial; the defaults are the middle one."""

    seat: str = "table"
    hand_scale: float = 1.0
    """1 is a hand of 187 mm; the tracker is told nothing about it."""
    skin: SkinTone = "tan"
    light_gain: float = 1.0
    distance: float = 1.0
    """The camera's distance from the table's middle, times the seat's own."""
    rate_hz: float = 30.0
    tremor_m: float = 0.0004
    """Standard deviation along each axis."""


@dataclass
class Outcome:
    """What came of a trial. Jitter and errors are split by the camera's view: across it and along it."""

    wanted: tuple[PieceId, ...]
    touched: tuple[PieceId, ...] = ()
    grabs: int = 0
    releases: int = 0
    grabbed: bool = False
    """At the first pinch."""
    dropped: bool = False
    """The ladder left a closed hand."""
    unmeant_grab: bool = False
    """The ladder was taken by an open hand."""
    placed: bool = False
    """After rest it touches exactly what it was meant to touch."""
    release_error_m: float | None = None
    """From where the ladder was to be let go of to where it was."""
    release_error_along_m: float | None = None
    release_error_rad: float | None = None
    jitter_across_m: float | None = None
    """Of the still open hand, RMS of one axis, less what it really trembled."""
    jitter_along_m: float | None = None
    lag_ms: float | None = None
    """What the filters add to the grip's delay while the hand moves across the view."""
    seconds: float | None = None
    """From the pinch to the release."""
    hands: list[Hands] = field(default_factory=list)
    truth: list[tuple[Pose, float]] = field(default_factory=list)
    """The hand's true grip frame and closing in every frame."""


def seat_at(setting: Setting) -> Seat:
    """The setting's seat with its camera moved along its own view."""
    seat = SEATS[setting.seat](WIDTH, HEIGHT)
    pose = seat.table_from_camera
    back_m = (setting.distance - 1.0) * math.hypot(pose.position[0], pose.position[1])
    position = np.array(pose.position) - back_m * _view(seat)
    return replace(seat, table_from_camera=Pose(vec3(position), pose.rotation))


class PlacementStage:
    """The rendered camera of one setting, for as many trials as wanted; close it."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.setting = setting
        self.seat = seat_at(setting)
        look = StageLook(
            skin=setting.skin, light_gain=setting.light_gain, hand_scale=setting.hand_scale, seed=seed
        )
        self._camera = RenderedCamera(
            self.seat.camera, self.seat.table_from_camera, look, cache_dir=cache_folder()
        )

    def close(self) -> None:
        """Free the graphics."""
        self._camera.close()

    def run(self, seed: int, grip: GripSettings | None = None) -> Outcome | None:
        """One trial; None where the seed's structure offers no place that trying finds."""
        table = PlacementTable(seed, vec3(_view(self.seat)))
        try:
            plan = table.find_plan()
            if plan is None:
                return None
            with HandTracker(watch_second_hand=False) as tracker:
                return _Trial(self, table, plan, tracker, seed, grip or GripSettings()).run()
        finally:
            table.close()

    def picture(self, grip: Pose, closing: float) -> Image:
        """The next frame, with the hand's finger tips meeting at ``grip``."""
        palm = palm_for_grip(grip.position, grip.rotation, hand_scale=self.setting.hand_scale)
        return self._camera.render([HandState(palm, closing)])


class _Trial:
    """The loop of one trial, and what is measured in it."""

    def __init__(
        self,
        stage: PlacementStage,
        table: PlacementTable,
        plan: Plan,
        tracker: HandTracker,
        seed: int,
        grip: GripSettings,
    ) -> None:
        self._stage, self._table, self._plan, self._tracker = stage, table, plan, tracker
        self._interpreter = Interpreter(stage.seat.camera, stage.seat.table_from_camera, grip)
        self._raw = Interpreter(stage.seat.camera, stage.seat.table_from_camera, UNFILTERED)
        self._player = PlacingHand(table.ladders, table.piece, plan, hand_habits(stage.seat))
        tremor_m = stage.setting.tremor_m
        self._shake = HandScript(
            [Keyframe(IDENTITY_POSE, 0.0, 0.0)], tremor=Tremor(tremor_m, TREMOR_RAD_PER_M * tremor_m, seed)
        )
        self._view = _view(stage.seat)
        self._outcome = Outcome(plan.touched)
        self._intent: GripIntent | None = None
        self._grabbed_s = 0.0
        self._still: list[Array] = []
        self._moves: list[tuple[float, Array, Array]] = []

    def run(self) -> Outcome:
        """Frame by frame until the ladder rests, or patience ends."""
        dt_s = 1.0 / self._stage.setting.rate_hz
        steps = FixedStep(-dt_s)
        index = 0
        while not self._is_over(index * dt_s):
            now_s = index * dt_s
            self._player.move(self._table.facts, now_s, dt_s)
            truth = self._trembling(now_s)
            picture = self._stage.picture(truth, self._player.closing)
            hands = self._tracker.track(picture, now_s, index)
            self._see(hands)
            ticks = steps.advance(now_s)
            for k in range(ticks):
                self._tick(now_s - (ticks - 1 - k) * TICK_S)
            self._outcome.hands.append(hands)
            self._outcome.truth.append((truth, self._player.closing))
            self._measure(now_s, truth)
            index += 1
        self._conclude()
        return self._outcome

    def _see(self, hands: Hands) -> None:
        mine = self._table.facts[self._table.piece]
        self._interpreter.offer(mine.pose.position if mine.status is PieceStatus.OFFERED else None)
        self._interpreter.see(hands)
        self._raw.see(hands)

    def _is_over(self, now_s: float) -> bool:
        facts, player = self._table.facts, self._player
        waited_s = now_s - player.since_s
        away = player.doing is Doing.AWAY and (facts.at_rest or waited_s > SETTLE_PATIENCE_S)
        return away or now_s > TRIAL_PATIENCE_S

    def _trembling(self, now_s: float) -> Pose:
        shake = self._shake.state(now_s).palm
        aim = self._player.pose
        moved = np.array(aim.position) + np.array(shake.position)
        return Pose(vec3(moved), aim.rotation)

    def _tick(self, time_s: float) -> None:
        before = self._table.facts
        self._intent = intent = self._interpreter.intent(time_s)
        self._table.facts = now = self._table.world.tick(intent)
        outcome = self._outcome
        if intent is not None:
            outcome.grabs += intent.phase is GripPhase.GRAB
            outcome.releases += intent.phase is GripPhase.RELEASE
        if now.held is not None and before.held is None:
            self._grabbed_s = time_s
            outcome.unmeant_grab = outcome.unmeant_grab or self._player.closing == 0.0
            outcome.grabbed = outcome.grabs == 1
        elif now.held is None and before.held is not None:
            outcome.dropped = outcome.dropped or self._player.carries
            if not self._player.carries:
                self._note_release(before, time_s)

    def _note_release(self, before: Facts, time_s: float) -> None:
        let_go, wanted = before[self._table.piece].pose, self._plan.release
        missed = np.array(let_go.position) - np.array(wanted.position)
        self._outcome.release_error_m, self._outcome.release_error_rad = pose_distance(let_go, wanted)
        self._outcome.release_error_along_m = float(missed @ self._view)
        self._outcome.seconds = time_s - self._grabbed_s

    def _measure(self, now_s: float, truth: Pose) -> None:
        """Note how far the grip is from the hand, for jitter and lag."""
        if self._intent is None:
            return
        grip, true = np.array(self._intent.pose.position), np.array(truth.position)
        waiting = self._player.doing is Doing.WAITING
        if waiting and now_s > STILL_S - STILL_MEASURED_S:
            self._still.append(grip - true)
        raw = self._raw.intent(now_s)
        if self._player.doing is Doing.REACHING and raw is not None:
            self._moves.append((now_s, grip, np.array(raw.pose.position)))

    def _conclude(self) -> None:
        facts, outcome = self._table.facts, self._outcome
        outcome.touched = facts.touching(self._table.piece)
        outcome.placed = facts.held is None and facts.at_rest and outcome.touched == outcome.wanted
        if len(self._still) > 5:
            errors = np.array(self._still)
            errors -= errors.mean(axis=0)
            along = errors @ self._view
            across = errors - along[:, np.newaxis] * self._view
            outcome.jitter_along_m = float(np.sqrt((along**2).mean()))
            outcome.jitter_across_m = float(np.sqrt((across**2).sum(axis=1).mean() / 2.0))
        outcome.lag_ms = self._lag_ms()

    def _lag_ms(self) -> float | None:
        """The delay that best explains, by least squares, how far the filtered grip is behind the raw one.

        Across the view only: depth is filtered harder on purpose.
        """
        if len(self._moves) < MOVE_FRAMES:
            return None
        across = np.eye(3) - np.outer(self._view, self._view)
        times = np.array([t for t, _, _ in self._moves])
        grips, raw = (np.array([move[k] for move in self._moves]) @ across for k in (1, 2))
        velocity = np.gradient(raw, times, axis=0)
        velocity[np.linalg.norm(velocity, axis=1) < LAG_FROM_M_S] = 0.0
        total = float((velocity * velocity).sum())
        return 1000.0 * float((velocity * (raw - grips)).sum()) / total if total > 0.0 else None


def _view(seat: Seat) -> Array:
    """The unit vector (3,) along the camera's axis, table frame."""
    return np.asarray(mat_from_quat(seat.table_from_camera.rotation)[:, 2])
