"""A paper ladder in the placing hand: drawn as a webcam sees it, read by the real detector, without any key.

The hand itself is ``paper_hand``.

The hand turns the card, and with it what is held, in all six directions. Its thumb taps the ladder in the lid until it
shows the side from which there is least to turn; it then takes the ladder with the card turned half of the way back, so
that the card faces the camera as well as it can where it takes and where it lets go.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import replace
from typing import Any

from armoon.camera.frame import Image
from armoon.camera.seat import SEATS, Seat
from armoon.clock import TICK_S, FixedStep
from armoon.games.moon.choosing.foretelling import Foretelling, Foretold
from armoon.games.moon.player.placer import Plan
from armoon.geometry import (
    pose_between,
    pose_compose,
    pose_inverse,
    quat_inverse,
    quat_multiply,
)
from armoon.hands.tracking.landmarks import Hands
from armoon.inputs.card import CARD_FROM_GRIP, CardGrip
from armoon.players.demo import facing, paper_habits
from armoon.values.intents import Command, GripIntent
from armoon.values.paper import RIGHT_LADDER
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose
from benchmarks.card_parts.stage import CardStage
from benchmarks.placement_parts.cases import Case
from benchmarks.placement_parts.casting import eye_of, shown_by_ghost
from benchmarks.placement_parts.hand import Doing
from benchmarks.placement_parts.paper_hand import PaperPlacingHand, half_way_back, taps_to_easiest
from benchmarks.placement_parts.setting import RATE_HZ, Setting
from benchmarks.placement_parts.sight import Faint, Surroundings
from benchmarks.placement_parts.table import PlacementTable
from benchmarks.placement_parts.trial import Outcome, Trial

WIDTH, HEIGHT = 1280, 720
#: The game ends any sway after 12 s, is firm a moment later, and judges: a person waits for that.
GAME_PATIENCE_S = 14.0
#: The shutter is open for this part of the time between two pictures: 1/60 s of 1/30.
SHUTTER, _SHUTTER_STEP_M = 0.5, 0.0008
#: In the picture the card points up from the lower right by this: towers are tall.
RISES_RAD = math.radians(30.0)


class PaperStage:
    """The card before its camera, and the grip that reads it."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.setting = setting
        self.seat = SEATS[setting.seat](WIDTH, HEIGHT)
        self._drawn = CardStage(self.seat.camera, RIGHT_LADDER, seed=seed)
        self._last: Pose | None = None
        self.grip = CardGrip(self.seat.camera, self.seat.table_from_camera)

    def picture(self, grip: Pose, closing: float) -> Image:
        """Return the next frame: blurred by the way since the last."""
        last, self._last = self._last or grip, grip
        count = max(
            1, min(12, math.ceil(SHUTTER * math.dist(last.position, grip.position) / _SHUTTER_STEP_M))
        )
        parts = [1.0 - SHUTTER * (k + 0.5) / count for k in range(count)]
        poses = [self._seen(pose_between(last, grip, part)) for part in parts]
        return self._drawn.frame(poses, closing)

    def _seen(self, grip: Pose) -> Pose:
        table_from_card = pose_compose(grip, pose_inverse(CARD_FROM_GRIP))
        return pose_compose(pose_inverse(self.seat.table_from_camera), table_from_card)


class PaperTable(PlacementTable):
    """A table that a card's grips come to, with what the faint ladder shows."""

    def __init__(self, seed: int, seat: Seat, case: Case | None = None) -> None:
        self.grips: tuple[GripIntent, ...] = ()
        self.told: Foretold | None = None
        """What is shown of what becomes of the held ladder."""
        super().__init__(seed, seat, case)

    def _foretelling_of(self, standing: int) -> Foretelling:
        return Foretelling(self.match, on_time=False)

    def tick(
        self,
        time_s: float,
        hands: Hands | None,
        commands: tuple[Command, ...] = (),
        grips: tuple[GripIntent, ...] = (),
    ) -> None:
        """One tick of the match, with the grips that came in since the last."""
        waiting, self.grips = self.grips, ()
        super().tick(time_s, None, commands, (*waiting, *grips))
        self.told = self.foretelling.see()


class PaperTrial(Trial):
    """A trial whose hand holds a card."""

    settle_patience_s = GAME_PATIENCE_S

    _stage: PaperStage
    _table: PaperTable
    _player: PaperPlacingHand

    def __init__(self, stage: PaperStage, table: PaperTable, plan: Plan, seed: int) -> None:
        super().__init__(stage, table, plan, _NoTracker(), seed)
        self._player = _player(stage, table, plan, seed)

    def _tick(self, time_s: float, hands: Hands | None, wishes: tuple[Command, ...]) -> None:
        if self._player.doing is Doing.TAPPING:
            self._table.tick(time_s, hands, wishes)  # what is tapped isn't taken
        else:
            super()._tick(time_s, hands, wishes)

    def run(self) -> Outcome:
        """Frame by frame until the ladder is let go of, then tick by tick until the verdict."""
        dt_s, index = 1.0 / RATE_HZ, 0
        steps = FixedStep(self._start_s)
        while not self._is_over(index * dt_s):
            index += 1
            now_s = self._start_s + index * dt_s
            match = self._table.match
            self._player.move(self._table.facts, match.home_from_table(), now_s, dt_s)
            truth = self._trembling(now_s)
            grip = self._stage.grip
            grip.see(self._stage.picture(truth, self._player.closing), now_s)
            self._table.grips += grip.take(now_s, match.offered_at_home, holding=match.holding)
            ticks = steps.advance(now_s)
            for k in range(ticks):
                self._tick(now_s - (ticks - 1 - k) * TICK_S, None, ())
            if self._player.doing in (Doing.WAITING, Doing.REACHING):
                self._measure(now_s, truth)
        self._await_verdict()
        self._conclude()
        return self._outcome


class _NoTracker:
    """A card needs none."""

    def track(self, picture: Any, time_s: float, frame_index: int) -> Hands:
        """Return no hands."""
        return Hands(time_s, frame_index, WIDTH, HEIGHT, ())


def ghost_of(table: PaperTable) -> tuple[PieceId, ...]:
    """Which ladders the faint one touches straight below; it isn't drawn there once it is drawn at rest."""
    rests = table.told is not None and table.told.rest is not None
    return () if rests else shown_by_ghost(table, False).touched


def _player(stage: PaperStage, table: PaperTable, plan: Plan, seed: int) -> PaperPlacingHand:
    """Return a player who holds the card for this ladder's way."""
    match, seat = table.match, stage.seat
    goal = pose_compose(match.home_from_table(), plan.release).rotation
    easy, sides = facing(seat, RISES_RAD), tuple(match.lid.sides.values())
    taps = taps_to_easiest(sides, goal)
    taking = quat_multiply(half_way_back(quat_multiply(goal, quat_inverse(sides[taps]))), easy)
    usual = paper_habits(seat)
    habits = replace(
        usual, rest=Pose(usual.rest.position, taking), reach_rotation=Pose((0.0, 0.0, 0.0), taking)
    )
    around = Surroundings(match.ladders, table.piece, habits, match.tilted, lambda _: Faint(ghost_of(table)))
    eye = eye_of(stage.setting, seat, match.ladders[table.piece], plan.release, seed)
    return PaperPlacingHand(around, plan, eye, table.time_s, easy, taps, lambda: table.told)


def run_card_trial(setting: Setting, case: Case) -> Outcome:
    """Play one trial with a paper ladder."""
    stage = PaperStage(setting, case.seed)
    with contextlib.closing(PaperTable(case.seed, stage.seat, case)) as table:
        return PaperTrial(stage, table, case.plan, case.seed).run()
