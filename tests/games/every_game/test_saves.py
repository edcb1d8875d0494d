"""Every game resumes after any exit; saved games are listed, shown and exported, and results are counted."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from games.drivers import DRIVERS
from games.drivers.driver import Driver
from games.every_game.steps import grab_piece, write_settings
from support import table_child
from support.table_kit import AnyTable, IdealTable, Seats, command, parse_options

from armoon.messages import LANGUAGES, text
from armoon.saves.game_file import GameFile
from armoon.saves.profiles import load_results

#: Time until the score on the screen includes flying points, in seconds.
SCORED_S = 3.0


def visible_state(table: AnyTable) -> tuple[object, ...]:
    hud = table.scene.hud
    return (hud.players, hud.tears_left, hud.ladders_left_text, hud.height_text)


def begin_game(driver: Driver, seat: Seats, turns: int = 2) -> IdealTable:
    table = seat(driver.name, "--players", driver.players)
    for _ in range(turns):
        driver.play_turn(table)
    table.rest(SCORED_S)
    return table


def finish_game(driver: Driver, seat: Seats) -> IdealTable:
    table = seat(driver.name, "--players", driver.players, *driver.short)
    driver.finish_game(table)
    table.rest(1.0)
    table.close()
    return table


# Resuming ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", ["in order", "killed"])
def test_a_saved_game_resumes(driver: Driver, left: str, home: Path, seat: Seats) -> None:
    table = begin_game(driver, seat)
    if left == "killed":
        # Copy the file before the table is closed.
        path = Path(shutil.copyfile(table.path, home / "killed.armoon"))
    else:
        table.close()
        path = table.path
    before = visible_state(table)
    resumed = seat(driver.name, "--resume", str(path))
    resumed.rest(0.5)
    assert visible_state(resumed) == before
    assert resumed.on_turn == table.on_turn
    player = resumed.on_turn
    driver.play_turn(resumed)
    assert resumed.on_turn != player


def test_a_game_is_resumed_without_its_kind_on_the_command_line(driver: Driver, seat: Seats) -> None:
    begin_game(driver, seat).close()
    assert parse_options("--camera", "0", "--resume", "1").game == driver.name


def test_an_interrupted_turn_starts_again(driver: Driver, home: Path, seat: Seats) -> None:
    table = begin_game(driver, seat)
    grab_piece(driver, table)
    path = Path(shutil.copyfile(table.path, home / "killed.armoon"))
    resumed = seat(driver.name, "--resume", str(path))
    resumed.rest(0.5)
    assert resumed.scene.hud.players == table.scene.hud.players
    assert not resumed.game.match.holding


# games list, show, export, scores ---------------------------------------------------------------------------


def list_rows(kind: str, stem: str) -> list[str]:
    listed = command("games", kind)
    assert listed.exit_code == 0, listed.output
    return [line for line in listed.output.splitlines() if stem in line]


def test_an_unfinished_game_is_listed_shown_and_exported(driver: Driver, tmp_path: Path, seat: Seats) -> None:
    table = begin_game(driver, seat)
    names = driver.players.split(",")
    for state in ("interrupted", "paused"):
        (row,) = list_rows("list", table.path.stem)
        assert all(name in row for name in names)
        assert text(f"games.state.{state}") in row
        table.close()
    result = command("games", "show", "1")
    assert result.exit_code == 0, result.output
    assert all(word in result.output for word in (*names, "resumed"))
    assert command("games", "export", "1", str(tmp_path / "moves.json")).exit_code == 0
    exported = json.loads((tmp_path / "moves.json").read_text(encoding="utf-8"))
    assert (exported["game"], len(exported["moves"])) == (driver.name, len(table.saved.moves))


def test_a_finished_game_is_listed_shown_exported_and_counted(
    driver: Driver, home: Path, tmp_path: Path, seat: Seats
) -> None:
    table = finish_game(driver, seat)
    names = driver.players.split(",")
    (row,) = list_rows("list", table.path.stem)
    assert text("games.state.over") in row
    (result,) = load_results(home).results
    assert (result.game, list(result.players)) == (table.path.stem, names)
    assert result.winners
    assert command("games", "export", "1", str(tmp_path / "score.csv")).exit_code == 0
    rows = list(csv.DictReader((tmp_path / "score.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["player"] for row in rows} == set(names)
    assert all(None not in row and None not in row.values() for row in rows), (
        "every row has a value in each column"
    )
    details, scores = command("games", "show", "1"), command("games", "scores")
    assert (details.exit_code, scores.exit_code) == (0, 0)
    assert "over" in details.output
    assert "win" in details.output or "victory" in details.output
    assert all(name in scores.output for name in names)
    for language in LANGUAGES:
        write_settings(language=language)
        outputs = [command("games", *words).output for words in (("list",), ("show", "1"), ("scores",))]
        assert text("games.column.player") in outputs[1]
        assert text("games.column.played") in outputs[2]
        assert all("{" not in words for words in outputs)


def test_a_game_that_ends_again_has_one_result(driver: Driver, home: Path, seat: Seats) -> None:
    """Undoing the last turn reopens the game and removes its result."""
    table = seat(driver.name, "--players", driver.players, *driver.short)
    driver.finish_game(table)
    assert len(load_results(home).results) == 1
    table.press("u")
    table.until(lambda: not table.game.match.over, "the undone turn")
    assert load_results(home).results == ()
    driver.finish_game(table)
    assert len(load_results(home).results) == 1


# A real kill -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "driver",
    [name if name == "moon" else pytest.param(name, marks=pytest.mark.long) for name in DRIVERS],
    indirect=True,
)
def test_the_save_of_a_killed_program_resumes(driver: Driver, home: Path, seat: Seats) -> None:
    """The program is killed by SIGKILL while a hand holds a piece."""
    child = subprocess.Popen(
        [sys.executable, table_child.__file__, driver.name],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert child.stdout is not None
    report = json.loads(child.stdout.readline())
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    assert not GameFile.read_saved(Path(report["path"])).closed
    table = seat(driver.name, "--resume", report["path"])
    table.rest(0.5)
    assert [player.name for player in table.scene.hud.players] == report["players"]
    assert table.on_turn == report["on_turn"]
    driver.play_turn(table)
