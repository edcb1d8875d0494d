"""`armoon games`: lists, shows and exports the games of any folder, and prints the scores."""

from __future__ import annotations

import csv
import io
import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from support.command_line import run
from support.saves_kit import PROGRAM, START_TIME, begin_save, new_game, open_save, play_game

from armoon.cli import games as games_cli
from armoon.games.library import list_games
from armoon.games.moon.editions import Die
from armoon.games.moon.records import list_ladder_heights, make_result
from armoon.games.moon.saving import load_state, load_verdicts, resume_setup
from armoon.games.moon.turn import Draw, LetGo, Roll, Settle, Take
from armoon.saves.files import SaveError
from armoon.saves.game_file import GameFile, create_named, find_game
from armoon.saves.profiles import store_result
from armoon.values.poses import Pose


@pytest.fixture(autouse=True)
def _games_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_cli, "announce_games_folder", lambda: tmp_path)


def print_games(*words: str) -> str:
    result = run("games", *words, columns=120)
    assert (result.exit_code, result.exception) == (0, None)
    return result.output


def set_age(path: Path, hours: int) -> Path:
    when = 1_700_000_000 - 3600 * hours
    os.utime(path, (when, when))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    play_game(tmp_path / "moon-1.armoon", 5)
    play_game(tmp_path / "moon-2.armoon", 8, ladders=None, events=25)
    damaged = tmp_path / "old.armoon"
    play_game(damaged, 7, events=25)
    damaged.write_bytes(damaged.read_bytes()[:-2])
    GameFile.create(tmp_path / "lake.armoon", {}, game="lake", begun=START_TIME, program=PROGRAM).close()
    (tmp_path / "junk.armoon").write_bytes(b"junk")
    (tmp_path / "notes.txt").write_text("no game")
    for hours, name in enumerate(("moon-2", "moon-1", "old", "lake", "junk")):
        set_age(tmp_path / f"{name}.armoon", hours)
    return tmp_path


def test_the_list_has_a_line_for_every_game_the_newest_first(folder: Path) -> None:
    printed = print_games("list")
    rows = [line for line in printed.splitlines() if ".armoon" not in line and "│" in line]
    assert [row.split("│")[2].strip() for row in rows] == ["moon-2", "moon-1", "old", "lake", "junk"]
    killed, finished, damaged, lake, junk = rows
    assert "interrupted" in killed
    assert "2026-05-04 20:15" in killed
    assert "Ana, Ben, Cleo" in killed
    assert "over" in finished
    assert "damaged" in damaged
    assert "lake" in lake
    assert "can't be read" in junk
    assert "not a saved game of armoon" in printed
    assert "notes" not in printed


def test_an_empty_folder_is_reported(tmp_path: Path) -> None:
    printed = print_games("list")
    assert printed == f"There are no saved games in {tmp_path}.\n"


def test_a_game_is_shown_with_score_and_last_verdicts(folder: Path) -> None:
    printed = print_games("show", "moon-2")
    now = load_state(open_save(folder / "moon-2.armoon"))
    assert f"broke off in turn {now.turn}" in printed
    for player in now.players:
        assert player in printed
    assert f"Tears left: {now.tears_left} of 7" in printed
    assert printed.count("turn ") >= 3
    assert "highest point" in printed


def save_one_ladder(path: Path, z_m: float) -> str:
    first = new_game(1)
    recorder = begin_save(path, first)
    assert first.fixed_face is not None
    piece = first.supply[0]
    touched = first.starting[: 2 if first.fixed_face is Die.TWO else 1]
    moves = (Roll(first.fixed_face), Draw(piece), Take(), LetGo(), Settle(touched, 1.1, "L01", 0.1))
    recorder.write_moves(moves, ((piece, Pose((0.0, 0.0, z_m))),), at_rest=True)
    recorder.file.close()
    return piece


def test_heights_are_measured_at_the_standing_ladders(tmp_path: Path) -> None:
    piece = save_one_ladder(tmp_path / "a.armoon", 1.0)
    heights = list_ladder_heights(resume_setup(open_save(tmp_path / "a.armoon")))
    (top, top_m), *starting = heights
    assert top == piece
    assert 1.04 < top_m < 1.08, "the top isn't half a ladder above the middle"
    assert {name for name, _ in starting} == {"L01", "L02"}
    assert all(0.1 < height < 0.14 for _, height in starting), (
        "ladders upright in their slots aren't 11.5 cm high"
    )


def test_a_setup_without_ladders_is_reported_in_a_sentence(tmp_path: Path) -> None:
    begin_save(tmp_path / "a.armoon", replace(new_game(1), starting=("L01", "L99"))).file.close()
    assert "set-up can't be used" in run("games", "show", "1").stderr


def test_the_score_is_exported_as_csv(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    print_games("export", "moon-1", str(out))
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    end = load_state(open_save(folder / "moon-1.armoon"))
    assert [int(rows[-1][f"tears {player}"]) for player in end.players] == list(end.tears)
    assert int(rows[-1]["tears_left"]) == end.tears_left
    assert [row["ok"] for row in rows] == [
        "yes" if verdict.ok else "no" for _, verdict in load_verdicts(open_save(folder / "moon-1.armoon"))
    ]
    assert all(row["ruling"] for row in rows)


def test_scores_show_points_rank_and_games_won(tmp_path: Path) -> None:
    """C5 C6"""
    team = play_game(tmp_path / "team.armoon", 6).state
    assert team.is_team_game
    store_result(tmp_path, "team", make_result("team", team, "2026-05-04T20:15:30"))
    against = play_game(tmp_path / "against.armoon", 5).state
    results = store_result(
        tmp_path, "against", make_result("against", against, "2026-05-05", {"Ana": {"swing": 7}})
    )
    printed = print_games("scores")
    score, player, _ = results.list_high_scores()[0]
    first = next(line for line in printed.splitlines() if player in line)
    assert [cell.strip() for cell in first.split("│")[1:3]] == [player, str(score)]
    others = ", ".join(other for other in team.players if other != player)
    assert others in first, "the others of the team aren't listed"
    ana = [line for line in printed.splitlines() if "Ana" in line][-1]
    won = str(results.tally("Ana").won)
    assert [cell.strip() for cell in ana.split("│")[1:-1]] == ["Ana", "1", won, "1", "7"]


def test_missing_results_are_reported(tmp_path: Path) -> None:
    assert print_games("scores") == "No game has been finished yet.\n"


def test_a_name_in_brackets_is_printed_unchanged(tmp_path: Path) -> None:
    recorder = begin_save(tmp_path / "a.armoon", replace(new_game(1), players=("[b]Ana", "Ben", "Cleo")))
    recorder.file.close()
    assert "[b]Ana" in print_games("list")
    assert "[b]Ana" in print_games("show", "a")


@pytest.mark.parametrize("which", ["2", "moon-1", "moon-1.armoon"])
def test_a_game_is_found_by_number_and_name(folder: Path, which: str) -> None:
    assert find_game(folder, which) == folder / "moon-1.armoon"


def test_a_game_is_found_by_path_and_by_a_prefix_of_its_name(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "mailed"
    elsewhere.mkdir()
    mailed = elsewhere / "from-ben.armoon"
    mailed.write_bytes((folder / "moon-1.armoon").read_bytes())
    assert find_game(folder, str(mailed)) == mailed
    assert find_game(folder, "ol") == folder / "old.armoon"
    with pytest.raises(SaveError, match="2 saved games begin with 'moon'"):
        find_game(folder, "moon")
    (folder / "moon-1-2.armoon").write_bytes(mailed.read_bytes())
    assert find_game(folder, "moon-1") == folder / "moon-1.armoon", "the longer name is found instead"
    for unknown in ("99", "nobody", ""):
        with pytest.raises(SaveError, match="no saved game"):
            find_game(folder, unknown)


def test_new_games_have_different_names(tmp_path: Path) -> None:
    when = datetime(2026, 5, 4, 20, 15, 30)

    def create_file(path: Path) -> GameFile:
        return GameFile.create(path, {}, game="moon", begun=START_TIME, program=PROGRAM)

    paths = [create_named(tmp_path, when, "moon", create_file).path for _ in range(2)]
    assert [path.name for path in paths] == ["moon-20260504-201530.armoon", "moon-20260504-201530-2.armoon"]
    assert {entry.path for entry in list_games(tmp_path)} == set(paths)
