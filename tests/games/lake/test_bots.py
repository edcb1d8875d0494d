"""The lake's bots play legal and reproducible moves, and the stronger bot wins."""

from __future__ import annotations

import itertools
import os
import signal
import time
from contextlib import closing

import pytest
from support.lake_games import NAMES, after_plies
from support.lake_play import make_position
from support.lake_table_kit import lake_setup

from armoon.clock import TICK_S
from armoon.engine.setup import Intake
from armoon.games.lake.bot import WIN_VALUE, Search, choose_move, play_bots
from armoon.games.lake.play import LakeBots
from armoon.games.lake.rules import (
    Carry,
    Colour,
    Direction,
    LakePhase,
    LakeState,
    Strength,
    apply_move,
    count_points,
    create_state,
    find_outcome,
    legal_moves,
)

AMBER, JADE, RUBY, SAPPHIRE = Colour
OF_TWO = ((AMBER, JADE), (RUBY, SAPPHIRE))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_search_lists_the_legal_carries_and_their_points(players: int) -> None:
    """L3 L4 L5 L6 L8 L9: gains are exact; if both directions lead to the same star, only one carry is listed."""
    for seed, plies in itertools.product(range(3), range(5, 40, 3)):
        state = after_plies(players, seed, plies)
        if state.phase is not LakePhase.CARRY:
            continue
        gains = Search(state).list_gains()
        allowed = {move for move in legal_moves(state) if isinstance(move, Carry)}
        listed = {carry for _, carry in gains}
        assert listed <= allowed
        assert {apply_move(state, move) for move in listed} == {apply_move(state, move) for move in allowed}
        for gain, carry in gains:
            after = apply_move(state, carry)
            if after.phase is not LakePhase.SPLIT:
                assert gain == measure_lead(after, state.player) - measure_lead(state, state.player)


def measure_lead(state: LakeState, seat: int) -> int:
    total = count_points(state)
    return len(total) * total[seat] - sum(total)


def minimax(state: LakeState, seat: int, plies: int) -> int:
    """Compute the search's value by brute force; a carry and its split are one ply.

    As in the search, the last ply counts the points that a carry wins, but not the end of the game.
    """
    if state.phase is not LakePhase.SPLIT:
        if plies == 0:
            return measure_lead(state, seat)
        if state.over:
            ahead = measure_lead(state, seat)
            return ahead + (WIN_VALUE if ahead > 0 else -WIN_VALUE if ahead < 0 else 0)
        plies -= 1
    values = [minimax(apply_move(state, move), seat, plies) for move in legal_moves(state)]
    return max(values) if state.player == seat else min(values)


@pytest.mark.parametrize(("players", "plies"), [(2, 3), (3, 2), (3, 3), (4, 1), (4, 2)])
def test_the_search_finds_the_same_carry_as_brute_force(players: int, plies: int) -> None:
    """L3 L6 L7 L8 L9: in the middle and near the end of games, if all opponents play against the searching player."""
    compared = 0
    for seed, before in itertools.product(range(3), (24, 28, 34)):
        state = after_plies(players, seed, before)
        if state.phase is not LakePhase.CARRY or len(legal_moves(state)) < 2:
            continue
        result = Search(state).find_best_carry(nodes=10**6, max_plies=plies)
        after = {move: apply_move(state, move) for move in legal_moves(state)}
        values = {move: minimax(reply, state.player, result.depth - 1) for move, reply in after.items()}
        assert result.value == max(values.values())
        assert values[result.carry] == result.value
        compared += 1
    assert compared >= 3


def test_the_strong_bot_plays_a_winning_position_to_a_win() -> None:
    """L7: jade can cover the last pawn that Ben could move."""
    state = make_position(NAMES[:2], "0:J1 1:R1 7:A4 12:S2", OF_TWO)
    search = Search(state).find_best_carry(1000)
    assert search.value > WIN_VALUE
    after = apply_move(state, search.carry)
    for _ in range(10):
        if not after.over:
            after = apply_move(after, choose_move(after, Strength.STRONG, nodes=1000))
    result = find_outcome(after)
    assert result is not None
    assert result.winners == (0,)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("strength", Strength)
def test_bots_play_whole_games_by_the_rules(players: int, strength: Strength) -> None:
    """L2 L6 L7: moves are legal in every phase, and a repeated search finds the same move."""
    state = create_state(NAMES[:players], 11)
    while not state.over:
        move = choose_move(state, strength, nodes=60)
        assert move in legal_moves(state)
        assert choose_move(state.without_history(), strength, nodes=60) == move
        state = apply_move(state, move)


def test_a_budget_of_nodes_limits_the_search() -> None:
    state = after_plies(2, 1, 6)
    result = Search(state).find_best_carry(nodes=500)
    assert result.nodes <= 501
    more = Search(state).find_best_carry(nodes=5000)
    assert more.depth > result.depth >= 2
    assert Search(state).find_best_carry(nodes=5000) == more


def test_a_split_keeps_the_better_half_and_gives_the_other_to_the_weaker_player() -> None:
    """L6"""
    state = make_position(NAMES[:3], "0:A1 1:J2S3R4 10:J1 20:R4", ((AMBER,), (JADE,), (RUBY,)))
    tower = apply_move(state, Carry(0, 1, Direction.CLOCKWISE))
    split = choose_move(tower, Strength.STRONG)
    after = apply_move(tower, split)
    assert count_points(after) == (6, 3, 4)


@pytest.mark.slow
@pytest.mark.parametrize("games", [20, pytest.param(100, marks=pytest.mark.long)])
def test_the_strong_bot_beats_the_weak_one(games: int) -> None:
    """L10: it wins nine games in ten, even with fewer nodes than usual."""
    won = 0
    for seed, seat in itertools.product(range(games // 2), (0, 1)):
        strengths = [Strength.WEAK, Strength.WEAK]
        strengths[seat] = Strength.STRONG
        outcome = find_outcome(play_bots(strengths, seed, first=seed // 2 % 2, nodes=400))
        won += outcome is not None and outcome.winners == (seat,)
    assert won >= 0.9 * games


def test_a_bot_still_moves_after_its_search_process_was_killed() -> None:
    match, killed = lake_setup(bots=(Strength.STRONG, None)).match(), False
    with closing(match), closing(LakeBots(background=True, pause_ticks=0)) as bots:
        for frame in range(60 * 600):
            commands = bots.collect_commands(match)
            match.advance(Intake((frame + 1) * TICK_S, 1, None, commands))
            if commands:
                assert killed
                return
            if bots._worker is not None and not killed:
                os.kill(bots._worker.pid, signal.SIGKILL)
                killed = True
            time.sleep(0.01)
        pytest.fail("the bot never moved")
