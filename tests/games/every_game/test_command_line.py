"""`armoon play` for every game: options accepted and refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from games.drivers import DRIVERS
from games.drivers.driver import Driver
from support.table_kit import command, one_sentence, options_of, request_play

from armoon.games import GAMES
from armoon.games.contract import load_kind
from armoon.saves.game_file import GameFile

WRONG = [(d.name, names) for d in DRIVERS.values() for names in d.wrong_players]
LACKS = [(d.name, option) for d in DRIVERS.values() for option in d.lacks_options]
WITH_BOTS = [d.name for d in DRIVERS.values() if d.bots]
CAMERA = ("--camera", "0")
#: Games registered when the command line is built; the toy is added later.
KNOWN = tuple(GAMES)


def test_every_game_has_a_driver() -> None:
    assert set(DRIVERS) == set(GAMES)


def test_help_names_every_game(home: object) -> None:
    output = command("play", "--help").output
    for name in KNOWN:
        assert name in output


def test_a_game_is_chosen_by_its_name(driver: Driver, home: object) -> None:
    options = options_of("--game", driver.name, "--players", driver.players, *CAMERA)
    assert options.game == driver.name
    assert options.players == tuple(driver.players.split(","))


def test_an_unknown_game_is_refused_with_the_known_ones(home: object) -> None:
    sentence = one_sentence(request_play("--game", "chess", *CAMERA)[0])
    for name in GAMES:
        assert name in sentence


@pytest.mark.parametrize(("name", "players"), WRONG)
def test_a_party_of_the_wrong_size_is_refused(name: str, players: str, home: object) -> None:
    sentence = one_sentence(request_play("--game", name, "--players", players, *CAMERA)[0])
    assert "--players" in sentence


@pytest.mark.parametrize(("name", "option"), LACKS, ids=[f"{name}{option[0]}" for name, option in LACKS])
def test_an_option_without_meaning_for_a_game_is_refused(
    name: str, option: tuple[str, ...], home: object
) -> None:
    players = DRIVERS[name].players
    result, asked = request_play("--game", name, "--players", players, *CAMERA, *option)
    assert not asked, "accepted without effect"
    assert option[0].strip("-") in one_sentence(result)


@pytest.mark.parametrize("name", WITH_BOTS)
def test_bots_play_alone(name: str, home: Path) -> None:
    driver = DRIVERS[name]
    arguments = ("--game", name, "--bots", driver.bots, "--no-camera", "--seed", "1", *driver.short)
    done = command("play", *arguments)
    assert done.exit_code == 0, done.output
    assert "win" in done.output or "victory" in done.output
    (saved,) = home.glob("shown-*.armoon")
    kept = GameFile.read_saved(saved)
    summary = load_kind(name).summarize(kept)
    assert summary.over, "the whole game is saved"
    assert all(any(player in line for line in done.output.splitlines()) for player in summary.players)
