"""The animation of points won and lost: from the scoring stack to the player's line, or back from it."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.engine.events import Happened
from armoon.games.lake.rules.moves import Carry, Move
from armoon.games.lake.rules.ring import landing
from armoon.games.lake.rules.scoring import points
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import Phase
from armoon.games.lake.table.flights import FLIGHT_TICKS
from armoon.games.lake.table.layout import CENTRE_X_M, CENTRE_Y_M, TOWER_FOOT, stack_top
from armoon.values.poses import Vec3
from armoon.values.scene import Counter

#: Ticks of 1/60 s for which the points travel, after the domes have come down.
LEAVE_TICKS, WAY_TICKS = FLIGHT_TICKS + 4, 48


@dataclass(frozen=True)
class Scored:
    """The points that a move won or lost for one player."""

    seat: int
    by: int
    place: Vec3
    tick: int
    """Tick of the move."""

    def along(self, tick: int) -> float:
        """0 before the points leave, 1 once they have come."""
        return min(1.0, max(0.0, (tick - self.tick - LEAVE_TICKS) / WAY_TICKS))


@dataclass(frozen=True)
class Scoring:
    """The points of the last moves, until one is undone."""

    after: State | None = None
    """The position that they led to."""
    scored: tuple[Scored, ...] = ()

    def of(self, played: Happened[Move], tick: int) -> Scoring:
        """Return the same with one more move; what is still on its way goes on."""
        after: State = played.state
        place = _place(played)
        changes = zip(points(played.before), points(after), strict=True)
        new = [Scored(seat, b - a, place, tick) for seat, (a, b) in enumerate(changes) if a != b]
        under_way = [one for one in self.scored if one.along(tick) < 1.0]
        return Scoring(after, (*under_way, *new))

    def counters(self, state: State, tick: int) -> tuple[Counter, ...]:
        """Those that are seen on their way."""
        if state != self.after:
            return ()
        moving = ((one, one.along(tick)) for one in self.scored)
        return tuple(
            # What is lost goes the other way: from the player's line to where it was lost.
            Counter(one.seat, f"+{one.by}", one.place, part)
            if one.by > 0
            else Counter(one.seat, f"−{-one.by}", one.place, 1.0 - part, won=False)
            for one, part in moving
            if 0.0 < part < 1.0
        )

    def shown(self, state: State, tick: int) -> tuple[int, ...]:
        """Each player's points as far as they have come; what is lost is gone at once."""
        counts = list(points(state))
        for one in self.scored if state == self.after else ():
            if one.by > 0 and one.along(tick) < 1.0:
                counts[one.seat] -= one.by
        return tuple(counts)


#: No move was made.
NOTHING = Scoring()


def _place(played: Happened[Move]) -> Vec3:
    """Where a move is seen to have made its points."""
    move, before, after = played.event, played.before, played.state
    if isinstance(move, Carry):
        star = landing(before.stars, move.star, move.direction)
        if star is not None and after.stars[star]:
            return stack_top(star, len(after.stars[star]))
        return TOWER_FOOT
    return TOWER_FOOT if before.phase is Phase.SPLIT else (CENTRE_X_M, CENTRE_Y_M, 0.02)
