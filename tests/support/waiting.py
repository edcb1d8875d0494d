"""Patience with other threads and processes: a busy machine may keep them from working for long."""

from __future__ import annotations

import time
from collections.abc import Callable

#: Something that works never takes so long; what doesn't is given up then.
PATIENCE_S = 300.0


def until(
    true: Callable[[], object], what: str = "it", meanwhile: Callable[[], object] = lambda: None
) -> None:
    """Wait for something that another thread or process does; ``meanwhile`` is done again and again."""
    end_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end_s, f"waited in vain for {what}"
        meanwhile()
        time.sleep(0.01)
