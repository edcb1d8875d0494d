"""A switch's presses, as distinct from bouncing, a stuck switch and chatter."""

from __future__ import annotations

import random

import pytest

from armoon.inputs.switch import DEBOUNCE_S, MAX_BOUNCES, STUCK_S, SwitchFilter


def list_presses(
    switch: SwitchFilter, moves: list[tuple[float, bool]], until_s: float
) -> list[tuple[float, bool]]:
    presses, left = [], list(moves)
    for frame in range(int(until_s * 60) + 1):
        now_s = frame / 60
        while left and left[0][0] <= now_s:
            at_s, down = left.pop(0)
            switch.set_state(down, at_s)
        presses += [(now_s, edge) for edge in switch.drain_edges(now_s)]
    return presses


def test_a_press_within_a_frame_is_not_lost() -> None:
    presses = list_presses(SwitchFilter(), [(1.001, True), (1.004, False)], 2.0)
    assert [edge for _, edge in presses] == [True, False]


def test_bouncing_contacts_are_one_press() -> None:
    bounce = [(1.0 + 0.01 * k, k % 2 == 0) for k in range(5)] + [(1.5, False)]
    assert sum(edge for _, edge in list_presses(SwitchFilter(), bounce, 3.0)) == 1


def test_a_press_below_the_minimum_duration_is_ignored() -> None:
    switch = SwitchFilter()
    switch.hold_s = 0.3
    presses = list_presses(switch, [(1.0, True), (1.2, False), (2.0, True), (2.5, False)], 4.0)
    assert [edge for _, edge in presses] == [True, False]
    assert presses[0][0] == pytest.approx(2.3, abs=0.02)


def test_a_stuck_switch_is_reported_once_and_released() -> None:
    switch = SwitchFilter()
    presses = list_presses(switch, [(1.0, True)], STUCK_S + 5.0)
    assert [edge for _, edge in presses] == [True, False]
    assert switch.drain_fault() == "switch.stuck"
    assert switch.drain_fault() == ""
    switch.set_state(False, STUCK_S + 6.0)
    switch.set_state(True, STUCK_S + 7.0)
    assert switch.drain_edges(STUCK_S + 7.0) == (True,), "the released switch doesn't work"


def test_fifty_presses_a_second_are_one_press_and_one_warning() -> None:
    moves = [(1.0 + 0.01 * k, k % 2 == 0) for k in range(200)]
    switch = SwitchFilter()
    presses = list_presses(switch, moves, 5.0)
    assert sum(edge for _, edge in presses) == 1
    assert len(moves) > MAX_BOUNCES
    assert switch.drain_fault() == "switch.chatters"
    assert switch.drain_fault() == ""
    assert [edge for _, edge in list_presses(switch, [(6.0, True), (6.2, False)], 7.0)] == [True, False]


def test_many_good_presses_are_not_chatter() -> None:
    switch = SwitchFilter()
    moves = [(1.0 + 0.2 * k, k % 2 == 0) for k in range(3 * MAX_BOUNCES)]
    presses = list_presses(switch, moves, moves[-1][0] + 1.0)
    assert len(presses) == len(moves)
    assert switch.drain_fault() == ""


@pytest.mark.parametrize("seed", range(20))
def test_presses_and_ends_alternate_in_any_stream(seed: int) -> None:
    rng, moves, at_s = random.Random(seed), [], 0.5
    for _ in range(80):
        at_s += rng.choice((0.005, 0.05, DEBOUNCE_S, 0.2, 1.0))
        moves.append((at_s, rng.random() < 0.5))
    edges = [edge for _, edge in list_presses(SwitchFilter(), moves, at_s + STUCK_S + 2.0)]
    assert edges == [number % 2 == 0 for number in range(len(edges))]
