"""The benchmark of places: how soon the search finds places that hold, and whether they come true.

Structures are grown anew, ladder by ladder. On each, for each face of the die, a ladder is searched a place for, with
the structure prepared as between turns; the place that is ranked first at the end is then tried in the game's own
world under slips of 1 and 3 mm. Random drops get the same ladder, structure, processes and time in the same run.

With ``--climbing`` structures are grown by their best hooks and leans instead, and every turn of that is measured: a
die is thrown, a ladder drawn, and searched a place for until a good hook and a good lean are known, four seconds of
each of two processors at most.

Seconds are processor seconds of the process that found the place, so that a busy machine measures the same; on two
idle cores they are those of the clock. Everything measured is in the JSON file, from which a run that was cut off
goes on (``--resume``).
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console

from armoon.games.moon.rules.turn import wanted_by
from armoon.games.moon.rules.values import Die
from armoon.placement.question import Question, is_good, liking
from armoon.placement.search import PlaceSearch
from armoon.values.places import PlaceKind, Slip, Taste
from armoon.world.checks import Standing
from benchmarks.place_parts.figures import HUNG, Case, OfKind, Run, kinds_table, table, told
from benchmarks.place_parts.kept import Kept, read, write
from benchmarks.place_parts.random_drops import RandomDrops
from benchmarks.place_parts.structures import free_pieces, grown
from benchmarks.place_parts.truth import Truth
from benchmarks.structures.structure import Structure
from benchmarks.structures.towers import starting_structure

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
#: Of growing by hooks and leans: the largest structure, the longest search, failed turns in a row after which it is
#: given up, and what its builder likes.
CLIMBED, CLIMBING_S, MOST_VAIN = 20, 4.0, 6
CLIMBER = Taste(safety=3.0, height=0.2, rise=0.4, ahead=0.6)
#: Slip of the hand that builds by hooks and leans.
CLIMBING_SLIP = Slip(0.0015, 0.02)


def run(
    json_path: Path | None,
    trials: int = TRIALS,
    first_seed: int = FIRST_SEED,
    resume: bool = False,
    climbing: bool = False,
) -> int:
    """Measure, print a table, write the figures."""
    if climbing:
        return _climbing(json_path, range(first_seed, first_seed + trials))
    kept = Kept(SECONDS)
    if resume and json_path is not None and json_path.exists():
        kept = read(json_path, SECONDS)
    console = Console()
    start = starting_structure(2)
    search = PlaceSearch(start.ladders, start.base, niceness=0)
    blind = PlaceSearch(start.ladders, start.base, make=RandomDrops, niceness=0)
    truth = Truth(start.ladders, start.base)
    try:
        for seed in range(first_seed, first_seed + trials):
            for structure in grown(start, SIZES, seed, search, kept.grown(seed)):
                kept = kept.with_structure(seed, structure.standing)
                for die in Die:
                    if kept.has(seed, len(structure.standing), die.value):
                        continue
                    case = _case(structure, die, seed, search, blind, truth)
                    kept = kept.with_case(case)
                    console.print(told(case))
                    if json_path is not None:
                        write(json_path, kept)
    finally:
        search.close()
        blind.close()
        truth.close()
    console.print(table(kept.cases))
    console.print(kinds_table(kept.cases))
    return 0


def _climbing(json_path: Path | None, seeds: Sequence[int]) -> int:
    kept, console = Kept(CLIMBING_S), Console()
    start = starting_structure(2)
    truth = Truth(start.ladders, start.base)
    search = PlaceSearch(start.ladders, start.base, niceness=0)
    try:
        for seed in seeds:
            for case in _climbed(start, seed, search, truth):
                kept = kept.with_case(case)
                console.print(told(case))
                if json_path is not None:
                    write(json_path, kept)
    finally:
        search.close()
        truth.close()
    console.print(kinds_table(kept.cases))
    return 0


def _climbed(start: Structure, seed: int, search: PlaceSearch, truth: Truth) -> Iterator[Case]:
    """Yield the turns of one structure that is grown by its best hooks and leans; by plates where there is no other."""
    standing, dice, vain = start.standing, random.Random(f"climbed {seed}"), 0
    rng = np.random.default_rng(seed)
    while len(standing) < CLIMBED and vain < MOST_VAIN:
        die, piece = dice.choice(tuple(Die)), dice.choice(free_pieces(start, standing))
        question = Question(
            standing, piece, wanted_by(die), CLIMBING_SLIP, seed=seed, taste=CLIMBER, seconds=LONGEST_S,
            work_s=CLIMBING_S,
        )  # fmt: skip
        _prepare(search, question)
        run = _tried(_watched(search, question, enough=HUNG), standing, piece, die, truth, rng)
        yield Case(seed, len(standing), die.value, run, Run(None, None, 0, CLIMBING_S, None), None, None)
        good = [one.best for one in sorted(run.kinds, key=_hung_first) if one.good_s is not None]
        laid = (truth.laid(standing, piece, place.release, die) for place in good)
        grown_to = next((one for one in laid if one is not None), None)
        vain = vain + 1 if grown_to is None else 0
        standing = standing if grown_to is None else tuple(grown_to)


def _hung_first(one: OfKind) -> tuple[bool, float]:
    return one.kind not in HUNG, -liking(one.best, CLIMBER)


def _tried(run: Run, standing: Standing, piece: str, die: Die, truth: Truth, rng: np.random.Generator) -> Run:
    """Return the run with the share of tries of each kind's best place that came true."""
    kinds = []
    for one in run.kinds:
        held = [
            truth.comes_true(standing, piece, one.best.release, die, SLIP_1MM, rng)
            for _ in range(TRIED if one.good_s is not None else 0)
        ]
        kinds.append(replace(one, true_1mm=sum(held) / TRIED if held else None))
    return replace(run, kinds=tuple(kinds))


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
    found = _tried(_watched(search, question), standing, piece, die, truth, rng)
    dropped = _watched(blind, question)
    shares: list[float | None] = []
    for by in (SLIP_1MM, SLIP_3MM):
        if found.best is None:
            shares.append(None)
            continue
        held = [truth.comes_true(standing, piece, found.best.release, die, by, rng) for _ in range(TRIED)]
        shares.append(sum(held) / TRIED)
    return Case(seed, len(standing), die.value, found, dropped, shares[0], shares[1])


def _prepare(search: PlaceSearch, question: Question) -> None:
    """As between turns: the structure is known before the ladder is; any question waits until that is done."""
    search.prepare(question.standing)
    search.ask(replace(question, work_s=0.0))
    search.wait(LONGEST_S)


def _watched(search: PlaceSearch, question: Question, enough: tuple[PlaceKind, ...] = ()) -> Run:
    """Ask, and note when the first place and the first good one came; no longer than until all of ``enough`` did."""
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
        if answer.done or (enough and kinds.keys() >= set(enough)):
            break
        time.sleep(0.01)
    search.cancel()
    good = sum(is_good(place) for place in answer.places)
    best = {
        place.kind: place for place in reversed(answer.places) if is_good(place) or place.kind not in kinds
    }
    of_kinds = tuple(OfKind(kind, kinds.get(kind), place) for kind, place in best.items())
    first = answer.places[0] if answer.places else None
    return Run(first_s, good_s, good, question.work_s or SECONDS, first, good_drops, of_kinds)
