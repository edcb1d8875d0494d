"""Clocks, and the conversion of elapsed time to ticks of equal length."""

from __future__ import annotations

import time
from typing import Protocol

#: Game ticks per second, independent of the frame rate; in each tick, hands, physics and rules are evaluated.
TICKS_PER_SECOND = 60
TICK_S = 1.0 / TICKS_PER_SECOND
#: Maximum time that a frame adds to the game; after a longer delay, the game falls behind instead of catching up.
MAX_FRAME_S = 0.25
#: Maximum ticks in a frame while ticks are slow; it keeps the picture fluid, but slows falls down slightly.
MAX_SLOW_TICKS = 3


class Clock(Protocol):
    """Time in seconds since an arbitrary start; never decreases."""

    def now_s(self) -> float: ...


class WallClock:
    """The computer's monotonic clock."""

    def now_s(self) -> float:
        return time.monotonic()


class ManualClock:
    """A clock that a test or a recording sets."""

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s

    def now_s(self) -> float:
        return self._now_s

    def set_s(self, now_s: float) -> None:
        self._now_s = max(self._now_s, now_s)


class FixedStep:
    """Converts elapsed time to whole ticks; game time is their number times ``TICK_S``."""

    def __init__(self, start_s: float) -> None:
        self._last_s = start_s
        self._left_over_s = 0.0
        self.ticks = 0

    def advance(self, now_s: float, *, slow: bool = False) -> int:
        """Return the number of due ticks: at most those of ``MAX_FRAME_S``, or ``MAX_SLOW_TICKS`` if ``slow``."""
        self._left_over_s += min(max(now_s - self._last_s, 0.0), MAX_FRAME_S)
        self._last_s = max(self._last_s, now_s)
        # Without the tolerance, rounding would turn twice 1/30 s into one tick and then three.
        due = int(self._left_over_s * TICKS_PER_SECOND + 1e-6)
        self._left_over_s = max(0.0, self._left_over_s - due * TICK_S)
        if slow:
            due = min(due, MAX_SLOW_TICKS)
        self.ticks += due
        return due

    def fraction(self) -> float:
        """Return the elapsed fraction, 0 to 1, of the time from the last tick to the next, for drawing."""
        return min(1.0, self._left_over_s * TICKS_PER_SECOND)
