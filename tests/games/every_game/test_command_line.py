"""`armoon play` for every game: refused options, and games between bots."""

from __future__ import annotations

from pathlib import Path

import pytest
from games.drivers import DRIVERS
from support.table_kit import command, one_sentence, request_play

from armoon.games import GAMES
from armoon.games.contract import load_kind
from armoon.saves.game_file import GameFile

WRONG = [(d.name, names) for d in DRIVERS.values() for names in d.wrong_players]
LACKS = [(d.name, option) for d in DRIVERS.values() for option in d.lacks_options]
WITH_BOTS = [d.name for d in DRIVERS.values() if d.bots]
CAMERA = ("--camera", "0")


def test_every_game_has_a_driver() -> None:
    assert set(DRIVERS) == set(GAMES)


@pytest.mark.parametrize(("name", "players"), WRONG)
def test_a_party_of_the_wrong_size_is_refused(name: str, players: str, home: object) -> None:
    sentence = one_sentence(request_play("--game", name, "--players", players, *CAMERA)[0])
    assert "--players" in sentence


@pytest.mark.parametrize(("name", "option"), LACKS, ids=[f"{name}{option[0]}" for name, option in LACKS])
def test_an_unsupported_option_is_refused(name: str, option: tuple[str, ...], home: object) -> None:
    players = DRIVERS[name].players
    result, calls = request_play("--game", name, "--players", players, *CAMERA, *option)
    assert not calls, "the option was accepted without effect"
    assert option[0].strip("-") in one_sentence(result)


@pytest.mark.parametrize("name", WITH_BOTS)
def test_bots_play_alone(name: str, home: Path) -> None:
    driver = DRIVERS[name]
    arguments = ("--game", name, "--bots", driver.bots, "--no-camera", "--seed", "1", *driver.short)
    result = command("play", *arguments)
    assert result.exit_code == 0, result.output
    assert "win" in result.output or "victory" in result.output
    (saved,) = home.glob("shown-*.armoon")
    saved_game = GameFile.read_saved(saved)
    summary = load_kind(name).summarise(saved_game)
    assert summary.over, "the whole game is saved"
    assert all(any(player in line for line in result.output.splitlines()) for player in summary.players)
