"""Recorded playthroughs: every event's verdict and state, and the log that replays to the same end."""

from __future__ import annotations

import json

import pytest
from support.moon_play import Playthrough, files, play, read

from armoon.games.moon.rules.game import replay
from armoon.games.moon.rules.rulings import RULINGS
from armoon.games.moon.table.saved import MOVES, setup_from_plain, setup_to_plain

GAMES = [read(path) for path in files()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_playthrough(game: Playthrough) -> None:
    state, log = play(game)
    assert replay(game.first, log) == state
    written = json.dumps([setup_to_plain(game.first), *map(MOVES.encode, log)])
    setup, *moves = json.loads(written)
    assert replay(setup_from_plain(setup), map(MOVES.convert, moves)) == state


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_playthrough_cites_known_rulings_and_expects_something(game: Playthrough) -> None:
    assert game.rulings
    assert set(game.rulings) <= set(RULINGS)
    assert any(step.expected for step in game.steps)


def test_there_are_enough() -> None:
    assert len(GAMES) >= 40
