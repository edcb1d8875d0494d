"""Who plays first: chosen, by the last full moon seen, the youngest, or chance (ruling M3)."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from armoon.rules.chance import shuffled


@dataclass(frozen=True)
class Seat:
    """What is known of a player for choosing the first one."""

    name: str
    full_moon: datetime.date | None = None
    """When they last saw a full moon."""
    born: datetime.date | None = None


def first_by_moon(seats: Sequence[Seat]) -> tuple[int, str]:
    """The seat that last saw a full moon; if nobody knows or several share the day, the youngest of those.

    Returns the seat and why: ``"full_moon"``, ``"youngest"`` or, where ages don't tell either, ``"seat"``.
    """
    latest = max((seat.full_moon for seat in seats if seat.full_moon is not None), default=None)
    candidates = [i for i, seat in enumerate(seats) if latest is None or seat.full_moon == latest]
    if latest is not None and len(candidates) == 1:
        return candidates[0], "full_moon"
    births = {i: born for i in candidates if (born := seats[i].born) is not None}
    if not births:
        return candidates[0], "seat"
    youngest = max(births.values())
    return next(i for i in candidates if births.get(i) == youngest), "youngest"


def first_by_chance(count: int, seed: int) -> int:
    """A seat by the game's seed."""
    return int(shuffled(seed, [str(seat) for seat in range(count)], "first player")[0])
