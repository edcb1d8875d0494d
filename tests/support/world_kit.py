"""Helpers for tests of the world: a small world, a scripted hand, and functions that wait."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache

from benchmarks.hand_script import SimulatedHand

from armoon.geometry import quat, quat_angle
from armoon.values.pieces import Base, Facts, GripIntent, GripPhase, LadderSet, Offer, Place
from armoon.values.poses import Quat, Vec3
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set
from armoon.world.local import LocalWorld

SEED = 7


@lru_cache
def ladders() -> LadderSet:
    return make_ladder_set(SEED)


@lru_cache
def base(configuration: str = "default") -> Base:
    return make_base(ladders().ladders[:2], configuration)


@contextmanager
def world_of(configuration: str = "default", *, starting: bool = True) -> Iterator[LocalWorld]:
    with closing(LocalWorld(ladders(), base(configuration))) as world:
        if starting:
            for ladder, slot in zip(ladders().ladders, base(configuration).slots, strict=False):
                world.apply(Place(ladder.piece, slot, fixed=True))
        yield world


def grip(phase: GripPhase, position: Vec3) -> GripIntent:
    return SimulatedHand(lambda intent: intent, position).do(phase)


def offer_and_grab(world: LocalWorld, piece: str = "L05") -> SimulatedHand[Facts]:
    world.apply(Offer(piece))
    hand = SimulatedHand(world.tick, world.poses()[piece].position)
    assert hand.grab().held == piece
    return hand


def wait(world: LocalWorld, until: Callable[[Facts], bool], max_ticks: int = 1500) -> Facts:
    for _ in range(max_ticks):
        facts = world.tick(None)
        if until(facts):
            return facts
    raise AssertionError(f"condition not met after {max_ticks} ticks: {facts}")


def wait_for_rest(world: LocalWorld, max_ticks: int = 1500) -> Facts:
    return wait(world, lambda facts: facts.at_rest, max_ticks)


def random_quat(rng: random.Random) -> Quat:
    return quat([rng.gauss(0.0, 1.0) for _ in range(4)])


def angle_deg(a: Quat, b: Quat) -> float:
    return math.degrees(quat_angle(a, b))
