"""The form of any game's review: the safety of each turn beside the safest available."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReviewedTurn:
    """One turn, in the players' language."""

    number: int
    seat: int
    done: float
    """0 to 1: how safe what was done was."""
    best: float
    """The same of the safest that was found."""
    ok: bool
    """False for a mistake."""
    line: str


@dataclass(frozen=True)
class Reviewed:
    """The result of a review."""

    turning: str = ""
    """Where the game turned, as a sentence."""
    turned: int | None = None
    """The number of that turn; None in a game without one."""
    picture: str = ""
    """The curve over the game, as SVG."""
