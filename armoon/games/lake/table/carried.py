"""The stack that an open hand would take at the lake, the one it takes, and where that hangs.

The meeting point of thumb and index finger is estimated while they are apart, and the estimate drifts as they close:
by 10 to 20 mm with the rendered hand, two thirds of the way from one star to the next. So a grip takes the stack that
was lit when its fingers began to close, which is the one its player saw.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from armoon.games.lake.rules.values import Half, Stack
from armoon.games.lake.table.aim import Passing, place_at
from armoon.games.lake.table.layout import HALF_FLOORS
from armoon.games.lake.table.scene import FLOOR_M
from armoon.values.intents import GripIntent
from armoon.values.poses import Vec3

#: Fingers close in less, in ticks of 1/60 s.
CLOSING_TICKS = 30
#: Fingers that are this much further closed than they were have begun to close: twice an open hand's noise.
BEGUN = 0.12
#: Only hands close slowly: a button goes down where the pointer is (``GripIntent.source``).
HAND = "hand:"
#: A hand further than this from the lit stack means something else.
STILL_MEANT_M = 0.045


Thing = TypeVar("Thing")


class Candidate(Generic[Thing]):
    """The last half second of an open hand over things of one kind: floors of stacks, or halves of a tower."""

    def __init__(self, passing: Callable[[GripIntent, Thing], Passing]) -> None:
        """Make a candidate; ``passing`` tells how a grip's line of sight passes a thing."""
        self._passing = passing
        self._past: deque[tuple[float, Thing | None]] = deque(maxlen=CLOSING_TICKS)

    def see(self, grip: GripIntent, thing: Thing | None) -> Thing | None:
        """Return a tick of an open hand whose line of sight meets a thing; the one that is lit."""
        self._past.append((grip.closing, thing))
        return self.taken(grip, thing)

    def taken(self, grip: GripIntent, thing: Thing | None) -> Thing | None:
        """Return the thing that fingers take that have closed at a thing."""
        if not self._past:
            return thing
        widest = min(closing for closing, _ in self._past)
        if grip.closing <= widest + BEGUN or not grip.source.startswith(HAND):
            return thing
        lit = next(at for closing, at in reversed(self._past) if closing <= widest + BEGUN)
        if lit is None:
            return thing
        return lit if self._passing(grip, lit).away_m <= STILL_MEANT_M else thing

    def forget(self) -> None:
        """Forget the candidate: the hand is gone, or holds something."""
        self._past.clear()


#: How much of its way to the hand a held stack goes in a tick: a tenth of a second behind, which hides noise.
FOLLOWED = 0.25
#: Minimum height of a carried stack above the table, metres.
LOWEST_M = 0.004


@dataclass(frozen=True)
class Carried:
    """Floors in a hand: of the stack on a star, or a half of the tower."""

    star: int | None
    half: Half | None
    stack: Stack
    foot: Vec3
    """The middle of its lowest rim, table frame."""

    @property
    def floors(self) -> int:
        """How many floors they are."""
        return len(self.stack)

    @property
    def low(self) -> int:
        """Of a half, the tower's floor with which it begins."""
        return HALF_FLOORS if self.half is Half.TOP else 0

    def following(self, grip: GripIntent, along_m: float) -> Carried:
        """Return a tick later, towards the point of the line of sight that lies ``along_m`` beyond the grip."""
        x, y, z = place_at(grip, along_m)
        goal = (x, y, max(LOWEST_M, z - FLOOR_M / 2.0))
        u, v, w = (a + (b - a) * FOLLOWED for a, b in zip(self.foot, goal, strict=True))
        return replace(self, foot=(u, v, w))
