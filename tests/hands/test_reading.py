"""Times instead of frames: streaks and paces."""

from __future__ import annotations

import pytest

from armoon.hands.grips.identity import SettledLabel
from armoon.hands.grips.reading import (
    SLOWEST_FRAME_S,
    USUAL_FRAME_S,
    Lasting,
    Pace,
    Recent,
    Streak,
)


@pytest.mark.parametrize(("rate_hz", "frames"), [(10.0, 2), (15.0, 3), (30.0, 4), (60.0, 7)])
def test_a_streak_lasts_a_time_and_at_least_two_frames(rate_hz: float, frames: int) -> None:
    streak, lasting = Streak(), Lasting(2, 0.1)
    for frame in range(frames):
        assert not streak.lasts(lasting)
        streak.see(True, frame / rate_hz)
    assert streak.lasts(lasting)
    streak.see(False, 10.0)
    assert not streak.lasts(Lasting(1))


def test_a_pace_is_that_of_the_frames_and_one_late_frame_doesnt_change_it() -> None:
    pace = Pace()
    assert pace.frame_s == USUAL_FRAME_S
    for step_s in (0.1, 0.1, 0.1, 0.9, 0.1):
        pace.see(step_s)
    assert pace.frame_s == 0.1
    assert pace.weight == pytest.approx(3.0)
    for _ in range(5):
        pace.see(3.0)
    assert pace.frame_s == SLOWEST_FRAME_S


def test_the_last_while_forgets_what_is_older() -> None:
    recent: Recent[float] = Recent(Lasting(100, 1.0))
    for frame in range(50):
        recent.see(float(frame), frame * 0.25)
    assert list(recent) == [45.0, 46.0, 47.0, 48.0, 49.0]


def test_a_label_is_settled_as_soon_at_10_hz_as_at_30() -> None:
    slow, fast = SettledLabel(), SettledLabel()
    for _ in range(2):
        slow.doubts("right", 3.0)
    for _ in range(6):
        fast.doubts("right")
    assert slow.settled == fast.settled == "right"
