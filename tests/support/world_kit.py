"""Shared by the world's tests: a small world, a scripted hand, and ways to wait."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from armoon.geometry import quat
from armoon.values.pieces import Base, Facts, GripIntent, GripPhase, LadderSet, Offer, Place
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec3
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set
from armoon.world.local import LocalWorld

SEED = 7
VIEW_AXIS: Vec3 = (0.0, 0.9, -0.43)
HAND = "hand:1"


@lru_cache
def ladders() -> LadderSet:
    return make_ladder_set(SEED)


@lru_cache
def base(configuration: str = "default") -> Base:
    return make_base(ladders().ladders[:2], configuration)


@contextmanager
def world_of(configuration: str = "default", *, starting: bool = True) -> Iterator[LocalWorld]:
    world = LocalWorld(ladders(), base(configuration))
    try:
        if starting:
            for ladder, slot in zip(ladders().ladders, base(configuration).slots, strict=False):
                world.apply(Place(ladder.piece, slot, fixed=True))
        yield world
    finally:
        world.close()


def grip(
    phase: GripPhase,
    position: Vec3,
    rotation: Quat = IDENTITY_QUAT,
    *,
    source: str = HAND,
    view_axis: Vec3 = VIEW_AXIS,
) -> GripIntent:
    length = math.sqrt(sum(a * a for a in view_axis))
    x, y, z = (a / length for a in view_axis)
    return GripIntent(0.0, source, phase, Pose(position, rotation), (x, y, z))


class Hand:
    def __init__(
        self, world: LocalWorld, position: Vec3, rotation: Quat = IDENTITY_QUAT, source: str = HAND
    ) -> None:
        self.world, self.source = world, source
        self.position = position
        self.rotation = rotation
        self.facts: list[Facts] = []

    def do(self, phase: GripPhase, position: Vec3 | None = None, rotation: Quat | None = None) -> Facts:
        self.position = self.position if position is None else position
        self.rotation = self.rotation if rotation is None else rotation
        facts = self.world.tick(grip(phase, self.position, self.rotation, source=self.source))
        self.facts.append(facts)
        return facts

    def grab(self) -> Facts:
        return self.do(GripPhase.GRAB)

    def release(self) -> Facts:
        return self.do(GripPhase.RELEASE)

    def hold(self, ticks: int) -> Facts:
        for _ in range(ticks):
            facts = self.do(GripPhase.HOLD)
        return facts

    def move_to(self, position: Vec3, speed_m_s: float = 0.3) -> Facts:
        start = self.position
        ticks = max(1, math.ceil(math.dist(start, position) / speed_m_s * 60.0))
        for k in range(1, ticks + 1):
            x, y, z = (a + (b - a) * k / ticks for a, b in zip(start, position, strict=True))
            facts = self.do(GripPhase.HOLD, (x, y, z))
        return facts


def offer_and_grab(world: LocalWorld, piece: str = "L05") -> Hand:
    world.apply(Offer(piece))
    middle = world.poses()[piece].position
    hand = Hand(world, middle)
    assert hand.grab().held == piece
    return hand


def wait(world: LocalWorld, until: Callable[[Facts], bool], most_ticks: int = 1500) -> Facts:
    for _ in range(most_ticks):
        facts = world.tick(None)
        if until(facts):
            return facts
    raise AssertionError(f"still not so after {most_ticks} ticks: {facts}")


def wait_for_rest(world: LocalWorld, most_ticks: int = 1500) -> Facts:
    return wait(world, lambda facts: facts.at_rest, most_ticks)


def random_quat(dice: random.Random) -> Quat:
    return quat([dice.gauss(0.0, 1.0) for _ in range(4)])


def angle_deg(a: Quat, b: Quat) -> float:
    from armoon.geometry import quat_angle

    return math.degrees(quat_angle(a, b))
