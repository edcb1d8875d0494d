"""How many made figures are recognised, and how many random placements are called a figure that they aren't.

Instances are fresh from the makers, with a seed that nothing was tuned on. A random placement that is named
counts as false if the independent check of that figure denies it.
"""

from __future__ import annotations

import itertools
import json
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table as PrintedTable

from armoon.games.moon.figures.figure import PRINTED, Figure, FigureKind
from armoon.games.moon.figures.recognise import recognise
from benchmarks.figure_parts.checks import is_bolt, is_swing
from benchmarks.figure_parts.makers import CHECKS, Instance, instances
from benchmarks.figure_parts.random_drops import RandomPlacement, random_placements
from benchmarks.figure_parts.scene import Placement

#: Tuned on other seeds; reported on this one.
FRESH_SEED = 2032
INSTANCES, RANDOM = 24, 500
#: Maximum time for the instances of one figure, in seconds of processor time.
MOST_S = 400.0
#: Wanted: at most this share of random placements named falsely.
WANTED_FALSE = 0.02


@dataclass(frozen=True)
class Recall:
    """What became of one figure's instances."""

    figure: str
    made: int
    recognised: int
    seconds: float
    """Processor time that the maker took."""


@dataclass(frozen=True)
class FalseRate:
    """What random placements were called."""

    placements: int
    named: dict[str, int]
    false: dict[str, int]


def run(json_path: Path | None) -> int:
    """Measure and print; 0 whatever the figures are."""
    console = Console()
    recalls = []
    for kind in PRINTED:
        recalls.append(measure_recall(kind, FRESH_SEED, INSTANCES, MOST_S))
        console.print(f"{kind.value}: {recalls[-1].recognised} of {recalls[-1].made}")
    rate = measure_false(FRESH_SEED, RANDOM)
    console.print(_table(recalls, rate))
    share = sum(rate.false.values()) / rate.placements
    console.print(
        f"Random placements: {rate.placements}, named {sum(rate.named.values())}, "
        f"falsely {sum(rate.false.values())} ({share:.1%}; wanted at most {WANTED_FALSE:.0%})."
    )
    if json_path is not None:
        record = {
            "seed": FRESH_SEED,
            "recall": [asdict(recall) for recall in recalls],
            "random": asdict(rate),
            "false_share": share,
        }
        json_path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return 0


def name_all(placements: Iterable[Placement]) -> list[tuple[Figure, ...]]:
    """Return the names of each of several placements on one table, in their order."""
    named: list[tuple[Figure, ...]] = []
    for one in placements:
        named.append(recognise(one.ladders, one.facts, one.placed, named))
    return named


def is_recognised(instance: Instance) -> bool:
    """Whether the last placement is named as its maker meant it."""
    return any(figure.kind is instance.kind for figure in name_all(instance.placements)[-1])


def measure_recall(kind: FigureKind, seed: int, count: int, most_s: float) -> Recall:
    """Return this many fresh instances of a figure, fewer if they take too long."""
    made = recognised = 0
    start = time.process_time()
    for instance in itertools.islice(instances(kind, seed), count):
        made += 1
        recognised += is_recognised(instance)
        if time.process_time() - start > most_s:
            break
    return Recall(kind.value, made, recognised, time.process_time() - start)


def measure_false(seed: int, count: int) -> FalseRate:
    """Return the false names of this many random stable placements."""
    named: Counter[str] = Counter()
    false: Counter[str] = Counter()
    for one in itertools.islice(random_placements(seed), count):
        for figure in name_all((*one.before, one.placement))[-1]:
            named[figure.kind.value] += 1
            false[figure.kind.value] += not _is_true(figure, one)
    return FalseRate(count, dict(sorted(named.items())), {kind: n for kind, n in sorted(false.items()) if n})


def _is_true(figure: Figure, one: RandomPlacement) -> bool:
    """Whether the independent check of a figure confirms it."""
    if figure.kind is FigureKind.BOLT:
        hung = [earlier for earlier in one.before if earlier.placed in figure.others]
        return bool(hung) and is_swing(hung[-1]) and is_bolt(hung[-1], one.placement)
    check = CHECKS.get(figure.kind)
    # A row of diagonals that nobody meant can't be checked alone: it counts as false.
    return check is not None and check(one.placement)


def _table(recalls: list[Recall], rate: FalseRate) -> PrintedTable:
    table = PrintedTable(title="Book of figures")
    for heading in ("figure", "made", "recognised", "named at random", "of these false", "maker s"):
        table.add_column(heading, justify="right" if heading != "figure" else "left")
    for one in recalls:
        table.add_row(
            one.figure,
            str(one.made),
            str(one.recognised),
            str(rate.named.get(one.figure, 0)),
            str(rate.false.get(one.figure, 0)),
            f"{one.seconds:.0f}",
        )
    return table
