"""Fist and dwell grab and release as a pinch does; slack widens the thresholds of a pinch."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.hands_kit import CAMERA, FACING, FRAME_S, PALM_M, InterpreterHarness, fist_hand, stick_hand

from armoon.geometry import quat_from_axis_angle, quat_multiply
from armoon.hands.landmarks import Hand
from armoon.hands.metric import PoseSolver
from armoon.hands.pinch import DWELL_APART_M, MAX_SLACK, DwellGrip, PinchGrip, PinchMeasure, SlackEstimator
from armoon.values.choices import GripKind
from armoon.values.pieces import GripPhase as Phase
from armoon.values.poses import Vec3

HERE = (0.0, 0.06, 0.5)


def play(kind: str, hands: list[Hand], offered: Vec3 | None = None) -> InterpreterHarness:
    table = InterpreterHarness(grip=kind)
    for hand in hands:
        table.interpreter.set_offered_point(offered)
        table.show(hand)
    return table


def test_a_fist_grabs_and_an_open_hand_releases() -> None:
    closing = [fist_hand(bent=k / 10.0) for k in range(11)]
    run = play("fist", [stick_hand()] * 5 + closing + [fist_hand()] * 10 + closing[::-1] + [stick_hand()] * 5)
    assert run.phases() == [Phase.HOVER, Phase.GRAB, Phase.HOLD, Phase.RELEASE, Phase.HOVER]


def test_closing_a_fist_hardly_moves_the_aim() -> None:
    closing = [fist_hand(bent=k / 10.0) for k in range(11)]
    run = play("fist", [stick_hand()] * 10 + closing + [fist_hand()] * 20)
    assert math.dist(run.intents[19].pose.position, run.intents[-1].pose.position) < 0.01


def test_a_fist_is_not_a_pinch_and_a_pinch_is_not_a_fist() -> None:
    fists = [stick_hand()] * 5 + [fist_hand()] * 10
    pinches = [stick_hand()] * 5 + [stick_hand(pinch=1.0)] * 10
    assert play("pinch", fists).phases() == [Phase.HOVER]
    assert play("fist", pinches).phases() == [Phase.HOVER]


# Dwell ------------------------------------------------------------------------------------------------------


def dwell(
    grip: DwellGrip, start_s: float, seconds: float, place: tuple[float, float], near: bool = True
) -> bool:
    x, y = place
    trembling = [(x + 0.002 * (k % 2), y + 0.002 * (k % 3)) for k in range(round(seconds / FRAME_S))]
    return any(grip.update_grip(start_s + k * FRAME_S, at, near, 0.0) for k, at in enumerate(trembling))


def test_a_still_hand_grabs_and_releases_elsewhere() -> None:
    grip = DwellGrip(0.8)
    assert dwell(grip, 0.0, 1.0, (0.0, 0.0))
    assert grip.is_closed
    assert not dwell(grip, 1.0, 3.0, (0.01, 0.0)), "it hasn't moved from the place of the grab"
    assert not dwell(grip, 4.0, 0.7, (0.1, 0.0), near=False)
    assert dwell(grip, 4.7, 0.2, (0.1, 0.0), near=False)
    assert not grip.is_closed


def test_a_still_hand_away_from_the_ladder_grabs_nothing() -> None:
    grip = DwellGrip(0.8)
    assert not dwell(grip, 0.0, 5.0, (0.0, 0.0), near=False)
    assert grip.closing == 0.0


def test_a_dwell_shows_its_progress() -> None:
    grip = DwellGrip(1.0)
    progress = []
    for k in range(31):
        grip.update_grip(k * FRAME_S, (0.0, 0.0), True, 0.0)
        progress.append(grip.closing)
    assert progress[15] == pytest.approx(0.5, abs=0.02)
    assert progress[:29] == sorted(progress[:29])


def test_dwelling_grabs_carries_and_releases() -> None:
    hovering = InterpreterHarness(grip=GripKind.DWELL).show(stick_hand(HERE))
    path = [stick_hand((0.004 * k, 0.06, 0.5)) for k in range(30)]
    still = [stick_hand(HERE)] * 45
    run = play("dwell", [*still, *path, *[path[-1]] * 45], hovering.pose.position)
    assert run.phases() == [Phase.HOVER, Phase.GRAB, Phase.HOLD, Phase.RELEASE, Phase.HOVER]
    released = next(i for i in run.intents if i.phase is Phase.RELEASE)
    assert math.dist(released.pose.position, run.intents[-1].pose.position) < 0.005
    assert math.dist(released.pose.position, hovering.pose.position) > DWELL_APART_M


# Slack ------------------------------------------------------------------------------------------------------


def estimate_slack(hands: list[Hand]) -> tuple[float, float]:
    """Return the measured noise and the slack, both in palm lengths."""
    solver, estimator = PoseSolver(CAMERA, PALM_M), SlackEstimator()
    for hand in hands:
        metric = solver.solve_pose(hand)
        assert metric is not None
        slack = estimator.add_hand(metric)
    return estimator.noise, slack


def noisy_hands(noise_px: float) -> list[Hand]:
    rng = np.random.default_rng(4)
    return [stick_hand(HERE, noise_px=noise_px, rng=rng) for _ in range(40)]


def test_noise_is_measured_in_palm_lengths() -> None:
    palm_px = CAMERA.fx * PALM_M / 0.5
    assert estimate_slack(noisy_hands(2.0))[0] == pytest.approx(2.0 / palm_px, rel=0.15)


def test_usual_noise_needs_no_slack_and_more_noise_needs_bounded_slack() -> None:
    usual, more, most = (estimate_slack(noisy_hands(noise_px))[1] for noise_px in (0.7, 2.5, 20.0))
    assert 0.0 == usual < more < most <= MAX_SLACK


def test_a_palm_seen_end_on_needs_slack() -> None:
    end_on = quat_multiply(quat_from_axis_angle((1.0, 0.0, 0.0), math.radians(83.0)), FACING)
    assert estimate_slack([stick_hand((0.0, 0.0, 0.5))] * 5)[1] == 0.0
    assert estimate_slack([stick_hand((0.0, 0.0, 0.5), end_on)] * 5)[1] > 0.05


def count_releases(slack: float, sigma: float = 0.24) -> int:
    """Count how often a pinched hand with a trembling gap is read as open in ten minutes of independent frames."""
    rng, detector, lost = np.random.default_rng(7), PinchGrip(), 0
    for frame in range(18000):
        held = frame % 300 >= 3
        gap = abs(rng.normal(0.12, sigma)) if held else 1.0
        world = abs(rng.normal(0.30, sigma)) if held else 1.0
        was_closed = detector.is_closed
        detector.add_measure(frame * FRAME_S, PinchMeasure(gap, world, 1.3), slack)
        lost += was_closed and not detector.is_closed and frame % 300 >= 10
    return lost


def test_slack_keeps_a_trembling_pinch_closed() -> None:
    assert count_releases(0.0) > 4 * max(1, count_releases(MAX_SLACK))
