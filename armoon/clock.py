"""Turns real time into ticks of equal length; tests and recordings use a clock of their own."""

from __future__ import annotations

import time
from typing import Protocol

#: Game ticks per second, independent of the frame rate. Each interprets the hands, steps the physics and judges.
TICKS_PER_SECOND = 60
TICK_S = 1.0 / TICKS_PER_SECOND
#: Maximum time that one frame adds to the game; after a longer pause the game runs late instead of catching up.
MAX_FRAME_S = 0.25
#: Maximum ticks in a frame while ticks are slow, which keeps the picture fluid but makes falls look slightly slower.
MAX_SLOW_TICKS = 3


class Clock(Protocol):
    """A time in seconds since an arbitrary start, which never decreases."""

    def now_s(self) -> float: ...


class WallClock:
    """The computer's monotonic clock."""

    def now_s(self) -> float:
        return time.monotonic()


class ManualClock:
    """A clock set by a test, or by a recording that renders in lock-step."""

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s

    def now_s(self) -> float:
        return self._now_s

    def set_s(self, now_s: float) -> None:
        self._now_s = max(self._now_s, now_s)


class FixedStep:
    """Turns elapsed time into whole ticks; game time is the tick count times ``TICK_S``."""

    def __init__(self, start_s: float) -> None:
        self._last_s = start_s
        self._left_over_s = 0.0
        self.ticks = 0

    def advance(self, now_s: float, *, slow: bool = False) -> int:
        """Return the number of ticks due: at most those of ``MAX_FRAME_S``, or ``MAX_SLOW_TICKS`` if ``slow``."""
        self._left_over_s += min(max(now_s - self._last_s, 0.0), MAX_FRAME_S)
        self._last_s = max(self._last_s, now_s)
        # The tolerance prevents rounding from turning 1/30 s into one tick and then three.
        due = int(self._left_over_s * TICKS_PER_SECOND + 1e-6)
        self._left_over_s = max(0.0, self._left_over_s - due * TICK_S)
        if slow:
            due = min(due, MAX_SLOW_TICKS)
        self.ticks += due
        return due

    def fraction(self) -> float:
        """Return how much of the time from the last tick to the next has passed, 0 to 1, for drawing."""
        return min(1.0, self._left_over_s * TICKS_PER_SECOND)
