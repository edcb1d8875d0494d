"""The filters for a player's movement steady a trembling hand, but reaches take longer."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from armoon.hands.filters import PointFilter
from armoon.hands.grip_settings import GripSettings, apply_movement
from armoon.values.choices import GripKind, Steadiness
from armoon.values.player_settings import USUAL_MOVEMENT, Movement

RATE_HZ = 30.0


def residual_tremor_mm(steadiness: Steadiness, tremor_mm: float, hz: float) -> float:
    """Return the remaining amplitude of a sine, from its filtered RMS, in millimetres."""
    settings = apply_movement(GripSettings(), Movement(steadiness), GripSettings())
    steady = PointFilter(settings.across)
    left = []
    for k in range(round(6.0 * RATE_HZ)):
        at_s = k / RATE_HZ
        raw = (tremor_mm / 1000.0 * math.sin(2.0 * math.pi * hz * at_s), 0.0)
        steady.add_value(at_s, raw)
        if at_s > 2.0:
            left.append(float(steady.predict(at_s + 0.02, horizon_s=0.05, overshoot=0.003)[0]))
    return 1000.0 * math.sqrt(2.0) * float(np.std(left))


@pytest.mark.parametrize("hz", [4.0, 6.0, 9.0, 12.0])
@pytest.mark.parametrize("tremor_mm", [2.0, 5.0, 10.0])
def test_a_steadied_hand_trembles_much_less(tremor_mm: float, hz: float) -> None:
    off, gentle, strong = (residual_tremor_mm(setting, tremor_mm, hz) for setting in Steadiness)
    assert strong < gentle < off
    assert strong < 0.25 * tremor_mm
    assert off > 0.5 * tremor_mm, "without steadying, a tremor passes the filter"


@pytest.mark.parametrize(("steadiness", "late_s"), [(Steadiness.GENTLE, 0.35), (Steadiness.STRONG, 0.8)])
def test_a_steadied_reach_still_arrives(steadiness: Steadiness, late_s: float) -> None:
    """The filtered hand is within 5 mm of the target ``late_s`` after the end of a one-second reach of 20 cm."""
    settings = apply_movement(GripSettings(), Movement(steadiness), GripSettings())
    steady = PointFilter(settings.across)
    for k in range(round(4.0 * RATE_HZ)):
        at_s = k / RATE_HZ
        position = 0.1 * (1.0 - math.cos(math.pi * min(1.0, at_s)))
        value = float(steady.add_value(at_s, (position, 0.0))[0])
        if at_s >= 1.0 + late_s:
            assert value == pytest.approx(0.2, abs=0.005)


def test_without_steadying_the_settings_stay_the_same() -> None:
    usual = GripSettings(grip=GripKind.FIST, dwell_s=1.0, fine_gain=0.5)
    assert apply_movement(usual, USUAL_MOVEMENT, usual) == usual


def test_the_next_player_is_not_steadied() -> None:
    usual = GripSettings()
    first = apply_movement(usual, Movement(Steadiness.STRONG, 2.0, 2.0, GripKind.DWELL), usual)
    assert (first.gain, first.dwell_s, first.grip) == (2.0, 2.0, GripKind.DWELL)
    second = replace(first, palm_m=0.08)
    assert apply_movement(second, USUAL_MOVEMENT, usual) == replace(usual, palm_m=0.08)


@pytest.mark.parametrize(
    "wrong", [{"reach": 0.5}, {"reach": float("nan")}, {"dwell_s": 0.0}, {"dwell_s": 99.0}]
)
def test_invalid_movements_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="is out of range"):
        Movement(**wrong)  # type: ignore[arg-type]
