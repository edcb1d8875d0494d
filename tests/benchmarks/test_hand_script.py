"""Scripts of hand motion: keyframes reached from rest to rest, and a tremor that repeats."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.hand_script import HandScript, Keyframe, Tremor

from armoon.geometry import quat_angle, quat_from_axis_angle
from armoon.values.poses import IDENTITY_QUAT, Pose

#: A slow machine is no failure.

HERE = Pose((0.0, 0.0, 0.1))
THERE = Pose((0.3, -0.1, 0.2), quat_from_axis_angle((0.0, 0.0, 1.0), 1.2))
SCRIPT = [Keyframe(HERE, 0.0, 0.5), Keyframe(THERE, 0.0, 1.0), Keyframe(THERE, 1.0, 0.4)]


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
