"""A held ladder yields where its hand can't be measured: in depth, and in rotation out of the picture."""

from __future__ import annotations

import math

from benchmarks.world_pushes import push
from support.world_kit import angle_deg, base, grip, ladders, wait

from armoon.geometry import quat_from_axis_angle
from armoon.values.pieces import CHOICE_SOURCE, Facts, GripPhase, Offer, Place
from armoon.values.poses import Pose, Vec3
from armoon.world.local import LocalWorld

HELD, WALL = "L05", "L01"
#: Direction away from the eye; a held ladder leans there a little, a hand's breadth before an upright ladder.
LEANS = quat_from_axis_angle((1.0, 0.0, 0.0), math.radians(-8.0))
BEFORE_M, HIGH_M = 0.055, 0.30


class LoweredLadder:
    """A ladder that is lowered onto the base before an upright one, and 5 cm further by the hand."""

    def __init__(self, source: str = "hand:1") -> None:
        self.world = LocalWorld(ladders(), base())
        self.source = source
        self.world.apply(Place(WALL, Pose((0.0, 0.0, 0.10)), fixed=True))
        self.at: Vec3 = (0.17, -BEFORE_M, HIGH_M)
        self.world.apply(Offer(HELD, Pose(self.at, LEANS)))
        self.do(GripPhase.GRAB)
        self.go((0.0, -BEFORE_M, HIGH_M))
        while not self.facts.touching(HELD):
            self.go((0.0, -BEFORE_M, self.at[2] - 0.001))
        self.go((0.0, -BEFORE_M, self.at[2] - 0.05))
        for _ in range(60):
            self.do(GripPhase.HOLD)

    def do(self, phase: GripPhase, at: Vec3 | None = None) -> Facts:
        self.at = self.at if at is None else at
        self.facts = self.world.tick(grip(phase, self.at, source=self.source))
        return self.facts

    def go(self, to: Vec3) -> None:
        ticks, start = max(1, math.ceil(math.dist(self.at, to) / 0.08 * 60.0)), self.at
        for k in range(1, ticks + 1):
            x, y, z = (a + (b - a) * k / ticks for a, b in zip(start, to, strict=True))
            self.do(GripPhase.HOLD, (x, y, z))

    @property
    def leant_deg(self) -> float:
        return angle_deg(LEANS, self.facts[HELD].pose.rotation)


def test_pushed_onto_its_foot_a_ladder_leans_and_stays_when_released() -> None:
    lowered = LoweredLadder()
    left = lowered.facts[HELD].pose
    assert WALL in lowered.facts.touching(HELD)
    assert 10.0 < lowered.leant_deg < 50.0
    lowered.do(GripPhase.RELEASE)
    rests = wait(lowered.world, lambda facts: facts.at_rest)[HELD].pose
    assert math.dist(left.position, rests.position) < 0.005
    assert angle_deg(left.rotation, rests.rotation) < 5.0
    lowered.world.close()


def test_lifted_again_a_ladder_has_its_former_attitude() -> None:
    lowered = LoweredLadder()
    lowered.go((0.0, -BEFORE_M, HIGH_M))
    for _ in range(60):
        lowered.do(GripPhase.HOLD)
    assert lowered.leant_deg < 0.5
    assert math.dist(lowered.facts[HELD].pose.position, lowered.at) < 1e-3
    lowered.world.close()


def test_in_a_simulated_hand_a_ladder_keeps_its_attitude() -> None:
    lowered = LoweredLadder(CHOICE_SOURCE)
    assert lowered.leant_deg < 10.0
    lowered.world.close()


def test_a_foot_pushed_onto_rungs_comes_to_rest_as_shown() -> None:
    pushes = [one for seed in range(0, 30, 3) if (one := push(seed)) is not None]
    shown = [one for one in pushes if one.shown]
    assert len(shown) >= 2
    assert sum(one.true for one in shown) >= 0.9 * len(shown)
    assert not any(one.knocked for one in pushes)
