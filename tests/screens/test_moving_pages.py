"""A player's hand is measured in ten seconds, and settings for its trembling, reach, speed and grips are proposed."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from support.screens_kit import fresh, press_item, saved_players

from armoon.messages import text
from armoon.screens.machine import build_page, press_key
from armoon.screens.measuring import STEP_S, HandMeasurement, HandSample, HandStep
from armoon.screens.state import Key, PageName, Screens
from armoon.values.choices import GripKind, Steadiness
from armoon.values.player_settings import USUAL_MOVEMENT, Movement


def measure_hand(
    tremor_mm: float = 0.3,
    hz: float = 7.0,
    reach_m: float = 0.4,
    seconds: float = 1.0,
    *,
    pinches: bool = True,
    fists: bool = True,
    rate_hz: float = 30.0,
) -> HandMeasurement:
    """Measure a hand that drifts, trembles like a sine wave, and moves back and forth (each way in ``seconds``)."""
    now, at_s = HandMeasurement(), 0.0
    while now.step is not HandStep.DONE:
        at_s += 1.0 / rate_hz
        tremble = tremor_mm / 1000.0 * math.sin(2.0 * math.pi * hz * at_s)
        far = reach_m / 2.0 * math.sin(math.pi * at_s / seconds) if now.step is HandStep.FAR else 0.0
        is_closed = math.sin(2.0 * math.pi * at_s / 0.6) > 0.0
        pinched = pinches and is_closed and now.step is HandStep.PINCH
        fist = fists and is_closed and now.step is HandStep.FIST
        now = now.add_sample(HandSample(1.0 / rate_hz, (far + tremble, 0.004 * at_s), pinched, fist))
    return now


@pytest.mark.parametrize("hz", [4.0, 7.0, 12.0])
@pytest.mark.parametrize("tremor_mm", [2.0, 5.0, 10.0])
def test_trembling_is_measured_without_drift(tremor_mm: float, hz: float) -> None:
    assert measure_hand(tremor_mm, hz).tremor_mm == pytest.approx(tremor_mm, rel=0.25)
    assert measure_hand(0.0, hz).tremor_mm < 0.6


@pytest.mark.parametrize(
    ("tremor_mm", "steadiness"), [(0.5, Steadiness.OFF), (2.5, Steadiness.GENTLE), (9.0, Steadiness.STRONG)]
)
def test_more_trembling_is_steadied_more(tremor_mm: float, steadiness: Steadiness) -> None:
    assert measure_hand(tremor_mm).proposed_movement.steadiness is steadiness


@pytest.mark.parametrize(
    ("reach_m", "gain"), [(0.40, 1.0), (0.30, 1.0), (0.20, 1.5), (0.10, 2.5), (0.0, 2.5)]
)
def test_a_shorter_reach_gets_more_gain(reach_m: float, gain: float) -> None:
    now = measure_hand(reach_m=reach_m)
    assert now.reach_m == pytest.approx(reach_m, abs=0.03)
    assert now.proposed_movement.reach == gain


@pytest.mark.parametrize(
    ("pinches", "fists", "grip"),
    [(True, True, GripKind.PINCH), (False, True, GripKind.FIST), (False, False, GripKind.DWELL)],
)
def test_the_observed_grip_is_proposed(pinches: bool, fists: bool, grip: GripKind) -> None:
    now = measure_hand(pinches=pinches, fists=fists)
    assert now.proposed_movement.grip is grip
    assert GripKind.DWELL in now.reliable_grips


def test_a_measurement_takes_ten_seconds_at_any_rate_while_a_hand_is_seen() -> None:
    assert sum(STEP_S.values()) == 10.0
    for rate_hz in (8.0, 60.0):
        assert measure_hand(5.0, 4.0 if rate_hz < 10.0 else 7.0, rate_hz=rate_hz).seconds == pytest.approx(
            10.0, abs=0.2
        )
    now = HandMeasurement().add_sample(HandSample(0.1, (0.0, 0.0)))
    without_hand = now.add_sample(HandSample(5.0))
    assert without_hand.is_missing
    assert without_hand.seconds == now.seconds
    assert now.add_sample(HandSample(0.1, (float("nan"), 0.0))).is_missing


@pytest.mark.parametrize("seconds", [0.5, 1.0, 60.0])
def test_a_camera_that_stutters_gives_a_result_too(seconds: float) -> None:
    now = HandMeasurement()
    for _ in range(40):
        now = now.add_sample(HandSample(seconds, (0.0, 0.0)))
    assert now.step is HandStep.DONE
    assert now.proposed_movement.steadiness is Steadiness.OFF


def page_with(now: HandMeasurement) -> Screens:
    profile = replace(fresh(), editing=1).go_to(PageName.PROFILE).go_to(PageName.MOVING)
    return replace(profile.go_to(PageName.MOVING_MEASURE), hand=now)


def test_the_proposal_is_saved_in_the_players_profile() -> None:
    now = measure_hand(6.0, reach_m=0.2)
    screens = page_with(now)
    moving, actions = press_item(screens, "take")
    assert moving.page is PageName.MOVING
    wanted = Movement(Steadiness.STRONG, 1.5, 1.0, GripKind.PINCH)
    assert moving.form.players[1].movement == now.proposed_movement == wanted
    (saved,) = saved_players(actions)
    assert saved.movement == now.proposed_movement
    assert moving.form.players[0].movement == USUAL_MOVEMENT, "the others keep theirs"
    back, _ = press_key(moving, Key.ESCAPE)
    assert back.page is PageName.PROFILE
    assert text("screens.moving.adapted") in build_page(back)["moving"].text
