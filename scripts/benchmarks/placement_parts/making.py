"""Makes the frozen tables: ten towers by three kinds of builders, at four sizes, with places that are known to hold.

``python -m benchmarks.placement_parts.making FILE [TOWER...]`` writes FILE after every table and goes on where it was
interrupted; with numbers of towers, those alone. Flat and climbing builders lay by the product's own search; wild ones
drop ladders at random and leave what holds, and so does whoever finds no more places in time. All takes about an hour
of one processor. ``... making FILE join PART...`` puts parts together.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from armoon.codec import encode_json
from armoon.games.moon.rules.turn import wanted_by
from armoon.games.moon.rules.values import Die, face_of_turn
from armoon.geometry import quat_angle
from armoon.placement.question import Question, is_good, liking, promise
from armoon.placement.seeker import Seeker
from armoon.synthetic_camera.look import HANDS
from armoon.values.pieces import PieceId
from armoon.values.places import SAFEST, Place, PlaceKind, Slip, Taste
from armoon.values.poses import Pose
from armoon.world.checks import Standing
from armoon.world.structures.trial import TrialTable
from benchmarks.place_parts.structures import free_pieces
from benchmarks.place_parts.truth import Truth
from benchmarks.placement_parts.cases import (
    LEAST_SAFETY,
    MISSES,
    SIDES_RAD,
    STANDING,
    is_deep,
    let_down,
    state_of,
)
from benchmarks.placement_parts.tables import (
    GOAL_KINDS,
    SEATS,
    BuilderKind,
    Goal,
    GoalKind,
    Table,
    Tables,
    goal_kind,
    read_tables,
)
from benchmarks.structures.structure import Structure
from benchmarks.structures.towers import above_something, lower, starting_structure

BUILDERS: tuple[BuilderKind, ...] = (
    *("flat", "climbing", "wild", "climbing", "flat", "climbing", "wild", "flat", "climbing", "wild"),
)
#: Goals of each tower at each size, 26 a size; their kinds are asked for in turn.
GOALS = (3, 3, 3, 3, 3, 3, 2, 2, 2, 2)
#: Seconds of processor: for a ladder of a builder that searches, for all the ladders of one, for all that are dropped,
#: and for a goal.
LAYING_S, GROWING_S, DROPPING_S, GOAL_S = 2.0, 10.0, 60.0, 5.0
#: Ladders in a row without a place after which a builder gives up; drops after which a wild one does.
MOST_VAIN, MOST_DROPS = 12, 400
#: Minimum slips that a searching builder's place has to hold under.
LEAST_HELD = 2
#: How the hand misses that builds.
UNSTEADY = Slip(0.0015, 0.02)
CLIMBER = Taste(safety=3.0, height=0.2, rise=0.4, ahead=0.6)
#: A random ladder that turns more on its way has tumbled, and isn't left.
TUMBLED_RAD = math.radians(45.0)
#: A ladder and a die for which there is no place are drawn anew so often: as at a table, the turn is passed.
MOST_DRAWS = 7


def make(path: Path, towers: Sequence[int] = range(len(BUILDERS)), sizes: Sequence[int] = STANDING) -> None:
    """Write the tables of these towers that the file lacks, or that lack goals."""
    tables = read_tables(path) if path.exists() else Tables()
    for size, number in product(sizes, towers):
        known = next((t for t in tables.tables if (t.tower, t.standing) == (number, size)), None)
        if known is not None and len(known.goals) == GOALS[number]:
            continue
        structure = _grown(number, size, tables) if known is None else _standing(known)
        if structure is not None:
            table = _with_goals(number, size, structure, known)
            tables = _whole([t for t in tables.tables if t is not known] + [table])
            path.write_bytes(encode_json(tables, indent=1) + b"\n")
            print(f"tower {number} ({table.builder}) of {size}: {len(table.goals)} goals", flush=True)


def joined(paths: Iterable[Path]) -> Tables:
    """Return the tables of several files as one; of a table that is in two, the later."""
    found = {(t.standing, t.tower): t for path in paths for t in read_tables(path).tables}
    return _whole(found.values())


def _whole(tables: Iterable[Table]) -> Tables:
    """Return tables in order, with seats and hands dealt out: each size has both seats alike, and each hand in both."""
    inside = sorted(tables, key=lambda t: (t.standing, t.tower))
    for size in STANDING:
        here = [t for t in inside if t.standing == size]
        order = sorted((number, t.tower, goal.seed) for t in here for number, goal in enumerate(t.goals))
        dealt = {seed: (SEATS[n % 2], HANDS[(n + n // 8) % 8].name) for n, (_, _, seed) in enumerate(order)}
        for t in here:
            goals = tuple(replace(g, seat=dealt[g.seed][0], hand=dealt[g.seed][1]) for g in t.goals)
            inside[inside.index(t)] = replace(t, goals=goals)
    return Tables(passed_over=sum(GOALS[t.tower] - len(t.goals) for t in inside), tables=tuple(inside))


def _standing(table: Table) -> Structure:
    start = starting_structure(2)
    free = ((name, pose, False) for name, pose in table.placed)
    return Structure(start.ladders, start.base, (*start.standing, *free))


def _with_goals(number: int, size: int, structure: Structure, known: Table | None) -> Table:
    """Return a table with the goals it has and those it lacks, as far as there are any."""
    placed = tuple((name, pose) for name, pose, fixed in structure.standing if not fixed)
    goals = {goal.seed // 10 % 10: goal for goal in (() if known is None else known.goals)}
    for index in range(GOALS[number]):
        asked = GOAL_KINDS[(2 * number + STANDING.index(size) + index) % len(GOAL_KINDS)]
        before = frozenset(goal.kind for goal in goals.values())
        for draw in range(0 if index in goals else MOST_DRAWS):
            seed = 100_000 + 1000 * number + 100 * STANDING.index(size) + 10 * index + draw
            goal = _goal(structure, placed, seed, asked, before)
            if goal is not None:
                goals[index] = goal
                break
    return Table(number, BUILDERS[number], size, placed, tuple(goals[index] for index in sorted(goals)))


def _goal(
    structure: Structure,
    placed: tuple[tuple[PieceId, Pose], ...],
    seed: int,
    asked: GoalKind,
    before: frozenset[GoalKind],
) -> Goal | None:
    """Return the safest place of the kind asked for, else of one not yet had, else of any; None where none holds."""
    state = state_of(seed, tuple(name for name, _ in placed))
    piece, die = state.supply[0], face_of_turn(seed, state.turn)
    question = Question(tuple(structure.standing), piece, wanted_by(die), MISSES, seed=seed)
    places = _sought(
        structure,
        question,
        GOAL_S,
        lambda place: is_good(place) and goal_kind(place.kind, place.release) == asked,
    )
    truth = Truth(structure.ladders, structure.base)
    try:
        for place in sorted(
            (p for p in places if p.slips > 1 and p.safety >= LEAST_SAFETY),
            key=lambda p: (
                not is_good(p),
                goal_kind(p.kind, p.release) != asked,
                goal_kind(p.kind, p.release) in before,
                -p.safety,
            ),
        ):
            release = let_down(structure, piece, place)
            if release is not None and truth.honours(structure.standing, piece, release, die):
                return Goal(
                    seed=seed,
                    piece=piece,
                    die=die.value,
                    kind=goal_kind(place.kind, release),
                    release=release,
                    rest=place.rest,
                    touched=place.touched,
                    safety=place.safety,
                    turned_rad=_side(release, seed),
                )
    finally:
        truth.close()
    return None


def _side(release: Pose, seed: int) -> float:
    """How far the table is turned: on three of four tables so that the place is nearer or farther than the lid."""
    first = seed // 10 % len(SIDES_RAD)
    sides = SIDES_RAD[first:] + SIDES_RAD[:first]
    wants_deep = seed // 10 % 4 != 3
    return next((side for side in sides if not wants_deep or is_deep(release, side)), sides[0])


def _grown(number: int, size: int, tables: Tables) -> Structure | None:
    """Return a tower grown to this size from the one before, as it is frozen; None where it doesn't get there."""
    before = STANDING[max(0, STANDING.index(size) - 1)]
    known = [t for t in tables.tables if t.tower == number and t.standing == before]
    if not known and size != STANDING[0]:
        return None
    structure = _standing(known[0]) if known else starting_structure(2)
    dice, builder = random.Random(f"tower {number} to {size}"), BUILDERS[number]
    for lay in (_dropped,) if builder == "wild" else (_laid, _dropped):
        vain, began = 0, time.process_time()
        while len(structure.standing) < size and vain <= MOST_VAIN:
            standing = lay(structure, builder, dice)
            vain = 0 if standing is not None else vain + 1
            if standing is not None:
                structure = replace(structure, standing=tuple(standing))
            if time.process_time() - began > (GROWING_S if lay is _laid else DROPPING_S):
                break
    return structure if len(structure.standing) == size else None


def _laid(structure: Structure, builder: BuilderKind, dice: random.Random) -> Standing | None:
    """One ladder laid at a place of the builder's kind, or any, that the game's own physics confirms."""
    die = dice.choice(tuple(Die))
    piece = dice.choice(free_pieces(structure, structure.standing))
    climbs = builder == "climbing"
    taste = CLIMBER if climbs else SAFEST
    question = Question(
        tuple(structure.standing), piece, wanted_by(die), UNSTEADY, seed=dice.randrange(9999), taste=taste
    )

    def fits(place: Place) -> bool:
        return (place.kind is not PlaceKind.PLATE) == climbs and place.held >= LEAST_HELD

    places = _sought(structure, question, LAYING_S, fits)
    best = max(places, key=lambda p: (fits(p), promise(p), liking(p, taste)), default=None)
    if best is None:
        return None
    truth = Truth(structure.ladders, structure.base)
    try:
        return truth.laid(structure.standing, piece, best.release, die)
    finally:
        truth.close()


def _sought(
    structure: Structure, question: Question, seconds: float, enough: Callable[[Place], bool]
) -> list[Place]:
    """Return what one process finds in ``seconds`` of its own, or until a good place is enough."""
    seeker, found = Seeker(structure.ladders, structure.base), dict[int, Place]()
    until = time.process_time() + seconds
    try:
        for finding in seeker.seek(question, question.seed):
            if finding is not None:
                found[finding.number] = finding.place
                if enough(finding.place):
                    break
            if time.process_time() > until:
                break
    finally:
        seeker.close()
    return list(found.values())


def _dropped(structure: Structure, builder: BuilderKind, dice: random.Random) -> Standing | None:
    """One ladder dropped from above at any turn, and left where it holds by the game's own physics."""
    standing, ladders = structure.standing, structure.ladders
    gauge, truth = TrialTable(ladders, structure.base), Truth(ladders, structure.base)
    frozen = [(name, pose, True) for name, pose, _ in standing]
    try:
        for _ in range(MOST_DROPS):
            piece = dice.choice(free_pieces(structure, standing))
            release = lower(
                gauge, ladders, standing, piece, above_something(ladders, standing, piece, dice, 0.3)
            )
            if release is None:
                continue
            sieved = gauge.try_drop(frozen, piece, release, 1.5)
            if not sieved.settled or quat_angle(release.rotation, sieved.pose.rotation) > TUMBLED_RAD:
                continue
            # Any die: what counts is that it stands and touches others.
            for die in (Die.ONE, Die.TWO):
                laid = truth.laid(standing, piece, release, die)
                if laid is not None:
                    return laid
    finally:
        gauge.close()
        truth.close()
    return None


if __name__ == "__main__":
    file, *rest = sys.argv[1:]
    if rest[:1] == ["join"]:
        Path(file).write_bytes(encode_json(joined(map(Path, rest[1:])), indent=1) + b"\n")
    else:
        make(Path(file), [int(one) for one in rest] or range(len(BUILDERS)))
