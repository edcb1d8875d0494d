"""A ladder that is released within reach of a known place is set down there; any other where it is."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest
from support.world_kit import angle_deg, offer_and_grab, world_of

from armoon.errors import WorldError
from armoon.geometry import quat_from_axis_angle
from armoon.values.pieces import CHOICE_SOURCE, KEYS_SOURCE, Facts, GripPhase, Guide, LockGrips, Place
from armoon.values.poses import Pose, Vec3
from armoon.world.guide import SET_DOWN_M_S, SET_DOWN_TICKS

HELD = "L05"
#: In the air, and from there to the place: 12 mm and 6 degrees.
OVER: Vec3 = (0.0, 0.0, 0.35)
OFF: Vec3 = (0.004, 0.011, -0.003)
FULL = {"reach_m": 0.020, "reach_rad": math.radians(20.0)}


def released(source: str = "hand:1", off: Vec3 = OFF, turn_deg: float = 6.0, **reach: float) -> list[Facts]:
    """Facts from the last one with a closed hand until the ladder is free; the place is ``off`` from there."""
    with world_of() as world:
        hand = offer_and_grab(world, HELD)
        hand.source = source
        hand.move_to(OVER)
        now = hand.hold(30)[HELD].pose
        x, y, z = (p + d for p, d in zip(now.position, off, strict=True))
        place = Pose((x, y, z), quat_from_axis_angle((1.0, 0.0, 0.0), math.radians(turn_deg)))
        world.apply(Guide((place, Pose((0.1, 0.1, 0.3))), **(reach or FULL)))
        told = [hand.hold(1), hand.release()]
        while told[-1].held is not None:
            told.append(hand.do(GripPhase.HOVER))
            assert len(told) < 100
        missing_m = math.dist(told[-1][HELD].pose.position, place.position)
        missing_deg = angle_deg(told[-1][HELD].pose.rotation, place.rotation)
        assert (missing_m < 2e-3 and missing_deg < 1.0) is (len(told) > 2)
        return told


def test_a_release_12_mm_off_ends_at_the_place_and_at_rest() -> None:
    told = released()
    assert SET_DOWN_TICKS / 2 < len(told) - 2 <= SET_DOWN_TICKS + 1
    ways = [math.dist(a[HELD].pose.position, b[HELD].pose.position) for a, b in pairwise(told)]
    assert max(ways[:-1]) * 60.0 < 1.1 * SET_DOWN_M_S
    assert told[-2][HELD].speed_m_s < 0.01
    assert ways[-1] < 0.002, "it falls freely from there"


@pytest.mark.parametrize(
    "changes",
    [
        {"off": (0.021, 0.0, 0.0)},
        {"turn_deg": 21.0},
        {"reach_m": 0.010, "reach_rad": math.radians(10.0)},
        {"source": KEYS_SOURCE},
        {"source": CHOICE_SOURCE},
    ],
    ids=["too far", "turned too far", "out of light reach", "keys", "the house's hand"],
)
def test_any_other_is_free_at_once_where_it_is(changes: dict[str, Any]) -> None:
    assert len(released(**changes)) == 2


def test_a_lock_ends_it_and_no_place_is_far_from_the_table() -> None:
    with world_of() as world:
        hand = offer_and_grab(world, HELD)
        hand.move_to(OVER)
        x, y, z = hand.hold(30)[HELD].pose.position
        world.apply(Guide((Pose((x, y, z + 0.015)),), **FULL))
        assert hand.release().held == HELD
        assert hand.do(GripPhase.GRAB).held == HELD
        world.apply(LockGrips(locked=True))
        assert world.tick(None).held is None
        with pytest.raises(WorldError):
            world.apply(Guide((Pose((9.0, 0.0, 0.0)),), **FULL))


def test_a_ladder_that_wood_keeps_from_its_place_is_free_and_pushes_nothing_over() -> None:
    with world_of() as world:
        world.apply(Place("L09", Pose((0.0, 0.03, 0.10)), fixed=True))
        hand = offer_and_grab(world, HELD)
        hand.move_to(OVER)
        hand.move_to((0.0, -0.02, 0.20))
        before = hand.hold(60)
        x, y, z = before[HELD].pose.position
        world.apply(Guide((Pose((x, y, z - 0.019), before[HELD].pose.rotation),), **FULL))
        hand.release()
        ticks = 0
        while hand.do(GripPhase.HOVER).held is not None:
            ticks += 1
        assert ticks <= SET_DOWN_TICKS
        assert hand.facts[-1]["L09"].pose == before["L09"].pose
