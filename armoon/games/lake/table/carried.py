"""The stack that a hand holds at the lake, and where it hangs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from armoon.games.lake.rules.values import Half, Stack
from armoon.games.lake.table.aim import place_at
from armoon.games.lake.table.layout import HALF_FLOORS
from armoon.games.lake.table.scene import FLOOR_M
from armoon.values.intents import GripIntent
from armoon.values.poses import Vec3

#: How much of its way to the hand a held stack goes in a tick: a tenth of a second behind, which hides noise.
FOLLOWED = 0.25
#: It never dips into the table.
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
