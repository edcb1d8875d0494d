"""The lake game at the table: a match with its bots, its demo player, pictures and texts."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from armoon.clock import TICKS_PER_SECOND
from armoon.engine.events import Output
from armoon.engine.setup import Intake
from armoon.games.contract import Game
from armoon.games.lake import presenters, rules
from armoon.games.lake.bot import choose_move, serve_bot
from armoon.games.lake.layout import FLOOR_M, Floor, LakeScene, MoveCursor, find_floor_middle
from armoon.games.lake.match import TABLE_EVENTS, LakeMatch, StackLifted
from armoon.games.shared import extend_undo
from armoon.players.hand import (
    CLOSING_S,
    GRAB_PATIENCE_S,
    Habits,
    Observation,
    SimulatedPlayer,
    SteeredHand,
)
from armoon.processes.child import Worker
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import Scene

SOURCE = "bot"
#: Minimum pause before a bot's move, which lets people see whose turn it is.
PAUSE_TICKS = TICKS_PER_SECOND


class LakeBots:
    """Computes the moves of a match's bots.

    With ``background``, a separate process searches while the game continues. Without it, the game waits for the bot,
    and every run is the same tick by tick. In a replay, the moves come from the log.
    """

    def __init__(self, *, background: bool = False, pause_ticks: int = PAUSE_TICKS) -> None:
        self._pause_ticks = pause_ticks
        self._background = background
        self._worker: Worker | None = None
        self._requested_state: rules.LakeState | None = None
        self._answer: rules.Move | None = None
        self._rest_since_tick: int | None = None

    def collect_commands(self, match: LakeMatch) -> tuple[Command, ...]:
        if match.bot is None or match.paused or match.pending_commands or not match.at_rest:
            self._rest_since_tick = None
            return ()
        if self._rest_since_tick is None:
            self._rest_since_tick = match.tick
        move = self._find_move(match.state, rules.Strength(match.bot))
        if move is None or match.tick - self._rest_since_tick < self._pause_ticks:
            return ()
        self._requested_state, self._answer, self._rest_since_tick = None, None, None
        return (Command(Act.CHOOSE, SOURCE, rules.legal_moves(match.state).index(move)),)

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close(patience_s=0.0)
            self._worker = None

    def _find_move(self, state: rules.LakeState, strength: rules.Strength) -> rules.Move | None:
        if self._requested_state != state:
            self._requested_state, self._answer = state, None
            self._request_move(state, strength)
        if self._worker is not None:
            has_ended = not self._worker.is_alive
            for requested, move in self._worker.drain_messages():
                if requested == state.without_history():
                    self._answer = move
            if has_ended and self._answer is None:  # the process died during a search
                self._worker.restart()
                self._request_move(state, strength)
        return self._answer

    def _request_move(self, state: rules.LakeState, strength: rules.Strength) -> None:
        if not self._background:
            self._answer = choose_move(state, strength)
            return
        self._worker = self._worker or Worker("lake bot", serve_bot)
        self._worker.send((state.without_history(), strength))


@dataclass(frozen=True)
class LakeObservation(Observation):
    """The lake as visible on screen."""

    state: rules.LakeState
    lake: LakeScene
    at_rest: bool
    holding: bool
    grip_point: Vec3 | None
    """The hand's grip in the picture, metres in the table frame; inaccurate along the line of sight."""
    eye: Vec3
    """The camera's position, metres in the table frame."""


REACH_SPEED_M_S = 0.55
CARRY_SPEED_M_S = 0.45
#: Height of the lowest floor's centre above its target at release.
RELEASE_HEIGHT_M = 0.012
#: Maximum distances across the line of sight for a grab and a release, and how long the hand stays there beforehand.
GRAB_M, RELEASE_M = 0.0045, 0.010
STEADY_S = 0.15
#: Time after which the hand releases regardless of the distance.
PLACE_PATIENCE_S = 4.0
#: Distance from the goal within which the hand corrects the visible error, correction per second relative to the error,
#: and maximum correction.
NEAR_M = 0.04
BIAS_GAIN_PER_S = 2.5
MAX_BIAS_M = 0.06
#: Time after which the hand grabs regardless of the distance.
REACH_PATIENCE_S = 5.0


class LakeActivity(enum.Enum):
    """Activities of the simulated hand."""

    RESTING = "resting"
    REACHING = "reaching"
    GRABBING = "grabbing"
    CARRYING = "carrying"
    OPENING = "opening"


class LakePlayer(SimulatedPlayer):
    """The demo's simulated player; call ``aim_hand`` once per camera frame."""

    def __init__(self, habits: Habits, strengths: Sequence[rules.Strength]) -> None:
        self._habits = habits
        self._strengths = tuple(strengths)
        self._hand = SteeredHand(habits.rest, habits.reach_rotation)
        self.activity = LakeActivity.RESTING
        self._since_s = 0.0
        self._steady_s = 0.0
        self._closing = 0.0
        self._last_s: float | None = None
        self._decision: tuple[rules.LakeState, rules.Move] | None = None
        self._bias: Vec3 = (0.0, 0.0, 0.0)

    def aim_hand(self, view: Observation) -> tuple[Pose, float]:
        assert isinstance(view, LakeObservation)
        dt_s = 0.0 if self._last_s is None else min(0.1, max(0.0, view.time_s - self._last_s))
        self._last_s = view.time_s
        getattr(self, f"_continue_{self.activity.value}")(view, dt_s)
        return self._hand.pose, self._closing

    # Called by ``aim_hand``, one method for each activity -------------------------------------------------------

    def _continue_resting(self, view: LakeObservation, dt_s: float) -> None:
        self._closing = 0.0
        if not view.state.over and view.at_rest:
            self._start_activity(LakeActivity.REACHING, view)
        elif view.state.over or self._elapsed_s(view) > 1.0:
            self._hand.move_towards(self._habits.rest, REACH_SPEED_M_S, dt_s)

    def _continue_reaching(self, view: LakeObservation, dt_s: float) -> None:
        move = self._find_move(view)
        if move is None or not view.at_rest:
            self._start_activity(LakeActivity.RESTING, view)
            return
        goal = self._find_pick_up_point(view, move)
        error_m = self._steer(view, goal, view.grip_point, REACH_SPEED_M_S, dt_s)
        self._steady_s = self._steady_s + dt_s if error_m < GRAB_M else 0.0
        if self._steady_s > STEADY_S or self._elapsed_s(view) > REACH_PATIENCE_S:
            self._start_activity(LakeActivity.GRABBING, view)

    def _continue_grabbing(self, view: LakeObservation, dt_s: float) -> None:
        self._closing = min(1.0, self._closing + dt_s / CLOSING_S)
        has_moved = self._decision is not None and self._decision[0] != view.state
        if view.holding:
            self._closing = 1.0
            self._start_activity(LakeActivity.CARRYING, view)
        elif has_moved or self._elapsed_s(view) > CLOSING_S + GRAB_PATIENCE_S:
            self._start_activity(LakeActivity.OPENING, view)

    def _continue_carrying(self, view: LakeObservation, dt_s: float) -> None:
        move = self._find_move(view)
        if move is None or not view.holding or not self._is_holding_planned_stack(view, move):
            self._start_activity(LakeActivity.OPENING, view)
            return
        floors = sum(dome.look == "held" for dome in view.lake.moving)
        held = view.lake.moving[-floors].foot
        goal = self._find_release_point(view, move)
        error_m = self._steer(view, goal, find_floor_middle(held), CARRY_SPEED_M_S, dt_s)
        self._steady_s = self._steady_s + dt_s if error_m < RELEASE_M else 0.0
        if self._steady_s > STEADY_S or self._elapsed_s(view) > PLACE_PATIENCE_S:
            self._start_activity(LakeActivity.OPENING, view)

    def _continue_opening(self, view: LakeObservation, dt_s: float) -> None:
        self._closing = max(0.0, self._closing - dt_s / CLOSING_S)
        if self._closing == 0.0 and self._elapsed_s(view) > CLOSING_S + STEADY_S and not view.holding:
            self._start_activity(LakeActivity.RESTING, view)

    def _steer(
        self, view: LakeObservation, goal: Vec3, observed: Vec3 | None, speed_m_s: float, dt_s: float
    ) -> float:
        """Move towards a goal for one frame and correct the visible error; return its length, infinity if far away."""
        x, y, z = (a + b for a, b in zip(goal, self._bias, strict=True))
        goal_pose = Pose((x, y, z), self._habits.reach_rotation)
        has_arrived = self._hand.move_towards(goal_pose, speed_m_s, dt_s)
        if observed is None:
            return math.inf
        error = _measure_offset_across(view.eye, observed, goal)
        error_m = math.hypot(*error)
        if math.dist(self._hand.pose.position, (x, y, z)) < NEAR_M:
            a, b, c = (u + v * BIAS_GAIN_PER_S * dt_s for u, v in zip(self._bias, error, strict=True))
            excess = max(1.0, math.hypot(a, b, c) / MAX_BIAS_M)
            self._bias = (a / excess, b / excess, c / excess)
        return error_m if has_arrived or error_m < NEAR_M else math.inf

    # Helpers ---------------------------------------------------------------------------------------------------

    def _start_activity(self, activity: LakeActivity, view: LakeObservation) -> None:
        self.activity = activity
        self._since_s = view.time_s
        self._steady_s = 0.0

    def _elapsed_s(self, view: LakeObservation) -> float:
        return view.time_s - self._since_s

    def _find_move(self, view: LakeObservation) -> rules.Move | None:
        if view.state.over:
            return None
        if self._decision is None or self._decision[0] != view.state:
            strength = self._strengths[view.state.player % len(self._strengths)]
            self._decision = (view.state, choose_move(view.state, strength))
        return self._decision[1]

    def _is_holding_planned_stack(self, view: LakeObservation, move: rules.Move) -> bool:
        state = view.state
        if isinstance(move, rules.Carry):
            wanted = state.stars[move.star][-move.floors :]
            remaining = len(state.stars[move.star]) - move.floors
            if any(dome.star == move.star and dome.floor >= remaining for dome in view.lake.domes):
                return False
        elif isinstance(move, rules.Split):
            wanted = move.keep.other.cut(state.tower)
        else:
            return False
        held = [(dome.colour, dome.strength) for dome in view.lake.moving if dome.look == "held"]
        return held == [(pawn.colour.value, pawn.strength) for pawn in wanted]

    def _find_pick_up_point(self, view: LakeObservation, move: rules.Move) -> Vec3:
        lake, state = view.lake, view.state
        if isinstance(move, rules.Split):
            low = rules.TOWER_FLOORS // 2 if move.keep is rules.Half.BOTTOM else 0
            dome = next(d for d in lake.moving if d.floor == low and d.star is None)
        elif isinstance(move, rules.Carry):
            low = len(state.stars[move.star]) - move.floors
            dome = next(d for d in lake.domes if d.star == move.star and d.floor == low)
        else:
            assert isinstance(move, rules.Choose)
            hand, colour = self._hand.pose.position, move.colour.value
            domes = (d for d in lake.domes if d.colour == colour and d.star is not None)
            dome = min(domes, key=lambda dome: math.dist(dome.foot, hand))
        return find_floor_middle(dome.foot)

    def _find_release_point(self, view: LakeObservation, move: rules.Move) -> Vec3:
        if isinstance(move, rules.Split):
            place = dict(view.lake.signs)[move.heir]
            return (place[0], place[1], FLOOR_M)
        assert isinstance(move, rules.Carry)  # colours are chosen without carrying
        target = rules.find_landing(view.state.stars, move.star, move.direction)
        assert target is not None  # a legal move
        x, y, _ = view.lake.stars[target]
        return (x, y, len(view.state.stars[target]) * FLOOR_M + RELEASE_HEIGHT_M)


def _measure_offset_across(eye: Vec3, observed: Vec3, wanted: Vec3) -> Vec3:
    """Return the offset from ``observed`` to ``wanted`` across the line of sight, at the distance of ``wanted``."""
    distance_m = math.dist(eye, wanted)
    ray = tuple((w - e) / distance_m for w, e in zip(wanted, eye, strict=True))
    offset = [s - e for s, e in zip(observed, eye, strict=True)]
    along = sum(a * b for a, b in zip(offset, ray, strict=True))
    if along <= 0.0:
        return (0.0, 0.0, 0.0)
    x, y, z = (r * distance_m - a * distance_m / along for r, a in zip(ray, offset, strict=True))
    return (x, y, z)


class LakeGame(Game[LakeMatch]):
    """A lake match with its bots, sentences and pictures."""

    list_sentences = presenters.list_sentences
    list_news = presenters.list_news
    list_sound_cues = presenters.list_sound_cues
    list_feed_events = presenters.list_feed_events
    build_standing = presenters.build_standing

    def __init__(self, match: LakeMatch, bots: LakeBots | None = None) -> None:
        super().__init__(match)
        self._bots = bots or LakeBots()
        self._notice, self._notice_tick = "", 0
        self._scoring = presenters.Scoring()
        self._cursor = MoveCursor()
        self._last_hover: Floor | None = None

    def can_request(self, act: Act) -> bool:
        has_move = act is not Act.UNDO or rules.find_refusal(self.match.state, rules.TakeBack(1)) is None
        return has_move and super().can_request(act)

    def advance(self, intake: Intake) -> Output:
        match = self.match
        if not self.is_replayed:
            commands = tuple(extend_undo(c, match.state, match.table.bots) for c in intake.commands)
            if intake.ticks and not commands:
                commands = self._bots.collect_commands(match)
            intake = replace(intake, commands=commands)
        output = super().advance(intake)
        if match.hover not in (None, self._last_hover):
            self._cursor.reset()  # the hand or mouse now points at something else
        self._apply_events(output)
        return output

    def build_scene(self, fraction: float, banner: str) -> Scene:
        selected_move = None if self.match.bot is not None else self._cursor.find_move(self.match.state)
        is_recent = self.match.state.over or self.match.tick - self._notice_tick <= presenters.NOTICE_TICKS
        notice, banner = self._notice if is_recent else "", self.resolve_banner(banner)
        return presenters.compose_scene(self.match, fraction, notice, banner, selected_move, self._scoring)

    def handle_act(self, act: Act) -> tuple[Command, ...]:
        if self.match.bot is not None:
            return ()
        self._last_hover = self.match.hover
        command = self._cursor.handle_act(act, self.match.state)
        return () if command is None else (command,)

    def describe_highlighted_move(self) -> str:
        state = self.match.state
        selected_move = None if self.match.bot is not None else self._cursor.find_move(state)
        if selected_move is None:
            return ""
        return " ".join(f"{sentence}." for sentence in presenters.list_move_sentences(state, selected_move))

    def build_observation(self, time_s: float) -> LakeObservation:
        match, lake = self.match, presenters.build_lake_scene(self.match)
        return LakeObservation(
            time_s,
            match.state.turn,
            match.state.without_history(),
            lake,
            match.at_rest,
            holding=any(dome.look == "held" for dome in lake.moving),
            grip_point=None if match.grip is None else match.grip.pose.position,
            eye=match.table_from_camera.position,
        )

    def close(self) -> None:
        self._bots.close()
        super().close()

    def _apply_events(self, output: Output) -> None:
        for move_event in output.match_events(*rules.MOVE_KINDS):
            self._scoring = self._scoring.add_move(move_event, self.match.tick)
            self._notice, self._notice_tick = presenters.describe_move(move_event), self.match.tick
        for event in output.events_of(*TABLE_EVENTS):
            if isinstance(event, StackLifted):
                self._notice = ""
            if notice := presenters.describe_event(event, self.match.state):
                self._notice, self._notice_tick = notice, self.match.tick
