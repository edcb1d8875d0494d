"""Fresh structures as players build them: ladder after ladder, dice in turn, each laid where it holds."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping

from armoon.games.moon.rules.turn import wanted_by
from armoon.games.moon.rules.values import Die
from armoon.placement.question import Question, is_good, promise
from armoon.placement.search import PlaceSearch
from armoon.values.places import Place, Slip
from armoon.world.checks import Standing
from benchmarks.place_parts.truth import Truth
from benchmarks.structures.structure import Structure

#: Seconds of search by each processor and by the clock; then the best place found will do.
PATIENCE_S, LONGEST_S = 2.5, 60.0
#: How the hand that builds misses.
UNSTEADY = Slip(0.0015, 0.02)
#: Number of failed turns after which a structure bears nothing more.
MOST_VAIN = 12


def grown(
    start: Structure,
    sizes: tuple[int, ...],
    seed: int,
    search: PlaceSearch,
    known: Mapping[int, Standing] | None = None,
    faces: tuple[Die, ...] = tuple(Die),
) -> Iterator[Structure]:
    """Yield the structure at each of these sizes (ascending), as long as it can be built on.

    ``known``: what it grew to; ``faces``: what is thrown, so that moons alone make a tall one.
    """
    standing: Standing = start.standing
    truth = Truth(start.ladders, start.base)
    try:
        vain = 0
        for size in sizes:
            dice = random.Random(f"grown {seed} to {size}")
            standing = (known or {}).get(size, standing)
            while len(standing) < size:
                laid = _turn(start, standing, dice, search, truth, faces)
                vain = 0 if laid is not None else vain + 1
                standing = laid or standing
                if vain > MOST_VAIN:
                    return
            yield Structure(start.ladders, start.base, tuple(standing))
    finally:
        truth.close()


def free_pieces(structure: Structure, standing: Standing) -> list[str]:
    """Return the ladders that don't stand yet."""
    there = {name for name, _, _ in standing}
    return [one.piece for one in structure.ladders.ladders if one.piece not in there]


def _turn(
    start: Structure,
    standing: Standing,
    dice: random.Random,
    search: PlaceSearch,
    truth: Truth,
    faces: tuple[Die, ...],
) -> Standing | None:
    """One ladder laid for one throw of the die; None where it didn't come off."""
    die = dice.choice(faces)
    piece = dice.choice(free_pieces(start, standing))
    question = Question(
        tuple(standing),
        piece,
        wanted_by(die),
        UNSTEADY,
        seed=dice.randrange(9999),
        seconds=LONGEST_S,
        work_s=PATIENCE_S,
    )
    search.ask(question)
    place = _first_good(search)
    search.cancel()
    if place is None:
        return None
    return truth.laid(standing, piece, place.release, die)


def _first_good(search: PlaceSearch) -> Place | None:
    while not (answer := search.answers()).done:
        if any(is_good(place) for place in answer.places):
            break
        time.sleep(0.01)
    return max(answer.places, key=promise, default=None)
