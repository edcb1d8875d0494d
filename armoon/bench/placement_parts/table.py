"""The benchmark's tables: a match's first turn with the ladder in the lid and the die lying."""

from __future__ import annotations

from armoon import __version__
from armoon.bench.placement_parts.target import Target, TargetFinder
from armoon.camera.seat import Seat
from armoon.clock import TICK_S
from armoon.engine.intake import Intake
from armoon.engine.setup import table_at
from armoon.games.moon.match import MoonMatch, MoonOutput
from armoon.games.moon.rules.values import Verdict
from armoon.games.moon.setup import MoonSetup
from armoon.hands.pose.metric import DEFAULT_PALM_M
from armoon.hands.tracking.landmarks import Hands
from armoon.values.facts import Facts, PieceStatus
from armoon.values.pieces import PieceId
from armoon.values.poses import Vec3

EDITION = "bombyx-2017"
#: The die rolls by itself when the table has been at rest this long.
ROLL_AFTER_S = 0.25
#: The first ladder lies in the lid after less than this.
LAYING_PATIENCE_S = 5.0


class PlacementTable:
    """A match up to where its first ladder waits to be taken, and on from there; close it."""

    def __init__(self, seed: int, seat: Seat) -> None:
        """Lay the table of ``seed`` and roll its die."""
        self.match = MoonMatch(
            table_at(seat, __version__, DEFAULT_PALM_M),
            MoonSetup(seed=seed, edition=EDITION, players=("Ann", "Ben"), auto_roll_s=ROLL_AFTER_S),
        )
        self.time_s = 0.0
        """The clock of the last tick."""
        self.verdict: Verdict | None = None
        """The referee's on the ladder, once it is given."""
        while not (waiting := self._offered()):
            self.tick(self.time_s + TICK_S, None)
            assert self.time_s < LAYING_PATIENCE_S, "the table is never laid"
        self.piece: PieceId = waiting[0]

    def close(self) -> None:
        """Give the physics back."""
        self.match.close()

    @property
    def facts(self) -> Facts:
        """What is true now."""
        return self.match.facts

    def tick(self, time_s: float, hands: Hands | None) -> None:
        """One tick of the match; ``hands`` if there is a new result."""
        self.time_s = time_s
        out = self.match.advance(Intake(time_s, 1, hands))
        assert isinstance(out, MoonOutput)
        if self.verdict is None and out.verdicts:
            self.verdict = out.verdicts[0]

    def find_target(self, view: Vec3, seed: int) -> Target | None:
        """Where the ladder is to go; None where no place forgives enough. ``view``: the camera's direction."""
        die = self.match.status.die
        assert die is not None
        finder = TargetFinder(self.match.ladders, self.match.base, self.facts, self.piece, view)
        try:
            return finder.find(die.value, seed)
        finally:
            finder.close()

    def _offered(self) -> list[PieceId]:
        return [p.piece for p in self.facts.pieces if p.status is PieceStatus.OFFERED]
