"""What a game may have or not have: pages offer what it has, and everything else says that it hasn't."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Feature(enum.Enum):
    """Something that a player can ask of some games."""

    ROLL = "roll"
    """A die to roll."""
    GIVE_UP = "give_up"
    """A piece can be given up for lost."""
    PUT_BACK = "put_back"
    """What is held can go back to where it was taken."""
    SCORE = "score"
    """A team can score when it chooses to."""
    UNDO = "undo"
    """Turns can be put back."""
    OVERRULE = "overrule"
    """A host can change what players have been charged."""
    BOTS = "bots"
    """Programs can play seats."""
    EDITIONS = "editions"
    """It was published in several editions, with house options."""
    PRACTICE = "practice"
    """It can be practised, and has a guided first game and a book of figures."""
    CHOOSE = "choose"
    """Moves can be chosen from a list, by keys."""


@dataclass(frozen=True)
class GameCard:
    """What the screens know of a game that can be played."""

    name: str
    fewest: int
    """The smallest party."""
    most: int
    """The largest party."""
    has: frozenset[Feature]
    title: str = ""
    """In the players' language; empty: the catalogue has it."""
