"""The moves of the lake game, as frozen values for the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from armoon.games.lake.rules.values import Colour, Direction, Half


@dataclass(frozen=True)
class Choose:
    """The player on turn chooses a colour (ruling L2)."""

    colour: Colour


@dataclass(frozen=True)
class Carry:
    """The player on turn lifts the upper floors of a stack and carries them round the lake (ruling L3)."""

    star: int
    """Where they are lifted, 0 to 31, numbered clockwise."""
    floors: int
    """How many, counted from the top."""
    direction: Direction


@dataclass(frozen=True)
class Split:
    """The player on turn keeps one half of the completed tower and gives the other away (ruling L6)."""

    keep: Half
    heir: int
    """The seat that gets the other half."""


@dataclass(frozen=True)
class TakeBack:
    """The last turns are taken back, the one under way included (ours); it stands in the log like any move."""

    turns: int = 1


Move = Choose | Carry | Split | TakeBack
#: Every kind of move.
MOVE_KINDS: tuple[type[Move], ...] = get_args(Move)
