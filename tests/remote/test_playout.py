"""Playout of another table's frames: evenly and slightly late, none too early, including the last ones."""

from __future__ import annotations

import pytest

from armoon.clock import TICK_S
from armoon.remote.playout import CATCH_UP_SPEED, MAX_SPEED_CHANGE, Playout


class Stream:
    def __init__(self) -> None:
        self.playout = Playout()
        self.now_s = 0.0
        self.arrived_ticks = self.stepped = 0
        self.steps: list[int] = []

    def tick(self, arrived: int = 0) -> None:
        self.arrived_ticks += arrived
        self.now_s += TICK_S
        due = self.playout.advance(self.now_s, self.arrived_ticks - self.stepped)
        self.playout.count_steps(due)
        self.stepped += due
        self.steps.append(due)
        assert self.stepped <= self.arrived_ticks
        assert 0.0 <= self.playout.fraction <= 1.0


@pytest.mark.parametrize("count", [1, 2, 5, 7])
def test_the_last_ticks_of_a_turn_are_played_although_nothing_follows(count: int) -> None:
    stream = Stream()
    stream.tick(count)
    for _ in range(60):
        stream.tick()
    assert stream.stepped == count


def test_a_table_too_slow_to_play_due_frames_does_not_jump() -> None:
    stream = Stream()
    for _ in range(120):
        stream.tick(1)
    for _ in range(30):
        stream.now_s += TICK_S
        stream.arrived_ticks += 1
        stream.playout.advance(stream.now_s, stream.arrived_ticks - stream.stepped)
    for _ in range(120):
        stream.tick(1)
    assert max(stream.steps) <= 2


def test_a_large_backlog_is_played_in_fast_motion() -> None:
    stream = Stream()
    stream.tick(600)
    for _ in range(200):
        stream.tick(1)
    assert stream.arrived_ticks - stream.stepped < 100
    assert max(stream.steps) <= CATCH_UP_SPEED + 1
    for _ in range(400):
        stream.tick(1)
    assert max(stream.steps[-60:]) <= 1 + round(1.0 + MAX_SPEED_CHANGE)
