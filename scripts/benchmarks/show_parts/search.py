"""The search for the trailer: plays demos of many seeds and habits, and says which one shows most.

``scripts/trailer [--first-seed N] [--trials N] [--keep]`` plays one candidate after the other before the rendered
camera, of seeds whose dice suit, gives up those that went wrong, and ends with the first that lacks nothing;
``--keep`` writes the best beside the player. ``--tracker skeleton`` is quicker, but what happens then isn't what is
shown later.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from armoon.codec import encode_json
from armoon.games.contract.kind import Game
from armoon.games.moon.player import manner as kept
from armoon.games.moon.table.match import MoonMatch
from benchmarks.placement_parts.skeleton import REAL
from benchmarks.show import (
    WANTED_HEIGHT_M,
    WANTED_HONOURED,
    WANTED_LADDERS,
    WANTED_RISING,
    WANTED_VISIBLE,
    Measured,
)
from benchmarks.show_parts.candidates import candidate, hopeless, seeds
from benchmarks.show_parts.course import COLLAPSE
from benchmarks.show_parts.played import Looks, demo_of, play_here

#: Longest idle time, seconds.
LONGEST_WAIT_S = 5.0
#: What a trailer has to show. The ladders are those that stand, as the benchmark counts them.
WISHES: tuple[tuple[str, Callable[[dict[str, Any]], bool]], ...] = (
    ("ladders", lambda f: f["ladders_at_180_s"] >= WANTED_LADDERS),
    ("honoured", lambda f: f["honoured"] >= WANTED_HONOURED),
    ("visible", lambda f: f["visible_60"] >= WANTED_VISIBLE),
    ("a moon", lambda f: f["moons"] >= 1),
    ("two figures", lambda f: f["figures"] >= 2),
    ("a collapse", lambda f: f["collapse"] >= COLLAPSE),
    ("height", lambda f: f["height_m"] >= WANTED_HEIGHT_M),
    ("ladders that rise", lambda f: f["rising"] >= WANTED_RISING),
    ("the table turned", lambda f: f["turned_deg"] >= 45.0),
    ("a ladder that waits", lambda f: f["waiting"] > 0.0),
    ("the hand in view", lambda f: f["hand_out"] <= 0.02 and f["held_out"] <= 0.05),
    ("no pause", lambda f: f["longest_wait_s"] <= LONGEST_WAIT_S),
    ("never too near", lambda f: f["too_near"] + f["hand_third"] <= 0.0),
)


def missing(figures: dict[str, Any]) -> list[str]:
    """Return the wishes that a demo with these figures doesn't meet."""
    return [name for name, met in WISHES if not met(figures)]


def shows(figures: dict[str, Any]) -> tuple[int, float, float]:
    """Return the rank of demos: wishes met, height, turns honoured."""
    return (len(WISHES) - len(missing(figures)), figures["height_m"], figures["honoured"])


def play(one: kept.Trailer, tracker: str) -> dict[str, Any]:
    """Let a candidate play, and measure it on the way; it is given up once it can't show any more what it should."""
    seen: list[Measured] = []

    def onlooker(game: Game[Any]) -> Looks:
        seen.append(Measured(game))
        match = game.match
        assert isinstance(match, MoonMatch)
        return lambda output: seen[0].see(output) or hopeless(match, one.manner)

    with tempfile.TemporaryDirectory() as folder:
        play_here(
            demo_of(one.seed, Path(folder) / "demo.jsonl"), one.manner, tracker=tracker, onlooker=onlooker
        )
    return seen[0].figures()


def search(
    first_seed: Annotated[int, typer.Option(help="The first seed that is looked at.")] = 1,
    trials: Annotated[int, typer.Option(min=1, help="How many candidates.")] = 4,
    tracker: Annotated[str, typer.Option(help="real, or skeleton: quicker, but not what is shown.")] = REAL,
    keep: Annotated[bool, typer.Option("--keep", help="Write the best one beside the player.")] = False,
) -> None:
    """Play candidates, and rank them."""
    best: tuple[tuple[int, float, float], kept.Trailer] | None = None
    for seed in itertools.islice(seeds(first_seed), trials):
        one = candidate(kept.trailer(), seed)
        figures = play(one, tracker)
        lacks = missing(figures)
        short = {key: value for key, value in figures.items() if key not in ("ladders_by_s", "heights_m")}
        print(f"{seed}: lacks {', '.join(lacks) or 'nothing'}; {json.dumps(short)}", flush=True)
        if best is None or shows(figures) > best[0]:
            best = (shows(figures), one)
        if not lacks:
            break
    assert best is not None
    print(f"The best is {best[1].seed}.")
    if keep:
        file = Path(kept.__file__).with_name(kept.FILE)
        file.write_bytes(encode_json(best[1], indent=2) + b"\n")


if __name__ == "__main__":
    typer.run(search)
