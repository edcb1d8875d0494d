"""The figures of the benchmark of places: what was measured of each case, and what that comes to by ladders and die."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from rich.table import Table

from armoon.values.places import Place, PlaceKind

#: Places that look as if the ladder climbed.
HUNG = (PlaceKind.LEAN, PlaceKind.HOOK)
_COLUMNS = {
    "trials": "trials",
    "found": "found_good",
    "first s": "first_s",
    "good s": "good_s",
    "90 % s": "good_p90_s",
    "random s": "random_good_s",
    "sooner": "random_sooner",
    "drops": "good_drops",
    "random drops": "random_good_drops",
    "true 1 mm": "true_1mm",
    "true 3 mm": "true_3mm",
    "good/s": "per_s",
    "random/s": "random_per_s",
}


@dataclass(frozen=True)
class OfKind:
    """What one search came to of one kind of places."""

    kind: PlaceKind
    good_s: float | None
    """Seconds until the first good one,"""
    best: Place
    """and the one ranked first at the end."""
    true_1mm: float | None = None
    """The share of tries of that one that came true; None where it isn't good."""


@dataclass(frozen=True)
class Run:
    """One search, or one row of random drops."""

    first_s: float | None
    good_s: float | None
    good: int
    seconds: float
    best: Place | None
    good_drops: int | None = None
    """Whole drops of the process that found the first good place, until then."""
    kinds: tuple[OfKind, ...] = ()


@dataclass(frozen=True)
class Case:
    """One ladder, one die, one structure."""

    seed: int
    ladders: int
    die: str
    search: Run
    random: Run
    true_1mm: float | None
    """The share of tries of the first place that came true; None where there was no place."""
    true_3mm: float | None


def to_plain(cases: Sequence[Case]) -> dict[str, Any]:
    """Return the figures by ladders and die, and of all dice together."""
    sizes = sorted({case.ladders for case in cases})
    return {
        "rows": [
            row(size, die, [case for case in cases if case.ladders == size and case.die == die])
            for size in sizes
            for die in sorted({case.die for case in cases if case.ladders == size})
        ],
        "sizes": [row(size, "all", [case for case in cases if case.ladders == size]) for size in sizes],
        "kinds": [
            kind_row(size, kinds, [case for case in cases if size in (0, case.ladders)])
            for size in (*sizes, 0)
            for kinds in (*((kind,) for kind in PlaceKind), HUNG)
        ],
    }


def kind_row(ladders: int, kinds: tuple[PlaceKind, ...], cases: Sequence[Case]) -> dict[str, Any]:
    """Return in how many cases a good place of these kinds was found, after how long, and the share that came true.

    0 ladders stand for all sizes.
    """
    of_each = [
        [one for one in case.search.kinds if one.kind in kinds and one.good_s is not None] for case in cases
    ]
    times = [min((one.good_s for one in found if one.good_s is not None), default=None) for found in of_each]
    return {
        "ladders": ladders,
        "kind": " or ".join(kind.value for kind in kinds),
        "trials": len(cases),
        "found": sum(time_s is not None for time_s in times),
        "good_s": _median(times),
        "true_1mm": _mean([one.true_1mm for found in of_each for one in found]),
    }


def row(ladders: int, die: str, cases: Sequence[Case]) -> dict[str, Any]:
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
        "good_p90_s": _ninth_tenth([run.good_s for run in searches]),
        "true_1mm": _mean([case.true_1mm for case in cases]),
        "true_3mm": _mean([case.true_3mm for case in cases]),
        "true_1mm_of_good": _mean([case.true_1mm for case in cases if case.search.good]),
        "true_3mm_of_good": _mean([case.true_3mm for case in cases if case.search.good]),
        "per_s": _rate(searches),
        "random_per_s": _rate(randoms),
        "random_first_s": _median([run.first_s for run in randoms]),
        "random_good_s": _median([run.good_s for run in randoms]),
        "random_sooner": sum(_never(case.random.good_s) < _never(case.search.good_s) for case in cases),
        "good_drops": _median([run.good_drops for run in searches]),
        "random_good_drops": _median([run.good_drops for run in randoms]),
    }


def _never(time_s: float | None) -> float:
    return math.inf if time_s is None else time_s


def _median(times: Sequence[float | None]) -> float | None:
    """None counts as never."""
    ordered = sorted(_never(time_s) for time_s in times)
    middle = median(ordered) if ordered else float("inf")
    return None if middle == float("inf") else middle


def _ninth_tenth(times: list[float | None]) -> float | None:
    """Return the time within which nine in ten were there; None counts as never."""
    ordered = sorted(_never(time_s) for time_s in times)
    last = ordered[math.ceil(0.9 * len(ordered)) - 1] if ordered else float("inf")
    return None if last == float("inf") else last


def _mean(shares: list[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def _rate(runs: list[Run]) -> float:
    return sum(run.good for run in runs) / max(sum(run.seconds for run in runs), 1e-9)


def told(case: Case) -> str:
    """One case in a line."""
    found, dropped = case.search, case.random
    return (
        f"{case.ladders:2d} {case.die:4s} first {_text(found.first_s)} good {_text(found.good_s)} ({found.good}); "
        f"random {_text(dropped.first_s)} {_text(dropped.good_s)} ({dropped.good}); "
        f"true {_text(case.true_1mm)} {_text(case.true_3mm)}; "
        + ", ".join(f"{one.kind.value} {_text(one.good_s)}" for one in found.kinds)
    )


def _text(figure: float | str | None) -> str:
    if isinstance(figure, float):
        return f"{figure:.2f}"
    return "-" if figure is None else str(figure)


def kinds_table(cases: Sequence[Case]) -> Table:
    """By kind, to be looked at."""
    keys = ("ladders", "kind", "trials", "found", "good_s", "true_1mm")
    made = Table(*keys, title="Places by kind")
    for one in to_plain(cases)["kinds"]:
        made.add_row(*(_text(one[key] or ("all" if key == "ladders" else one[key])) for key in keys))
    return made


def table(cases: Sequence[Case]) -> Table:
    """All of it, to be looked at."""
    made = Table("ladders", "die", *_COLUMNS, title="Places")
    plain = to_plain(cases)
    for one in plain["rows"] + plain["sizes"]:
        made.add_row(*(_text(one[key]) for key in ("ladders", "die", *_COLUMNS.values())))
    return made
