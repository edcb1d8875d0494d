"""The events of a moon match besides the referee's, and its figures: named at rest, counted for their players."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.moon.figures.figure import Figure, Figures
from armoon.games.moon.figures.recognise import recognise
from armoon.games.moon.referee import events as referee
from armoon.games.moon.rules.moves import Move
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Reason, Verdict
from armoon.values.facts import Facts
from armoon.values.pieces import LadderSet, PieceId


class FiguresMade:
    """Looks at every ladder that stays where it was placed."""

    def __init__(self, ladders: LadderSet, before: tuple[Figures, ...] = ()) -> None:
        """``before`` is what was made before a resumed game broke off."""
        self._ladders = ladders
        self.made = before

    def of_turn(self, turn: int) -> tuple[Figure, ...]:
        """Return the figures made in a turn."""
        return tuple(figure for made in self.made if made.turn == turn for figure in made.figures)

    def see(self, verdict: Verdict, state: State, facts: Facts) -> Figures | None:
        """Take in a verdict; what its ladder makes, if it makes anything.

        A turn that is put back takes its figures with it (ruling X4); a ladder that falls later has made them.
        """
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
        """The part of the facts whose change is an event."""
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
MoonEvent = Move | referee.Event | Verdict | Figures | FactsChanged | Stood | Hinted | PlaceChosen | GraceOver
