"""The fixed step and the one-item mailbox, on which the loop's timing is based."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.waiting import PATIENCE_S

from armoon.clock import MAX_FRAME_S, MAX_SLOW_TICKS, TICK_S, TICKS_PER_SECOND, FixedStep
from armoon.mailbox import Mailbox


@pytest.mark.parametrize("rate_hz", [15, 20, 30, 60])
def test_even_frames_give_even_ticks_for_an_hour(rate_hz: int) -> None:
    step = FixedStep(5.0)
    due = {step.advance(5.0 + n / rate_hz) for n in range(1, 3600 * rate_hz + 1)}
    assert due == {TICKS_PER_SECOND // rate_hz}
    assert step.ticks == 3600 * TICKS_PER_SECOND


@given(st.lists(st.floats(0.0, MAX_FRAME_S), max_size=300))
def test_game_time_is_real_time_to_within_a_tick(frames_s: list[float]) -> None:
    step = FixedStep(0.0)
    now_s = 0.0
    for frame_s in frames_s:
        now_s += frame_s
        step.advance(now_s)
        assert 0.0 <= step.fraction() <= 1.0
    assert step.ticks * TICK_S + step.fraction() * TICK_S == pytest.approx(now_s, abs=1e-4)


def test_time_that_runs_backwards_is_ignored() -> None:
    step = FixedStep(1.0)
    step.advance(1.1)
    ticks = step.ticks
    assert step.advance(0.5) == 0
    assert step.advance(1.1) == 0
    assert step.ticks == ticks


def test_slow_ticks_are_limited_and_the_others_are_dropped() -> None:
    step = FixedStep(0.0)
    assert step.advance(4.5 * TICK_S, slow=True) == MAX_SLOW_TICKS
    assert step.fraction() == pytest.approx(0.5)
    assert step.advance(5.5 * TICK_S) == 1
    assert step.ticks == MAX_SLOW_TICKS + 1


def test_a_new_item_replaces_an_unread_one_which_is_counted() -> None:
    box: Mailbox[int] = Mailbox()
    for value in range(5):
        box.put(value)
    assert (box.pop(), box.dropped_count) == (4, 4)
    assert box.pop() is None
    box.put(9)
    assert (box.pop(), box.dropped_count) == (9, 4)


def test_a_waiting_reader_gets_the_next_item() -> None:
    box: Mailbox[str] = Mailbox()
    got: list[str | None] = []
    reader = threading.Thread(target=lambda: got.append(box.pop(PATIENCE_S)))
    reader.start()
    box.put("frame")
    reader.join(PATIENCE_S)
    assert got == ["frame"]


def test_closing_wakes_the_reader_and_keeps_the_last_item() -> None:
    box: Mailbox[str] = Mailbox()
    got: list[str | None] = []
    reader = threading.Thread(target=lambda: got.append(box.pop(PATIENCE_S)))
    reader.start()
    box.close()
    reader.join(PATIENCE_S)
    assert not reader.is_alive()
    assert got == [None]
    assert box.closed
    box.put("late")
    assert box.pop(PATIENCE_S) == "late"
