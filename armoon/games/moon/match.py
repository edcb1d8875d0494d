"""The moon match, which connects hands, world and referee, with its events, figures and lid."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from armoon.clock import TICKS_PER_SECOND
from armoon.engine.match import Match
from armoon.engine.setup import Intake, TableSetup
from armoon.engine.turntable import Rim
from armoon.games.moon.editions import Phase, Reason, Verdict
from armoon.games.moon.events import Judgement, RefereeEvent
from armoon.games.moon.figures import Figure, Figures
from armoon.games.moon.recognise import recognise_figures
from armoon.games.moon.referee import Referee, TableStatus, score_above_line
from armoon.games.moon.saving import GAME, MoonSetup, SeatCounts
from armoon.games.moon.turn import Move, Overrule, PutBack, Roll, State
from armoon.geometry import pose_compose, pose_inverse, quat, quat_from_axis_angle, quat_multiply
from armoon.hands.one_hand_watch import ZONE_TOP_M
from armoon.hands.tracked_hand import GripRefusal
from armoon.values import pieces
from armoon.values.acts import Act
from armoon.values.player_settings import Guidance
from armoon.values.poses import IDENTITY_POSE, IDENTITY_QUAT, Pose, Quat, Vec3
from armoon.world.base import is_in_lid, make_base, make_offered_pose
from armoon.world.exact import Ground, Landing
from armoon.world.grip import is_within_reach
from armoon.world.guide import find_place_on_request, find_place_within
from armoon.world.ladders import STANDING_STATUSES, list_standing, make_ground, make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.process import SteppedWorld, WorldFactory


class FigureHistory:
    """Recognises and stores the figures of every ladder that still stands at its verdict."""

    def __init__(self, ladders: pieces.LadderSet, records: tuple[Figures, ...] = ()) -> None:
        self._ladders = ladders
        self.records = records

    def list_figures(self, turn: int) -> tuple[Figure, ...]:
        return tuple(figure for record in self.records if record.turn == turn for figure in record.figures)

    def add_verdict(self, verdict: Verdict, state: State, facts: pieces.Facts) -> Figures | None:
        """Return the figures of a verdict's ladder, if any; forget those of undone turns (X4)."""
        if verdict.reason is Reason.TURN_PUT_BACK:
            self.records = tuple(record for record in self.records if record.turn < state.turn)
            return None
        piece = verdict.ladder
        if (
            piece is None
            or piece not in state.placed
            or any(record.piece == piece for record in self.records)
        ):
            return None
        by_piece = {record.piece: record.figures for record in self.records}
        earlier = [by_piece.get(other, ()) for other in state.placed if other != piece]
        figures = recognise_figures(self._ladders, facts, piece, earlier)
        record = Figures(verdict.turn, verdict.player, piece, figures)
        self.records += (record,)
        return record if figures else None


@dataclass(frozen=True)
class FactsChanged:
    """The held piece, a piece's status, the contacts or the state of rest changed."""

    facts: pieces.Facts


@dataclass(frozen=True)
class PosesRecorded:
    """The poses of all bodies, at a verdict and at the end."""

    facts: pieces.Facts


#: All events of a moon match; applying the moves in order reproduces the game.
MoonEvent = Move | RefereeEvent | Verdict | Figures | FactsChanged | PosesRecorded
#: Maximum distance (metres) and rotation (radians) from which a released ladder is guided to a place.
GUIDE_REACH: Mapping[Guidance, tuple[float, float]] = {
    Guidance.FULL: (0.020, math.radians(20.0)),
    Guidance.LIGHT: (0.010, math.radians(10.0)),
}
_ACROSS, _AWAY, _UP = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def _rotate(axis: Vec3, degrees: float) -> Quat:
    return quat_from_axis_angle(axis, math.radians(degrees))


#: The initial attitude of every offered ladder.
UPRIGHT = "upright"
#: The attitudes by message key, as a player at the table sees them, in the order in which the lid shows them.
SIDES: Mapping[str, Quat] = {
    UPRIGHT: IDENTITY_QUAT,
    "on_its_side": _rotate(_AWAY, 90.0),
    "flat": quat(quat_multiply(_rotate(_ACROSS, 90.0), _rotate(_AWAY, 90.0))),
    "edge_on": _rotate(_UP, 90.0),
    "away": _rotate(_ACROSS, -45.0),
    "upside_down": _rotate(_AWAY, 180.0),
    "right_30": _rotate(_AWAY, 30.0),
    "right_60": _rotate(_AWAY, 60.0),
    "away_30": _rotate(_ACROSS, -30.0),
    "away_60": _rotate(_ACROSS, -60.0),
    "towards_60": _rotate(_ACROSS, 60.0),
    "towards_30": _rotate(_ACROSS, 30.0),
    "left_60": _rotate(_AWAY, -60.0),
    "left_30": _rotate(_AWAY, -30.0),
}
ATTITUDES: tuple[Quat, ...] = tuple(SIDES.values())
#: Maximum ticks between a grab and a release in the lid that count as a tap.
TAP_TICKS = 36


class Lid:
    """The attitude of the offered ladder, which taps and commands change."""

    def __init__(self, lid_x_m: float, *, mirrored: bool = False) -> None:
        self._lid_x_m = lid_x_m
        self.sides = {name: SIDES[_mirror_name(name) if mirrored else name] for name in SIDES}
        """Attitudes by name, in the order in which taps step through them."""
        self._piece: pieces.PieceId | None = None
        self._upright = IDENTITY_POSE
        self._step = 0
        self.rotation: Quat = IDENTITY_QUAT
        self.taken_tick: int | None = None

    def show_ladder(self, ladder: pieces.Ladder) -> None:
        if ladder.piece != self._piece:
            self._piece, self._step, self.rotation = ladder.piece, 0, IDENTITY_QUAT
            self._upright = make_offered_pose(ladder, self._lid_x_m)

    def step_side(self, step: int) -> None:
        self._step = (self._step + step) % len(self.sides)
        self.rotation = self.sides[self.side]

    @property
    def side(self) -> str:
        return tuple(self.sides)[self._step]

    def tilt_ladder(self, rotation: Quat) -> None:
        self.rotation = quat(quat_multiply(rotation, self.rotation))

    def record_return(self, tick: int) -> None:
        if self.taken_tick is not None and tick - self.taken_tick <= TAP_TICKS:
            self.step_side(1)
        self.taken_tick = None

    def get_pose(self, home_from_table: Pose) -> Pose:
        home_pose = Pose(self._upright.position, self.rotation)
        if home_from_table == IDENTITY_POSE:
            return home_pose
        return pose_compose(pose_inverse(home_from_table), home_pose)


def _mirror_name(name: str) -> str:
    side, _, angle = name.partition("_")
    return {"left": f"right_{angle}", "right": f"left_{angle}"}.get(side, name)


#: Height of the one-hand zone above the structure, metres: about the height of a hand.
ABOVE_STRUCTURE_M = 0.10
#: Free fall above which a released ladder is parked in the air instead, metres (ruling T3).
PARKING_FALL_M = 0.015
#: Maximum gap to another ladder at which the held ladder rests on it and is never parked, metres.
RESTING_GAP_M = 0.0005
#: Angle of one tilt of the ladder in the lid, radians.
LID_TILT_RAD = math.radians(15.0)
#: The rim at which a hand turns the cloud.
RIM = Rim(radius_m=0.078, height_m=0.010)


class MoonMatch(Match):
    game: ClassVar[str] = GAME
    rim: ClassVar[Rim | None] = RIM
    setup: MoonSetup
    state: State
    facts: pieces.Facts

    def __init__(self, table: TableSetup, setup: MoonSetup, world: WorldFactory = LocalWorld) -> None:
        super().__init__(table)
        self.setup = setup
        self.ladders: pieces.LadderSet = make_ladder_set(setup.ladder_seed)
        self.state = state = setup.state
        starting = tuple(self.ladders[piece] for piece in state.starting)
        self.base: pieces.Base = make_base(starting, setup.slots, left_handed=table.left_handed)
        self._world = SteppedWorld(world(self.ladders, self.base))
        self._referee = Referee(state, places=setup.places)
        self.figures = FigureHistory(self.ladders, setup.last_snapshot.figures)
        self._guide = pieces.Guide()
        self._ground: tuple[object, Ground] | None = None
        """The standing pieces, and the ground that they form under a held ladder."""
        self._rest_ticks = 0
        self.lid = Lid(self.base.lid_x_m, mirrored=table.mirrored)
        self._commands: tuple[pieces.Command, ...] = ()
        self.hints, self.places_chosen, self.by_card = map(list, setup.last_snapshot.counts)
        self._is_carried_by_choice = False
        """Whether the simulated hand carries this turn's ladder to a chosen place."""
        self._counts = {turn: count for turn, count in setup.counts_by_turn.items() if turn <= state.turn}
        """Counts at the start of each turn."""
        self._last_release_source = ""
        self._last_facts_key: object = None
        judgement = self._referee.set_up_table(self.base.slots, setup.structure)
        self._apply_judgement(judgement, at_rest=setup.last_snapshot.at_rest)
        self.previous = self.facts = self._world.tick(None)
        self.start_match()

    # State for pictures and players -------------------------------------------------------------------------

    @property
    def status(self) -> TableStatus:
        return self._referee.measure_status()

    @property
    def height_line_m(self) -> float:
        """Scoring height of a co-operative game: the lid's upper edge above the table (C2); otherwise 0."""
        return self.state.options.line_m if self.state.is_team_game else 0.0

    @property
    def running_score(self) -> int:
        standing = {piece.piece for piece in self.facts.pieces if piece.status in STANDING_STATUSES}
        if not standing.issuperset(self.state.structure):
            return 0
        return score_above_line(self.state, self.facts)

    @property
    def can_put_back(self) -> bool:
        return self._referee.can_put_back()

    @property
    def at_rest(self) -> bool:
        return self.facts.at_rest

    @property
    def holding(self) -> bool:
        return self.facts.held is not None

    @property
    def offered(self) -> Vec3 | None:
        status = pieces.PieceStatus.HELD if self.is_parked else pieces.PieceStatus.OFFERED
        places = [p.pose.position for p in self.facts.pieces if p.status is status]
        return places[0] if places else None

    def measure_watched_top_m(self) -> float:
        top_m = max([p.highest_m for p in self.facts.pieces if p.status in STANDING_STATUSES], default=0.0)
        return max(ZONE_TOP_M, top_m + ABOVE_STRUCTURE_M)

    # One tick -----------------------------------------------------------------------------------------------

    def prepare_replay(self, intake: Intake) -> None:
        self._world.expect_losses(intake.replaced, intake.shown)
        reach = GUIDE_REACH.get(self.state.options.get_guidance(self.state.player))
        if intake.places is not None and (reach is not None or self._guide.places):
            self._guide = pieces.Guide() if reach is None else pieces.Guide(intake.places, *reach)
            self._world.apply(self._guide)

    def start_slow_tick(self, grip: pieces.GripIntent | None) -> bool:
        return self._world.try_begin_tick(grip)

    @property
    def frozen(self) -> bool:
        return self.facts.held_frozen

    def handle_commands(self, commands: tuple[pieces.Command, ...]) -> None:
        self._commands = tuple(c for c in commands if c.kind not in (Act.HINT, Act.PLACE, Act.SET_DOWN))
        hints = [c.value for c in commands if c.kind is Act.HINT]
        for seat in (-1 - value for value in hints if value < 0):
            if seat < len(self.hints) and self.hints[seat]:
                self.hints[seat] -= 1
        if any(value >= 0 for value in hints):
            if self.hint_refusal:
                self.show_notice(self.hint_refusal)
            else:
                self.hints[self.state.player] += 1
        offered = pieces.PieceStatus.OFFERED
        is_offered = bool(commands) and any(p.status is offered for p in self.facts.pieces)
        for command in commands:
            if command.kind is Act.PLACE and self.state.phase in (Phase.DRAW, Phase.HOLD):
                # Rank 0: the player steers the simulated hand freely, which isn't counted.
                self._count_choice(command.value > 0)
            elif command.kind is Act.SET_DOWN:
                self._set_ladder_down()
            elif command.kind is Act.TIP and is_offered:
                self.lid.step_side(command.value or 1)
            elif command.kind is Act.TILT and is_offered:
                self.lid.tilt_ladder(self.make_tilt_rotation(command.value, LID_TILT_RAD))

    def step(self, grip: pieces.GripIntent | None) -> None:
        self.previous = self.facts
        self.facts = self._world.tick(grip)
        if grip is not None and grip.phase is pieces.GripPhase.GRAB and self.facts.held is None:
            self.interpreter.set_refusal(GripRefusal.NOTHING if self.offered is None else GripRefusal.TOO_FAR)
        if grip is not None and grip.phase is pieces.GripPhase.RELEASE:
            self._last_release_source = grip.source
        self._present_ladder()
        if self.is_parked and self.facts.held is not None:
            self.facts = replace(self.facts, held_frozen=False, held_is_parked=True)
        if self.facts.held is None and self.previous.held is not None:
            self.end_grip()  # released, or taken away by the referee

    def _present_ladder(self) -> None:
        held, before = self.facts.held, self.previous.held
        if held is not None and before is None:
            self.lid.taken_tick = self.tick
        offered = next((p for p in self.facts.pieces if p.status is pieces.PieceStatus.OFFERED), None)
        if offered is None:
            return
        self.lid.show_ladder(self.ladders[offered.piece])
        if before == offered.piece:
            self.lid.record_return(self.tick)
        pose = self.lid.get_pose(self.home_from_table())
        if pose != offered.pose:
            self._world.apply(pieces.Offer(offered.piece, pose))

    def measure_gap_m(self) -> float | None:
        return self.facts.grip_gap_m

    def would_grab(self, grip: pieces.GripIntent) -> bool:
        offered = [p for p in self.facts.pieces if p.status is pieces.PieceStatus.OFFERED]
        return any(is_within_reach(self.ladders[p.piece], p.pose, grip) for p in offered)

    @property
    def requested_place(self) -> Pose | None:
        """The known place where the held ladder would be set down on request, if any."""
        held = self.facts.held
        return None if held is None else find_place_on_request(self._guide.places, self.facts[held].pose)

    def find_guided_place(self, source: str) -> Pose | None:
        """Return the place where the held ladder would be set down if this device released it now."""
        held = None if source in pieces.EXACT_SOURCES else self.facts.held
        return None if held is None else find_place_within(self._guide, self.facts[held].pose)

    def is_over_nothing(self, grip: pieces.GripIntent) -> bool:
        """Return whether the held ladder would fall freely by more than PARKING_FALL_M (T3); False over the lid."""
        if self.find_guided_place(grip.source) is not None:
            return False
        held = self.facts[self.facts.held or ""]
        gap_m = self.facts.grip_gap_m
        is_resting = gap_m is not None and gap_m <= RESTING_GAP_M
        return not (is_resting or self.is_over_lid(held)) and self.find_landing(held).fall_m > PARKING_FALL_M

    def would_regrab(self, grip: pieces.GripIntent) -> bool:
        held = self.facts[self.facts.held or ""]
        return is_within_reach(self.ladders[held.piece], held.pose, grip)

    def is_over_lid(self, held: pieces.PieceFacts) -> bool:
        return is_in_lid(held.pose.position, self.turned_rad, self.base.lid_x_m)

    def get_ground(self) -> Ground:
        standing = list_standing(self.facts)
        if self._ground is None or self._ground[0] != standing:
            self._ground = (standing, make_ground(standing, self.ladders, self.base))
        return self._ground[1]

    def find_landing(self, held: pieces.PieceFacts) -> Landing:
        return self.get_ground().find_landing(self.ladders[held.piece], held.pose)

    def put_back(self) -> None:
        held = self.facts.held
        if held is None:
            return
        self.show_notice("watch.grace")
        self._world.apply(pieces.Offer(held))

    def judge(self, *, second_hand: bool) -> None:
        facts = self.facts
        key = (
            (facts.held, facts.held_frozen, facts.held_is_parked, facts.at_rest),
            [(p.piece, p.status) for p in facts.pieces],
            [(c.a, c.b) for c in facts.contacts],
        )
        if key != self._last_facts_key:
            self._last_facts_key = key
            self.emit(FactsChanged(facts))
        commands = self._commands + self._make_auto_roll()
        self._commands = ()
        self._apply_judgement(self._referee.judge(self.facts, commands, self.tick, second_hand=second_hand))

    def emit_final_events(self) -> None:
        self.emit(PosesRecorded(self.facts))

    def close(self) -> None:
        self._world.close()

    def _set_ladder_down(self) -> None:
        if self.requested_place is None:
            self.show_notice("places.forbidden" if self.setup.options.no_hints else "places.none_near")
        else:
            self._last_release_source = "" if self.grip is None else self.grip.source
            self._world.apply(replace(self._guide, sets_down=True))

    def _count_choice(self, by_choice: bool) -> None:
        self.places_chosen[self.state.player] += by_choice - self._is_carried_by_choice
        self._is_carried_by_choice = by_choice

    def _update_counts(self, move: Move) -> None:
        """Store the counts when a turn begins, and restore them when it is undone."""
        if isinstance(move, Roll):
            self._is_carried_by_choice = False
            # A resumed turn keeps the counts from before its hints.
            self._counts.setdefault(self.state.turn, self.seat_counts)
        elif isinstance(move, Overrule) and move.kind is Act.UNDO:
            self._is_carried_by_choice = False
            counts = self._counts.get(self.state.turn, self.seat_counts)
            self.hints, self.places_chosen, self.by_card = map(list, counts)
            self._counts = {turn: count for turn, count in self._counts.items() if turn < self.state.turn}

    @property
    def seat_counts(self) -> SeatCounts:
        return tuple(self.hints), tuple(self.places_chosen), tuple(self.by_card)

    @property
    def hint_refusal(self) -> str:
        """Message key of the notice that refuses a hint now; empty if a hint is allowed."""
        state = self.state
        if self.setup.options.no_hints:
            return "places.forbidden"
        if state.phase not in (Phase.DRAW, Phase.HOLD) or state.ladder is None or self.over:
            return "places.not_now"
        allowed = state.options.get_handicap(state.player).hints
        return "places.used_up" if allowed is not None and self.hints[state.player] >= allowed else ""

    def end_frame(self) -> None:
        for replacement in self._world.pop_replaced():
            self.emit(replacement)
            self.show_notice("notice.world_replaced")

    def _make_auto_roll(self) -> tuple[pieces.Command, ...]:
        is_waiting = self.state.phase is Phase.ROLL and self.facts.at_rest and not self.paused
        self._rest_ticks = self._rest_ticks + 1 if is_waiting else 0
        auto_roll_s = self.setup.auto_roll_s
        if auto_roll_s is None or self._rest_ticks != round(auto_roll_s * TICKS_PER_SECOND):
            return ()
        return (pieces.Command(Act.ROLL, "auto"),)

    def _apply_judgement(self, judgement: Judgement, *, at_rest: bool = True) -> None:
        """Apply a judgement. ``at_rest``: whether the structure that it sets up was at rest."""
        self.state = self._referee.state
        self._world.apply_orders(judgement.orders, at_rest=at_rest)
        for move in judgement.moves:
            self._update_counts(move)
            if isinstance(move, PutBack):
                self._count_choice(by_choice=False)
                self._last_release_source = ""
        for event in (*judgement.moves, *judgement.events):
            self.emit(event)
        for verdict in judgement.verdicts:
            is_by_card = self._last_release_source == pieces.CARD_SOURCE
            self.by_card[verdict.player] += is_by_card and verdict.ladder is not None
            self._last_release_source = ""
            figures = self.figures.add_verdict(verdict, self.state, self.facts)
            self.emit(verdict)
            self.emit(PosesRecorded(self.facts))
            if figures is not None:
                self.emit(figures)
