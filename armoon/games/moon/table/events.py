"""The events of a moon match besides the referee's: the table's own, and the union of all."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.moon.referee import events as referee
from armoon.games.moon.rules.moves import Move
from armoon.games.moon.rules.values import Verdict
from armoon.games.moon.table.figures_made import Figures
from armoon.values.facts import Facts
from armoon.values.pieces import PieceId


@dataclass(frozen=True)
class FactsChanged:
    """Another piece is held, has come to rest, touches or no longer touches."""

    facts: Facts

    @property
    def key(self) -> object:
        """What of the facts is worth an event when it changes."""
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
    """That player has asked where the ladder would hold."""

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
MoonEvent = Move | referee.Event | Verdict | Figures | FactsChanged | Stood | Hinted | PlaceChosen | GraceOver
