"""Makes the frozen tables: ten towers by three kinds of builders, at four sizes, with places that are known to hold.

``python -m benchmarks.placement_parts.making FILE [TOWER...]`` writes FILE after every table and goes on where it was
interrupted; with numbers of towers, those alone. ``... making FILE join PART...`` puts parts together;
``... making FILE fill [SIZE...]`` adds goals to the towers of sizes that lack some, after all that the file has.

Nothing looks at a clock: all is counted, so that the same numbers give the same file. A builder lays a ladder in a way
of its kind, and leaves it where it comes to rest in the game's own physics. A goal is a ladder that the next builder
laid like that and took away again: where it was let go of is a place that is known to hold.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

from armoon.codec import encode_json
from armoon.games.moon.rules.turn import wanted_by
from armoon.games.moon.rules.values import Die, face_of_turn
from armoon.placement.hung import flats, hangs, hooks, leans, props
from armoon.placement.stance import kind_of, place_of
from armoon.placement.structure import Known
from armoon.placement.values import Outcome
from armoon.placement.wood import Wood
from armoon.synthetic_camera.look import HANDS
from armoon.values.pieces import PieceId
from armoon.values.places import Wanted
from armoon.values.poses import Pose
from armoon.world.physics import build
from benchmarks.place_parts.structures import free_pieces
from benchmarks.place_parts.truth import Truth
from benchmarks.placement_parts.cases import (
    LEAST_SAFETY,
    SIDES_RAD,
    STANDING,
    is_deep,
    let_down,
    state_of,
)
from benchmarks.placement_parts.growing import MOST_JUDGED, RESTS_TICKS, Way, borne, grown, held, slips_held
from benchmarks.placement_parts.tables import (
    ADDED,
    GOAL_KINDS,
    SEATS,
    BuilderKind,
    Goal,
    GoalKind,
    Table,
    Tables,
    goal_kind,
    goals_of,
    read_tables,
)
from benchmarks.structures.structure import Structure
from benchmarks.structures.towers import load_tower, starting_structure

BUILDERS: tuple[BuilderKind, ...] = (
    *("flat", "climbing", "wild", "climbing", "flat", "climbing", "wild", "flat", "climbing", "wild", "wild"),
)
#: The tower that isn't grown here, but kept at the last size; it has what goals the others lack.
KEPT = 10
#: How ladders are laid that are to come to stand so.
LAID: Mapping[GoalKind, tuple[Way, ...]] = {
    "flat": (flats,),
    "leaning": (leans, props),
    "hooked": (hooks, hangs),
    "edge": (leans,),
}
ANY_WAY: tuple[Way, ...] = (flats, leans, hooks, hangs, props)
#: Goals of each tower at each size, 26 a size; their kinds are asked for in turn.
GOALS = (3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 0)
#: A tower that doesn't grow, or lacks goals, is grown anew from the size before, so often; that with most goals stays.
ATTEMPTS = 2
#: Seeds of goals begin here; those added later begin at ADDED, with room for so many a tower and size.
FIRST, MOST_ADDED = 100_000, 100
#: Drops for a goal of the kind that is asked for; then as many for any.
GOAL_DROPS = 200
#: Slips of MISSES that a goal is tried under.
SLIPS = 7
#: A ladder and a die for which there is no place are drawn anew so often: as at a table, the turn is passed.
MOST_DRAWS = 5


def make(path: Path, towers: Sequence[int] = range(len(BUILDERS)), sizes: Sequence[int] = STANDING) -> None:
    """Write the tables of these towers that the file lacks."""
    tables = read_tables(path) if path.exists() else Tables()
    for size, number in product(sizes, towers):
        if any((t.tower, t.standing) == (number, size) for t in tables.tables):
            continue
        table = _fullest(number, size, tables)
        if table is not None:
            tables = _written(path, [*tables.tables, table], table)


def fill(path: Path, sizes: Sequence[int] = STANDING) -> None:
    """Write goals more for each size that lacks some, one on each of its towers in turn."""
    for number, size in product(range(MOST_ADDED), sizes):
        tables = read_tables(path)
        here = [t for t in tables.tables if t.standing == size]
        for table in here:
            lacking = sum(GOALS) - sum(len(t.goals) for t in tables.tables if t.standing == size)
            first = ADDED + 10 * (MOST_ADDED * (len(STANDING) * table.tower + STANDING.index(size)) + number)
            # What was tried before the last one that there is isn't tried again.
            if lacking <= 0 or any(goal.seed % 1_000_000 >= first for goal in table.goals):
                continue
            fuller = _with_goals(table.tower, size, _standing(table), [number], first, table.goals)
            others = [t for t in tables.tables if (t.tower, t.standing) != (table.tower, size)]
            tables = _written(path, [*others, fuller], fuller)


def _written(path: Path, tables: Sequence[Table], latest: Table) -> Tables:
    whole = dealt(tables)
    path.write_bytes(encode_json(whole, indent=1) + b"\n")
    kinds = ", ".join(goal.kind for goal in latest.goals)
    print(f"tower {latest.tower} ({latest.builder}) of {latest.standing}: {kinds}", flush=True)
    return whole


def joined(paths: Iterable[Path]) -> Tables:
    """Return the tables of several files as one; of a table that is in two, the later."""
    found = {(t.standing, t.tower): t for path in paths for t in read_tables(path).tables}
    return dealt(found.values())


def dealt(tables: Iterable[Table]) -> Tables:
    """Return tables in order, with seats and hands dealt out: each size has both seats alike, and each hand in both."""
    inside = sorted(tables, key=lambda t: (t.standing, t.tower))
    for size in STANDING:
        here = [t for t in inside if t.standing == size]
        order = (goal.seed for _, goal in goals_of(here))
        places = {seed: (SEATS[n % 2], HANDS[(n + n // 8) % 8].name) for n, seed in enumerate(order)}
        for t in here:
            goals = tuple(replace(g, seat=places[g.seed][0], hand=places[g.seed][1]) for g in t.goals)
            inside[inside.index(t)] = replace(t, goals=goals)
    found = Counter(t.standing for t in inside for _ in t.goals)
    lacking = sum(max(0, sum(GOALS) - found[size]) for size in STANDING)
    return Tables(build=build(), passed_over=lacking, tables=tuple(inside))


def _standing(table: Table) -> Structure:
    start = starting_structure(2)
    free = ((name, pose, False) for name, pose in table.placed)
    return Structure(start.ladders, start.base, (*start.standing, *free))


# Towers -----------------------------------------------------------------------------------------------------


def _fullest(number: int, size: int, tables: Tables) -> Table | None:
    """Return the tower at this size with all of its goals, or with the most of some; None where it never grows."""
    best: Table | None = None
    for attempt in range(ATTEMPTS):
        structure = _grown(number, size, tables, attempt)
        first = FIRST + 1000 * number + 100 * STANDING.index(size)
        indices = range(GOALS[number])
        table = None if structure is None else _with_goals(number, size, structure, indices, first)
        if table is not None and (best is None or len(table.goals) > len(best.goals)):
            best = table
        if best is not None and len(best.goals) == GOALS[number]:
            break
    return best


def _grown(number: int, size: int, tables: Tables, attempt: int) -> Structure | None:
    """Return a tower grown to this size from the one before, as it is frozen; None where it doesn't get there."""
    if number == KEPT:
        return load_tower(size) if size == STANDING[-1] else None
    before = STANDING[max(0, STANDING.index(size) - 1)]
    known = [t for t in tables.tables if t.tower == number and t.standing == before]
    if not known and size != STANDING[0]:
        return None
    structure = _standing(known[0]) if known else starting_structure(2)
    return grown(structure, size, BUILDERS[number], np.random.default_rng([number, size, attempt]))


# Goals ------------------------------------------------------------------------------------------------------


def _with_goals(
    number: int,
    size: int,
    structure: Structure,
    indices: Sequence[int],
    first_seed: int,
    known_goals: tuple[Goal, ...] = (),
) -> Table:
    """Return a table with a goal for each of these, as far as there are any, beside goals that it has.

    ``first_seed`` is that of the first of them; seeds of two goals are at least 10 apart.
    """
    placed = tuple((name, pose) for name, pose, fixed in structure.standing if not fixed)
    ladders = {one.piece: one for one in structure.ladders.ladders}
    goals = list(known_goals)
    with (
        closing(Known(ladders, structure.base, structure.standing)) as known,
        closing(Truth(structure.ladders, structure.base, RESTS_TICKS)) as truth,
    ):
        for nth, index in enumerate(indices):
            asked = GOAL_KINDS[(2 * number + STANDING.index(size) + index) % len(GOAL_KINDS)]
            first = first_seed + 10 * nth
            rng = np.random.default_rng([first, 2])
            for draw in range(MOST_DRAWS):
                kind = asked if draw < MOST_DRAWS - 2 else None
                goal = _goal(structure, known, truth, first, kind, rng)
                if goal is not None:
                    goals.append(goal)
                    break
    return Table(number, BUILDERS[number], size, placed, tuple(goals))


def _goal(
    structure: Structure,
    known: Known,
    truth: Truth,
    first_seed: int,
    asked: GoalKind | None,
    rng: np.random.Generator,
) -> Goal | None:
    """Return where one ladder was laid in the way asked for (None: in any), with a die that it honours there."""
    pieces = free_pieces(structure, structure.standing)
    piece = pieces[int(rng.integers(len(pieces)))]
    ways = ANY_WAY if asked is None else LAID[asked]
    judged = 0

    def fits(release: Pose, outcome: Outcome) -> bool:
        # Asked before anything else moves: that costs a hundredth.
        return borne(release, outcome) and (asked is None or asked == _kind(known, piece, release, outcome))

    for first, outcome in held(known, piece, ways, GOAL_DROPS, fits, rng):
        place = place_of(known.ladders, known.free.standing, piece, first, outcome)
        dice = [die for die in Die if outcome.meets(wanted_by(die))]
        die = dice[int(rng.integers(len(dice)))]
        wanted, least = wanted_by(die), math.ceil(LEAST_SAFETY * SLIPS)
        forgiven = slips_held(known, first, SLIPS, least, _meeting(wanted), rng)
        if forgiven < least:
            continue
        release = let_down(structure, piece, place)
        rest = None if release is None else truth.laid(structure.standing, piece, release, die)
        if release is not None and rest is not None and truth.touched(piece) == place.touched:
            seed = _seed_of(first_seed, piece, die, structure)
            return Goal(
                seed=seed,
                piece=piece,
                die=die.value,
                kind=goal_kind(place.kind, release),
                release=release,
                rest=next(pose for name, pose, _ in rest if name == piece),
                touched=place.touched,
                safety=forgiven / SLIPS,
                turned_rad=_side(release, seed),
            )
        judged += 1
        if judged == MOST_JUDGED:
            break
    return None


def _meeting(wanted: Wanted) -> Callable[[Pose, Outcome], bool]:
    return lambda _, outcome: outcome.meets(wanted)


def _kind(known: Known, piece: PieceId, release: Pose, outcome: Outcome) -> GoalKind:
    standing = known.free.standing
    wood = Wood(known.ladders, [*standing, (piece, outcome.pose, False)])
    return goal_kind(kind_of(wood, len(standing), outcome.pose), release)


def _seed_of(first: int, piece: PieceId, die: Die, structure: Structure) -> int:
    """Return the first of some seeds by whose game this ladder is drawn now, and this die falls."""
    placed = tuple(name for name, _, fixed in structure.standing if not fixed)
    seeds = itertools.count(first, 1_000_000)
    return next(s for s in seeds if face_of_turn(s, 1) is die and state_of(s, placed).supply[0] == piece)


def _side(release: Pose, seed: int) -> float:
    """How far the table is turned: on three of four tables so that the place is nearer or farther than the lid."""
    first = seed // 10 % len(SIDES_RAD)
    sides = SIDES_RAD[first:] + SIDES_RAD[:first]
    wants_deep = seed // 10 % 4 != 3
    return next((side for side in sides if not wants_deep or is_deep(release, side)), sides[0])


if __name__ == "__main__":
    file, *rest = sys.argv[1:]
    if rest[:1] == ["join"]:
        Path(file).write_bytes(encode_json(joined(map(Path, rest[1:])), indent=1) + b"\n")
    elif rest[:1] == ["fill"]:
        fill(Path(file), [int(one) for one in rest[1:]] or STANDING)
    else:
        make(Path(file), [int(one) for one in rest] or range(len(BUILDERS)))
