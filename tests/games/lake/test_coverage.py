"""Recorded playthroughs of the lake; every ruling has a test: the rules name it in one, or the table says where.

Of a playthrough every move's effect is compared, and its log replays to the same end.

A refusal stands for a ruling, and an outcome names one. What neither can name is set up or counted; each of these
stands below with the test that shows it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import pytest
from games.lake import test_rules
from support.lake_play import Playthrough, Said, files, play, read

from armoon.games.lake.match import MOVES, decode_setup, encode_setup
from armoon.games.lake.rules import LakeRefusal, replay_moves

#: Every ruling of the lake game and its subject in a few words.
RULINGS: dict[str, str] = {
    "L1": "32 stars, 32 pawns, shuffled",
    "L2": "colours are chosen counter-clockwise, play goes clockwise",
    "L3": "a carry: star, floors and direction; it lands as far as the top pawn is strong",
    "L4": "a carry never visits a star twice",
    "L5": "no colour twice in a stack",
    "L6": "a stack of four is a dream-tower and leaves the board",
    "L7": "who has no move ends the game",
    "L8": "points: floors times the strength on top",
    "L9": "what the neutral colour tops is worth nothing",
    "L10": "most points wins, equal points share",
    # Ours: upper floors can be carried to and fro endlessly, so that two careful players might never end.
    "L11": "standstill: ten turns of each player without a star being emptied end the game",
}

GAMES = [read(path) for path in files()]

#: Rulings that neither a refusal nor an outcome names, and what shows them.
SHOWN: dict[str, Callable[..., None]] = {
    "L1": test_rules.test_the_pawns,
    "L2": test_rules.test_who_chooses_and_who_plays_first,
    "L8": test_rules.test_points_of_a_stack,
    "L9": test_rules.test_points_of_a_half,
    "L10": test_rules.test_held_and_board_are_told_apart,
}


@cache
def said() -> Said:
    whole = Said()
    for game in GAMES:
        play(game, whole)
    return whole


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_playthrough_comes_out_as_written_and_cites_known_rulings(game: Playthrough) -> None:
    state, log = play(game)
    assert replay_moves(game.first, log) == state
    moves = json.loads(json.dumps(list(map(MOVES.encode, log))))
    first = decode_setup(json.loads(json.dumps(encode_setup(game.first)))) if game.whole else game.first
    assert replay_moves(first, map(MOVES.convert, moves)) == state
    assert game.rulings
    assert set(game.rulings) <= set(RULINGS)
    assert any(step.expected for step in game.steps)


def test_whole_games_of_two_three_and_four_are_among_them() -> None:
    ends = {len(game.first.players) for game in GAMES if game.whole and play(game)[0].over}
    assert ends == {2, 3, 4}


@pytest.mark.parametrize("ruling", RULINGS)
def test_a_ruling_is_named_by_the_rules_or_shown(ruling: str) -> None:
    assert (ruling in said().rulings) != (ruling in SHOWN), "what the rules name needs no place in the table"


def test_every_refusal_is_brought_about() -> None:
    assert set(LakeRefusal) == said().refusals


def test_a_victory_is_shared_in_a_playthrough() -> None:
    """L10"""
    assert any(
        len(told.split()) > 2
        for g in GAMES
        for s in g.steps
        for told in s.expected
        if told.startswith("wins ")
    )
