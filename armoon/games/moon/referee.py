"""The referee turns each tick's facts into moves, verdicts and orders to the world, deterministically."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter

from armoon.clock import TICKS_PER_SECOND
from armoon.games.moon import editions, events
from armoon.games.moon import turn as moves
from armoon.games.moon.editions import FallPlace, MoonRefusal, Phase, refuse_if, score_extents
from armoon.games.moon.rules import apply_move
from armoon.games.moon.turn import FallenPiece, Move, Settle, State, find_outcome, judge_die
from armoon.geometry import rise_deg
from armoon.values import pieces
from armoon.values.acts import Act
from armoon.values.choices import OneHand
from armoon.values.pieces import PieceStatus
from armoon.values.poses import Pose, Vec3

#: Poses of the structure's ladders; starting ladders are included only if they lean in their slots.
Places = tuple[tuple[pieces.PieceId, Pose], ...]
#: Maximum distance of a loose starting ladder from its pose in the slot at which it may touch the base: more than a
#: slot's play of 1 to 2 mm, far less than a ladder's width of 22 mm.
SLOT_REACH_M = 0.008
#: Maximum horizontal distance of a held ladder from its pose in the lid at which it is still over the lid.
LID_REACH_M = 0.08
#: Decimal places of heights in metres (contacts are exact to 0.02 mm), and of the rise in degrees.
HEIGHT_DIGITS, RISE_DIGITS = 6, 3
#: Grounds on which a ladder can fall; a ladder that touches both counts as fallen on the table, the last entry.
_FALL_PLACES = {pieces.BASE: FallPlace.BASE, pieces.TABLE: FallPlace.TABLE}


def find_piece(facts: pieces.Facts, piece: pieces.PieceId | None) -> pieces.PieceFacts | None:
    return next((fact for fact in facts.pieces if fact.piece == piece), None)


def measure_top_m(state: State, facts: pieces.Facts) -> float:
    structure = set(state.structure)
    return max((p.highest_m for p in facts.pieces if p.piece in structure), default=0.0)


def measure_placement(state: State, facts: pieces.Facts, piece: pieces.PieceId) -> Settle:
    """Return the evidence for a ladder at rest: contacts, its height, and the height of the highest other (X3)."""
    others = set(state.structure) - {piece}
    touched = tuple(other for other in facts.touching(piece) if other in others)
    rival_m, rival = min((-p.highest_m, p.piece) for p in facts.pieces if p.piece in others)
    height_m = round(facts[piece].highest_m, HEIGHT_DIGITS)
    trial = state.options.trial
    counts_rise = trial is not None and trial.kind is editions.TaskKind.ASLANT
    angle_deg = round(rise_deg(facts[piece].pose), RISE_DIGITS) if counts_rise else None
    return Settle(touched, height_m, rival, round(-rival_m, HEIGHT_DIGITS), angle_deg)


def score_above_line(state: State, facts: pieces.Facts) -> int:
    return sum(points for _, points in score_extents(measure_extents(state, facts), state.options.line_m))


def measure_extents(state: State, facts: pieces.Facts) -> tuple[editions.Extent, ...]:
    measured = map(facts.__getitem__, state.structure)
    return tuple(
        editions.Extent(p.piece, round(p.lowest_m, HEIGHT_DIGITS), round(p.highest_m, HEIGHT_DIGITS))
        for p in measured
    )


def find_fallen_ladders(
    state: State, facts: pieces.Facts, slots: Mapping[pieces.PieceId, Pose], lid: Vec3 | None
) -> tuple[FallenPiece, ...]:
    """Return the ladders in play that touch table or base, or have left the table (ruling F2), sorted.

    Exceptions: the ladder offered in the lid; a held ladder that touches the table inside the lid (``lid``: the
    ladder's position in the lid); and a starting ladder that touches the base in its slot.
    """
    in_play = set(state.structure)
    if state.phase in (Phase.HOLD, Phase.SETTLE) and state.ladder is not None:
        in_play.add(state.ladder)
    # One pass over the contacts for each ground, because this runs every tick.
    grounds = {
        c.b if c.a == ground else c.a: onto
        for ground, onto in _FALL_PLACES.items()
        for c in facts.contacts
        if ground in (c.a, c.b)
    }
    fallen = []
    for piece in facts.pieces:
        onto = grounds.get(piece.piece, FallPlace.AWAY if piece.highest_m < 0.0 else None)
        if onto is None or piece.piece not in in_play:
            continue
        if piece.status in (PieceStatus.OFFERED, PieceStatus.FIXED):
            continue
        slot = slots.get(piece.piece)
        in_slot = slot is not None and math.dist(piece.pose.position, slot.position) <= SLOT_REACH_M
        is_held = piece.status is PieceStatus.HELD
        over_lid = is_held and lid is not None and math.dist(piece.pose.position[:2], lid[:2]) <= LID_REACH_M
        is_allowed = (onto is FallPlace.BASE and in_slot) or (onto is FallPlace.TABLE and over_lid)
        if not is_allowed:
            fallen.append(FallenPiece(piece.piece, onto))
    return tuple(sorted(fallen, key=attrgetter("piece")))


def find_leaning(facts: pieces.Facts, slots: Mapping[pieces.PieceId, Pose]) -> tuple[pieces.PieceId, ...]:
    """Return the starting ladders that are fixed in their slots away from their initial poses."""
    return tuple(
        p.piece
        for p in facts.pieces
        if p.status is PieceStatus.FIXED and p.pose != slots.get(p.piece, p.pose)
    )


@dataclass(frozen=True)
class TableStatus:
    """The state of the table, for pictures; measurements are empty before the first facts."""

    hint: str
    """The message key of the hint."""
    score: int | None
    """The team's score if it scored now (C2); None while scoring would be refused."""
    is_awaiting_face: bool
    """Whether players must throw a real die and enter its face."""
    structure_top_m: float = 0.0
    touching: tuple[pieces.PieceId, ...] = ()
    """Ladders that the held or settling ladder touches now."""
    height_m: float | None = None
    rival_m: float | None = None
    """Highest point of the other ladders; MOON must beat it."""
    would_honour: bool | None = None
    """Whether the held or settling ladder would honour the die where it is now; None without such a ladder."""


#: Minimum ticks from a disturbance until rest is accepted, because a ladder released without speed is at rest for an
#: instant. One tick would be enough: after that, a falling ladder exceeds the rest threshold of 4 mm/s.
SETTLE_TICKS = TICKS_PER_SECOND // 4


class Referee:
    """Judges one game, tick by tick."""

    def __init__(self, state: State, *, places: Mapping[int, Places] | None = None) -> None:
        self.places: dict[int, Places] = dict(places or {})
        """The structure's poses at the start of each turn, for undoing it (X4)."""
        self.state = state
        self._orders: list[pieces.Order] = []
        self._verdicts: list[editions.Verdict] = []
        self._events: list[events.RefereeEvent] = []
        self._moves: list[Move] = []
        """Orders, verdicts, events and moves of the current tick."""
        self._turn_ticks = 0
        """Ticks since the roll until the release (X1), except during a pause or while the ladder is frozen."""
        self._is_paused = False
        self._slots: dict[pieces.PieceId, Pose] = {}
        self._awaited_pieces: set[pieces.PieceId] = set()
        """Pieces ordered off the table or into a slot, until the facts show them there."""
        self._disturbed_tick = 0
        self._is_roll_pending = False
        """Whether a requested roll waits until everything is at rest (F5)."""
        self._entered_face: editions.Die | None = None
        self._last_face: editions.Die | None = None
        """Face of the previous roll, for repeating its turn."""
        self._is_share_pending = False
        """Whether the requested sharing of the victory waits until everything is at rest (E4)."""
        self._has_second_hand = False
        self._is_parked = False
        """Whether the drawn ladder is parked in the air (T3)."""
        self._facts: pieces.Facts | None = None
        self._lid_position: Vec3 | None = None
        """Position of the drawn ladder in the lid."""

    def set_up_table(self, slots: tuple[Pose, ...], structure: Places = ()) -> events.Judgement:
        """Place the starting ladders in their slots (M2), and the structure of a resumed game."""
        self._slots = dict(zip(self.state.starting, slots, strict=True))
        self._orders.append(pieces.LockGrips(True))
        self._order_structure(structure)
        if not self.state.over:
            if structure:
                self._apply_move(moves.Rebuild())
            self._events.append(events.TurnBegan(self.state.player, self.state.turn))
        return self._build_judgement()

    def judge(
        self, facts: pieces.Facts, commands: Iterable[pieces.Command], tick: int, *, second_hand: bool = False
    ) -> events.Judgement:
        """Judge one tick. ``second_hand``: whether the hand watch sees a second hand at the held ladder (F3)."""
        self._facts = facts
        self._watch_orders(facts, tick)
        self._restore_starting_ladders(facts, tick)
        if not facts.held_frozen and not self.state.over:  # X2: no judgement while frozen
            # Falls are judged before a roll in the same tick, so the player who just played is charged (F5).
            self._follow_ladder(facts, tick)
            self._watch_falls(facts, tick)
            self._watch_rest(facts, tick)
            self._watch_second_hand(second_hand)
            self._watch_clock(tick)
        for command in commands:
            self._handle_command(command, facts, tick)
        if self._is_roll_pending or self._is_share_pending:
            self._run_pending_act(facts, tick)
        self._clear_table(facts)
        return self._build_judgement()

    def can_put_back(self) -> bool:
        before = None if self.state.options.trial is not None else self.state.before
        return before is not None and before.turn in self.places

    def measure_status(self) -> TableStatus:
        state, facts, score = self.state, self._facts, self._preview_score()
        can_throw = state.options.die is not editions.DieSource.SEEDED and not state.options.practice
        is_idle = not (self._is_roll_pending or self._is_paused or state.over)
        is_awaiting_face = can_throw and is_idle and state.phase is Phase.ROLL and state.fixed_face is None
        basics = (self._find_hint_key(score), score, is_awaiting_face)
        if facts is None:
            return TableStatus(*basics)
        structure_m, ladder = measure_top_m(state, facts), find_piece(facts, state.ladder)
        if ladder is None or state.die is None or state.phase not in (Phase.HOLD, Phase.SETTLE):
            return TableStatus(*basics, structure_m)
        placement = measure_placement(state, facts, ladder.piece)
        touched, height_m, rival_m = placement.touched, placement.height_m, placement.rival_m
        is_honoured = judge_die(state.die, len(touched), height_m > rival_m) is editions.Reason.HONOURED
        return TableStatus(*basics, structure_m, touched, height_m, rival_m, is_honoured)

    def _find_hint_key(self, score: int | None) -> str:
        """Return the message key of the players' hint. ``score``: the team's score if it scored now."""
        state, facts = self.state, self._facts
        if state.over:
            return "hint.over"
        if self._is_paused:
            return "hint.paused"
        if facts is not None and facts.held_frozen:
            return "hint.frozen"
        if facts is not None and facts.held_is_parked:
            return "hint.parked"
        if self._is_share_pending:
            return "hint.share_waits"
        if state.phase is Phase.ROLL:
            needs_real_die = state.options.die is editions.DieSource.REAL and not state.options.practice
            if self._is_roll_pending:
                return "hint.roll_waits"
            if score is not None and not needs_real_die:
                return "hint.roll_or_score"
            if needs_real_die and state.fixed_face is None:
                return "hint.roll_real"
            if state.options.die is editions.DieSource.EITHER and state.fixed_face is None:
                return "hint.roll_either"
            return "hint.roll_final" if state.is_final else "hint.roll"
        if state.phase is Phase.DRAW:
            return "hint.take"
        if state.phase is Phase.HOLD and state.die is not None:
            return f"hint.place.{state.die.value.lower()}"
        return "hint.settling"

    def _preview_score(self) -> int | None:
        """Return the score if the team scored now; None while that is refused (C2) or wouldn't count (C3)."""
        state, facts = self.state, self._facts
        can_score = state.is_team_game and state.phase is Phase.ROLL and not state.incident
        if facts is None or not can_score or not self._is_at_rest(facts, facts.tick):
            return None
        points = score_above_line(state, facts)
        return points if points > state.best_scoring else None

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
        if now.is_final and not before.is_final:
            self._events.append(events.FinalBegan(now.seats_in_game))
        result = find_outcome(now)
        if result is not None and result != find_outcome(before):
            self._events.append(events.GameEnded(result))
        elif result is None and ((now.turn, now.player) != (before.turn, before.player) or before.over):
            self._events.append(events.TurnBegan(now.player, now.turn))
        return now.verdict

    def _order_structure(self, places: Places) -> None:
        fixed = self._slots | {piece: pose for piece, pose in places if piece in self._slots}
        free = {piece: pose for piece, pose in places if piece not in self._slots}
        self._orders += [pieces.Place(piece, pose, fixed=True) for piece, pose in fixed.items()]
        self._orders += [pieces.Place(piece, pose, fixed=False) for piece, pose in free.items()]

    def _build_judgement(self) -> events.Judgement:
        orders, verdicts = tuple(self._orders), tuple(self._verdicts)
        judgement = events.Judgement(orders, verdicts, tuple(self._events), tuple(self._moves))
        self._orders, self._verdicts, self._events, self._moves = [], [], [], []
        return judgement

    def _watch_orders(self, facts: pieces.Facts, tick: int) -> None:
        """Forget completed orders, which may have disturbed the structure."""
        if not self._awaited_pieces:
            return
        loose = {p.piece for p in facts.pieces if p.status is not PieceStatus.FIXED}
        if self._awaited_pieces - loose:
            self._awaited_pieces &= loose
            self._disturbed_tick = tick

    def _restore_starting_ladders(self, facts: pieces.Facts, tick: int) -> None:
        """Put loose starting ladders back once everything is at rest; during a fall they would be pushed out again."""
        starting = self.state.starting
        if not self._has_settled(facts, tick) or self._awaited_pieces.difference(starting):
            return
        loose = (p.piece for p in facts.pieces if p.status is PieceStatus.FREE and p.piece in starting)
        for piece in sorted(loose):
            self._events.append(events.StartingLadderRestored(piece))
            self._orders.append(pieces.Place(piece, self._slots[piece], fixed=True))
            self._awaited_pieces.add(piece)
            self._disturbed_tick = tick

    def _follow_ladder(self, facts: pieces.Facts, tick: int) -> None:
        ladder = find_piece(facts, self.state.ladder)
        if ladder is None:
            return
        name = ladder.piece
        if self.state.phase is Phase.DRAW:
            self._lid_position = ladder.pose.position
        if facts.held == name and facts.held_is_parked is not self._is_parked:
            self._events.append(events.LadderParked(self.state.player, name, facts.held_is_parked))
        self._is_parked = facts.held_is_parked
        if self.state.phase is Phase.DRAW and ladder.status in (PieceStatus.HELD, PieceStatus.FREE):
            self._apply_move(moves.Take())
        if self.state.phase is Phase.HOLD and ladder.status is PieceStatus.OFFERED:
            self._apply_move(moves.PutBack())
        if self.state.phase is Phase.HOLD and ladder.status is PieceStatus.FREE:
            self._apply_move(moves.LetGo())
            self._orders.append(pieces.LockGrips(True))  # T3: a released ladder can't be taken again
            self._disturbed_tick = tick

    def _watch_falls(self, facts: pieces.Facts, tick: int) -> None:
        """Judge falls immediately, without waiting for rest (F2)."""
        found = find_fallen_ladders(self.state, facts, self._slots, self._lid_position)
        fallen = tuple(ladder for ladder in found if ladder.piece not in self._awaited_pieces)
        if not fallen:
            return
        verdict = self._apply_move(moves.Fall(fallen))
        self._orders.append(pieces.LockGrips(True))
        self._awaited_pieces.update(() if verdict is None else verdict.stood_back)
        self._disturbed_tick = tick

    def _watch_rest(self, facts: pieces.Facts, tick: int) -> None:
        """Once at rest, judge the placed ladder (T4) or close the incident (F4)."""
        if self.state.over or not self._is_at_rest(facts, tick):
            return
        ladder = find_piece(facts, self.state.ladder)
        if self.state.phase is Phase.SETTLE and ladder is not None:
            self._apply_move(measure_placement(self.state, facts, ladder.piece))
        elif self.state.phase is Phase.ROLL and self.state.incident:
            self._apply_move(moves.Rest())

    def _watch_second_hand(self, second_hand: bool) -> None:
        has_appeared = second_hand and not self._has_second_hand
        self._has_second_hand = second_hand
        is_watched = self.state.options.one_hand is not OneHand.OFF and not self.state.two_hands
        if has_appeared and is_watched and self.state.phase is Phase.HOLD:
            self._apply_move(moves.TwoHands())

    def _watch_clock(self, tick: int) -> None:
        """Count the tick; warn or charge the player when the limit, or the grace time after it, runs out (X1)."""
        state, options = self.state, self.state.options
        limit_s, is_limited = options.turn_limit_s, options.on_timeout is not editions.OnTimeout.OFF
        is_running = is_limited and state.phase in (Phase.DRAW, Phase.HOLD)
        if limit_s is None or not is_running or self._is_paused:
            return
        self._turn_ticks += 1
        if state.time_warned:
            limit_s += options.timeout_grace_s
        is_over = self._turn_ticks >= round(limit_s * TICKS_PER_SECOND)
        if is_over and (options.on_timeout is editions.OnTimeout.MISTAKE or not state.time_warned):
            self._apply_move(moves.Timeout())
            if self.state.turn != state.turn:
                self._orders.append(pieces.LockGrips(True))
                self._disturbed_tick = tick

    def _is_at_rest(self, facts: pieces.Facts, tick: int) -> bool:
        return not self._awaited_pieces and self._has_settled(facts, tick)

    def _has_settled(self, facts: pieces.Facts, tick: int) -> bool:
        return facts.at_rest and facts.held is None and tick - self._disturbed_tick >= SETTLE_TICKS

    def _handle_command(self, command: pieces.Command, facts: pieces.Facts, tick: int) -> None:
        try:
            if command.kind is Act.ROLL:
                self._request_roll(facts, tick, command.value)
            elif command.kind is Act.PLACE_AGAIN:
                self._repeat_turn(facts, tick)
            elif command.kind is Act.GIVE_UP:
                refuse_if(facts.held_frozen, MoonRefusal.HAND_LOST)
                self._apply_move(moves.GiveUp())
                self._orders.append(pieces.LockGrips(True))
                self._disturbed_tick = tick
            elif command.kind is Act.PUT_BACK:
                refuse_if(self.state.phase is not Phase.HOLD, MoonRefusal.WRONG_PHASE)
                refuse_if(facts.held_frozen, MoonRefusal.HAND_LOST)
                self._orders.append(pieces.Offer(self.state.ladder or ""))
            elif command.kind is Act.SCORE:
                self._score_structure(facts, tick)
            elif command.kind is Act.SHARE:
                refuse_if(not self.state.can_share, MoonRefusal.WRONG_PHASE)
                self._is_share_pending = True
                self._report_waiting(Act.SHARE, facts, tick)
            elif command.kind is Act.ANOTHER:
                self._draw_another(command.value or 1)
            elif command.kind is Act.UNDO:
                self._apply_overruling(moves.Overrule(Act.UNDO, turns=max(1, command.value)), facts, tick)
            elif command.kind in moves.OVERRULINGS:
                self._apply_overruling(moves.Overrule(command.kind, command.value), facts, tick)
            elif command.kind in (Act.PAUSE, Act.RESUME):
                self._is_paused = command.kind is Act.PAUSE
        except editions.IllegalMove as error:
            self._events.append(events.ActRefused(command.kind, error.refusal))

    def _request_roll(self, facts: pieces.Facts, tick: int, face: int = 0) -> None:
        """Request a roll, which is applied when everything is at rest (F5)."""
        state, entered = self.state, editions.find_face(face)
        if state.options.practice or state.options.die is editions.DieSource.EITHER:
            self._entered_face = entered or editions.roll_seeded_face(state.seed, state.turn)
        elif entered is not None and state.options.die is editions.DieSource.REAL:
            self._entered_face = entered
        refuse_if(state.over, MoonRefusal.GAME_OVER)
        refuse_if(state.phase is not Phase.ROLL, MoonRefusal.WRONG_PHASE)
        refuse_if(self._is_paused, MoonRefusal.PAUSED)
        refuse_if((state.fixed_face or self._entered_face) is None, MoonRefusal.NO_FACE)
        self._is_roll_pending = True
        self._report_waiting(Act.ROLL, facts, tick)

    def _draw_another(self, step: int) -> None:
        state = self.state
        refuse_if(state.options.draw_from is not editions.DrawFrom.ALL, MoonRefusal.OPTION_OFF)
        refuse_if(state.over, MoonRefusal.GAME_OVER)
        refuse_if(state.phase is Phase.HOLD, MoonRefusal.WRONG_PHASE)
        refuse_if(state.phase is not Phase.DRAW, MoonRefusal.NOT_DRAWN)
        refuse_if(not state.supply, MoonRefusal.NO_OTHER_LADDER)
        ladder = state.supply[(step - 1 if step > 0 else step) % len(state.supply)]
        self._apply_move(moves.Draw(ladder))
        self._orders.append(pieces.Offer(ladder))

    def _report_waiting(self, act: Act, facts: pieces.Facts, tick: int) -> None:
        if self.state.incident or not self._is_at_rest(facts, tick):
            self._events.append(events.ActRefused(act, MoonRefusal.STRUCTURE_MOVING, waits=True))

    def _repeat_turn(self, facts: pieces.Facts, tick: int) -> None:
        refuse_if(not self.state.options.practice, MoonRefusal.OPTION_OFF)
        refuse_if(self._last_face is None, MoonRefusal.NO_TURN_TO_PUT_BACK)
        self._apply_overruling(moves.Overrule(Act.UNDO, 0, 1), facts, tick)
        self._entered_face, self._is_roll_pending = self._last_face, True

    def _score_structure(self, facts: pieces.Facts, tick: int) -> None:
        state = self.state
        if state.phase is Phase.ROLL:
            refuse_if(not self._is_at_rest(facts, tick), MoonRefusal.STRUCTURE_MOVING)
            points = score_above_line(state, facts)
            refuse_if(state.is_team_game and points <= state.best_scoring, MoonRefusal.NOT_BETTER)
        self._apply_move(moves.Score(state.options.line_m, measure_extents(state, facts)))

    def _apply_overruling(self, move: moves.Overrule, facts: pieces.Facts, tick: int) -> None:
        if move.kind is not Act.UNDO:
            self._apply_move(move)
            return
        target = self.state.find_earlier_state(move.turns)
        if target is None or target.turn not in self.places:
            raise editions.IllegalMove(move, MoonRefusal.NO_TURN_TO_PUT_BACK)
        self._apply_move(move)
        self._rebuild_structure(facts, self.places[target.turn], tick)

    def _run_pending_act(self, facts: pieces.Facts, tick: int) -> None:
        if self._is_paused or not self._is_at_rest(facts, tick):
            return
        should_share = self._is_share_pending and self.state.can_share
        self._is_share_pending = self._is_roll_pending = False
        if should_share:
            self._apply_move(moves.Share())
        if self.state.phase is not Phase.ROLL:  # shared, or the game ended while the roll waited
            return
        standing = (*find_leaning(facts, self._slots), *self.state.placed)
        self.places[self.state.turn] = tuple((piece, facts[piece].pose) for piece in standing)
        face = self.state.fixed_face or self._entered_face
        assert face is not None
        self._entered_face, self._last_face, self._turn_ticks = None, face, 0
        self._apply_move(moves.Roll(face))
        ladder = self.state.supply[0]
        self._apply_move(moves.Draw(ladder))
        self._orders += [pieces.Offer(ladder), pieces.LockGrips(False)]

    def _clear_table(self, facts: pieces.Facts) -> None:
        in_game = {*self.state.structure, self.state.ladder}
        for piece in sorted({p.piece for p in facts.pieces} - in_game - self._awaited_pieces):
            self._orders.append(pieces.Remove(piece))
            self._awaited_pieces.add(piece)

    def _rebuild_structure(self, facts: pieces.Facts, places: Places, tick: int) -> None:
        self._is_share_pending = self._is_roll_pending = False
        self._orders.append(pieces.LockGrips(True))
        self._clear_table(facts)
        self._order_structure(places)
        self._awaited_pieces -= {piece for piece, _ in places}
        self._disturbed_tick = tick
