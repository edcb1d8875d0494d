"""The search for the trailer: plays demos of many seeds without pictures, and says which one shows most.

``scripts/trailer [--first-seed N] [--trials N] [--keep]`` plays the kept manner with each seed; ``--keep`` writes the
best seed beside the player. The real tracker has the last word: ``scripts/bench show`` plays what is kept before it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from armoon.bench.show import ENDED_S, WANTED_HONOURED, WANTED_LADDERS, WANTED_VISIBLE, measure_log
from armoon.bench.show_parts.played import demo_of, play_skeleton
from armoon.codec import encode_json
from armoon.games.moon.player import trailer as kept

#: What a trailer has to show. The ladders are those that were placed: two stood there before.
WISHES: tuple[tuple[str, Callable[[dict[str, Any]], bool]], ...] = (
    ("ladders", lambda f: f["ladders_at_180_s"] - 2 >= WANTED_LADDERS),
    ("honoured", lambda f: f["honoured"] >= WANTED_HONOURED),
    ("visible", lambda f: f["visible_60"] >= WANTED_VISIBLE),
    ("a moon", lambda f: f["moons"] >= 1),
    ("two figures", lambda f: f["figures"] >= 2),
    ("a collapse", lambda f: f["most_fallen"] >= 4),
    ("the table turned", lambda f: f["turned_deg"] >= 20.0),
    ("a ladder that waits", lambda f: f["waiting"] > 0.0),
    ("the hand in view", lambda f: f["hand_out"] <= 0.02),
    ("never too near", lambda f: f["too_near"] + f["hand_third"] <= 0.0),
)


def missing(figures: dict[str, Any]) -> list[str]:
    """What a demo with these figures doesn't show."""
    return [name for name, met in WISHES if not met(figures)]


def shows(figures: dict[str, Any]) -> tuple[int, float, int]:
    """What demos are ranked by: wishes met, turns honoured, ladders."""
    return (len(WISHES) - len(missing(figures)), figures["honoured"], figures["ladders_at_180_s"])


def search(
    first_seed: Annotated[int, typer.Option(help="The first candidate.")] = 1,
    trials: Annotated[int, typer.Option(min=1, help="How many candidates.")] = 4,
    keep: Annotated[bool, typer.Option("--keep", help="Write the best one beside the player.")] = False,
) -> None:
    """Play candidates, and rank them."""
    best: tuple[tuple[int, float, int], int] | None = None
    manner = kept.trailer().manner
    for seed in range(first_seed, first_seed + trials):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "demo.jsonl"
            play_skeleton(demo_of(seed, log), ENDED_S, manner)
            figures = measure_log(log)
        lacks = missing(figures)
        short = {key: value for key, value in figures.items() if key != "ladders_by_s"}
        print(f"{seed}: lacks {', '.join(lacks) or 'nothing'}; {json.dumps(short)}", flush=True)
        if best is None or shows(figures) > best[0]:
            best = (shows(figures), seed)
    assert best is not None
    print(f"The best is {best[1]}.")
    if keep:
        file = Path(kept.__file__).with_name(kept.FILE)
        file.write_bytes(encode_json(replace(kept.trailer(), seed=best[1]), indent=2) + b"\n")


if __name__ == "__main__":
    typer.run(search)
