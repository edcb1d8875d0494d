"""Towers of 2, 12, 20, 24 and 28 ladders, grown by laying one after another, and kept as poses.

They serve tests and benchmarks as a hard structure that is always the same. The one of 28 is
``grow(load_tower(24), 28, seed=1)``; the others in the data file beside this module were grown with earlier
figures than those below, and growing them again gives other towers. What is promised of all is that they stand,
and tests see to that.
"""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import numpy as np

from armoon.clock import TICKS_PER_SECOND
from armoon.errors import WorldError
from armoon.geometry import (
    mat_from_quat,
    pose_apply,
    quat,
    quat_from_axis_angle,
    quat_multiply,
    quat_rotate,
    vec3,
)
from armoon.values.pieces import BASE, TABLE, Box, Ladder, LadderSet, PieceId
from armoon.values.poses import Pose, Quat, Vec3
from armoon.world.base import make_base
from armoon.world.checks import Standing
from armoon.world.exact import highest_point, lowest_point
from armoon.world.ladders import BOX_SEED, make_ladder_set
from benchmarks.structures.structure import Structure, build_world
from benchmarks.structures.trial import TrialTable

#: How many ladders the kept towers have, starting ladders included; some must be left for the hand.
SIZES = (2, 12, 20, 28)
#: Kept too: the tower from which the one of 28 is grown.
STAGE = 24
#: One of twelve whose ladders lean: each was laid by the game, on the highest place found where it honoured its die.
CLIMBING = "climbing"
CONFIGURATION = "parallel"
_DATA = Path(__file__).with_name("towers.json")

#: Most ladders are laid about flat, as most players lay them; the others come at any turn.
FLAT_SHARE = 0.8
#: Preference for flat ladders, since others mostly fall off a high tower.
GROWN_FLAT_SHARE = 0.9
FLAT_TILT_RAD = math.radians(5.0)
BALANCE_SHARE = 0.6
#: Lowering stops this far above the first contact, and starts with this much room above the structure.
RELEASE_GAP_M = 0.0004
ROOM_ABOVE_M = 0.005
#: Distances are asked for up to here while lowering.
LOOK_AHEAD_M = 0.05
#: Height at which a lowered ladder has passed beside the structure.
FLOOR_M = 0.026
#: At first only the new ladder moves, for at most this time.
SIEVE_S = 1.5
#: Then all is let go of and watched for this time; towers above 20 take two seconds and more to come to rest.
WATCH_TICKS = 4 * TICKS_PER_SECOND
#: Motion of another ladder from which the structure has given way.
MOST_MOVED_M = 0.006
#: At last all is built anew and watched once more: a structure that creeps, or a ladder that is wedged into
#: another's opening under stress, shows itself by then.
MOST_CREEP_M = 0.002
MOST_SUNK_M = 0.00008
#: Number of drops after which a seed counts as failed.
MOST_DRAWS = 20_000
#: Number of failed drops after which the last STEPS_BACK ladders are taken off again.
MOST_FRUITLESS = 80
STEPS_BACK = 2


def starting_structure(starting: int) -> Structure:
    """Return the structure of this many starting ladders in their slots."""
    ladders = make_ladder_set(BOX_SEED)
    first = ladders.ladders[:starting]
    base = make_base(first, CONFIGURATION)
    standing = tuple((ladder.piece, slot, True) for ladder, slot in zip(first, base.slots, strict=True))
    return Structure(ladders, base, standing)


def load_tower(size: int | str) -> Structure:
    """Return the kept tower of this many ladders, or ``CLIMBING``; WorldError if none is kept."""
    kept = json.loads(_DATA.read_text(encoding="utf-8"))["towers"]
    if str(size) not in kept:
        raise WorldError(f"No tower of {size} ladders is kept.", remedy=f"Ask for one of {(*SIZES, STAGE)}.")
    start = starting_structure(_starting(size))
    free = [(row[0], Pose(vec3(row[1:4]), _quat4(row[4:8])), False) for row in kept[str(size)]]
    return Structure(start.ladders, start.base, (*start.standing, *free))


def _starting(size: int | str) -> int:
    """Two ladders are one in a slot and one on it; the game starts with two in slots."""
    return 1 if size == 2 else 2


def grow(start: Structure, size: int, seed: int) -> Structure:
    """Drop ladders on a structure until ``size`` stand; equal arguments give equal towers.

    Each is lowered straight down at a random turn, so a hand could have put it there, and comes to lie while
    nothing else moves; then all is let go of. Where nothing holds any more, the last ladders are taken off
    again. WorldError if no tower comes of it.
    """
    dice = random.Random(seed)
    table = TrialTable(start.ladders, start.base)
    stages: list[Standing] = [start.standing]
    fruitless = 0
    try:
        for _ in range(MOST_DRAWS):
            standing = stages[-1]
            there = {name for name, _, _ in standing}
            if len(standing) >= size:
                return Structure(start.ladders, start.base, tuple(standing))
            piece = dice.choice([one.piece for one in start.ladders.ladders if one.piece not in there])
            grown = _try_once(table, start, standing, piece, dice)
            fruitless = 0 if grown else fruitless + 1
            if grown is not None:
                stages.append(grown)
            elif fruitless > MOST_FRUITLESS and len(stages) > 1:
                # What stands bears nothing more: take the last ladders off again.
                stages = stages[: max(1, len(stages) - STEPS_BACK)]
                fruitless = 0
    finally:
        table.close()
    raise WorldError(f"No tower of {size} ladders grew from seed {seed}.", remedy="Try another seed.")


def _try_once(
    table: TrialTable, start: Structure, standing: Standing, piece: PieceId, dice: random.Random
) -> Standing | None:
    """One ladder laid somewhere: the structure with the ladder on it, or None if it doesn't hold."""
    above = above_something(start.ladders, standing, piece, dice, GROWN_FLAT_SHARE)
    release = lower(table, start.ladders, standing, piece, above)
    if release is None:
        return None
    frozen = [(name, pose, True) for name, pose, _ in standing]
    sieved = table.try_drop(frozen, piece, release, SIEVE_S)
    if not sieved.settled:
        return None
    laid = (*standing, (piece, sieved.pose, False))
    borne = _watched(Structure(start.ladders, start.base, laid), MOST_MOVED_M)
    if borne is None:
        return None
    return _watched(Structure(start.ladders, start.base, tuple(borne)), MOST_CREEP_M, MOST_SUNK_M)


def _watched(structure: Structure, most_moved_m: float, most_sunk_m: float = math.inf) -> Standing | None:
    """Return the structure as it stands some time after having been built, or None if it doesn't stand well."""
    starts = {name: pose.position for name, pose, _ in structure.standing}
    world = build_world(structure)
    try:
        for _ in range(WATCH_TICKS):
            facts = world.tick(None)
            moved = (math.dist(facts[name].pose.position, start) for name, start in starts.items())
            if max(moved) > most_moved_m:
                return None
    finally:
        world.close()
    sunk = max((-contact.distance_m for contact in facts.contacts), default=0.0)
    grounded = any({BASE, TABLE} & {contact.a, contact.b} for contact in facts.contacts)
    if grounded or not facts.at_rest or sunk > most_sunk_m:
        return None
    return [(name, facts[name].pose, fixed) for name, _, fixed in structure.standing]


def above_something(
    ladders: LadderSet,
    standing: Standing,
    piece: PieceId,
    dice: random.Random,
    flat_share: float = FLAT_SHARE,
) -> Pose:
    """Return a random turn, with a random part of the ladder straight above a random part of the structure."""
    flat = quat_multiply(
        quat_from_axis_angle((0.0, 0.0, 1.0), dice.uniform(-math.pi, math.pi)),
        quat_from_axis_angle((1.0, 0.0, 0.0), math.pi / 2.0 + dice.gauss(0.0, FLAT_TILT_RAD)),
    )
    rotation = flat if dice.random() < flat_share else quat([dice.gauss(0.0, 1.0) for _ in range(4)])
    # The highest of some: a tower, not a heap.
    chosen = dice.choices(standing, k=dice.choice((1, 3, 6)))
    name, pose, _ = max(chosen, key=lambda row: row[1].position[2])
    target = pose_apply(pose, _balance_or_any(ladders[name], dice))
    boxes = ladders[piece].boxes
    part = quat_rotate(rotation, _balance_or_any(ladders[piece], dice))
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


def _balance_or_any(ladder: Ladder, dice: random.Random) -> Vec3:
    """Mostly the point where a ladder balances, for borne there it lies well; else any point of its wood."""
    return (0.0, 0.0, 0.0) if dice.random() < BALANCE_SHARE else _point_in(dice.choice(ladder.boxes), dice)


def _point_in(box: Box, dice: random.Random) -> Vec3:
    """Return a random point on the long axis of a box, in the ladder's frame."""
    along = mat_from_quat(box.rotation)[:, 2] * (dice.uniform(-1.0, 1.0) * box.half_extents[2])
    return vec3(np.asarray(box.centre) + along)


def _quat4(values: list[float]) -> Quat:
    """Four numbers as they were written: made unit once, they must not be rounded again."""
    x, y, z, w = values
    return (x, y, z, w)
