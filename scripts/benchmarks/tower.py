"""Measures whether played structures still stand when they are rebuilt from their poses, and the cost of seating them.

Structures are grown ladder by ladder, flat and climbing, in one running world. At each size a second world is built
from the poses and woken, and a rehearsal is built from the same poses.
"""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any

import numpy as np
from rich.console import Console

from armoon.placement.rehearsal import Rehearsal
from armoon.placement.search import PlaceSearch
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose
from armoon.world.local import LocalWorld
from benchmarks import Save
from benchmarks.towers import Drop, Structure, grow_tables, make_structure

SIZES = tuple(range(2, 21))
#: Number of structures, each grown flat and climbing.
TRIALS = 4
FIRST_SEED = 901


@dataclass(frozen=True)
class Row:
    seed: int
    climbing: bool
    ladders: int
    shift_m: float
    """Maximum motion of a ladder's middle until the rebuilt and woken structure is at rest."""
    stands: bool
    standing: tuple[tuple[PieceId, Pose, bool], ...]


def run(save: Save, trials: int = TRIALS, first_seed: int = FIRST_SEED) -> None:
    """``trials``: number of structures, each grown flat and climbing."""
    console, rows, drops = Console(), list[Row](), list[Drop]()
    start = make_structure(2)
    with closing(PlaceSearch(start.ladders, start.base, niceness=0)) as search:
        for seed in range(first_seed, first_seed + trials):
            for climbing in (False, True):
                for live in grow_tables(start, SIZES, seed, search, climbing=climbing):
                    structure = live.structure
                    shift_m, stands = measure_woken_shift_m(structure), check_rehearsal(structure)
                    rows.append(
                        Row(seed, climbing, len(structure.standing), shift_m, stands, structure.standing)
                    )
                    drops += live.drops
                    shape = "climbing" if climbing else "flat"
                    console.print(f"{seed} {shape}: {summarise(rows[-1:], live.drops)}", highlight=False)
                    live.drops.clear()
                    save({**summarise(rows, drops), "rows": [asdict(row) for row in rows]})
    console.print(summarise(rows, drops))


def measure_woken_shift_m(structure: Structure) -> float:
    """Rebuild and wake the structure; return the maximum motion of a ladder's middle until everything is at rest."""
    with closing(LocalWorld(structure.ladders, structure.base)) as world:
        world.rebuild(structure.standing, asleep=True)
        world.disturb()
        farthest_m, at_rest = 0.0, False
        while not at_rest:
            facts = world.tick(None)
            at_rest = facts.at_rest
            distances_m = (
                math.dist(facts[name].pose.position, pose.position) for name, pose, _ in structure.standing
            )
            farthest_m = max(farthest_m, *distances_m)
    return farthest_m


def check_rehearsal(structure: Structure) -> bool:
    ladders = {ladder.piece: ladder for ladder in structure.ladders.ladders}
    rehearsal = Rehearsal(ladders, structure.base, structure.standing, frozen=False)
    rehearsal.close()
    return rehearsal.stands


def summarise(rows: list[Row], drops: list[Drop]) -> dict[str, Any]:
    shifts = [1000.0 * row.shift_m for row in rows]
    ticks = [drop.seating_ticks for drop in drops if drop.seating_ticks]
    return {
        "structures": len(rows),
        "shift_mm": _find_spread("worst", shifts),
        "stands": round(fmean(row.stands for row in rows), 3),
        "drops": len(drops),
        "reseat_ticks": _find_spread("most", ticks),
        "reseat_drops": sum(drop.seating_falls > 0 for drop in drops),
    }


def _find_spread(last: str, values: list[float] | list[int]) -> dict[str, float]:
    if not values:
        return {}
    columns = {"median": median(values), "p95": float(np.quantile(values, 0.95)), last: max(values)}
    return {name: round(float(value), 3) for name, value in columns.items()}
