"""Recorded playthroughs of the lake: each move's effect is compared, and the log replays to the same end.

Refusals and outcomes in them name rulings; the other rulings are listed here with their tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import pytest
from games.lake import test_rules
from support.lake_play import LakeCitations, Playthrough, files, play_through, read_playthrough

from armoon.games.lake.match import MOVES
from armoon.games.lake.rules import LakeRefusal, replay_moves

#: All rulings of the lake game, each in a few words.
RULINGS: dict[str, str] = {
    "L1": "32 stars, 32 pawns, shuffled",
    "L2": "colours are chosen counter-clockwise, play goes clockwise",
    "L3": "a carry: star, floors and direction; the top pawn's strength is the distance",
    "L4": "a carry never visits a star twice",
    "L5": "no colour twice in a stack",
    "L6": "a stack of four is a dream-tower and leaves the board",
    "L7": "a player without a move ends the game",
    "L8": "points: floors times the strength on top",
    "L9": "a stack topped by the neutral colour is worth nothing",
    "L10": "most points wins, equal points share",
    # Not a printed rule: without it, careful players could carry floors back and forth forever.
    "L11": "standstill: ten turns of each player without a star being emptied end the game",
}

GAMES = [read_playthrough(path) for path in files()]

#: Tests of rulings that no refusal and no outcome names.
TESTS: dict[str, Callable[..., None]] = {
    "L1": test_rules.test_each_colour_has_two_pawns_of_each_strength,
    "L2": test_rules.test_seats_choose_counter_clockwise_and_play_clockwise,
    "L8": test_rules.test_a_stack_scores_floors_times_its_top_strength,
    "L9": test_rules.test_a_neutral_top_makes_a_half_worthless,
    "L10": test_rules.test_held_towers_and_the_board_are_counted_separately,
}


@cache
def play_all() -> LakeCitations:
    citations = LakeCitations()
    for game in GAMES:
        play_through(game, citations)
    return citations


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_playthrough_ends_as_written_and_cites_known_rulings(game: Playthrough) -> None:
    state, log = play_through(game)
    assert replay_moves(game.first, log) == state
    moves = json.loads(json.dumps(list(map(MOVES.encode, log))))
    assert replay_moves(game.first, map(MOVES.convert, moves)) == state
    assert game.rulings
    assert set(game.rulings) <= set(RULINGS)
    assert any(step.expected for step in game.steps)


def test_whole_games_of_two_three_and_four_players_are_recorded() -> None:
    ends = {len(game.first.players) for game in GAMES if game.whole and play_through(game)[0].over}
    assert ends == {2, 3, 4}


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_is_named_in_a_playthrough_or_has_a_test(ruling: str) -> None:
    assert (ruling in play_all().rulings) != (ruling in TESTS), "it must be in exactly one of the two"


def test_every_refusal_occurs_in_a_playthrough() -> None:
    assert set(LakeRefusal) == play_all().refusals


def test_a_victory_is_shared_in_a_playthrough() -> None:
    """L10"""
    expected = [line.split() for game in GAMES for step in game.steps for line in step.expected]
    assert any(words[0] == "wins" and len(words) > 2 for words in expected)
