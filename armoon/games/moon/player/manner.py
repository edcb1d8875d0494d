"""What the demo's player sees, and its manner: pace, intentions and gestures, all within human abilities."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import cache
from importlib import resources

from armoon.codec import decode_json
from armoon.players.sight import CLOSING_S, Sight
from armoon.values.facts import Facts
from armoon.values.places import Taste
from armoon.values.poses import IDENTITY_POSE, Pose
from armoon.values.scene import Fate

#: A bot is on turn: hands of people do nothing.
BOTS_TURN = "BOT"


@dataclass(frozen=True)
class MoonSight(Sight):
    """The picture as a player understands it."""

    phase: str
    """The name of the phase: ``"ROLL"``, ``"DRAW"``, ``"HOLD"``, ``"SETTLE"`` or ``"OVER"``; or
    ``BOTS_TURN``."""
    die: str | None
    """``"ONE"``, ``"TWO"``, ``"MOON"`` or None before the roll."""
    facts: Facts
    home_from_table: Pose = IDENTITY_POSE
    """How the table is turned."""
    fate: Fate | None = None
    """What the faint ladder shows would become of the held one; None where it shows nothing yet."""


#: A tower that climbs, and doesn't fall.
CLIMBING = Taste(safety=1.0, height=0.4, rise=0.4, ahead=0.3)


class Wish(enum.Enum):
    """The player's intention for the ladder."""

    HONOUR = "honour"
    """Do what the die asks."""
    WRONG_COUNT = "wrong count"
    """Leave it standing, but touching the wrong number of ladders (F1)."""
    TABLE = "table"
    """Let it fall on the table (F2)."""
    DARE = "dare"
    """Let it fall on the structure, where that brings most of it down."""


@dataclass(frozen=True)
class Manner:
    """What differs between players; the defaults are the unhurried one's."""

    wishes: tuple[Wish, ...] = (
        Wish.HONOUR,
        Wish.HONOUR,
        Wish.TABLE,
        Wish.HONOUR,
        Wish.WRONG_COUNT,
        *(3 * (Wish.HONOUR,)),
    )
    """What it means to do in its turns, over and over."""
    trusts_its_hand: bool = False
    """It looks for places at once that forgive half of its unsteadiness, and soon for less."""
    think_s: float = 5.0
    """Maximum thinking time once a place is known,"""
    drops: int = 40
    """... or maximum number of rehearsed drops: a tenth or two of a second's work each."""
    taste: Taste = CLIMBING
    """Of places that hold it takes then what it likes best."""
    sides: int = 6
    """Number of the lid's attitudes that it considers."""
    eager: bool = False
    """While it thinks, its hand is at the lid already; and it carries over and up at once."""
    closing_s: float = CLOSING_S
    """Its fingers close and open in this time."""
    reach_m_s: float = 0.45
    carry_m_s: float = 0.22
    lower_m_s: float = 0.10
    steady_s: float = 0.25
    """Seconds for which it holds still before it lets go,"""
    patience_s: float = 3.5
    """and a goal that can't be reached exactly is let go of after this long."""
    opened_s: float = 0.25
    """Seconds for which it waits with open fingers before it leaves."""
    turns_before: int = 0
    """Before this turn it turns the table, by hand at the rim; 0: never."""
    waits_in: int = 0
    """In this turn it lets the ladder wait in the air for a moment, and takes it again; 0: never."""
    dares_at: int = 0
    """Number of standing ladders from which,"""
    dares_after_s: float = 0.0
    """and time from which it dares (``Wish.DARE``) until much has come down; 0 ladders: never."""


#: Of every demo but the trailer.
UNHURRIED = Manner()


FILE = "trailer.json"


@dataclass(frozen=True)
class Trailer:
    """A seed, and its player's manner."""

    seed: int
    manner: Manner


@cache
def trailer() -> Trailer:
    """Return the one that is kept. Raises ArmoonError for a damaged installation."""
    file = resources.files(__package__) / FILE
    return decode_json(Trailer, file.read_bytes(), f"The file {FILE} is broken", "Install armoon again.")


def manner_of(seed: int) -> Manner:
    """How the demo of a seed is played."""
    return trailer().manner if seed == trailer().seed else UNHURRIED
