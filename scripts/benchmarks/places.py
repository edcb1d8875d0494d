"""Measure how soon the search finds places that hold, and whether they come true.

Structures are grown ladder by ladder, in a world that is never rebuilt from outside. On each, for each face of the
die, the search looks for a place for a ladder, with the structure prepared as between turns; the place that is ranked
first at the end is then tried in copies of that world under slips of 1 and 3 mm. Random drops get the same ladder,
structure, processes and time in the same run.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from armoon.codec import encode_json
from armoon.games.moon.rules.turn import wanted_by
from armoon.games.moon.rules.values import Die
from armoon.geometry import quat_angle
from armoon.placement.search import Finding, PlaceSearch
from armoon.placement.values import GOOD_OF, LEAD_M, Question, decided, is_good, slip
from armoon.values.pieces import Base, LadderSet
from armoon.values.places import LadderPlace, PlaceKind, Slip
from armoon.values.poses import Pose
from armoon.world.checks import Standing
from benchmarks.towers import (
    LiveTable,
    TrialResult,
    TrialTable,
    above_something,
    free_pieces,
    grown,
    lower,
    starting_structure,
)

#: Places that look as if the ladder climbed.
HUNG = (PlaceKind.LEAN, PlaceKind.HOOK)
_COLUMNS = {
    "trials": "trials",
    "stands": "stands",
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
    best: LadderPlace
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
    best: LadderPlace | None
    good_drops: int | None = None
    """Whole drops of the process that found the first good place, until then."""
    kinds: tuple[OfKind, ...] = ()
    stands: bool = True
    """Whether the structure stands in the search's rehearsal."""


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
        "stands": _mean([float(run.stands) for run in searches]),
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


#: One that turns more than the first is let go of anew, one that turns more than the second has tumbled.
RELAY_RAD, TUMBLED_RAD = math.radians(10.0), math.radians(45.0)
ROOM_M = 0.012


class RandomDrops:
    """Drops ladders at random; close it."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._ladders = ladders
        self._trials = TrialTable(ladders, base)
        self.work, self.unsteady = 0, False

    def close(self) -> None:
        """Free the engines."""
        self._trials.close()

    def prepare(self, standing: Standing) -> None:
        """Nothing can be made ready."""

    def seek(self, question: Question, seed: int) -> Iterator[Finding | None]:
        """Yield true places and their share of survived slips, for as long as is asked."""
        dice, rng = random.Random(seed), np.random.default_rng(seed)
        number = 0
        while True:
            yield None
            start = above_something(self._ladders, question.standing, question.piece, dice)
            release = lower(self._trials, self._ladders, question.standing, question.piece, start)
            result = self._dropped(question, release)
            if release is None or result is None:
                continue
            turned = quat_angle(release.rotation, result.pose.rotation)
            if turned > RELAY_RAD:
                again = self._lowered(question, result.pose)
                better = self._dropped(question, again)
                if again is not None and better is not None:
                    release, result = again, better
                    turned = quat_angle(release.rotation, result.pose.rotation)
            if turned > TUMBLED_RAD:
                continue
            number += 1
            yield from self._slips(question, number, release, result, rng)

    def _slips(
        self, question: Question, number: int, release: Pose, result: TrialResult, rng: np.random.Generator
    ) -> Iterator[Finding]:
        height = max(result.highest_m, result.others_highest_m)
        highest = result.highest_m > result.others_highest_m
        yield Finding(number, LadderPlace(release, result.pose, result.contacts, highest, height, 0.0))
        held = 0
        for tried in range(1, GOOD_OF + 1):
            slipped = self._lowered(question, slip(release, question.slip, rng))
            held += self._dropped(question, slipped) is not None
            place = LadderPlace(release, result.pose, result.contacts, highest, height, held / tried, tried)
            yield Finding(number, place)
            if decided(place):
                return

    def _lowered(self, question: Question, pose: Pose) -> Pose | None:
        x, y, z = pose.position
        start = Pose((x, y, z + ROOM_M), pose.rotation)
        return lower(self._trials, self._ladders, question.standing, question.piece, start)

    def _dropped(self, question: Question, release: Pose | None) -> TrialResult | None:
        """Return a drop's result; None unless it ended as wanted."""
        if release is None:
            return None
        self.work += 1
        result = self._trials.try_drop(question.standing, question.piece, release)
        lead = result.highest_m > result.others_highest_m + LEAD_M
        held = result.start_clear and result.settled and not result.fell
        return result if held and question.wanted.met_by(len(result.contacts), lead) else None


SIZES = (2, 8, 16, 24)
#: Structures of each size; every die is thrown once on each.
TRIALS = 30
#: Seconds of search, and of random dropping.
SECONDS = 5.0
#: ... and their limit by the clock.
LONGEST_S = 120.0
#: How often the place that is ranked first is tried in the world at each slip.
TRIED = 4
SLIP_1MM, SLIP_3MM = Slip(0.001, 0.012), Slip(0.003, 0.035)
FIRST_SEED = 1


def run(
    json_path: Path | None, trials: int = TRIALS, first_seed: int = FIRST_SEED, climbing: bool = False
) -> int:
    """Measure, print a table, write the figures after each case."""
    cases: list[Case] = []
    console = Console()
    start = starting_structure(2)
    search = PlaceSearch(start.ladders, start.base, niceness=0)
    blind = PlaceSearch(start.ladders, start.base, make=RandomDrops, niceness=0)
    try:
        for seed in range(first_seed, first_seed + trials):
            for live in grown(start, SIZES, seed, search, climbing=climbing):
                for die in Die:
                    cases.append(_case(live, die, seed, search, blind))
                    console.print(told(cases[-1]))
                    if json_path is not None:
                        json_path.write_bytes(encode_json(to_plain(cases), indent=1) + b"\n")
    finally:
        search.close()
        blind.close()
    console.print(table(cases))
    console.print(kinds_table(cases))
    return 0


def _tried(run: Run, live: LiveTable, piece: str, die: Die, rng: np.random.Generator) -> Run:
    """Return the run with the share of tries of each kind's best place that came true."""
    kinds = []
    for one in run.kinds:
        held = [
            live.comes_true(piece, one.best.release, die, SLIP_1MM, rng)
            for _ in range(TRIED if one.good_s is not None else 0)
        ]
        kinds.append(replace(one, true_1mm=sum(held) / TRIED if held else None))
    return replace(run, kinds=tuple(kinds))


def _case(live: LiveTable, die: Die, seed: int, search: PlaceSearch, blind: PlaceSearch) -> Case:
    standing = live.structure.standing
    rng = np.random.default_rng([seed, len(standing), list(Die).index(die)])
    pieces = free_pieces(live.structure)
    piece = pieces[int(rng.integers(len(pieces)))]
    question = Question(
        standing, piece, wanted_by(die), SLIP_3MM, seed=seed, seconds=LONGEST_S, work_s=SECONDS
    )
    _prepare(search, question)
    found = _tried(_watched(search, question), live, piece, die, rng)
    dropped = _watched(blind, question)
    shares: list[float | None] = []
    for by in (SLIP_1MM, SLIP_3MM):
        if found.best is None:
            shares.append(None)
            continue
        held = [live.comes_true(piece, found.best.release, die, by, rng) for _ in range(TRIED)]
        shares.append(sum(held) / TRIED)
    return Case(seed, len(standing), die.value, found, dropped, shares[0], shares[1])


def _prepare(search: PlaceSearch, question: Question) -> None:
    """As between turns: the structure is known before the ladder is; any question waits until that is done."""
    search.prepare(question.standing)
    search.ask(replace(question, work_s=0.0))
    search.wait(LONGEST_S)


def _watched(search: PlaceSearch, question: Question) -> Run:
    """Ask, and note when the first place and the first good one came."""
    search.ask(question)
    first_s = good_s = good_drops = None
    kinds: dict[PlaceKind, float] = {}
    while True:
        answer = search.answers()
        if first_s is None and answer.places:
            first_s = answer.work_s
        if good_s is None and any(is_good(place) for place in answer.places):
            good_s, good_drops = answer.work_s, answer.drops
        for place in answer.places:
            if is_good(place):
                kinds.setdefault(place.kind, answer.work_s)
        if answer.done:
            break
        time.sleep(0.01)
    search.cancel()
    good = sum(is_good(place) for place in answer.places)
    best = {
        place.kind: place for place in reversed(answer.places) if is_good(place) or place.kind not in kinds
    }
    of_kinds = tuple(OfKind(kind, kinds.get(kind), place) for kind, place in best.items())
    first, stands = answer.places[0] if answer.places else None, not answer.unsteady
    return Run(first_s, good_s, good, question.work_s or SECONDS, first, good_drops, of_kinds, stands)
