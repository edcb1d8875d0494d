"""Held keys: the shortest tap is one step, a long press repeats and accelerates, fine steps are a sixth as long."""

from __future__ import annotations

import pytest

from armoon.inputs.grips import DELAY_S, FAST_HZ, FINE, HeldKeys
from armoon.values.acts import Act


def count_steps(keys: HeldKeys, seconds: float, rate_hz: float = 60.0, *, fine: bool = False) -> float:
    return sum(
        keys.collect_steps(1.0 / rate_hz, fine=fine).get(Act.LEFT, 0.0)
        for _ in range(round(seconds * rate_hz))
    )


@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 144.0])
def test_each_tap_is_one_step_at_any_rate_even_within_a_frame(rate_hz: float) -> None:
    keys = HeldKeys()
    for taps in (1, 5):
        for _ in range(taps):
            keys.press(Act.LEFT)
            keys.release(Act.LEFT)
        assert count_steps(keys, 0.5, rate_hz) == pytest.approx(taps)
        assert count_steps(keys, 0.5, rate_hz) == 0.0


def test_a_long_press_repeats_and_accelerates_to_a_maximum() -> None:
    keys = HeldKeys()
    keys.press(Act.LEFT)
    assert count_steps(keys, DELAY_S) == pytest.approx(1.0)
    first, second = count_steps(keys, 0.5), count_steps(keys, 0.5)
    assert 3.0 < first < second
    count_steps(keys, 2.0)
    assert count_steps(keys, 1.0) == pytest.approx(FAST_HZ, rel=0.01)
    keys.release(Act.LEFT)
    assert count_steps(keys, 1.0) == 0.0


def test_in_a_slow_frame_only_the_time_after_the_delay_repeats() -> None:
    keys = HeldKeys()
    keys.press(Act.LEFT)
    assert keys.collect_steps(DELAY_S + 0.01)[Act.LEFT] == pytest.approx(1.0, abs=0.2)


def test_the_number_of_steps_is_the_same_at_any_frame_rate() -> None:
    distances = []
    for rate_hz in (30.0, 60.0, 120.0):
        keys = HeldKeys()
        keys.press(Act.LEFT)
        distances.append(count_steps(keys, 1.5, rate_hz))
    assert max(distances) / min(distances) < 1.08


def test_fine_steps_are_a_sixth_as_long() -> None:
    keys = HeldKeys()
    keys.press(Act.LEFT)
    keys.release(Act.LEFT)
    assert count_steps(keys, 1.0, fine=True) == pytest.approx(FINE)
