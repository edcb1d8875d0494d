"""Whether a structure that came to rest stands by its poses alone.

An engine keeps where contacts began and how hard they pressed; poses don't. So before rest is reported the structure is
rebuilt from its poses and woken, in passes, until it stays where it is (docs/physics.md, "Poses are the state").
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from armoon.values.pieces import PieceId
from armoon.values.poses import Pose
from armoon.world.checks import Standing
from armoon.world.piece import Stillness, way_m

#: Maximum number of passes, and ticks after which none goes on: then the rules of rest alone decide.
MOST_PASSES, MOST_SEATING_TICKS = 3, 150
#: A pass ends once no ladder has gone farther than this, measured as speeds are, in this many ticks; some creep slower
#: than the limit of quiet, and fall.
STILL_M, STILL_TICKS = 1e-4, 15
#: The structure stands if no ladder has gone farther than this in a pass, or than that in the last one: beyond sixteen
#: ladders each pass sags as far as the one before.
SEATED_M, SEATED_LAST_M = 2e-4, 1e-3


class PassResult(enum.Enum):
    """The outcome of a pass so far."""

    GOES_ON = "goes on"
    STANDS = "stands"
    """The structure stands at the poses with which the pass began."""
    SHIFTED = "shifted"
    """It came to rest elsewhere."""
    TIMED_OUT = "timed out"


class Seating:
    """The passes of one structure."""

    def __init__(self) -> None:
        self._passes = 0
        self._since: int | None = None
        self.start: Standing = ()
        """The structure with which the latest pass began."""
        self.under_way = False

    def may_begin(self, tick: int) -> bool:
        spent = 0 if self._since is None else tick - self._since
        return self._passes < MOST_PASSES and spent < MOST_SEATING_TICKS

    def begin(self, tick: int, start: Standing) -> None:
        self._since = tick if self._since is None else self._since
        self._passes += 1
        self.start, self.under_way = start, True
        self._stillness = Stillness(STILL_M, STILL_TICKS)
        self._stillness.observe({name: pose for name, pose, _ in start})

    def give_up(self) -> None:
        """Begin no further pass: the structure was stopped where it is."""
        self._passes, self.under_way = MOST_PASSES, False

    def observe(self, tick: int, poses: Mapping[PieceId, Pose]) -> PassResult:
        """Take in the poses after a tick; return the outcome of the pass so far."""
        assert self._since is not None
        if not self._stillness.observe(poses):
            if tick - self._since < MOST_SEATING_TICKS:
                return PassResult.GOES_ON
            self.under_way = False
            return PassResult.TIMED_OUT
        self.under_way = False
        farthest_m = max(way_m(pose, poses[name]) for name, pose, _ in self.start)
        limit_m = SEATED_M if self._passes < MOST_PASSES else SEATED_LAST_M
        return PassResult.STANDS if farthest_m <= limit_m else PassResult.SHIFTED
