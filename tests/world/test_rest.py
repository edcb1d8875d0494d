"""Detection of rest, and the end of motion that doesn't stop by itself."""

from __future__ import annotations

import math

import pytest
from support.world_kit import ladders, offer_and_grab, wait_for_rest, world_of

from armoon.geometry import quat_from_axis_angle, quat_multiply
from armoon.values.pieces import Place
from armoon.values.poses import Pose
from armoon.world.bullet import Bullet
from armoon.world.ladders import THICKNESS_M
from armoon.world.piece import QUIET_TICKS, STOP_TICKS, STRONG_ANGULAR_DAMPING


def test_a_dropped_ladder_comes_to_rest_soon_and_stays() -> None:
    with world_of(starting=False) as world:
        world.apply(Place("L04", Pose((0.3, 0.0, 0.1)), fixed=False))
        assert not world.tick(None).at_rest
        facts = wait_for_rest(world, max_ticks=150)
        pose = facts["L04"].pose
        for _ in range(300):
            facts = world.tick(None)
            assert facts.at_rest
        assert math.dist(facts["L04"].pose.position, pose.position) < 1e-4


def test_endless_motion_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ladder that is shaken without end is damped after SWING_TICKS, and at rest soon after STOP_TICKS."""
    damping: list[float] = []
    set_damping = Bullet.set_damping

    def note(engine: Bullet, body: int, linear: float, angular: float) -> None:
        damping.append(angular)
        set_damping(engine, body, linear, angular)

    monkeypatch.setattr(Bullet, "set_damping", note)
    with world_of(starting=False) as world:
        world.apply(Place("L04", Pose((0.3, 0.0, 0.1)), fixed=False))
        body = world._pieces["L04"].body
        assert body is not None
        for tick in range(STOP_TICKS + QUIET_TICKS + 5):
            if tick < STOP_TICKS - 1:
                world._engine.wake(body)
                world._engine.set_velocity(body, (0.0, 0.0, 0.1), (0.0, 0.0, 0.3))
            facts = world.tick(None)
        assert facts.at_rest
        assert damping[0] == STRONG_ANGULAR_DAMPING


@pytest.mark.slow
def test_permanently_wedged_ladders_come_to_rest() -> None:
    """A pile of overlapping ladders shakes for as long as it is awake; it still has to come to rest."""
    flat = quat_from_axis_angle((1.0, 0.0, 0.0), math.pi / 2.0)
    with world_of(starting=False) as world:
        for level, ladder in enumerate(ladders().ladders[2:14]):
            turn = quat_from_axis_angle((0.0, 0.0, 1.0), math.pi / 2.0 * (level % 2))
            height = THICKNESS_M * (level + 0.5) + 1e-5 * level
            world.apply(
                Place(ladder.piece, Pose((0.35, 0.0, height), quat_multiply(turn, flat)), fixed=False)
            )
        before = wait_for_rest(world, max_ticks=STOP_TICKS + QUIET_TICKS + 1)
        for _ in range(120):
            facts = world.tick(None)
        assert facts.at_rest
        assert all(piece.speed_m_s == 0.0 for piece in facts.pieces)
        assert max(math.dist(p.pose.position, before[p.piece].pose.position) for p in facts.pieces) < 1e-4


def test_rest_does_not_depend_on_the_held_ladder() -> None:
    with world_of() as world:
        hand = offer_and_grab(world)
        hand.move_to((0.17, 0.0, 0.3))
        facts = hand.move_to((0.0, 0.0, 0.3), speed_m_s=0.4)
        assert facts.held is not None
        assert facts[facts.held].speed_m_s > 0.2
        assert facts.at_rest
