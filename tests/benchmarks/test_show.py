"""What the benchmark of a game's look measures of a log."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import benchmarks
import pytest
from benchmarks.show import Course, measure_log
from support.samples import sample_log

from armoon.games.moon.rules.values import Onto, Phase, Reason, Verdict

KEYS = {"ladders_at_180_s", "honoured", "visible_60", "covers"}


@pytest.mark.slow
def test_a_log_is_measured(tmp_path: Path) -> None:
    figures = measure_log(sample_log("moon", tmp_path))
    assert figures.keys() >= KEYS
    assert figures["turns"] >= 1
    assert figures["ladders_at_180_s"] >= 2
    for share in ("honoured", "visible_60", "covers"):
        assert 0.0 <= figures[share] <= 1.0
    assert figures["visible_60"] > 0.0


def verdict(reason: Reason, fallen: int = 0) -> Verdict:
    return Verdict(
        1, 0, False, reason, ("F2",), fallen=tuple((f"L{n:02}", Onto.TABLE) for n in range(fallen))
    )


def test_what_falls_in_one_incident_is_one_verdict_and_ends_the_show() -> None:
    course = Course()
    match = SimpleNamespace(tick=60, state=SimpleNamespace(phase=Phase.DRAW, turn=1))
    incident = (verdict(Reason.OTHERS_FELL, 1),), (verdict(Reason.SAME_INCIDENT, 3),)
    for verdicts in ((), *incident):
        course.note(cast(Any, match), cast(Any, SimpleNamespace(of=lambda kind, told=verdicts: told)))
        match.tick += 90
    assert len(course.verdicts) == 1
    assert course.fallen == [4]
    assert course.longest_ticks == 180
    assert not course.over(match.tick)
    assert course.over(match.tick + 300)


def test_a_benchmark_that_draws_later_starts_without_a_display() -> None:
    """What decides between a display and none must not be loaded before a surface is there."""
    told = "import benchmarks.show, benchmarks.picture, sys; sys.exit('pyglet.gl' in sys.modules)"
    kept = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    where = Path(benchmarks.__file__).parents[1]
    subprocess.run([sys.executable, "-c", told], check=True, env=kept, cwd=where)
