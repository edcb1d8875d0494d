"""The referee's events, besides verdicts: plain values for sound, speech, overlay and log."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.moon.rules.moves import Move
from armoon.games.moon.rules.values import Die, Out, Outcome, PieceId, Refusal, Verdict
from armoon.values.acts import Act
from armoon.values.orders import Order


@dataclass(frozen=True)
class TurnBegan:
    """That player may roll."""

    player: int
    turn: int


@dataclass(frozen=True)
class Rolled:
    """The die lies."""

    player: int
    die: Die


@dataclass(frozen=True)
class Drawn:
    """A ladder is offered in the lid."""

    player: int
    ladder: PieceId


@dataclass(frozen=True)
class Taken:
    """The offered ladder is in the hand."""

    player: int
    ladder: PieceId


@dataclass(frozen=True)
class BackInLid:
    """The ladder is in the lid again, with no penalty."""

    player: int
    ladder: PieceId


@dataclass(frozen=True)
class Released:
    """The ladder was let go of; it settles."""

    player: int
    ladder: PieceId


@dataclass(frozen=True)
class Parked:
    """The ladder was let go of in the air, and waits there (ruling T3); or it was taken again."""

    player: int
    ladder: PieceId
    waits: bool


@dataclass(frozen=True)
class StoodBack:
    """A starting ladder that had come out is in its slot again (ruling M3)."""

    ladder: PieceId


@dataclass(frozen=True)
class Refused:
    """A wish that can't be granted now; a refused roll ``waits`` and is granted at rest."""

    what: Act
    reason: Refusal
    waits: bool = False


@dataclass(frozen=True)
class PlayerOut:
    """A player is out of the game, and why."""

    player: int
    why: Out


@dataclass(frozen=True)
class FinalBegan:
    """These players play the final (ruling E4)."""

    players: tuple[int, ...]


@dataclass(frozen=True)
class GameOver:
    """The game has ended, and why."""

    outcome: Outcome


@dataclass(frozen=True)
class Paused:
    """Pause began (True) or ended."""

    paused: bool


Event = (
    TurnBegan
    | Rolled
    | Drawn
    | Taken
    | BackInLid
    | Released
    | Parked
    | StoodBack
    | Refused
    | PlayerOut
    | FinalBegan
    | GameOver
    | Paused
)


@dataclass(frozen=True)
class Judgement:
    """Everything the referee made of one tick, each tuple in order of happening."""

    orders: tuple[Order, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    events: tuple[Event, ...] = ()
    moves: tuple[Move, ...] = ()
    """For the log: these moves, applied to the state before, give the state after."""
