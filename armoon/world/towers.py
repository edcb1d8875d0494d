"""Towers of 12, 20 and 28 free ladders, grown by dropping one after another, and kept as poses.

They serve tests and benchmarks as a hard structure that is always the same. ``write_towers`` made the data file
beside this module; growing anew takes minutes, loading it none.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from armoon.errors import WorldError
from armoon.geometry import mat_from_quat, pose_apply, quat, vec3
from armoon.pieces import Base, Box, LadderSet, PieceId
from armoon.values import Pose, Quat, Vec3
from armoon.world.base import make_base
from armoon.world.exact import highest_point, lowest_point
from armoon.world.ladders import make_ladder_set
from armoon.world.trial import Standing, TrialTable

#: How many free ladders the kept towers have; two starting ladders stand in the base besides.
SIZES = (12, 20, 28)
LADDER_SEED = 7
STARTING = 2
_DATA = Path(__file__).with_name("towers.json")

#: Lowering stops this far above the first contact, and starts with this much room above the structure.
RELEASE_GAP_M = 0.0004
ROOM_ABOVE_M = 0.005
#: Distances are asked for up to here while lowering.
LOOK_AHEAD_M = 0.05
#: A ladder that has come down to here passes beside the structure.
FLOOR_M = 0.026
#: A drop that moves another ladder farther than this makes a tower that hangs by a hair.
MOST_MOVED_M = 0.0005
#: What the quick sieve, in which only the new ladder moves, and the real trial may take.
SIEVE_S, TRIAL_S = 1.5, 4.0
#: Higher towers than this are no longer what a hand would build.
MOST_DRAWS = 20_000


@dataclass(frozen=True)
class Tower:
    """A structure at rest, and everything that is needed to build it again."""

    ladders: LadderSet
    base: Base
    standing: tuple[tuple[PieceId, Pose, bool], ...]


def starting_structure() -> Tower:
    """The two starting ladders in their slots."""
    ladders = make_ladder_set(LADDER_SEED)
    first = ladders.ladders[:STARTING]
    base = make_base(first)
    standing = tuple((ladder.piece, slot, True) for ladder, slot in zip(first, base.slots, strict=True))
    return Tower(ladders, base, standing)


def load_tower(size: int) -> Tower:
    """The kept tower of so many free ladders; WorldError if none is kept."""
    start = starting_structure()
    kept = json.loads(_DATA.read_text(encoding="utf-8"))["towers"]
    if str(size) not in kept:
        raise WorldError(f"No tower of {size} ladders is kept.", remedy=f"Ask for one of {SIZES}.")
    free = [(row[0], Pose(vec3(row[1:4]), _quat4(row[4:8])), False) for row in kept[str(size)]]
    return Tower(start.ladders, start.base, (*start.standing, *free))


def grow(start: Tower, size: int, seed: int) -> Tower:
    """Drop ladders on a structure until ``size`` are free; equal arguments give equal towers.

    Each is lowered straight down at a random turn, so a hand could have put it there. A ladder that finds no
    place goes to the end of the queue. WorldError if no tower comes of it.
    """
    dice = random.Random(seed)
    table = TrialTable(start.ladders, start.base)
    standing: Standing = start.standing
    there = {name for name, _, _ in standing}
    queue = [ladder.piece for ladder in start.ladders.ladders if ladder.piece not in there]
    dice.shuffle(queue)
    try:
        for _ in range(MOST_DRAWS):
            if sum(not fixed for _, _, fixed in standing) >= size:
                return Tower(start.ladders, start.base, tuple(standing))
            piece = queue.pop(0)
            grown = _try_once(table, start.ladders, standing, piece, dice)
            if grown is None:
                queue.append(piece)
            else:
                standing = grown
    finally:
        table.close()
    raise WorldError(f"No tower of {size} ladders grew from seed {seed}.", remedy="Try another seed.")


def write_towers(seed: int, path: Path = _DATA) -> None:
    """Grow all the towers from a seed, each from the smaller one, and write them to a file."""
    tower = starting_structure()
    towers = {}
    for size in SIZES:
        tower = grow(tower, size, seed + size)
        towers[str(size)] = [
            [name, *pose.position, *pose.rotation] for name, pose, fixed in tower.standing if not fixed
        ]
    record = {"ladder_seed": LADDER_SEED, "seed": seed, "towers": towers}
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _try_once(
    table: TrialTable, ladders: LadderSet, standing: Standing, piece: PieceId, dice: random.Random
) -> Standing | None:
    """One drop somewhere: the structure with the ladder on it, or None if it doesn't hold."""
    release = lower(table, ladders, standing, piece, above_something(ladders, standing, piece, dice))
    if release is None:
        return None
    frozen = [(name, pose, True) for name, pose, _ in standing]
    if not table.try_drop(frozen, piece, release, SIEVE_S).settled:
        return None
    result = table.try_drop(standing, piece, release, TRIAL_S)
    return result.standing if result.settled and result.others_moved_m <= MOST_MOVED_M else None


def above_something(ladders: LadderSet, standing: Standing, piece: PieceId, dice: random.Random) -> Pose:
    """A random turn, with a random part of the ladder straight above a random part of the structure."""
    rotation = quat([dice.gauss(0.0, 1.0) for _ in range(4)])
    name, pose, _ = dice.choice(standing)
    target = pose_apply(pose, _point_in(dice.choice(ladders[name].boxes), dice))
    boxes = ladders[piece].boxes
    part = pose_apply(Pose((0.0, 0.0, 0.0), rotation), _point_in(dice.choice(boxes), dice))
    top = max(highest_point(ladders[other].boxes, where) for other, where, _ in standing)
    height = top + ROOM_ABOVE_M - lowest_point(boxes, Pose((0.0, 0.0, 0.0), rotation))
    return Pose((target[0] - part[0], target[1] - part[1], height), rotation)


def lower(
    table: TrialTable, ladders: LadderSet, standing: Standing, piece: PieceId, start: Pose
) -> Pose | None:
    """Straight down to just above the first contact with a ladder; None if there is none to meet.

    No step is longer than the clearance, so nothing is passed through.
    """
    x, y, z = start.position
    least_z = z - (lowest_point(ladders[piece].boxes, start) - FLOOR_M)
    while z > least_z:
        pose = Pose((x, y, z), start.rotation)
        gap = table.clearance_m(standing, piece, pose, LOOK_AHEAD_M)
        if gap < 2.0 * RELEASE_GAP_M:
            return pose if gap >= 0.5 * RELEASE_GAP_M else None
        z -= gap - RELEASE_GAP_M
    return None


def _point_in(box: Box, dice: random.Random) -> Vec3:
    """A random point on the long axis of a box, in the ladder's frame."""
    along = mat_from_quat(box.rotation)[:, 2] * (dice.uniform(-1.0, 1.0) * box.half_extents[2])
    return vec3(np.asarray(box.centre) + along)


def _quat4(values: list[float]) -> Quat:
    """Four numbers as they were written: made unit once, they must not be rounded again."""
    x, y, z, w = values
    return (x, y, z, w)
