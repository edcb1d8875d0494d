"""When another table's frames are stepped: evenly and a little late, none too early, and the last ones too."""

from __future__ import annotations

import random

import pytest

from armoon.clock import TICK_S
from armoon.remote.playout import FAST, MAX_OFF, Playout


class Stream:
    def __init__(self) -> None:
        self.playout = Playout()
        self.now_s = 0.0
        self.came = self.stepped = 0
        self.steps: list[int] = []

    def turn(self, came: int = 0) -> None:
        self.came += came
        self.now_s += TICK_S
        due = self.playout.advance(self.now_s, self.came - self.stepped)
        self.playout.stepped(due)
        self.stepped += due
        self.steps.append(due)
        assert self.stepped <= self.came
        assert 0.0 <= self.playout.fraction <= 1.0


@pytest.mark.parametrize("count", [1, 2, 5, 7])
def test_the_last_ticks_of_a_turn_are_stepped_though_nothing_follows(count: int) -> None:
    stream = Stream()
    stream.turn(count)
    for _ in range(60):
        stream.turn()
    assert stream.stepped == count


def test_one_turn_begins_with_what_the_last_one_has_shown_of_the_line() -> None:
    chance, stream = random.Random(4), Stream()
    for _ in range(900):
        stream.turn()
        if chance.random() < 0.05:
            stream.turn(len(stream.steps) + 1 - stream.came)  # all that was held up
    wanted = stream.playout.wanted_ticks
    stream.playout.restart()
    assert stream.playout.wanted_ticks == wanted > 20
    assert max(stream.steps) <= FAST + 1


def test_a_loop_that_stands_still_now_and_then_makes_no_line_poor() -> None:
    stream = Stream()
    for frame in range(900):
        stream.turn(1)
        if frame % 60 == 0:
            stream.came += 9
            stream.now_s += 9 * TICK_S
    assert stream.playout.wanted_ticks < 6.0


def test_a_table_that_was_too_slow_to_step_what_was_due_doesnt_jump() -> None:
    stream = Stream()
    for _ in range(120):
        stream.turn(1)
    for _ in range(30):
        stream.now_s += TICK_S
        stream.came += 1
        stream.playout.advance(stream.now_s, stream.came - stream.stepped)
    for _ in range(120):
        stream.turn(1)
    assert max(stream.steps) <= 2


def test_what_was_caught_up_with_before_is_not_waited_for_again() -> None:
    stream = Stream()
    stream.came = stream.stepped = 120
    stream.playout.stepped(120)
    for _ in range(120):
        stream.turn(1)
    assert stream.came - stream.stepped < 12


def test_what_is_far_behind_is_caught_up_with_in_fast_motion() -> None:
    stream = Stream()
    stream.turn(600)
    for _ in range(200):
        stream.turn(1)
    assert stream.came - stream.stepped < 100
    assert max(stream.steps) <= FAST + 1
    for _ in range(400):
        stream.turn(1)
    assert max(stream.steps[-60:]) <= 1 + round(1.0 + MAX_OFF)
