"""Who plays first: by choice, by the last full moon seen, the youngest, or chance (ruling M3)."""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from armoon.values.acts import Act
from armoon.values.choices import Palette, Word
from armoon.values.look import PALETTES
from armoon.values.pieces import Command


def shuffled(seed: int, pieces: Sequence[str], purpose: str = "supply") -> tuple[str, ...]:
    chance = random.Random(f"{seed}:{purpose}")
    order = list(pieces)
    for last in range(len(order) - 1, 0, -1):
        other = int(chance.random() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return tuple(order)


#: The seats' colours (Okabe and Ito, Color Universal Design, 2002); a palette shows others in their place.
SEAT_COLOURS = PALETTES[Palette.USUAL].players
#: What they are called, as keys of the catalogue.
COLOUR_NAMES = ("gold", "sky", "green", "lemon", "vermilion", "rose")


class FirstBy(Word):
    """How the first player is found (ruling M3)."""

    MOON = "moon"
    """The player who last saw a full moon; if unknown, the youngest."""
    AGE = "age"
    CHANCE = "chance"
    CHOSEN = "chosen"
    """The players name the beginner; by default the first in the order of play."""


@dataclass(frozen=True)
class PlayerDates:
    """The facts about a player for choosing who begins."""

    name: str
    full_moon: datetime.date | None = None
    born: datetime.date | None = None


def first_by_moon(seats: Sequence[PlayerDates]) -> tuple[int, str]:
    """Return the seat that last saw a full moon, else the youngest's, and why: "full_moon", "youngest" or "seat"."""
    latest = max((seat.full_moon for seat in seats if seat.full_moon is not None), default=None)
    last = [i for i, seat in enumerate(seats) if latest is not None and seat.full_moon == latest]
    if len(last) == 1:
        return last[0], "full_moon"
    births = {i: seat.born for i, seat in enumerate(seats) if seat.born is not None}
    if not births:
        return 0, "seat"
    return max(births, key=lambda i: births[i]), "youngest"


def first_by_chance(count: int, seed: int) -> int:
    return int(shuffled(seed, [str(seat) for seat in range(count)], "first player")[0])


@dataclass(frozen=True)
class Beginner:
    """Who plays first, and why."""

    seat: int = 0
    why: str = ""
    """A text's key below ``first.why``: ``"moon.full_moon"``, ``"moon.youngest"``, ``"moon.seat"``,
    ``"age.youngest"``, ``"age.seat"``, ``"chance"``, ``"chosen"``; empty: nothing has to be said."""


def beginner(seats: Sequence[PlayerDates], by: FirstBy, seed: int, chosen: int = 0) -> Beginner:
    """Return who begins, and why; ``"...seat"``: no dates decide. ``seed`` decides chance."""
    if len(seats) < 2:
        return Beginner()
    if by is FirstBy.CHANCE:
        return Beginner(first_by_chance(len(seats), seed), "chance")
    if by is FirstBy.CHOSEN:
        return Beginner(chosen if chosen < len(seats) else 0, "chosen")
    known = seats if by is FirstBy.MOON else [PlayerDates(seat.name, None, seat.born) for seat in seats]
    seat, why = first_by_moon(known)
    return Beginner(seat, f"{by.value}.{why}")


class TurnHistory(Protocol):
    """What any game's position knows of the one before."""

    @property
    def player(self) -> int:
        """The seat on turn."""

    @property
    def before(self) -> TurnHistory | None:
        """The position before the last turn or move; None before the first."""


def turns_to_hand(state: TurnHistory, bots: Sequence[str | None]) -> int:
    """Return how many turns ago a person last played; 1 if nobody has."""
    before, turns = state.before, 1
    while before is not None:
        if before.player >= len(bots) or bots[before.player] is None:
            return turns
        before, turns = before.before, turns + 1
    return 1


def fitted(command: Command, state: TurnHistory, bots: Sequence[str | None]) -> Command:
    """Return the command; an undo with bots also takes back their turns since."""
    if command.kind is not Act.UNDO or not any(bots):
        return command
    return replace(command, value=max(command.value, turns_to_hand(state, bots)))
