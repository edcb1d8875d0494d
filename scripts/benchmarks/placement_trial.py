"""Plays one trial of the placement benchmark: rendered hand, real tracker, grip, physics, the referee's verdict."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from armoon.camera.profiles import SEATS, CameraSeat
from armoon.clock import TICK_S, FixedStep
from armoon.games.moon.editions import Verdict
from armoon.games.moon.plan_search import PlacementPlan
from armoon.games.moon.scene import SHOWN_ABOVE_M
from armoon.geometry import vec3
from armoon.hands.landmarks import Hands
from armoon.hands.tracker import HandTracker
from armoon.messages import text
from armoon.players.demo import make_habits
from armoon.players.hand import pose_distance
from armoon.synthetic_camera.anatomy import HandState, place_palm
from armoon.synthetic_camera.look import HANDS, HANDS_BY_NAME, HandVariant
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.choices import SeatName
from armoon.values.pieces import BASE, TABLE, Command, GripPhase, Ladder, PieceId
from armoon.values.player_settings import Guidance
from armoon.values.poses import IDENTITY_POSE, Pose
from benchmarks.hand_script import TRACKER_NOISE, HandScript, Keyframe, Noise, SkeletonTracker, Tremor
from benchmarks.placement_hand import FaintLadder, Phase, PlacingHand, TrialSetup
from benchmarks.placement_people import ARM_DRIFT_HZ, NOVICE, PEOPLE, STEADY, ExactEye, PersonEye, make_style
from benchmarks.placement_tables import Case, PlacementTable

WIDTH, HEIGHT, RATE_HZ = 640, 360, 30.0
#: Name of the player who knows the true pose, a reference for tests.
EXACT = "exact"
#: Standard deviation of the hand's tremor along each axis, in metres, and of its rotation, in radians per metre.
TREMOR_M, TREMOR_RAD_PER_M = 0.0004, 10.0


@dataclass(frozen=True)
class Setting:
    """The conditions of one row of the benchmark."""

    seat: SeatName = SeatName.TABLE
    player: str = NOVICE.name
    standing: int = 2
    tremor_m: float = TREMOR_M
    guidance: Guidance = Guidance.OFF


class Device(Protocol):
    """Performs a player's motion with a hand in front of a camera, a card or a mouse."""

    def show(self, grip: Pose, closing: float, time_s: float, index: int) -> Hands | None:
        """Show the next frame with the fingertips at ``grip``; return the tracked hands, or None without a tracker."""


class RenderedHand:
    """One hand in front of a rendered camera, and the real tracker; must be closed."""

    def __init__(self, seat: CameraSeat, seed: int, hand: HandVariant = HANDS[0]) -> None:
        self._hand = hand
        self._camera = RenderedCamera(seat.camera, seat.table_from_camera, hand.make_look(seed))
        self._tracker = HandTracker(watch_second_hand=False)

    def close(self) -> None:
        self._tracker.close()
        self._camera.close()

    def show(self, grip: Pose, closing: float, time_s: float, index: int) -> Hands:
        hand = self._hand
        palm = place_palm(grip.position, grip.rotation, hand_scale=hand.scale, stretch=hand.stretch)
        return self._track_hand(HandState(palm, closing, stretch=hand.stretch), time_s, index)

    def _track_hand(self, hand: HandState, time_s: float, index: int) -> Hands:
        return self._tracker.track(self._camera.render([hand]), time_s, index)


class SkeletonHand(RenderedHand):
    """One hand with simulated, noisy landmarks; faster than rendering and tracking."""

    def __init__(
        self, seat: CameraSeat, seed: int, hand: HandVariant = HANDS[0], noise: Noise = TRACKER_NOISE
    ) -> None:
        self._hand, self._skeleton = hand, SkeletonTracker(seat, seed, RATE_HZ, hand.scale, noise)

    def close(self) -> None:
        """Nothing to close."""

    def _track_hand(self, hand: HandState, time_s: float, index: int) -> Hands:
        return self._skeleton.track(hand, time_s, index)


def make_tremors(setting: Setting, seed: int) -> tuple[Tremor, Tremor]:
    person = PEOPLE.get(setting.player)
    drift_m = 0.0 if person is None else person.arm_drift_m
    return (
        Tremor(setting.tremor_m, TREMOR_RAD_PER_M * setting.tremor_m, seed),
        Tremor(drift_m, 0.0, seed + 1, ((1.0, *ARM_DRIFT_HZ),)),
    )


def make_hand_setup(setting: Setting, seat: CameraSeat, table: PlacementTable, seed: int) -> TrialSetup:
    person = PEOPLE.get(setting.player)
    return TrialSetup(
        table.match.ladders,
        table.piece,
        make_habits(seat),
        table.match.make_tilt_rotation,
        lambda watches: read_ghost(table, watches),
        STEADY if person is None else make_style(person, seed),
        watches=person is not None,
    )


def make_hand_trial(
    device: Device, seat: CameraSeat, table: PlacementTable, plan: PlacementPlan, setting: Setting, seed: int
) -> Trial:
    eye = make_eye(setting, seat, table.match.ladders[table.piece], plan.release, seed)
    player = PlacingHand(make_hand_setup(setting, seat, table, seed), plan, eye, table.time_s)
    return Trial(device, table, player, seed, make_tremors(setting, seed))


def make_eye(
    setting: Setting, seat: CameraSeat, ladder: Ladder, goal: Pose, seed: int
) -> ExactEye | PersonEye:
    person = PEOPLE.get(setting.player)
    if person is None:
        return ExactEye()
    return PersonEye(person, seat, ladder, goal, 1.0 / RATE_HZ, np.random.default_rng([seed, 78]))


def read_ghost(table: PlacementTable, watches: bool) -> FaintLadder:
    """Return the drawn faint ladder; ``watches``: update the forecast of its colour and of its pose at rest."""
    forecast = table.forecaster.update() if watches else None
    fate = None if forecast is None else forecast.fate
    is_judged = forecast is not None and forecast.words == text("foretold.judging")
    if forecast is not None and forecast.rest is not None:
        return FaintLadder(forecast.touched, fate, is_judged)
    landing = table.match.find_landing(table.facts[table.piece])
    if landing.fall_m < SHOWN_ABOVE_M:
        return FaintLadder((), fate, is_judged)
    return FaintLadder(tuple(name for name in landing.touched if name not in (BASE, TABLE)), fate, is_judged)


#: Maximum wait for the verdict after the release, seconds.
SETTLE_PATIENCE_S = 10.0
#: Maximum time from the start of a trial to the release, seconds.
TRIAL_PATIENCE_S = 60.0


@dataclass
class Outcome:
    seed: int
    wanted: tuple[PieceId, ...]
    touched: tuple[PieceId, ...] = ()
    """By the referee's verdict, after rest."""
    grabs: int = 0
    releases: int = 0
    grabbed: bool = False
    """Whether the first pinch grabbed the ladder."""
    dropped: bool = False
    """Whether the ladder left a closed hand."""
    judged: bool = False
    """Whether the referee gave a verdict."""
    honoured: bool = False
    """Whether the die was honoured, by the verdict."""
    placed: bool = False
    """Whether the verdict's touches are exactly the wanted touches and nothing fell."""
    release_error_m: float | None = None
    """Distance between the wanted and the actual release."""
    release_error_rad: float | None = None
    seconds: float | None = None
    tries: int = 1
    """Number of attempts to lower the ladder."""

    def conclude(self, verdict: Verdict | None) -> None:
        if verdict is not None:
            self.judged, self.honoured, self.touched = True, verdict.ok, verdict.touched
            self.placed = not verdict.fallen and verdict.touched == self.wanted


def run_trial(setting: Setting, case: Case, make_hand: type[RenderedHand] = RenderedHand) -> Outcome:
    seat = SEATS[setting.seat](WIDTH, HEIGHT)
    with (
        contextlib.closing(make_hand(seat, case.seed, HANDS_BY_NAME[case.hand])) as device,
        contextlib.closing(PlacementTable(case.seed, seat, case, guidance=setting.guidance)) as table,
    ):
        return make_hand_trial(device, seat, table, case.plan, setting, case.seed).run()


class Trial:
    """The loop of one trial, and its measurements."""

    def __init__(
        self,
        device: Device,
        table: PlacementTable,
        player: PlacingHand,
        seed: int,
        tremors: Sequence[Tremor] = (),
        settle_patience_s: float = SETTLE_PATIENCE_S,
    ) -> None:
        self._device, self._table, self._player = device, table, player
        self._shakes = [HandScript([Keyframe(IDENTITY_POSE, 0.0, 0.0)], tremor=tremor) for tremor in tremors]
        self._settle_patience_s = settle_patience_s
        self._outcome = Outcome(seed, player.plan.touched)
        self._start_s = table.time_s
        self._grabbed_s = 0.0

    def run(self) -> Outcome:
        dt_s = 1.0 / RATE_HZ
        steps = FixedStep(self._start_s)
        index = 0
        while not self._is_over(index * dt_s):
            index += 1
            now_s = self._start_s + index * dt_s
            commands = self._player.move(self._table.facts, self._table.match.home_from_table(), now_s, dt_s)
            hands = self._device.show(self._add_tremor(now_s), self._player.closing, now_s, index)
            ticks = steps.advance(now_s)
            for k in range(ticks):
                self._tick(
                    now_s - (ticks - 1 - k) * TICK_S, hands if k == 0 else None, commands if k == 0 else ()
                )
        self._await_verdict()
        self._outcome.tries = self._player.tries
        self._outcome.conclude(self._table.verdict)
        return self._outcome

    def _is_over(self, waited_s: float) -> bool:
        away = self._player.phase is Phase.AWAY
        return bool(self._outcome.releases) or away or waited_s > TRIAL_PATIENCE_S

    def _await_verdict(self) -> None:
        patience = round(self._settle_patience_s / TICK_S)
        while self._table.facts.held is None and self._table.verdict is None and patience > 0:
            patience -= 1
            self._table.tick(self._table.time_s + TICK_S, None)

    def _add_tremor(self, now_s: float) -> Pose:
        aim = self._player.pose
        for shake in self._shakes:
            aim = Pose(vec3(np.add(aim.position, shake.state(now_s).palm.position)), aim.rotation)
        return aim

    def _tick(self, time_s: float, hands: Hands | None, commands: tuple[Command, ...]) -> None:
        before = self._table.facts
        self._table.tick(time_s, hands, commands)
        if self._player.phase is Phase.TAPPING:
            return  # taps grab no ladder
        now, outcome, grip = self._table.facts, self._outcome, self._table.match.grip
        phase = None if grip is None else grip.phase
        outcome.grabs += phase is GripPhase.GRAB
        if now.held is not None and before.held is None:
            self._grabbed_s = time_s
            outcome.grabbed = outcome.grabs == 1
        elif now.held is None and before.held is not None:
            outcome.releases += 1
            outcome.dropped = outcome.dropped or self._player.carries
            if not self._player.carries:
                released, wanted = before[self._table.piece].pose, self._player.plan.release
                outcome.release_error_m, outcome.release_error_rad = pose_distance(released, wanted)
                outcome.seconds = time_s - self._grabbed_s
