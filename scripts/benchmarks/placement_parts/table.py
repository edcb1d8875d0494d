"""The benchmark's tables: a match with this many ladders standing, the next in the lid and the die lying."""

from __future__ import annotations

from armoon import __version__
from armoon.camera.seat import Seat
from armoon.clock import TICK_S
from armoon.engine.intake import Intake
from armoon.engine.setup import table_at
from armoon.games.moon.choosing.foretelling import Foretelling
from armoon.games.moon.rules.values import Verdict
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.records import setup_to_plain
from armoon.games.moon.table.saving import Start
from armoon.games.moon.table.setup import MoonSetup
from armoon.hands.tracking.landmarks import Hands
from armoon.placement.foretell import KNOWN_DROPS
from armoon.values.choices import Air, Slots
from armoon.values.facts import Facts, PieceStatus
from armoon.values.intents import Command, GripIntent
from armoon.values.pieces import PieceId
from benchmarks.placement_parts.cases import EDITION, PLAYERS, Case
from benchmarks.structures.towers import CONFIGURATION

#: The die rolls by itself when the table has been at rest this long.
ROLL_AFTER_S = 0.25
#: Ticks until the faint ladder has a colour in the game, by how many ladders stand: the medians of docs/places.md.
COLOUR_TICKS = {2: 1, 8: 8, 16: 31, 24: 46}
#: The ladder lies in the lid after less than this; a tower that is set up comes to rest first.
LAYING_PATIENCE_S = 30.0


class PlacementTable:
    """A match up to where its ladder waits to be taken, and on from there; close it."""

    def __init__(
        self,
        seed: int,
        seat: Seat,
        case: Case | None = None,
    ) -> None:
        """Lay the table of ``seed``, or of a case, and roll its die."""
        self.match = match_of(seed, seat, case)
        standing = 2 if case is None else case.standing
        self.foretelling = self._foretelling_of(standing)
        """What the faint ladder's colour comes from; in lock step, whatever the machine."""
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
        self.foretelling.close()
        self.match.close()

    def _foretelling_of(self, standing: int) -> Foretelling:
        ticks = COLOUR_TICKS[standing]
        return Foretelling(self.match, on_time=False, lock_ticks=ticks, lock_drops=KNOWN_DROPS)

    @property
    def facts(self) -> Facts:
        """What is true now."""
        return self.match.facts

    def tick(
        self,
        time_s: float,
        hands: Hands | None,
        commands: tuple[Command, ...] = (),
        grips: tuple[GripIntent, ...] = (),
    ) -> None:
        """One tick of the match; ``hands`` if there is a new result."""
        self.time_s = time_s
        out = self.match.advance(Intake(time_s, 1, hands, commands, grips))
        self.verdict = self.verdict or next(iter(out.of(Verdict)), None)

    def _offered(self) -> list[PieceId]:
        return [p.piece for p in self.facts.pieces if p.status is PieceStatus.OFFERED]


def match_of(seed: int, seat: Seat, case: Case | None = None) -> MoonMatch:
    """Return the game of a seed, or of a case, before its first tick; close it."""
    start, turned_rad = None, 0.0
    if case is not None:
        turned_rad, seed = case.turned_rad, case.game_seed
        start = started(case) if case.placed else None
    return MoonMatch(
        table_at(
            seat,
            __version__,
            air=Air.WAITS,
            turned_rad=turned_rad,
        ),
        MoonSetup(
            seed=seed,
            edition=EDITION,
            players=PLAYERS,
            auto_roll_s=ROLL_AFTER_S,
            slots=Slots.FACING if case is None else Slots(CONFIGURATION),
            start=start,
        ),
    )


def started(case: Case) -> Start:
    """Return a game that begins where this many ladders stand."""
    state = case.state()
    return Start(
        state=state,
        structure=case.placed,
        at_rest=True,
        places={},
        rules=setup_to_plain(state),
        moves=(),
        figures=(),
        hints=(0,) * len(PLAYERS),
        chosen=(0,) * len(PLAYERS),
        by_card=(0,) * len(PLAYERS),
    )
