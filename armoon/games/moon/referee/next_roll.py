"""The next roll of the die: its preset face, whether it waits for rest, and why it is refused."""

from __future__ import annotations

from armoon.games.moon.rules.die import face_of_turn, face_told
from armoon.games.moon.rules.editions import DieSource
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Die, Phase, Refusal


class NextRoll:
    """The state of the die between two rolls."""

    def __init__(self) -> None:
        self.waits = False
        """It was asked for, and is made once everything is at rest (F5)."""
        self.last: Die | None = None
        """Of the roll before, so that its turn can be played again."""
        self._told: Die | None = None

    def show(self, die: Die) -> None:
        """Set the next roll to a real die's face."""
        self._told = die

    def hear(self, state: State, number: int) -> None:
        """Take a requested roll; of a real die and in practice with a face: 1, 2, or 3 for the moon."""
        told = face_told(number)
        if state.options.practice:
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
        real = state.options.die is DieSource.REAL and state.next_face is None and not state.options.practice
        return rolls and real and not paused

    def take(self, state: State) -> Die:
        """Return the face of the die, which lies now."""
        face = state.next_face or self._told
        assert face is not None
        self._told, self.last = None, face
        return face
