"""The referee's events, besides verdicts: plain values for sound, speech, overlay and log."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.moon.rules.state import Move
from armoon.games.moon.rules.values import Die, Out, Outcome, PieceId, Refusal, Verdict
from armoon.values.acts import Act
from armoon.values.pieces import Order


class Event:
    """What the referee tells besides verdicts and moves: each kind is a class of its own."""


@dataclass(frozen=True)
class TurnBegan(Event):
    """A player's turn begins, who may roll."""

    player: int
    turn: int


@dataclass(frozen=True)
class Rolled(Event):
    """The die lies."""

    player: int
    die: Die


@dataclass(frozen=True)
class Drawn(Event):
    """A ladder is offered in the lid."""

    player: int
    ladder: PieceId


@dataclass(frozen=True)
class Taken(Event):
    """The offered ladder is in the hand."""

    player: int
    ladder: PieceId


@dataclass(frozen=True)
class BackInLid(Event):
    """The ladder is in the lid again, with no penalty."""

    player: int
    ladder: PieceId


@dataclass(frozen=True)
class Released(Event):
    """The ladder was let go of; it settles."""

    player: int
    ladder: PieceId


@dataclass(frozen=True)
class Parked(Event):
    """The ladder was let go of in the air, and waits there (ruling T3); or it was taken again."""

    player: int
    ladder: PieceId
    waits: bool


@dataclass(frozen=True)
class StoodBack(Event):
    """A starting ladder that had come out is in its slot again (ruling M3)."""

    ladder: PieceId


@dataclass(frozen=True)
class Refused(Event):
    """A wish that can't be granted now; a refused roll ``waits`` and is granted at rest."""

    what: Act
    reason: Refusal
    waits: bool = False


@dataclass(frozen=True)
class PlayerOut(Event):
    """A player is out of the game, and why."""

    player: int
    why: Out


@dataclass(frozen=True)
class FinalBegan(Event):
    """These players play the final (ruling E4)."""

    players: tuple[int, ...]


@dataclass(frozen=True)
class GameOver(Event):
    """The game has ended, and why."""

    outcome: Outcome


@dataclass(frozen=True)
class Paused(Event):
    """Pause began (True) or ended."""

    paused: bool


@dataclass(frozen=True)
class Judgement:
    """Everything the referee made of one tick, each tuple in order of happening."""

    orders: tuple[Order, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    events: tuple[Event, ...] = ()
    moves: tuple[Move, ...] = ()
    """For the log: these moves, applied to the state before, give the state after."""
