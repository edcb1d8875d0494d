"""Scripts of hand motion: keyframes reached from rest to rest, and a tremor that repeats."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.hand_script import HandScript, Keyframe, Tremor, minimum_jerk
from hypothesis import given
from hypothesis import strategies as st

from armoon.geometry import quat_angle, quat_from_axis_angle, quat_rotate
from armoon.synthetic_camera.anatomy import MIRROR_ROTATION, TABLE_ROTATION, rotated
from armoon.values.poses import IDENTITY_QUAT, Pose

#: A slow machine is no failure.

HERE = Pose((0.0, 0.0, 0.1))
THERE = Pose((0.3, -0.1, 0.2), quat_from_axis_angle((0.0, 0.0, 1.0), 1.2))
SCRIPT = [Keyframe(HERE, 0.0, 0.5), Keyframe(THERE, 0.0, 1.0), Keyframe(THERE, 1.0, 0.4)]


def test_minimum_jerk_starts_and_ends_at_rest() -> None:
    assert minimum_jerk(0.0) == 0.0
    assert minimum_jerk(0.5) == pytest.approx(0.5)
    assert minimum_jerk(1.0) == 1.0
    step = 1e-3
    assert minimum_jerk(step) < 1e-7
    assert 1.0 - minimum_jerk(1.0 - step) < 1e-7


@given(st.floats(-1.0, 2.0), st.floats(-1.0, 2.0))
def test_minimum_jerk_never_goes_back(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert minimum_jerk(low) <= minimum_jerk(high)


def test_the_peak_speed_is_that_of_a_minimum_jerk_reach() -> None:
    """1.875 times the mean speed (Flash and Hogan)."""
    times = np.linspace(0.0, 1.0, 2001)
    speed = np.gradient([minimum_jerk(t) for t in times], times)
    assert speed.max() == pytest.approx(1.875, rel=1e-3)


def test_keyframes_are_reached_when_they_say() -> None:
    script = HandScript(SCRIPT)
    assert script.duration_s == pytest.approx(1.9)
    for time_s, key in (
        (0.0, SCRIPT[0]),
        (0.5, SCRIPT[0]),
        (1.5, SCRIPT[1]),
        (1.9, SCRIPT[2]),
        (9.0, SCRIPT[2]),
    ):
        state = script.state(time_s)
        assert state.palm.position == pytest.approx(key.palm.position)
        assert quat_angle(state.palm.rotation, key.palm.rotation) == pytest.approx(0.0, abs=1e-6)
        assert state.grip == pytest.approx(key.grip)


def test_halfway_is_half_the_way_and_half_the_turn() -> None:
    state = HandScript(SCRIPT).state(1.0)
    assert state.palm.position == pytest.approx((0.15, -0.05, 0.15))
    assert quat_angle(HERE.rotation, state.palm.rotation) == pytest.approx(0.6)


def test_the_grip_closes_while_the_palm_rests() -> None:
    state = HandScript(SCRIPT).state(1.7)
    assert state.palm.position == pytest.approx(THERE.position)
    assert state.grip == pytest.approx(0.5)


def test_the_side_is_kept() -> None:
    assert HandScript(SCRIPT, side="left").state(0.2).side == "left"


def test_a_keyframe_without_duration_is_a_jump() -> None:
    script = HandScript([Keyframe(HERE, 0.0, 1.0), Keyframe(THERE, 1.0, 0.0)])
    assert script.state(0.99).palm == HERE
    assert script.state(1.0).palm.position == THERE.position


@pytest.mark.parametrize("keys", [[], [Keyframe(HERE, 0.0, -0.1)]])
def test_impossible_scripts_are_refused(keys: list[Keyframe]) -> None:
    with pytest.raises(ValueError, match="keyframe"):
        HandScript(keys)


def test_tremor_repeats_with_its_seed_in_any_order() -> None:
    times = [0.0, 0.31, 1.2, 1.9, 4.0]
    first, second = (HandScript(SCRIPT, tremor=Tremor(seed=3)) for _ in range(2))
    forwards = [first.state(t) for t in times]
    backwards = [second.state(t) for t in reversed(times)]
    assert forwards == backwards[::-1]
    assert HandScript(SCRIPT, tremor=Tremor(seed=4)).state(1.2) != forwards[2]


def test_tremor_is_as_large_as_asked() -> None:
    tremor = Tremor(position_m=0.002, rotation_rad=0.02, seed=1)
    script = HandScript([Keyframe(Pose((0.0, 0.0, 0.0), IDENTITY_QUAT), 0.0, 0.0)], tremor=tremor)
    states = [script.state(t) for t in np.arange(0.0, 120.0, 0.02)]
    moved = np.array([state.palm.position for state in states])
    turns = np.array([quat_angle(IDENTITY_QUAT, state.palm.rotation) for state in states])
    assert moved.std(axis=0) == pytest.approx(0.002, rel=0.1)
    assert math.sqrt(float((turns**2).mean()) / 3.0) == pytest.approx(0.02, rel=0.1)


def test_tremor_is_smooth() -> None:
    script = HandScript([Keyframe(HERE, 0.0, 0.0)], tremor=Tremor())
    path = np.array([script.state(t).palm.position for t in np.arange(0.0, 2.0, 1e-3)])
    assert np.linalg.norm(np.diff(path, axis=0), axis=1).max() < 5e-5


def test_the_hands_rotations_point_as_described() -> None:
    x, y, z = quat_rotate(TABLE_ROTATION, (1.0, 0.0, 0.0))
    assert x < 0.0 < min(y, z)  # fingers: left, away, up
    assert quat_rotate(TABLE_ROTATION, (0.0, 0.0, 1.0))[1] < 0.0  # the back faces the camera
    assert quat_rotate(MIRROR_ROTATION, (1.0, 0.0, 0.0)) == pytest.approx((0.0, 0.0, 1.0))  # fingers up
    assert quat_rotate(MIRROR_ROTATION, (0.0, 0.0, -1.0)) == pytest.approx((0.0, -1.0, 0.0))  # palm to camera


def test_turned_turns_about_the_tables_axes() -> None:
    up = rotated(MIRROR_ROTATION, (0.0, 1.0, 0.0), math.pi / 2.0)
    assert quat_rotate(up, (1.0, 0.0, 0.0)) == pytest.approx((1.0, 0.0, 0.0))
