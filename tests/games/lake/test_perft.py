"""How many sequences of moves there are from fixed positions: pinned, and confirmed by the slow game."""

from __future__ import annotations

import dataclasses

import pytest
from support.lake_games import after_plies, slow_of
from support.lake_slow import count

from armoon.games.lake.rules.game import apply, legal
from armoon.games.lake.rules.values import LakeState

#: (players, seed, random moves before, quiet turns before): sequences of 1, 2, 3 and 4 moves.
PERFT: dict[tuple[int, int, int, int], tuple[int, ...]] = {
    (2, 1, 0, 0): (4, 12, 288, 6576),
    (2, 1, 4, 0): (22, 534, 11048, 253481),
    (2, 2, 4, 0): (19, 468, 9064, 208776),
    (2, 3, 24, 0): (13, 112, 977, 7224),
    (2, 4, 24, 0): (11, 104, 1044, 9550),
    (2, 5, 30, 0): (3, 17, 60, 326),
    (2, 6, 24, 18): (15, 151, 1901, 18829),
    (3, 1, 0, 0): (4, 12, 24, 576),
    (3, 1, 4, 0): (21, 535, 12981, 264964),
    (3, 2, 4, 0): (27, 675, 18405, 493814),
    (3, 3, 24, 0): (16, 204, 2451, 35258),
    (3, 4, 24, 0): (4, 36, 600, 6628),
    (3, 5, 30, 0): (12, 167, 1552, 16380),
    (3, 6, 24, 28): (22, 339, 2253, 36209),
    (4, 1, 0, 0): (4, 12, 24, 288),
    (4, 1, 4, 0): (13, 99, 1114, 13361),
    (4, 2, 4, 0): (12, 94, 1343, 14614),
    (4, 3, 24, 0): (7, 41, 216, 434),
    (4, 4, 24, 0): (4, 34, 206, 854),
    (4, 5, 30, 0): (5, 17, 66, 229),
    (4, 6, 24, 38): (5, 36, 59, 199),
}


def perft(state: LakeState, plies: int) -> int:
    moves = legal(state)
    return len(moves) if plies == 1 else sum(perft(apply(state, move), plies - 1) for move in moves)


def position(setup: tuple[int, int, int, int]) -> LakeState:
    players, seed, plies, quiet = setup
    state = after_plies(players, seed, plies)
    return dataclasses.replace(state, quiet=quiet) if quiet else state


@pytest.mark.parametrize("setup", sorted(PERFT))
def test_three_moves_deep(setup: tuple[int, int, int, int]) -> None:
    """L2 L3 L4 L5 L6 L7 L11: two generators that share nothing count the same."""
    state = position(setup)
    found = [(perft(state, plies), count(slow_of(state), plies)) for plies in (1, 2, 3)]
    assert found == [(pinned, pinned) for pinned in PERFT[setup][:3]]


@pytest.mark.long
@pytest.mark.parametrize("setup", sorted(PERFT))
def test_four_moves_deep(setup: tuple[int, int, int, int]) -> None:
    """L2 L3 L4 L5 L6 L7 L11"""
    state = position(setup)
    assert perft(state, 4) == count(slow_of(state), 4) == PERFT[setup][3]
