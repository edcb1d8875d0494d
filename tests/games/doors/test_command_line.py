"""What `armoon play` takes and refuses for every game."""

from __future__ import annotations

from pathlib import Path

import pytest
from games.drivers import DRIVERS
from games.drivers.driver import Driver
from support.doors_kit import asked_to_play, command, in_one_sentence, options_of

from armoon.games import GAMES
from armoon.games.contract import load_kind
from armoon.saves.game_file import GameFile

WRONG = [(d.name, names) for d in DRIVERS.values() for names in d.wrong_players]
LACKS = [(d.name, option) for d in DRIVERS.values() for option in d.lacks_options]
WITH_BOTS = [d.name for d in DRIVERS.values() if d.bots]
CAMERA = ("--camera", "0")
#: The command line's own words are made when the program starts: the toy comes in later.
KNOWN = tuple(GAMES)


def test_every_game_has_a_driver() -> None:
    assert set(DRIVERS) == set(GAMES)


def test_help_names_every_game(home: object) -> None:
    told = command("play", "--help").output
    for name in KNOWN:
        assert name in told


def test_a_game_is_asked_for_by_its_name(driver: Driver, home: object) -> None:
    options = options_of("--game", driver.name, "--players", driver.players, *CAMERA)
    assert options.game == driver.name
    assert options.players == tuple(driver.players.split(","))


def test_a_game_that_isnt_there_is_refused_with_those_that_are(home: object) -> None:
    said = in_one_sentence(asked_to_play("--game", "chess", *CAMERA)[0])
    for name in GAMES:
        assert name in said


@pytest.mark.parametrize(("name", "players"), WRONG)
def test_a_party_of_the_wrong_size_is_refused(name: str, players: str, home: object) -> None:
    said = in_one_sentence(asked_to_play("--game", name, "--players", players, *CAMERA)[0])
    assert "--players" in said


@pytest.mark.parametrize(("name", "option"), LACKS, ids=[f"{name}{option[0]}" for name, option in LACKS])
def test_an_option_that_means_nothing_here_is_refused(
    name: str, option: tuple[str, ...], home: object
) -> None:
    players = DRIVERS[name].players
    result, asked = asked_to_play("--game", name, "--players", players, *CAMERA, *option)
    assert not asked, "it is taken, and nothing comes of it"
    assert option[0].strip("-") in in_one_sentence(result)


@pytest.mark.parametrize("name", WITH_BOTS)
def test_bots_play_alone(name: str, home: Path) -> None:
    driver = DRIVERS[name]
    arguments = ("--game", name, "--bots", driver.bots, "--no-camera", "--seed", "1", *driver.short)
    done = command("play", *arguments)
    assert done.exit_code == 0, done.output
    assert "win" in done.output or "victory" in done.output
    (saved,) = home.glob("shown-*.armoon")
    kept = GameFile.read_saved(saved)
    summary = load_kind(name).saves.summarize(kept)
    assert summary.over, "the whole game is saved"
    assert all(any(player in line for line in done.output.splitlines()) for player in summary.players)
