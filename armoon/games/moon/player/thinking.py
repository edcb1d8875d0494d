"""How much the demo's player thinks in one frame, and when a thought is over."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from armoon.games.moon.player.manner import Manner, MoonSight, Wish
from armoon.games.moon.player.placer import Placer, Plan
from armoon.values.pieces import PieceId
from armoon.values.poses import Quat

#: Of the time of one thought, what each lower standard adds once a good place is known, and by when all of them have
#: had their time while none is.
AGAIN, PATIENT = 0.25, (1.3, 1.7, 2.6, 3.2)
#: Effort of an eager player's thought in one frame, with nothing else to do and beside carrying: 0.07 ms each on a
#: laptop's processor; and of a step at least.
THINKS, THINKS_BESIDE, LEAST_EFFORT = 420, 240, 10


class Thinking:
    """One player's thoughts of where to lay a ladder."""

    def __init__(self, placer: Placer, manner: Manner, steps_per_frame: int) -> None:
        """``steps_per_frame`` are those of an unhurried player."""
        self.placer, self._manner, self._steps_per_frame = placer, manner, steps_per_frame
        self._credit = 0
        """Effort that may still go into this frame's thought."""

    def think(
        self, sight: MoonSight, piece: PieceId, sides: tuple[Quat, ...], wished: Wish, for_s: float
    ) -> tuple[bool, Plan | None]:
        """One frame of a thought that has taken ``for_s``: whether it is over, and its plan."""
        assert sight.die is not None
        placer = self.placer
        question = (sight.facts, piece, sides, sight.die, wished, sight.home_from_table)
        for _ in self._steps(THINKS):
            # Of every step anew: each lower standard has a time of its own.
            hurried = for_s > self._patience_s or placer.drops >= self._manner.drops
            plan = placer.think(*question, hurried=hurried)
            if plan is not None or placer.given_up:
                return True, plan
        return False, None

    def go_on(self, sight: MoonSight, piece: PieceId, plan: Plan) -> None:
        """Think on with the ladder at hand, in one frame: of places to which it can be brought as it is taken."""
        assert sight.die is not None
        for _ in self._steps(THINKS_BESIDE):
            self.placer.go_on(sight.facts, piece, plan.offered, sight.die)

    def better_than(self, plan: Plan | None) -> Plan | None:
        """Return a plan that is liked better by now, if an eager player has one."""
        if plan is None or not self._manner.eager:
            return None
        better = self.placer.best_at_hand(plan.offered)
        return None if better is None or better.release == plan.release else better

    def _steps(self, effort: int) -> Iterator[None]:
        """Yield for each step of a frame's thought; an eager one's are so many as take this effort, on average."""
        if not self._manner.eager:
            yield from itertools.repeat(None, self._steps_per_frame)
            return
        self._credit = min(effort, self._credit + effort)
        while self._credit > 0:
            before = self.placer.effort
            yield
            self._credit -= max(LEAST_EFFORT, self.placer.effort - before)

    @property
    def _patience_s(self) -> float:
        """How long it thinks before it lowers its standards once more."""
        stage = self.placer.stage
        return self._manner.think_s * (1.0 + AGAIN * stage if self.placer.knows else PATIENT[stage])
