"""Placement with a paper ladder (the card): the real detector reads a rendered card, and no key is pressed.

The thumb taps the ladder in the lid until the ladder shows the side that needs the least rotation. At the grab the card
is rotated back by half of that rotation, and therefore faces the camera well at the grab and at the release.
"""

from __future__ import annotations

import contextlib
import math
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from armoon.camera.profiles import SEATS, CameraSeat
from armoon.games.moon.ladder_forecast import LadderForecast
from armoon.games.moon.plan_search import PlacementPlan
from armoon.geometry import (
    pose_between,
    pose_compose,
    pose_inverse,
    quat_angle,
    quat_inverse,
    quat_multiply,
    quat_rotate,
    quat_slerp,
    rotation_vector,
    vec3,
)
from armoon.inputs.card import CARD_FROM_GRIP, CardGrip
from armoon.players.demo import find_paper_rotation, make_paper_habits
from armoon.players.hand import CARRY_SPEED_M_S, CLOSING_S, GAIN_PER_S, SteeredHand, pose_distance
from armoon.values.paper import RIGHT_LADDER
from armoon.values.pieces import Command, Facts, PieceStatus
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat
from armoon.values.scene import Fate
from benchmarks.card_stage import CardStage
from benchmarks.placement_hand import (
    CARRY_PATIENCE_S,
    HOVER_M,
    STILL_S,
    FaintLadder,
    Phase,
    PlacingHand,
    TrialSetup,
)
from benchmarks.placement_people import Eye
from benchmarks.placement_tables import Case, PlacementTable
from benchmarks.placement_trial import Outcome, Setting, Trial, make_eye, make_tremors, read_ghost

#: Rates at which a person corrects a card's position and rotation, per second; maximum speed of rotation; maximum
#: rotation of the wrist away from the pose that faces the camera.
PAPER_GAIN_PER_S, TURN_GAIN_PER_S, TURN_SPEED_RAD_S, WRIST_RAD = 3.0, 3.0, 1.2, math.radians(80.0)
#: Minimum reduction of the rotation for which the player taps the lid once more.
TAP_RAD = math.radians(5.0)
#: Seconds to wait for a colour, and seconds of a colour other than green before a retry.
COLOUR_PATIENCE_S, WRONG_COLOUR_S = 1.2, 0.7
#: Retries without green: the sideways shift, the tolerance of the place, and the directions of the shift in turn.
BESIDE_M, CLOSER_M, RETRY_SHIFTS = 0.0025, 0.002, ((0.0, 0.0), (0.0, 1.0), (0.0, -1.0))
#: Maximum height above its target at which the ladder waits for green and is released.
LET_GO_M = 0.006
#: Speed above which a sway is visible, and maximum wait until it ends, in seconds.
VISIBLE_SWAY_M_S, SWAY_PATIENCE_S = 0.004, 3.0


class PaperHand(SteeredHand):
    """A hand that rotates the held ladder about the ladder's own position, about any axis."""

    def __init__(self, start: Pose, relaxed: Quat) -> None:
        super().__init__(start, relaxed)
        self._facing = relaxed

    def nudge(
        self,
        observed: Pose,
        wanted: Pose,
        dt_s: float,
        speed_m_s: float = CARRY_SPEED_M_S,
        gain_per_s: float = GAIN_PER_S,
    ) -> None:
        before = self.pose.rotation
        super().nudge(observed, wanted, dt_s, speed_m_s, PAPER_GAIN_PER_S)
        turn = quat_multiply(self.pose.rotation, quat_inverse(before))
        lever = np.array(observed.position) - np.array(self.pose.position)
        stays = lever - np.array(quat_rotate(turn, vec3(lever)))
        self.pose = Pose(vec3(np.array(self.pose.position) + stays), self.pose.rotation)

    def _correct_rotation(self, observed: Quat, goal: Quat, dt_s: float) -> Quat:
        rotation = self.pose.rotation
        missing = quat_multiply(goal, quat_inverse(observed))
        angle = quat_angle(IDENTITY_QUAT, missing)
        if angle < 1e-6:
            return rotation
        step = min(angle * TURN_GAIN_PER_S, TURN_SPEED_RAD_S) * dt_s
        turned = quat_multiply(quat_slerp(IDENTITY_QUAT, missing, min(1.0, step / angle)), rotation)
        strain = quat_angle(self._facing, turned)
        return turned if strain <= WRIST_RAD else quat_slerp(self._facing, turned, WRIST_RAD / strain)


class PaperPlacingHand(PlacingHand):
    """The benchmark's player with a card, who neither presses keys nor turns the table."""

    turns_table = False

    def __init__(
        self,
        setup: TrialSetup,
        plan: PlacementPlan,
        eye: Eye,
        time_s: float,
        facing_rotation: Quat,
        taps: int,
        forecast: Callable[[], LadderForecast | None],
    ) -> None:
        """``taps``: number of taps at the lid before the grab; ``forecast`` returns the forecast on the screen."""
        super().__init__(setup, plan, eye, time_s)
        self._forecast, self._late_s = forecast, eye.late_s
        self._shown: deque[tuple[float, bool | None]] = deque()
        self._good: bool | None = None
        """Whether the ghost is green with the intended number of touches; None: the ghost has no colour."""
        self._bad_s = 0.0
        """Seconds for which the ghost hasn't been good."""
        self.retries, self._aside = 0, (0.0, 0.0)
        """Number of retries because the ghost wasn't green, and the current sideways shift, home frame."""
        self._hand = PaperHand(setup.habits.rest, facing_rotation)
        self._taps, self._pressing = taps, True

    def move(self, facts: Facts, home_from_table: Pose, time_s: float, dt_s: float) -> tuple[Command, ...]:
        self._note_colour(time_s)
        return super().move(facts, home_from_table, time_s, dt_s)

    def _waiting(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        if waited_s > STILL_S:
            self._begin(Phase.REACHING, time_s)

    def _begin(self, phase: Phase, time_s: float) -> None:
        if phase is Phase.GRABBING and self._taps:
            phase = Phase.TAPPING
        elif phase is Phase.OPENING and self.phase is Phase.LOWERING:
            phase = Phase.WATCHING
        self._bad_s = 0.0
        super()._begin(phase, time_s)

    def _lowering(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        above_m = self._sight.get_home_pose().position[2] - self._goal().position[2]
        if self._good and above_m < LET_GO_M:
            self._begin(Phase.WATCHING, time_s)
        else:
            super()._lowering(facts, time_s, waited_s, dt_s)

    def _watching(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        """Wait for a green ghost and for swaying to end; retry after another colour, release when patience is over."""
        self._bad_s = self._bad_s + dt_s if self._good is False else 0.0
        sways = any(p.speed_m_s > VISIBLE_SWAY_M_S for p in facts.pieces if p.status is PieceStatus.FREE)
        if self._bad_s > WRONG_COLOUR_S and self.retries < len(RETRY_SHIFTS):
            x, y = RETRY_SHIFTS[self.retries]
            self._aside, self._near_m = (BESIDE_M * x, BESIDE_M * y), CLOSER_M
            self.retries += 1
            self._begin(Phase.LINING_UP, time_s)
        elif sways and waited_s < SWAY_PATIENCE_S:
            return
        elif (self._good and waited_s > self._late_s) or waited_s > COLOUR_PATIENCE_S:
            self._begin(Phase.OPENING, time_s)

    def _goal(self) -> Pose:
        x, y, z = (goal := super()._goal()).position
        return Pose((x + self._aside[0], y + self._aside[1], z), goal.rotation)

    def _note_colour(self, time_s: float) -> None:
        forecast, meant = self._forecast(), (len(self.plan.touched),)
        fate = None if forecast is None else forecast.fate
        good = fate is Fate.HOLDS and forecast is not None and forecast.touch_counts == meant
        self._shown.append((time_s, None if fate is None else good))
        while self._shown and self._shown[0][0] <= time_s - self._late_s:
            _, self._good = self._shown.popleft()

    def _tapping(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        """Tap the ladder in the lid, so that it shows its next side."""
        step = dt_s / CLOSING_S
        self.closing = min(1.0, self.closing + step) if self._pressing else max(0.0, self.closing - step)
        if self._pressing and facts.held is not None:
            self._pressing = False
        elif not self._pressing and self.closing == 0.0 and facts.held is None:
            self._taps, self._pressing = self._taps - 1, True
            self._begin(Phase.GRABBING, time_s)

    def _carrying(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        observed, goal = self._sight.get_home_pose(), self._goal()
        x, y, z = goal.position
        wanted = Pose((x, y, max(self._find_height_m(facts), z + HOVER_M)), goal.rotation)
        self._hand.nudge(observed, wanted, dt_s)
        if pose_distance(observed, wanted)[0] < 0.012 or waited_s > CARRY_PATIENCE_S:
            self._begin(Phase.LINING_UP, time_s)

    def _follow_hand(self, before: Pose, dt_s: float) -> None:
        turn = quat_multiply(self.pose.rotation, quat_inverse(before.rotation))
        lever = np.array(self._sight.get_home_pose().position) - np.array(before.position)
        motion = np.array(self.pose.position) - np.array(before.position)
        motion += np.array(quat_rotate(turn, vec3(lever))) - lever
        self._sight.move_estimate(vec3(motion), rotation_vector(turn))

    def _tilt_by_keys(self, facts: Facts) -> None:
        """Press no keys, because the hand rotates the ladder."""


WIDTH, HEIGHT = 1280, 720
#: Seconds that a person waits for the verdict; the game stops any sway after 12 s.
GAME_PATIENCE_S = 14.0
#: Exposure as a share of the frame interval, and maximum distance between two poses blended in a picture.
SHUTTER, _SHUTTER_STEP_M = 0.5, 0.0008
#: Angle at which the card points up from the picture's lower right, to reach over tall towers.
RISES_RAD = math.radians(30.0)


class CardBeforeCamera:
    """A rendered view of a card, and the reader that passes its grips to the table."""

    def __init__(self, seat: CameraSeat, table: PlacementTable, seed: int) -> None:
        self._seat, self._table = seat, table
        self._drawn = CardStage(seat.camera, RIGHT_LADDER, seed=seed)
        self._reader = CardGrip(seat.camera, seat.table_from_camera)
        self._last: Pose | None = None

    def show(self, grip: Pose, closing: float, time_s: float, index: int) -> None:
        """Draw and read the next frame, blurred by the motion since the last frame."""
        last, self._last = self._last or grip, grip
        count = math.ceil(SHUTTER * math.dist(last.position, grip.position) / _SHUTTER_STEP_M)
        count = max(1, min(12, count))
        parts = [1.0 - SHUTTER * (k + 0.5) / count for k in range(count)]
        poses = [self._view_from_grip(pose_between(last, grip, share)) for share in parts]
        self._reader.add_picture(self._drawn.frame(poses, closing), time_s)
        match = self._table.match
        self._table.grips += self._reader.collect_grips(time_s, match.offered_at_home, holding=match.holding)

    def _view_from_grip(self, grip: Pose) -> Pose:
        table_from_card = pose_compose(grip, pose_inverse(CARD_FROM_GRIP))
        return pose_compose(pose_inverse(self._seat.table_from_camera), table_from_card)


def make_card_trial(
    seat: CameraSeat, table: PlacementTable, plan: PlacementPlan, setting: Setting, seed: int
) -> Trial:
    """Return a trial in which the player carries the table's ladder with a card."""
    match = table.match
    goal = pose_compose(match.home_from_table(), plan.release).rotation
    relaxed, sides = find_paper_rotation(seat, RISES_RAD), tuple(match.lid.sides.values())
    # Choose the side that needs the least rotation, and hold the card half of that rotation back at the grab.
    taps = min(range(len(sides)), key=lambda taps: quat_angle(sides[taps], goal) + taps * TAP_RAD)
    back = quat_inverse(quat_multiply(goal, quat_inverse(sides[taps])))
    grabbing = quat_multiply(quat_slerp(IDENTITY_QUAT, back, 0.5), relaxed)
    usual = make_paper_habits(seat)
    habits = replace(usual, rest=Pose(usual.rest.position, grabbing), reach_rotation=grabbing)

    def ghost(watches: bool) -> FaintLadder:
        # Once the ladder's pose at rest is known, no ghost is drawn straight below the ladder.
        rests = table.forecast is not None and table.forecast.rest is not None
        return FaintLadder() if rests else FaintLadder(read_ghost(table, False).touched)

    setup = TrialSetup(match.ladders, table.piece, habits, match.make_tilt_rotation, ghost)
    eye = make_eye(setting, seat, match.ladders[table.piece], plan.release, seed)
    player = PaperPlacingHand(setup, plan, eye, table.time_s, relaxed, taps, lambda: table.forecast)
    device, tremors = CardBeforeCamera(seat, table, seed), make_tremors(setting, seed)
    return Trial(device, table, player, seed, tremors, GAME_PATIENCE_S)


def run_card_trial(setting: Setting, case: Case) -> Outcome:
    seat = SEATS[setting.seat](WIDTH, HEIGHT)
    with contextlib.closing(
        PlacementTable(case.seed, seat, case, watches=True, guidance=setting.guidance)
    ) as table:
        return make_card_trial(seat, table, case.plan, setting, case.seed).run()
