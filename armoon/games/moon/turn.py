"""The game state, the moves, and the judgement of a turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from armoon.games.moon import editions
from armoon.games.moon.editions import Die, Ending, MoonRefusal, Phase, PieceId, Reason, Verdict, refuse_if
from armoon.values import replace
from armoon.values.acts import Act
from armoon.values.choices import OneHand
from armoon.values.places import RISING_DEG, Requirement
from armoon.values.text import short_repr


@dataclass(frozen=True)
class State:
    """The game state. Players are identified by seat, from 0, clockwise (ruling T5)."""

    edition_name: str
    options: editions.Options
    players: tuple[str, ...]
    seed: int
    starting: tuple[PieceId, ...]
    """Ladders in the base's slots; they never leave the game."""
    supply: tuple[PieceId, ...]
    """Ladders not yet drawn, the next one first."""
    tears_left: int
    tears: tuple[int, ...]
    """Tears by seat; in a co-operative game, the team's tears by the seat that caused them."""
    out: tuple[editions.Elimination | None, ...]
    spared: tuple[int, ...]
    """Mistakes by seat that were free because of a handicap (ruling X5)."""
    player: int
    phase: Phase = Phase.ROLL
    turn: int = 1
    last_player: int | None = None
    """The player of the last turn, who is charged for falls until the next roll (ruling F5)."""
    die: Die | None = None
    ladder: PieceId | None = None
    placed: tuple[PieceId, ...] = ()
    """Standing ladders in the order of placement, without the starting ladders."""
    removed: tuple[PieceId, ...] = ()
    incident: bool = False
    """Whether the structure still moves after a judged fall or a rebuild; further falls cost no tear (ruling F4)."""
    two_hands: bool = False
    time_warned: bool = False
    is_final: bool = False
    final_turn: int = 0
    """First turn of the final, in editions where players may decline the final; otherwise 0."""
    top_m: float = 0.0
    """In a trial: maximum height above the table, in metres, of a ladder that honoured its die."""
    rises: int = 0
    """In a trial that counts rising ladders: number of those that also honoured their die."""
    scorings: tuple[int, ...] = ()
    """Points of each scoring in a co-operative game."""
    ending: Ending | None = None
    overrulings: int = 0
    verdict: Verdict | None = None
    before: State | None = field(default=None, compare=False, repr=False)
    """The state before the last roll, for undoing the turn (ruling X4)."""

    @property
    def edition(self) -> editions.Edition:
        return editions.EDITIONS[self.edition_name]

    @cached_property
    def is_team_game(self) -> bool:
        return self.options.mode is editions.Mode.COOPERATIVE

    @cached_property
    def over(self) -> bool:
        return self.ending is not None

    @cached_property
    def structure(self) -> tuple[PieceId, ...]:
        return self.starting + self.placed

    @property
    def seats_in_game(self) -> tuple[int, ...]:
        return tuple(seat for seat, reason in enumerate(self.out) if reason is None)

    @property
    def tears_total(self) -> int:
        return self.options.get_tears(self.edition)

    @property
    def best_scoring(self) -> int:
        return max(self.scorings, default=0)

    @property
    def can_share(self) -> bool:
        """Whether tied players can share the victory: the edition allows it, and the final's first roll is due (E4)."""
        is_starting = self.is_final and self.turn == self.final_turn and self.phase is Phase.ROLL
        return is_starting and self.edition.is_final_optional

    @property
    def fixed_face(self) -> Die | None:
        """The face that the next roll must show; None if any face may be entered."""
        if self.is_final:
            return Die.MOON
        if self.options.trial is not None:
            return self.options.trial.get_face(self.turn)
        if self.options.practice:
            return None
        is_seeded = self.options.die is editions.DieSource.SEEDED
        return editions.roll_seeded_face(self.seed, self.turn) if is_seeded else None

    @property
    def leaders(self) -> tuple[int, ...]:
        """The players still in the game with the fewest tears (ruling E2)."""
        fewest = min(self.tears[seat] for seat in self.seats_in_game)
        return tuple(seat for seat in self.seats_in_game if self.tears[seat] == fewest)

    @property
    def trial_score(self) -> int | None:
        """Score in a trial (ruling P1); None outside trials, or before the goal is reached."""
        trial = self.options.trial
        if trial is None:
            return None
        return trial.compute_score(turn=self.turn, tears=self.tears[0], top_m=self.top_m, rises=self.rises)

    def find_earlier_state(self, turns: int) -> State | None:
        """Return the state before the last ``turns`` rolls; None if there were fewer."""
        state: State | None = self
        for _ in range(turns):
            state = None if state is None else state.before
        return state

    def find_next_seat(self, seat: int) -> int:
        count = len(self.players)
        seats = ((seat + step) % count for step in range(1, count + 1))
        return next((other for other in seats if self.out[other] is None), seat)


@dataclass(frozen=True)
class Move:
    """Base class of all kinds of moves."""


@dataclass(frozen=True)
class Roll(Move):
    """The current player rolls; in the final a roll only begins the turn, and the face is MOON (ruling E4).

    The face is part of the move to make the log complete; a seeded die refuses any other face.
    """

    die: Die


@dataclass(frozen=True)
class Draw(Move):
    """A ladder from the supply is offered in the lid."""

    ladder: PieceId


class Take(Move):
    """The hand takes the ladder from the lid."""


class PutBack(Move):
    """The held ladder goes back into the lid, without penalty (our rule)."""


class LetGo(Move):
    """The held ladder is released."""


@dataclass(frozen=True)
class Settle(Move):
    """Everything is at rest; the fields are the evidence for the verdict on the placed ladder."""

    touched: tuple[PieceId, ...]
    """Other ladders that the placed ladder touches, including starting ladders."""
    height_m: float
    """Highest point of the placed ladder."""
    rival: PieceId
    """The highest of the other ladders."""
    rival_m: float
    rise_deg: float | None = None
    """Angle of the long axis from level, in trials that count rising ladders."""


@dataclass(frozen=True)
class FallenPiece:
    """A ladder that touches table or base, or has left the table."""

    piece: PieceId
    onto: editions.FallPlace


@dataclass(frozen=True)
class Fall(Move):
    """Ladders fell (ruling F2); the phase determines the player charged (F5, F6)."""

    fallen: tuple[FallenPiece, ...]


class Rest(Move):
    """The structure is at rest again, so the next fall is a new incident (F4)."""


class Rebuild(Move):
    """The structure was rebuilt from saved poses; a fall before it is at rest has no penalty (our rule)."""


class TwoHands(Move):
    """A second hand touched the held ladder, or it was passed from hand to hand (ruling F3)."""


class Timeout(Move):
    """The turn's time ran out (a warning), or the grace time after it did (a mistake; ruling X1)."""


class GiveUp(Move):
    """The player gives up the drawn ladder, which counts as dropped (our rule)."""


@dataclass(frozen=True)
class Score(Move):
    """The team spends a tear to score the structure above the lid's edge (ruling C2)."""

    line_m: float
    extents: tuple[editions.Extent, ...]
    """Extents of all ladders of the structure."""


class Share(Move):
    """The tied players share the victory instead of playing the final, if the edition allows that (E4)."""


#: Overrulings that a host can request (ruling X4).
OVERRULINGS = (Act.GIVE_TEAR_BACK, Act.ADD_TEAR, Act.UNDO)


@dataclass(frozen=True)
class Overrule(Move):
    """The host overrules a verdict; it is logged like any other move (ruling X4)."""

    kind: Act
    """One of ``OVERRULINGS``."""
    player: int = 0
    """Seat of the player with the changed tears; ignored when a turn is undone."""
    turns: int = 1
    """Number of turns to undo, including the current one."""
    note: str = ""

    def __post_init__(self) -> None:
        if self.kind not in OVERRULINGS:
            raise ValueError(f"{short_repr(self.kind.value)} isn't an overruling")


MOVE_KINDS: tuple[type[Move], ...] = tuple(Move.__subclasses__())


def _add_at_seat(values: tuple[int, ...], seat: int, change: int) -> tuple[int, ...]:
    return (*values[:seat], values[seat] + change, *values[seat + 1 :])


def eliminate_player(state: State, seat: int, reason: editions.Elimination) -> State:
    return replace(state, out=(*state.out[:seat], reason, *state.out[seat + 1 :]))


def add_tears(state: State, seat: int, tears: int) -> State:
    return replace(state, tears_left=state.tears_left - tears, tears=_add_at_seat(state.tears, seat, tears))


def conclude_move(state: State, charged: int | None = None) -> State:
    """End the game or begin the final if the last move requires it. ``charged``: the seat just charged."""
    if state.over:
        return state
    if state.is_final:
        if len(state.seats_in_game) == 1:
            return _end_game(state, Ending.LAST_STANDING)
        if _has_ladders_left(state):
            return _skip_eliminated(state)
        return _end_game(state, Ending.FINAL_LADDERS_OUT)
    trial = state.options.trial
    if trial is not None and trial.is_goal_reached(state.top_m):
        return _end_game(state, Ending.GOAL)
    if state.is_team_game or trial is not None:
        return _end_if_used_up(state)
    if charged is not None and _is_at_tear_limit(state, charged):
        return _end_game(eliminate_player(state, charged, editions.Elimination.TEAR_LIMIT), Ending.TEAR_LIMIT)
    if state.tears_left == 0 and charged is not None and state.edition.last_tear_eliminates:
        state = eliminate_player(state, charged, editions.Elimination.LAST_TEAR)
    if state.tears_left == 0 and state.supply and len(state.leaders) > 1:
        return _begin_final(state)
    return _end_if_used_up(state)


def _is_at_tear_limit(state: State, seat: int) -> bool:
    return len(state.players) == 2 and state.tears[seat] >= state.options.get_tear_limit(state.edition)


def _end_if_used_up(state: State) -> State:
    """End the game after the last ladder, the last tear, or both at once (E1, C4)."""
    if state.tears_left == 0:
        return _end_game(state, Ending.LAST_TEAR if _has_ladders_left(state) else Ending.LAST_LADDER_AND_TEAR)
    return state if _has_ladders_left(state) else _end_game(state, Ending.LAST_LADDER)


def _has_ladders_left(state: State) -> bool:
    return bool(state.supply) or state.ladder is not None


def _begin_final(state: State) -> State:
    """Begin the final (E4) with the tied player who is next in order of play."""
    tied = state.leaders
    out = tuple(
        old or (None if seat in tied else editions.Elimination.NOT_TIED) for seat, old in enumerate(state.out)
    )
    # If the final can't be declined, its first turn doesn't matter.
    final_turn = state.turn if state.edition.is_final_optional else 0
    return _skip_eliminated(replace(state, is_final=True, final_turn=final_turn, out=out))


def apply_share(state: State, move: Share) -> State:
    return _end_game(state, Ending.SHARED)


def _skip_eliminated(state: State) -> State:
    if state.out[state.player] is None:
        return state
    return replace(state, player=state.find_next_seat(state.player))


def _end_game(state: State, ending: Ending) -> State:
    return replace(state, ending=ending, phase=Phase.OVER, incident=False)


def reopen_game(state: State) -> State:
    out = tuple(
        None
        if (reason is editions.Elimination.LAST_TEAR and state.tears_left > 0)
        or (reason is editions.Elimination.TEAR_LIMIT and not _is_at_tear_limit(state, seat))
        else reason
        for seat, reason in enumerate(state.out)
    )
    state = replace(state, out=out)
    if state.over and editions.Elimination.TEAR_LIMIT not in out:
        # No ladder is held when a game is over, so it continues with a roll, or ends for another reason.
        state = conclude_move(replace(state, ending=None, phase=Phase.ROLL))
    return state


def rank_seats(state: State, outcome: editions.Outcome) -> tuple[int, ...]:
    """Return ranks by seat (our rule): winners, finalists, others by tears, eliminated players; all 0 for a team."""
    if outcome.score is not None:
        return (0,) * len(state.players)

    def rank_key(seat: int) -> tuple[int, int]:
        reason, tears = state.out[seat], state.tears[seat]
        if seat in outcome.winners:
            return (0, 0)
        if reason is editions.Elimination.FINAL_MISTAKE:
            return (1, 0)
        has_lost = reason in (editions.Elimination.TEAR_LIMIT, editions.Elimination.LAST_TEAR)
        return (3 if has_lost else 2, tears)

    keys = [rank_key(seat) for seat in range(len(state.players))]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def find_outcome(state: State) -> editions.Outcome | None:
    if state.ending is None:
        return None
    trial, winners, score = state.options.trial, state.leaders, None
    if trial is not None:
        ruling, winners = "P1", ((0,) if trial.find_medal(state.trial_score) else ())
    elif state.is_team_game:
        ruling, winners, score = "C4", (), state.best_scoring
    elif state.is_final or state.ending is Ending.TEAR_LIMIT:
        ruling, winners = "E4" if state.is_final else "E3", state.seats_in_game
    else:
        ruling = "E2" if len(winners) == 1 else "E5"
    return editions.Outcome(state.ending, ruling, winners, state.tears, state.out, score)


def get_contact_limits(die: Die) -> tuple[int, int]:
    """Return the minimum and maximum number of other ladders that a placed ladder may touch (T4)."""
    return (2 if die is Die.TWO else 1, 1 if die is Die.ONE else 2)


def get_requirement(die: Die) -> Requirement:
    least, most = get_contact_limits(die)
    return Requirement(least, most, highest=die is Die.MOON)


def judge_die(die: Die, touch_count: int, is_highest: bool) -> Reason:
    """Judge whether a ladder at rest honours the die (T4). ``touch_count``: number of touched ladders."""
    least, most = get_contact_limits(die)
    if touch_count == 0:
        return Reason.TOUCHES_NONE
    if touch_count < least:
        return Reason.TOO_FEW
    if touch_count > most:
        return Reason.TOO_MANY
    return Reason.NOT_HIGHEST if die is Die.MOON and not is_highest else Reason.HONOURED


def apply_roll(state: State, move: Roll) -> State:
    """Begin the turn; from now on falls are charged to its player (F5, F6)."""
    refuse_if(state.fixed_face not in (None, move.die), MoonRefusal.WRONG_FACE, move)
    return replace(state, phase=Phase.DRAW, die=move.die, before=state)


def apply_draw(state: State, move: Draw) -> State:
    """Offer the supply's next ladder, or with the house option any ladder, in exchange for the one offered before.

    The supply is a ring: an exchanged ladder is offered again after all the others.
    """
    ring = state.supply if state.ladder is None else (state.ladder, *state.supply)
    allowed = state.supply if state.options.draw_from is editions.DrawFrom.ALL else state.supply[:1]
    refuse_if(move.ladder not in allowed, MoonRefusal.WRONG_LADDER, move)
    index = ring.index(move.ladder)
    return replace(state, ladder=move.ladder, supply=(*ring[index + 1 :], *ring[:index]))


def apply_settle(state: State, move: Settle) -> State:
    """Judge whether the ladder honours the die (T4); it stays where it is, even after a mistake (F1)."""
    others, touched = set(state.structure), set(move.touched)
    is_valid = len(touched) == len(move.touched) and touched <= others and move.rival in others
    refuse_if(not is_valid, MoonRefusal.BAD_EVIDENCE, move)
    assert state.die is not None
    assert state.ladder is not None
    reason = judge_die(state.die, len(move.touched), move.height_m > move.rival_m)
    rulings: tuple[str, ...] = ("T4",) if reason is Reason.HONOURED else ("F1", "T4")
    if state.two_hands:
        is_honoured = reason is Reason.HONOURED
        reason, rulings = (Reason.TWO_HANDS, ("F3",)) if is_honoured else (reason, (*rulings, "F3"))
    ok = reason is Reason.HONOURED
    verdict = build_verdict(
        state,
        reason,
        rulings,
        ok=ok,
        touched=tuple(sorted(move.touched)),
        height_m=move.height_m,
        rival=move.rival,
        rival_m=move.rival_m,
    )
    placed = (*state.placed, state.ladder)
    rises = state.rises + (ok and move.rise_deg is not None and move.rise_deg >= RISING_DEG)
    top_m = max(state.top_m, move.height_m) if ok and state.options.trial else state.top_m
    return _end_turn(replace(state, placed=placed, ladder=None, top_m=top_m, rises=rises), verdict)


def apply_fall(state: State, move: Fall) -> State:
    """Charge a fall to the current player (F2, F6), or between turns to the player of the last turn (F5)."""
    pieces = tuple(fallen.piece for fallen in move.fallen)
    loose = {state.ladder} if state.phase in (Phase.HOLD, Phase.SETTLE) else set()
    is_valid = bool(pieces) and len(set(pieces)) == len(pieces) and {*pieces} <= {*state.structure, *loose}
    refuse_if(not is_valid, MoonRefusal.BAD_EVIDENCE, move)
    evidence = tuple((fallen.piece, fallen.onto) for fallen in move.fallen)
    if state.phase is Phase.ROLL:
        return _judge_late_fall(state, pieces, evidence)
    if state.ladder in pieces:
        reason = Reason.HELD_TOUCHED if state.phase is Phase.HOLD else Reason.PLACED_FELL
        verdict = build_verdict(state, reason, ("F2",), fallen=evidence)
    else:
        verdict = build_verdict(state, Reason.OTHERS_FELL, ("F2", "F6"), fallen=evidence)
    return _abort_turn(state, pieces, verdict)


def _judge_late_fall(
    state: State, pieces: tuple[PieceId, ...], evidence: tuple[tuple[PieceId, editions.FallPlace], ...]
) -> State:
    last = state.last_player
    is_charged = last is not None and state.out[last] is None and not state.incident
    rulings: tuple[str, ...]
    if state.incident:
        reason, rulings = Reason.SAME_INCIDENT, ("F4", "F2")
    elif is_charged:
        reason, rulings = Reason.LATE_FALL, ("F5", "F2")
    else:
        reason, rulings = Reason.NOBODY, ("F5",)
    # A late fall belongs to the previous turn.
    turn, player = max(1, state.turn - 1), state.player if last is None else last
    verdict = Verdict(turn, player, not is_charged, reason, rulings, fallen=evidence)
    state, verdict = _remove_fallen(state, pieces, verdict)
    return _charge_seat(replace(state, incident=True), verdict, last if is_charged else None)


def apply_two_hands(state: State, move: TwoHands) -> State:
    """Warn of a second hand (F3), or note it for the verdict; the turn still costs at most one tear (F4)."""
    refuse_if(state.options.one_hand is OneHand.OFF, MoonRefusal.OPTION_OFF, move)
    refuse_if(state.two_hands, MoonRefusal.ALREADY_NOTED, move)
    is_noted = state.options.one_hand is OneHand.MISTAKE
    reason = Reason.TWO_HANDS_NOTED if is_noted else Reason.TWO_HANDS_WARNED
    return replace(state, two_hands=is_noted, verdict=build_verdict(state, reason, ("F3",), ok=True))


def apply_timeout(state: State, move: Timeout) -> State:
    """Warn the player the first time (X1); the second time end the turn as for a dropped ladder (F2)."""
    is_off = state.options.turn_limit_s is None or state.options.on_timeout is editions.OnTimeout.OFF
    refuse_if(is_off, MoonRefusal.OPTION_OFF, move)
    if not state.time_warned:
        verdict = build_verdict(state, Reason.TIME_WARNED, ("X1",), ok=True)
        return replace(state, time_warned=True, verdict=verdict)
    refuse_if(state.options.on_timeout is editions.OnTimeout.WARN, MoonRefusal.ALREADY_NOTED, move)
    return _abort_turn(state, (), build_verdict(state, Reason.TIME_OUT, ("X1", "F2")))


def apply_give_up(state: State, move: GiveUp) -> State:
    """Remove the drawn ladder from the game as if it had been dropped (F2)."""
    assert state.ladder is not None
    return _abort_turn(state, (state.ladder,), build_verdict(state, Reason.GAVE_UP, ("F2",)))


def build_verdict(
    state: State, reason: Reason, rulings: tuple[str, ...], *, ok: bool = False, **evidence: Any
) -> Verdict:
    """Return a verdict on the current turn. ``evidence``: further fields of ``Verdict``."""
    evidence = {"die": state.die, "ladder": state.ladder, **evidence}
    return Verdict(state.turn, state.player, ok, reason, rulings, **evidence)


def _abort_turn(state: State, pieces: tuple[PieceId, ...], verdict: Verdict) -> State:
    """End the turn immediately (F2); a ladder that is held or in the lid leaves the game too."""
    if state.two_hands:
        verdict = replace(verdict, rulings=(*verdict.rulings, "F3"))
    ladder = state.ladder
    if ladder is not None and ladder not in pieces:
        if state.phase is Phase.SETTLE:
            # Released and still standing while others fall: now part of the structure.
            state = replace(state, placed=(*state.placed, ladder))
        else:
            pieces = (*pieces, ladder)
    state, verdict = _remove_fallen(state, pieces, verdict)
    return _end_turn(replace(state, ladder=None, incident=True), verdict)


def _remove_fallen(state: State, pieces: tuple[PieceId, ...], verdict: Verdict) -> tuple[State, Verdict]:
    """Remove fallen ladders from the game; starting ladders are put back into their slots (M3)."""
    stood_back = tuple(piece for piece in pieces if piece in state.starting)
    removed = tuple(piece for piece in pieces if piece not in state.starting)
    state = replace(
        state,
        placed=tuple(piece for piece in state.placed if piece not in removed),
        removed=state.removed + removed,
    )
    return state, replace(verdict, removed=removed, stood_back=stood_back)


def _end_turn(state: State, verdict: Verdict) -> State:
    """Pass the turn to the next player, and charge a mistake (E1)."""
    seat = state.player
    state = replace(
        state,
        phase=Phase.ROLL,
        turn=state.turn + 1,
        last_player=seat,
        player=state.find_next_seat(seat),
        die=None,
        two_hands=False,
        time_warned=False,
    )
    return _charge_seat(state, verdict, None if verdict.ok else seat)


def _charge_seat(state: State, verdict: Verdict, seat: int | None) -> State:
    """Charge a mistake, if any: a tear (F4) unless spared (X5); elimination in the final (E4); nothing in practice."""
    if seat is not None:
        is_practice, rulings, tears = state.options.practice, verdict.rulings, 0
        if state.is_final:
            state = eliminate_player(state, seat, editions.Elimination.FINAL_MISTAKE)
            rulings = (*rulings, "E4")
        elif not is_practice and state.spared[seat] < state.options.get_handicap(seat).spared:
            state, rulings = replace(state, spared=_add_at_seat(state.spared, seat, 1)), (*rulings, "X5")
        elif not is_practice:
            state, tears = add_tears(state, seat, 1), 1
        verdict = replace(verdict, charged=seat, tears=tears, rulings=rulings)
    return replace(conclude_move(state, seat), verdict=verdict)
