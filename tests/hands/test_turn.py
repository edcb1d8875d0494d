"""A palm's rotation: followed in the picture plane, never flipped."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.hands_kit import CAMERA, FACING, PALM_M, stick_hand

from armoon.geometry import quat_angle, quat_from_axis_angle, quat_inverse, quat_multiply
from armoon.hands.landmarks import Hand
from armoon.hands.metric import PoseSolver, TurnFollower
from armoon.values.poses import Quat

VIEW = (0.0, 0.0, 1.0)
UPRIGHT = (0.0, 1.0, 0.0)
PLACE = (0.0, 0.0, 0.5)
EDGE_ON = math.radians(80)


def follow_turns(hands: list[Hand]) -> list[Quat]:
    solver, follower = PoseSolver(CAMERA, PALM_M), TurnFollower()
    turns = []
    for hand in hands:
        metric = solver.solve(hand)
        assert metric is not None
        turns.append(follower.add_hand(metric))
    return turns


def turn_since_start(turns: list[Quat]) -> Quat:
    return quat_multiply(turns[-1], quat_inverse(turns[0]))


def turned_palm(axis: tuple[float, float, float], angle: float, start: Quat = FACING) -> Quat:
    return quat_multiply(quat_from_axis_angle(axis, angle), start)


@pytest.mark.parametrize("tilt", [0.0, EDGE_ON], ids=["facing", "edge on"])
def test_rotation_in_the_picture_is_followed_at_any_attitude(tilt: float) -> None:
    start = turned_palm(UPRIGHT, tilt)
    angles = np.linspace(0.0, 1.2, 30)
    turns = follow_turns([stick_hand(PLACE, turned_palm(VIEW, float(a), start)) for a in angles])
    assert quat_angle(turn_since_start(turns), quat_from_axis_angle(VIEW, 1.2)) < math.radians(4.0)


def test_a_mirrored_reading_is_not_a_rotation() -> None:
    hand = stick_hand(PLACE, turned_palm(UPRIGHT, 0.5))
    mirrored = Hand(hand.points_px, tuple((x, y, -z) for x, y, z in hand.world_m), hand.side, hand.score)
    turns = follow_turns([hand, hand, mirrored, hand, mirrored, hand])
    assert quat_angle(turns[0], turns[-1]) < math.radians(3.0)
