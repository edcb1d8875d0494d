"""What an open hand would take, and what it does take once its fingers have closed.

Where thumb and index finger are going to meet is guessed while they are apart, and the guess wanders as they close:
by 10 to 20 mm with the rendered hand, two thirds of the way from one star to the next. So a grip takes what was
lit when its fingers began to close, which is what its player saw.
"""

from __future__ import annotations

from collections import deque

from armoon.games.lake.scene import FLOOR_M
from armoon.games.lake.table.aim import Floor, passing
from armoon.games.lake.table.layout import STAR_PLACES
from armoon.values.intents import GripIntent

#: Fingers close in less, in ticks of 1/60 s.
CLOSING_TICKS = 30
#: Fingers that are this much further closed than they were have begun to close: twice an open hand's noise.
BEGUN = 0.12
#: Only hands close slowly: a button goes down where the pointer is (``GripIntent.source``).
HAND = "hand:"
#: A hand that has gone further than this from what was lit means something else.
STILL_MEANT_M = 0.045


class Candidate:
    """The last half second of an open hand."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, Floor | None]] = deque(maxlen=CLOSING_TICKS)

    def see(self, grip: GripIntent, floor: Floor | None) -> Floor | None:
        """A tick of an open hand whose line of sight meets a floor; the floor that is lit."""
        self._past.append((grip.closing, floor))
        return self.taken(grip, floor)

    def taken(self, grip: GripIntent, floor: Floor | None) -> Floor | None:
        """What is taken by fingers that have closed at a floor."""
        if not self._past:
            return floor
        widest = min(closing for closing, _ in self._past)
        if grip.closing <= widest + BEGUN or not grip.source.startswith(HAND):
            return floor
        lit = next(at for closing, at in reversed(self._past) if closing <= widest + BEGUN)
        if lit is None:
            return floor
        seen = passing(grip, STAR_PLACES[lit.star], 0.0, (lit.floor + 1) * FLOOR_M)
        return lit if seen.away_m <= STILL_MEANT_M else floor

    def forget(self) -> None:
        """The hand is gone, or holds something."""
        self._past.clear()
