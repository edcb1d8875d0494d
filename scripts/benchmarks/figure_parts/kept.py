"""Instances of figures kept as poses: what the makers made, for tests and for the picture book.

Making them takes an hour of trials; building a kept one anew takes a moment. Each was checked again after having been
built anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from armoon.errors import WorldError
from armoon.games.moon.figures.figure import FigureKind, standing_row
from armoon.values.facts import Facts
from armoon.values.pieces import PieceId
from armoon.world.base import make_base
from armoon.world.checks import Standing
from armoon.world.standing import standing_of
from benchmarks.figure_parts.makers import Instance, passes
from benchmarks.figure_parts.scene import REST_TICKS, Placement, ladder_set
from benchmarks.structures.structure import Structure, build_world

DATA = Path(__file__).with_name("kept.json")


@cache
def _rows() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(DATA.read_text(encoding="utf-8"))["instances"])


def kept_count(kind: FigureKind) -> int:
    """How many instances of a figure are kept."""
    return sum(row["kind"] == kind.value for row in _rows())


def load_kept(kind: FigureKind, number: int) -> Instance:
    """Return a kept instance, built anew and at rest; IndexError if there are fewer."""
    row = [row for row in _rows() if row["kind"] == kind.value][number]
    return rebuilt(
        kind, row["ladder_seed"], [(stage["placed"], stage["standing"]) for stage in row["stages"]]
    )


def rebuilt(kind: FigureKind, ladder_seed: int, stages: Iterable[tuple[PieceId, list[Any]]]) -> Instance:
    """Return an instance whose stages are built from poses, each in a world of its own."""
    ladders = ladder_set(ladder_seed)
    placements = []
    for placed, rows in stages:
        structure = Structure(ladders, make_base(()), tuple(standing_row(row) for row in rows))
        placements.append(Placement(ladder_seed, ladders, structure.base, settled(structure), placed))
    return Instance(kind, tuple(placements))


def settled(structure: Structure) -> Facts:
    """Return the facts of a structure that was built from poses and came to rest; WorldError if it doesn't."""
    world = build_world(structure)
    try:
        for _ in range(REST_TICKS):
            facts = world.tick(None)
            if facts.at_rest:
                return facts
    finally:
        world.close()
    raise WorldError("A kept figure doesn't come to rest.", remedy="Make the kept figures anew.")


def write_kept(made: Sequence[Instance], path: Path = DATA) -> int:
    """Keep those instances that pass their check again when built anew; how many they are."""
    rows = []
    for instance in made:
        seed = instance.placements[0].ladder_seed
        stages = [(p.placed, _standing_rows(standing_of(p.facts))) for p in instance.placements]
        if passes(rebuilt(instance.kind, seed, stages)):
            written = [{"placed": placed, "standing": standing} for placed, standing in stages]
            rows.append({"kind": instance.kind.value, "ladder_seed": seed, "stages": written})
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f'{{"instances": [\n{lines}\n]}}\n', encoding="utf-8")
    return len(rows)


def _standing_rows(standing: Standing) -> list[list[Any]]:
    return [[name, *pose.position, *pose.rotation, fixed] for name, pose, fixed in standing]
