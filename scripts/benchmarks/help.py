"""Measures whether the colour of the ghost (the faint ladder) is right, and how soon it appears.

Structures are grown in one running world, with all faces of the die or only with the moon (climbing). Ladders are held
where an exact or an inaccurate hand would hook, lean or lay them, and at places that the search finds for the die. The
colour is compared with the verdict on a release in a copy of that world. Times are processor seconds of the forecast.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import islice
from statistics import fmean, median

import numpy as np
from rich.console import Console

from armoon.games.moon.editions import Die
from armoon.games.moon.ladder_forecast import ARM_M, judge_drop, judge_fate, lower_release
from armoon.games.moon.match import PARKING_FALL_M
from armoon.games.moon.turn import get_requirement
from armoon.geometry import quat_from_axis_angle, quat_multiply, vec3
from armoon.placement.candidates import draw_hooks, draw_leans, draw_plates
from armoon.placement.forecast import KNOWN_DROPS, MAX_DROPS, DropRequest, Forecaster
from armoon.placement.search import PlaceSearch
from armoon.placement.structure import StructureModel
from armoon.placement.values import Attitudes, Question, add_slip, estimate_safety
from armoon.values.pieces import BASE
from armoon.values.places import STEADY, Slip
from armoon.values.poses import IDENTITY_POSE, Pose
from armoon.values.scene import Fate
from armoon.world.exact import Ground
from benchmarks import Save
from benchmarks.towers import (
    LONGEST_S,
    PATIENCE_S,
    LiveTable,
    Structure,
    grow_tables,
    list_spares,
    make_structure,
)

SIZES = (2, 8, 12, 16, 24)
#: Number of structures of each size and shape, and of releases over each structure.
TRIALS, RELEASES = 2, 25
FIRST_SEED = 701
#: Slip of the ladder while the hand opens.
OPENING = Slip(0.0002, 0.002)
#: Distances from the queried pose at which a green prediction is tested again, metres.
ASIDE_M = (0.001, 0.002, 0.003, 0.004)
#: Maximum height of an inaccurate hand's release above the first contact, metres.
ABOVE_M = 0.010
#: Number of candidates per family and round.
DRAWS = 12
WAYS = ("hook", "lean", "plate", "hand", "place")


@dataclass(frozen=True)
class Row:
    seed: int
    ladders: int
    climbing: bool
    way: str
    die: str
    first: str
    kept: str
    honoured: bool
    first_s: float
    aside: tuple[bool, ...] = ()
    """For a green prediction: whether the die is also honoured at ``ASIDE_M`` from the queried pose."""
    stands: bool = True


def run(save: Save, trials: int = TRIALS, first_seed: int = FIRST_SEED) -> None:
    """``trials``: number of structures of each size and shape."""
    console, rows = Console(), list[Row]()
    for seed in range(first_seed, first_seed + trials):
        for live, climbing in _grow_tables(seed):
            rows += _measure_rows(live, climbing, seed)
            size = len(live.structure.standing)
            these = [row for row in rows if (row.seed, row.ladders, row.climbing) == (seed, size, climbing)]
            shape = "climbing" if climbing else "flat"
            console.print(f"seed {seed}, {size} ladders, {shape}: {_summarise(these)}", highlight=False)
            save(
                {
                    **_summarise(rows),
                    "first_s": _find_first_s(rows),
                    "climbing": _summarise([row for row in rows if row.climbing]),
                    "kept_still": _summarise(rows, "kept"),
                    "rows": [asdict(row) for row in rows],
                }
            )
    console.print(_summarise(rows), _find_first_s(rows))


def _grow_tables(seed: int) -> Iterator[tuple[LiveTable, bool]]:
    start = make_structure(2)
    with closing(PlaceSearch(start.ladders, start.base, niceness=0)) as search:
        for climbing in (False, True):
            for live in grow_tables(start, SIZES[climbing:], seed, search, climbing=climbing):
                yield live, climbing


def _measure_rows(live: LiveTable, climbing: bool, seed: int) -> Iterator[Row]:
    structure = live.structure
    standing = structure.standing
    rng = np.random.default_rng([seed, len(standing), climbing])
    dice = random.Random(f"{seed} {len(standing)} {climbing}")
    piece = dice.choice(list_spares(structure))
    with closing(Forecaster(structure.ladders, structure.base)) as forecaster:
        stands = forecaster.prepare(DropRequest(tuple(standing), piece, None)).stands
        for way, pose, die in islice(_draw_releases(structure, piece, rng, dice), RELEASES):
            began_s, first_s, ends = time.process_time(), 0.0, []
            for drop in forecaster.drops(DropRequest(tuple(standing), piece, pose)):
                ends.append(judge_drop(die, drop))
                if len(ends) == KNOWN_DROPS:
                    first_s = time.process_time() - began_s
            first, kept = (judge_fate(ends[:count]) for count in (KNOWN_DROPS, MAX_DROPS))
            assert first is not None
            assert kept is not None
            honoured = live.honours(piece, add_slip(pose, OPENING, rng), die)
            aside = tuple(
                live.honours(piece, move_aside(pose, distance_m, rng), die)
                for distance_m in (ASIDE_M if kept is Fate.HOLDS else ())
            )
            size = len(standing)
            fates = (first.value, kept.value)
            yield Row(seed, size, climbing, way, die.value, *fates, honoured, first_s, aside, stands)


def move_aside(pose: Pose, way_m: float, rng: np.random.Generator) -> Pose:
    """Return the pose after a random shift and rotation that together move the ladder by ``way_m``."""
    shift = rng.uniform(0.4, 1.0) * way_m
    direction = rng.normal(size=3)
    turn = quat_from_axis_angle(vec3(rng.normal(size=3)), (way_m - shift) / ARM_M)
    position = np.array(pose.position) + shift / float(np.linalg.norm(direction)) * direction
    return Pose(vec3(position), quat_multiply(turn, pose.rotation))


def _draw_releases(
    structure: Structure, piece: str, rng: np.random.Generator, dice: random.Random
) -> Iterator[tuple[str, Pose, Die]]:
    """Yield the kind of each release, its pose and the die's face; the kinds alternate."""
    bodies = [(name, structure.ladders[name].boxes, pose) for name, pose, _ in structure.standing]
    ground = Ground([(BASE, structure.base.boxes, IDENTITY_POSE), *bodies])
    for way, pose, die in _draw_candidates(structure, piece, rng, dice):
        fall_m = ground.find_landing(structure.ladders[piece], pose).fall_m
        yield way, lower_release(pose, fall_m) if fall_m > PARKING_FALL_M else pose, die


def _draw_candidates(
    structure: Structure, piece: str, rng: np.random.Generator, dice: random.Random
) -> Iterator[tuple[str, Pose, Die]]:
    ladders = {ladder.piece: ladder for ladder in structure.ladders.ladders}
    model = StructureModel(ladders, structure.base, structure.standing)
    ladder, free = ladders[piece], Attitudes(None)
    model.frozen.load_ladder(piece)
    try:
        for number in range(10_000):
            way, die = WAYS[number % len(WAYS)], dice.choice(tuple(Die))
            if way == "place":
                place = _find_place(structure, piece, die, number)
                if place is not None:
                    yield way, place, die
                continue
            if way == "plate" or (way == "hand" and rng.random() < 0.3):
                plates = draw_plates(model.wood, ladder, get_requirement(Die.MOON), rng, 20 * DRAWS)[:DRAWS]
            else:
                hung = draw_leans if way == "lean" or (way == "hand" and rng.random() < 0.5) else draw_hooks
                plates = hung(model.wood, ladder, free, rng, DRAWS)
            for candidate in plates:
                goal = add_slip(candidate.pose, STEADY, rng) if way == "hand" else candidate.pose
                release = model.frozen.lower(goal, 0.012 if candidate.family == "plate" else None)
                if release is not None:
                    x, y, z = release.position
                    above = rng.uniform(0.0, ABOVE_M) if way == "hand" else 0.0
                    yield way, Pose((x, y, z + float(above)), release.rotation), die
                    break
    finally:
        model.close()


def _find_place(structure: Structure, piece: str, die: Die, seed: int) -> Pose | None:
    """Return the search's release pose for this face of the die; None if the search finds no place."""
    with closing(PlaceSearch(structure.ladders, structure.base, niceness=0)) as search:
        standing = tuple(structure.standing)
        question = Question(standing, piece, get_requirement(die), STEADY, seed=seed, work_s=PATIENCE_S)
        search.ask(question)
        best = max(search.wait(LONGEST_S).places, key=estimate_safety, default=None)
    return None if best is None else best.release


def _summarise(rows: list[Row], when: str = "first") -> dict[str, float | int | None]:
    fates = [(Fate(getattr(row, when)), row.honoured) for row in rows]
    green = [honoured for fate, honoured in fates if fate is Fate.HOLDS]
    red = [honoured for fate, honoured in fates if fate is Fate.FAILS]
    stood = [fate is Fate.HOLDS for fate, honoured in fates if honoured]
    figures: dict[str, float | int | None] = {"releases": len(rows), "green": len(green), "red": len(red)}
    for name, of in (("green_honoured", green), ("green_share", stood), ("red_honoured", red)):
        figures[name] = round(fmean(of), 3) if of else None
    figures["stands"] = round(fmean(row.stands for row in rows), 3) if rows else None
    aside = [row.aside for row in rows if row.aside]
    for k, distance_m in enumerate(ASIDE_M):
        figures[f"green_{1000 * distance_m:.0f}_mm_aside"] = (
            round(fmean(row[k] for row in aside), 3) if aside else None
        )
    return figures


def _find_first_s(rows: list[Row]) -> dict[str, dict[str, float]]:
    sizes = sorted({row.ladders for row in rows})
    by_size = {size: [row.first_s for row in rows if row.ladders == size] for size in sizes}
    return {
        str(size): {"median": round(median(of), 3), "nine_of_ten": round(float(np.quantile(of, 0.9)), 3)}
        for size, of in by_size.items()
    }
