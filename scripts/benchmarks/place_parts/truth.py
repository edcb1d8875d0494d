"""Whether a place comes true: a ladder let go of there in the game's own world, judged as the referee judges."""

from __future__ import annotations

import numpy as np

from armoon.clock import TICKS_PER_SECOND
from armoon.games.moon.rules.turn import judge_die
from armoon.games.moon.rules.values import Die, Reason
from armoon.placement.values import slip
from armoon.values.facts import PieceStatus
from armoon.values.orders import Place as Put
from armoon.values.pieces import BASE, TABLE, Base, LadderSet, PieceId
from armoon.values.places import Slip
from armoon.values.poses import Pose
from armoon.world.checks import Standing
from armoon.world.local import LocalWorld
from armoon.world.standing import standing_of
from benchmarks.structures.trial import TrialTable

#: The world stops what moves after 12 s; nothing takes longer than that and being firmed.
MOST_TICKS = 16 * TICKS_PER_SECOND
#: A hand lowers from so far above where it means to let go, and lets go so far above what it meets.
ABOVE_M, GAP_M = 0.012, 0.0008
#: So far below where it meant to let go a hand looks for something to lay the ladder on.
BELOW_M = 0.06


class Truth:
    """A world and a gauge for one set of ladders; close it."""

    def __init__(self, ladders: LadderSet, base: Base, rests_ticks: int | None = None) -> None:
        """``rests_ticks``: what isn't at rest by then isn't judged; None: all is, after ``MOST_TICKS``."""
        self._rests_ticks = rests_ticks
        self._world = LocalWorld(ladders, base)
        self._gauge = TrialTable(ladders, base)

    def close(self) -> None:
        """Free the engines."""
        self._world.close()
        self._gauge.close()

    def comes_true(
        self, standing: Standing, piece: PieceId, release: Pose, die: Die, by: Slip, rng: np.random.Generator
    ) -> bool:
        """Whether a ladder that a hand means to let go of at ``release``, and misses by so much, honours the die."""
        met = self._lowered(standing, piece, slip(release, by, rng))
        return met is not None and self.honours(standing, piece, met, die)

    def honours(self, standing: Standing, piece: PieceId, release: Pose, die: Die) -> bool:
        """Whether a ladder that is let go of there honours the die, and nothing falls (T4, F2)."""
        return self._judged(standing, piece, release, die) is Reason.HONOURED

    def laid(self, standing: Standing, piece: PieceId, release: Pose, die: Die) -> Standing | None:
        """Return the structure once the ladder was let go of there; None where the die isn't honoured."""
        if not self.honours(standing, piece, release, die):
            return None
        return standing_of(self._facts)

    def touched(self, piece: PieceId) -> tuple[PieceId, ...]:
        """Return the other ladders that a ladder touches, sorted, in the structure that was judged last."""
        return tuple(sorted(name for name in self._facts.touching(piece) if name not in (BASE, TABLE)))

    def _judged(self, standing: Standing, piece: PieceId, release: Pose, die: Die) -> Reason | None:
        world = self._world
        world.rebuild(standing, asleep=True)
        world.apply(Put(piece, release, fixed=False))
        for _ in range(self._rests_ticks or MOST_TICKS):
            facts = self._facts = world.tick(None)
            fixed = {p.piece for p in facts.pieces if p.status is PieceStatus.FIXED}
            grounded = {
                c.a if c.b in (BASE, TABLE) else c.b for c in facts.contacts if {c.a, c.b} & {BASE, TABLE}
            }
            if grounded - fixed:
                return None
            if facts.at_rest:
                break
        if self._rests_ticks is not None and not facts.at_rest:
            return None
        touched = self.touched(piece)
        rival = max(p.highest_m for p in facts.pieces if p.piece != piece)
        highest = round(facts[piece].highest_m, 4) > round(rival, 4)
        return judge_die(die, len(touched), highest)

    def _lowered(self, standing: Standing, piece: PieceId, pose: Pose) -> Pose | None:
        x, y, z = pose.position
        least, z = z - BELOW_M, z + ABOVE_M
        while z > least:
            gap = self._gauge.clearance_m(standing, piece, Pose((x, y, z), pose.rotation))
            if gap < 2.0 * GAP_M:
                return Pose((x, y, z), pose.rotation) if gap >= 0.5 * GAP_M else None
            z -= gap - GAP_M
        return None
