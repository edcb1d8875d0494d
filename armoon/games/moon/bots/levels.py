"""The built-in bots: moths that differ in ways people notice, and never blunder by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass

from armoon.values.choices import Word
from armoon.values.places import SAFEST, PlaceWeights


class BotLevel(Word):
    """The opponents, the weakest first."""

    PIP = "pip"
    NOVA = "nova"
    SYLVA = "sylva"
    LUNA = "luna"


@dataclass(frozen=True)
class BotCharacter:
    """How one of them plays."""

    slip_m: float
    """How far its hand misses, one standard deviation along each axis."""
    slip_rad: float
    """The same of how the ladder is rotated."""
    places: int
    """How many places it weighs before it takes the one that it likes best."""
    taste: PlaceWeights
    patience_s: float
    pace: float
    """Speed of its hand, in parts of a person's usual speed."""
    colour: str
    """The seat's colour that it likes, ``#rrggbb``."""


#: What the built-in ones like: plates, height, and ladders that lean far out; the best of them what holds best.
FLAT = PlaceWeights(safety=1.0, rise=-0.7)
TALL = PlaceWeights(safety=0.5, height=1.0, rise=0.2, ahead=0.2)
DARING = PlaceWeights(safety=0.4, height=0.3, rise=0.6, poise=0.6)
CHARACTERS = {
    BotLevel.PIP: BotCharacter(0.012, math.radians(8.0), 3, FLAT, 0.2, 1.3, "#f0e442"),
    BotLevel.NOVA: BotCharacter(0.0055, math.radians(3.8), 5, TALL, 0.3, 1.1, "#d55e00"),
    BotLevel.SYLVA: BotCharacter(0.0028, math.radians(2.0), 6, DARING, 0.5, 0.9, "#009e73"),
    BotLevel.LUNA: BotCharacter(0.001, math.radians(0.7), 12, SAFEST, 0.7, 0.8, "#56b4e9"),
}
#: Guests' bots have as steady a hand as the best of the house: only their plans differ.
GUEST = BotCharacter(0.001, math.radians(0.7), 12, SAFEST, 0.5, 1.0, "#cc79a7")


def character_of(word: str) -> BotCharacter:
    return CHARACTERS[BotLevel(word)] if word in set(BotLevel) else GUEST
