"""Recorded playthroughs of the lake: every move's effect, and the log that replays to the same end."""

from __future__ import annotations

import json

import pytest
from support.lake_play import Playthrough, files, play, read

from armoon.games.lake.rules.game import replay
from armoon.games.lake.table.setup import MOVES, setup_from_plain, setup_to_plain

GAMES = [read(path) for path in files()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_playthrough(game: Playthrough) -> None:
    state, log = play(game)
    assert replay(game.first, log) == state
    moves = json.loads(json.dumps(list(map(MOVES.encode, log))))
    first = setup_from_plain(json.loads(json.dumps(setup_to_plain(game.first)))) if game.whole else game.first
    assert replay(first, map(MOVES.convert, moves)) == state


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_playthrough_cites_known_rulings_and_expects_something(game: Playthrough) -> None:
    assert game.rulings
    assert set(game.rulings) <= {f"L{number}" for number in range(1, 12)}
    assert any(step.expected for step in game.steps)


def test_whole_games_of_two_three_and_four_are_among_them() -> None:
    ends = {len(game.first.players) for game in GAMES if game.whole and play(game)[0].over}
    assert ends == {2, 3, 4}
