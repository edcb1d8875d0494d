"""The rules and the slow reference game count the same number of move sequences from fixed positions."""

from __future__ import annotations

import dataclasses

import pytest
from support.lake_games import after_plies, to_slow_game
from support.lake_slow import count

from armoon.games.lake.rules import LakeState, apply_move, legal_moves

#: Positions: players, seed, number of random moves before them, and carries since a star was emptied.
SETUPS = [
    (players, *position)
    for players in (2, 3, 4)
    for position in (
        (1, 0, 0),
        (1, 4, 0),
        (2, 4, 0),
        (3, 24, 0),
        (4, 24, 0),
        (5, 30, 0),
        (6, 24, 10 * players - 2),
    )
]


def perft(state: LakeState, plies: int) -> int:
    moves = legal_moves(state)
    return len(moves) if plies == 1 else sum(perft(apply_move(state, move), plies - 1) for move in moves)


@pytest.mark.parametrize(
    "depth", [3, pytest.param(4, marks=pytest.mark.long)], ids=["three deep", "four deep"]
)
@pytest.mark.parametrize(("players", "seed", "plies", "quiet"), SETUPS)
def test_both_implementations_count_the_same_move_sequences(
    players: int, seed: int, plies: int, quiet: int, depth: int
) -> None:
    """L2 L3 L4 L5 L6 L7 L11"""
    state = dataclasses.replace(after_plies(players, seed, plies), quiet_carries=quiet)
    assert perft(state, depth) == count(to_slow_game(state), depth)
