"""The figures of the book that each player has made, for its pages."""

from __future__ import annotations

import datetime
from dataclasses import dataclass


@dataclass(frozen=True)
class Making:
    """How often a player has made a figure, and on which day last."""

    name: str
    count: int
    last: datetime.date


@dataclass(frozen=True)
class BookTold:
    """By figure the players who have made it, the most frequent first."""

    made: tuple[tuple[str, tuple[Making, ...]], ...] = ()

    def of(self, figure: str) -> tuple[Making, ...]:
        """Who has made one."""
        return dict(self.made).get(figure, ())
