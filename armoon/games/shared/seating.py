"""Who plays first: by choice, by the last full moon seen, the youngest, or chance (ruling M3)."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from armoon.games.shared.chance import shuffled
from armoon.values.choices import Palette, Word
from armoon.values.look import PALETTES

#: The seats' colours (Okabe and Ito, Color Universal Design, 2002); a palette shows others in their place.
SEAT_COLOURS = PALETTES[Palette.USUAL].players
#: What they are called, as keys of the catalogue.
COLOUR_NAMES = ("gold", "sky", "green", "lemon", "vermilion", "rose")


class FirstBy(Word):
    """How the first player is found (ruling M3)."""

    MOON = "moon"
    """The player who last saw a full moon; if unknown, the youngest."""
    AGE = "age"
    """The youngest."""
    CHANCE = "chance"
    CHOSEN = "chosen"
    """The players name the beginner; by default the first in the order of play."""


@dataclass(frozen=True)
class Seat:
    """The facts about a player for choosing who begins."""

    name: str
    full_moon: datetime.date | None = None
    """When they last saw a full moon."""
    born: datetime.date | None = None


def first_by_moon(seats: Sequence[Seat]) -> tuple[int, str]:
    """Return the seat that last saw a full moon.

    Where nobody can tell which, the youngest of all, as Kosmos prints it.

    Undecided where no day is known, or several share the latest. Returns the seat and why: ``"full_moon"``,
    ``"youngest"`` or, where ages don't tell either, ``"seat"``.
    """
    latest = max((seat.full_moon for seat in seats if seat.full_moon is not None), default=None)
    last = [i for i, seat in enumerate(seats) if latest is not None and seat.full_moon == latest]
    if len(last) == 1:
        return last[0], "full_moon"
    births = {i: seat.born for i, seat in enumerate(seats) if seat.born is not None}
    if not births:
        return 0, "seat"
    return max(births, key=lambda i: births[i]), "youngest"


def first_by_chance(count: int, seed: int) -> int:
    """Return a seat by the game's seed."""
    return int(shuffled(seed, [str(seat) for seat in range(count)], "first player")[0])


@dataclass(frozen=True)
class Beginner:
    """Who plays first, and why."""

    seat: int = 0
    why: str = ""
    """A text's key below ``first.why``: ``"moon.full_moon"``, ``"moon.youngest"``, ``"moon.seat"``,
    ``"age.youngest"``, ``"age.seat"``, ``"chance"``, ``"chosen"``; empty: nothing has to be said."""


def beginner(seats: Sequence[Seat], by: FirstBy, seed: int, chosen: int = 0) -> Beginner:
    """Return who begins; ``"...seat"`` in the reason says that no dates decide. At least one seat.

    ``seed`` is the game's: it decides where chance does. Who plays alone begins without a reason.
    """
    if len(seats) < 2:
        return Beginner()
    if by is FirstBy.CHANCE:
        return Beginner(first_by_chance(len(seats), seed), "chance")
    if by is FirstBy.CHOSEN:
        return Beginner(chosen if chosen < len(seats) else 0, "chosen")
    known = seats if by is FirstBy.MOON else [Seat(seat.name, None, seat.born) for seat in seats]
    seat, why = first_by_moon(known)
    return Beginner(seat, f"{by.value}.{why}")
