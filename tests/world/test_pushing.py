"""A hand that deliberately pushes a starting ladder topples it; a hand that brushes past moves nothing."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import pytest
from benchmarks.energy import compute_energy_j
from benchmarks.hand_script import SimulatedHand
from benchmarks.towers import load_tower, make_structure
from support.slot_kit import PUSHED, UPRIGHT
from support.world_kit import base, ladders, offer_and_grab, random_quat

from armoon import geometry
from armoon.values.pieces import BASE, TABLE, Facts, GripPhase, PieceStatus, Place
from armoon.values.poses import Pose, Quat, Vec3
from armoon.world.base import SLOT_DEPTH_M
from armoon.world.ladders import find_foot
from armoon.world.local import LocalWorld
from armoon.world.slots import PLAY_RAD

HELD = "L05"
#: Motion of the hand after the first contact if it is careless, and if it pushes deliberately.
CARELESS_M, ON_PURPOSE_M = 0.020, 0.10
PUSH_M_S = 0.1
SIDES: tuple[Vec3, ...] = ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0))
#: Two rungs, above the slot's mouth.
HEIGHTS_M = (0.05, 0.09)
#: A height above all ladders.
OVER_M = 0.42


def _shift(point: Vec3, axis: Vec3, by_m: float) -> Vec3:
    x, y, z = (a + by_m * b for a, b in zip(point, axis, strict=True))
    return (x, y, z)


def _bring_to_start(hand: SimulatedHand[Facts], turn: Quat, start: Vec3) -> None:
    """Rotate the held ladder high above the lid, and lower it to the start of its motion."""
    hand.move_to((0.17, 0.0, OVER_M))
    hand.move_by((0.0, 0.0, 0.0), 60, turn)
    hand.move_to((start[0], start[1], OVER_M))
    hand.move_to(start, 0.2)
    hand.hold(30)


@dataclass
class PushedLadder:
    """A ladder held flat, pushed horizontally against the first starting ladder, at a height above the slot's mouth."""

    side: Vec3
    height_m: float
    world: LocalWorld = field(init=False)
    hand: SimulatedHand[Facts] = field(init=False)
    slot: Pose = field(init=False)

    def __post_init__(self) -> None:
        self.world = LocalWorld(ladders(), base(UPRIGHT))
        self.slot = base(UPRIGHT).slots[0]
        self.world.apply(Place(PUSHED, self.slot, fixed=True))
        x, y, z = find_foot(ladders()[PUSHED])
        self.direction = geometry.quat_rotate(self.slot.rotation, self.side)
        self.hand = offer_and_grab(self.world, HELD)
        across = geometry.quat_from_axis_angle(self.direction, math.pi / 2.0)
        rung = geometry.pose_apply(self.slot, (x, y, z + SLOT_DEPTH_M + self.height_m))
        _bring_to_start(self.hand, across, _shift(rung, self.direction, -0.06))
        for _ in range(90):
            if PUSHED in self.move_hand(PUSH_M_S / 60.0).touching(HELD):
                return
        raise AssertionError("the held ladder never touched the starting ladder")

    def move_hand(self, distance_m: float) -> Facts:
        return self.hand.do(GripPhase.HOLD, _shift(self.hand.position, self.direction, distance_m))

    def push_further(self, distance_m: float, stay: int = 90) -> list[Facts]:
        """Move on at a hand's usual speed, then wait for ``stay`` ticks, or until the ladder is out of the slot."""
        ticks = math.ceil(abs(distance_m) / PUSH_M_S * 60.0)
        states: list[Facts] = []
        for k in range(ticks + stay):
            states.append(self.move_hand(distance_m / ticks if k < ticks else 0.0))
            if states[-1][PUSHED].status is PieceStatus.FREE:
                break
        return states

    def lean_rad(self, facts: Facts) -> float:
        return geometry.quat_angle(self.slot.rotation, facts[PUSHED].pose.rotation)


@pytest.mark.parametrize("height_m", HEIGHTS_M)
@pytest.mark.parametrize("side", SIDES)
def test_a_starting_ladder_leans_and_topples_if_the_hand_pushes_deliberately(
    side: Vec3, height_m: float
) -> None:
    push = PushedLadder(side, height_m)
    assert all(facts[PUSHED].pose == push.slot for facts in push.push_further(CARELESS_M)), "no push intended"
    states = push.push_further(ON_PURPOSE_M - CARELESS_M)
    assert states[-1][PUSHED].status is PieceStatus.FREE
    leans = [push.lean_rad(facts) for facts in states[:-1]]
    assert 0.2 * PLAY_RAD < max(leans) <= PLAY_RAD
    push.world.close()


def test_a_starting_ladder_pushed_less_far_leans_and_returns() -> None:
    push = PushedLadder(SIDES[0], HEIGHTS_M[0])
    facts = push.push_further(0.055)[-1]
    assert facts[PUSHED].status is PieceStatus.FIXED
    assert 0.5 * PLAY_RAD < push.lean_rad(facts) <= PLAY_RAD
    push.push_further(-0.08)
    assert push.hand.hold(30)[PUSHED].pose == push.slot
    push.world.close()


def test_a_hand_that_is_misread_for_a_few_pictures_topples_nothing() -> None:
    push = PushedLadder(SIDES[0], HEIGHTS_M[1])
    push.move_hand(0.3)
    push.hand.hold(9)
    push.move_hand(-0.3)
    assert push.hand.hold(60)[PUSHED].pose == push.slot
    push.world.close()


def test_a_ladder_pushed_out_adds_no_energy() -> None:
    push = PushedLadder(SIDES[0], HEIGHTS_M[1])
    push.push_further(ON_PURPOSE_M)
    before = compute_energy_j(push.world)
    for _ in range(120):
        push.hand.do(GripPhase.LOST)
        after = compute_energy_j(push.world)
        assert after <= before + 2e-5, "more than 20 µJ, a ladder's fall through 0.7 mm"
        before = min(before, after)
    push.world.close()


def _brush_past(seed: int, size: int) -> bool | None:
    """Return whether a slow, trembling hand that touches a structure knocks anything over; None if it misses."""
    rng = random.Random(seed)
    tower = load_tower(size) if size > 2 else make_structure(2)
    names = {name for name, _, _ in tower.standing}
    world = LocalWorld(tower.ladders, tower.base)
    world.rebuild(tower.standing, asleep=True)
    piece = rng.choice([ladder.piece for ladder in tower.ladders.ladders if ladder.piece not in names])
    hand, turn = offer_and_grab(world, piece), random_quat(rng)
    angle, aside_m = rng.uniform(0.0, math.tau), rng.uniform(-0.05, 0.05)
    axis = (math.cos(angle), math.sin(angle), rng.uniform(-0.3, 0.3))
    across = (-axis[1], axis[0], 0.0)
    place = _shift(_shift((0.0, 0.0, rng.uniform(0.05, 0.16)), across, aside_m), axis, -0.17)
    _bring_to_start(hand, turn, place)
    pace_m = rng.uniform(0.03, 0.1) / 60.0
    has_fallen = False

    def move_hand(place: Vec3) -> Facts:
        nonlocal has_fallen
        x, y, z = (a + rng.gauss(0.0, 0.003) for a in place)
        axis = geometry.vec3([rng.gauss(0.0, 1.0) for _ in range(3)])
        tremble = geometry.quat_from_axis_angle(axis, rng.gauss(0.0, math.radians(3.0)))
        facts = hand.do(GripPhase.HOLD, (x, y, z), geometry.quat_multiply(tremble, turn))
        has_fallen = has_fallen or any(
            not {BASE, TABLE}.isdisjoint(facts.touching(name)) for name in names - slotted
        )
        has_fallen = has_fallen or any(facts[name].status is PieceStatus.FREE for name in slotted)
        return facts

    slotted = {name for name, _, fixed in tower.standing if fixed}
    facts, gone_m = move_hand(place), 0.0
    while names.isdisjoint(facts.touching(piece)) and gone_m < 0.34:
        gone_m += pace_m
        facts = move_hand(_shift(place, axis, gone_m))
    if gone_m >= 0.34:
        world.close()
        return None
    deep_m, aside_m = rng.uniform(0.0, CARELESS_M), rng.uniform(-0.04, 0.04)
    ticks = math.ceil(max(deep_m, abs(aside_m)) / pace_m)
    for k in [*range(ticks), *[ticks] * 30, *range(ticks, 0, -1), *[0] * 60]:
        share = k / ticks
        move_hand(_shift(_shift(_shift(place, axis, gone_m), axis, share * deep_m), across, share * aside_m))
    world.close()
    return has_fallen


@pytest.mark.parametrize(("size", "count"), [(2, 8), pytest.param(2, 100, marks=pytest.mark.long)])
def test_brushing_past_slowly_knocks_nothing_over(size: int, count: int) -> None:
    brushes = (has_fallen for seed in range(2 * count) if (has_fallen := _brush_past(seed, size)) is not None)
    fallen = [has_fallen for has_fallen, _ in zip(brushes, range(count), strict=False)]
    assert len(fallen) == count
    assert sum(fallen) <= 0.02 * count
