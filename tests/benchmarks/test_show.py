"""Measurements of a log by the benchmark of a game's look."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import benchmarks
import numpy as np
import pytest
from benchmarks.show import FilmSound, loudness_lufs, measure_log
from support.samples import sample_log

from armoon.sound.effects import RATE_HZ


@pytest.mark.slow
@pytest.mark.gl
def test_a_log_is_measured(tmp_path: Path) -> None:
    figures = measure_log(sample_log("moon-short", tmp_path))
    assert figures["ladders_at_180_s"] >= 2
    for share in ("honoured", "first_two", "covered", "silence"):
        assert 0.0 <= figures[share] <= 1.0
    assert 0.0 < figures["height_m"] < 0.5
    assert 1.0 < figures["seconds_a_turn"] <= figures["seconds"]
    assert -70.0 < figures["loudness_lufs"] < 0.0


def test_loudness_follows_the_standard_and_silence_counts_by_blocks() -> None:
    """Check EBU Tech 3341's first and third signals: sines in both channels, the third with quieter parts."""
    sine = np.sin(2.0 * np.pi * 1000.0 * np.arange(10 * RATE_HZ) / RATE_HZ)[:, None].repeat(2, axis=1)
    for levels_db, wanted in (((-23.0,), -23.0), ((-36.0, *(6 * [-23.0]), -36.0), -23.0)):
        sound = np.concatenate([10.0 ** (level_db / 20.0) * sine for level_db in levels_db])
        assert loudness_lufs(sound) == pytest.approx(wanted, abs=0.1)
    film = FilmSound()
    for end_s in (0.0, 10.0):
        film.write_picture(np.zeros((0, 0, 3), np.uint8), end_s)
        film.add_sound(sine[: 5 * RATE_HZ].astype(np.float32), 0.0)
    assert film.figures()["silence"] == pytest.approx(0.5, abs=0.03)


def test_a_benchmark_that_draws_later_starts_without_a_display() -> None:
    """The module that chooses between a display and none must not be loaded before a surface exists."""
    script = "import benchmarks.show, benchmarks.picture, sys; sys.exit('pyglet.gl' in sys.modules)"
    inherited = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    where = Path(benchmarks.__file__).parents[1]
    subprocess.run([sys.executable, "-c", script], check=True, env=inherited, cwd=where)
