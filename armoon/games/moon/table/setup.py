"""The set-up of a moon match, beside its table: with its intakes, enough to replay it bit for bit."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace

from armoon.codec import convert, encode
from armoon.engine.setup import Record, TableSetup
from armoon.games.moon.figures.recognise import recognise
from armoon.games.moon.figures.shape import Figure, Figures
from armoon.games.moon.options import BOTS, EDITION, SLOTS, house_from_plain
from armoon.games.moon.referee import events as referee
from armoon.games.moon.rules.editions import Options
from armoon.games.moon.rules.state import Move, State
from armoon.games.moon.rules.values import Reason, Verdict
from armoon.games.moon.table.saving import MoonStart
from armoon.options.option import read_record
from armoon.values.choices import Slots
from armoon.values.pieces import Facts, LadderSet, PieceId
from armoon.values.text import short_repr
from armoon.world.ladders import BOX_SEED

#: Maximum wait for a die, seconds.
LONGEST_AUTO_ROLL_S = 1e6


@dataclass(frozen=True)
class MoonSetup:
    """Everything of the game that is settled before the first roll."""

    seed: int
    edition: str
    players: tuple[str, ...]
    auto_roll_s: float | None
    """The die rolls by itself when the table has been at rest this long; None: only when asked to."""
    slots: Slots = Slots.FACING
    ladder_seed: int = BOX_SEED
    options: Options = field(default_factory=Options)
    first_player: int = 0
    start: MoonStart | None = None

    def to_record(self) -> Record:
        own = asdict(replace(self, start=None))
        start = None if self.start is None else self.start.to_record()
        return {**own, "options": encode(self.options), "start": start}

    @staticmethod
    def from_record(record: Record) -> MoonSetup:
        """Read what ``to_record`` wrote, among other fields. Raises ValueError, which names the field, or SaveError."""
        line = convert(_SetupRecord, record)
        start = None if line.start is None else MoonStart.from_record(line.start)
        own = {
            "options": house_from_plain(line.options),
            "start": start,
            **read_record((EDITION, SLOTS), record),
        }
        return MoonSetup(**{**vars(line), **own})


def table_from_record(record: Record) -> TableSetup:
    """Return the table of a log or save, with this game's bots. Raises ValueError, which names the field."""
    return replace(TableSetup.from_record(record), **read_record((BOTS,), record))


@dataclass(frozen=True)
class _SetupRecord:
    """The set-up's fields in a file; two of them are options, which are read as such."""

    seed: int
    edition: str
    slots: str
    players: tuple[str, ...]
    auto_roll_s: float | None
    ladder_seed: int
    options: Record
    first_player: int
    start: Record | None

    def __post_init__(self) -> None:
        if self.auto_roll_s is not None and not 0.0 <= self.auto_roll_s <= LONGEST_AUTO_ROLL_S:
            raise ValueError(f"auto_roll_s: {short_repr(self.auto_roll_s)} is out of the question")


class FiguresMade:
    """Looks at every ladder that stays where it was placed."""

    def __init__(self, ladders: LadderSet, before: tuple[Figures, ...] = ()) -> None:
        self._ladders = ladders
        self.made = before

    def of_turn(self, turn: int) -> tuple[Figure, ...]:
        return tuple(figure for made in self.made if made.turn == turn for figure in made.figures)

    def see(self, verdict: Verdict, state: State, facts: Facts) -> Figures | None:
        """Return the figures of a verdict's ladder, if any; a turn that is put back takes its figures with it (X4)."""
        if verdict.reason is Reason.TURN_PUT_BACK:
            self.made = tuple(made for made in self.made if made.turn < state.turn)
            return None
        piece = verdict.ladder
        if piece is None or piece not in state.placed or any(made.piece == piece for made in self.made):
            return None
        by_piece = {made.piece: made.figures for made in self.made}
        earlier = [by_piece.get(other, ()) for other in state.placed if other != piece]
        figures = recognise(self._ladders, facts, piece, earlier)
        made = Figures(verdict.turn, verdict.player, piece, figures)
        self.made += (made,)
        return made if figures else None


@dataclass(frozen=True)
class FactsChanged:
    """Another piece is held, has come to rest, touches or no longer touches."""

    facts: Facts

    @property
    def key(self) -> object:
        facts = self.facts
        return (
            facts.held,
            facts.held_frozen,
            facts.held_waits,
            facts.at_rest,
            tuple((p.piece, p.status) for p in facts.pieces),
            tuple((c.a, c.b) for c in facts.contacts),
        )


@dataclass(frozen=True)
class Stood:
    """Where every body is, at a verdict and at the end."""

    facts: Facts


@dataclass(frozen=True)
class Hinted:
    """A player has asked for a hint."""

    player: int


@dataclass(frozen=True)
class PlaceChosen:
    """The house's hand carries that player's ladder to the place of this rank; 0: freely."""

    player: int
    rank: int


@dataclass(frozen=True)
class GraceOver:
    """The hand stayed away for longer than the grace time: its ladder is back in the lid (ruling X2)."""

    ladder: PieceId


#: Everything that a moon match tells: the moves, applied in their order, give the game again.
MoonEvent = (
    Move | referee.RefereeEvent | Verdict | Figures | FactsChanged | Stood | Hinted | PlaceChosen | GraceOver
)
