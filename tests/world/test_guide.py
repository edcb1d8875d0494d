"""Guided placing: near a known place the ladder of a slow hand is drawn to the place and set down on release."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest
from benchmarks.hand_script import SimulatedHand
from support.world_kit import angle_deg, offer_and_grab, world_of

from armoon.errors import WorldError
from armoon.geometry import quat_from_axis_angle
from armoon.values import pieces
from armoon.values.poses import Pose, Vec3
from armoon.world.guide import SET_DOWN_M_S, SET_DOWN_TICKS
from armoon.world.local import LocalWorld

HELD = "L05"
OVER: Vec3 = (0.0, 0.0, 0.35)
#: Offset of the place from the held ladder: 12 mm.
OFFSET: Vec3 = (0.004, 0.011, -0.003)
FULL: dict[str, Any] = {"reach_m": 0.020, "reach_rad": math.radians(20.0)}


def hold_near_place(
    world: LocalWorld, source: str = "hand:1", off: Vec3 = OFFSET, turn_deg: float = 6.0, **reach: Any
) -> tuple[SimulatedHand[pieces.Facts], Pose]:
    """Return a hand that holds a ladder still, and a place at the offset ``off`` from the ladder."""
    hand = offer_and_grab(world, HELD)
    hand.source = source
    hand.move_to(OVER)
    now = hand.hold(30)[HELD].pose
    x, y, z = (p + d for p, d in zip(now.position, off, strict=True))
    place = Pose((x, y, z), quat_from_axis_angle((1.0, 0.0, 0.0), math.radians(turn_deg)))
    world.apply(pieces.Guide((place, Pose((0.1, 0.1, 0.3))), **(FULL | reach)))
    return hand, place


def measure_distance_m(facts: pieces.Facts, place: Pose) -> float:
    return math.dist(facts[HELD].pose.position, place.position)


def release_near_place(**place: Any) -> list[pieces.Facts]:
    """Return the facts from the last tick with a closed hand until the ladder is free."""
    with world_of() as world:
        hand, spot = hold_near_place(world, **place)
        facts = [hand.hold(1), hand.release()]
        while facts[-1].held is not None:
            facts.append(hand.do(pieces.GripPhase.HOVER))
            assert len(facts) < 100
        assert len(facts) == 2 or measure_distance_m(facts[-2], spot) < 1e-4, "a drop was tried from there"
        turned_deg = angle_deg(facts[-1][HELD].pose.rotation, spot.rotation)
        assert (measure_distance_m(facts[-1], spot) < 2e-3 and turned_deg < 1.0) is (len(facts) > 2)
        return facts


def test_a_release_12_mm_off_ends_at_the_place_and_at_rest() -> None:
    facts = release_near_place()
    assert SET_DOWN_TICKS / 2 < len(facts) - 2 <= SET_DOWN_TICKS + 1
    distances = [math.dist(a[HELD].pose.position, b[HELD].pose.position) for a, b in pairwise(facts)]
    assert max(distances[:-1]) * 60.0 < 1.1 * SET_DOWN_M_S
    assert facts[-2][HELD].speed_m_s < 0.01
    assert distances[-1] < 0.002, "the ladder doesn't fall freely at the end"


@pytest.mark.parametrize(
    "changes",
    [
        {"off": (0.021, 0.0, 0.0)},
        {"turn_deg": 21.0},
        {"reach_m": 0.010, "reach_rad": math.radians(10.0)},
        {"source": pieces.KEYS_SOURCE},
        {"source": pieces.CHOICE_SOURCE},
    ],
    ids=["too far", "turned too far", "out of light reach", "keys", "a simulated hand"],
)
def test_any_other_ladder_is_released_at_once_where_it_is(changes: dict[str, Any]) -> None:
    assert len(release_near_place(**changes)) == 2


@pytest.mark.parametrize(
    ("changes", "drawn"),
    [
        ({}, True),
        ({"source": pieces.MOUSE_SOURCE}, True),
        ({"off": (0.0, 0.018, 0.0), "turn_deg": 0.0}, True),
        ({"source": pieces.CARD_SOURCE}, False),
        ({"source": pieces.KEYS_SOURCE}, False),
        ({"source": pieces.CHOICE_SOURCE}, False),
        ({"off": (0.021, 0.0, 0.0)}, False),
        ({"turn_deg": 21.0}, False),
        ({"reach_m": 0.010, "reach_rad": math.radians(10.0)}, False),
    ],
    ids=str,
)
def test_the_ladder_of_a_slow_hand_or_a_resting_mouse_is_drawn_until_it_moves_fast(
    changes: dict[str, Any], drawn: bool
) -> None:
    with world_of() as world:
        hand, place = hold_near_place(world, **changes)
        facts = [hand.hold(1) for _ in range(150)]
        distances = [math.dist(a[HELD].pose.position, b[HELD].pose.position) for a, b in pairwise(facts)]
        if not drawn:
            assert max(distances) < 1e-4
            return
        share = measure_distance_m(facts[-1], place) / math.dist((0.0, 0.0, 0.0), changes.get("off", OFFSET))
        assert share < 0.1 if changes.get("off", OFFSET) == OFFSET else 0.2 < share < 0.95
        assert max(distances) * 60.0 < 0.035
        x, y, z = hand.position
        hand.move_to((x + 0.03, y, z))
        left = hand.hold(30)[HELD].pose.position
        before = facts[0][HELD].pose.position
        assert math.dist(left, (before[0] + 0.03, *before[1:])) < 1e-3


def test_a_mouse_that_rotates_the_ladder_frees_it_from_the_place() -> None:
    with world_of() as world:
        hand, place = hold_near_place(world, pieces.MOUSE_SOURCE)
        assert measure_distance_m(hand.hold(100), place) < 0.001
        hand.rotation = quat_from_axis_angle((0.0, 1.0, 0.0), math.radians(3.0))
        assert measure_distance_m(hand.hold(60), place) > 0.008


def test_a_blocked_ladder_is_no_longer_drawn_to_its_place() -> None:
    with world_of() as world:
        hand, _ = hold_near_place(world, off=(0.0, 0.0108, -0.0052), turn_deg=0.0)
        x, y, z = hand.played[-1][HELD].pose.position
        world.apply(pieces.Place("L09", Pose((x, y + 0.006, z)), fixed=True))
        drawn = [hand.hold(1) for _ in range(300)]
        distances = [math.dist(scene[HELD].pose.position, (x, y, z)) for scene in drawn]
        assert 0.001 < max(distances) < 0.007
        assert distances[-1] < 0.001


@pytest.mark.parametrize("source", [pieces.KEYS_SOURCE, pieces.CHOICE_SOURCE, "hand:1"])
def test_an_order_sets_down_the_ladder_of_any_device(source: str) -> None:
    with world_of() as world:
        hand, place = hold_near_place(world, source)
        world.apply(pieces.Guide((place,), **FULL, sets_down=True))
        held = (hand.hold(1) for _ in range(SET_DOWN_TICKS + 2))
        facts = next(fact for fact in held if fact.held is None)
        assert measure_distance_m(facts, place) < 2e-3


@pytest.mark.parametrize("touching", [False, True])
def test_an_order_carries_a_ladder_over_obstacles_without_moving_them(touching: bool) -> None:
    with world_of() as world:
        world.apply(pieces.Place("L09", Pose((0.0, 0.03, 0.10)), fixed=True))
        hand = offer_and_grab(world, HELD)
        hand.move_to(OVER)
        hand.move_to((0.0, -0.015 if touching else -0.05, 0.20))
        before = hand.hold(60)
        x, y, z = before[HELD].pose.position
        place = Pose((x, y + 0.09, z), before[HELD].pose.rotation)
        world.apply(pieces.Guide((place,), **FULL, sets_down=True))
        facts = next(fact for fact in (hand.hold(1) for _ in range(300)) if fact.held is None)
        assert measure_distance_m(facts, place) < 2e-3
        assert facts["L09"].pose == before["L09"].pose


def test_a_ladder_that_cannot_be_lifted_over_its_place_stays_in_the_hand() -> None:
    with world_of() as world:
        hand, place = hold_near_place(world, pieces.KEYS_SOURCE, off=(0.05, 0.0, 0.0), turn_deg=0.0)
        before = hand.played[-1][HELD]
        x, y, _ = before.pose.position
        level = quat_from_axis_angle((0.0, 1.0, 0.0), math.pi / 2.0)
        world.apply(pieces.Place("L09", Pose((x, y, before.highest_m + 0.01), level), fixed=True))
        world.apply(pieces.Guide((place,), **FULL, sets_down=True))
        facts = [hand.hold(1) for _ in range(6 * 60)]
        assert {fact.held for fact in facts} == {HELD}
        assert min(fact.grip_gap_m or 0.0 for fact in facts) < 1e-3
        assert math.dist(facts[-1][HELD].pose.position, before.pose.position) < 2e-3


def test_a_lock_ends_the_guidance_and_a_place_far_from_the_table_is_refused() -> None:
    with world_of() as world:
        hand = offer_and_grab(world, HELD)
        hand.move_to(OVER)
        x, y, z = hand.hold(30)[HELD].pose.position
        world.apply(pieces.Guide((Pose((x, y, z + 0.015)),), **FULL))
        assert hand.release().held == HELD
        assert hand.do(pieces.GripPhase.GRAB).held == HELD
        world.apply(pieces.LockGrips(locked=True))
        assert world.tick(None).held is None
        with pytest.raises(WorldError):
            world.apply(pieces.Guide((Pose((9.0, 0.0, 0.0)),), **FULL))


@pytest.mark.parametrize(("behind_m", "fits"), [(0.016, True), (0.006, False)])
def test_a_ladder_released_against_another_is_lifted_over_it_to_a_place_with_room(
    behind_m: float, fits: bool
) -> None:
    with world_of() as world:
        world.apply(pieces.Place("L09", Pose((0.0, 0.03, 0.10)), fixed=True))
        hand = offer_and_grab(world, HELD)
        hand.move_to(OVER)
        before = hand.hold(60)
        x, y, z = hand.position
        z -= before[HELD].lowest_m - before["L09"].highest_m + 0.006
        for aside_m in (0.0, 0.03):
            hand.move_to((x, y - before[HELD].pose.position[1] + aside_m, z))
        held = hand.hold(60)[HELD].pose
        assert (hand.played[-1].grip_gap_m or 0.0) < 1e-4, "the held ladder leans against L09"
        x, y, z = held.position
        place = Pose((x, y + behind_m, z), held.rotation)
        world.apply(pieces.Guide((place,), **FULL))
        hand.release()
        while (facts := hand.do(pieces.GripPhase.HOVER)).held is not None:
            assert len(hand.played) < 1000
        assert (measure_distance_m(facts, place) < 2e-3) is fits
        assert facts["L09"].pose == before["L09"].pose
