"""The benchmark of places: how soon the search finds places that hold, and whether they come true.

Structures are grown anew, ladder by ladder. On each, for each face of the die, a ladder is searched a place for, with
the structure prepared as between turns; the place that is ranked first at the end is then tried in the game's own
world under slips of 1 and 3 mm. Random drops get the same ladder, structure, processes and time in the same run.

Seconds are processor seconds of the process that found the place, so that a busy machine measures the same; on two
idle cores they are those of the clock. Everything measured is in the JSON file, from which a run that was cut off
goes on (``--resume``).
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console

from armoon.games.moon.rules.turn import wanted_by
from armoon.games.moon.rules.values import Die
from armoon.placement.question import Question, is_good
from armoon.placement.search import PlaceSearch
from armoon.values.places import Slip
from benchmarks.place_parts.figures import Case, Run, table, told
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


def run(
    json_path: Path | None, trials: int = TRIALS, first_seed: int = FIRST_SEED, resume: bool = False
) -> int:
    """Measure, print a table, write the figures."""
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
    return 0


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
    return Case(seed, len(standing), die.value, found, dropped, shares[0], shares[1])


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
