"""`armoon trials`: lists the tasks and the best results, whatever files are in the player's folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command_line import run
from support.saves_kit import save_trial

from armoon.games.moon import trials
from armoon.saves.game_file import SUFFIX
from armoon.saves.profiles import Result, store_result


@pytest.fixture
def trials_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("armoon.cli.trials.announce_games_folder", lambda: tmp_path)
    monkeypatch.setattr(trials, "trials_folder", lambda: tmp_path)
    return tmp_path


def run_trials(*words: str) -> tuple[int, str]:
    result = run("trials", *words)
    return result.exit_code, result.output


def test_every_task_is_listed_with_its_medals(trials_home: Path) -> None:
    code, output = run_trials("list")
    assert code == 0
    for path in trials.BUILT_IN.glob("*.toml"):
        assert re.search(rf"^  {path.stem}[ -].*: .+ · .+ · .+$", output, re.MULTILINE), path.stem


def test_a_broken_file_is_reported_and_the_others_are_listed(trials_home: Path) -> None:
    (trials_home / "mine.toml").write_text("kind = 7\n", encoding="utf-8")
    code, output = run_trials("list")
    assert code == 0
    assert "mine.toml can't be played" in output
    assert "place-three" in output


def test_bests_are_empty_until_a_saved_game_confirms_one(trials_home: Path) -> None:
    assert run_trials("bests") == (0, "No trial has been finished yet.\n")
    result = Result(
        "g", "2026-11-22", "bombyx-2017", "", ("Zoé",), (), None, kind="moon", trial="place-three", reached=2
    )
    store_result(trials_home, "g", result)
    assert run_trials("bests") == (0, "No trial has been finished yet.\n"), (
        "a result without a saved game is listed"
    )
    save_trial(trials_home / f"g{SUFFIX}", "place-three", "Zoé", 2)
    assert run_trials("bests") == (0, "Place these, Three for a start: Zoé 2 ladders (silver)\n")
