"""A held ladder yields where its hand can't be measured: in depth, and in rotation out of the picture."""

from __future__ import annotations

import math

from benchmarks.hand_script import SimulatedHand
from benchmarks.world_pushes import push
from support.world_kit import angle_deg, base, ladders, wait

from armoon.geometry import quat_from_axis_angle
from armoon.values.pieces import CHOICE_SOURCE, Facts, Offer, Place
from armoon.values.poses import Pose
from armoon.world.local import LocalWorld

HELD, WALL = "L05", "L01"
#: Attitude of the held ladder: it leans slightly away from the eye.
LEANING = quat_from_axis_angle((1.0, 0.0, 0.0), math.radians(-8.0))
#: Distance of the held ladder in front of the upright one, and height at which it starts; metres.
BEFORE_M, HIGH_M = 0.055, 0.30


class LoweredLadder:
    """A ladder that is lowered onto the base in front of an upright one; then the hand moves 5 cm further down."""

    def __init__(self, source: str = "hand:1") -> None:
        self.world = LocalWorld(ladders(), base())
        self.world.apply(Place(WALL, Pose((0.0, 0.0, 0.10)), fixed=True))
        start = (0.17, -BEFORE_M, HIGH_M)
        self.world.apply(Offer(HELD, Pose(start, LEANING)))
        self.hand = SimulatedHand(self.world.tick, start, source=source)
        self.hand.grab()
        facts = self.move_to_height(HIGH_M)
        while not facts.touching(HELD):
            facts = self.move_to_height(self.hand.position[2] - 0.001)
        self.move_to_height(self.hand.position[2] - 0.05)
        self.hand.hold(60)

    def move_to_height(self, height_m: float) -> Facts:
        return self.hand.move_to((0.0, -BEFORE_M, height_m), 0.08)

    @property
    def facts(self) -> Facts:
        return self.hand.played[-1]

    @property
    def leant_deg(self) -> float:
        return angle_deg(LEANING, self.facts[HELD].pose.rotation)


def test_a_ladder_pushed_onto_its_foot_leans_and_stays_when_released() -> None:
    lowered = LoweredLadder()
    left = lowered.facts[HELD].pose
    assert WALL in lowered.facts.touching(HELD)
    assert 10.0 < lowered.leant_deg < 50.0
    lowered.hand.release()
    rest_pose = wait(lowered.world, lambda facts: facts.at_rest)[HELD].pose
    assert math.dist(left.position, rest_pose.position) < 0.005
    assert angle_deg(left.rotation, rest_pose.rotation) < 5.0
    lowered.world.close()


def test_a_ladder_that_is_lifted_again_has_its_former_attitude() -> None:
    lowered = LoweredLadder()
    lowered.move_to_height(HIGH_M)
    lowered.hand.hold(60)
    assert lowered.leant_deg < 0.5
    assert math.dist(lowered.facts[HELD].pose.position, lowered.hand.position) < 1e-3
    lowered.world.close()


def test_a_ladder_in_a_simulated_hand_hardly_tilts() -> None:
    lowered = LoweredLadder(CHOICE_SOURCE)
    assert lowered.leant_deg < 10.0
    lowered.world.close()


def test_a_ladder_pushed_onto_rungs_comes_to_rest_as_shown() -> None:
    pushes = [one for seed in range(0, 30, 3) if (one := push(seed)) is not None]
    shown = [p for p in pushes if p.shown]
    assert len(shown) >= 2
    assert sum(p.true for p in shown) >= 0.9 * len(shown)
    assert not any(p.knocked for p in pushes)
