"""Keys at the lake: they walk through the legal moves, which light up, and play the one that is lit."""

from __future__ import annotations

from armoon.games.lake.rules.game import legal
from armoon.games.lake.rules.moves import Carry, Move
from armoon.games.lake.rules.state import State
from armoon.values.acts import Act
from armoon.values.intents import Command

#: Keys, and by how many moves and by how many stars they go on.
STEPS = {Act.RIGHT: (1, 0), Act.LEFT: (-1, 0), Act.AWAY: (0, 1), Act.NEAR: (0, -1)}
SOURCE = "keys"


class MoveCursor:
    """Points at one legal move of a position, or at none until the first key."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._at: int | None = None

    def pointed(self, state: State) -> Move | None:
        """Return the move that is lit in this position."""
        moves = self._moves(state)
        return None if self._at is None or not moves else moves[self._at]

    def forget(self) -> None:
        """Point at none until the next key."""
        self._at = None

    def act(self, act: Act, state: State) -> Command | None:
        """Walk on, or play what is lit; the first time a move is lit, whichever act it is."""
        moves = self._moves(state)
        if not moves:
            return None
        if act is Act.TAKE and self._at is not None:
            return Command(Act.CHOOSE, SOURCE, self._at)
        if act is Act.TAKE:
            self._at = 0
        if act in STEPS:
            step, stars = STEPS[act]
            if self._at is None:
                self._at = 0 if step + stars > 0 else len(moves) - 1
            elif step:
                self._at = (self._at + step) % len(moves)
            else:
                self._at = _other_star(moves, self._at, stars)
        return None

    def _moves(self, state: State) -> tuple[Move, ...]:
        if state != self._state:
            self._state, self._at = state, None
        return legal(state)


def _other_star(moves: tuple[Move, ...], at: int, way: int) -> int:
    """Return the first move from the next star that has one, either way; where no stars are chosen, the next move."""
    here = moves[at]
    if not isinstance(here, Carry):
        return (at + way) % len(moves)
    stars = list(dict.fromkeys(move.star for move in moves if isinstance(move, Carry)))
    star = stars[(stars.index(here.star) + way) % len(stars)]
    return next(k for k, move in enumerate(moves) if isinstance(move, Carry) and move.star == star)
