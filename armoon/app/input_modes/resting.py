"""A mouse that clicks by resting, for players who can move one but press nothing."""

from __future__ import annotations

import math
from dataclasses import replace

from armoon.view.window import Pointer

#: A pointer that goes no farther than this rests, parts of the window.
STEADY = 0.012
#: Rest before the ring appears, in seconds: a pointer that only passes shows none.
UNSEEN_S = 0.2
#: Letting go takes that many times the rest: one looks, and thinks, before.
LETS_GO_AFTER = 2.5


class RestingMouse:
    """Clicks once where the mouse rests, and again only after it has moved."""

    def __init__(self) -> None:
        self._at: Pointer | None = None
        self._since_s = 0.0
        self._spent = True

    def move(self, pointer: Pointer, now_s: float) -> None:
        """Note where the mouse is; a real press counts as its own."""
        moved = self._at is None or math.dist(pointer.over, self._at.over) > STEADY
        if moved or pointer.pressed or pointer.turning or pointer.wheel:
            self._spent = self._at is None or pointer.pressed
            self._at, self._since_s = pointer, now_s

    def part(self, now_s: float, dwell_s: float) -> float:
        """Return how much of the rest is over, 0 to 1; 0 while none counts or it has only begun."""
        rested_s = 0.0 if self._spent else now_s - self._since_s
        return 0.0 if rested_s < UNSEEN_S else min(1.0, rested_s / dwell_s)

    def click(self, now_s: float, dwell_s: float) -> tuple[Pointer, ...]:
        """Return a press and its release where the mouse has rested long enough; else nothing."""
        if self._at is None or self.part(now_s, dwell_s) < 1.0:
            return ()
        self._spent = True
        still = replace(self._at, wheel=0.0, pressed=False, turning=False)
        return replace(still, pressed=True), still
