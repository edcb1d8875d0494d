"""The cost of a frame, counted in calls, which unlike time are the same on a busy and an idle machine.

The recorded logs are played, and each frame's scene is composed. ``budget.json`` holds the calls per frame, and those
of each function called at least once a frame. When a frame costs less, or more for a good reason, write new numbers
with ``PYTHONPATH=tests python tests/app/test_budget.py``.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from support.samples import sample_log

import armoon
from armoon.engine.logbook import LogReader
from armoon.games.contract import load_kind
from armoon.games.library import create_logged_match, read_intakes

GAMES = ("moon", "lake")
BUDGET = Path(__file__).with_name("budget.json")
#: Numbers of warm-up frames that fill caches, and of counted frames.
WARM_FRAMES, COUNTED_FRAMES = 30, 240
#: Allowed ratio to the recorded cost; other versions of Python and numpy make different calls.
ALLOWED_RATIO = 1.05
#: Number of functions that a failure lists.
MAX_LISTED = 6
PACKAGE_ROOT = str(Path(armoon.__file__).parent)
NUMPY = str(Path(np.__file__).parent)


@dataclass(frozen=True)
class Cost:
    calls: dict[str, float]
    """Python calls by function."""
    numpy_calls: float
    """Calls of numpy's functions and methods, in C or Python, without operators."""
    kilobytes: float
    """Median over all frames of the peak memory allocated during a frame."""


def make_frames(game: str, folder: Path) -> Iterator[Callable[[], object]]:
    reader = LogReader(sample_log(game, folder))
    match = create_logged_match(reader)
    running_game = load_kind(match.game).create_game(match)
    running_game.is_replayed = True
    for intake in read_intakes(reader):
        yield lambda intake=intake: (running_game.advance(intake), running_game.build_turned_scene(0.5, ""))  # type: ignore[misc]
    match.close()


def measure_cost(game: str, folder: Path) -> Cost:
    counted: Counter[str] = Counter()
    numpy_calls, peaks_bytes = 0, []

    def count_call(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal numpy_calls
        if event == "call":
            path = frame.f_code.co_filename
            if path.startswith(PACKAGE_ROOT):
                counted[f"{path[len(PACKAGE_ROOT) + 1 :]} {frame.f_code.co_name}"] += 1
            numpy_calls += path.startswith(NUMPY)
        elif event == "c_call":
            owner = getattr(arg, "__self__", None)
            is_method = isinstance(owner, np.ndarray)
            numpy_calls += is_method or str(getattr(arg, "__module__", "")).startswith("numpy")

    for number, play in enumerate(make_frames(game, folder)):
        if number < WARM_FRAMES:
            play()
        elif number < WARM_FRAMES + COUNTED_FRAMES:
            sys.setprofile(count_call)
            try:
                play()
            finally:
                sys.setprofile(None)
        elif number < WARM_FRAMES + COUNTED_FRAMES + WARM_FRAMES:
            tracemalloc.start()
            try:
                play()
                peaks_bytes.append(tracemalloc.get_traced_memory()[1])
            finally:
                tracemalloc.stop()
    calls = {name: round(count / COUNTED_FRAMES, 2) for name, count in counted.most_common()}
    return Cost(calls, numpy_calls / COUNTED_FRAMES, statistics.median(peaks_bytes) / 1024)


def list_excesses(cost: Cost, budget: dict[str, Any]) -> list[str]:
    grown = Counter({name: count - budget["calls"].get(name, 0.0) for name, count in cost.calls.items()})
    where = ", ".join(f"{name} (+{more:.2f})" for name, more in grown.most_common(MAX_LISTED) if more > 0.0)
    figures = {
        "Python calls": (sum(cost.calls.values()), budget["python_calls"]),
        "numpy calls": (cost.numpy_calls, budget["numpy_calls"]),
        "kilobytes": (cost.kilobytes, budget["kilobytes"]),
    }
    return [
        f"{now:.0f} {what} a frame, at most {ALLOWED_RATIO * limit:.0f} are allowed; called more often: {where}"
        for what, (now, limit) in figures.items()
        if now > ALLOWED_RATIO * limit
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_frame_costs_no_more_than_its_budget(game: str, tmp_path: Path) -> None:
    over = list_excesses(measure_cost(game, tmp_path), json.loads(BUDGET.read_text(encoding="utf-8"))[game])
    assert not over, "\n".join(over)


def test_an_excess_names_the_functions_that_cause_it() -> None:
    budget = {"calls": {"a.py quat": 5.0}, "python_calls": 25.0, "numpy_calls": 50.0, "kilobytes": 9.0}
    assert list_excesses(Cost({"a.py quat": 9.0, "b.py new": 22.0}, 52.0, 9.0), budget) == [
        "31 Python calls a frame, at most 26 are allowed; called more often: b.py new (+22.00), a.py quat (+4.00)"
    ]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        costs = {game: measure_cost(game, Path(folder)) for game in GAMES}
    rows = {
        game: {
            "python_calls": round(sum(cost.calls.values()), 1),
            "numpy_calls": round(cost.numpy_calls, 1),
            "kilobytes": round(cost.kilobytes, 1),
            "calls": {name: count for name, count in cost.calls.items() if count >= 1.0},
        }
        for game, cost in costs.items()
    }
    BUDGET.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
