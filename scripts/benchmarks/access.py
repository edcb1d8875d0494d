"""The benchmark of ways to play: whole turns by each of them at fresh tables, by a simulated person.

Each turn is one ladder from the die to the verdict, through the screens and the table as an evening has them. What
stands was grown ladder by ladder, another structure for each size and seed (``world.structures.towers.grow``);
ladder and die differ from seed to seed, and all ways meet the same. Seconds are the game's own: the search for places
counts as the time that it has worked.
"""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from armoon.screens.measuring import WAITS_S, Measuring
from armoon.values.choices import Way
from armoon.world.structures.towers import grow, starting_structure
from benchmarks.access_parts import person
from benchmarks.access_parts.head import ByHead
from benchmarks.access_parts.sitting import Remembered, Sitting, preferences_for
from benchmarks.access_parts.voice import ByVoice

SIZES = (2, 8, 16)
#: Structures of each size, and turns of each way on each of them.
TRIALS = 4
#: A turn that takes longer is given up.
PATIENCE_S = 240.0
FIRST_SEED = 1


@dataclass(frozen=True)
class Played:
    """One way to play, and who plays so."""

    way: Way
    who: type[person.Person]
    reactions: person.Reactions = person.QUICK


WAYS = {
    "keys": Played(Way.KEYS, person.ByKeys),
    "clicks": Played(Way.MOUSE, person.ByClicks),
    "pad": Played(Way.KEYS, person.ByPad),
    "head": Played(Way.HEAD, ByHead),
    "voice": Played(Way.VOICE, ByVoice),
    "dwell": Played(Way.HAND, person.ByDwell),
    "switch": Played(Way.SWITCH, person.OneSwitch),
    "switches": Played(Way.SWITCHES, person.TwoSwitches),
    "switch_slow": Played(Way.SWITCH, person.OneSwitch, person.SLOW),
}


@dataclass(frozen=True)
class Turn:
    """One ladder."""

    way: str
    ladders: int
    seed: int
    completed: bool
    """The referee came to a verdict on a ladder that was placed."""
    honoured: bool
    seconds: float
    presses: int


def run(json_path: Path | None, trials: int = TRIALS, first_seed: int = FIRST_SEED) -> int:
    """Measure, print a table, write the figures."""
    console, turns = Console(), list[Turn]()
    search: Remembered | None = None
    start = starting_structure(2)
    try:
        for seed in range(first_seed, first_seed + trials):
            for ladders in SIZES:
                structure = grow(start, ladders, seed) if ladders > len(start.standing) else start
                for name, played in WAYS.items():
                    period_s = _proposed_s(played.reactions)
                    sitting = Sitting(structure, seed, preferences_for(played.way, period_s), search)
                    search = sitting.search
                    try:
                        turns.append(_turn(name, played, sitting, ladders, seed))
                    finally:
                        sitting.close()
                    console.print(turns[-1])
                    if json_path is not None:
                        json_path.write_text(json.dumps(to_plain(turns), indent=1) + "\n", encoding="utf-8")
    finally:
        if search is not None:
            search.end()
    console.print(_table(turns))
    return 0


def _proposed_s(reactions: person.Reactions) -> float:
    """The scan period that the program's own measuring proposes to somebody who reacts so."""
    return Measuring((reactions.mean_s,) * len(WAITS_S)).proposed_s


def _turn(name: str, played: Played, sitting: Sitting, ladders: int, seed: int) -> Turn:
    """From the die to the verdict; what settles before that isn't the player's time."""
    while not (sitting.game.asks_for_roll and sitting.game.at_rest):
        sitting.frame()
    began_s = sitting.now_s
    player = played.who(sitting, played.reactions, random.Random(f"{name} {ladders} {seed}"))
    while sitting.verdict is None and sitting.now_s - began_s < PATIENCE_S:
        player.live()
        sitting.frame()
    verdict = sitting.verdict
    return Turn(
        name,
        ladders,
        seed,
        verdict is not None and verdict.height_m is not None,
        verdict is not None and verdict.ok,
        sitting.now_s - began_s,
        sitting.presses,
    )


def to_plain(turns: list[Turn]) -> dict[str, Any]:
    """Shares from 0 to 1, medians of those that were completed; of each way at all sizes, and at each."""
    names = [name for name in WAYS if any(turn.way == name for turn in turns)]
    return {
        "ways": {name: _row([turn for turn in turns if turn.way == name]) for name in names},
        "sizes": {
            name: {
                str(size): _row(some)
                for size in SIZES
                if (some := [turn for turn in turns if turn.way == name and turn.ladders == size])
            }
            for name in names
        },
        "turns": [asdict(turn) for turn in turns],
    }


def _row(turns: list[Turn]) -> dict[str, Any]:
    done = [turn for turn in turns if turn.completed]
    return {
        "turns": len(turns),
        "completed": len(done) / len(turns),
        "honoured": sum(turn.honoured for turn in turns) / len(turns),
        "seconds": median([turn.seconds for turn in done]) if done else None,
        "presses": median([turn.presses for turn in done]) if done else None,
        "most_seconds": max((turn.seconds for turn in done), default=None),
        "most_presses": max((turn.presses for turn in done), default=None),
    }


def _table(turns: list[Turn]) -> Table:
    table = Table("way", "turns", "completed", "die honoured", "seconds", "presses", "most s", "most presses")
    for name, row in to_plain(turns)["ways"].items():
        table.add_row(
            name,
            str(row["turns"]),
            f"{row['completed']:.0%}",
            f"{row['honoured']:.0%}",
            *("–" if row[key] is None else f"{row[key]:.1f}" for key in ("seconds", "presses")),
            *("–" if row[key] is None else f"{row[key]:.0f}" for key in ("most_seconds", "most_presses")),
        )
    return table
