"""Figures as plain values: the shapes, which ladders make one, and how many each player has made."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from armoon.values.pieces import PieceId


class FigureKind(enum.Enum):
    """The eight printed shapes, and the fourth diagonal that the printed book warns of.

    The value names the texts: ``figure.<value>.name`` and ``figure.<value>.what``.
    """

    FOOT_HOOK = "foot_hook"
    CRAZY_DIAGONAL = "crazy_diagonal"
    SWING = "swing"
    SIN_OF_PRIDE = "sin_of_pride"
    BOLT = "bolt"
    CANDLE = "candle"
    TIGHTROPE_WALKER = "tightrope_walker"
    SHAMEFUL_SUPPORT = "shameful_support"
    FOURTH_DIAGONAL = "fourth_diagonal"
    """Not a shape of its own: one Crazy Diagonal more than the Sin of Pride."""

    @property
    def name_key(self) -> str:
        """The catalogue's key of the figure's name, as the referee calls it out."""
        return f"figure.{self.value}.name"


#: The eight shapes of the printed book, in its order.
PRINTED: tuple[FigureKind, ...] = tuple(kind for kind in FigureKind if kind is not FigureKind.FOURTH_DIAGONAL)


@dataclass(frozen=True)
class Figure:
    """A shape that the placed ladder makes."""

    kind: FigureKind
    piece: PieceId
    others: tuple[PieceId, ...]
    """The other ladders that it is made with, sorted."""


@dataclass(frozen=True)
class Figures:
    """The figures formed by one placed ladder; without any it is remembered as looked at."""

    turn: int
    player: int
    """Seat of who placed it."""
    piece: PieceId
    figures: tuple[Figure, ...]


def tally_of(made: Iterable[Figures], players: int) -> tuple[Counter[FigureKind], ...]:
    """Return for each seat how often its player has made each shape."""
    tally = tuple(Counter[FigureKind]() for _ in range(players))
    for one in made:
        tally[one.player].update(figure.kind for figure in one.figures)
    return tally
