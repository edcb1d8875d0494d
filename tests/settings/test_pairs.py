"""Any two command-line options together: both arrive, or an error message refuses one of them by its name."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from support.command_line import run
from support.options_kit import EVERY, NEEDS, OWN, make_value, record_options

from armoon.games import game_names
from armoon.options.option import COMMAND, Option, filter_options
from armoon.settings.preferences import PlayOptions

pytestmark = pytest.mark.slow
#: Options that determine the game and its players; others, like colours and volumes, are independent.
DECIDING = {
    *("game", "camera", "players", "first", "seed", "turns", "resume", "now", "headless", "record", "log"),
    *("stream", "publish", "on_air", "lan", "chat", "obs", "remote", "join", "guests"),
    *("edition", "mode", "trial", "bots", "handicaps", "no_camera"),
}
calls = pytest.fixture(record_options)


def typed_words(option: Option) -> tuple[str, ...]:
    return (option.spelling,) if option.switch is not None else (option.spelling, make_value(option)[1])


def make_command_line(game: str, one: Option, other: Option) -> list[str]:
    both = {one.name, other.name}
    line = ["play"] if both & {"game", "resume"} else ["play", "--game", game]
    line += [] if both & {"camera", "no_camera"} else ["--camera", "demo"]
    if both & {"first", "handicaps", "bots"} and not both & {"players", "resume", "trial"}:
        line += ["--players", "Ann,Ben"]
    for option in (one, other):
        line += () if not option.needs or both & set(option.needs) else NEEDS[option.needs[0]]
    return [*line, *typed_words(one), *typed_words(other)]


def arrived_value(options: PlayOptions, option: Option) -> Any:
    own = option.name in options.game_options.collect_values()
    return options.game_options.collect_values()[option.name] if own else options.value(option.name)


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", game_names())
def test_two_options_both_arrive_or_one_is_refused_by_name(
    game: str, every: int, calls: list[PlayOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("armoon.saves.game_file.read_game_name", lambda folder, which: game)
    alone: list[bool] = []
    monkeypatch.setattr("armoon.cli.play._play_without_camera", lambda *_args: alone.append(True))
    wrong: list[tuple[str, int, str]] = []
    general = {option.name for option in OWN[""]}
    options = [option for _, option in EVERY if option in filter_options((*OWN[""], *OWN[game]), COMMAND)]
    for one, other in itertools.islice(itertools.combinations(options, 2), 0, None, every):
        both = {one.name, other.name}
        if not both & DECIDING or (game != game_names()[0] and both <= general):
            continue  # pairs of general options are tried with the first game only
        calls.clear()
        alone.clear()
        line = make_command_line(game, one, other)
        result = run(*line, columns=300)
        output = " ".join(result.output.split())
        if result.exit_code == 2:
            fine = any(option.spelling in output for option in (one, other)) and not calls
        elif alone:
            fine = result.exit_code == 0 and "no_camera" in (one.name, other.name)
        else:
            fine = result.exit_code == 0 and all(
                arrived_value(calls[0], option) == make_value(option)[2] for option in (one, other)
            )
        wrong += [] if fine else [(" ".join(line), result.exit_code, output[-200:])]
    assert wrong == []
