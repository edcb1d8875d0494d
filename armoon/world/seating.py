"""Re-seats structures: one at rest must still stand when it is rebuilt from its poses, because only poses are saved.

Poses lack the history of contacts. Before rest is reported, passes rebuild and wake the structure until it stands.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence

from armoon.values.pieces import BASE, TABLE, Box, Ladder, PieceId
from armoon.values.poses import Pose
from armoon.world.base import make_table_boxes
from armoon.world.bullet import Bullet
from armoon.world.checks import StructurePoses
from armoon.world.contact import Solid
from armoon.world.physics import MAX_WITH_CONE
from armoon.world.piece import STOP_TICKS, TREMBLE_M, TREMBLE_TICKS, StillnessCounter, measure_motion_m

#: Maximum number of passes.
MAX_PASSES = 3
#: Ticks after which no further pass begins, and a pass ends if its ladders creep by at most CREEP_M in TREMBLE_TICKS (a
#: toppling structure moves farther). High structures creep equally in each pass, so they get fewer ticks, and are
#: stopped after STOP_TICKS_HIGH.
MAX_PASS_TICKS, CREEP_M = 150, 1e-3
MAX_PASS_TICKS_HIGH, STOP_TICKS_HIGH = 60, 90
#: Ticks after which no further pass begins although a ladder slipped in the last one: some structures keep rocking.
MAX_SLIP_TICKS = 240
#: A pass ends once no ladder has moved farther than STILL_M in STILL_TICKS: slow creeping may be the start of a fall.
STILL_M, STILL_TICKS = 1e-4, 15
#: Maximum motion of a standing structure in a pass, and in the last pass; structures of over 16 ladders sag in each.
SEATED_M, SEATED_IN_LAST_M = 2e-4, 1e-3


def fill_engine(
    engine: Bullet, base: Sequence[Box], ladders: Mapping[PieceId, Ladder], standing: StructurePoses
) -> tuple[Solid, Solid, list[Solid]]:
    """Reset an engine and add table, base and ladders, sorted by name, so that equal poses give identical results."""
    engine.reset()
    boxes = make_table_boxes()
    table = Solid(TABLE, boxes, engine.add_static(boxes), is_rooted=True)
    ground = Solid(BASE, base, engine.add_static(base), is_rooted=True)
    solids = []
    for name, pose, is_rooted in sorted(standing):
        body = engine.add_ladder(ladders[name], pose, movable=not is_rooted)
        solids.append(Solid(name, ladders[name].boxes, (body,), is_rooted=is_rooted))
        solids[-1].set_pose(pose)
    return table, ground, solids


class PassResult(enum.Enum):
    """The result of a pass so far."""

    RUNNING = "running"
    STANDS = "stands"
    """The structure stands at the poses with which the pass began."""
    SHIFTED = "shifted"
    """The structure came to rest elsewhere, or was stopped."""


class Seating:
    """The re-seating passes of one structure."""

    def __init__(self) -> None:
        self._passes = 0
        self._since: int | None = None
        self._max_ticks = MAX_PASS_TICKS
        self._has_slipped = False
        """Whether a ladder moved farther in the last pass than it may in the last of all."""
        self.start: StructurePoses = ()
        """The structure at the start of the last pass."""
        self.is_under_way = False

    def count_ticks(self, tick: int) -> int:
        return 0 if self._since is None else tick - self._since

    def can_begin(self, tick: int) -> bool:
        if self._has_slipped:
            return self.count_ticks(tick) < min(MAX_SLIP_TICKS, self._stop_ticks)
        return self._passes < MAX_PASSES and not self._is_late(tick)

    def _is_late(self, tick: int) -> bool:
        return self.count_ticks(tick) >= self._max_ticks

    def begin_pass(self, tick: int, start: StructurePoses) -> None:
        self._since = tick if self._since is None else self._since
        self._passes += 1
        free = sum(not fixed for _, _, fixed in start)
        is_high = free > MAX_WITH_CONE
        self._max_ticks = MAX_PASS_TICKS_HIGH if is_high else MAX_PASS_TICKS
        self._stop_ticks = STOP_TICKS_HIGH if is_high else STOP_TICKS
        self.start, self.is_under_way = start, True
        self._stillness = StillnessCounter(STILL_M, STILL_TICKS), StillnessCounter(TREMBLE_M, TREMBLE_TICKS)
        self._creeping = StillnessCounter(CREEP_M, TREMBLE_TICKS)
        for stillness in (*self._stillness, self._creeping):
            stillness.observe({name: pose for name, pose, _ in start})

    def give_up(self) -> None:
        """Begin no further pass, because the structure was stopped in place."""
        self._passes, self._has_slipped, self.is_under_way = MAX_PASSES, False, False

    def observe(self, tick: int, poses: Mapping[PieceId, Pose]) -> PassResult:
        still = [stillness.observe(poses) for stillness in self._stillness]
        only_creeps = self._creeping.observe(poses) and self._is_late(tick)
        if not any(still) and not only_creeps and self.count_ticks(tick) < self._stop_ticks:
            return PassResult.RUNNING
        self.is_under_way = False
        farthest_m = max(measure_motion_m(pose, poses[name]) for name, pose, _ in self.start)
        self._has_slipped = farthest_m > SEATED_IN_LAST_M
        limit_m = SEATED_M if self._passes < MAX_PASSES else SEATED_IN_LAST_M
        return PassResult.STANDS if farthest_m <= limit_m else PassResult.SHIFTED
