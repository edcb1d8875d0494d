"""Adds up the time that each phase of the loop takes, for the benchmark; a match itself never reads a clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


class Stopwatch:
    """Seconds by phase."""

    def __init__(self, now_s: Callable[[], float] = time.perf_counter) -> None:
        """``now_s``: the clock, or a thread's processor time."""
        self._now_s = now_s
        self.seconds: dict[str, float] = {}

    def measured(self, phase: str, work: Callable[[], Result]) -> Result:
        """Do the work and add its time to the phase's."""
        start_s = self._now_s()
        result = work()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + self._now_s() - start_s
        return result
