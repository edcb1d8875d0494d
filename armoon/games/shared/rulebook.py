"""A game's rules for its players: a few screens of short steps, each a sentence or two with a picture that moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from armoon.values.drawing import Drawing

#: A step's picture from its beginning (0) to its end (1).
Moving = Callable[[float], Drawing]
#: Letters per second of a slowly reading child, and the least length of a step, seconds.
LETTERS_A_SECOND = 13.0
SHORTEST_STEP_S = 5.0


@dataclass(frozen=True)
class RuleStep:
    """One thing to know."""

    name: str
    """Unique in its game, for citation."""
    sentence: str
    """In the players' language."""
    picture: Moving

    @property
    def seconds(self) -> float:
        """How long its picture plays: as long as its sentence takes to read."""
        return max(SHORTEST_STEP_S, len(self.sentence) / LETTERS_A_SECOND)


@dataclass(frozen=True)
class RuleScreen:
    """What belongs together."""

    name: str
    heading: str
    steps: tuple[RuleStep, ...]


@dataclass(frozen=True)
class RuleBook:
    """All rules of one game as it is played with certain options."""

    title: str
    """Of these rules among the game's others, as its edition."""
    screens: tuple[RuleScreen, ...]


def ramp(time: float, begin: float, end: float) -> float:
    """0 before ``begin``, 1 after ``end``, and gently from one to the other between."""
    part = min(1.0, max(0.0, (time - begin) / (end - begin)))
    return part * part * (3.0 - 2.0 * part)
