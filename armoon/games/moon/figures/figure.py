"""Figures as plain values: the shapes, which ladders make one, and how many each player has made."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
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
class FigureTally:
    """How often each player has made each shape."""

    counts: tuple[tuple[tuple[FigureKind, int], ...], ...]
    """For each seat the shapes made and how often, in the order of ``FigureKind``."""

    @staticmethod
    def empty(players: int) -> FigureTally:
        """No player has made any yet."""
        return FigureTally(((),) * players)

    def plus(self, seat: int, made: Iterable[Figure]) -> FigureTally:
        """With the figures that the player of ``seat`` has just made; IndexError for a seat that isn't there."""
        if not 0 <= seat < len(self.counts):
            raise IndexError(f"there is no seat {seat}")
        own = dict(self.counts[seat])
        for figure in made:
            own[figure.kind] = own.get(figure.kind, 0) + 1
        row = tuple((kind, own[kind]) for kind in FigureKind if kind in own)
        return FigureTally((*self.counts[:seat], row, *self.counts[seat + 1 :]))

    def of(self, seat: int, kind: FigureKind) -> int:
        """How often a player has made a shape."""
        return dict(self.counts[seat]).get(kind, 0)

    def by_name(self, players: Sequence[str]) -> dict[str, dict[str, int]]:
        """For each player with figures, the shapes' names and how often."""
        return {
            name: {kind.value: count for kind, count in row}
            for name, row in zip(players, self.counts, strict=True)
            if row
        }

    def total(self, seat: int) -> int:
        """How many figures a player has made."""
        return sum(count for _, count in self.counts[seat])
