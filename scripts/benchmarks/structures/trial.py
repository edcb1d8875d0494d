"""A table for trial placements: drop a ladder into a copy of the structure and observe the result.

Every trial builds its copy anew, so that the answer never depends on earlier questions.
Clearances are measured in a second engine that never steps, so querying them is cheap and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from armoon.clock import TICKS_PER_SECOND
from armoon.values.pieces import BASE, TABLE, Base, Ladder, LadderSet, PieceId
from armoon.values.poses import Pose
from armoon.world.bullet import STEPS_PER_TICK, Bullet
from armoon.world.checks import Standing, check_base, check_ladder, check_standing
from armoon.world.contact import Solid, nearest_m, touches
from armoon.world.physics import Solving
from armoon.world.rest import QUIET_M_S, QUIET_TICKS, speed_m_s
from armoon.world.table import table_boxes

#: Minimum gap of a clear start pose: a hand couldn't bring the ladder closer without touching.
CLEAR_M = 1e-4
#: Coarse solver settings: a trial finds falls, not tenths of a millimetre.
QUICK = Solving(50)
#: Interval at which a fall is looked for.
FALL_CHECK_TICKS = 3


@dataclass(frozen=True)
class TrialResult:
    """What became of a ladder that was let go of."""

    start_clear: bool
    """Whether the pose it was let go of at overlapped nothing; if not, nothing was simulated."""
    settled: bool
    """Whether everything came to rest in time, and nothing fell."""
    fell: bool
    """Whether it, or a ladder that stood free, came to touch the base or the table; the trial ends there."""
    contacts: tuple[PieceId, ...]
    """The other ladders that it touches, sorted."""
    pose: Pose
    highest_m: float
    others_highest_m: float
    """The highest point of all the other ladders."""
    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Everything as it stands at the end, the dropped ladder last: ``standing`` for a next trial."""
    others_moved_m: float
    """How far the centre of the other ladder that moved most went."""
    seconds: float
    """How long the trial took, in the table's time."""


class TrialTable:
    """Tries placements on copies of one game's structure."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        for ladder in ladders.ladders:
            check_ladder(ladder)
        check_base(base)
        self._ladders = {ladder.piece: ladder for ladder in ladders.ladders}
        self._base = base
        self._engine = Bullet()
        self._gauge = _Gauge(base)

    def close(self) -> None:
        """Free both engines."""
        self._engine.close()
        self._gauge.close()

    def clearance_m(self, standing: Standing, piece: PieceId, pose: Pose, within_m: float = 0.03) -> float:
        """Return the distance from a ladder at ``pose`` to anything, negative in overlap; at most ``within_m``."""
        self._check(standing, piece, pose)
        return self._gauge.clearance_m(
            [(self._ladders[name], where) for name, where, _ in standing],
            self._ladders[piece],
            pose,
            within_m,
        )

    def try_drop(
        self, standing: Standing, piece: PieceId, pose: Pose, max_seconds: float = 3.0
    ) -> TrialResult:
        """Let go of ``piece`` at ``pose`` above what stands; wait for rest, a fall, or the end of the time.

        ``standing`` must be at rest. Marking all of it fixed makes a quick first sieve: it costs a fraction.
        """
        start_clear = self.clearance_m(standing, piece, pose, CLEAR_M) >= CLEAR_M
        copy = _Copy(self._engine, self._base, self._ladders, standing, piece, pose)
        settled = fell = False
        ticks = quiet = 0
        while start_clear and ticks < max_seconds * TICKS_PER_SECOND and not settled and not fell:
            ticks += 1
            quiet = quiet + 1 if copy.advance() < QUIET_M_S else 0
            settled = quiet >= QUIET_TICKS
            if settled or ticks % FALL_CHECK_TICKS == 0:
                fell = copy.fell()
        return copy.result(start_clear, settled and not fell, fell, ticks / TICKS_PER_SECOND)

    def _check(self, standing: Standing, piece: PieceId, pose: Pose) -> None:
        check_standing([*standing, (piece, pose, False)], self._ladders)


class _Copy:
    """The structure and the dropped ladder, built anew in a shared engine."""

    def __init__(
        self,
        engine: Bullet,
        base: Base,
        ladders: dict[PieceId, Ladder],
        standing: Standing,
        piece: PieceId,
        pose: Pose,
    ) -> None:
        engine.reset()
        engine.set_solving(QUICK)
        self._engine = engine
        boxes = table_boxes()
        self._ground = [
            Solid(TABLE, boxes, engine.add_static(boxes), rooted=True),
            Solid(BASE, base.boxes, engine.add_static(base.boxes), rooted=True),
        ]
        self._others = [self._add(ladders[name], where, fixed) for name, where, fixed in standing]
        self._starts = [where for _, where, _ in standing]
        self._dropped = self._add(ladders[piece], pose, False)
        self._free = [solid for solid in (*self._others, self._dropped) if not solid.rooted]
        # Ladders that a house rule lets lie on the base or the table haven't fallen because of this trial.
        self._grounded = {solid.name for solid in self._free if self._on_ground(solid)}

    def _add(self, ladder: Ladder, pose: Pose, fixed: bool) -> Solid:
        body = self._engine.add_ladder(ladder, pose, movable=not fixed)
        solid = Solid(ladder.piece, ladder.boxes, (body,), rooted=fixed)
        solid.place(pose)
        return solid

    def advance(self) -> float:
        """One tick; the speed of the fastest ladder then."""
        for _ in range(STEPS_PER_TICK):
            self._engine.step()
        return max(speed_m_s(self._engine.velocity(solid.bodies[0])) for solid in self._free)

    def fell(self) -> bool:
        """Whether a ladder that wasn't on the ground at the start is now."""
        self._read_poses()
        return any(self._on_ground(solid) for solid in self._free if solid.name not in self._grounded)

    def _read_poses(self) -> None:
        for solid in self._free:
            solid.place(self._engine.pose(solid.bodies[0]))

    def _on_ground(self, solid: Solid) -> bool:
        return any(touches(self._engine, solid, ground) for ground in self._ground)

    def result(self, start_clear: bool, settled: bool, fell: bool, seconds: float) -> TrialResult:
        """Return the result as of now."""
        self._read_poses()
        dropped = self._dropped
        touched = (other.name for other in self._others if touches(self._engine, dropped, other))
        return TrialResult(
            start_clear=start_clear,
            settled=settled,
            fell=fell,
            contacts=tuple(sorted(touched)),
            pose=dropped.pose,
            highest_m=dropped.high[2],
            others_highest_m=max((other.high[2] for other in self._others), default=0.0),
            standing=tuple((s.name, s.pose, s.rooted) for s in (*self._others, dropped)),
            others_moved_m=max(
                (
                    _apart_m(other.pose, start)
                    for other, start in zip(self._others, self._starts, strict=True)
                ),
                default=0.0,
            ),
            seconds=seconds,
        )


class _Gauge:
    """An engine that never steps: it only measures distances."""

    def __init__(self, base: Base) -> None:
        self._engine = Bullet()
        boxes = table_boxes()
        self._ground = [
            Solid(TABLE, boxes, self._engine.add_static(boxes), rooted=True),
            Solid(BASE, base.boxes, self._engine.add_static(base.boxes), rooted=True),
        ]
        self._solids: dict[PieceId, Solid] = {}

    def close(self) -> None:
        self._engine.close()

    def clearance_m(
        self, others: Sequence[tuple[Ladder, Pose]], ladder: Ladder, pose: Pose, within_m: float
    ) -> float:
        placed = [self._at(other, where) for other, where in others]
        mine = self._at(ladder, pose)
        return nearest_m(self._engine, mine, [*self._ground, *placed], within_m)

    def _at(self, ladder: Ladder, pose: Pose) -> Solid:
        solid = self._solids.get(ladder.piece)
        if solid is None:
            body = self._engine.add_ladder(ladder, pose, movable=False)
            solid = self._solids[ladder.piece] = Solid(ladder.piece, ladder.boxes, (body,), rooted=False)
        if pose != solid.pose:
            self._engine.set_pose(solid.bodies[0], pose)
            solid.place(pose)
        return solid


def _apart_m(a: Pose, b: Pose) -> float:
    return float(sum((i - j) ** 2 for i, j in zip(a.position, b.position, strict=True)) ** 0.5)
