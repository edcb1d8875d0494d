"""A table on which ladders are placed in earnest, one after another, through the game's own world."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from armoon.values.facts import Facts
from armoon.values.orders import Place
from armoon.values.pieces import BASE, TABLE, Base, LadderSet, PieceId
from armoon.values.poses import Pose
from armoon.world.base import make_base
from armoon.world.checks import Standing
from armoon.world.ladders import make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.standing import standing_of
from benchmarks.structures.towers import lower
from benchmarks.structures.trial import TrialTable

#: In the quick sieve only the new ladder moves; then the real drop is given as long as the game gives it.
SIEVE_S = 1.5
REST_TICKS = 900
#: A placement that pushes another ladder farther than this has brought something down or torn it out.
MOST_MOVED_M = 0.012


@dataclass(frozen=True)
class Placement:
    """A ladder just placed, everything at rest, and what there is to know of it."""

    ladder_seed: int
    ladders: LadderSet
    base: Base
    facts: Facts
    placed: PieceId


@lru_cache(maxsize=32)
def ladder_set(seed: int) -> LadderSet:
    """Return the set of a seed; making one takes most of a second."""
    return make_ladder_set(seed)


class Table:
    """One growing structure; a drop that fails leaves it as it was."""

    def __init__(self, ladder_seed: int, configuration: str, starting: int, first: int = 0) -> None:
        """Make a table with ``starting`` ladders of the set in the slots, from the ``first`` on."""
        self.ladder_seed = ladder_seed
        self.ladders = ladder_set(ladder_seed)
        started = tuple(self.ladders.ladders[first : first + starting])
        self.base = make_base(started, configuration)
        self._trials = TrialTable(self.ladders, self.base)
        self._world = LocalWorld(self.ladders, self.base)
        for ladder, slot in zip(started, self.base.slots, strict=True):
            self._world.apply(Place(ladder.piece, slot, fixed=True))
        self.facts = self._world.tick(None)

    @property
    def standing(self) -> Standing:
        """Everything in play."""
        return standing_of(self.facts)

    def close(self) -> None:
        """Free the engines."""
        self._trials.close()
        self._world.close()

    def supply(self) -> list[PieceId]:
        """Return the ladders that aren't in play."""
        there = {piece.piece for piece in self.facts.pieces}
        return [ladder.piece for ladder in self.ladders.ladders if ladder.piece not in there]

    def drop(self, piece: PieceId, start: Pose) -> Placement | None:
        """Lower a ladder straight down from ``start``, let go just above the first contact."""
        release = self.lowered(piece, start)
        return None if release is None else self.let_go(piece, release)

    def clear(self, piece: PieceId, pose: Pose) -> bool:
        """Whether a ladder at this pose overlaps nothing."""
        return self._trials.clearance_m(self.standing, piece, pose, 2e-4) >= 1.5e-4

    def let_go(self, piece: PieceId, release: Pose) -> Placement | None:
        """Let go of a ladder; None, and all as before, if it doesn't come to rest or anything falls."""
        frozen = [(name, pose, True) for name, pose, _ in self.standing]
        sieved = self._trials.try_drop(frozen, piece, release, SIEVE_S)
        # What swings isn't at rest yet; what has fallen never will be.
        if sieved.fell or not sieved.start_clear or not sieved.contacts:
            return None
        before = self.facts
        self._world.apply(Place(piece, release, fixed=False))
        after = self._rest()
        if after is None or self._moved_m(before, after) > MOST_MOVED_M:
            self.take_back(standing_of(before))
            return None
        self.facts = after
        return Placement(self.ladder_seed, self.ladders, self.base, after, piece)

    def lowered(self, piece: PieceId, start: Pose) -> Pose | None:
        """Return the pose just above the first contact straight below ``start``, if there is one."""
        return lower(self._trials, self.ladders, self.standing, piece, start)

    def take_back(self, before: Standing) -> None:
        """Back to what stood before, if a placement wasn't what was wanted."""
        self._world.rebuild(before)
        self.facts = self._rest() or self._world.tick(None)

    def _rest(self) -> Facts | None:
        for _ in range(REST_TICKS):
            facts = self._world.tick(None)
            if any({BASE, TABLE} & {c.a, c.b} for c in facts.contacts):
                return None
            if facts.at_rest:
                return facts
        return None

    @staticmethod
    def _moved_m(before: Facts, after: Facts) -> float:
        return max(math.dist(p.pose.position, after[p.piece].pose.position) for p in before.pieces)
