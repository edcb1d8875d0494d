"""A handicap: it evens out players' strengths, is set per player and shown to all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from armoon.values.choices import Word

#: Maximum numbers of spared mistakes and of hints, where they are counted.
MOST_SPARED, MOST_HINTS = 9, 99


class Helping(Word):
    """Which helps for the eye a player has while on turn."""

    USUAL = "usual"
    """Those of the settings."""
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True)
class Handicap:
    """One player's handicap. Raises ValueError for a value out of range."""

    spared: int = 0
    """Number of first mistakes that cost no tear."""
    hints: int | None = None
    """Number of hints that may be asked for in a game; None: no limit."""
    helps: Helping = Helping.USUAL

    def __post_init__(self) -> None:
        if not isinstance(self.spared, int) or not 0 <= self.spared <= MOST_SPARED:
            raise ValueError(f"{self.spared!r} mistakes spared")
        hints = self.hints
        if hints is not None and (not isinstance(hints, int) or not 0 <= hints <= MOST_HINTS):
            raise ValueError(f"{hints!r} hints")


#: Nothing is made easier or harder.
LEVEL = Handicap()


def of_seat(handicaps: Sequence[Handicap], seat: int) -> Handicap:
    """Return that seat's handicap, or none."""
    return handicaps[seat] if seat < len(handicaps) else LEVEL


def declared(handicaps: Sequence[Handicap]) -> tuple[Handicap, ...]:
    """Return the same; none where nobody has one."""
    return tuple(handicaps) if any(one != LEVEL for one in handicaps) else ()
