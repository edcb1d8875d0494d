"""`armoon players`: profiles from the command line; broken files and unwritable folders are reported."""

from __future__ import annotations

import datetime
import sys
import tempfile
import types
from pathlib import Path

import platformdirs
import pytest
from support.command_line import run
from support.saves_kit import begin_save, new_game

from armoon import messages
from armoon.games.moon.editions import Die
from armoon.games.moon.figures import Figure, FigureKind, Figures
from armoon.games.moon.turn import Draw, LetGo, Roll, Settle, Take
from armoon.saves.profiles import Profile, load_profiles
from armoon.values.choices import HandPreference
from armoon.values.player_settings import NO_HANDICAP, Handicap
from armoon.values.poses import Pose


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("players", "games", "play"):
        monkeypatch.setattr(f"armoon.cli.{name}.announce_games_folder", lambda: tmp_path)
    monkeypatch.setattr(messages, "_language", "en")
    monkeypatch.setenv("COLUMNS", "160")
    return tmp_path


def test_a_profile_is_made_changed_and_shown(folder: Path) -> None:
    assert "No profiles yet" in run("players", "list").output
    result = run("players", "set", "Ann", "--colour", "rose", "--hand", "left", "--born", "2011-02-28")
    assert result.exit_code == 0, result.output
    run("players", "set", "Ann", "--full-moon", "2025-11-05")
    run("players", "set", "Ben")
    ann = Profile(
        "Ann", "#cc79a7", HandPreference.LEFT, None, datetime.date(2011, 2, 28), datetime.date(2025, 11, 5)
    )
    assert load_profiles(folder).profiles[0] == ann
    assert "Ben" in run("players", "list").output
    line = next(line for line in run("players", "show", "Ann").output.splitlines() if "Ann" in line)
    cells = [cell.strip() for cell in line.split("│")[1:-1]]
    assert cells == ["Ann", "rose", "left", "–", "2011-02-28", "2025-11-05", "–"]
    run("players", "set", "Ann", "--born", "none")
    assert load_profiles(folder).find_profile("Ann").born is None


def test_a_handicap_is_kept_and_shown(folder: Path) -> None:
    result = run("players", "set", "Ann", "--handicap", "spared:2+hints:1")
    assert result.exit_code == 0, result.output
    assert load_profiles(folder).find_profile("Ann").handicap == Handicap(2, 1)
    output = " ".join(run("players", "show", "Ann").output.replace("│", " ").split())
    assert "2 mistakes" in output
    run("players", "set", "Ann", "--handicap", "-")
    assert load_profiles(folder).find_profile("Ann").handicap == NO_HANDICAP


@pytest.mark.parametrize(
    "wrong",
    [
        ("--colour", "pink"),
        ("--hand", "foot"),
        ("--born", "28.2.2011"),
        ("--born", "2999-01-01"),
        ("--full-moon", "soon"),
        ("--handicap", "tears:2"),
        ("--handicap", "spared:10"),
    ],
)
def test_an_invalid_profile_is_refused_and_not_kept(folder: Path, wrong: tuple[str, str]) -> None:
    assert run("players", "set", "Ann", *wrong).exit_code == 2
    assert load_profiles(folder).profiles == ()


def test_games_show_lists_the_figures_of_each_player(folder: Path) -> None:
    first = new_game(1)
    recorder = begin_save(folder / "a.armoon", first)
    piece = first.supply[0]
    first_game = Figures(
        1, 0, piece, tuple(Figure(FigureKind(kind), piece, ("L01",)) for kind in ("candle", "swing", "swing"))
    )
    standing = ((piece, Pose((0.0, 0.0, 0.1))),)
    face = first.fixed_face
    assert face is not None
    touched = first.starting if face is Die.TWO else first.starting[:1]
    moves = (Roll(face), Draw(piece), Take(), LetGo(), Settle(touched, 1.1, "L01", 0.1))
    try:
        recorder.write_moves(moves, standing, at_rest=True, figures=(first_game,))
    finally:
        recorder.file.close()
    output = run("games", "show", "a").output
    ana = next(line for line in output.splitlines() if "Ana" in line and "│" in line)
    assert "Candle: 1 time, Swing: 2 times" in ana
    assert "time" not in next(line for line in output.splitlines() if "Ben" in line and "│" in line)


def test_every_command_that_reads_a_broken_file_reports_it(folder: Path) -> None:
    run("players", "set", "Ann")
    path = folder / "players.json"
    broken = path.read_text().replace('"either"', '"both"')
    for words in (("list",), ("show", "Ann"), ("set", "Ben"), ("list",)):
        message = run("players", *words).stderr if path.write_text(broken) else ""
        assert "players.json is broken" in " ".join(message.split()), words
    assert path.with_name("players.json.broken").read_text() == broken


@pytest.mark.parametrize(
    "words",
    [
        ("players", "list"),
        ("players", "set", "Ann"),
        ("games", "list"),
        ("games", "scores"),
        ("trials", "bests"),
        ("play", "--headless"),
    ],
)
def test_an_unwritable_home_is_reported_with_its_replacement(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(blocked / "data"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    monkeypatch.setattr(messages, "_language", "en")
    app = types.ModuleType("armoon.app")
    app.play = lambda options: 0  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "armoon.app", app)
    message = run(*words).stderr
    assert f"{blocked / 'data' / 'games'} can't be written" in message
    assert str(tmp_path / "temporary" / "armoon-games") in message
