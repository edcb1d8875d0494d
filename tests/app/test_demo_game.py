"""The whole demo: rendered frames, the real tracker, grips, physics and the referee, and its log again."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.app_kit import lines_of
from support.programs import armoon

TURNS = 6


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize("seed", [3, pytest.param(8, marks=pytest.mark.long)])
def test_the_demo_plays_six_turns_with_successes_and_mistakes(tmp_path: Path, seed: int) -> None:
    arguments = ("--headless", "--seed", str(seed), "--turns", str(TURNS), "--log", "game.jsonl")
    done = armoon("play", "--camera", "demo", *arguments, cwd=tmp_path, timeout_s=1500.0)
    assert done.returncode == 0, done.stderr
    records = lines_of(tmp_path / "game.jsonl")
    assert records[0]["kind"] == "header"
    assert records[0]["seed"] == seed
    assert records[-1]["kind"] == "end"
    verdicts = [r for r in records if r["kind"] == "verdict"]
    assert {v["turn"] for v in verdicts} >= set(range(1, TURNS + 1))
    assert {v["ok"] for v in verdicts} == {True, False}
    assert {v["player"] for v in verdicts} == {"Ann", "Ben", "Cleo"}
    verified = armoon("replay", "game.jsonl", "--verify", cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr
