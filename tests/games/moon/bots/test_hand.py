"""A bot's hand: it takes the ladder out of the lid and brings it where it was told, as near as it is steady."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from armoon.clock import TICK_S
from armoon.games.moon.bots.levels import CHARACTERS, Level
from armoon.geometry import quat_angle, quat_from_axis_angle
from armoon.players.carrier import DEEPER_M, Carrier
from armoon.values.pieces import BOT_SOURCE, Facts, GripPhase, LockGrips, Offer, PieceStatus
from armoon.values.poses import Pose, Quat
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set
from armoon.world.local import LocalWorld

PIECE = "L10"
LADDERS = make_ladder_set(BOX_SEED)
STEADY = replace(CHARACTERS[Level.LUNA], slip_m=0.0, slip_rad=0.0)
TURNED: dict[str, Quat] = {
    "as it was": (0.0, 0.0, 0.0, 1.0),
    "flat": quat_from_axis_angle((1.0, 0.0, 0.0), math.pi / 2),
    "askew": quat_from_axis_angle((0.3, 0.5, 0.8), 2.2),
    "on its head": quat_from_axis_angle((0.0, 1.0, 0.0), 3.1),
}


def bring(release: Pose, seed: int = 1, character: object = STEADY) -> tuple[Pose, float]:
    """Where the ladder is in the tick before it is let go of, and how many seconds that took."""
    world = LocalWorld(LADDERS, make_base(tuple(LADDERS[p] for p in ("L01", "L02")), "facing"))
    world.apply(LockGrips(False))
    world.apply(Offer(PIECE))
    hand = Carrier((0.0, -0.6, 0.3), character)  # type: ignore[arg-type]
    hand.bring(LADDERS[PIECE], release, random.Random(seed))
    facts: Facts = world.tick(None)
    try:
        for tick in range(3000):
            before = facts
            grips = hand.move(facts, TICK_S, tick * TICK_S)
            assert all(grip.source == BOT_SOURCE for grip in grips)
            for grip in grips:
                facts = world.tick(grip)
            if grips[-1].phase is GripPhase.RELEASE and before.held is not None:
                assert before.held == PIECE
                assert facts[PIECE].status is PieceStatus.FREE
                return before[PIECE].pose, tick * TICK_S
    finally:
        world.close()
    raise AssertionError("it never let go")


@pytest.mark.parametrize("name", TURNED)
def test_it_lets_go_where_it_was_told(name: str) -> None:
    # In the air beside the base: it feels no touch, and goes on a little before it gives up looking for one.
    release = Pose((-0.22, 0.08, 0.24), TURNED[name])
    there, seconds = bring(release)
    x, y, z = release.position
    assert math.dist(there.position, (x, y, z - DEEPER_M)) < 0.0015
    assert quat_angle(there.rotation, release.rotation) < math.radians(1.0)
    assert 2.0 < seconds < 12.0, "as quick as people are"


def test_an_unsteady_hand_misses_by_as_much_as_it_is_unsteady() -> None:
    character = CHARACTERS[Level.PIP]
    release = Pose((-0.22, 0.08, 0.24), TURNED["as it was"])
    missed = [
        math.dist(bring(release, seed, character)[0].position[:2], release.position[:2]) for seed in range(5)
    ]
    usual = character.slip_m * math.sqrt(2.0)
    assert 0.4 * usual < sum(missed) / len(missed) < 2.0 * usual


def test_the_same_chances_bring_the_same_grips() -> None:
    release = Pose((-0.22, 0.08, 0.24), TURNED["askew"])
    character = CHARACTERS[Level.NOVA]
    assert bring(release, 3, character) == bring(release, 3, character)
