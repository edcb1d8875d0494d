"""The benchmark of places: how soon the search finds places that hold, and whether they come true.

Structures are grown anew, ladder by ladder. On each, for each face of the die, a ladder is searched a place for, with
the structure prepared as between turns; the place that is ranked first at the end is then tried in the game's own
world under slips of 1 and 3 mm. Random drops get the same ladder, structure, processes and time in the same run.

Seconds are processor seconds of the process that found the place, so that a busy machine measures the same; on two
idle cores they are those of the clock.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from armoon.bench.place_parts.random_drops import RandomDrops
from armoon.bench.place_parts.structures import free_pieces, grown
from armoon.bench.place_parts.truth import Truth
from armoon.games.moon.rules.turn import wanted_by
from armoon.games.moon.rules.values import Die
from armoon.places.question import Question, is_good
from armoon.places.search import PlaceSearch
from armoon.values.places import Place, Slip
from armoon.world.structures.structure import Structure
from armoon.world.structures.towers import starting_structure

SIZES = (2, 8, 16, 24)
#: Structures of each size; every die is thrown once on each.
TRIALS = 30
#: So long is searched, and dropped at random.
SECONDS = 8.0
#: ... and so long by the clock at most.
LONGEST_S = 120.0
#: How often the place that is ranked first is tried in the world at each slip.
TRIED = 4
SLIP_1MM, SLIP_3MM = Slip(0.001, 0.012), Slip(0.003, 0.035)
FIRST_SEED = 1


@dataclass(frozen=True)
class Run:
    """One search, or one row of random drops."""

    first_s: float | None
    good_s: float | None
    good: int
    seconds: float
    best: Place | None


@dataclass(frozen=True)
class Case:
    """One ladder, one die, one structure."""

    ladders: int
    die: str
    search: Run
    random: Run
    true_1mm: float | None
    """The share of tries of the first place that came true; None where there was no place."""
    true_3mm: float | None


def run(json_path: Path | None, trials: int = TRIALS, first_seed: int = FIRST_SEED) -> int:
    """Measure, print a table, write the figures."""
    cases: list[Case] = []
    console = Console()
    start = starting_structure(2)
    search = PlaceSearch(start.ladders, start.base, niceness=0)
    blind = PlaceSearch(start.ladders, start.base, make=RandomDrops, niceness=0)
    truth = Truth(start.ladders, start.base)
    try:
        for seed in range(first_seed, first_seed + trials):
            for structure in grown(start, SIZES, seed, search):
                for die in Die:
                    cases.append(_case(structure, die, seed, search, blind, truth))
                    console.print(_told(cases[-1]))
                    if json_path is not None:
                        json_path.write_text(json.dumps(to_plain(cases), indent=1) + "\n", encoding="utf-8")
    finally:
        search.close()
        blind.close()
        truth.close()
    console.print(_table(cases))
    return 0


def to_plain(cases: list[Case]) -> dict[str, Any]:
    """The figures by ladders and die, and of all dice together."""
    sizes = sorted({case.ladders for case in cases})
    return {
        "rows": [
            row(size, die, [case for case in cases if case.ladders == size and case.die == die])
            for size in sizes
            for die in sorted({case.die for case in cases if case.ladders == size})
        ],
        "sizes": [row(size, "all", [case for case in cases if case.ladders == size]) for size in sizes],
    }


def row(ladders: int, die: str, cases: list[Case]) -> dict[str, Any]:
    """Medians over all cases (None: half of them or more found none), shares, and good places a second."""
    searches, randoms = [case.search for case in cases], [case.random for case in cases]
    return {
        "ladders": ladders,
        "die": die,
        "trials": len(cases),
        "found": sum(run.first_s is not None for run in searches),
        "found_good": sum(run.good_s is not None for run in searches),
        "first_s": _median([run.first_s for run in searches]),
        "good_s": _median([run.good_s for run in searches]),
        "true_1mm": _mean([case.true_1mm for case in cases]),
        "true_3mm": _mean([case.true_3mm for case in cases]),
        "per_s": _rate(searches),
        "random_per_s": _rate(randoms),
        "random_first_s": _median([run.first_s for run in randoms]),
        "random_good_s": _median([run.good_s for run in randoms]),
    }


def _case(
    structure: Structure, die: Die, seed: int, search: PlaceSearch, blind: PlaceSearch, truth: Truth
) -> Case:
    standing = structure.standing
    rng = np.random.default_rng([seed, len(standing), list(Die).index(die)])
    pieces = free_pieces(structure, standing)
    piece = pieces[int(rng.integers(len(pieces)))]
    question = Question(
        standing, piece, wanted_by(die), SLIP_3MM, seed=seed, seconds=LONGEST_S, work_s=SECONDS
    )
    _prepare(search, question)
    found, dropped = _watched(search, question), _watched(blind, question)
    shares: list[float | None] = []
    for by in (SLIP_1MM, SLIP_3MM):
        if found.best is None:
            shares.append(None)
            continue
        held = [truth.comes_true(standing, piece, found.best.release, die, by, rng) for _ in range(TRIED)]
        shares.append(sum(held) / TRIED)
    return Case(len(standing), die.value, found, dropped, shares[0], shares[1])


def _prepare(search: PlaceSearch, question: Question) -> None:
    """As between turns: the structure is known before the ladder is; any question waits until that is done."""
    search.prepare(question.standing)
    search.ask(replace(question, work_s=0.0))
    search.wait(LONGEST_S)


def _watched(search: PlaceSearch, question: Question) -> Run:
    """Ask, and note when the first place and the first good one came."""
    search.ask(question)
    first_s = good_s = None
    while True:
        answer = search.answers()
        if first_s is None and answer.places:
            first_s = answer.work_s
        if good_s is None and any(is_good(place) for place in answer.places):
            good_s = answer.work_s
        if answer.done:
            break
        time.sleep(0.01)
    good = sum(is_good(place) for place in answer.places)
    return Run(first_s, good_s, good, SECONDS, answer.places[0] if answer.places else None)


def _median(times: list[float | None]) -> float | None:
    """None counts as never."""
    ordered = sorted(float("inf") if time_s is None else time_s for time_s in times)
    middle = median(ordered) if ordered else float("inf")
    return None if middle == float("inf") else middle


def _mean(shares: list[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def _rate(runs: list[Run]) -> float:
    return sum(run.good for run in runs) / max(sum(run.seconds for run in runs), 1e-9)


def _told(case: Case) -> str:
    found, dropped = case.search, case.random
    return (
        f"{case.ladders:2d} {case.die:4s} first {_text(found.first_s)} good {_text(found.good_s)} ({found.good}); "
        f"random {_text(dropped.first_s)} {_text(dropped.good_s)} ({dropped.good}); "
        f"true {_text(case.true_1mm)} {_text(case.true_3mm)}"
    )


def _text(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.2f}"


def _table(cases: list[Case]) -> Table:
    table = Table(title="Places")
    headings = (
        "ladders",
        "die",
        "trials",
        "first s",
        "good s",
        "true 1 mm",
        "true 3 mm",
        "good/s",
        "random/s",
    )
    for heading in headings:
        table.add_column(heading, justify="right")
    plain = to_plain(cases)
    keys = ("first_s", "good_s", "true_1mm", "true_3mm", "per_s", "random_per_s")
    for one in plain["rows"] + plain["sizes"]:
        figures = [_text(one[key]) for key in keys]
        table.add_row(str(one["ladders"]), str(one["die"]), str(one["trials"]), *figures)
    return table
