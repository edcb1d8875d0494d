"""Hands are read back from a log bit for bit."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.hands_kit import stick_hand

from armoon.hands.landmarks import LANDMARKS, Hand, Hands, hands_from_dict, hands_to_dict, make_hand

FLOATS = st.floats(allow_nan=False, allow_infinity=False, width=64)
HANDS = st.builds(
    Hand,
    points_px=st.lists(st.tuples(FLOATS, FLOATS), min_size=21, max_size=21).map(tuple),
    world_m=st.lists(st.tuples(FLOATS, FLOATS, FLOATS), min_size=21, max_size=21).map(tuple),
    side=st.sampled_from(["left", "right"]),
    score=st.floats(0, 1),
)


@given(st.lists(HANDS, max_size=2), FLOATS, st.integers(0, 10**9))
def test_json_gives_exactly_the_same_hands_back(hands: list[Hand], time_s: float, index: int) -> None:
    value = Hands(time_s, index, 1280, 720, tuple(hands))
    decoded = hands_from_dict(json.loads(json.dumps(hands_to_dict(value))))
    assert decoded == value
    assert hash(decoded) == hash(value)


def test_arrays_are_rounded_to_the_logs_precision() -> None:
    hand = make_hand([(1.23456, 2.0)] * 21, [(0.12345678, 0.0, -0.0000004)] * 21, "left", 0.987654)
    assert hand.points_px[0] == (1.235, 2.0)
    assert hand.world_m[20] == (0.123457, 0.0, -0.0)
    assert hand.score == 0.9877


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_plausibility_checks_every_number(bad: float) -> None:
    hand = stick_hand()
    assert hand.is_plausible
    points = (*hand.points_px[:-1], (bad, 0.0))
    world = (*hand.world_m[:-1], (0.0, 0.0, bad))
    assert not Hand(points, hand.world_m, "left", 1.0).is_plausible
    assert not Hand(hand.points_px, world, "left", 1.0).is_plausible
    assert not Hand(hand.points_px[: LANDMARKS - 1], hand.world_m, "left", 1.0).is_plausible
