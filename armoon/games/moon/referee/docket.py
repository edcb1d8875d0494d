"""The referee's docket: applies moves to the game and records all their consequences in one tick."""

from __future__ import annotations

from collections.abc import Mapping

from armoon.games.moon.referee.events import Event, FinalBegan, GameOver, Judgement, PlayerOut, TurnBegan
from armoon.games.moon.rules.game import apply, outcome
from armoon.games.moon.rules.moves import Move
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Verdict
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
