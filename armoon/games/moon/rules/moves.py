"""The moves of the moon game: everything that can happen to a game, as frozen values for the log."""

from __future__ import annotations

from dataclasses import dataclass, field

from armoon.games.moon.rules.scoring import Extent
from armoon.games.moon.rules.values import Die, Onto, PieceId
from armoon.values.acts import Act


class Move:
    """What can happen to a game: each kind is a class of its own."""


@dataclass(frozen=True)
class Roll(Move):
    """The player on turn rolls; in the final it begins a turn, and the face is MOON (ruling E4).

    The face stands in the move so that the log is the whole truth, and a seeded die refuses any other.
    """

    die: Die


@dataclass(frozen=True)
class Draw(Move):
    """The next ladder of the supply is offered in the lid; it stands in the move as the die's face does."""

    ladder: PieceId


@dataclass(frozen=True)
class Take(Move):
    """The ladder in the lid is taken in the hand."""


@dataclass(frozen=True)
class PutBack(Move):
    """The held ladder goes back into the lid, with no penalty (ours: nothing has happened yet)."""


@dataclass(frozen=True)
class LetGo(Move):
    """The held ladder is let go of."""


@dataclass(frozen=True)
class Settle(Move):
    """Everything is at rest: what the placed ladder touches, and the two heights that MOON compares."""

    touched: tuple[PieceId, ...]
    """The other ladders it touches, starting ladders included."""
    height_m: float
    """Highest point of the placed ladder."""
    rival: PieceId
    """The highest of the other ladders."""
    rival_m: float
    rise_deg: float | None = field(default=None, metadata={"later": True})
    """The angle of its long axis from level, in trials that count it."""


@dataclass(frozen=True)
class Fallen:
    """One ladder that touches table or base, or has left the table."""

    piece: PieceId
    onto: Onto


@dataclass(frozen=True)
class Fall(Move):
    """Ladders fall (ruling F2); whose mistake it is follows from the phase (F5, F6)."""

    fallen: tuple[Fallen, ...]


@dataclass(frozen=True)
class Rest(Move):
    """The structure is at rest again: the incident is closed, and the next fall is another one (F4)."""


@dataclass(frozen=True)
class Rebuild(Move):
    """The structure was put back from saved places; a fall before rest costs nothing (ours)."""


@dataclass(frozen=True)
class TwoHands(Move):
    """The held ladder was touched by a second hand, or passed from hand to hand (ruling F3)."""


@dataclass(frozen=True)
class Timeout(Move):
    """The turn's time has run out (ruling X1): the first time a warning, the second time a mistake."""


@dataclass(frozen=True)
class GiveUp(Move):
    """The player gives the drawn ladder up; it counts as dropped (ours)."""


@dataclass(frozen=True)
class Score(Move):
    """The team spends a tear to score what stands above the lid's edge (ruling C2)."""

    line_m: float
    extents: tuple[Extent, ...]
    """Every ladder of the structure."""


@dataclass(frozen=True)
class Share(Move):
    """The tied players share the victory instead of playing the final, where the edition leaves that to them (E4)."""


#: What a host may ask for (ruling X4).
OVERRULINGS = (Act.GIVE_TEAR_BACK, Act.ADD_TEAR, Act.UNDO)


@dataclass(frozen=True)
class Overrule(Move):
    """The host overrules a verdict; it stands in the log like any other move (ruling X4)."""

    kind: Act
    """One of ``OVERRULINGS``."""
    player: int = 0
    """The seat whose tear it is; ignored when a turn is put back."""
    turns: int = 1
    """How many turns are put back, the one under way included."""
    note: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for an act that is no overruling."""
        if self.kind not in OVERRULINGS:
            raise ValueError(f"{self.kind.value!r} is no overruling")


#: Every kind of move.
MOVE_KINDS: tuple[type[Move], ...] = tuple(Move.__subclasses__())
