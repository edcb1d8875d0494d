"""Poses are the state: a structure is built from poses alone, and at rest it stands by them alone.

Contacts have a history that poses lack: so, before rest is reported, passes rebuild and wake it until it stays.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence

from armoon.values.pieces import BASE, TABLE, Box, Ladder, PieceId
from armoon.values.poses import Pose
from armoon.world.base import table_boxes
from armoon.world.bullet import Bullet
from armoon.world.checks import Standing
from armoon.world.contact import Solid
from armoon.world.physics import MOST_WITH_CONE
from armoon.world.piece import STAYS_M, STAYS_TICKS, STOP_TICKS, Stillness, way_m

#: Maximum number of passes.
MOST_PASSES = 3
#: Ticks after which no further pass begins, and one ends that goes on trembling or creeping within ``CREEP_M`` for
#: ``STAYS_TICKS``; what topples soon goes farther. High structures creep alike in each pass: they get fewer, and are
#: stopped where they are after the last number of ticks.
MOST_PASS_TICKS, CREEP_M = 150, 1e-3
MOST_PASS_TICKS_HIGH, STOP_TICKS_HIGH = 60, 90
#: A pass ends once no ladder goes farther than this in these ticks; creeping below the quiet limit may be a fall.
STILL_M, STILL_TICKS = 1e-4, 15
#: Most way in a pass, and in the last one, of a structure that stands: beyond sixteen ladders each pass sags alike.
SEATED_M, SEATED_LAST_M = 2e-4, 1e-3


def build(
    engine: Bullet, base: Sequence[Box], ladders: Mapping[PieceId, Ladder], standing: Standing
) -> tuple[Solid, Solid, list[Solid]]:
    """Empty an engine; build table, base and ladders, returned by name, to the same bits from the same poses."""
    engine.reset()
    boxes = table_boxes()
    table = Solid(TABLE, boxes, engine.add_static(boxes), rooted=True)
    ground = Solid(BASE, base, engine.add_static(base), rooted=True)
    solids = []
    for name, pose, rooted in sorted(standing):
        body = engine.add_ladder(ladders[name], pose, movable=not rooted)
        solids.append(Solid(name, ladders[name].boxes, (body,), rooted=rooted))
        solids[-1].place(pose)
    return table, ground, solids


class PassResult(enum.Enum):
    """The outcome of a pass so far."""

    GOES_ON = "goes on"
    STANDS = "stands"
    """The structure stands at the poses with which the pass began."""
    SHIFTED = "shifted"
    """It came to rest elsewhere, or was stopped."""


class Seating:
    """The passes of one structure."""

    def __init__(self) -> None:
        self._passes = 0
        self._since: int | None = None
        self._most_ticks = MOST_PASS_TICKS
        self.start: Standing = ()
        """The structure with which the latest pass began."""
        self.under_way = False

    def ticks(self, tick: int) -> int:
        """Return the ticks since the first pass began; 0 before it."""
        return 0 if self._since is None else tick - self._since

    def may_begin(self, tick: int) -> bool:
        return self._passes < MOST_PASSES and not self._is_late(tick)

    def _is_late(self, tick: int) -> bool:
        return self.ticks(tick) >= self._most_ticks

    def begin(self, tick: int, start: Standing) -> None:
        self._since = tick if self._since is None else self._since
        self._passes += 1
        free = sum(not fixed for _, _, fixed in start)
        high = free > MOST_WITH_CONE
        self._most_ticks = MOST_PASS_TICKS_HIGH if high else MOST_PASS_TICKS
        self._stop_ticks = STOP_TICKS_HIGH if high else STOP_TICKS
        self.start, self.under_way = start, True
        self._stillness = Stillness(STILL_M, STILL_TICKS), Stillness(STAYS_M, STAYS_TICKS)
        self._creeping = Stillness(CREEP_M, STAYS_TICKS)
        for stillness in (*self._stillness, self._creeping):
            stillness.observe({name: pose for name, pose, _ in start})

    def give_up(self) -> None:
        """Begin no further pass: the structure was stopped where it is."""
        self._passes, self.under_way = MOST_PASSES, False

    def observe(self, tick: int, poses: Mapping[PieceId, Pose]) -> PassResult:
        still = [stillness.observe(poses) for stillness in self._stillness]
        creeps = self._creeping.observe(poses) and self._is_late(tick)
        if not any(still) and not creeps and self.ticks(tick) < self._stop_ticks:
            return PassResult.GOES_ON
        self.under_way = False
        farthest_m = max(way_m(pose, poses[name]) for name, pose, _ in self.start)
        limit_m = SEATED_M if self._passes < MOST_PASSES else SEATED_LAST_M
        return PassResult.STANDS if farthest_m <= limit_m else PassResult.SHIFTED
