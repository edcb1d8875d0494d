"""What the referee keeps: moves with all their consequences in one tick; the next roll of the die; the turn's time."""

from __future__ import annotations

from collections.abc import Mapping

from armoon.clock import TICKS_PER_SECOND
from armoon.games.moon.referee.events import Event, FinalBegan, GameOver, Judgement, PlayerOut, TurnBegan
from armoon.games.moon.rules.editions import DieSource, DrawFrom, OnTimeout, Options
from armoon.games.moon.rules.game import apply, outcome
from armoon.games.moon.rules.moves import Draw, Move
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Die, IllegalMove, Phase, Refusal, Verdict, face_of_turn, face_told
from armoon.values.orders import Order, Place
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose

#: The places of the structure's ladders; of the starting ladders only those that lean in their slots are among them.
Places = tuple[tuple[PieceId, Pose], ...]


class Docket:
    """The game as it stands, and what has been written down since the last ``close``."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._orders: list[Order] = []
        self._verdicts: list[Verdict] = []
        self._events: list[Event] = []
        self._moves: list[Move] = []

    def do(self, move: Move, *events: Event) -> Verdict | None:
        """Apply a move and write down what happened; nothing if the rules refuse it with IllegalMove."""
        before = self.state
        self.state = apply(before, move)
        self._moves.append(move)
        self._events += events
        if self.state.verdict is not None:
            self._verdicts.append(self.state.verdict)
        self._note_consequences(before)
        return self.state.verdict

    def order(self, *orders: Order) -> None:
        """Ask something of the world."""
        self._orders += orders

    def set_up(self, slots: Mapping[PieceId, Pose], places: Places) -> None:
        """Have the starting ladders stand in their slots, or lean there, and the structure on them."""
        fixed = dict(slots) | {piece: pose for piece, pose in places if piece in slots}
        self.order(*(Place(piece, pose, fixed=True) for piece, pose in fixed.items()))
        self.order(*(Place(piece, pose, fixed=False) for piece, pose in places if piece not in slots))

    def tell(self, *events: Event) -> None:
        """Say that something happened which is no move."""
        self._events += events

    def close(self) -> Judgement:
        """Everything written down, once."""
        judgement = Judgement(
            tuple(self._orders), tuple(self._verdicts), tuple(self._events), tuple(self._moves)
        )
        self._orders, self._verdicts, self._events, self._moves = [], [], [], []
        return judgement

    def _note_consequences(self, before: State) -> None:
        """Players out, the final, the end, the next turn: what the two states differ in."""
        now = self.state
        for seat, why in enumerate(now.out):
            if why is not None and before.out[seat] is None:
                self._events.append(PlayerOut(seat, why))
        if now.final and not before.final:
            self._events.append(FinalBegan(now.in_game))
        result = outcome(now)
        if result is not None and result != outcome(before):
            self._events.append(GameOver(result))
        elif result is None and ((now.turn, now.player) != (before.turn, before.player) or before.over):
            self._events.append(TurnBegan(now.player, now.turn))


class NextRoll:
    """The state of the die between two rolls."""

    def __init__(self) -> None:
        self.waits = False
        """It was asked for, and is made once everything is at rest (F5)."""
        self.last: Die | None = None
        """Face of the roll before, so that its turn can be played again."""
        self._told: Die | None = None

    def show(self, die: Die) -> None:
        """Set the next roll to a real die's face."""
        self._told = die

    def hear(self, state: State, number: int) -> None:
        """Take a requested roll; of a real die and in practice with a face: 1, 2, or 3 for the moon."""
        told = face_told(number)
        if state.options.practice or state.options.die is DieSource.EITHER:
            self._told = told or face_of_turn(state.seed, state.turn)
        elif told is not None and state.options.die is DieSource.REAL:
            self._told = told

    def refusal(self, state: State, *, paused: bool) -> Refusal | None:
        """Why nothing can be rolled; None where a roll is only to wait for rest."""
        if state.over:
            return Refusal.GAME_OVER
        if state.phase is not Phase.ROLL:
            return Refusal.WRONG_PHASE
        if paused:
            return Refusal.PAUSED
        return Refusal.NO_FACE if state.next_face is None and self._told is None else None

    def asks_face(self, state: State, *, paused: bool) -> bool:
        """Return whether a real die is to be thrown and its face told."""
        rolls = state.phase is Phase.ROLL and not state.over and not self.waits
        told = state.options.die is not DieSource.SEEDED and not state.options.practice
        real = told and state.next_face is None
        return rolls and real and not paused

    def take(self, state: State) -> Die:
        """Return the face of the die, which lies now."""
        face = state.next_face or self._told
        assert face is not None
        self._told, self.last = None, face
        return face


class TurnClock:
    """Counts the ticks from the roll to letting go (ruling X1); none while paused, nor while the hand is lost."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._ticks = 0
        self.paused = False

    def restart(self) -> None:
        """Restart the clock for a new turn."""
        self._ticks = 0

    def tick(self, state: State) -> bool:
        """Count one tick; True in the tick in which the limit, or the grace time after it, runs out."""
        if self.paused or not self._running(state):
            return False
        self._ticks += 1
        limit_s = self._options.turn_limit_s or 0.0
        if not state.time_warned:
            return self._ticks >= round(limit_s * TICKS_PER_SECOND)
        late_s = limit_s + self._options.timeout_grace_s
        mistake = self._options.on_timeout is OnTimeout.MISTAKE
        return mistake and self._ticks >= round(late_s * TICKS_PER_SECOND)

    def _running(self, state: State) -> bool:
        limited = self._options.turn_limit_s is not None and self._options.on_timeout is not OnTimeout.OFF
        return limited and state.phase in (Phase.DRAW, Phase.HOLD)


def another(state: State, by: int) -> PieceId:
    """Of the ladders that lie in the lid the one ``by`` places further; raises IllegalMove with why there is none."""
    refusal = _refusal(state)
    if refusal is not None:
        raise IllegalMove(Draw(state.ladder or ""), refusal)
    return state.supply[(by - 1 if by > 0 else by) % len(state.supply)]


def _refusal(state: State) -> Refusal | None:
    if state.options.draw_from is not DrawFrom.ALL:
        return Refusal.OPTION_OFF
    if state.over:
        return Refusal.GAME_OVER
    if state.phase is Phase.HOLD:
        return Refusal.WRONG_PHASE
    if state.ladder is None or state.phase is not Phase.DRAW:
        return Refusal.NOT_DRAWN
    return None if state.supply else Refusal.NO_OTHER_LADDER
