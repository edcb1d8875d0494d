"""Measures how soon the search finds good places, and whether they hold.

Structures are grown ladder by ladder in one running world. On each structure and for each face of the die, the search
looks for a place for a ladder, with the structure prepared as between turns. The place that is ranked first at the end
is then tried in copies of that world with slips of 1 and 3 mm. Seconds are processor seconds.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from statistics import fmean, median
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from armoon.games.moon.editions import Die
from armoon.games.moon.turn import get_requirement
from armoon.placement.search import PlaceSearch
from armoon.placement.values import Question, is_good
from armoon.values.places import LadderPlace, PlaceKind, Slip
from benchmarks import Save
from benchmarks.towers import LiveTable, grow_tables, list_spares, make_structure

#: Kinds of places where a ladder hangs or leans instead of lying flat.
HUNG = (PlaceKind.LEAN, PlaceKind.HOOK)
#: Numbers of ladders, and number of structures of each size; every face is tried once on each structure.
SIZES, TRIALS = (2, 8, 16, 24), 30
#: Processor time of a search, and maximum wall time, seconds.
SECONDS, LONGEST_S = 5.0, 120.0
#: Number of tries of the first-ranked place at each slip.
TRIES = 4
#: Width of the printed table without a terminal, in columns.
TABLE_COLUMNS = 140
SLIP_1MM, SLIP_3MM = Slip(0.001, 0.012), Slip(0.003, 0.035)


@dataclass(frozen=True)
class KindResult:
    """The places of one kind that a search found."""

    good_s: float | None
    """Seconds until the first good place."""
    best: LadderPlace
    true_1mm: float | None = None
    """The share of the best place's tries that held; None if the place isn't good."""


@dataclass(frozen=True)
class Case:
    """The search for one ladder, face and structure."""

    seed: int
    ladders: int
    die: str
    first_s: float | None = None
    good_s: float | None = None
    good: int = 0
    good_drops: int | None = None
    """Full drops by the process that found the first good place, until then."""
    best: LadderPlace | None = None
    kinds: dict[PlaceKind, KindResult] = field(default_factory=dict)
    stands: bool = True
    true_1mm: float | None = None
    """The share of tries of the first-ranked place that held; None if there was no place."""
    true_3mm: float | None = None


def collect_figures(cases: Sequence[Case]) -> dict[str, list[dict[str, Any]]]:
    sizes = sorted({case.ladders for case in cases})
    dice = sorted({case.die for case in cases})
    return {
        "rows": [
            _make_row(size, die, [case for case in cases if (case.ladders, case.die) == (size, die)])
            for size in sizes
            for die in dice
        ],
        "sizes": [_make_row(size, "all", [case for case in cases if case.ladders == size]) for size in sizes],
        "kinds": [
            _make_kind_row(size, kinds, [case for case in cases if size in (0, case.ladders)])
            for size in (*sizes, 0)
            for kinds in (*((kind,) for kind in PlaceKind), HUNG)
        ],
    }


def _make_kind_row(ladders: int, kinds: tuple[PlaceKind, ...], cases: Sequence[Case]) -> dict[str, Any]:
    """Return how many cases have a good place, how soon it was found, and the share that held; 0 ladders: all."""
    good = [
        [row for kind, row in case.kinds.items() if kind in kinds and row.good_s is not None]
        for case in cases
    ]
    return {
        "ladders": ladders or "all",
        "kind": " or ".join(kind.value for kind in kinds),
        "trials": len(cases),
        "found": sum(map(bool, good)),
        "good_s": _find_median([min((_or_inf(row.good_s) for row in rows), default=None) for rows in good]),
        "true_1mm": _find_mean([row.true_1mm for rows in good for row in rows]),
    }


def _make_row(ladders: int, die: str, cases: Sequence[Case]) -> dict[str, Any]:
    """Return counts, shares, and medians over all cases; a median is None if half of the cases have no value."""
    good_s = sorted(_or_inf(case.good_s) for case in cases)
    return {
        "ladders": ladders,
        "die": die,
        "trials": len(cases),
        "stands": fmean(case.stands for case in cases) if cases else None,
        "found": sum(case.first_s is not None for case in cases),
        "found_good": sum(case.good_s is not None for case in cases),
        "first_s": _find_median([case.first_s for case in cases]),
        "good_s": _find_median(good_s),
        "good_p90_s": _finite(good_s[math.ceil(0.9 * len(good_s)) - 1]) if good_s else None,
        "good_drops": _find_median([case.good_drops for case in cases]),
        "true_1mm": _find_mean([case.true_1mm for case in cases]),
        "true_3mm": _find_mean([case.true_3mm for case in cases]),
    }


def _or_inf(time_s: float | None) -> float:
    return math.inf if time_s is None else time_s


def _finite(time_s: float) -> float | None:
    return time_s if math.isfinite(time_s) else None


def _find_median(times: Sequence[float | None]) -> float | None:
    return _finite(median(map(_or_inf, times))) if times else None


def _find_mean(shares: Sequence[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return fmean(known) if known else None


def _format(figure: float | str | None) -> str:
    return "-" if figure is None else f"{figure:.2f}" if isinstance(figure, float) else str(figure)


def _describe(case: Case) -> str:
    kinds = ", ".join(f"{kind.value} {_format(row.good_s)}" for kind, row in case.kinds.items())
    return (
        f"{case.ladders:2d} {case.die:4s} first {_format(case.first_s)} good {_format(case.good_s)} ({case.good}); "
        f"true {_format(case.true_1mm)} {_format(case.true_3mm)}; {kinds}"
    )


def run(save: Save, trials: int = TRIALS, first_seed: int = 1, climbing: bool = False) -> None:
    """``trials``: number of structures of each size; ``climbing``: the ladders hook and lean."""
    cases: list[Case] = []
    console = Console(width=None if sys.stdout.isatty() else TABLE_COLUMNS)
    start = make_structure(2)
    with closing(PlaceSearch(start.ladders, start.base, niceness=0)) as search:
        for seed in range(first_seed, first_seed + trials):
            for live in grow_tables(start, SIZES, seed, search, climbing=climbing):
                for die in Die:
                    cases.append(_measure_case(live, die, seed, search))
                    console.print(_describe(cases[-1]), highlight=False)
                    save(collect_figures(cases))
    figures = collect_figures(cases)
    for title, rows in (("Places", figures["rows"] + figures["sizes"]), ("Places by kind", figures["kinds"])):
        table = Table(*rows[0], title=title)
        for row in rows:
            table.add_row(*map(_format, row.values()))
        console.print(table)


def _measure_case(live: LiveTable, die: Die, seed: int, search: PlaceSearch) -> Case:
    standing = live.structure.standing
    rng = np.random.default_rng([seed, len(standing), list(Die).index(die)])
    pieces = list_spares(live.structure)
    piece = pieces[int(rng.integers(len(pieces)))]
    question = Question(
        standing, piece, get_requirement(die), SLIP_3MM, seed=seed, seconds=LONGEST_S, work_s=SECONDS
    )
    # Prepare the structure before the ladder is known, as between turns; questions wait for the preparation.
    search.prepare(standing)
    search.ask(replace(question, work_s=0.0))
    search.wait(LONGEST_S)
    case = _search(search, question, Case(seed, len(standing), die.value))

    def find_share(place: LadderPlace | None, by: Slip) -> float | None:
        if place is None:
            return None
        return fmean(live.is_correct(piece, place.release, die, by, rng) for _ in range(TRIES))

    kinds = {
        kind: replace(row, true_1mm=find_share(row.best if row.good_s is not None else None, SLIP_1MM))
        for kind, row in case.kinds.items()
    }
    true_1mm, true_3mm = (find_share(case.best, by) for by in (SLIP_1MM, SLIP_3MM))
    return replace(case, kinds=kinds, true_1mm=true_1mm, true_3mm=true_3mm)


def _search(search: PlaceSearch, question: Question, case: Case) -> Case:
    """Ask the question, and record the times of the first place and of the first good place."""
    search.ask(question)
    first_s = good_s = good_drops = None
    kinds: dict[PlaceKind, float] = {}
    while True:
        answer = search.read_answer()
        if first_s is None and answer.places:
            first_s = answer.work_s
        for place in filter(is_good, answer.places):
            if good_s is None:
                good_s, good_drops = answer.work_s, answer.drops
            kinds.setdefault(place.kind, answer.work_s)
        if answer.done:
            break
        time.sleep(0.01)
    search.cancel()
    best = {
        place.kind: place for place in reversed(answer.places) if is_good(place) or place.kind not in kinds
    }
    return replace(
        case,
        first_s=first_s,
        good_s=good_s,
        good=sum(map(is_good, answer.places)),
        good_drops=good_drops,
        best=answer.places[0] if answer.places else None,
        kinds={kind: KindResult(kinds.get(kind), place) for kind, place in best.items()},
        stands=not answer.is_unsteady,
    )
