"""The referee: maps each tick's facts to moves and verdicts to orders, deterministically."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter

from armoon.clock import TICKS_PER_SECOND
from armoon.games.moon import editions, events
from armoon.games.moon import turn as moves
from armoon.games.moon.editions import score_extents
from armoon.games.moon.rules import apply_move
from armoon.games.moon.turn import Draw, Fallen, Move, Settle, State, find_outcome, judge_die
from armoon.geometry import rise_deg
from armoon.values.acts import Act
from armoon.values.choices import OneHand
from armoon.values.pieces import (
    BASE,
    TABLE,
    Command,
    Facts,
    LockGrips,
    Offer,
    Order,
    PieceFacts,
    PieceId,
    PieceStatus,
    Place,
    Remove,
)
from armoon.values.poses import Pose, Vec3

#: Poses of the structure's ladders; starting ladders are included only if they lean in their slots.
Places = tuple[tuple[PieceId, Pose], ...]


class NextRoll:
    """The state of the die between two rolls."""

    def __init__(self) -> None:
        self.is_pending = False
        """Whether a roll was requested and waits until everything is at rest (F5)."""
        self.last_face: editions.Die | None = None
        """Face of the previous roll, so that its turn can be played again."""
        self._entered: editions.Die | None = None

    def set_face(self, die: editions.Die) -> None:
        self._entered = die

    def enter_face(self, state: State, number: int) -> None:
        entered = editions.find_face(number)
        if state.options.practice or state.options.die is editions.DieSource.EITHER:
            self._entered = entered or editions.roll_seeded_face(state.seed, state.turn)
        elif entered is not None and state.options.die is editions.DieSource.REAL:
            self._entered = entered

    def find_refusal(self, state: State, *, paused: bool) -> editions.MoonRefusal | None:
        """Return why rolling is refused; None if a roll is allowed, at once or after rest."""
        if state.over:
            return editions.MoonRefusal.GAME_OVER
        if state.phase is not editions.Phase.ROLL:
            return editions.MoonRefusal.WRONG_PHASE
        if paused:
            return editions.MoonRefusal.PAUSED
        return editions.MoonRefusal.NO_FACE if state.fixed_face is None and self._entered is None else None

    def should_ask_face(self, state: State, *, paused: bool) -> bool:
        rolls = state.phase is editions.Phase.ROLL and not state.over and not self.is_pending
        entered = state.options.die is not editions.DieSource.SEEDED and not state.options.practice
        real = entered and state.fixed_face is None
        return rolls and real and not paused

    def consume_face(self, state: State) -> editions.Die:
        face = state.fixed_face or self._entered
        assert face is not None
        self._entered, self.last_face = None, face
        return face


class TurnClock:
    """Counts the ticks from the roll to the release (ruling X1), except while paused or while the hand is lost."""

    def __init__(self, options: editions.Options) -> None:
        self._options = options
        self._ticks = 0
        self.is_paused = False

    def restart(self) -> None:
        self._ticks = 0

    def count_tick(self, state: State) -> bool:
        """Count one tick; return True in the tick in which the limit, or the grace time after it, runs out."""
        if self.is_paused or not self._is_running(state):
            return False
        self._ticks += 1
        limit_s = self._options.turn_limit_s or 0.0
        if not state.time_warned:
            return self._ticks >= round(limit_s * TICKS_PER_SECOND)
        late_s = limit_s + self._options.timeout_grace_s
        mistake = self._options.on_timeout is editions.OnTimeout.MISTAKE
        return mistake and self._ticks >= round(late_s * TICKS_PER_SECOND)

    def _is_running(self, state: State) -> bool:
        limited = (
            self._options.turn_limit_s is not None and self._options.on_timeout is not editions.OnTimeout.OFF
        )
        return limited and state.phase in (editions.Phase.DRAW, editions.Phase.HOLD)


def find_other_ladder(state: State, step: int) -> PieceId:
    """Return the ladder ``step`` positions further in the supply. Raises IllegalMove if none can be chosen."""
    refusal = _find_draw_refusal(state)
    if refusal is not None:
        raise editions.IllegalMove(Draw(state.ladder or ""), refusal)
    return state.supply[(step - 1 if step > 0 else step) % len(state.supply)]


def _find_draw_refusal(state: State) -> editions.MoonRefusal | None:
    if state.options.draw_from is not editions.DrawFrom.ALL:
        return editions.MoonRefusal.OPTION_OFF
    if state.over:
        return editions.MoonRefusal.GAME_OVER
    if state.phase is editions.Phase.HOLD:
        return editions.MoonRefusal.WRONG_PHASE
    if state.ladder is None or state.phase is not editions.Phase.DRAW:
        return editions.MoonRefusal.NOT_DRAWN
    return None if state.supply else editions.MoonRefusal.NO_OTHER_LADDER


#: Maximum distance from its slot's pose at which a loose starting ladder counts as in its slot, where it may touch
#: the base: more than a slot's play of 1 to 2 mm, far less than a ladder's width of 22 mm.
SLOT_REACH_M = 0.008
#: Maximum horizontal distance of a held ladder's middle from its pose in the lid at which it is still over the lid.
LID_REACH_M = 0.08
#: Decimal places of evidence: heights in metres (contacts are exact to 0.02 mm), rise in degrees.
HEIGHT_DIGITS, RISE_DIGITS = 6, 3
_ONTO = {TABLE: editions.Onto.TABLE, BASE: editions.Onto.BASE}


def find_piece(facts: Facts, piece: PieceId | None) -> PieceFacts | None:
    for fact in facts.pieces:
        if fact.piece == piece:
            return fact
    return None


def measure_top_m(state: State, facts: Facts) -> float:
    structure = set(state.structure)
    return max((p.highest_m for p in facts.pieces if p.piece in structure), default=0.0)


def measure_placement(state: State, facts: Facts, piece: PieceId) -> Settle:
    """Return the evidence for a ladder at rest: contacts, its height, and the height of the highest other (X3)."""
    others = set(state.structure) - {piece}
    touched = tuple(other for other in facts.touching(piece) if other in others)
    rival_m, rival = min((-p.highest_m, p.piece) for p in facts.pieces if p.piece in others)
    height_m = round(facts[piece].highest_m, HEIGHT_DIGITS)
    trial = state.options.trial
    counts_rise = trial is not None and trial.kind is editions.TaskKind.ASLANT
    rises = round(rise_deg(facts[piece].pose), RISE_DIGITS) if counts_rise else None
    return Settle(touched, height_m, rival, round(-rival_m, HEIGHT_DIGITS), rises)


def score_above_line(state: State, facts: Facts, line_m: float) -> int:
    return sum(points for _, points in score_extents(measure_extents(state, facts), line_m))


def measure_extents(state: State, facts: Facts) -> tuple[editions.Extent, ...]:
    return tuple(
        editions.Extent(
            piece, round(facts[piece].lowest_m, HEIGHT_DIGITS), round(facts[piece].highest_m, HEIGHT_DIGITS)
        )
        for piece in state.structure
    )


def find_fallen(
    state: State, facts: Facts, slots: Mapping[PieceId, Pose], lid: Vec3 | None
) -> tuple[Fallen, ...]:
    """Return the ladders in play that touch table or base, or have left the table (ruling F2), sorted.

    Exceptions: the ladder offered in the lid; a held ladder over the lid, whose floor is the table (``lid``: the
    ladder's position in the lid); and a starting ladder that touches the base in its slot.
    """
    in_play = set(state.structure)
    if state.phase in (editions.Phase.HOLD, editions.Phase.SETTLE) and state.ladder is not None:
        in_play.add(state.ladder)
    # One pass over the contacts for each ground, because this runs every tick.
    on = {
        ground: {c.b if c.a == ground else c.a for c in facts.contacts if ground in (c.a, c.b)}
        for ground in _ONTO
    }
    fallen = []
    for piece in sorted(facts.pieces, key=attrgetter("piece")):
        if piece.piece not in in_play or piece.status in (PieceStatus.OFFERED, PieceStatus.FIXED):
            continue
        onto = next((_ONTO[ground] for ground in _ONTO if piece.piece in on[ground]), None)
        if onto is None and piece.highest_m < 0.0:
            onto = editions.Onto.AWAY
        if onto is None:
            continue
        slot = slots.get(piece.piece)
        in_slot = slot is not None and math.dist(piece.pose.position, slot.position) <= SLOT_REACH_M
        held = piece.status is PieceStatus.HELD
        over_lid = held and lid is not None and math.dist(piece.pose.position[:2], lid[:2]) <= LID_REACH_M
        by_right = (onto is editions.Onto.BASE and in_slot) or (onto is editions.Onto.TABLE and over_lid)
        if not by_right:
            fallen.append(Fallen(piece.piece, onto))
    return tuple(fallen)


def find_leaning(facts: Facts, slots: Mapping[PieceId, Pose]) -> tuple[PieceId, ...]:
    """Return the starting ladders that are fixed in their slots, but not at their initial poses."""
    return tuple(
        p.piece
        for p in facts.pieces
        if p.status is PieceStatus.FIXED and p.pose != slots.get(p.piece, p.pose)
    )


@dataclass(frozen=True)
class TableStatus:
    """The state of the table for pictures; measurements are empty before the first facts."""

    hint: str
    """The message key of the hint."""
    score: int | None
    """The team's score if it scored now (C2); None while scoring would be refused."""
    is_awaiting_face: bool
    """Whether a real die is to be thrown and its face entered."""
    structure_top_m: float = 0.0
    touching: tuple[PieceId, ...] = ()
    """Ladders that the held or settling ladder touches now."""
    height_m: float | None = None
    rival_m: float | None = None
    """Highest point of the other ladders; MOON must beat it."""
    reason_now: editions.Reason | None = None
    """How the held or settling ladder would be judged where it is now; None if there is none."""

    @property
    def would_honour(self) -> bool | None:
        return None if self.reason_now is None else self.reason_now is editions.Reason.HONOURED


#: Minimum ticks between a disturbance and accepted rest, because a ladder released without speed is at rest for an
#: instant. One tick would suffice: in free fall it exceeds the rest threshold of 4 mm/s within it.
SETTLE_TICKS = TICKS_PER_SECOND // 4


class Referee:
    """Judges one game, tick by tick."""

    def __init__(
        self, state: State, *, line_m: float = editions.LINE_M, places: Mapping[int, Places] | None = None
    ) -> None:
        self.line_m = line_m
        self.places: dict[int, Places] = dict(places or {})
        """The structure's poses at the start of each turn, so that the turn can be put back (X4)."""
        self.state = state
        self._orders: list[Order] = []
        self._verdicts: list[editions.Verdict] = []
        self._events: list[events.RefereeEvent] = []
        self._moves: list[Move] = []
        """Orders, verdicts, events and moves of the current tick."""
        self._clock = TurnClock(state.options)
        self._slots: dict[PieceId, Pose] = {}
        self._awaited: set[PieceId] = set()
        """Pieces ordered off the table or back into a slot whose order the facts don't show yet."""
        self._disturbed_tick = 0
        self._roll = NextRoll()
        self._share_waits = False
        """Whether sharing the victory was requested and waits until everything is at rest (E4)."""
        self._second_hand_seen = False
        self._parked = False
        """Whether the drawn ladder is parked in the air (T3)."""
        self._facts: Facts | None = None
        self._lid: Vec3 | None = None
        """Position of the drawn ladder in the lid."""

    # ------------------------------------------------------------------ public interface

    def set_table(self, slots: tuple[Pose, ...], structure: Places = ()) -> events.Judgement:
        """Set the table: starting ladders in their slots (M2), and the structure of a resumed game, between turns."""
        self._slots = dict(zip(self.state.starting, slots, strict=True))
        self._orders.append(LockGrips(True))
        self._order_structure(structure)
        if not self.state.over:
            if structure:
                self._apply_move(moves.Rebuild())
            self._events.append(events.TurnBegan(self.state.player, self.state.turn))
        return self._build_judgement()

    def judge(
        self, facts: Facts, commands: Iterable[Command], tick: int, *, second_hand: bool = False
    ) -> events.Judgement:
        """Judge one tick. ``second_hand``: the hand watch sees a second hand at the held ladder (F3)."""
        self._facts = facts
        self._watch_orders(facts, tick)
        self._restore_starting_ladders(facts, tick)
        if not facts.held_frozen and not self.state.over:  # X2: no judgement while frozen
            # Falls come before the roll: a fall in the tick of the roll belongs to the player who just played (F5).
            self._follow_ladder(facts, tick)
            self._watch_falls(facts, tick)
            self._watch_rest(facts, tick)
            self._watch_second_hand(second_hand)
            self._watch_clock(tick)
        for command in commands:
            self._handle_command(command, facts, tick)
        if self._roll.is_pending or self._share_waits:
            self._run_pending_act(facts, tick)
        self._clear_table(facts)
        return self._build_judgement()

    def can_put_back(self) -> bool:
        before = None if self.state.options.trial is not None else self.state.before
        return before is not None and before.turn in self.places

    def measure_status(self) -> TableStatus:
        state, facts, paused = self.state, self._facts, self._clock.is_paused
        score = self._preview_score()
        hint = events.find_hint_key(
            state,
            score=score,
            roll_waits=self._roll.is_pending,
            share_waits=self._share_waits,
            paused=paused,
            frozen=facts is not None and facts.held_frozen,
            parked=facts is not None and facts.held_waits,
        )
        known = (hint, score, self._roll.should_ask_face(state, paused=paused))
        if facts is None:
            return TableStatus(*known)
        structure_m, ladder = measure_top_m(state, facts), find_piece(facts, state.ladder)
        if (
            ladder is None
            or state.die is None
            or state.phase not in (editions.Phase.HOLD, editions.Phase.SETTLE)
        ):
            return TableStatus(*known, structure_m)
        place = measure_placement(state, facts, ladder.piece)
        now = judge_die(state.die, len(place.touched), place.height_m > place.rival_m)
        return TableStatus(*known, structure_m, place.touched, place.height_m, place.rival_m, now)

    def _preview_score(self) -> int | None:
        """Return the score if the team scored now; None while that is refused (C2) or wouldn't count (C3)."""
        state, facts = self.state, self._facts
        if (
            facts is None
            or not state.is_team_game
            or state.phase is not editions.Phase.ROLL
            or state.incident
        ):
            return None
        if not self._is_at_rest(facts, facts.tick):
            return None
        points = score_above_line(state, facts, self.line_m)
        return points if points > state.best_scoring else None

    # ------------------------------------------------------------------ one tick's judgement

    def _apply_move(self, move: Move) -> editions.Verdict | None:
        """Apply a move and collect the events that follow from it. Raises IllegalMove."""
        before = self.state
        now = self.state = apply_move(before, move)
        self._moves.append(move)
        if now.verdict is not None:
            self._verdicts.append(now.verdict)
        for seat, reason in enumerate(now.out):
            if reason is not None and before.out[seat] is None:
                self._events.append(events.PlayerEliminated(seat, reason))
        if now.final and not before.final:
            self._events.append(events.FinalBegan(now.seats_in_game))
        result = find_outcome(now)
        if result is not None and result != find_outcome(before):
            self._events.append(events.GameEnded(result))
        elif result is None and ((now.turn, now.player) != (before.turn, before.player) or before.over):
            self._events.append(events.TurnBegan(now.player, now.turn))
        return now.verdict

    def _order_structure(self, places: Places) -> None:
        fixed = self._slots | {piece: pose for piece, pose in places if piece in self._slots}
        self._orders += [Place(piece, pose, fixed=True) for piece, pose in fixed.items()]
        self._orders += [
            Place(piece, pose, fixed=False) for piece, pose in places if piece not in self._slots
        ]

    def _build_judgement(self) -> events.Judgement:
        judgement = events.Judgement(
            tuple(self._orders), tuple(self._verdicts), tuple(self._events), tuple(self._moves)
        )
        self._orders, self._verdicts, self._events, self._moves = [], [], [], []
        return judgement

    # ------------------------------------------------------------------ judging the facts

    def _watch_orders(self, facts: Facts, tick: int) -> None:
        """Clear completed orders, after which the structure may move."""
        loose = {p.piece for p in facts.pieces if p.status is not PieceStatus.FIXED}
        if self._awaited - loose:
            self._awaited &= loose
            self._disturbed_tick = tick

    def _restore_starting_ladders(self, facts: Facts, tick: int) -> None:
        """Put loose starting ladders back into their slots at rest; during a fall they would be pushed out again."""
        starting = self.state.starting
        if not self._has_settled(facts, tick) or self._awaited.difference(starting):
            return
        for piece in sorted(
            p.piece for p in facts.pieces if p.status is PieceStatus.FREE and p.piece in starting
        ):
            self._events.append(events.StartingLadderRestored(piece))
            self._orders.append(Place(piece, self._slots[piece], fixed=True))
            self._awaited.add(piece)
            self._disturbed_tick = tick

    def _follow_ladder(self, facts: Facts, tick: int) -> None:
        ladder = find_piece(facts, self.state.ladder)
        if ladder is None:
            return
        name = ladder.piece
        if self.state.phase is editions.Phase.DRAW:
            self._lid = ladder.pose.position
        if facts.held == name and facts.held_waits is not self._parked:
            self._events.append(events.LadderParked(self.state.player, name, facts.held_waits))
        self._parked = facts.held_waits
        if self.state.phase is editions.Phase.DRAW and ladder.status in (PieceStatus.HELD, PieceStatus.FREE):
            self._apply_move(moves.Take())
        if self.state.phase is editions.Phase.HOLD and ladder.status is PieceStatus.OFFERED:
            self._apply_move(moves.PutBack())
        if self.state.phase is editions.Phase.HOLD and ladder.status is PieceStatus.FREE:
            self._apply_move(moves.LetGo())
            self._orders.append(LockGrips(True))  # T3: a released ladder can't be taken again
            self._disturbed_tick = tick

    def _watch_falls(self, facts: Facts, tick: int) -> None:
        """Judge falls immediately, without waiting for rest (F2)."""
        visible = find_fallen(self.state, facts, self._slots, self._lid)
        fallen = tuple(fallen for fallen in visible if fallen.piece not in self._awaited)
        if not fallen:
            return
        verdict = self._apply_move(moves.Fall(fallen))
        self._orders.append(LockGrips(True))
        self._awaited.update(() if verdict is None else verdict.stood_back)
        self._disturbed_tick = tick

    def _watch_rest(self, facts: Facts, tick: int) -> None:
        """Once at rest, judge the placed ladder (T4) or close the incident (F4)."""
        if self.state.over or not self._is_at_rest(facts, tick):
            return
        ladder = find_piece(facts, self.state.ladder)
        if self.state.phase is editions.Phase.SETTLE and ladder is not None:
            self._apply_move(measure_placement(self.state, facts, ladder.piece))
        elif self.state.phase is editions.Phase.ROLL and self.state.incident:
            self._apply_move(moves.Rest())

    def _watch_second_hand(self, second_hand: bool) -> None:
        appeared = second_hand and not self._second_hand_seen
        self._second_hand_seen = second_hand
        wanted = self.state.options.one_hand is not OneHand.OFF and not self.state.two_hands
        if appeared and wanted and self.state.phase is editions.Phase.HOLD:
            self._apply_move(moves.TwoHands())

    def _watch_clock(self, tick: int) -> None:
        if self._clock.count_tick(self.state):
            turn = self.state.turn
            self._apply_move(moves.Timeout())
            if self.state.turn != turn:
                self._orders.append(LockGrips(True))
                self._disturbed_tick = tick

    def _is_at_rest(self, facts: Facts, tick: int) -> bool:
        return not self._awaited and self._has_settled(facts, tick)

    def _has_settled(self, facts: Facts, tick: int) -> bool:
        return facts.at_rest and facts.held is None and tick - self._disturbed_tick >= SETTLE_TICKS

    # ------------------------------------------------------------------ requests to the referee

    def _handle_command(self, command: Command, facts: Facts, tick: int) -> None:
        try:
            if command.kind is Act.ROLL:
                self._request_roll(facts, tick, command.value)
            elif command.kind is Act.PLACE_AGAIN:
                self._repeat_turn(facts, tick)
            elif command.kind is Act.GIVE_UP:
                _raise_if_refused(editions.MoonRefusal.HAND_LOST if facts.held_frozen else None)
                self._apply_move(moves.GiveUp())
                self._orders.append(LockGrips(True))
                self._disturbed_tick = tick
            elif command.kind is Act.PUT_BACK:
                self._return_to_lid(facts)
            elif command.kind is Act.SCORE:
                self._score_structure(facts, tick)
            elif command.kind is Act.SHARE:
                self._request_share(facts, tick)
            elif command.kind is Act.ANOTHER:
                ladder = find_other_ladder(self.state, command.value or 1)
                self._apply_move(moves.Draw(ladder))
                self._orders.append(Offer(ladder))
            elif command.kind is Act.UNDO:
                self._apply_overruling(moves.Overrule(Act.UNDO, turns=max(1, command.value)), facts, tick)
            elif command.kind in moves.OVERRULINGS:
                self._apply_overruling(moves.Overrule(command.kind, command.value), facts, tick)
            elif command.kind in (Act.PAUSE, Act.RESUME):
                self._clock.is_paused = command.kind is Act.PAUSE
        except editions.IllegalMove as refused:
            self._events.append(events.ActRefused(command.kind, refused.refusal))

    def _request_roll(self, facts: Facts, tick: int, face: int = 0) -> None:
        """Request a roll; before rest it is refused and waits (F5)."""
        self._roll.enter_face(self.state, face)
        _raise_if_refused(self._roll.find_refusal(self.state, paused=self._clock.is_paused))
        self._roll.is_pending = True
        self._report_waiting(Act.ROLL, facts, tick)

    def _request_share(self, facts: Facts, tick: int) -> None:
        """Request sharing, which like a roll waits for rest (E4)."""
        _raise_if_refused(None if self.state.can_share else editions.MoonRefusal.WRONG_PHASE)
        self._share_waits = True
        self._report_waiting(Act.SHARE, facts, tick)

    def _report_waiting(self, act: Act, facts: Facts, tick: int) -> None:
        if self.state.incident or not self._is_at_rest(facts, tick):
            self._events.append(events.ActRefused(act, editions.MoonRefusal.STRUCTURE_MOVING, waits=True))

    def _repeat_turn(self, facts: Facts, tick: int) -> None:
        face = self._roll.last_face
        _raise_if_refused(None if self.state.options.practice else editions.MoonRefusal.OPTION_OFF)
        _raise_if_refused(editions.MoonRefusal.NO_TURN_TO_PUT_BACK if face is None else None)
        self._apply_overruling(moves.Overrule(Act.UNDO, 0, 1), facts, tick)
        assert face is not None
        self._roll.set_face(face)
        self._roll.is_pending = True

    def _return_to_lid(self, facts: Facts) -> None:
        if self.state.phase is not editions.Phase.HOLD or self.state.ladder is None:
            raise editions.IllegalMove(Act.PUT_BACK, editions.MoonRefusal.WRONG_PHASE)
        _raise_if_refused(editions.MoonRefusal.HAND_LOST if facts.held_frozen else None)
        self._orders.append(Offer(self.state.ladder))

    def _score_structure(self, facts: Facts, tick: int) -> None:
        move = moves.Score(self.line_m, measure_extents(self.state, facts))
        if self.state.phase is editions.Phase.ROLL and not self._is_at_rest(facts, tick):
            raise editions.IllegalMove(move, editions.MoonRefusal.STRUCTURE_MOVING)
        can_score = self.state.is_team_game and self.state.phase is editions.Phase.ROLL
        if can_score and score_above_line(self.state, facts, self.line_m) <= self.state.best_scoring:
            raise editions.IllegalMove(move, editions.MoonRefusal.NOT_BETTER)
        self._apply_move(move)

    def _apply_overruling(self, move: moves.Overrule, facts: Facts, tick: int) -> None:
        if move.kind is not Act.UNDO:
            self._apply_move(move)
            return
        target: State | None = self.state
        for _ in range(move.turns):
            target = target.before if target is not None else None
        if target is None or target.turn not in self.places:
            raise editions.IllegalMove(move, editions.MoonRefusal.NO_TURN_TO_PUT_BACK)
        self._apply_move(move)
        self._rebuild(facts, self.places[target.turn], tick)

    def _run_pending_act(self, facts: Facts, tick: int) -> None:
        if self._clock.is_paused or not self._is_at_rest(facts, tick):
            return
        shares = self._share_waits and self.state.can_share
        self._share_waits = self._roll.is_pending = False
        if shares:
            self._apply_move(moves.Share())
            return
        if self.state.phase is not editions.Phase.ROLL:  # the game ended while the roll waited
            return
        standing = (*find_leaning(facts, self._slots), *self.state.placed)
        self.places[self.state.turn] = tuple((piece, facts[piece].pose) for piece in standing)
        face = self._roll.consume_face(self.state)
        self._apply_move(moves.Roll(face))
        ladder = self.state.supply[0]
        self._apply_move(moves.Draw(ladder))
        self._orders += [Offer(ladder), LockGrips(False)]
        self._clock.restart()

    # ------------------------------------------------------------------ orders to the world

    def _clear_table(self, facts: Facts) -> None:
        wanted = {*self.state.structure, self.state.ladder}
        for piece in sorted({p.piece for p in facts.pieces} - wanted - self._awaited):
            self._orders.append(Remove(piece))
            self._awaited.add(piece)

    def _rebuild(self, facts: Facts, places: Places, tick: int) -> None:
        self._share_waits = self._roll.is_pending = False
        self._orders.append(LockGrips(True))
        self._clear_table(facts)
        self._order_structure(places)
        self._awaited -= {piece for piece, _ in places}
        self._disturbed_tick = tick


def _raise_if_refused(refusal: editions.MoonRefusal | None) -> None:
    if refusal is not None:
        raise editions.IllegalMove("a wish", refusal)
