"""Points of the lake game: floors times the strength of the pawn on top (rulings L8, L9)."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import Colour, Part, Stack


@dataclass(frozen=True)
class Tally:
    """One player's points."""

    held: int
    """From towers and halves."""
    board: int
    """From the stacks still on the board that the player's colours top."""

    @property
    def total(self) -> int:
        """All points."""
        return self.held + self.board


def stack_points(stack: Stack) -> int:
    """Floors times the strength on top (ruling L8)."""
    return len(stack) * stack[-1].strength


def part_points(part: Part, neutral: Colour | None) -> int:
    """Return the points of a held tower or half: none if the tower's fourth floor is neutral (rulings L8, L9)."""
    return 0 if part.tower_top.colour is neutral else stack_points(part.pawns)


def tallies(state: State) -> tuple[Tally, ...]:
    """Each player's points as the position stands."""
    neutral = state.neutral
    board = [0] * len(state.players)
    for stack in filter(None, state.stars):
        owner = state.owner(stack[-1].colour)
        if owner is not None:
            board[owner] += stack_points(stack)
    return tuple(
        Tally(sum(part_points(part, neutral) for part in parts), on_board)
        for parts, on_board in zip(state.held, board, strict=True)
    )


def points(state: State) -> tuple[int, ...]:
    """Each player's sum (rulings L8 to L10)."""
    return tuple(tally.total for tally in tallies(state))
