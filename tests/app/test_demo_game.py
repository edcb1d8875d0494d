"""The whole demo with rendered frames, the real tracker, physics and the referee, and the replay of its log."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.log_kit import lines_of
from support.programs import armoon


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize(
    ("seed", "turns"), [(3, 2), *(pytest.param(seed, 6, marks=pytest.mark.long) for seed in (3, 8))]
)
def test_the_demo_plays_its_first_turns_and_its_log_replays(tmp_path: Path, seed: int, turns: int) -> None:
    # Fewer and smaller frames are enough for two turns.
    few = ("--size", "480x270", "--rate", "10") if turns == 2 else ("--size", "640x360", "--rate", "30")
    small = ("--headless", *few)
    arguments = (*small, "--seed", str(seed), "--turns", str(turns), "--log", "game.jsonl")
    result = armoon("play", "--camera", "demo", *arguments, cwd=tmp_path, timeout_s=1500.0)
    assert result.returncode == 0, result.stderr
    records = lines_of(tmp_path / "game.jsonl")
    assert records[0]["kind"] == "header"
    assert records[0]["seed"] == seed
    assert records[-1]["kind"] == "end"
    verdicts = [r for r in records if r["kind"] == "verdict"]
    assert {v["turn"] for v in verdicts} >= set(range(1, turns + 1))
    assert all(v["ok"] for v in verdicts if v["turn"] <= 2)
    assert {v["player"] for v in verdicts} == set(range(3)[:turns])
    verified = armoon("replay", "game.jsonl", "--verify", cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize("game", ["moon", pytest.param("lake", marks=pytest.mark.long)])
def test_the_demo_plays_with_a_paper_ladder(tmp_path: Path, game: str) -> None:
    """Every grip comes from the paper although the tracker also finds the hand, and the log replays the same game."""
    # The lake's demo did not finish within ten minutes on a busy machine at this rate.
    small = ("--size", "640x360", "--rate", "10") if game == "moon" else ()
    arguments = ("--game", game, "--way", "card", "--headless", "--seed", "3", "--turns", "1", *small)
    result = armoon(
        "play", "--camera", "demo", *arguments, "--log", "game.jsonl", cwd=tmp_path, timeout_s=900.0
    )
    assert result.returncode == 0, result.stderr
    records = lines_of(tmp_path / "game.jsonl")
    grips = [r for r in records if r["kind"] == "intent" and r["phase"] in ("grab", "release")]
    assert {r["source"] for r in grips} == {"card"}
    if game == "moon":
        assert [v["ok"] for v in records if v["kind"] == "verdict"] == [True]
    verified = armoon("replay", "game.jsonl", "--verify", cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr
