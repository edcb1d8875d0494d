"""One pick-and-place trial, all the way: rendered hand, real tracker, grip, physics, the referee's verdict."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

import numpy as np

from armoon.clock import TICK_S, FixedStep
from armoon.games.moon.player.placer import Plan
from armoon.games.moon.rules.values import Verdict
from armoon.geometry import Array, quat_rotate, vec3
from armoon.hands.grips.interpret import Interpreter
from armoon.hands.grips.settings import GripSettings
from armoon.hands.pose.filters import OneEuro
from armoon.hands.tracking.landmarks import Hands
from armoon.hands.tracking.tracker import HandTracker
from armoon.players.hand import pose_distance
from armoon.synthetic_camera.look import HANDS_BY_NAME
from armoon.values.facts import Facts
from armoon.values.intents import Command, GripPhase
from armoon.values.pieces import PieceId
from armoon.values.poses import IDENTITY_POSE, Pose
from benchmarks.hand_script import HandScript, Keyframe
from benchmarks.placement_parts.cases import Case
from benchmarks.placement_parts.casting import player_of
from benchmarks.placement_parts.eye import view_of
from benchmarks.placement_parts.hand import STILL_MEASURED_S, STILL_S, Doing, PlacingHand
from benchmarks.placement_parts.setting import RATE_HZ, Setting, drift_of, tremor_of
from benchmarks.placement_parts.stages import RenderedStage, Stage, Tracker
from benchmarks.placement_parts.table import PlacementTable

#: How long the structure may take to come to rest after the hand has left, and a whole trial.
SETTLE_PATIENCE_S = 10.0
TRIAL_PATIENCE_S = 60.0
#: Slower than this across the view a lag can't be told from noise.
LAG_FROM_M_S = 0.08
#: A move of fewer frames tells nothing about lag.
MOVE_FRAMES = 8
#: Filters that let everything pass, to tell what the real ones add.
_OPEN = OneEuro(min_cutoff_hz=1e4, beta=0.0, speed_cutoff_hz=1e4)
UNFILTERED = GripSettings(across=_OPEN, along=_OPEN, rotation=_OPEN, prediction_s=0.0)


@dataclass
class Outcome:
    """What came of a trial. Jitter and errors are split by the camera's view: across it and along it."""

    seed: int
    wanted: tuple[PieceId, ...]
    touched: tuple[PieceId, ...] = ()
    """By the referee's verdict, after rest."""
    grabs: int = 0
    releases: int = 0
    grabbed: bool = False
    """At the first pinch."""
    dropped: bool = False
    """The ladder left a closed hand."""
    unmeant_grab: bool = False
    """The ladder was taken by an open hand."""
    judged: bool = False
    """The referee came to a verdict."""
    honoured: bool = False
    """The verdict was that the die was honoured."""
    placed: bool = False
    """The verdict's touches are exactly the wanted ones, and nothing has fallen."""
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
    settled_s: float | None = None
    """From the release to the verdict, or until nobody waited any longer."""
    tries: int = 1
    """How often it was lowered."""
    table_turned: bool = False
    """The hand turned the table to see how far away the ladder was."""

    def conclude(self, verdict: Verdict | None) -> None:
        """Take in the referee's verdict."""
        if verdict is not None:
            self.judged, self.honoured, self.touched = True, verdict.ok, verdict.touched
            self.placed = not verdict.fallen and verdict.touched == self.wanted


def run_trial(setting: Setting, case: Case) -> Outcome:
    """Play one trial of a setting on a case's table, by a rendered hand."""
    with contextlib.ExitStack() as stack:
        hand = HANDS_BY_NAME[case.hand]
        stage = stack.enter_context(contextlib.closing(RenderedStage(setting, case.seed, hand)))
        tracker = stack.enter_context(HandTracker(watch_second_hand=False))
        table = stack.enter_context(contextlib.closing(PlacementTable(case.seed, stage.seat, case)))
        return Trial(stage, table, case.plan, tracker, case.seed).run()


class Trial:
    """The loop of one trial, and what is measured in it."""

    settle_patience_s = SETTLE_PATIENCE_S

    def __init__(
        self,
        stage: Stage,
        table: PlacementTable,
        plan: Plan,
        tracker: Tracker,
        seed: int,
    ) -> None:
        self._stage, self._table, self._tracker, self._plan = stage, table, tracker, plan
        self._raw = Interpreter(stage.seat.camera, stage.seat.table_from_camera, UNFILTERED)
        self._player: PlacingHand = player_of(stage, table, plan, seed)
        self._shakes = [
            HandScript([Keyframe(IDENTITY_POSE, 0.0, 0.0)], tremor=tremor)
            for tremor in (tremor_of(stage.setting, seed), drift_of(stage.setting, seed))
        ]
        self._view = view_of(stage.seat)
        self._outcome = Outcome(seed, plan.touched)
        self._start_s = table.time_s
        self._grabbed_s = 0.0
        self._still: list[Array] = []
        self._moves: list[tuple[float, Array, Array]] = []

    def run(self) -> Outcome:
        """Frame by frame until the ladder is let go of, then tick by tick until the verdict."""
        dt_s = 1.0 / RATE_HZ
        steps = FixedStep(self._start_s)
        index = 0
        while not self._is_over(index * dt_s):
            index += 1
            now_s = self._start_s + index * dt_s
            wishes = self._player.move(self._table.facts, self._table.match.home_from_table(), now_s, dt_s)
            truth = self._trembling(now_s)
            hands = self._tracker.track(self._stage.picture(truth, self._player.closing), now_s, index)
            ticks = steps.advance(now_s)
            for k in range(ticks):
                self._tick(
                    now_s - (ticks - 1 - k) * TICK_S, hands if k == 0 else None, wishes if k == 0 else ()
                )
            if self._player.doing in (Doing.WAITING, Doing.REACHING):
                self._raw.see(hands)
                self._measure(now_s, truth)
        self._await_verdict()
        self._conclude()
        return self._outcome

    def _is_over(self, waited_s: float) -> bool:
        """Let go of, or given up."""
        away = self._player.doing is Doing.AWAY
        return bool(self._outcome.releases) or away or waited_s > TRIAL_PATIENCE_S

    def _await_verdict(self) -> None:
        """Grips are locked once the ladder is free: no further picture can change what comes of it."""
        since_s, patience = self._table.time_s, round(self.settle_patience_s / TICK_S)
        while self._table.facts.held is None and self._table.verdict is None and patience > 0:
            patience -= 1
            self._table.tick(self._table.time_s + TICK_S, None)
        self._outcome.settled_s = self._table.time_s - since_s

    def _trembling(self, now_s: float) -> Pose:
        aim = self._player.pose
        moved = np.array(aim.position) + sum(np.array(s.state(now_s).palm.position) for s in self._shakes)
        return Pose(vec3(moved), aim.rotation)

    def _tick(self, time_s: float, hands: Hands | None, wishes: tuple[Command, ...]) -> None:
        before = self._table.facts
        self._table.tick(time_s, hands, wishes)
        now, outcome, grip = self._table.facts, self._outcome, self._table.match.grip
        phase = None if grip is None else grip.phase
        outcome.grabs += phase is GripPhase.GRAB
        if now.held is not None and before.held is None:
            self._grabbed_s = time_s
            outcome.unmeant_grab = outcome.unmeant_grab or self._player.closing == 0.0
            outcome.grabbed = outcome.grabs == 1
        elif now.held is None and before.held is not None:
            outcome.releases += 1
            outcome.dropped = outcome.dropped or self._player.carries
            if not self._player.carries:
                self._note_release(before, time_s)

    def _note_release(self, before: Facts, time_s: float) -> None:
        let_go, wanted = before[self._table.piece].pose, self._plan.release
        home_from_table = self._table.match.home_from_table()
        missed = np.array(
            quat_rotate(home_from_table.rotation, vec3(np.array(let_go.position) - np.array(wanted.position)))
        )
        self._outcome.release_error_m, self._outcome.release_error_rad = pose_distance(let_go, wanted)
        self._outcome.release_error_along_m = float(missed @ self._view)
        self._outcome.seconds = time_s - self._grabbed_s

    def _measure(self, now_s: float, truth: Pose) -> None:
        """Note how far the empty hand's grip is from the hand, for jitter and lag."""
        grip = self._table.match.grip
        if grip is None:
            return
        seen, true = np.array(grip.pose.position), np.array(truth.position)
        waited_s = now_s - self._start_s
        if self._player.doing is Doing.WAITING and waited_s > STILL_S - STILL_MEASURED_S:
            self._still.append(seen - true)
        raw = self._raw.intent(now_s)
        if self._player.doing is Doing.REACHING and raw is not None:
            self._moves.append((now_s, seen, np.array(raw.pose.position)))

    def _conclude(self) -> None:
        outcome = self._outcome
        outcome.tries, outcome.table_turned = self._player.tries, self._player.turned
        outcome.conclude(self._table.verdict)
        if len(self._still) > 5:
            errors = np.array(self._still)
            errors -= errors.mean(axis=0)
            along = errors @ self._view
            across = errors - along[:, np.newaxis] * self._view
            outcome.jitter_along_m = float(np.sqrt((along**2).mean()))
            outcome.jitter_across_m = float(np.sqrt((across**2).sum(axis=1).mean() / 2.0))
        outcome.lag_ms = self._lag_ms()

    def _lag_ms(self) -> float | None:
        """Return the delay that best explains, by least squares, how far the filtered grip is behind the raw one.

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
