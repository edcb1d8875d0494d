"""Pushes a foot of a held ladder onto rungs from all sides, and compares the pose at rest with the forecast."""

from __future__ import annotations

import itertools
import math
import random
from collections import deque
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.games.moon.match import SIDES
from armoon.geometry import pose_apply, quat_angle, quat_from_axis_angle, quat_multiply, quat_rotate, vec3
from armoon.placement.forecast import DropRequest, Forecaster, find_usual_rest
from armoon.placement.rehearsal import Rehearsal
from armoon.values.pieces import BASE, TABLE, Facts, GripPhase, Offer, PieceId, PieceStatus
from armoon.values.poses import Pose, Quat, Vec3
from armoon.world.base import make_offered_pose
from armoon.world.ladders import list_standing
from armoon.world.local import LocalWorld
from benchmarks.energy import compute_energy_j
from benchmarks.hand_script import SimulatedHand
from benchmarks.towers import Structure, load_tower, make_structure

#: Sizes of the structures onto which feet are pushed, in cyclic order.
STRUCTURES = (2, 6, 12)
#: Attitudes in the lid at which a ladder stands on a foot.
LEANING = tuple(name for name in SIDES if name.rpartition("_")[2].isdigit())
UP: Vec3 = (0.0, 0.0, 1.0)
#: View axis of a camera at the table, and the hand's tremor that remains after the grip's filters.
VIEW: Vec3 = (0.0, 0.9, -0.43)
TREMBLE_M, TREMBLE_RAD = 0.0003, math.radians(0.2)
#: Standard deviation of the hand's errors in depth and in rotation out of the picture.
DEPTH_M, HIDDEN_RAD = 0.006, math.radians(8.0)
#: Minimum slope of a leaning ladder, as a sine, and maximum number of attempts to find a place.
MIN_RISE, MAX_TRIES = math.sin(math.radians(15.0)), 60
#: Height above the place at which a push starts; lag of the ladder or overshoot of the hand at which it ends.
ABOVE_M, BEHIND_M, MAX_BEYOND_M = 0.03, 0.012, 0.04
MAX_SPEED_M_S = 0.1
#: Maximum sideways motion of a push, as a share of its descent.
MAX_SLANT = 0.5
#: Motion in STILL_TICKS below which a ladder is still after a push, and maximum wait for that.
STILL_M, STILL_TICKS, MAX_TICKS = 0.0005, 20, 3 * TICKS_PER_SECOND
#: Minimum share of the simulated drops that must hold for the forecast that the ladder stands.
SURE_SHARE = 0.85
#: Maximum distance between two poses that count as the same.
SAME_M, SAME_RAD = 0.005, math.radians(5.0)
#: Energy gain that counts as an error of the physics, in joules; less than that of a fall by a millimetre.
MIN_GAIN_J = 2e-5
#: Maximum time until everything is at rest or has fallen.
REST_TICKS = 8 * TICKS_PER_SECOND


@dataclass(frozen=True)
class Push:
    size: int
    side: str
    shown: bool
    """Whether the forecast before the release said that the ladder stands."""
    stands: bool
    """Whether the ladder and everything else stands at rest."""
    true: bool
    """Whether the ladder rests where forecast, or fell without such a forecast."""
    stays: bool
    """Whether the ladder rests where it was released."""
    leant_deg: float
    """Rotation away from the hand's attitude, caused by contacts."""
    knocked: bool
    rise_j: float
    """Maximum gain of mechanical energy above its minimum after the release."""


def push(seed: int) -> Push | None:
    """Push a foot onto a rung; equal seeds give equal pushes. Return None if no place to lean is found."""
    rng = random.Random(seed)
    size = STRUCTURES[seed % len(STRUCTURES)]
    structure = load_tower(12) if size > 2 else make_structure(2)
    structure = replace(structure, standing=structure.standing[:size])
    in_structure = {name for name, _, _ in structure.standing}
    piece = rng.choice([p.piece for p in structure.ladders.ladders if p.piece not in in_structure])
    side = rng.choice(LEANING)
    turned = quat_from_axis_angle(UP, rng.uniform(-math.pi, math.pi))
    goal = quat_multiply(turned, SIDES[side])
    world = LocalWorld(structure.ladders, structure.base)
    forecaster = Forecaster(structure.ladders, structure.base)
    try:
        world.rebuild(structure.standing, asleep=True)
        world.tick(None)
        aim = _find_leaning_place(structure, piece, goal, rng)
        view = quat_rotate(turned, VIEW)
        if aim is None:
            return None
        start = _add_error(aim, view, rng)
        return _push_ladder(world, forecaster, structure, piece, start, rng, view, size, side)
    finally:
        world.close()
        forecaster.close()


def _find_leaning_place(structure: Structure, piece: PieceId, goal: Quat, rng: random.Random) -> Pose | None:
    """Return a pose at which the ladder leans with its foot on a rung of the frozen structure; None if not found."""
    ladders = {ladder.piece: ladder for ladder in structure.ladders.ladders}
    with closing(Rehearsal(ladders, structure.base, structure.standing, frozen=True)) as rehearsal:
        rehearsal.load_ladder(piece)
        for _ in range(MAX_TRIES):
            turn = quat_from_axis_angle(vec3([rng.gauss(0.0, 1.0) for _ in range(3)]), rng.gauss(0.0, 0.3))
            start = rehearsal.lower(_place_over_rung(structure, piece, quat_multiply(turn, goal), rng))
            end = None if start is None else rehearsal.drop(start)
            if end is not None and end.held and abs(quat_rotate(end.pose.rotation, UP)[2]) > MIN_RISE:
                return end.pose
    return None


def _add_error(aim: Pose, view: Vec3, rng: random.Random) -> Pose:
    """Return the pose with a person's random errors in depth and in rotation out of the picture."""
    x, y, z = aim.position
    level, deep_m = math.hypot(view[0], view[1]), rng.gauss(0.0, DEPTH_M)
    across = vec3(np.cross(view, [rng.gauss(0.0, 1.0) for _ in range(3)]))
    turn = quat_from_axis_angle(across, rng.gauss(0.0, HIDDEN_RAD))
    return Pose(
        (x + deep_m * view[0] / level, y + deep_m * view[1] / level, z), quat_multiply(turn, aim.rotation)
    )


def _place_over_rung(structure: Structure, piece: PieceId, goal: Quat, rng: random.Random) -> Pose:
    """Return the ladder's pose with its foot above a random point of a random rung, above everything else."""
    name, pose, _ = rng.choice(structure.standing)
    low, high = rng.choice(structure.ladders[name].rungs)
    along = rng.uniform(0.2, 0.8)
    rung = pose_apply(pose, vec3([a + along * (b - a) for a, b in zip(low, high, strict=True)]))
    ends = (end for rail in structure.ladders[piece].rails for end in (rail[0], rail[-1]))
    foot = min((quat_rotate(goal, end) for end in ends), key=lambda end: end[2])
    return Pose((rung[0] - foot[0], rung[1] - foot[1], 0.5), goal)


def _push_ladder(
    world: LocalWorld,
    forecaster: Forecaster,
    structure: Structure,
    piece: PieceId,
    start: Pose,
    rng: random.Random,
    view: Vec3,
    size: int,
    side: str,
) -> Push:
    world.apply(Offer(piece, Pose(make_offered_pose(structure.ladders[piece]).position, start.rotation)))
    lid = world.poses()[piece].position

    def tremble(pose: Pose) -> Pose:
        x, y, z = (a + rng.gauss(0.0, TREMBLE_M) for a in pose.position)
        axis = vec3([rng.gauss(0.0, 1.0) for _ in range(3)])
        return Pose((x, y, z), quat_from_axis_angle(axis, rng.gauss(0.0, TREMBLE_RAD)))

    hand = SimulatedHand(world.tick, lid, view_axis=view, tremble=tremble)

    def go(way: Vec3, speed_m_s: float) -> Facts:
        return hand.move_by(way, max(1, math.ceil(math.hypot(*way) / (speed_m_s * TICK_S))))

    assert hand.grab().held == piece
    go((0.0, 0.0, 0.45 - lid[2]), 0.5)
    x, y, z = start.position
    go((x - lid[0], y - lid[1], 0.0), 0.5)
    go((0.0, 0.0, z + ABOVE_M - hand.position[2]), 0.3)
    hand.hold(20)
    go((0.0, 0.0, -ABOVE_M), rng.uniform(0.03, MAX_SPEED_M_S))
    slant, about = rng.uniform(0.0, MAX_SLANT), rng.uniform(-math.pi, math.pi)
    pace = rng.uniform(0.03, MAX_SPEED_M_S)
    step = vec3([pace * TICK_S * part for part in (slant * math.cos(about), slant * math.sin(about), -1.0)])
    from_z, facts = hand.position[2], hand.do(GripPhase.HOLD)
    while (
        hand.position[2] > from_z - MAX_BEYOND_M
        and facts[piece].pose.position[2] - z < hand.position[2] - from_z + BEHIND_M
    ):
        facts = go(step, MAX_SPEED_M_S)
    past: deque[Pose] = deque(maxlen=STILL_TICKS)
    for _ in range(MAX_TICKS):
        facts = hand.do(GripPhase.HOLD)
        past.append(facts[piece].pose)
        if len(past) == STILL_TICKS and _measure_difference(past[0], past[-1])[0] < STILL_M:
            break
    poses = {name: pose for name, pose, _ in structure.standing}
    knocked = _has_fallen(facts, set(poses))
    left = facts[piece].pose
    drops = list(forecaster.drops(DropRequest(tuple(list_standing(facts)), piece, left)))
    stand = [drop for drop in drops if drop.held]
    shown = find_usual_rest(stand) if len(stand) > SURE_SHARE * len(drops) else None
    facts = hand.release()
    least_j, rise_j = compute_energy_j(world), 0.0
    for _ in range(REST_TICKS):
        facts = world.tick(None)
        energy_j = compute_energy_j(world)
        rise_j, least_j = max(rise_j, energy_j - least_j), min(least_j, energy_j)
        if facts.at_rest or facts.touching(piece) in ((BASE,), (TABLE,)):
            break
    stands, rest = not _has_fallen(facts, {*poses, piece}), facts[piece].pose
    true = not stands if shown is None else stands and _is_same(shown.pose, rest)
    leant_deg = math.degrees(quat_angle(start.rotation, left.rotation))
    return Push(size, side, shown is not None, stands, true, _is_same(left, rest), leant_deg, knocked, rise_j)


def _is_same(a: Pose, b: Pose) -> bool:
    metres, radians = _measure_difference(a, b)
    return metres <= SAME_M and radians <= SAME_RAD


def _measure_difference(a: Pose, b: Pose) -> tuple[float, float]:
    return math.dist(a.position, b.position), quat_angle(a.rotation, b.rotation)


def _has_fallen(facts: Facts, names: set[PieceId]) -> bool:
    fixed = {piece.piece for piece in facts.pieces if piece.status is PieceStatus.FIXED}
    return any(not {BASE, TABLE}.isdisjoint(facts.touching(name)) for name in names - fixed)


def measure_compliance(count: int) -> dict[str, int]:
    """Push ``count`` feet and return the number of cases of each outcome."""
    all_of = list(islice((pushed for pushed in map(push, itertools.count()) if pushed is not None), count))
    return {
        "pushes": count,
        "shown": sum(p.shown for p in all_of),
        "true": sum(p.shown and p.true for p in all_of),
        "stay": sum(p.stays for p in all_of),
        "leant": sum(p.leant_deg > 5.0 for p in all_of),
        "knocked": sum(p.knocked for p in all_of),
        "energy_made": sum(p.rise_j > MIN_GAIN_J for p in all_of),
    }
