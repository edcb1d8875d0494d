"""Metric poses are exact with exact landmarks and steady with jitter; depth is uncertain, and rotations never flip."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hands_kit import CAMERA, FACING, PALM_M, joints_in_camera, stick_hand

from armoon.geometry import CameraModel, quat_angle, quat_from_axis_angle, quat_inverse, quat_multiply
from armoon.hands.card_finder import project
from armoon.hands.landmarks import Hand
from armoon.hands.metric import PoseSolver, TurnAccumulator, undistort_pixels
from armoon.values.poses import Quat


def tilt_palm(angle: float, axis: tuple[float, float, float] = (0.0, 1.0, 0.0)) -> Quat:
    return quat_multiply(quat_from_axis_angle(axis, angle), FACING)


@settings(max_examples=40)
@given(
    st.floats(-0.15, 0.15), st.floats(-0.1, 0.1), st.floats(0.3, 0.9), st.floats(-0.7, 0.7), st.floats(0, 1)
)
def test_an_ideal_hand_is_located(x: float, y: float, z: float, turn: float, pinch: float) -> None:
    place = np.array([x, y, z])
    solved = PoseSolver(CAMERA, PALM_M).solve_pose(stick_hand((x, y, z), tilt_palm(turn), pinch))
    truth = joints_in_camera(place, tilt_palm(turn), pinch)
    assert solved is not None
    # The stick hand's palm doesn't quite have the average proportions, so the size is off by up to 3 %.
    scale = solved.points_m[:, 2].mean() / truth[:, 2].mean()
    assert scale == pytest.approx(1.0, abs=0.04)
    assert np.abs(solved.points_m - truth * scale).max() < 0.004
    assert quat_angle(solved.camera_from_palm, tilt_palm(turn)) < math.radians(6.0)


@pytest.mark.parametrize("size", [0.85, 1.0, 1.15])
def test_the_players_own_palm_size_sets_the_depth(size: float) -> None:
    hand = stick_hand((0.0, 0.05, 0.5), size=size)
    known = PoseSolver(CAMERA, PALM_M * size).solve_pose(hand)
    default = PoseSolver(CAMERA, PALM_M).solve_pose(hand)
    assert known is not None
    assert default is not None
    depth = joints_in_camera(np.array([0.0, 0.05, 0.5]), size=size)[:, 2].mean()
    assert known.points_m[:, 2].mean() == pytest.approx(depth, rel=0.04)
    ratio = default.points_m[:, 2].mean() / known.points_m[:, 2].mean()
    assert ratio == pytest.approx(1.0 / size, rel=0.02)


def test_jitter_in_the_picture_stays_small_in_space() -> None:
    rng = np.random.default_rng(3)
    solver = PoseSolver(CAMERA, PALM_M)
    places = []
    for _ in range(60):
        solved = solver.solve_pose(stick_hand(noise_px=0.6, rng=rng))
        assert solved is not None
        places.append(solved.points_m.mean(axis=0))
    spread = np.std(places, axis=0)
    assert spread[:2].max() < 0.001
    assert spread[2] < 0.004


def test_distortion_is_removed() -> None:
    bent = CameraModel(640, 480, 500.0, 500.0, 320.0, 240.0, (0.1, -0.05, 0.001, -0.002, 0.0))
    rays = np.array([(0.1, -0.2), (0.3, 0.25), (-0.4, 0.1)])
    pixels = project(bent, np.column_stack([rays, np.ones(3)])).T
    assert np.abs(pixels - rays * 500.0 - (320.0, 240.0)).max() > 2.0
    assert np.abs(undistort_pixels(bent, pixels) - rays).max() < 1e-4


def test_depth_is_more_uncertain_than_position_across_and_most_uncertain_edge_on() -> None:
    facing = PoseSolver(CAMERA, PALM_M).solve_pose(stick_hand())
    edge_on = PoseSolver(CAMERA, PALM_M).solve_pose(stick_hand(rotation=tilt_palm(math.radians(75))))
    assert facing is not None
    assert edge_on is not None
    assert facing.sigma_across_m < facing.sigma_along_m < edge_on.sigma_along_m


@pytest.mark.parametrize(
    "hand",
    [
        Hand(((100.0, 100.0),) * 21, ((0.0, 0.0, 0.0),) * 21, "left", 1.0),
        Hand(((100.0, 100.0),) * 21, stick_hand().world_m, "left", 1.0),
        Hand(stick_hand().points_px, tuple((x, 0.0, 0.0) for x, _, _ in stick_hand().world_m), "left", 1.0),
        Hand(stick_hand().points_px, ((math.nan,) * 3,) * 21, "left", 1.0),
        Hand(((math.inf, 0.0),) * 21, stick_hand().world_m, "left", 1.0),
    ],
    ids=["no shape", "one pixel", "a line", "nan", "inf"],
)
def test_impossible_landmarks_give_no_pose_or_a_finite_one(hand: Hand) -> None:
    solver = PoseSolver(CAMERA, PALM_M)
    solved = solver.solve_pose(hand)
    assert solved is None or np.isfinite(solved.points_m).all()
    after = solver.solve_pose(stick_hand())
    assert after is not None
    assert after.points_m[:, 2].mean() == pytest.approx(0.48, abs=0.05)


VIEW = (0.0, 0.0, 1.0)


def follow_turns(hands: list[Hand]) -> list[Quat]:
    solver, follower = PoseSolver(CAMERA, PALM_M), TurnAccumulator()
    turns = []
    for hand in hands:
        metric = solver.solve_pose(hand)
        assert metric is not None
        turns.append(follower.add_hand(metric))
    return turns


@pytest.mark.parametrize("tilt", [0.0, math.radians(80)], ids=["facing", "edge on"])
def test_rotation_in_the_picture_is_followed_at_any_attitude(tilt: float) -> None:
    start = tilt_palm(tilt)
    angles = np.linspace(0.0, 1.2, 30)
    rotations = [quat_multiply(quat_from_axis_angle(VIEW, float(angle)), start) for angle in angles]
    turns = follow_turns([stick_hand((0.0, 0.0, 0.5), rotation) for rotation in rotations])
    turned = quat_multiply(turns[-1], quat_inverse(turns[0]))
    assert quat_angle(turned, quat_from_axis_angle(VIEW, 1.2)) < math.radians(4.0)


def test_a_mirrored_reading_is_not_a_rotation() -> None:
    hand = stick_hand((0.0, 0.0, 0.5), tilt_palm(0.5))
    mirrored = Hand(hand.points_px, tuple((x, y, -z) for x, y, z in hand.world_m), hand.side, hand.score)
    turns = follow_turns([hand, hand, mirrored, hand, mirrored, hand])
    assert quat_angle(turns[0], turns[-1]) < math.radians(3.0)
