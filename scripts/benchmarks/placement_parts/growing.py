"""Grows the benchmark's towers: a builder lays a ladder in a way of its kind, and leaves it where it comes to rest.

All work is counted and no clock is looked at, so that the same numbers give the same tower.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace

import numpy as np

from armoon.clock import TICKS_PER_SECOND
from armoon.games.moon.rules.values import Die
from armoon.placement.attitudes import Attitudes
from armoon.placement.hung import flats, hangs, hooks, leans, props
from armoon.placement.structure import Known
from armoon.placement.values import Candidate, Outcome, slip
from armoon.placement.wood import Wood
from armoon.values.pieces import Ladder, PieceId
from armoon.values.poses import Pose
from benchmarks.place_parts.structures import free_pieces
from benchmarks.place_parts.truth import Truth
from benchmarks.placement_parts.cases import MISSES
from benchmarks.placement_parts.tables import BuilderKind
from benchmarks.structures.structure import Structure
from benchmarks.structures.towers import starting_structure

#: Draws candidates of one ladder over a structure.
Way = Callable[[Wood, Ladder, Attitudes, np.random.Generator, int], list[Candidate]]

#: How builders lay.
BUILT: Mapping[BuilderKind, tuple[Way, ...]] = {
    "flat": (flats,),
    "climbing": (hooks, hangs, leans, props),
    "wild": (flats, hooks, leans),
}
#: Drops of a ladder in ways of its builder's kind, of which one is to be left; then as many that lie flat, and so on
#: with other ladders. A builder's ladder holds under so many slips.
BUILDING_DROPS, MOST_LADDERS, BUILDING_SLIPS = 150, 4, 2
#: What a drop with everything free costs, in drops on what stands fast.
FREE_DROPS = 10
#: Ladders that are taken off again where nothing holds any more, and how often that may be.
STEPS_BACK, MOST_BACK = 2, 3
#: Places that are let go of in the game's own physics for one ladder, before another is drawn.
MOST_JUDGED = 3
#: Everything is at rest again this soon, in ticks of the game: a trial waits for its verdict not much longer.
RESTS_TICKS = 5 * TICKS_PER_SECOND
#: A ladder that turns more on its way has tumbled.
TUMBLED_RAD = math.radians(45.0)


def grown(
    structure: Structure, size: int, builder: BuilderKind, rng: np.random.Generator
) -> Structure | None:
    """Return a structure grown to this size; None where it doesn't get there."""
    first = len(starting_structure(2).standing)
    stages = [
        replace(structure, standing=structure.standing[:count])
        for count in range(first, len(structure.standing) + 1)
    ]
    for _ in range(size + MOST_BACK * (STEPS_BACK + 1)):
        if len(stages[-1].standing) == size:
            return stages[-1]
        laid = _laid(stages[-1], BUILT[builder], rng)
        # Where nothing holds any more, the last ladders are taken off again.
        stages = stages[: max(1, len(stages) - STEPS_BACK)] if laid is None else [*stages, laid]
    return None


def _laid(structure: Structure, ways: Sequence[Way], rng: np.random.Generator) -> Structure | None:
    """Return the structure with one ladder more, laid in one of these ways, or flat, and at rest."""
    ladders = {one.piece: one for one in structure.ladders.ladders}
    with ExitStack() as stack:
        known = stack.enter_context(closing(Known(ladders, structure.base, structure.standing)))
        truth = stack.enter_context(closing(Truth(structure.ladders, structure.base, RESTS_TICKS)))
        pieces = free_pieces(structure, structure.standing)
        for tried in range(MOST_LADDERS):
            piece = pieces[int(rng.integers(len(pieces)))]
            judged = 0
            for release, outcome in held(known, piece, _ways(ways, tried), BUILDING_DROPS, borne, rng):
                if slips_held(known, release, BUILDING_SLIPS, BUILDING_SLIPS, borne, rng) < BUILDING_SLIPS:
                    continue
                die = Die.ONE if len(outcome.touched) == 1 else Die.TWO
                standing = truth.laid(structure.standing, piece, release, die)
                if standing is not None:
                    return replace(structure, standing=tuple(standing))
                judged += 1
                if judged == MOST_JUDGED:
                    break
    return None


def _ways(ways: Sequence[Way], tried: int) -> Sequence[Way]:
    """Return the ways of a builder; of every other ladder, once one found no place, that it lies flat."""
    return (flats,) if tried % 2 else ways


def borne(release: Pose, outcome: Outcome) -> bool:
    """Whether a ladder touches as many others as some die asks for."""
    return 1 <= len(outcome.touched) <= 2


def held(
    known: Known,
    piece: PieceId,
    ways: Sequence[Way],
    drops: int,
    fits: Callable[[Pose, Outcome], bool],
    rng: np.random.Generator,
) -> Iterator[tuple[Pose, Outcome]]:
    """Yield where a ladder was let go of and what came of it, of those that came to rest as they should.

    Each is lowered to its first touch and dropped on what stands fast, then, if that held, with everything free; one
    that brings something down counts as ``FREE_DROPS`` drops more.
    """
    known.free.take(piece)
    known.frozen.take(piece)
    any_attitude = Attitudes(None)
    while drops > 0:
        drops -= 1
        way = ways[int(rng.integers(len(ways)))]
        for candidate in way(known.wood, known.ladders[piece], any_attitude, rng, 1):
            release = known.frozen.lower(candidate.pose, None)
            if release is None:
                continue
            for engine in (known.frozen, known.free):
                outcome = engine.drop(release)
                if not (outcome.held and outcome.turned_rad <= TUMBLED_RAD and fits(release, outcome)):
                    drops -= FREE_DROPS if engine is known.free else 0
                    break
            else:
                yield release, outcome


def slips_held(
    known: Known,
    release: Pose,
    slips: int,
    least: int,
    fits: Callable[[Pose, Outcome], bool],
    rng: np.random.Generator,
) -> int:
    """Return after how many of some slips of a hand the ladder still comes to rest as it should.

    Once it can't be ``least`` any more the others aren't tried.
    """
    held = 0
    for tried in range(slips):
        if held + slips - tried < least:
            break
        slipped = known.frozen.lower(slip(release, MISSES, rng))
        outcome = None if slipped is None else known.free.drop(slipped)
        held += outcome is not None and outcome.held and fits(release, outcome)
    return held
