"""`armoon trials`: lists, plays and shows bests, whatever lies in the player's folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command_line import run
from support.saves_kit import save_trial

from armoon.games.moon import trials
from armoon.saves.game_file import SUFFIX
from armoon.saves.profiles import Result, store_result
from armoon.settings.preferences import Settings


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("armoon.cli.trials.load_settings", Settings)
    monkeypatch.setattr("armoon.cli.trials.announced_games_folder", lambda: tmp_path)
    monkeypatch.setattr(trials, "trials_folder", lambda: tmp_path)
    return tmp_path


def told(*words: str) -> tuple[int, str]:
    result = run("trials", *words)
    return result.exit_code, result.output


def test_every_task_is_listed_with_its_medals(own: Path) -> None:
    code, said = told("list")
    assert code == 0
    for path in trials.HOUSE.glob("*.toml"):
        assert re.search(rf"^  {path.stem}[ -].*: .+ · .+ · .+$", said, re.MULTILINE), path.stem


def test_a_broken_file_is_told_and_the_rest_is_listed(own: Path) -> None:
    (own / "mine.toml").write_text("kind = 7\n", encoding="utf-8")
    code, said = told("list")
    assert code == 0
    assert "mine.toml can't be played" in said
    assert "place-three" in said


def test_nobody_has_played_then_somebody_has(own: Path) -> None:
    assert told("bests") == (0, "No trial has been finished yet.\n")
    result = Result(
        "g", "2026-11-22", "bombyx-2017", "", ("Zoé",), (), None, kind="moon", trial="place-three", reached=2
    )
    store_result(own, "g", result)
    assert told("bests") == (0, "No trial has been finished yet.\n"), "no saved game bears it out"
    save_trial(own / f"g{SUFFIX}", "place-three", "Zoé", 2)
    assert told("bests") == (0, "Place these, Three for a start: Zoé 2 ladders (silver)\n")


def test_there_is_no_such_trial(own: Path) -> None:
    code, said = told("play", "nobody")
    assert code == 2
    assert "armoon trials list" in " ".join(said.split())
