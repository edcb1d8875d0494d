"""Helpers to wait for other threads and processes, which a busy machine may delay for a long time."""

from __future__ import annotations

import time
from collections.abc import Callable

#: Longest wait, in seconds.
PATIENCE_S = 300.0


class CountedClock:
    """Advances a little at each reading, or a lot while ``is_stuck``, to skip waits for results that never come."""

    def __init__(self, is_stuck: Callable[[], bool]) -> None:
        self.is_stuck = is_stuck
        self._now_s = 0.0

    def now_s(self) -> float:
        self._now_s += 1.0 if self.is_stuck() else 0.001
        return self._now_s


def until(
    condition: Callable[[], object], what: str = "it", meanwhile: Callable[[], object] | None = None
) -> None:
    """Wait for another thread or process; call ``meanwhile`` repeatedly.

    Without ``meanwhile`` the pauses between checks grow, because checks take processor time from the other process.
    """
    end_s, nap_s = time.monotonic() + PATIENCE_S, 0.01
    while not condition():
        assert time.monotonic() < end_s, f"timed out waiting for {what}"
        if meanwhile is None:
            nap_s = min(0.2, 1.1 * nap_s)
        else:
            meanwhile()
        time.sleep(nap_s)
