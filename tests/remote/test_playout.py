"""Playout of another table's frames: evenly and slightly late, none too early, including the last ones."""

from __future__ import annotations

import pytest

from armoon.clock import TICK_S
from armoon.remote.playout import CATCH_UP_SPEED, MAX_SPEED_CHANGE, Playout


class Stream:
    def __init__(self) -> None:
        self.playout = Playout()
        self.now_s = 0.0
        self.waiting = 0
        self.steps: list[int] = []

    def pass_ticks(self, count: int, arrived: int = 0, *, steps: bool = True) -> None:
        """Pass this many ticks, in each of which ``arrived`` ticks arrive; ``steps``: the due ones are stepped."""
        for _ in range(count):
            self.now_s += TICK_S
            self.waiting += arrived
            due = self.playout.advance(self.now_s, self.waiting)
            if not steps:
                continue
            self.playout.count_steps(due)
            self.waiting -= due
            self.steps.append(due)
            assert self.waiting >= 0
            assert 0.0 <= self.playout.fraction <= 1.0


@pytest.mark.parametrize("count", [1, 2, 5, 7])
def test_the_last_ticks_of_a_turn_are_played_although_nothing_follows(count: int) -> None:
    stream = Stream()
    stream.pass_ticks(1, count)
    stream.pass_ticks(60)
    assert sum(stream.steps) == count


def test_a_table_too_slow_to_play_due_frames_does_not_jump() -> None:
    stream = Stream()
    stream.pass_ticks(120, 1)
    stream.pass_ticks(30, 1, steps=False)
    stream.pass_ticks(120, 1)
    assert max(stream.steps) <= 2


def test_a_large_backlog_is_played_in_fast_motion() -> None:
    stream = Stream()
    stream.pass_ticks(1, 600)
    stream.pass_ticks(200, 1)
    assert stream.waiting < 100
    assert max(stream.steps) <= CATCH_UP_SPEED + 1
    stream.pass_ticks(400, 1)
    assert max(stream.steps[-60:]) <= 1 + round(1.0 + MAX_SPEED_CHANGE)
