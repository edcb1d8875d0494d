"""Filters are steady at rest, and lag and overshoot little in motion."""

from __future__ import annotations

import numpy as np
import pytest

from armoon.geometry import Array, quat_angle, quat_from_axis_angle, rotation_vector
from armoon.hands.filters import OneEuro, PointFilter, RotationFilter
from armoon.hands.grip_settings import ACROSS, ALONG, ROTATION, GripSettings

RATE_HZ = 30.0
HORIZON_S = GripSettings().prediction_s
OVERSHOOT_M = GripSettings().overshoot_m


def make_reach(time_s: Array, length_m: float, duration_s: float) -> Array:
    """Return a minimum-jerk reach that starts after one second (Flash and Hogan 1985)."""
    progress = np.clip((time_s - 1.0) / duration_s, 0.0, 1.0)
    return np.asarray(length_m * (10 * progress**3 - 15 * progress**4 + 6 * progress**5))


def smooth(raw: Array, parameters: OneEuro) -> tuple[Array, Array]:
    """Return times and 60 Hz predictions for raw values (n,) at 30 Hz."""
    follower = PointFilter(parameters)
    times, values = [], []
    for frame, value in enumerate(raw):
        follower.add_value(frame / RATE_HZ, (value,))
        for half in (0.0, 0.5):
            times.append((frame + half) / RATE_HZ)
            values.append(follower.predict(times[-1], horizon_s=HORIZON_S, overshoot=OVERSHOOT_M)[0])
    return np.array(times), np.array(values)


@pytest.mark.parametrize(
    ("noise_m", "parameters", "limit_m"), [(0.0006, ACROSS, 0.0005), (0.007, ALONG, 0.003)]
)
def test_a_still_hand_is_steady(noise_m: float, parameters: OneEuro, limit_m: float) -> None:
    raw = np.random.default_rng(1).normal(0.0, noise_m, 600)
    _, values = smooth(raw, parameters)
    assert values[120:].std() < limit_m
    assert raw.std() > 1.5 * values[120:].std()


@pytest.mark.parametrize(("length_m", "duration_s"), [(0.1, 0.6), (0.2, 0.6), (0.3, 0.4)])
def test_a_reach_lags_by_at_most_20_ms_with_little_overshoot(length_m: float, duration_s: float) -> None:
    raw_times = np.arange(120) / RATE_HZ
    times, values = smooth(make_reach(raw_times, length_m, duration_s), ACROSS)
    moving = (times > 1.0 + 0.2 * duration_s) & (times < 1.0 + 0.9 * duration_s)
    lags_s = np.arange(0.0, 0.1, 0.001)
    errors = [np.abs(values - make_reach(times - lag, length_m, duration_s))[moving].mean() for lag in lags_s]
    assert lags_s[int(np.argmin(errors))] <= 0.020
    assert values.max() - length_m <= OVERSHOOT_M + 1e-9


def test_repeated_or_decreasing_timestamps_change_nothing() -> None:
    follower = PointFilter(ACROSS)
    first = follower.add_value(1.0, (0.0, 0.0))
    assert np.array_equal(follower.add_value(1.0, (5.0, 5.0)), first)
    assert np.array_equal(follower.add_value(0.5, (5.0, 5.0)), first)
    turner = RotationFilter(ROTATION)
    start = quat_from_axis_angle((0, 0, 1), 0.1)
    turner.add_value(1.0, start)
    assert turner.add_value(0.9, quat_from_axis_angle((0, 0, 1), 1.0)) == start


def test_a_turning_palm_is_followed_without_a_jump_at_the_half_turn() -> None:
    follower = RotationFilter(ROTATION)
    last = None
    for frame in range(120):
        raw = quat_from_axis_angle((0, 0, 1), 0.06 * frame)  # past pi, where quaternions change their sign
        now = follower.add_value(frame / RATE_HZ, raw)
        if last is not None:
            assert quat_angle(last, now) < 0.12
        last = now
    assert last is not None
    assert quat_angle(last, raw) < 0.6


def test_a_jittering_palm_is_steadied() -> None:
    rng = np.random.default_rng(2)
    follower = RotationFilter(ROTATION)
    raw_angles, angles = [], []
    for frame in range(600):
        raw = quat_from_axis_angle((1, 0, 0), rng.normal(0.0, 0.05))
        raw_angles.append(rotation_vector(raw)[0])
        angles.append(rotation_vector(follower.add_value(frame / RATE_HZ, raw))[0])
    assert np.std(angles[60:]) < np.std(raw_angles) / 2.0
